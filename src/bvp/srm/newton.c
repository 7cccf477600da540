/* Deuflhard, Newton Methods for Nonlinear Problems (2004), algorithm NLEQ-ERR, as in bvp/collocation/newton.c; old factors,
 * also those of the iterate before, are used as long as the corrections contract by SIMPLE. */
#include "bvp/srm/newton.h"

#include <math.h>

static const double LAMBDA_MIN = 1e-6, SIMPLE = 0.1;
static const double ROUNDING = 1e-9; /* corrections below this that no longer fall are rounding */

rg_status rg_srm_newton_create(rg_srm_field *f, rg_srm_nodes *nodes, const rg_curve *shape,
                               rg_stats *stats, rg_srm_newton **out)
{
    rg_srm_newton *n = rg_alloc(f->ctx, 1, sizeof *n);

    *out = NULL;
    if (n == NULL) return RG_ERR_MEMORY;
    rg_status status = rg_srm_linear_create(f, nodes, shape, stats, &n->linear);
    if (status == RG_OK) status = rg_curve_like(shape, &n->trial);
    if (status == RG_OK) status = rg_curve_like(shape, &n->D);
    if (status == RG_OK) status = rg_curve_like(shape, &n->Db);
    n->scale = rg_alloc(f->ctx, (size_t)f->n_z + 1, sizeof *n->scale);
    if (n->scale == NULL && status == RG_OK) status = RG_ERR_MEMORY;
    if (status == RG_OK) {
        *out = n;
        return RG_OK;
    }
    rg_context *ctx = f->ctx;
    rg_srm_linear_destroy(&n->linear);
    rg_curve_destroy(&n->trial);
    rg_curve_destroy(&n->D);
    rg_curve_destroy(&n->Db);
    rg_free(ctx, n->scale);
    rg_free(ctx, n);
    return status;
}

void rg_srm_newton_destroy(rg_srm_newton **newton)
{
    rg_srm_newton *n = *newton;

    if (n == NULL) return;
    rg_context *ctx = n->linear->ctx;
    rg_srm_linear_destroy(&n->linear);
    rg_curve_destroy(&n->trial);
    rg_curve_destroy(&n->D);
    rg_curve_destroy(&n->Db);
    rg_free(ctx, n->scale);
    rg_free(ctx, n);
    *newton = NULL;
}

static void set_scales(rg_srm_newton *n, const rg_curve *it)
{
    for (int k = 0; k < it->nx; k++)
        n->scale[k] = n->floor;
    for (int64_t i = 0; i <= it->N; i++)
        for (int k = 0; k < it->nx; k++)
            n->scale[k] = fmax(n->scale[k], fabs(it->x[i * it->nx + k]));
}

/* Largest relative entry of d - factor e (e may be NULL) at the mesh points. */
static double size_of(const rg_srm_newton *n, const rg_curve *d, double factor, const rg_curve *e)
{
    double size = 0.0;

    for (int64_t i = 0; i <= d->N; i++)
        for (int k = 0; k < d->nx; k++) {
            const int64_t at = i * d->nx + k;
            const double v = fabs(d->x[at] - (e != NULL ? factor * e->x[at] : 0.0)) / n->scale[k];
            if (!(v <= size)) size = v;
        }
    return size;
}

static void swap(rg_curve **a, rg_curve **b)
{
    rg_curve *const c = *a;

    *a = *b;
    *b = c;
}

/* The numbers of `it` and of `trial` change places: the caller's curve stays the same object. */
static void accept(rg_srm_newton *n, rg_curve *it)
{
    double *z = it->x, *Zp = it->Xp;

    it->x = n->trial->x;
    it->Xp = n->trial->Xp;
    n->trial->x = z;
    n->trial->Xp = Zp;
}

static rg_status correct(rg_srm_newton *n, const rg_curve *it, const double *before, bool is_new,
                         rg_curve *D, double *size)
{
    RG_TRY(rg_srm_linear_solve(n->linear, it, before, n->scale, is_new, D));
    *size = size_of(n, D, 0.0, NULL);
    return isfinite(*size) ? RG_OK : RG_RETRY;
}

/* Corrections with the factors at hand, the first of them in D, while they contract.  RG_OK: converged. */
static rg_status simplify(rg_srm_newton *n, rg_curve *it, const double *before)
{
    enum { MOST = 10 };

    for (int k = 0; k < MOST; k++) {
        rg_curve_add(it, 1.0, n->D, n->trial);
        if (n->size <= n->tol) {
            accept(n, it);
            return RG_OK;
        }
        const rg_status status = correct(n, n->trial, before, false, n->Db, &n->size_bar);
        if (status < 0) return status;
        if (status != RG_OK || !(n->size_bar < SIMPLE * n->size)) {
            if (n->size > ROUNDING) return RG_RETRY; /* new factors do better */
            if (status == RG_OK && n->size_bar < n->size) accept(n, it);
            return RG_OK; /* rounding: as good as it gets */
        }
        accept(n, it);
        swap(&n->D, &n->Db);
        n->size = n->size_bar;
    }
    return RG_RETRY;
}

/* Finds lambda for the correction D; `it` moves. */
static rg_status search(rg_srm_newton *n, rg_curve *it, const double *before)
{
    for (;;) {
        if (n->lambda < LAMBDA_MIN) return RG_RETRY;
        rg_curve_add(it, n->lambda, n->D, n->trial);
        const rg_status status = correct(n, n->trial, before, false, n->Db, &n->size_bar);
        if (status < 0) return status;
        if (status != RG_OK) {
            n->lambda *= 0.25;
            continue;
        }
        if (n->size_bar <= (1.0 - 0.25 * n->lambda) * n->size) break;
        const double miss = size_of(n, n->Db, 1.0 - n->lambda, n->D);
        const double mu = 0.5 * n->size * n->lambda * n->lambda / miss;
        n->lambda = isfinite(mu) && mu < 0.5 * n->lambda ? mu : 0.5 * n->lambda;
    }
    accept(n, it);
    return RG_OK;
}

/* lambda from the corrections before and now. */
static double predict(const rg_srm_newton *n, double before)
{
    const double change = size_of(n, n->Db, 1.0, n->D);
    const double mu = before * n->size_bar * n->lambda / (change * n->size);

    return !(change > 0.0) || !(mu < 1.0) ? 1.0 : mu;
}

rg_status rg_srm_check_interrupt(rg_context *ctx)
{
    if (!rg_interrupted(ctx)) return RG_OK;
    rg_fail(ctx, RG_ERR_INTERRUPTED, "interrupted in Newton's method");
    return rg_remedy(ctx, "run it again, with a looser --tol if it takes too long");
}

rg_status rg_srm_newton_solve(rg_srm_newton *n, rg_curve *it, const double *before)
{
    double last = 0.0;

    set_scales(n, it);
    if (n->linear->has_factors) {
        rg_status status = correct(n, it, before, false, n->D, &n->size);
        if (status == RG_OK) status = simplify(n, it, before);
        if (status <= RG_OK) return status;
    }
    for (int k = 0; k < n->most; k++, n->n_iterations++) {
        RG_TRY(rg_srm_check_interrupt(n->linear->ctx));
        set_scales(n, it);
        RG_TRY(correct(n, it, before, true, n->D, &n->size));
        rg_log(n->linear->ctx, 3, "srm, newton %d: correction %.3g", k, n->size);
        if (n->size <= n->tol) {
            rg_curve_add(it, 1.0, n->D, n->trial);
            accept(n, it);
            return RG_OK;
        }
        n->lambda = last > 0.0 ? predict(n, last) : 1.0;
        const rg_status found = search(n, it, before);
        if (found == RG_RETRY && n->size < ROUNDING) return RG_OK;
        RG_TRY(found);
        last = n->size;
        if (n->lambda < 1.0 || !(n->size_bar < SIMPLE * n->size)) continue;
        swap(&n->D, &n->Db);
        n->size = n->size_bar;
        const rg_status simple = simplify(n, it, before);
        if (simple <= RG_OK) return simple;
        last = 0.0; /* no prediction across simplified steps */
    }
    return RG_RETRY;
}
