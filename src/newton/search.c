/* The search for start values: stages, then restarts from disturbed points; guesses of states are
 * held first, and released where they contradict each other. */
#include "newton/search.h"

#include "base/random.h"
#include "newton/choose.h"
#include "newton/tuning.h"
#include "problem/assembly.h"

#include <math.h>
#include <string.h>

/* Sizes of the disturbances of the restarts.  A guess where the Jacobian is singular (x = y = 0
 * for x y = 1) or where a function is not defined (log(0)) is left this way; small ones first,
 * to stay near a good guess. */
static const double disturbances[] = {1e-3, 0.1, 1, -1, 10};
enum { N_DISTURBANCES = sizeof disturbances / sizeof *disturbances };

#define PLACE(place) (1u << (place))
#define ALL_PLACES   (PLACE(RG_PLACE_STATE) | PLACE(RG_PLACE_HIGH) | PLACE(RG_PLACE_ALGEBRAIC))

typedef struct {
    double *start, *best; /* n_columns */
    double *first;        /* the guesses, before anything moved */
    uint8_t *role;        /* work */
    double miss;          /* at best; infinity: none yet */
    double last;          /* at the end of the last stage */
    bool has_ended;       /* the last stage ended by itself: a solution or least squares */
    bool is_last;         /* data are refused if this search finds nothing */
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

static bool is_same_miss(double miss, double other)
{
    return fabs(miss - other) <= RG_SEARCH_SAME_PLACE * other;
}

/* One that ends where the best or the last one ended before is not followed further. */
static rg_status run_again(rg_start_system *s, rg_iteration *it, attempt *a, bool *is_same)
{
    const double best = a->miss, last = a->last;
    const rg_status status = run_stage(s, it, a, rg_newton_damped);

    *is_same = is_same_miss(a->last, best) || is_same_miss(a->last, last);
    return status > 0 && !*is_same ? run_stage(s, it, a, rg_newton_marquardt) : status;
}

/* Starts where data and guesses give the other values as far as they can; then without the guesses
 * of unknowns that are no states, for data have to do without these. */
static rg_status run_explicit(rg_start_system *s, rg_iteration *it, attempt *a)
{
    static const double parts[] = {0, 1, -1, 1e-3, -1e-3, 1e-6, -1e-6, 1e3, -1e3};
    enum { N_PARTS = sizeof parts / sizeof *parts, N_LARGE = 3 };
    const int n = s->n_columns > RG_DENSE_COLUMNS ? N_LARGE : N_PARTS;
    rg_status status = (rg_status)RG_RETRY;
    bool is_same;

    if (s->p->residual != NULL || s->p->rhs != NULL) return status;
    for (int k = 0; k < n && status > 0; k++) {
        rg_log(s->ctx, 2, "start values: again from explicit equations, %g", parts[k]);
        memcpy(s->z, a->start, (size_t)s->n_columns * sizeof *s->z);
        RG_TRY(rg_start_explicit(s, k == 0, parts[k]));
        status = run_again(s, it, a, &is_same);
    }
    return status;
}

/* Restarts from disturbed points.  Large systems give up where others ended before: these are
 * contradictions. */
static rg_status run_restarts(rg_start_system *s, rg_iteration *it, attempt *a)
{
    rg_status status = (rg_status)RG_RETRY;
    bool is_same;

    for (int k = 0; k < N_DISTURBANCES && status > 0; k++) {
        rg_log(s->ctx, 2, "start values: again from a disturbance of size %g", disturbances[k]);
        disturb(s, a->start, disturbances[k]);
        status = run_again(s, it, a, &is_same);
        if (status > 0 && is_same && s->n_columns > RG_DENSE_COLUMNS) break;
    }
    return status;
}

/* Linear equations have the same least squares from wherever the iteration begins. */
static rg_status run_stages(rg_start_system *s, rg_iteration *it, attempt *a)
{
    const size_t bytes = (size_t)s->n_columns * sizeof *s->z;
    rg_status status = run_stage(s, it, a, rg_newton_damped);

    if (status <= 0) return status;
    if (a->has_ended && rg_assembly_is_linear(s->assembly)) {
        memcpy(s->z, a->start, bytes);
        return run_stage(s, it, a, rg_newton_marquardt);
    }
    if (!a->has_ended || s->n_columns <= RG_DENSE_COLUMNS) {
        memcpy(s->z, a->start, bytes);
        status = run_stage(s, it, a, rg_newton_marquardt);
        if (status <= 0) return status;
        memcpy(s->z, a->start, bytes);
        status = run_stage(s, it, a, rg_newton_homotopy);
    }
    if (status > 0) status = run_restarts(s, it, a);
    return status > 0 && a->is_last ? run_explicit(s, it, a) : status;
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
        const double size = fmax(fabs(s->given_value[j]), s->floors[j]);
        if (s->role[j] != RG_START_GUESS) continue;
        if (!(fabs(s->z[j] - s->given_value[j]) <= RG_SAME * size)) continue;
        s->z[j] = s->given_value[j];
        s->role[j] = RG_START_KEPT;
    }
}

/* From a solution: held guesses, then everything else to rounding.  Where that fails, the
 * solution stays as it was. */
static rg_status finish(rg_start_system *s, double *z, uint8_t *role)
{
    const size_t n = (size_t)s->n_columns;
    rg_iteration *it = NULL;

    RG_TRY(rg_start_linearize(s));
    const double before = rg_start_miss(s, NULL);
    memcpy(z, s->z, n * sizeof *z);
    memcpy(role, s->role, n);
    hold_guesses(s);
    rg_status status = rg_iteration_create(s, true, &it);
    if (status == RG_OK) status = rg_newton_damped(it);
    rg_iteration_destroy(&it);
    memcpy(s->role, role, n);
    if (status < 0) return status;
    if (status == RG_OK) status = rg_start_linearize(s);
    if (status < 0) return status;
    if (status == RG_OK && rg_start_miss(s, NULL) <= fmax(before, RG_MISS_ROUNDING)) return RG_OK;
    memcpy(s->z, z, n * sizeof *z);
    return rg_start_linearize(s);
}

/* With the roles as they are, from s->z.  brief: only the first stage. */
static rg_status run_search(rg_start_system *s, attempt *a, bool brief)
{
    const size_t bytes = (size_t)s->n_columns * sizeof *s->z;
    rg_iteration *it = NULL;
    rg_status status = (rg_status)RG_RETRY;
    bool more = true;

    a->miss = INFINITY;
    memcpy(a->start, s->z, bytes);
    memcpy(a->best, s->z, bytes);
    if (s->n_columns > RG_DENSE_COLUMNS) {
        status = run_basic(s, a, &more);
        if (status < 0 || (status == RG_OK && !more) || (status > 0 && brief)) return status;
        if (status != RG_OK) memcpy(s->z, a->start, bytes);
    }
    RG_TRY(rg_iteration_create(s, false, &it));
    if (status != RG_OK)
        status = brief ? run_stage(s, it, a, rg_newton_damped) : run_stages(s, it, a);
    if (status == RG_OK) status = rg_newton_least_change(it);
    rg_iteration_destroy(&it);
    return status == RG_OK ? finish(s, a->best, a->role) : status;
}

/* Gives the guesses at these places a role; returns their number. */
static int64_t set_role(rg_start_system *s, unsigned places, uint8_t role)
{
    int64_t count = 0;

    for (int64_t j = 0; j < s->n_columns; j++) {
        if (s->given[j] != RG_START_GUESS || (places & PLACE(s->place[j])) == 0) continue;
        s->role[j] = role;
        count++;
    }
    return count;
}

/* Makes guesses of the states with an entry in a marked row; the others stay held. */
static int64_t release(rg_start_system *s, const uint8_t *is_over)
{
    int64_t count = 0;

    for (int64_t j = 0; j < s->n_columns; j++) {
        if (s->given[j] != RG_START_GUESS || s->place[j] != RG_PLACE_STATE) continue;
        for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++)
            if (is_over[s->pattern->row[k]]) s->role[j] = RG_START_GUESS;
        count += s->role[j] == RG_START_GUESS;
    }
    return count;
}

/* The equation that the states contradict, to be told.  RG_RETRY: done. */
static rg_status name_conflict(rg_start_system *s)
{
    double miss;
    int64_t row;

    RG_TRY(rg_start_violated(s, RG_REPAIR_LIMIT, &row, &miss));
    if (row >= 0) s->conflict = row;
    return (rg_status)RG_RETRY;
}

/* States at their guesses.  RG_RETRY: these contradict each other in the rows marked, s->conflict
 * is one of them; or no solution was found. */
static rg_status hold_states(rg_start_system *s, attempt *a, uint8_t *is_over)
{
    const size_t bytes = (size_t)s->n_columns * sizeof *s->z;
    bool is_determined;

    for (int64_t j = 0; j < s->n_columns; j++)
        if (s->role[j] == RG_START_KEPT && s->given[j] == RG_START_GUESS)
            s->z[j] = s->given_value[j];
    memcpy(a->first, s->z, bytes);
    rg_status status = run_search(s, a, true);
    if (status <= 0) return status;
    RG_TRY(rg_overdetermined_rows(s, is_over, &is_determined));
    memcpy(s->z, a->best, bytes);
    if (isfinite(a->miss)) {
        RG_TRY(rg_start_linearize(s));
        rg_start_miss(s, &s->conflict);
        if (is_over[s->conflict]) return name_conflict(s);
    }
    memcpy(s->z, a->first, bytes);
    return run_search(s, a, false);
}

static int64_t count_states(const rg_start_system *s)
{
    int64_t n = 0;

    for (int64_t j = 0; j < s->n_columns; j++)
        n += s->given[j] == RG_START_GUESS && s->place[j] == RG_PLACE_STATE;
    return n;
}

/* Least change of the states in the rows marked, then of all; what else was guessed is free. */
static rg_status move_states(rg_start_system *s, attempt *a, const uint8_t *is_over)
{
    const size_t bytes = (size_t)s->n_columns * sizeof *s->z;
    rg_status status = (rg_status)RG_RETRY;

    rg_log(s->ctx, 2, "start values: guesses of states move");
    set_role(s, PLACE(RG_PLACE_HIGH) | PLACE(RG_PLACE_ALGEBRAIC), RG_START_NONE);
    memcpy(s->z, a->first, bytes);
    const int64_t n_released = release(s, is_over), n = count_states(s);
    a->is_last = n_released == n;
    if (n_released > 0) status = run_search(s, a, false);
    if (status <= 0 || n_released == n) return status;
    set_role(s, PLACE(RG_PLACE_STATE), RG_START_GUESS);
    memcpy(s->z, a->first, bytes);
    a->is_last = true;
    return run_search(s, a, false);
}

/* With the states where they are: highest derivatives, then the other guesses, to their values as
 * far as nothing determines them. */
static rg_status fill_rest(rg_start_system *s, attempt *a, uint8_t *is_over)
{
    const unsigned in_turn[] = {PLACE(RG_PLACE_HIGH), PLACE(RG_PLACE_ALGEBRAIC)};
    bool is_determined;

    set_role(s, PLACE(RG_PLACE_STATE), RG_START_KEPT);
    for (int k = 0; k < 2; k++) {
        RG_TRY(rg_overdetermined_rows(s, is_over, &is_determined));
        if (is_determined) return RG_OK;
        if (set_role(s, in_turn[k], RG_START_GUESS) == 0) continue;
        RG_TRY(run_search(s, a, true));
        set_role(s, in_turn[k], RG_START_KEPT);
    }
    return RG_OK;
}

/* A guess of a highest derivative has moved although guesses behind it could have. */
static bool is_out_of_turn(const rg_start_system *s)
{
    bool has_moved = false, has_others = false;

    for (int64_t j = 0; j < s->n_columns; j++) {
        if (s->given[j] != RG_START_GUESS) continue;
        has_others = has_others || s->place[j] == RG_PLACE_ALGEBRAIC;
        has_moved = has_moved || (s->place[j] == RG_PLACE_HIGH && s->z[j] != s->given_value[j]);
    }
    return has_moved && has_others;
}

static bool is_guess_at(const rg_start_system *s, int64_t j, int place)
{
    return s->given[j] == RG_START_GUESS && s->place[j] == place && s->given_value[j] != 0.0;
}

/* How far the guesses at this place, but for 0, are from their values, at most, beside these. */
static double distance(const rg_start_system *s, int place)
{
    double most = 0.0;

    for (int64_t j = 0; j < s->n_columns; j++)
        if (is_guess_at(s, j, place))
            most = fmax(most, fabs(s->z[j] - s->given_value[j]) / fabs(s->given_value[j]));
    return most;
}

/* What is to be found again: everything from the guesses of highest derivatives, ... */
static rg_status begin_at(rg_start_system *s, int place)
{
    const bool has_callback = s->p->residual != NULL || s->p->rhs != NULL;

    if (place == RG_PLACE_HIGH && !has_callback) return rg_start_explicit(s, true, 0);
    for (int64_t j = 0; j < s->n_columns; j++) /* ... the guesses alone, with all else as it is */
        if (is_guess_at(s, j, place)) s->z[j] = s->given_value[j];
    return RG_OK;
}

/* A guess chooses among several solutions, but derivatives that begin at 0 may lead the iteration
 * away from it.  Where it has ended far away it is begun again from the guesses: the nearer
 * solution is taken, as long as the guesses of highest derivatives are no farther than before. */
static rg_status try_guesses_again(rg_start_system *s, attempt *a, int place)
{
    const size_t bytes = (size_t)s->n_columns * sizeof *s->z;
    const double before = distance(s, place), high = distance(s, RG_PLACE_HIGH), miss = a->miss;

    if (before <= RG_SEARCH_FAR || s->n_columns > RG_DENSE_COLUMNS) return RG_OK;
    memcpy(a->first, s->z, bytes);
    RG_TRY(begin_at(s, place));
    const rg_status status = run_search(s, a, true);
    if (status < 0) return status;
    if (status == RG_OK && distance(s, place) < RG_SEARCH_NEARER * before
        && distance(s, RG_PLACE_HIGH) <= high * (1 + RG_SAME))
        return RG_OK;
    a->miss = miss;
    memcpy(s->z, a->first, bytes);
    return rg_start_linearize(s);
}

/* Lexicographic least change: states, their highest derivatives, other guesses. */
static rg_status search_in_turn(rg_start_system *s, attempt *a, uint8_t *is_over)
{
    const int64_t n_states = set_role(s, PLACE(RG_PLACE_STATE), RG_START_KEPT);
    a->is_last = n_states == 0;
    rg_status status = n_states > 0 ? hold_states(s, a, is_over) : run_search(s, a, false);

    const bool has_moved = status > 0 && n_states > 0;
    if (has_moved)
        status = move_states(s, a, is_over);
    else
        s->conflict = -1;
    if (status == RG_OK && !has_moved) status = try_guesses_again(s, a, RG_PLACE_HIGH);
    if (status == RG_OK && !has_moved) status = try_guesses_again(s, a, RG_PLACE_ALGEBRAIC);
    if (status == RG_OK && (has_moved || is_out_of_turn(s))) {
        set_role(s, PLACE(RG_PLACE_HIGH) | PLACE(RG_PLACE_ALGEBRAIC), RG_START_NONE);
        status = fill_rest(s, a, is_over);
    }
    return status;
}

rg_status rg_search(rg_start_system *s, double *miss)
{
    const size_t n = (size_t)s->n_columns;
    attempt a = {.start = rg_alloc(s->ctx, n, sizeof(double)),
                 .best = rg_alloc(s->ctx, n, sizeof(double)),
                 .first = rg_alloc(s->ctx, n, sizeof(double)),
                 .role = rg_alloc(s->ctx, n, sizeof *a.role),
                 .miss = INFINITY};
    uint8_t *is_over = rg_alloc(s->ctx, (size_t)s->n_rows, sizeof *is_over);
    rg_status status = RG_ERR_MEMORY;

    if (a.start != NULL && a.best != NULL && a.first != NULL && a.role != NULL && is_over != NULL) {
        status = search_in_turn(s, &a, is_over);
        if (status == (rg_status)RG_RETRY) memcpy(s->z, a.best, n * sizeof(double));
        set_role(s, ALL_PLACES, RG_START_GUESS);
    }
    *miss = a.miss;
    rg_free(s->ctx, a.start);
    rg_free(s->ctx, a.best);
    rg_free(s->ctx, a.first);
    rg_free(s->ctx, a.role);
    rg_free(s->ctx, is_over);
    return status;
}
