/* Points of a figure from the rows of a solution.
 *
 * Between two steps the polynomial of the step is drawn, where it can be believed: an unknown that
 * moves faster than the steps (algebraic, stiff) may have one that goes astray.  Then its slope
 * disagrees with those of its neighbours at both ends,
 *
 *     h |p_i'(t_i) - p_{i+1}'(t_i)| > RG_FIGURE_BEND D_i,
 *
 * where D_i is the largest distance of p_i from the straight line between its ends; that line is
 * drawn instead.  A true kink is at one end only.  An output in which errors between the steps
 * dominate (an energy that should be constant) has such kinks at many of its steps, and is drawn
 * with straight lines altogether. */
#include "report/samples.h"

#include "figure/chart.h"
#include "report/tuning.h"

#include <math.h>
#include <string.h>

typedef struct {
    const rg_solution *s;
    int n;                /* columns that are taken */
    int64_t *column;      /* which */
    int inside;           /* points per step; 1: its end only */
    int64_t step;         /* the one in `cache`; 0: none */
    double *cache;        /* (inside + 1) rows of n + 1 numbers: time and columns */
    double *slope[4];     /* of the columns: before the step, at its start, at its end, behind it */
    uint8_t *is_straight; /* columns without points inside the steps */
} sampler;

static rg_status take(const sampler *a, double t, const double *z, double *out)
{
    const rg_solution *s = a->s;

    out[0] = t;
    if (z == NULL) {
        for (int c = 0; c < a->n; c++)
            out[c + 1] = NAN;
        return RG_OK;
    }
    RG_TRY(rg_columns_eval(s->columns, t, z, s->value));
    for (int c = 0; c < a->n; c++)
        out[c + 1] = s->value[a->column[c]];
    return RG_OK;
}

static rg_status take_row(const sampler *a, int64_t row, double *out)
{
    return take(a, a->s->time[row], rg_solution_row_point(a->s, row), out);
}

enum { TINY = 64 }; /* slopes are differences over this part of a step */

/* Slopes of the columns at the start (side 0) or the end (1) of a step; work: 2 rows. */
static rg_status take_slope(const sampler *a, int64_t step, int side, double *work, double *slope)
{
    const rg_solution *s = a->s;
    const double t0 = s->time[step - 1], t1 = s->time[step], h = t1 - t0;
    double *end = work, *near = work + a->n + 1;

    RG_TRY(take_row(a, side == 0 ? step - 1 : step, end));
    const double t = side == 0 ? t0 + h / TINY : t1 - h / TINY;
    RG_TRY(take(a, t, rg_solution_point_at(s, t), near));
    for (int c = 0; c < a->n; c++)
        slope[c] = (near[c + 1] - end[c + 1]) / (t - end[0]);
    return RG_OK;
}

static rg_status take_slopes(sampler *a, int64_t step, double *work)
{
    if (step > 1) RG_TRY(take_slope(a, step - 1, 1, work, a->slope[0]));
    RG_TRY(take_slope(a, step, 0, work, a->slope[1]));
    RG_TRY(take_slope(a, step, 1, work, a->slope[2]));
    if (step + 1 < a->s->n_rows) RG_TRY(take_slope(a, step + 1, 0, work, a->slope[3]));
    return RG_OK;
}

/* The line between the ends of the step, at point k of column c. */
static double chord(const sampler *a, int c, int k)
{
    const double *v = a->cache + c + 1;

    return v[0] + (v[a->inside * (a->n + 1)] - v[0]) * k / a->inside;
}

static double bend_of(const sampler *a, int c)
{
    double bend = 0.0;

    for (int k = 1; k < a->inside; k++)
        bend = fmax(bend, fabs(a->cache[k * (a->n + 1) + c + 1] - chord(a, c, k)));
    return bend;
}

static bool is_stray(const sampler *a, int c, double h)
{
    const bool has_before = a->step > 1, has_behind = a->step + 1 < a->s->n_rows;
    const double limit = RG_FIGURE_BEND * bend_of(a, c) / fabs(h);

    if (a->is_straight[c]) return true;
    if (!has_before && !has_behind) return false;
    if (has_before && !(fabs(a->slope[1][c] - a->slope[0][c]) > limit)) return false;
    return !has_behind || fabs(a->slope[3][c] - a->slope[2][c]) > limit;
}

static double length_of(const sampler *a, int64_t step)
{
    return a->s->time[step] - a->s->time[step - 1];
}

/* The polynomials of a step. */
static rg_status take_points(sampler *a, int64_t step)
{
    const rg_solution *s = a->s;
    const double t0 = s->time[step - 1], h = length_of(a, step);
    const int m = a->inside, width = a->n + 1;

    a->step = step;
    RG_TRY(take_row(a, step - 1, a->cache));
    for (int k = 1; k < m; k++) {
        const double t = t0 + h * k / m;
        RG_TRY(take(a, t, rg_solution_point_at(s, t), a->cache + k * width));
    }
    return take_row(a, step, a->cache + m * width);
}

static rg_status fill(sampler *a, int64_t step)
{
    RG_TRY(take_slopes(a, step, a->cache));
    RG_TRY(take_points(a, step));
    for (int c = 0; c < a->n; c++)
        for (int k = 1, stray = is_stray(a, c, length_of(a, step)); stray && k < a->inside; k++)
            a->cache[k * (a->n + 1) + c + 1] = chord(a, c, k);
    return RG_OK;
}

/* Columns with a kink beside the flatter of two steps at more than a third of all joints. */
static rg_status judge(sampler *a)
{
    const int64_t joints = a->s->n_rows - 2;
    double *flat = a->slope[3]; /* D/h of the step before */
    int64_t *kinks = rg_alloc(a->s->ctx, (size_t)a->n + 1, sizeof *kinks);
    rg_status status = kinks != NULL ? RG_OK : RG_ERR_MEMORY;

    for (int64_t step = 1; status == RG_OK && step < a->s->n_rows; step++) {
        const double h = fabs(length_of(a, step));
        status = take_slope(a, step, 0, a->cache, a->slope[1]);
        if (status == RG_OK) status = take_slope(a, step, 1, a->cache, a->slope[2]);
        if (status == RG_OK) status = take_points(a, step);
        for (int c = 0; status == RG_OK && c < a->n; c++) {
            const double bend = bend_of(a, c) / h;
            if (step > 1)
                kinks[c] +=
                    fabs(a->slope[1][c] - a->slope[0][c]) > RG_FIGURE_BEND * fmin(bend, flat[c]);
            flat[c] = bend;
            a->slope[0][c] = a->slope[2][c];
        }
    }
    for (int c = 0; status == RG_OK && c < a->n; c++)
        a->is_straight[c] = 3 * kinks[c] > joints && joints > 2;
    rg_free(a->s->ctx, kinks);
    a->step = 0;
    return status;
}

static rg_status sample_row(void *user, int64_t row, double *values)
{
    sampler *a = user;

    if (a->inside == 1) return take_row(a, row, values);
    const int64_t step = row == 0 ? 1 : (row - 1) / a->inside + 1;
    if (step != a->step) RG_TRY(fill(a, step));
    const int64_t k = row - (step - 1) * a->inside;
    memcpy(values, a->cache + k * (a->n + 1), ((size_t)a->n + 1) * sizeof *values);
    return RG_OK;
}

static int sample_name(void *user, int column, char *buffer, int size)
{
    const sampler *a = user;

    if (column < 0)
        return snprintf(buffer, (size_t)size, "%s", rg_problem_time_name(a->s->problem));
    return rg_solution_column_name(a->s, a->column[column], buffer, size);
}

/* All columns; of too many those that are named, or some at equal distances. */
static void choose_columns(sampler *a, const char *show)
{
    const int64_t count = rg_solution_columns(a->s);
    const bool is_large = count > RG_FIGURE_COLUMNS,
               is_named = is_large && show != NULL && show[0] != '\0';
    const int64_t tried = is_large && !is_named ? RG_FIGURE_COLUMNS : count;
    char name[512];

    for (int64_t k = 0; k < tried && a->n < RG_FIGURE_COLUMNS; k++) {
        if (is_named) {
            rg_solution_column_name(a->s, k, name, sizeof name);
            if (!rg_panels_wants(show, name)) continue;
        }
        a->column[a->n++] = is_large && !is_named ? k * (count - 1) / (tried - 1) : k;
    }
}

static int points_inside(const rg_solution *s)
{
    if (s->keep != RG_KEEP_STEPS || s->n_rows < 2) return 1;
    const int64_t m = (RG_FIGURE_POINTS + s->n_rows - 2) / (s->n_rows - 1);
    return m > RG_FIGURE_INSIDE ? RG_FIGURE_INSIDE : (int)m;
}

static rg_status create(sampler *a, const char *show)
{
    rg_context *ctx = a->s->ctx;
    const int64_t count = rg_solution_columns(a->s);
    const size_t most = count < RG_FIGURE_COLUMNS ? (size_t)count : RG_FIGURE_COLUMNS;

    a->column = rg_alloc(ctx, most + 1, sizeof *a->column);
    if (a->column == NULL) return RG_ERR_MEMORY;
    choose_columns(a, show);
    a->inside = points_inside(a->s);
    a->cache = rg_alloc(ctx, ((size_t)a->inside + 1) * ((size_t)a->n + 1), sizeof *a->cache);
    for (int k = 0; k < 4; k++)
        a->slope[k] = rg_alloc(ctx, (size_t)a->n + 1, sizeof **a->slope);
    a->is_straight = rg_alloc(ctx, (size_t)a->n + 1, 1);
    if (!a->cache || !a->slope[0] || !a->slope[1] || !a->slope[2] || !a->slope[3]
        || !a->is_straight)
        return RG_ERR_MEMORY;
    return a->inside > 1 ? judge(a) : RG_OK;
}

rg_status rg_solution_series(const rg_solution *s, const char *show, int64_t most, rg_series *out,
                             int64_t *left_out)
{
    sampler a = {.s = s};

    *out = (rg_series){0};
    if (s->n_rows == 0) {
        rg_fail(s->ctx, RG_ERR_ARGUMENT, "the solution has no rows to draw");
        return rg_remedy(s->ctx, "keep all steps (rg_solve) or choose output times");
    }
    rg_status status = create(&a, show);
    if (status == RG_OK) {
        const rg_samples samples = {&a, 1 + (s->n_rows - 1) * a.inside, a.n, sample_row,
                                    sample_name};
        status = rg_series_take(s->ctx, &samples, most, out);
    }
    if (left_out != NULL) *left_out = rg_solution_columns(s) - a.n;
    rg_free(s->ctx, a.column);
    rg_free(s->ctx, a.cache);
    rg_free(s->ctx, a.is_straight);
    for (int k = 0; k < 4; k++)
        rg_free(s->ctx, a.slope[k]);
    return status;
}
