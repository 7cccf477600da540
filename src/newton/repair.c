/* Kept values that miss the equations by a little (printed with nine digits, say) are changed by
 * the least amount. */
#include "newton/search.h"
#include "newton/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Kept values become guesses, measured relative to their size; all others are free. */
static void release(rg_start_system *s, const uint8_t *role)
{
    for (int64_t j = 0; j < s->n_columns; j++) {
        s->role[j] = role[j] == RG_START_KEPT ? RG_START_GUESS : RG_START_NONE;
        if (s->given[j] == RG_START_NONE && role[j] == RG_START_KEPT) s->role[j] = RG_START_KEPT;
        if (s->role[j] == RG_START_GUESS) s->scale[j] = fmax(fabs(s->z[j]), s->floors[j]);
    }
}

static rg_status run_newton(rg_start_system *s, double *miss)
{
    rg_iteration *it = NULL;

    RG_TRY(rg_iteration_create(s, false, &it));
    rg_status status = rg_newton_damped(it);
    rg_iteration_destroy(&it);
    if (status < 0) return status;
    if (status == RG_OK) status = rg_start_linearize(s);
    *miss = status == RG_OK ? rg_start_miss(s, NULL) : INFINITY;
    return status < 0 ? status : RG_OK;
}

/* Marks the kept values whose change is more than rounding in the data. */
static int64_t mark_changed(const rg_start_system *s, const uint8_t *role, const double *before,
                            uint8_t *is_changed)
{
    int64_t count = 0;

    for (int64_t j = 0; j < s->n_columns; j++) {
        const double change = fabs(s->z[j] - before[j]);
        const double size = fmax(fabs(before[j]), s->floors[j] / RG_FLOOR_PART);
        is_changed[j] = role[j] == RG_START_KEPT && change > RG_REPAIR_UNTOLD * size;
        count += is_changed[j];
    }
    return count;
}

static rg_status warn_repair(rg_start_system *s, const uint8_t *is_changed, int64_t row,
                             double miss)
{
    char names[400], line[128];
    double largest = 0;

    for (int64_t j = 0; j < s->n_columns; j++)
        if (is_changed[j]) largest = fmax(largest, fabs(s->z[j] - s->given_value[j]));
    rg_list_columns(s, is_changed, names, sizeof names);
    rg_start_row_name(s, row, line, sizeof line);
    return rg_problem_warn(s->p,
                           "start values changed by up to %.2g, because %s was missed by %.2g "
                           "(relative): %s",
                           largest, line, miss, names);
}

/* Values that did not really change are restored to the last bit. */
static void restore(rg_start_system *s, const uint8_t *role, const double *before)
{
    for (int64_t j = 0; j < s->n_columns; j++) {
        s->role[j] = role[j];
        if (role[j] != RG_START_KEPT) continue;
        if (fabs(s->z[j] - before[j]) <= 4.0 * DBL_EPSILON * fmax(fabs(before[j]), s->floors[j]))
            s->z[j] = before[j];
    }
}

/* The equation to be told; s->z moves. */
static rg_status name_row(rg_start_system *s, int64_t *row, double *miss)
{
    int64_t first;
    double missed;
    const double worst = rg_start_miss(s, row);

    RG_TRY(rg_start_violated(s, RG_MISS_ROUNDING, &first, &missed));
    *miss = first >= 0 ? missed : worst;
    if (first >= 0) *row = first;
    return RG_OK;
}

static rg_status repair(rg_start_system *s, uint8_t *role, double *before, double *scale,
                        uint8_t *is_changed)
{
    const size_t n = (size_t)s->n_columns;
    int64_t row;
    double after = INFINITY, missed;

    const double miss = rg_start_miss(s, NULL);
    memcpy(role, s->role, n);
    memcpy(before, s->z, n * sizeof *before);
    RG_TRY(name_row(s, &row, &missed));
    memcpy(s->z, before, n * sizeof *before);
    RG_TRY(rg_start_linearize(s));
    memcpy(scale, s->scale, n * sizeof *scale);
    release(s, role);
    rg_status status = run_newton(s, &after);
    memcpy(s->scale, scale, n * sizeof *scale);
    if (status == RG_OK && after <= RG_REPAIR_USEFUL * miss
        && mark_changed(s, role, before, is_changed) > 0) {
        restore(s, role, before);
        status = run_newton(s, &after); /* the others once more, to rounding */
        return status == RG_OK ? warn_repair(s, is_changed, row, missed) : status;
    }
    memcpy(s->role, role, n);
    memcpy(s->z, before, n * sizeof *before);
    return status == RG_OK ? rg_start_linearize(s) : status;
}

/* Do kept values contradict the equations by their own rounding?  Then the least change of them is
 * none, and what it makes of the others is the solution. */
static rg_status look_for_rounding(rg_start_system *s, uint8_t *role, double *before, double *scale,
                                   uint8_t *is_changed, bool *is_so)
{
    const size_t n = (size_t)s->n_columns;
    double after = INFINITY;

    RG_TRY(rg_start_linearize(s));
    memcpy(role, s->role, n);
    memcpy(before, s->z, n * sizeof *before);
    memcpy(scale, s->scale, n * sizeof *scale);
    release(s, role);
    const rg_status status = run_newton(s, &after);
    memcpy(s->scale, scale, n * sizeof *scale);
    *is_so = status == RG_OK && after <= RG_MISS_ROUNDING
             && mark_changed(s, role, before, is_changed) == 0;
    memcpy(s->role, role, n);
    for (int64_t j = 0; j < s->n_columns; j++)
        if (!*is_so || role[j] == RG_START_KEPT) s->z[j] = before[j];
    return status == RG_OK ? rg_start_linearize(s) : status;
}

rg_status rg_repair_kept(rg_start_system *s, bool *is_rounding)
{
    const size_t n = (size_t)s->n_columns;
    uint8_t *role = rg_alloc(s->ctx, n, sizeof *role);
    uint8_t *is_changed = rg_alloc(s->ctx, n, sizeof *is_changed);
    double *before = rg_alloc(s->ctx, n, sizeof *before);
    double *scale = rg_alloc(s->ctx, n, sizeof *scale);
    rg_status status = RG_ERR_MEMORY;

    const bool has_memory = role != NULL && is_changed != NULL && before != NULL && scale != NULL;
    if (has_memory && is_rounding != NULL)
        status = look_for_rounding(s, role, before, scale, is_changed, is_rounding);
    else if (has_memory)
        status = repair(s, role, before, scale, is_changed);
    rg_free(s->ctx, role);
    rg_free(s->ctx, is_changed);
    rg_free(s->ctx, before);
    rg_free(s->ctx, scale);
    return status;
}
