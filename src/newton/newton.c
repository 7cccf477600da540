/* Error-oriented damped Newton iteration: newton.h has the formulas.  Steps that contract by
 * RG_NEWTON_SIMPLE go on with the old factors. */
#include "newton/newton.h"
#include "newton/tuning.h"

#include <math.h>

static void swap(void **a, void **b)
{
    void *const c = *a;

    *a = *b;
    *b = c;
}

/* A correction and its size. */
static rg_status correct(rg_newton *n, const void *z, bool is_new, void *d, double *size)
{
    RG_TRY(n->system->correct(n->user, z, is_new, d));
    *size = n->system->size(n->user, d, 0.0, NULL);
    return isfinite(*size) ? RG_OK : (rg_status)RG_RETRY;
}

/* z + factor D becomes z. */
static void move(rg_newton *n, double factor)
{
    n->system->add(n->z, factor, n->D, n->trial);
    swap(&n->z, &n->trial);
}

static bool is_last(const rg_newton *n)
{
    return n->size <= n->tol && (n->system->is_last == NULL || n->system->is_last(n->user, n->D));
}

/* Corrections no longer fall: is it rounding?  Measured: what a unit in the last place of every
 * number of z does to its correction, with the same factors.  In exact arithmetic D(z + dz) is
 * D(z) - dz up to second order, so that all that is larger than dz is rounding, enlarged by
 * ill-conditioned parts of J wherever they are. */
static rg_status end_at_rounding(rg_newton *n)
{
    bool is_rounding = n->size <= fmax(RG_NEWTON_ROUNDING, n->tol);

    if (!is_rounding && n->system->perturb != NULL) {
        n->system->perturb(n->z, n->trial);
        RG_TRY(correct(n, n->trial, false, n->Db, &n->bar));
        const double noise = n->system->size(n->user, n->Db, 1.0, n->D);
        if (n->size <= RG_NEWTON_NOISE * noise) n->rounding = noise;
        is_rounding = n->rounding > 0.0 && RG_NEWTON_NOISE * noise <= RG_NEWTON_ROUNDING_MOST;
    }
    if (!is_rounding) return RG_RETRY;
    move(n, 1.0); /* what is left belongs to the error estimate */
    return RG_OK;
}

/* lambda from the corrections before and now. */
static double predict(const rg_newton *n, double before)
{
    const double change = n->system->size(n->user, n->Db, 1.0, n->D);
    const double mu = before * n->bar * n->lambda / (change * n->size);

    return change > 0.0 && mu < 1.0 ? mu : 1.0;
}

/* Corrections with the factors at hand, the first of them in D, while they contract.  RG_OK:
 * converged. */
static rg_status simplify(rg_newton *n)
{
    enum { MOST = 8 };

    for (int k = 0; k < MOST; k++) {
        const bool is_done = is_last(n);
        move(n, 1.0);
        if (is_done) return RG_OK;
        const rg_status status = correct(n, n->z, false, n->Db, &n->bar);
        const bool is_good = status == RG_OK && n->bar < RG_NEWTON_SIMPLE * n->size;
        if (status == RG_OK && !is_good && n->size <= fmax(RG_NEWTON_ROUNDING, n->tol))
            return RG_OK; /* rounding: as good as it gets */
        if (!is_good) {
            swap(&n->z, &n->trial); /* a new Jacobian does better */
            return status < 0 ? status : (rg_status)RG_RETRY;
        }
        swap(&n->D, &n->Db);
        n->size = n->bar;
    }
    return RG_RETRY;
}

/* Finds lambda for the correction D.  RG_OK: n->z has moved; RG_RETRY: no lambda will do. */
static rg_status search(rg_newton *n)
{
    bool is_reduced = false;

    while (n->lambda >= RG_NEWTON_DAMPING_LEAST) {
        n->system->add(n->z, n->lambda, n->D, n->trial);
        const rg_status status = correct(n, n->trial, false, n->Db, &n->bar);
        if (status < 0) return status;
        if (status != RG_OK) {
            n->lambda *= 0.25;
            is_reduced = true;
            continue;
        }
        const double miss = n->system->size(n->user, n->Db, 1.0 - n->lambda, n->D);
        const double mu = miss > 0.0 ? 0.5 * n->size * n->lambda * n->lambda / miss : 1.0;
        if (n->bar > (1.0 - 0.25 * n->lambda) * n->size) {
            n->lambda = fmin(mu, RG_NEWTON_DAMPING_LESS * n->lambda);
            is_reduced = true;
        } else if (!is_reduced && n->lambda < 1.0 && mu >= RG_NEWTON_DAMPING_MORE * n->lambda) {
            n->lambda = fmin(mu, 1.0);
        } else {
            swap(&n->z, &n->trial);
            return RG_OK;
        }
    }
    return RG_RETRY;
}

rg_status rg_newton_poll(rg_context *ctx)
{
    if (!rg_interrupted(ctx)) return RG_OK;
    rg_fail(ctx, RG_ERR_INTERRUPTED, "interrupted in Newton's method");
    return rg_remedy(ctx, "run it again, with a looser --tol if it takes too long");
}

/* The factors of another iterate, as long as they contract. */
static rg_status reuse(rg_newton *n)
{
    n->system->rescale(n->user, n->z);
    RG_TRY(correct(n, n->z, false, n->D, &n->size));
    return simplify(n);
}

rg_status rg_newton_solve(rg_newton *n)
{
    double before = 0.0;
    rg_status status = n->has_factors ? reuse(n) : (rg_status)RG_RETRY;

    for (int k = 0; k < n->most && status == (rg_status)RG_RETRY; k++) {
        RG_TRY(rg_newton_poll(n->ctx));
        n->n_iterations++;
        n->system->rescale(n->user, n->z);
        RG_TRY(correct(n, n->z, true, n->D, &n->size));
        rg_log(n->ctx, 3, "newton %d: correction %.3g, lambda %.3g", k, n->size, n->lambda);
        if (is_last(n) || (n->system->is_exact != NULL && n->system->is_exact(n->user, n->z))) {
            move(n, 1.0);
            return RG_OK;
        }
        n->lambda = before > 0.0 ? predict(n, before) : 1.0;
        const rg_status found = search(n);
        if (found != RG_OK) return found == (rg_status)RG_RETRY ? end_at_rounding(n) : found;
        before = n->size;
        if (n->lambda < 1.0 || !(n->bar < RG_NEWTON_SIMPLE * n->size)) continue;
        swap(&n->D, &n->Db);
        n->size = n->bar;
        status = simplify(n);
        before = 0.0; /* no prediction across simplified steps */
    }
    return status;
}
