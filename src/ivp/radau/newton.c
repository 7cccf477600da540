/* Simplified Newton iteration for the stage equations, HW96 section IV.8 and HLR89 section 7,
 * carried over from M y' = f to F(t, y, y') = 0; k = 1 .. (s-1)/2:
 *
 *     W = T^-1 Z,   Y_i = y_n + Z_i,   Y'_i = (1/h) sum_j (A^-1)_ij Z_j,   R = -T^-1 F
 *     ((gamma/h) F_y' + F_y) dW_1 = R_1,    (((alpha_k + i beta_k)/h) F_y' + F_y) (dW_2k + i
 *                                           dW_2k+1) = R_2k + i R_2k+1
 *
 * theta_k = |dW_k|/|dW_{k-1}| (geometric mean with the one before); the error after iteration k is
 * about eta |dW_k|, eta = theta/(1 - theta), and must be below newton_tol. */
#include "ivp/pace.h"
#include "ivp/radau/radau.h"
#include "ivp/radau/tuning.h"
#include "ivp/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* h Y'_i where F_i will be */
static void slopes(rg_radau *r)
{
    rg_stages_transform(r->table->s, r->inverse_A, r->blocks, r->Z, r->F);
}

/* F_i = F(t_n + c_i h, Y_i, Y'_i),  from <= i < to,  after slopes() */
static rg_status evaluate(rg_integrator *g, int from, int to)
{
    rg_radau *r = rg_radau_of(g);
    const int64_t ld = r->blocks * RG_LANES;
    double *point = rg_system_point(g->work), *Z = r->Z + from * ld, *F = r->F + from * ld;
    const double inverse = 1.0 / r->h;

    g->stats.evaluations += to - from;
    for (int i = from; i < to; i++, Z += ld, F += ld) {
        const bool is_end = i == r->table->s - 1 && r->is_last;
        const double t = is_end ? g->t_end : rg_radau_time(g, r->table->c[i]);
        rg_stage_point(g->n, g->y, Z, inverse, F, point, point + g->n);
        RG_TRY(rg_system_residual_here(g->system, g->work, t, F));
    }
    return RG_OK;
}

rg_status rg_radau_residuals(rg_integrator *g)
{
    slopes(rg_radau_of(g));
    return evaluate(g, 0, rg_radau_of(g)->table->s);
}

/* |((gamma/h) F_y' + F_y)^-1 F_s| at the end of the step, the largest of its weighted components:
 * one evaluation, which the next iteration uses again. */
static rg_status last_correction(rg_integrator *g, double *size)
{
    rg_radau *r = rg_radau_of(g);
    const int s = r->table->s;

    slopes(r);
    RG_TRY(evaluate(g, s - 1, s));
    memcpy(r->error, rg_radau_stage(r, r->F, s - 1), (size_t)g->n * sizeof *r->error);
    rg_matrix_solve(r->real, r->error, NULL);
    *size = 0.0;
    for (int64_t i = 0; i < g->n; i++) {
        const double d = fabs(r->error[i]) * r->weight[i];
        if (!(d <= *size)) *size = d; /* also takes NaN */
    }
    return RG_OK;
}

/* Fixed steps: |dW|^2 in F beside sizes, those of Z among them. */
static double sized_change(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const int64_t ld = r->blocks * RG_LANES;
    double sum = 0.0;

    rg_pace_stage_weights(g->n, r->table->s, ld, r->Z, r->weight);
    for (int i = 0; i < r->table->s; i++)
        for (int64_t k = 0; k < g->n; k++) {
            const double scaled = r->F[i * ld + k] * r->weight[k];
            sum += scaled * scaled;
        }
    return sum;
}

/* F <- -dW, W <- W + dW, Z <- T W; returns the scaled norm of dW. */
double rg_radau_update(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const int s = r->table->s;
    const int64_t ld = r->blocks * RG_LANES;

    rg_stages_transform(s, r->T_inverse, r->blocks, r->F, r->F);
    rg_matrix_solve(r->real, r->F, NULL);
    for (int k = 1; k < s; k += 2)
        rg_matrix_solve(r->pair[k / 2], r->F + k * ld, r->F + (k + 1) * ld);
    double sum = rg_stages_advance(s, r->T, r->blocks, r->F, r->weight, r->W, r->Z);
    if (r->is_fixed) sum = sized_change(g);
    return sqrt(sum / ((double)s * (double)(g->n > 0 ? g->n : 1)));
}

static rg_status fail(rg_radau *r, rg_radau_cause cause)
{
    r->cause = cause;
    return (rg_status)RG_RETRY;
}

/* Will the remaining iterations suffice?  If not, *h_factor is the step that would have made it:
 * what they leave is about proportional to h^(s+1+left), by the prediction and their rates (RADAU5,
 * s = 3).  RADAU5 takes 20 for all that is more; every other failure led to a second one then. */
static bool is_hopeless(const rg_radau *r, int k, double size, double *h_factor)
{
    const int left = r->max_newton - 1 - k;
    double end =
        r->convergence * size / r->newton_tol; /* error left, in units of what is allowed */

    for (int i = 0; i < left && end >= 1.0; i++)
        end *= r->theta;
    if (end < 1.0) return false;
    *h_factor = fmax(1.0 / RG_RADAU_SHRINK, 0.8 * pow(end, -1.0 / (r->table->s + 1.0 + left)));
    return true;
}

/* Is there an end at rounding errors?  Factors of constraints that are dependent up to rounding
 * solve to a few bits only: the iteration may go on until the updates are as small as can be, and
 * where they stall they are what rounding makes of the stages. */
static rg_status end_at_rounding(rg_integrator *g, int k, double size)
{
    rg_radau *r = rg_radau_of(g);
    double stages, end = size;
    const double noise = rg_radau_rounding(g, &stages);

    if (size <= noise) return RG_OK;
    for (int i = k; i < r->max_newton && end > noise; i++)
        end *= r->theta;
    if (end <= noise) return (rg_status)RG_RETRY;
    return size <= stages * noise ? RG_OK : RG_ERR_CONVERGENCE;
}

/* Fixed step: no progress any more in several iterations, at the level of rounding errors. */
static bool has_settled(double size, double *best, int *idle)
{
    *idle = size > RG_FIXED_SLOW * *best ? *idle + 1 : 0;
    *best = fmin(*best, size);
    return size <= 4.0 * DBL_EPSILON || (size < RG_FIXED_ROUNDING && *idle >= RG_FIXED_IDLE);
}

/* Where the model is nearly linear one iteration would pass and leave algebraic unknowns wrong, for
 * which later steps pay.  x' = -x + sin 6t, w' = -50 (w - x^2), y = exp 2x + 0.3 w, 1e-6: y wrong
 * by 6e-3 with 2108 evaluations, 9e-16 with 1465.  So with less than this rate an iteration is the
 * last only if the equations then hold at the end of the step (last_correction()); where all of
 * them have derivatives there is one iteration more.  Where the Jacobian is the same everywhere one
 * iteration is exact. */
static double least_rate(const rg_radau *r)
{
    if (r->is_linear) return 0.0;
    return r->has_algebraic ? RG_RADAU_LEAST_RATE : RG_RADAU_LEAST_RATE_ODE;
}

/* eta for the first iteration: the last one to the power 0.8 (RADAU5), and grown with the step
 * since it was measured, by as much as the distance of the Jacobian grows times the step itself.
 * Without that, a first step far below what the tolerance allows makes the next ones stop after a
 * single iteration, and leaves a drift ten times the tolerance (pendulum of index 1).  A rate
 * from a much shorter step says nothing: rolling disc, 5 stages, 1e-8: 3e-6 wrong from the third
 * step on. */
static double first_convergence(const rg_radau *r)
{
    const double ratio = r->h_measured != 0.0 ? fmax(1.0, r->h / r->h_measured) : 1.0;
    const double eta = pow(fmax(r->convergence, DBL_EPSILON), 0.8) * ratio * ratio;

    return ratio > RG_RADAU_LONGER_STEP ? fmax(eta, RG_RADAU_UNKNOWN_RATE) : eta;
}

/* A step much longer than the last one, and than that in which a rate was measured: the Jacobian
 * may be that of other times, from which equations have faded by orders, x' exp(20 (1 - t)) = 1.
 * All updates are far too small then, and so is the error that it tells; the rate says so, nearly
 * 1.  A second iteration that is there to see it costs the next step nothing of its length. */
static bool is_unproven(const rg_radau *r)
{
    const double measured = fmax(fabs(r->h_measured), fabs(r->h_accepted));

    return !r->is_linear && r->h_accepted != 0.0 && fabs(r->h) > RG_RADAU_LONGER_STEP * measured;
}

/* Keeps Z_s as it is before an update. */
static void keep_end(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);

    if (!r->has_algebraic) return;
    memcpy(r->end, rg_radau_stage(r, r->Z, r->table->s - 1), (size_t)g->n * sizeof *r->end);
}

/* The norm is a mean over all stages and unknowns; where one of many unknowns has all of the error,
 * equations without derivatives are violated by it.  So each one counts as well at the end of the
 * step, d = Z_s - (Z_s before the update), in units of the tolerance, with its own rate: a factor
 * of an unknown that becomes smaller in the step, x of x^3 (y - s) = 0, lets its error fall more
 * slowly than all others.  In a step much longer than the last one the mean rate of a first pair of
 * updates says nothing about it.  The second run of an estimate leaves less: where functions of
 * time end the steps of both runs, what is left is the same in both and would not be seen.  That
 * may be below rounding: the iteration goes on for it, but a step does not fail by it, and not with
 * unknowns of index 2, in which more updates of a short step are more rounding. */
static rg_stage_distance judge_end(rg_integrator *g, int k, double rate)
{
    const rg_radau *r = rg_radau_of(g);
    const bool is_longer = fabs(r->h) > RG_RADAU_LONGER_STEP * fabs(r->h_accepted);
    const bool is_second = g->first_part > 0.0 && r->highest < 2;
    const rg_stage_bounds bounds = {.rate = is_longer ? 1.0 : rate,
                                    .allowed = RG_RADAU_LEFT * g->options.rtol / r->rtol,
                                    .slowest = RG_RADAU_SLOWEST,
                                    .part = is_second ? RG_RADAU_LEFT_SECOND : 1.0,
                                    .has_own = k > 1};

    if (!r->has_algebraic) return RG_STAGE_NEARER;
    return rg_stage_near(r->blocks, &bounds, r->end, rg_radau_stage(r, r->Z, r->table->s - 1),
                         r->weight, r->end_update);
}

/* ... where there are updates to come: what it needs of this one. */
static void note_end(rg_integrator *g)
{
    const rg_radau *r = rg_radau_of(g);

    if (r->has_algebraic && !r->is_fixed)
        rg_stage_change(r->blocks, r->end, rg_radau_stage(r, r->Z, r->table->s - 1), r->end_update);
}

rg_status rg_radau_newton(rg_integrator *g, double *h_factor)
{
    rg_radau *r = rg_radau_of(g);
    double previous = INFINITY, previous_rate = 0.0, best = INFINITY;
    int idle = 0;
    bool has_last = false; /* F_s is there */
    bool is_good = false;  /* near enough */
    bool is_proof = false; /* ... at once, so it seems */

    r->convergence = first_convergence(r);
    r->theta = 0.0;
    r->is_at_rounding = false;
    for (int k = 1; k <= r->max_newton; k++) {
        rg_status status = has_last ? evaluate(g, 0, r->table->s - 1)
                           : k == 1 ? rg_radau_begin_newton(g)
                                    : rg_radau_residuals(g);
        if (status == (rg_status)RG_RETRY) return fail(r, RADAU_VALUES);
        if (status != RG_OK) return status;
        keep_end(g);
        const double size = rg_radau_update(g);
        if (!isfinite(size)) return fail(r, RADAU_NEWTON);
        r->iterations = k;
        if (r->is_fixed && has_settled(size, &best, &idle)) return RG_OK;
        if (k > 1 && !r->is_fixed) {
            const double rate = size / previous;
            r->h_measured = r->h;
            r->theta = k == 2 ? rate : sqrt(rate * previous_rate);
            previous_rate = rate;
            r->convergence = r->theta < 1.0 ? r->theta / (1.0 - r->theta) : INFINITY;
            if (k > RG_RADAU_FIRST_RATES
                && (r->theta >= 1.0 || is_hopeless(r, k, size, h_factor))) {
                if (is_good) return RG_OK;
                status = end_at_rounding(g, k, size);
                r->is_at_rounding = status == RG_OK;
                if (status == RG_OK) return RG_OK;
                if (status < 0) return fail(r, RADAU_NEWTON);
            }
        }
        previous = fmax(size, DBL_EPSILON);
        has_last = false;
        const double least = k > 1 && r->highest > 2 ? 0.0 : least_rate(r);
        const bool is_open = k == 1 && is_unproven(r);
        const bool is_far = r->is_fixed || r->convergence * size > r->newton_tol;
        if (is_far || is_open) {
            is_proof = !is_far;
            note_end(g);
            continue;
        }
        const rg_stage_distance end = judge_end(g, k, fmax(least, r->convergence));
        const bool is_small = least * size <= r->newton_tol;
        if (is_small && (k == r->max_newton || end == RG_STAGE_NEARER)) {
            if (is_proof) r->iterations = 1;
            return RG_OK;
        }
        is_good = is_good || (is_small && end == RG_STAGE_NEAR);
        /* old factors say little about what is left of several solutions */
        if (!r->looks_at_end || g->branch != NULL) continue;
        double left;
        status = last_correction(g, &left);
        if (status == (rg_status)RG_RETRY) return fail(r, RADAU_VALUES);
        if (status != RG_OK) return status;
        if (left <= r->newton_tol) return RG_OK;
        has_last = true;
    }
    return fail(r, RADAU_NEWTON);
}
