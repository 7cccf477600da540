/* Difference quotients for callback problems, several columns at a time. */
#include "problem/callback.h"
#include "problem/tuning.h"

#include <float.h>
#include <math.h>

/* ---- groups ---------------------------------------------------------------------------------- */

typedef struct {
    int64_t *start; /* columns of each row */
    int32_t *column;
    int32_t *color;   /* of each column; -1: none yet */
    int32_t *blocked; /* per color: the column that may not have it, + 1 */
} coloring;

static rg_status transpose(rg_context *ctx, const rg_callback *c, coloring *s)
{
    s->start = rg_alloc(ctx, (size_t)c->n + 2, sizeof *s->start);
    s->column = rg_alloc(ctx, (size_t)c->n_elements, sizeof *s->column);
    if (s->start == NULL || s->column == NULL) return RG_ERR_MEMORY;
    for (int64_t e = 0; e < c->n_elements; e++)
        s->start[c->element_row[e] + 2]++;
    for (int64_t i = 0; i < c->n; i++)
        s->start[i + 2] += s->start[i + 1];
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t e = c->start[j]; e < c->start[j + 1]; e++)
            s->column[s->start[c->element_row[e] + 1]++] = (int32_t)j;
    return RG_OK;
}

/* The first color that no column with a row in common has (Curtis, Powell and Reid). */
static int32_t choose_color(const rg_callback *c, coloring *s, int32_t j)
{
    int32_t color = 0;

    for (int64_t e = c->start[j]; e < c->start[j + 1]; e++) {
        const int32_t i = c->element_row[e];
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) {
            const int32_t other = s->color[s->column[k]];
            if (other >= 0) s->blocked[other] = j + 1;
        }
    }
    while (s->blocked[color] == j + 1)
        color++;
    return color;
}

static rg_status color_columns(rg_context *ctx, rg_callback *c, coloring *s)
{
    const bool is_dense = c->n_elements == c->n * c->n;

    s->color = rg_alloc(ctx, (size_t)c->n, sizeof *s->color);
    s->blocked = rg_alloc(ctx, (size_t)c->n + 1, sizeof *s->blocked);
    if (s->color == NULL || s->blocked == NULL) return RG_ERR_MEMORY;
    if (!is_dense) RG_TRY(transpose(ctx, c, s));
    for (int64_t j = 0; j < c->n; j++)
        s->color[j] = -1;
    for (int32_t j = 0; j < (int32_t)c->n; j++) {
        s->color[j] = is_dense ? j : choose_color(c, s, j);
        if (s->color[j] >= c->n_groups) c->n_groups = s->color[j] + 1;
    }
    return RG_OK;
}

static rg_status list_groups(rg_context *ctx, rg_callback *c, const coloring *s)
{
    c->group_start = rg_alloc(ctx, (size_t)c->n_groups + 2, sizeof *c->group_start);
    c->group_column = rg_alloc(ctx, (size_t)c->n, sizeof *c->group_column);
    if (c->group_start == NULL || c->group_column == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < c->n; j++)
        c->group_start[s->color[j] + 2]++;
    for (int g = 0; g < c->n_groups; g++)
        c->group_start[g + 2] += c->group_start[g + 1];
    for (int32_t j = 0; j < (int32_t)c->n; j++)
        c->group_column[c->group_start[s->color[j] + 1]++] = j;
    return RG_OK;
}

rg_status rg_callback_group(rg_context *ctx, rg_callback *c)
{
    coloring s = {NULL, NULL, NULL, NULL};
    rg_status status = color_columns(ctx, c, &s);

    if (status == RG_OK) status = list_groups(ctx, c, &s);
    rg_free(ctx, s.start);
    rg_free(ctx, s.column);
    rg_free(ctx, s.color);
    rg_free(ctx, s.blocked);
    return status;
}

/* ---- quotients ------------------------------------------------------------------------------- */

/* Increment sqrt(eps max(1e-5, |x|)), as in the code RADAU5: larger than rounding, smaller than the
 * scale of x.  Returned as the difference that the sum x + d really has. */
static double increment(double x, double sign)
{
    const double d = sign * sqrt(DBL_EPSILON * fmax(RG_DIFFERENCE_LEAST, fabs(x)));
    volatile const double moved = x + d;
    return moved - x;
}

static void shift_group(const rg_callback *c, int group, double sign, double *x, double *saved)
{
    for (int32_t k = c->group_start[group]; k < c->group_start[group + 1]; k++) {
        const int32_t j = c->group_column[k];
        saved[k] = x[j];
        x[j] += increment(x[j], sign);
    }
}

static void restore_group(const rg_callback *c, int group, double *x, const double *saved)
{
    for (int32_t k = c->group_start[group]; k < c->group_start[group + 1]; k++)
        x[c->group_column[k]] = saved[k];
}

static void divide_group(const rg_callback *c, const rg_assembly_work *w, int group,
                         const double *x, double *values)
{
    for (int32_t k = c->group_start[group]; k < c->group_start[group + 1]; k++) {
        const int32_t j = c->group_column[k];
        const double d = x[j] - w->saved[k];
        for (int64_t e = c->start[j]; e < c->start[j + 1]; e++) {
            const int32_t i = c->element_row[e];
            values[e] = (w->column[i] - w->other[i]) / d;
        }
    }
}

/* Forward, or backward where the function cannot be evaluated ahead. */
static rg_status difference_group(const rg_assembly *a, rg_assembly_work *w, double t, int group,
                                  int order)
{
    const rg_callback *c = a->callback;
    double *x = order == 0 ? w->y : w->yp;
    rg_status status = (rg_status)RG_RETRY;

    for (double sign = 1.0; sign >= -1.0 && status == (rg_status)RG_RETRY; sign -= 2.0) {
        shift_group(c, group, sign, x, w->saved);
        status = rg_callback_eval(a, t, w->y, w->yp, w->column);
        if (status == RG_OK) divide_group(c, w, group, x, w->values[order]);
        restore_group(c, group, x, w->saved);
    }
    return status;
}

rg_status rg_callback_differences(const rg_assembly *a, rg_assembly_work *w, double t)
{
    const int n_orders = a->p->rhs != NULL ? 1 : 2;

    for (int order = 0; order < n_orders; order++)
        for (int group = 0; group < a->callback->n_groups; group++)
            RG_TRY(difference_group(a, w, t, group, order));
    return RG_OK;
}
