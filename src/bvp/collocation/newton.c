/* Deuflhard, Newton Methods for Nonlinear Problems (2004), algorithm NLEQ-ERR: the damping factor
 * follows the size of the simplified Newton correction, which does not depend on how equations are scaled.
 *
 *     D_k = -J_k^-1 R(z_k),   Db = -J_k^-1 R(z_k + lambda D_k)
 *     theta = |Db|/|D_k|,     mu' = |D_k| lambda^2 / (2 |Db - (1 - lambda) D_k|)
 *     predicted:  mu = |D_{k-1}| |Db_{k-1}| lambda_{k-1} / (|Db_{k-1} - D_k| |D_k|),  lambda = min(1, mu)
 *     accepted when theta < 1 - lambda/4
 *
 * Steps with theta < SIMPLE go on with the old factors. */
#include "bvp/collocation/newton.h"

#include <math.h>
#include <string.h>

#define LAMBDA_MIN 1e-6
#define SIMPLE     0.1  /* contraction that is as good as a new Jacobian; chosen by experiment */
#define ROUNDING   1e-9 /* corrections below this that no longer fall are rounding */
#define NOISE                                                                                      \
    30.0 /* times what single roundings do; chosen by experiment: interior layers of width 1e-8 */
#define NOISE_MOST 1e-4 /* beyond, the problem is as good as singular */

typedef struct {
    rg_condensed *l;
    const rg_newton_control *control;
    rg_curve *it, *trial, *D, *Db;
    double *scale; /* nx, then n */
    double size, size_bar, lambda;
} iteration;

/* Scales: the largest value of every state and algebraic unknown on the mesh. */
static void set_scales(iteration *n)
{
    const rg_curve *it = n->it;
    double *x = n->scale, *w = x + it->nx;

    for (int k = 0; k < it->nx + it->n; k++)
        n->scale[k] = n->control->floor;
    for (int64_t i = 0; i <= it->N; i++)
        for (int k = 0; k < it->nx; k++)
            x[k] = fmax(x[k], fabs(it->x[i * it->nx + k]));
    for (int64_t i = 0; i < it->N * it->rule.s; i++)
        for (int k = 0; k < it->n; k++)
            w[k] = fmax(w[k], fabs(it->w[i * it->n + k]));
}

/* Largest relative entry of d - factor e (e may be NULL): mesh values, and algebraic unknowns in the stages. */
static double size_of(const iteration *n, const rg_curve *d, double factor, const rg_curve *e)
{
    const rg_bvp_form *f = n->l->f;
    double size = 0.0;

    for (int64_t i = 0; i <= d->N; i++)
        for (int k = 0; k < d->nx; k++) {
            const int64_t at = i * d->nx + k;
            const double v = fabs(d->x[at] - (e != NULL ? factor * e->x[at] : 0.0)) / n->scale[k];
            if (!(v <= size)) size = v;
        }
    for (int64_t i = 0; i < d->N * d->rule.s; i++)
        for (int k = 0; k < d->n; k++) {
            if (f->d[k] > 0) continue;
            const int64_t at = i * d->n + k;
            const double v =
                fabs(d->w[at] - (e != NULL ? factor * e->w[at] : 0.0)) / n->scale[d->nx + k];
            if (!(v <= size)) size = v;
        }
    return size;
}

/* Where a state is large in a layer, what is small beside it is not small elsewhere: the last correction must be so relative
 * to floor + |x| at its own mesh point, too. */
static bool is_last(const iteration *n, const rg_curve *d, double size)
{
    const rg_curve *it = n->it;

    if (!(size <= n->control->tol)) return false;
    for (int64_t i = 0; i <= d->N; i++)
        for (int k = 0; k < d->nx; k++) {
            const int64_t at = i * d->nx + k;
            if (fabs(d->x[at]) > n->control->local * (n->control->floor + fabs(it->x[at])))
                return false;
        }
    return true;
}

/* Corrections that no longer fall are rounding below this: what changes of a unit in the last place do to the solution. */
static double rounding(iteration *n)
{
    const double noise = rg_condensed_noise(n->l, n->it, n->scale, true, n->trial->x);

    const double least = fmax(ROUNDING, n->control->tol);
    return NOISE * noise <= NOISE_MOST ? fmax(least, NOISE * noise) : least;
}

static void accept(iteration *n)
{
    rg_curve *old = n->it;

    n->it = n->trial;
    n->trial = old;
}

/* lambda from the corrections before and now. */
static double predict(const iteration *n, double size_before, double size_now)
{
    const double change = size_of(n, n->Db, 1.0, n->D);

    if (!(change > 0.0)) return 1.0;
    const double mu = size_before * n->size_bar * n->lambda / (change * size_now);
    return mu < 1.0 ? mu : 1.0;
}

/* Simplified corrections from the accepted point on, while they contract.  RG_OK: converged. */
static rg_status simplify(iteration *n)
{
    enum { MOST = 8 };

    for (int k = 0; k < MOST; k++) {
        const double before = n->size_bar;
        rg_curve_add(n->it, 1.0, n->Db, n->trial);
        if (is_last(n, n->Db, before)) {
            accept(n);
            return RG_OK;
        }
        const rg_status status = rg_condensed_simplified(n->l, n->trial, n->D);
        if (status != RG_OK) return status;
        const double size = size_of(n, n->D, 0.0, NULL);
        if (!(size < SIMPLE * before)) {
            if (before > fmax(ROUNDING, n->control->tol))
                return RG_RETRY; /* a new Jacobian does better */
            accept(n);           /* rounding: as good as it gets */
            return RG_OK;
        }
        accept(n);
        rg_curve *swap = n->D;
        n->D = n->Db;
        n->Db = swap;
        n->size_bar = size;
    }
    return RG_RETRY;
}

/* Finds lambda for the correction D.  RG_OK: n->it has moved; RG_RETRY: no lambda will do. */
static rg_status search(iteration *n)
{
    bool is_reduced = false;

    for (;;) {
        if (n->lambda < LAMBDA_MIN) return RG_RETRY;
        rg_curve_add(n->it, n->lambda, n->D, n->trial);
        const rg_status status = rg_condensed_simplified(n->l, n->trial, n->Db);
        if (status < 0) return status;
        if (status != RG_OK) {
            n->lambda *= 0.25;
            is_reduced = true;
            continue;
        }
        n->size_bar = size_of(n, n->Db, 0.0, NULL);
        const double miss = size_of(n, n->Db, 1.0 - n->lambda, n->D);
        const double mu = miss > 0.0 ? 0.5 * n->size * n->lambda * n->lambda / miss : 1.0;
        if (!isfinite(n->size_bar) || n->size_bar > (1.0 - 0.25 * n->lambda) * n->size) {
            n->lambda = isfinite(mu) && mu < 0.5 * n->lambda ? mu : 0.5 * n->lambda;
            is_reduced = true;
            continue;
        }
        if (!is_reduced && n->lambda < 1.0 && mu >= 4.0 * n->lambda) {
            n->lambda = mu < 1.0 ? mu : 1.0;
            continue;
        }
        accept(n);
        return RG_OK;
    }
}

static rg_status iterate(iteration *n, rg_newton_outcome *outcome)
{
    double before = 0.0;

    for (int k = 0; k < n->control->most; k++) {
        outcome->n_iterations = k + 1;
        if (rg_interrupted(n->l->ctx)) {
            rg_fail(n->l->ctx, RG_ERR_INTERRUPTED, "interrupted in Newton's method");
            return rg_remedy(n->l->ctx, "run it again, with a looser --tol if it takes too long");
        }
        set_scales(n);
        const rg_status linear = rg_condensed_newton(n->l, n->it, n->D);
        if (linear != RG_OK) return linear;
        n->size = outcome->last = size_of(n, n->D, 0.0, NULL);
        if (!isfinite(n->size)) return RG_RETRY;
        rg_log(n->l->ctx, 3, "newton %d: correction %.3g, lambda %.3g", k, n->size, n->lambda);
        if (is_last(n, n->D, n->size)) {
            rg_curve_add(n->it, 1.0, n->D, n->trial);
            accept(n);
            return RG_OK;
        }
        n->lambda = before > 0.0 ? predict(n, before, n->size) : 1.0;
        const rg_status status = search(n);
        if (status == (rg_status)RG_RETRY && n->size <= rounding(n)) {
            rg_curve_add(n->it, 1.0, n->D, n->trial); /* what is left belongs to the estimate */
            accept(n);
            return RG_OK;
        }
        if (status != RG_OK) return status;
        before = n->size;
        outcome->last = n->size_bar;
        if (n->lambda == 1.0 && n->size_bar < SIMPLE * n->size) {
            const rg_status simple = simplify(n);
            outcome->last = n->size_bar;
            if (simple <= RG_OK) return simple;
            before = 0.0; /* no prediction across simplified steps */
        }
    }
    return RG_RETRY;
}

static void copy_back(const rg_curve *from, rg_curve *to)
{
    const int64_t stages = from->N * from->rule.s;

    memcpy(to->x, from->x, (size_t)((from->N + 1) * from->nx) * sizeof(double));
    memcpy(to->Xp, from->Xp, (size_t)(stages * from->nx) * sizeof(double));
    memcpy(to->w, from->w, (size_t)(stages * from->n) * sizeof(double));
    memcpy(to->wn, from->wn, (size_t)(from->n_nodes * from->n) * sizeof(double));
}

static rg_status like(const rg_curve *it, const rg_bvp_conditions *c, rg_curve **out)
{
    return rg_curve_create(it->ctx, &it->rule, it->n, it->nx, it->N, it->t, it->n_nodes, c->point,
                           out);
}

rg_status rg_collocate(rg_bvp_form *f, rg_bvp_conditions *c, const rg_newton_control *control,
                       rg_curve *it, rg_stats *stats, rg_newton_outcome *outcome)
{
    iteration n = {.control = control};
    rg_curve *own[4] = {NULL, NULL, NULL, NULL};
    rg_status status = RG_OK;

    *outcome = (rg_newton_outcome){.last = INFINITY};
    for (int k = 0; k < 4 && status == RG_OK; k++)
        status = like(it, c, &own[k]);
    n.scale = rg_alloc(f->ctx, (size_t)f->nz + 1, sizeof *n.scale);
    if (n.scale == NULL && status == RG_OK) status = RG_ERR_MEMORY;
    if (status == RG_OK) status = rg_condensed_create(f, c, it, stats, &n.l);
    if (status == RG_OK) {
        n.it = own[0];
        n.trial = own[1];
        n.D = own[2];
        n.Db = own[3];
        copy_back(it, n.it);
        status = iterate(&n, outcome);
        if (status >= 0) {
            outcome->conditioning = rg_condensed_conditioning(n.l, n.scale, n.D->x);
            outcome->noise = rg_condensed_noise(n.l, n.it, n.scale, false, n.D->x);
        }
        if (status == RG_OK) copy_back(n.it, it);
    }
    rg_condensed_destroy(&n.l);
    rg_free(f->ctx, n.scale);
    for (int k = 0; k < 4; k++)
        rg_curve_destroy(&own[k]);
    return status;
}
