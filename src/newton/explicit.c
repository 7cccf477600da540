/* Another start for a search: values without data from the equations that give them, one after the
 * other.
 *
 *     row i with a single column j that is not known yet:  solve F_i(.., z_j, ..) = 0 for z_j
 *
 * as in h = 10^a, k = 1/h from a guess of a, where 0 would be no start for h.  All such rows are
 * solved at once, each by its own Newton iteration, z_j <- z_j - F_i / J_ij, then j is known.
 * Where there are none, guesses are taken for known: of states and highest derivatives from the
 * beginning, then the others; then the column with the most rows is known where it stands.  Of
 * several rows one with a highest derivative that is known comes first: x' = y beside y^2 = x.
 * Rows that hold nothing unknown in the end may be violated: these are left to the search. */
#include "newton/search.h"
#include "newton/tuning.h"

#include <math.h>

typedef struct {
    rg_start_system *s;
    bool has_guesses;
    uint8_t *is_known;             /* per column                                      */
    uint8_t *has_high;             /* per row: has a highest derivative that is given */
    int32_t *count;                /* per row: columns that are not known, ...        */
    int64_t *sum;                  /* ... and the sum of their indices                */
    int64_t n_targets;             /* rows solved now, and the columns they give      */
    int32_t *row, *column;         /*   n_rows entries                                */
    double *before, *first, *last; /*   values at the beginning; |F_i| there, and now */
} explicit_start;

static void know(explicit_start *e, int64_t j)
{
    const rg_pattern *pattern = e->s->pattern;

    e->is_known[j] = 1;
    for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
        e->count[pattern->row[k]]--;
        e->sum[pattern->row[k]] -= j;
    }
}

static bool is_data(const explicit_start *e, int64_t j, int place)
{
    const rg_start_system *s = e->s;

    if (s->role[j] == RG_START_KEPT || e->is_known[j]) return false;
    return s->given[j] == RG_START_GUESS && s->place[j] == place;
}

static void count_unknown(explicit_start *e)
{
    const rg_start_system *s = e->s;

    for (int64_t j = 0; j < s->n_columns; j++) {
        for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++) {
            e->count[s->pattern->row[k]]++;
            e->sum[s->pattern->row[k]] += j;
        }
    }
    for (int64_t j = 0; j < s->n_columns; j++) {
        const bool is_high = s->place[j] == RG_PLACE_HIGH && s->given[j] != RG_START_NONE
                             && (s->role[j] == RG_START_KEPT || e->has_guesses);
        if (s->role[j] == RG_START_KEPT || is_high || is_data(e, j, RG_PLACE_STATE)) know(e, j);
        for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1] && is_high; k++)
            e->has_high[s->pattern->row[k]] = 1;
    }
}

/* Rows with one unknown column: one row for each of these. */
static void list_targets(explicit_start *e)
{
    e->n_targets = 0;
    for (int64_t k = 0; k < 2 * e->s->n_rows; k++) {
        const int64_t i = k < e->s->n_rows ? k : k - e->s->n_rows;
        if (k < e->s->n_rows && !e->has_high[i]) continue;
        if (e->count[i] != 1 || e->is_known[e->sum[i]]) continue;
        e->row[e->n_targets] = (int32_t)i;
        e->column[e->n_targets++] = (int32_t)e->sum[i];
        e->is_known[e->sum[i]] = 1;
    }
    for (int64_t k = 0; k < e->n_targets; k++) {
        e->is_known[e->column[k]] = 0;
        e->before[k] = e->s->z[e->column[k]];
    }
}

static double slope(const rg_start_system *s, int64_t i, int64_t j)
{
    double sum = 0;

    for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++)
        if (s->pattern->row[k] == i) sum += s->J[k];
    return sum;
}

/* One Newton step of every target; false: nothing moves any more. */
static bool step(explicit_start *e, bool is_first)
{
    rg_start_system *s = e->s;
    bool is_any = false;

    for (int64_t k = 0; k < e->n_targets; k++) {
        const double F = s->F[e->row[k]], d = -F / slope(s, e->row[k], e->column[k]);
        double *z = &s->z[e->column[k]];
        e->last[k] = fabs(F);
        if (is_first) e->first[k] = fabs(F);
        if (F == 0 || !isfinite(d)) continue;
        is_any = is_any || fabs(d) > RG_EXPLICIT_STEP_TOL * fabs(*z);
        *z += d;
    }
    return is_any;
}

/* The targets of now; their columns are known then.  What has found no solution stays as it was. */
static rg_status solve_targets(explicit_start *e)
{
    rg_start_system *s = e->s;
    bool is_moving = true;

    for (int k = 0; k < RG_EXPLICIT_STEPS && is_moving; k++) {
        RG_TRY(rg_start_poll(s));
        const rg_status status = rg_assembly_jacobian(s->assembly, s->work, s->t, s->z, s->F, s->J);
        if (status < 0) return status; /* > 0: some row is not finite, perhaps another one */
        is_moving = step(e, k == 0);
    }
    for (int64_t k = 0; k < e->n_targets; k++) {
        const bool is_better = !isfinite(e->first[k]) || e->last[k] <= e->first[k];
        if (!is_better || !isfinite(e->last[k]) || !isfinite(s->z[e->column[k]]))
            s->z[e->column[k]] = e->before[k];
        know(e, e->column[k]);
    }
    return RG_OK;
}

/* Nothing follows from what is known: takes the next guesses for known, or one column where it
 * stands; false: all are known, or the system is too large for one after the other. */
static bool take_next(explicit_start *e)
{
    const rg_start_system *s = e->s;
    int64_t best = -1, most = -1;
    bool is_any = false;

    for (int64_t j = 0; j < s->n_columns && e->has_guesses; j++) {
        if (!is_data(e, j, RG_PLACE_ALGEBRAIC)) continue;
        know(e, j);
        is_any = true;
    }
    if (is_any) return true;
    for (int64_t j = 0; j < s->n_columns; j++) {
        const int64_t n = s->pattern->start[j + 1] - s->pattern->start[j];
        if (e->is_known[j] || n <= most) continue;
        most = n;
        best = j;
    }
    if (best < 0 || s->n_columns > RG_DENSE_COLUMNS) return false;
    know(e, best);
    return true;
}

static rg_status run(explicit_start *e)
{
    const int64_t most = e->s->n_columns > RG_DENSE_COLUMNS ? RG_EXPLICIT_LEVELS_LARGE : INT64_MAX;

    count_unknown(e);
    for (int64_t k = 0; k < most; k++) {
        list_targets(e);
        if (e->n_targets > 0)
            RG_TRY(solve_targets(e));
        else if (!take_next(e))
            break;
    }
    return RG_OK;
}

/* What is neither kept nor a guess in use begins at this part of its scale. */
static void spread(const explicit_start *e, double part)
{
    rg_start_system *s = e->s;

    for (int64_t j = 0; j < s->n_columns; j++) {
        const bool is_guess = s->given[j] == RG_START_GUESS;
        if (s->role[j] == RG_START_KEPT) continue;
        if (is_guess && (e->has_guesses || s->place[j] == RG_PLACE_STATE))
            s->z[j] = s->given_value[j];
        else if (part != 0)
            s->z[j] = part * s->scale[j];
    }
}

rg_status rg_start_explicit(rg_start_system *s, bool has_guesses, double part)
{
    const size_t n = (size_t)s->n_columns, m = (size_t)s->n_rows;
    explicit_start e = {.s = s,
                        .has_guesses = has_guesses,
                        .is_known = rg_alloc(s->ctx, n + 1, sizeof *e.is_known),
                        .has_high = rg_alloc(s->ctx, m + 1, sizeof *e.has_high),
                        .count = rg_alloc(s->ctx, m + 1, sizeof *e.count),
                        .sum = rg_alloc(s->ctx, m + 1, sizeof *e.sum),
                        .row = rg_alloc(s->ctx, m + 1, sizeof *e.row),
                        .column = rg_alloc(s->ctx, m + 1, sizeof *e.column),
                        .before = rg_alloc(s->ctx, 3 * m + 1, sizeof *e.before)};
    rg_status status = RG_ERR_MEMORY;

    if (e.is_known != NULL && e.has_high != NULL && e.count != NULL && e.sum != NULL
        && e.row != NULL && e.column != NULL && e.before != NULL) {
        e.first = e.before + m;
        e.last = e.first + m;
        spread(&e, part);
        status = run(&e);
    }
    void *const owned[] = {e.is_known, e.has_high, e.count, e.sum, e.row, e.column, e.before};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(s->ctx, owned[k]);
    return status;
}
