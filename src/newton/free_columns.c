/* Degrees of freedom that nothing determines: found, taken as 0, and named. */
#include "base/random.h"
#include "linalg/dense.h"
#include "linalg/orthonormal.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"
#include "newton/choose.h"
#include "newton/search.h"
#include "newton/tuning.h"
#include "structure/magnitudes.h"
#include "structure/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { NAMES_SHOWN = 5 };

/* What is found of a column: it is determined; it is free; it is as good as free, for rounding
 * hides what determines it; a step may have left it out or not. */
enum { BOUND, FREE, HIDDEN, DOUBTED };

int64_t rg_list_columns(const rg_start_system *s, const uint8_t *is_marked, char *buffer, int size)
{
    char name[128];
    int64_t count = 0;
    int used = 0;

    buffer[0] = 0;
    for (int64_t j = 0; j < s->n_columns; j++) {
        if (!is_marked[j] || ++count > NAMES_SHOWN || used >= size) continue;
        rg_start_column_name(s, j, name, sizeof name);
        used +=
            snprintf(buffer + used, (size_t)(size - used), "%s'%s'", count > 1 ? ", " : "", name);
    }
    if (count > NAMES_SHOWN && used < size)
        snprintf(buffer + used, (size_t)(size - used), " and %lld more",
                 (long long)(count - NAMES_SHOWN));
    return count;
}

/* Highest derivatives that are not unique do not matter, nor do multipliers of redundant
 * constraints: least norm. */
static bool needs_data(const rg_start_system *s, int64_t j)
{
    return s->place[j] == RG_PLACE_STATE
           || (s->place[j] == RG_PLACE_ALGEBRAIC && !s->is_degenerate);
}

/* R times column j of J, over a power of 2: rows with tiny units have weights whose squares
 * overflow. */
static void scaled_column(const rg_start_system *s, int64_t j, const double *row_weight, double *a)
{
    double most = 0;
    int exponent;

    for (int64_t i = 0; i < s->n_rows; i++)
        a[i] = 0;
    for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++) {
        a[s->pattern->row[k]] = s->J[k] * row_weight[s->pattern->row[k]];
        most = fmax(most, fabs(a[s->pattern->row[k]]));
    }
    (void)frexp(most, &exponent);
    for (int64_t i = 0; i < s->n_rows && most > 0 && isfinite(most); i++)
        a[i] = ldexp(a[i], -exponent);
}

/* What is left of a column, of size 1, that is not rounding: with exact derivatives what a step
 * solves for (newton/dense_step.c). */
static double least_part(const rg_problem *p)
{
    const bool is_differenced = (p->residual != NULL || p->rhs != NULL) && p->jacobian == NULL;

    return is_differenced ? rg_rank_floor(RG_NOISE_ITERATED) : RG_RANK_PIVOT * RG_NOISE_EXACT;
}

/* The declaration param NAME ~ guess, NULL: column j is another one.  Such a guess is where a
 * search for the value begins, never the value itself. */
static const rg_family *constant_of(const rg_start_system *s, int64_t j)
{
    for (int k = 0; k < s->p->n_families; k++) {
        const rg_family *f = &s->p->families[k];
        if (s->unknown[j] < f->first || s->unknown[j] >= f->first + f->count) continue;
        return s->order[j] == 0 && f->is_constant && !f->is_state ? f : NULL;
    }
    return NULL;
}

static bool is_open(const rg_start_system *s, int64_t j)
{
    return s->role[j] == RG_START_NONE
           || (s->role[j] == RG_START_GUESS && constant_of(s, j) != NULL);
}

static bool has_open_guess(const rg_start_system *s)
{
    bool has_constant = false;

    for (int k = 0; k < s->p->n_families; k++)
        has_constant =
            has_constant || (s->p->families[k].is_constant && !s->p->families[k].is_state);
    for (int64_t j = 0; j < s->n_columns && has_constant; j++)
        if (s->role[j] == RG_START_GUESS && constant_of(s, j) != NULL) return true;
    return false;
}

/* Unknown constants are to be found from what is given, guesses of states included: these are held
 * (KEPT in place of GUESS), or let go again. */
static void hold_states(rg_start_system *s, uint8_t *is_held, bool is_hold)
{
    for (int64_t j = 0; j < s->n_columns; j++) {
        if (is_hold)
            is_held[j] = s->role[j] == RG_START_GUESS && s->place[j] == RG_PLACE_STATE
                         && constant_of(s, j) == NULL;
        if (is_held[j]) s->role[j] = is_hold ? RG_START_KEPT : RG_START_GUESS;
    }
}

/* A: the columns without data, scaled to 1; returns how many.  Not those that are free: what
 * depends on them would seem dependent together with them. */
static int64_t gather_open(const rg_start_system *s, const double *row_weight,
                           const uint8_t *is_free, double *A, int32_t *list)
{
    int64_t n = 0;

    for (int64_t j = 0; j < s->n_columns; j++) {
        if (s->role[j] != RG_START_NONE || is_free[j] == FREE) continue;
        double *a = A + n * s->n_rows, sum = 0.0;
        scaled_column(s, j, row_weight, a);
        for (int64_t i = 0; i < s->n_rows; i++)
            sum += a[i] * a[i];
        for (int64_t i = 0; i < s->n_rows && sum > 0.0; i++)
            a[i] /= sqrt(sum);
        list[n++] = (int32_t)j;
    }
    return n;
}

/* Columns each of which stands out of those before it may be dependent all the same: steps leave
 * out what pivoted factors call rounding, up to the scales of both.  Those that take part in it are
 * doubted. */
static rg_status find_doubted(const rg_start_system *s, int64_t n, const double *A, double tol,
                              const int32_t *list, uint8_t *is_free)
{
    rg_qr *qr = NULL;
    RG_TRY(rg_qr_create(s->ctx, s->n_rows, n, A, tol, &qr));
    const int64_t left = n - rg_qr_rank(qr);
    double *N = rg_alloc(s->ctx, (size_t)(n * left) + 1, sizeof *N);

    if (N != NULL) rg_qr_right_null(qr, N);
    for (int64_t k = 0; N != NULL && k < n * left; k++) {
        const int32_t j = list[k % n];
        if (fabs(N[k]) > RG_FREE_SHARE && is_free[j] == BOUND && needs_data(s, j))
            is_free[j] = DOUBTED;
    }
    rg_qr_destroy(&qr);
    rg_free(s->ctx, N);
    return N != NULL ? RG_OK : RG_ERR_MEMORY;
}

static rg_status mark_doubted(const rg_start_system *s, const double *row_weight, double least,
                              uint8_t *is_free)
{
    const size_t size = (size_t)(s->n_rows * s->n_columns) + 1;
    int32_t *list = rg_alloc(s->ctx, (size_t)s->n_columns + 1, sizeof *list);
    double *A = rg_alloc(s->ctx, size, sizeof *A);
    rg_status status = RG_ERR_MEMORY;

    if (list != NULL && A != NULL) {
        const int64_t n = gather_open(s, row_weight, is_free, A, list);
        status = find_doubted(s, n, A, RG_RANK_PIVOT * least, list, is_free);
    }
    rg_free(s->ctx, list);
    rg_free(s->ctx, A);
    return status;
}

/* Small systems: Gram-Schmidt over the columns without data in the order of rg_start_movable.  Rows
 * are weighted by the equilibration of a step, so that the rank does not depend on units. */
static rg_status mark_dense(rg_start_system *s, rg_iteration *it, bool with_guesses,
                            uint8_t *is_free)
{
    const size_t m = (size_t)s->n_rows;
    int32_t *list = rg_alloc(s->ctx, (size_t)s->n_columns, sizeof *list);
    double *Q = rg_alloc(s->ctx, m * (m + 1), sizeof *Q);
    rg_status status = list != NULL && Q != NULL ? rg_iteration_prepare(it, 0) : RG_ERR_MEMORY;
    const double least = least_part(s->p);
    int64_t rank = 0;

    if (status == RG_OK) {
        const int64_t count = rg_start_movable(s, list);
        for (int64_t k = 0; k < count; k++) {
            const int32_t j = list[k];
            if (s->role[j] != RG_START_NONE && !with_guesses) break; /* guesses come last */
            double *column = Q + (size_t)rank * m;
            scaled_column(s, j, it->step->row_weight, column);
            const double part =
                rank < s->n_rows ? rg_orthogonalize(s->n_rows, rank, Q, column, NULL) : 0.0;
            if (part > least)
                rank++;
            else if (is_open(s, j) && needs_data(s, j))
                is_free[j] = part > DBL_EPSILON ? HIDDEN : FREE;
        }
    }
    if (status == RG_OK) status = mark_doubted(s, it->step->row_weight, least, is_free);
    rg_free(s->ctx, list);
    rg_free(s->ctx, Q);
    return status;
}

/* Large systems: the structure decides. */
static rg_status mark_sparse(rg_start_system *s, uint8_t *is_free)
{
    int32_t *row_of_column = rg_alloc(s->ctx, (size_t)s->n_columns, sizeof *row_of_column);
    int32_t *column_of_row = rg_alloc(s->ctx, (size_t)s->n_rows, sizeof *column_of_row);
    rg_status status = RG_ERR_MEMORY;
    int64_t n_matched;

    if (row_of_column != NULL && column_of_row != NULL)
        status = rg_choose_columns(s, row_of_column, column_of_row, &n_matched);
    for (int64_t j = 0; j < s->n_columns && status == RG_OK; j++) {
        is_free[j] = is_open(s, j) && s->place[j] != RG_PLACE_HIGH && row_of_column[j] < 0;
    }
    rg_free(s->ctx, row_of_column);
    rg_free(s->ctx, column_of_row);
    return status;
}

/* At a point beside the solution: there the rank is the generic one.  Only values without data are
 * moved, so that a value that is undetermined at the given data is found. */
static void disturb(rg_start_system *s)
{
    for (int64_t j = 0; j < s->n_columns; j++) {
        const double unit = rg_magnitude_unit(s->floors[j] / RG_FLOOR_PART);
        const double r = 0.5 + 0.5 * rg_random(1, (uint64_t)j);
        if (s->role[j] == RG_START_NONE)
            s->z[j] += RG_FREE_DISTURBANCE * r * fmax(unit, fabs(s->z[j]));
    }
}

static rg_status mark_columns(rg_start_system *s, bool with_guesses, double *keep, uint8_t *is_free)
{
    const size_t bytes = (size_t)s->n_columns * sizeof *keep;
    rg_iteration *it = NULL;

    if (s->n_columns > RG_DENSE_COLUMNS) return mark_sparse(s, is_free);
    RG_TRY(rg_iteration_create(s, false, &it));
    memcpy(keep, s->z, bytes);
    disturb(s);
    rg_status status = mark_dense(s, it, with_guesses, is_free);
    memcpy(s->z, keep, bytes);
    if (status == (rg_status)RG_RETRY) { /* not defined there: at the solution itself */
        memset(is_free, 0, (size_t)s->n_columns);
        status = mark_dense(s, it, with_guesses, is_free);
    }
    rg_iteration_destroy(&it);
    return status == (rg_status)RG_RETRY ? rg_start_linearize(s) : status;
}

static rg_status mark_free(rg_start_system *s, double *keep, uint8_t *is_free)
{
    if (!has_open_guess(s)) return mark_columns(s, false, keep, is_free);
    uint8_t *is_held = rg_alloc(s->ctx, (size_t)s->n_columns, sizeof *is_held);
    if (is_held == NULL) return RG_ERR_MEMORY;
    hold_states(s, is_held, true);
    const rg_status status = mark_columns(s, true, keep, is_free);
    hold_states(s, is_held, false);
    rg_free(s->ctx, is_held);
    return status;
}

/* A guess is no answer. */
static rg_status refuse_constants(const rg_start_system *s, uint8_t *is_free)
{
    char names[512];
    int64_t first = -1;

    for (int64_t j = 0; j < s->n_columns; j++)
        if (is_free[j] && constant_of(s, j) != NULL && first < 0) first = j;
    if (first < 0) return RG_OK;
    for (int64_t j = 0; j < s->n_columns; j++)
        is_free[j] = is_free[j] && constant_of(s, j) != NULL;
    const int64_t count = rg_list_columns(s, is_free, names, sizeof names);
    rg_fail(s->ctx, RG_ERR_STRUCTURE, "nothing determines the unknown constant%s %s",
            count > 1 ? "s" : "", names);
    if (s->p->source != NULL) rg_fail_at(s->ctx, s->p->source, constant_of(s, first)->span);
    return rg_remedy(s->ctx, "give one more condition for each, as a 'boundary' line or a start "
                             "value with '=', or prescribe it: 'param NAME = VALUE'");
}

static rg_status warn_free(rg_start_system *s, const uint8_t *is_free, bool is_zero)
{
    char names[512], text[32] = "0";
    int64_t first = 0;
    bool is_hidden = false, is_doubted = false;

    const int64_t count = rg_list_columns(s, is_free, names, sizeof names);
    for (int64_t j = 0; j < s->n_columns; j++)
        is_hidden = is_hidden || is_free[j] >= HIDDEN,
        is_doubted = is_doubted || is_free[j] == DOUBTED;
    while (!is_free[first])
        first++;
    is_zero = is_zero && !is_doubted;
    if (!is_zero) rg_real_text(s->z[first], text);
    return rg_problem_warn(
        s->p,
        is_hidden
            ? "equations that are dependent up to rounding determine the start value of %s: %s%s "
              "is taken, with few digits or none"
            : "nothing determines the start value of %s: %s%s is taken",
        names, !is_zero && count > 1 ? "a nearby solution, the first with " : "", text);
}

/* Has a guess of a state left its place?  Then the columns that are 0 now were not free. */
static bool has_state_moved(const rg_start_system *s, const double *before)
{
    for (int64_t j = 0; j < s->n_columns; j++) {
        const double size = fmax(fabs(before[j]), RG_START_TINY * s->scale[j]);
        if (s->given[j] != RG_START_GUESS || s->place[j] != RG_PLACE_STATE) continue;
        if (fabs(s->z[j] - before[j]) > RG_CONSISTENT_MOVED * size) return true;
    }
    return false;
}

/* With the free columns at 0 and fixed; where that has no solution they stay where they are.
 * RG_RETRY: so they do where states would move, and they are not free. */
static rg_status fix_free(rg_start_system *s, const uint8_t *is_free, double *keep, bool *is_zero)
{
    const size_t bytes = (size_t)s->n_columns * sizeof *keep;
    bool is_changed = false;
    double miss;

    *is_zero = true;
    memcpy(keep, s->z, bytes);
    for (int64_t j = 0; j < s->n_columns; j++) {
        if (is_free[j] == BOUND || is_free[j] == DOUBTED) continue;
        is_changed = is_changed || s->z[j] != 0;
        s->role[j] = RG_START_KEPT;
        s->z[j] = 0;
    }
    if (!is_changed) return RG_OK;
    const rg_status status = rg_search(s, &miss);
    const bool has_moved = status == RG_OK && has_state_moved(s, keep);
    if (status <= 0 && !has_moved) return status;
    *is_zero = false;
    memcpy(s->z, keep, bytes);
    RG_TRY(rg_start_linearize(s));
    return has_moved ? (rg_status)RG_RETRY : RG_OK;
}

static rg_status release(rg_start_system *s, const uint8_t *is_free)
{
    for (int64_t j = 0; j < s->n_columns; j++)
        if (is_free[j]) s->role[j] = s->given[j];
    return RG_OK;
}

rg_status rg_start_fix_free(rg_start_system *s)
{
    uint8_t *is_free = rg_alloc(s->ctx, (size_t)s->n_columns, sizeof *is_free);
    double *keep = rg_alloc(s->ctx, (size_t)s->n_columns, sizeof *keep);
    rg_status status = RG_ERR_MEMORY;
    int64_t count = 0;
    bool is_zero;

    if (is_free != NULL && keep != NULL) status = mark_free(s, keep, is_free);
    for (int64_t j = 0; j < s->n_columns && status == RG_OK; j++)
        count += is_free[j] != BOUND;
    if (status == RG_OK && count > 0) status = refuse_constants(s, is_free);
    if (status == RG_OK && count > 0) {
        status = fix_free(s, is_free, keep, &is_zero);
        if (status == RG_OK) status = warn_free(s, is_free, is_zero);
        if (status == (rg_status)RG_RETRY) status = release(s, is_free);
    }
    rg_free(s->ctx, is_free);
    rg_free(s->ctx, keep);
    return status;
}
