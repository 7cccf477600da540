/* The search for start values: stages, then restarts from disturbed points. */
#include "newton/search.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

/* Sizes of the disturbances of the restarts.  A guess where the Jacobian is singular (x = y = 0
 * for x y = 1) or where a function is not defined (log(0)) is left this way; small ones first,
 * to stay near a good guess. */
static const double disturbances[] = {1e-3, 0.1, 1, -1, 10};
static const double SNAP = 1e-9;       /* relative change of a guess that is none */
static const double SAME_PLACE = 1e-3; /* relative difference of two misses */
enum { N_DISTURBANCES = sizeof disturbances / sizeof *disturbances };

typedef struct {
    double *start, *best; /* n_columns */
    double miss;          /* at best; infinity: none yet */
    double last;          /* at the end of the last stage */
    bool has_ended;       /* the last stage ended by itself: a solution or least squares */
} attempt;

static void disturb(rg_start_system *s, const double *start, double size)
{
    for (int64_t j = 0; j < s->n_columns; j++) {
        const double r = 0.5 + 0.5 * rg_random(0, (uint64_t)j);
        s->z[j] = start[j];
        if (s->role[j] != RG_START_KEPT) s->z[j] += size * r * fmax(fabs(start[j]), s->scale[j]);
    }
}

/* Runs one stage from s->z, keeps the best point, and says whether it is a solution. */
static rg_status run_stage(rg_start_system *s, rg_iteration *it, attempt *a,
                           rg_status (*stage)(rg_iteration *it))
{
    rg_status status = stage(it);

    a->last = INFINITY;
    a->has_ended = status == RG_OK;
    if (status < 0) return status;
    if ((status = rg_start_linearize(s)) != RG_OK) return status;
    const double miss = a->last = rg_start_miss(s, NULL);
    rg_log(s->ctx, 2, "start values: miss %.3g", miss);
    if (miss < a->miss) {
        a->miss = miss;
        memcpy(a->best, s->z, (size_t)s->n_columns * sizeof *s->z);
    }
    return miss <= RG_REPAIR_LIMIT ? RG_OK : (rg_status)RG_RETRY;
}

/* Restarts from disturbed points.  One that ends where others ended before is not followed further;
 * large systems give up then: these are contradictions. */
static rg_status run_restarts(rg_start_system *s, rg_iteration *it, attempt *a)
{
    rg_status status = (rg_status)RG_RETRY;

    for (int k = 0; k < N_DISTURBANCES && status > 0; k++) {
        const double before = a->miss;
        rg_log(s->ctx, 2, "start values: again from a disturbance of size %g", disturbances[k]);
        disturb(s, a->start, disturbances[k]);
        status = run_stage(s, it, a, rg_newton_damped);
        const bool is_same = fabs(a->last - before) <= SAME_PLACE * before;
        if (status > 0 && is_same && s->n_columns > RG_DENSE_COLUMNS) break;
        if (status > 0 && !is_same) status = run_stage(s, it, a, rg_newton_marquardt);
    }
    return status;
}

static rg_status run_stages(rg_start_system *s, rg_iteration *it, attempt *a)
{
    const size_t bytes = (size_t)s->n_columns * sizeof *s->z;
    rg_status status = run_stage(s, it, a, rg_newton_damped);

    if (status <= 0) return status;
    if (a->has_ended && s->n_columns > RG_DENSE_COLUMNS) return run_restarts(s, it, a);
    memcpy(s->z, a->start, bytes);
    status = run_stage(s, it, a, rg_newton_marquardt);
    if (status <= 0) return status;
    memcpy(s->z, a->start, bytes);
    status = run_stage(s, it, a, rg_newton_homotopy);
    return status > 0 ? run_restarts(s, it, a) : status;
}

/* Large systems: a square choice of rows and columns, at nearly linear cost.  more: the guesses
 * can be improved. */
static rg_status run_basic(rg_start_system *s, attempt *a, bool *more)
{
    rg_iteration *it = NULL;

    RG_TRY(rg_iteration_create(s, true, &it));
    rg_log(s->ctx, 2, "start values: square choice of %lld columns", (long long)s->n_columns);
    const rg_status status = run_stage(s, it, a, rg_newton_damped);
    *more = rg_sparse_step_leaves_guess(it->step->sparse);
    rg_iteration_destroy(&it);
    for (int64_t j = 0; j < s->n_columns && *more; j++)
        if (s->role[j] == RG_START_GUESS && s->z[j] != s->given_value[j]) return status;
    *more = false; /* no guess has moved */
    return status;
}

/* Guesses that are at their given values, up to what the steps can resolve, are set to these and
 * held. */
static void hold_guesses(rg_start_system *s)
{
    for (int64_t j = 0; j < s->n_columns; j++) {
        const double size = fmax(fabs(s->given_value[j]), s->floor);
        if (s->role[j] != RG_START_GUESS) continue;
        if (!(fabs(s->z[j] - s->given_value[j]) <= SNAP * size)) continue;
        s->z[j] = s->given_value[j];
        s->role[j] = RG_START_KEPT;
    }
}

/* From a solution: held guesses, then everything else to rounding.  Where that fails, the
 * solution stays as it was. */
static rg_status finish(rg_start_system *s, double *z)
{
    const size_t bytes = (size_t)s->n_columns * sizeof *z;
    rg_iteration *it = NULL;

    RG_TRY(rg_start_linearize(s));
    const double before = rg_start_miss(s, NULL);
    memcpy(z, s->z, bytes);
    hold_guesses(s);
    rg_status status = rg_iteration_create(s, true, &it);
    if (status == RG_OK) status = rg_newton_damped(it);
    rg_iteration_destroy(&it);
    for (int64_t j = 0; j < s->n_columns; j++)
        if (s->role[j] == RG_START_KEPT && s->given[j] == RG_START_GUESS)
            s->role[j] = RG_START_GUESS;
    if (status < 0) return status;
    if (status == RG_OK) status = rg_start_linearize(s);
    if (status == RG_OK && rg_start_miss(s, NULL) <= fmax(before, RG_MISS_ROUNDING)) return RG_OK;
    memcpy(s->z, z, bytes);
    return rg_start_linearize(s);
}

static rg_status run_search(rg_start_system *s, attempt *a)
{
    rg_iteration *it = NULL;
    rg_status status = (rg_status)RG_RETRY;
    bool more = true;

    if (s->n_columns > RG_DENSE_COLUMNS) {
        status = run_basic(s, a, &more);
        if (status < 0 || (status == RG_OK && !more)) return status;
        if (status != RG_OK) memcpy(s->z, a->start, (size_t)s->n_columns * sizeof *s->z);
    }
    RG_TRY(rg_iteration_create(s, false, &it));
    if (status != RG_OK) status = run_stages(s, it, a);
    if (status == RG_OK) status = rg_newton_least_change(it);
    rg_iteration_destroy(&it);
    return status == RG_OK ? finish(s, a->start) : status;
}

rg_status rg_search(rg_start_system *s, double *miss)
{
    const size_t n = (size_t)s->n_columns;
    attempt a = {.start = rg_alloc(s->ctx, n, sizeof(double)),
                 .best = rg_alloc(s->ctx, n, sizeof(double)),
                 .miss = INFINITY};
    rg_status status = RG_ERR_MEMORY;

    if (a.start != NULL && a.best != NULL) {
        memcpy(a.start, s->z, n * sizeof(double));
        memcpy(a.best, s->z, n * sizeof(double));
        status = run_search(s, &a);
        if (status == (rg_status)RG_RETRY) memcpy(s->z, a.best, n * sizeof(double));
    }
    *miss = a.miss;
    rg_free(s->ctx, a.start);
    rg_free(s->ctx, a.best);
    return status;
}
