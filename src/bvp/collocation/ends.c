/* Values at both ends that are small beside the largest ones: y'(0) of Troesch's problem is 1e-12
 * of y'(1).
 *
 * Where atol is given, it and rtol hold for the states at both ends without regard to how large
 * they are elsewhere.  Without it an error is judged beside the size of the unknown, and such a
 * value may have no digit.  Most of them are zeros, of which none has: those that a state crosses
 * it leaves with a slope of about its size over the interval.  A value that was small for a part of
 * the interval grows with the solution from there on: once a solution is accepted, its relative
 * error is to keep to the tolerance as well.  For that an error counts everywhere beside what its
 * state is around there, and the mesh follows the growth.  Where that is not reached with so many
 * intervals, the accepted solution is the answer, and its small value is told. */
#include "bvp/collocation/modes.h"
#include "bvp/collocation/run.h"
#include "bvp/collocation/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Ends are numbered 0 .. 2 nx - 1: the states at the start, then those at the end. */
static int64_t place_of(const rg_curve *it, int k)
{
    return k < it->nx ? k : it->N * it->nx + k - it->nx;
}

static double size_of(const rg_curve *it, int k)
{
    double size = 0.0;

    for (int64_t i = 0; i <= it->N; i++)
        size = fmax(size, fabs(it->x[i * it->nx + k % it->nx]));
    return size;
}

/* The largest state at the same end, of its size: zeros are rounding of it. */
static double part_at_end(const rg_curve *it, int k)
{
    const int first = k < it->nx ? 0 : it->nx;
    double most = 0.0;

    for (int j = first; j < first + it->nx; j++)
        most = fmax(most, fabs(it->x[place_of(it, j)]) / fmax(size_of(it, j), DBL_MIN));
    return most;
}

/* Is it small for RG_ENDS_PART of the interval?  x, w: room. */
static bool stays_small(const rg_bvp_run *r, const rg_curve *it, int k, double *x, double *w)
{
    const double part = k < it->nx ? RG_ENDS_PART : 1.0 - RG_ENDS_PART, size = size_of(it, k);
    const double t = it->t[0] + part * (it->t[it->N] - it->t[0]);
    const double small = sqrt(r->control->rtol) * size, value = fabs(it->x[place_of(it, k)]);

    if (value <= RG_COLLOCATION_ZERO * part_at_end(it, k) * size || value > small) return false;
    rg_curve_eval(it, rg_curve_find(it, t), t, x, NULL, w);
    return fabs(x[k % it->nx]) <= small;
}

/* The largest error of a value at an end, in units of its tolerance. */
static rg_status find_worst(const rg_bvp_run *r, const rg_curve *low, const rg_curve *high,
                            double *worst)
{
    const rg_collocation_control *c = r->control;
    const bool is_given = c->atol > 0.0;
    double *x = rg_alloc(r->f->ctx, (size_t)(high->nx + high->n) + 1, sizeof *x);

    *worst = 0.0;
    if (x == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < 2 * high->nx; k++) {
        const int64_t at = place_of(high, k);
        const double e = fabs(high->x[at] - low->x[at]) / (c->atol + c->rtol * fabs(high->x[at]));
        if (e > *worst && (is_given || stays_small(r, high, k, x, x + high->nx))) *worst = e;
    }
    rg_free(r->f->ctx, x);
    return RG_OK;
}

/* Such an error comes from all over the interval. */
static void raise_errors(rg_bvp_run *r, double at_ends)
{
    double worst = 0.0;

    for (int64_t i = 0; i < r->N; i++)
        worst = fmax(worst, r->error[i]);
    for (int64_t i = 0; i < r->N && at_ends > worst && worst > 0.0; i++)
        r->error[i] *= at_ends / worst;
}

/* ---- errors beside what a state is around there ---------------------------------------------- */
static int part_of(const rg_curve *it, double t)
{
    const int parts = (int)(1.0 / RG_ENDS_PART),
              k = (int)(parts * (t - it->t[0]) / (it->t[it->N] - it->t[0]));

    return k < 0 ? 0 : k < parts ? k : parts - 1;
}

/* size[p]: the largest |x_k| in part p of the interval and in its neighbours. */
static void find_parts(const rg_curve *it, int k, double *own, double *size)
{
    const int parts = (int)(1.0 / RG_ENDS_PART);

    memset(own, 0, (size_t)parts * sizeof *own);
    for (int64_t i = 0; i <= it->N; i++) {
        const int p = part_of(it, it->t[i]), before = i > 0 ? part_of(it, it->t[i - 1]) : p;
        const double x = fabs(it->x[i * it->nx + k]);
        for (int q = before + (before < p); q <= p; q++)
            own[q] = fmax(own[q], x);
    }
    for (int p = 0; p < parts; p++)
        size[p] = fmax(own[p], fmax(own[p > 0 ? p - 1 : p], own[p + 1 < parts ? p + 1 : p]));
}

/* The error of state k in every interval counts beside size[]. */
static void count_locally(rg_bvp_run *r, const rg_curve *low, const rg_curve *high, int k,
                          const double *size, double *x)
{
    const int samples = low->rule.s + 1, nx = low->nx;

    for (int64_t i = 0; i < low->N; i++)
        for (int q = 0; q <= samples; q++) {
            const double t = low->t[i] + (low->t[i + 1] - low->t[i]) * q / samples;
            rg_curve_eval(low, i, t, x, NULL, x + 2 * nx);
            rg_curve_eval(high, i, t, x + nx, NULL, x + 2 * nx);
            const double e =
                fabs(x[k] - x[nx + k]) / (r->control->rtol * size[part_of(low, t)] + DBL_MIN);
            if (!(e <= r->error[i])) r->error[i] = e;
        }
}

/* Of the unknowns, derivatives included, that are small at an end. */
static rg_status raise_locally(rg_bvp_run *r, const rg_curve *low, const rg_curve *high)
{
    const rg_bvp_form *f = r->f;
    const size_t parts = (size_t)(1.0 / RG_ENDS_PART);
    double *x = rg_alloc(f->ctx, (size_t)(2 * low->nx + low->n) + 2 * parts + 1, sizeof *x);

    if (x == NULL) return RG_ERR_MEMORY;
    double *own = x + 2 * low->nx + low->n, *size = own + parts;
    for (int j = 0; j < f->n; j++) {
        bool counts = false;
        for (int k = 0; k < 2 * f->nx; k++)
            counts |= f->unknown[k % f->nx] == j && stays_small(r, high, k, x, x + 2 * low->nx);
        for (int k = 0; k < f->nx && counts; k++) {
            if (f->unknown[k] != j) continue;
            find_parts(high, k, own, size);
            count_locally(r, low, high, k, size, x);
        }
    }
    rg_free(f->ctx, x);
    return RG_OK;
}

/* Modes that rise or fall by more than exp(RG_ENDS_GROWTH) all the way leave nothing to look
 * for. */
static rg_status grows_too_much(const rg_bvp_run *r, bool *does)
{
    const rg_curve *it = r->now;
    const int j = it->rule.s / 2;
    double total = 0.0, *X = rg_alloc(r->f->ctx, (size_t)r->f->nx + 1, sizeof *X);
    rg_modes m;
    rg_status status = rg_modes_init(r->f, &m);

    if (X == NULL) status = RG_ERR_MEMORY;
    for (int64_t i = 0; i < it->N && status == RG_OK; i++) {
        const double h = it->t[i + 1] - it->t[i];
        double rate = 0.0;
        rg_curve_stage(it, i, j, X);
        status = rg_modes_at(&m, it->t[i] + it->rule.c[j] * h, X, rg_curve_w(it, i, j));
        for (int k = 0; k < r->f->nx && status == RG_OK; k++)
            rate = fmax(rate, fabs(m.re[k]));
        total += rate * fabs(h);
    }
    rg_modes_clear(&m);
    rg_free(r->f->ctx, X);
    *does = status != RG_OK || total > RG_ENDS_GROWTH;
    return status < 0 ? status : RG_OK;
}

/* The worst of the values with few digits that are printed.  What is rounding of a zero is not. */
static void note_small(rg_bvp_run *r, const rg_curve *low, const rg_curve *high)
{
    double most = RG_COLLOCATION_FEW_DIGITS;

    r->result->small = -1;
    for (int k = 0; k < 2 * high->nx && !(r->control->atol > 0.0); k++) {
        const int64_t at = place_of(high, k);
        const double value = fabs(low->x[at]), error = fabs(high->x[at] - low->x[at]);
        if (error <= most * value) continue;
        if (value <= RG_COLLOCATION_ZERO * part_at_end(low, k) * size_of(low, k)) continue;
        most = error / value;
        r->result->small = k;
        r->result->small_error = error;
    }
}

rg_status rg_run_judge_ends(rg_bvp_run *r, const rg_curve *low, const rg_curve *high)
{
    RG_TRY(find_worst(r, low, high, &r->ends.error));
    if (r->ends.is_on) RG_TRY(raise_locally(r, low, high));
    if (r->control->atol > 0.0 || r->ends.is_on) raise_errors(r, r->ends.error);
    note_small(r, low, high);
    return RG_OK;
}

static bool wants_ends(const rg_bvp_run *r)
{
    const rg_collocation_control *c = r->control;

    return !r->ends.is_on && r->ends.error > 1.0 && !(c->atol > 0.0) && !c->is_rough
           && !(c->step > 0.0) && !r->result->is_unresolved && !r->f->is_unchecked;
}

/* rg_run_note() replaces the best one by one that is better at the ends, too. */
static void keep(rg_bvp_run *r)
{
    r->ends.is_on = true;
    r->ends.accepted = *r->result;
    r->result->second = NULL; /* the kept one has it */
    r->ends.most = (int64_t)(RG_ENDS_INTERVALS * (double)r->N);
    if (r->best != r->now) rg_curve_destroy(&r->best);
    r->best = r->now;
    r->best_error = r->result->error;
    r->best_t = r->worst_t;
    r->n_floor = r->n_stuck = 0;
    r->ends.before = INFINITY;
    r->is_graded = false; /* the mesh is good, and is not given up */
    memset(&r->plan, 0, sizeof r->plan);
}

rg_status rg_run_look_at_ends(rg_bvp_run *r)
{
    bool is_zero;

    if (!wants_ends(r)) return RG_OK;
    RG_TRY(grows_too_much(r, &is_zero));
    if (is_zero) return RG_OK;
    rg_log(r->f->ctx, 2, "collocation: a small value at an end has an error of %.3g tolerances",
           r->ends.error);
    keep(r);
    const rg_status status = rg_run_halve(r);
    if (status == RG_OK) return RG_RETRY;
    if (status > 0) rg_run_leave_ends(r);
    return status < 0 ? status : RG_OK;
}

bool rg_run_gives_up_ends(rg_bvp_run *r, double worst)
{
    if (!r->ends.is_on) return false;
    r->ends.n_stuck = worst < r->ends.before / RG_STOP_FALLS ? 0 : r->ends.n_stuck + 1;
    r->ends.before = fmin(r->ends.before, worst);
    return r->N > r->ends.most || r->ends.n_stuck >= RG_STOP_STUCK;
}

void rg_run_leave_ends(rg_bvp_run *r)
{
    const rg_stats work = r->result->stats;

    rg_run_settle(r, false);
    rg_curve_destroy(&r->result->second);
    *r->result = r->ends.accepted;
    r->ends.accepted.second = NULL;
    r->result->stats.evaluations = work.evaluations;
    r->result->stats.jacobians = work.jacobians;
    r->result->stats.factorizations = work.factorizations;
}
