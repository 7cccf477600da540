/* Redundant equations: which of them are left out at a point, and which unknowns, as many, stay as
 * they are ("pins").
 *
 * As written,  x F_y' + F_y  has rank n - d wherever the constraints hold, whatever x.  In the
 * reduced view it has not: with  g_3 = w^T (g_1, g_2)  on the constraints,
 *
 *     g_3'' = w^T (g_1'', g_2'') + 2 w'^T (g_1', g_2') + w''^T (g_1, g_2),
 *
 * the last two terms are 0, but their derivatives are not.  There the system Jacobian has rank
 * n - d, and the pins are its dependent rows and columns. */
#include "views/system_impl.h"
#include "views/top.h"

#include "linalg/matrix.h"

static int64_t top_state(const rg_system *s, int64_t j)
{
    const int d = s->analysis->d[j];

    return d == 0 ? j : rg_states_find(&s->layout, j, d - 1);
}

rg_status rg_top_init(const rg_system *s, rg_top *top)
{
    rg_context *ctx = s->p->ctx;
    const rg_pattern *all = rg_system_pattern(s);
    const int64_t n = s->layout.n;
    const size_t entries = (size_t)all->start[all->n_columns] + 1;
    rg_pattern *p = &top->pattern;
    int64_t count = 0;

    p->n_rows = p->n_columns = n;
    p->start = rg_alloc(ctx, (size_t)n + 1, sizeof *p->start);
    p->row = rg_alloc(ctx, entries, sizeof *p->row);
    top->place = rg_alloc(ctx, entries, sizeof *top->place);
    top->is_slope = rg_alloc(ctx, (size_t)n + 1, sizeof *top->is_slope);
    if (p->start == NULL || p->row == NULL || top->place == NULL || top->is_slope == NULL)
        return RG_ERR_MEMORY;
    for (int64_t j = 0; j < n; j++) {
        const int64_t state = top_state(s, j);
        p->start[j] = count;
        top->is_slope[j] = s->analysis->d[j] > 0;
        for (int64_t k = all->start[state]; k < all->start[state + 1]; k++) {
            if (all->row[k] >= n) continue;
            p->row[count] = all->row[k];
            top->place[count++] = k;
        }
    }
    p->start[n] = count;
    return RG_OK;
}

void rg_top_clear(rg_context *ctx, rg_top *top)
{
    rg_free(ctx, top->pattern.start);
    rg_free(ctx, top->pattern.row);
    rg_free(ctx, top->place);
    rg_free(ctx, top->is_slope);
}

void rg_top_values(const rg_top *top, const double *Jy, const double *Jyp, double *values)
{
    const rg_pattern *p = &top->pattern;

    for (int64_t j = 0; j < p->n_columns; j++)
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++)
            values[k] = (top->is_slope[j] ? Jyp : Jy)[top->place[k]];
}

bool rg_system_is_open(const rg_system *s, int64_t state)
{
    if (s->slide != NULL) return rg_system_is_open(rg_slide_base(s), state);
    return s->kind == RG_VIEW_REDUCED && state < s->layout.n && s->analysis->d[state] == 0;
}

/* Rows of the equations come first in the view, columns of multipliers are states. */
static rg_status find_in_top(const rg_system *s, const double *Jy, const double *Jyp, double *most,
                             int *rows, int *columns)
{
    rg_context *ctx = s->p->ctx;
    rg_top top = {0};
    double *values = NULL;
    const int count = (int)s->n_redundant;
    rg_status status = rg_top_init(s, &top);

    if (status == RG_OK) {
        values = rg_alloc(ctx, (size_t)top.pattern.start[s->layout.n] + 1, sizeof *values);
        status = values != NULL ? RG_OK : RG_ERR_MEMORY;
    }
    if (status == RG_OK) {
        rg_top_values(&top, Jy, Jyp, values);
        status = rg_matrix_find_dependent(ctx, &top.pattern, 0.0, values, values, most, count, rows,
                                          columns);
    }
    for (int k = 0; k < count && status == RG_OK; k++)
        if (!rg_system_is_open(s, columns[k])) status = (rg_status)RG_RETRY;
    rg_free(ctx, values);
    rg_top_clear(ctx, &top);
    return status;
}

rg_status rg_system_find_pins(const rg_system *s, double x, const double *Jy, const double *Jyp,
                              double *most, int *rows, int *columns)
{
    if (s->kind == RG_VIEW_REDUCED && s->slide != NULL) { /* branches have their own equations */
        rg_slide_of_base(s, &Jy, &Jyp);
        s = rg_slide_base(s);
    }
    if (s->kind == RG_VIEW_REDUCED) return find_in_top(s, Jy, Jyp, most, rows, columns);
    return rg_matrix_find_dependent(s->p->ctx, rg_system_pattern(s), x, Jy, Jyp, most,
                                    (int)s->n_redundant, rows, columns);
}
