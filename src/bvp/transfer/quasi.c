/* Quasilinearization for models that are not linear, of index 1 (Petry, Remark 4.6).
 *
 * Newton's method for F(t, y, y') = 0, b(y) = 0 in the space of curves.  At a curve y_0 with
 * A = dF/dy', B = dF/dy there,
 *
 *     A z' + B z = A y' + B y - F(t, y, y'),     C z = C y - b(y)                               (*)
 *
 * takes a curve y into z.  y = y_0: a full Newton step, for which psi is integrated.  Other y: a
 * simplified step with the same A and B, hence the same psi: only (14b) is solved again
 * (sweep_replay.c).
 *
 * Control, in the norm of rg_quasi_distance():  d = |z_0 - y_0|.  The damped step y_0 + lambda
 * (z_0 - y_0) is accepted when the simplified correction there is at most (1 - lambda/4) d (natural
 * monotonicity), lambda = 1, 1/2, 1/4, ...  "modified" goes on with simplified steps as long as
 * each is at most half of the one before; "full" linearizes after each.  Where both cannot go on,
 * psi is integrated for the curve reached.
 *
 * Curves are piecewise polynomials (curve.h).  Sweeps stop at all of their points, so that values
 * there cost nothing.  After convergence, pieces on which the last Chebyshev coefficient is too
 * large are halved, and the iteration goes on. */
#include "bvp/transfer/quasi_impl.h"
#include "bvp/transfer/tuning.h"
#include "bvp/tuning.h"

#include <math.h>
#include <stdio.h>

static void swap(rg_quasi *q, int i, int j)
{
    rg_transfer_curve *keep = q->curve[i];

    q->curve[i] = q->curve[j];
    q->curve[j] = keep;
}

void rg_quasi_facts(const rg_transfer *t, rg_transfer_newton *out)
{
    *out = t->quasi->newton;
}

/* ---- the iteration --------------------------------------------------------------------------- */

static void note(rg_transfer *t, double correction, double damping, bool is_psi)
{
    rg_transfer_newton *w = &t->quasi->newton;

    if (is_psi)
        w->integrations++;
    else
        w->corrections++;
    rg_log(t->ctx, 2, "transfer: %s %d: correction %.3g times the tolerance, step %g",
           is_psi ? "linearization" : "simplified step", is_psi ? w->integrations : w->corrections,
           correction, damping);
    if (w->n_log == RG_NEWTON_LOG) return;
    w->log[w->n_log].correction = correction;
    w->log[w->n_log].damping = damping;
    w->log[w->n_log++].is_psi = is_psi;
}

/* why: what else has happened, or "" */
static rg_status give_up(rg_transfer *t, double correction, const char *why)
{
    const rg_transfer_newton *w = &t->quasi->newton;

    rg_fail(
        t->ctx, RG_ERR_CONVERGENCE,
        "Newton's method does not converge: after %d linearizations and %d simplified steps the "
        "correction is %.2g times the tolerance%s%s",
        w->integrations, w->corrections, correction, why[0] != '\0' ? "; the next one fails: " : "",
        why);
    return rg_remedy(t->ctx, "start nearer to the solution: give '~' values or --guess FILE; or "
                             "take --method collocation with --continue");
}

/* (14b) along curve RG_TRIAL, the result in RG_AFTER; INFINITY where F cannot be evaluated. */
static rg_status simplified(rg_transfer *t, double damping, double *correction)
{
    t->now = t->quasi->curve[RG_TRIAL];
    rg_status status = rg_transfer_recarry(t);
    if (status == RG_OK) status = rg_quasi_sample(t, RG_AFTER);
    *correction = status == RG_OK ? rg_quasi_distance(t, RG_AFTER, RG_TRIAL) : INFINITY;
    if (!isfinite(*correction)) *correction = INFINITY;
    if (status < 0) return status;
    note(t, *correction, damping, false);
    return RG_OK;
}

/* The largest error of h in the last replay, in tolerances. */
static double replay_error(const rg_transfer *t)
{
    double largest = 0.0;

    for (int k = 0; k < t->n_groups; k++) {
        const rg_group *g = &t->groups[k];
        if (g->forward != NULL) largest = fmax(largest, g->forward->replay_error);
        if (g->backward != NULL) largest = fmax(largest, g->backward->replay_error);
    }
    return largest;
}

/* Damping until the correction at the end of the step is smaller. */
static rg_status damp(rg_transfer *t, double first, double *lambda, double *second)
{
    for (*lambda = 1.0; *lambda >= RG_BVP_DAMPING_LEAST; *lambda *= 0.5) {
        rg_quasi_step(t, *lambda);
        RG_TRY(simplified(t, *lambda, second));
        if (*second <= (1.0 - 0.25 * *lambda) * first || *second <= RG_BVP_SETTLED) return RG_OK;
    }
    return give_up(t, first, "");
}

/* From a linearization at RG_BASE that has just been carried: to convergence, or to a better
 * RG_BASE. */
static rg_status improve(rg_transfer *t, double first, bool *is_done)
{
    rg_quasi *q = t->quasi;
    double lambda, second, before = first;

    RG_TRY(damp(t, first, &lambda, &second));
    while (lambda == 1.0 && second > RG_BVP_SETTLED && !q->newton.is_full
           && second <= RG_TRANSFER_NEWTON_CONTRACTION * before) {
        before = second;
        swap(q, RG_TRIAL, RG_AFTER);
        RG_TRY(simplified(t, 1.0, &second));
    }
    *is_done = lambda == 1.0 && second <= RG_BVP_SETTLED && replay_error(t) <= 1.0;
    if (*is_done) return RG_OK;
    swap(q, RG_BASE, lambda == 1.0 && second <= before ? RG_AFTER : RG_TRIAL);
    return RG_OK;
}

/* psi for the curve RG_BASE. */
static rg_status linearize(rg_transfer *t)
{
    rg_transfer_unbuild(t);
    t->frozen = t->now = t->quasi->curve[RG_BASE];
    return rg_transfer_build(t);
}

/* Along iterates that do not come nearer to a solution anything may happen. */
static rg_status carry_next(rg_transfer *t, double correction, double least)
{
    char why[256];
    rg_status status = linearize(t);

    if (status == RG_OK) status = rg_transfer_carry(t);
    if (status >= 0 || status == RG_ERR_MEMORY || status == RG_ERR_INTERRUPTED) return status;
    if (correction < least) return status;
    snprintf(why, sizeof why, "%.255s", rg_last_error(t->ctx)->message);
    rg_clear_error(t->ctx);
    return give_up(t, correction, why);
}

static rg_status iterate(rg_transfer *t)
{
    const int most =
        t->options.max_newton > 0 ? t->options.max_newton : RG_TRANSFER_MOST_LINEARIZATIONS;
    double first = INFINITY, least = INFINITY; /* the last correction, the least before it */

    for (int k = 0; k < most; k++) {
        bool is_done = false;
        RG_TRY(k > 0 ? carry_next(t, first, least) : rg_transfer_carry(t));
        least = fmin(least, first);
        RG_TRY(rg_quasi_sample(t, RG_NEXT));
        first = rg_quasi_distance(t, RG_NEXT, RG_BASE);
        note(t, first, 1.0, true);
        if (!isfinite(first)) break;
        if (first <= RG_BVP_SETTLED) return RG_OK;
        RG_TRY(improve(t, first, &is_done));
        if (is_done) return RG_OK;
    }
    return give_up(t, first, "");
}

/* The index along the solution, whose linearization has not been carried. */
static rg_status check_index(rg_transfer *t)
{
    const rg_transfer_curve *c = t->quasi->best;
    rg_transfer_curve *const frozen = t->frozen, *const now = t->now;
    rg_field *field = t->worker[0].field;
    rg_status status = RG_OK;
    int sign = 0;
    double before = t->low;

    t->frozen = t->now = t->quasi->best;
    for (int k = 0; k < rg_transfer_curve_points(c) && status == RG_OK; k++) {
        const double at = c->point[k];
        if (at < t->low || at > t->high) continue; /* folded: the field has the other half too */
        status = rg_field_decouple(field, at);
        if (status == RG_OK && sign * field->sign < 0) status = rg_field_locate(field, before, at);
        sign = field->sign;
        before = at;
    }
    t->frozen = frozen;
    t->now = now;
    return status;
}

rg_status rg_quasi_run(rg_transfer *t)
{
    for (;;) {
        int count;
        RG_TRY(iterate(t));
        RG_TRY(rg_quasi_refine(t, &count));
        if (count == 0) return check_index(t);
        if (t->quasi->newton.pieces > RG_TRANSFER_MOST_PIECES) {
            rg_fail(t->ctx, RG_ERR_CONVERGENCE,
                    "the solution cannot be followed by %d polynomials of degree %d",
                    RG_TRANSFER_MOST_PIECES, RG_TRANSFER_DEGREE);
            return rg_remedy(t->ctx, "give a larger --tol, or take --method collocation");
        }
        RG_TRY(linearize(t));
    }
}
