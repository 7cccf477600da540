/* Residuals, Jacobians and sizes of the start value problem. */
#include "newton/start.h"

#include <float.h>
#include <math.h>

enum { URGENCIES = 256 }; /* values of an uint8_t */
static const double ROUNDING = 8 * DBL_EPSILON;

static bool all_finite(const double *x, int64_t n)
{
    double sum = 0;

    for (int64_t k = 0; k < n; k++)
        sum += 0 * x[k]; /* 0 for finite numbers, NaN otherwise */
    return sum == 0;
}

/* An infinite slope in a kept value (sqrt(x) at x = 0) does no harm: that column is not used.
 * The entry becomes 0. */
static bool drop_kept_entries(rg_start_system *s)
{
    for (int64_t j = 0; j < s->n_columns; j++) {
        for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++) {
            if (isfinite(s->J[k])) continue;
            if (s->role[j] != RG_START_KEPT) return false;
            s->J[k] = 0;
        }
    }
    return true;
}

static void row_sizes(rg_start_system *s)
{
    for (int64_t i = 0; i < s->n_rows; i++)
        s->size[i] = 0;
    for (int64_t j = 0; j < s->n_columns; j++) {
        const double value = fmax(fabs(s->z[j]), s->floors[j]);
        for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++)
            s->size[s->pattern->row[k]] += fabs(s->J[k]) * value;
    }
}

/* At a singular start, a coefficient that vanishes but for rounding (cos(pi/2)) would decide on its
 * unknown: where its term is a rounding error of the row, it becomes 0.  Only there: elsewhere
 * it may be small and meant. */
static void drop_rounding(rg_start_system *s)
{
    row_sizes(s);
    for (int64_t j = 0; j < s->n_columns; j++) {
        const double value = fmax(fabs(s->z[j]), 1.0);
        for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++)
            if (fabs(s->J[k]) * value <= ROUNDING * s->size[s->pattern->row[k]]) s->J[k] = 0;
    }
}

/* The rows that are left out, in F and, if not NULL, J. */
static void leave_out(const rg_start_system *s, double *F, double *J)
{
    if (s->stage == RG_STAGE_ALL) return;
    for (int64_t i = 0; i < s->n_rows; i++)
        if (s->rank[i] - s->level[i] < s->stage) F[i] = 0;
    for (int64_t k = 0; k < s->pattern->start[s->n_columns] && J != NULL; k++) {
        const int32_t i = s->pattern->row[k];
        if (s->rank[i] - s->level[i] < s->stage) J[k] = 0;
    }
}

rg_status rg_start_linearize(rg_start_system *s)
{
    const bool has_callback = s->p->residual != NULL || s->p->rhs != NULL;
    const rg_status status = rg_assembly_jacobian(s->assembly, s->work, s->t, s->z, s->F, s->J);

    if (status < 0 || (status != RG_OK && has_callback)) return status;
    leave_out(s, s->F, s->J);
    if (!all_finite(s->F, s->n_rows) || !drop_kept_entries(s)) return (rg_status)RG_RETRY;
    if (s->is_singular) drop_rounding(s);
    return RG_OK;
}

rg_status rg_start_residual(const rg_start_system *s, const double *z, double *F)
{
    if (!all_finite(z, s->n_columns)) return (rg_status)RG_RETRY;
    const rg_status status = rg_assembly_residual(s->assembly, s->work, s->t, z, F);
    if (status != RG_OK && (status < 0 || s->stage == RG_STAGE_ALL)) return status;
    leave_out(s, F, NULL);
    return all_finite(F, s->n_rows) ? RG_OK : (rg_status)RG_RETRY;
}

double rg_start_miss(rg_start_system *s, int64_t *row)
{
    double worst = 0;

    row_sizes(s);
    if (row != NULL) *row = 0;
    for (int64_t i = 0; i < s->n_rows; i++) {
        const double miss = fabs(s->F[i]) < DBL_MIN ? 0 : fabs(s->F[i]) / s->size[i];
        if (miss <= worst) continue;
        worst = miss;
        if (row != NULL) *row = i;
    }
    return worst;
}

rg_status rg_start_poll(const rg_start_system *s)
{
    if (!rg_interrupted(s->ctx)) return RG_OK;
    rg_fail(s->ctx, RG_ERR_INTERRUPTED, "interrupted while computing start values");
    return rg_remedy(s->ctx, "run it again");
}

static int urgency(const rg_start_system *s, int64_t column)
{
    const int group = (s->role[column] == RG_START_GUESS ? 3 : 0) + s->place[column];
    return group * URGENCIES + s->below[column];
}

int64_t rg_start_movable(const rg_start_system *s, int32_t *list)
{
    enum { KEYS = 6 * URGENCIES };
    int64_t start[KEYS + 1] = {0};

    for (int64_t j = 0; j < s->n_columns; j++)
        if (s->role[j] != RG_START_KEPT) start[urgency(s, j) + 1]++;
    for (int k = 0; k < KEYS; k++)
        start[k + 1] += start[k];
    for (int64_t j = 0; j < s->n_columns; j++)
        if (s->role[j] != RG_START_KEPT) list[start[urgency(s, j)]++] = (int32_t)j;
    return start[KEYS];
}

int rg_start_column_name(const rg_start_system *s, int64_t column, char *buffer, int size)
{
    return rg_variable_name(s->p, s->unknown[column], s->order[column], buffer, size);
}

int rg_start_row_name(const rg_start_system *s, int64_t row, char *buffer, int size)
{
    return rg_row_name(s->p, s->equation[row], s->level[row], buffer, size);
}
