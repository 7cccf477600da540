/* Plots of single points on a page: errors over cost and over steps, outputs over parameters. */
#include "report/page.h"
#include "report/tuning.h"

#include <math.h>
#include <string.h>

/* ---- comparisons ----------------------------------------------------------------------------- */
/* A point per method: one column each, with a single number. */
static rg_status compare_row(void *user, int64_t row, double *values)
{
    const rg_comparison *c = user;

    values[0] = (double)c->row[row].stats.evaluations;
    for (int k = 0; k < c->n_rows; k++)
        values[k + 1] = k == row && c->row[k].error > 0.0 ? c->row[k].error : NAN;
    return RG_OK;
}

static int compare_name(void *user, int column, char *buffer, int size)
{
    const rg_comparison *c = user;

    return snprintf(buffer, (size_t)size, "%s", column < 0 ? "evaluations" : c->row[column].text);
}

/* ---- orders ---------------------------------------------------------------------------------- */
enum { SLOPES = 3 };
typedef struct { /* errors of some unknowns, and the slopes that theory gives them */
    const rg_orders *o;
    int n, n_slopes, slope[SLOPES];
    double error[SLOPES], step[SLOPES]; /* where a slope passes */
} order_lines;

static void choose_lines(order_lines *l)
{
    const rg_orders *o = l->o;
    const int64_t most = RG_PANEL_LINES - SLOPES;

    l->n = (int)(o->problem->n < most ? o->problem->n : most);
    for (int j = 0; j < l->n && l->n_slopes < SLOPES; j++) {
        const int pair = rg_orders_last_pair(o, j);
        bool is_new = pair >= 0 && o->theory[j] > 0;
        for (int k = 0; k < l->n_slopes; k++)
            is_new = is_new && l->slope[k] != o->theory[j];
        if (!is_new) continue;
        l->step[l->n_slopes] = o->steps[pair];
        l->error[l->n_slopes] = rg_orders_error(o, pair, j);
        l->slope[l->n_slopes++] = o->theory[j];
    }
}

static rg_status orders_row(void *user, int64_t row, double *values)
{
    const order_lines *l = user;
    const rg_orders *o = l->o;

    values[0] = o->steps[row];
    for (int j = 0; j < l->n; j++) {
        const double error = row < o->n_done ? rg_orders_error(o, (int)row, j) : NAN;
        values[j + 1] = error > 0.0 ? error : NAN;
    }
    for (int k = 0; k < l->n_slopes; k++)
        values[l->n + k + 1] = l->error[k] * pow(o->steps[row] / l->step[k], l->slope[k]);
    return RG_OK;
}

static int orders_name(void *user, int column, char *buffer, int size)
{
    const order_lines *l = user;

    if (column < 0) return snprintf(buffer, (size_t)size, "step");
    if (column < l->n) return rg_problem_name(l->o->problem, column, buffer, size);
    return snprintf(buffer, (size_t)size, "order %d", l->slope[column - l->n]);
}

/* ---- plots ----------------------------------------------------------------------------------- */
/* Columns from..from+n-1 over column `across`, -1: the abscissa, in plots of a few lines each. */
static rg_status write_points(rg_page_maker *m, const rg_page_plot *like, int from, int n)
{
    for (int first = from; first < from + n; first += RG_PANEL_LINES) {
        rg_page_plot *p = rg_page_add_plot(m, &m->points);
        const int left = from + n - first;
        if (p == NULL) break;
        char id[sizeof p->id];
        memcpy(id, p->id, sizeof id);
        *p = *like;
        memcpy(p->id, id, sizeof id);
        p->n = left < RG_PANEL_LINES ? left : RG_PANEL_LINES;
        for (int k = 0; k < p->n; k++)
            p->column[k] = first + k;
        RG_TRY(rg_page_draw_plot(m, p));
    }
    return RG_OK;
}

rg_status rg_page_compare_points_write(rg_page_maker *m)
{
    const rg_comparison *c = m->page->comparison;
    const rg_samples samples = {(void *)(uintptr_t)c, c->n_rows, c->n_rows, compare_row,
                                compare_name};
    const rg_page_plot plot = {.series = &m->points,
                               .across = -1,
                               .log_x = true,
                               .log_y = true,
                               .has_dots = true,
                               .title = "Largest error over evaluations"};

    RG_TRY(rg_series_take(m->page->ctx, &samples, RG_PAGE_ROWS, &m->points));
    return write_points(m, &plot, 0, m->points.n_columns);
}

rg_status rg_page_order_points_write(rg_page_maker *m)
{
    const rg_orders *o = m->page->orders;
    order_lines lines = {.o = o};

    choose_lines(&lines);
    const rg_samples samples = {&lines, o->n_steps, lines.n + lines.n_slopes, orders_row,
                                orders_name};
    const rg_page_plot plot = {.series = &m->points,
                               .across = -1,
                               .log_x = true,
                               .log_y = true,
                               .has_dots = true,
                               .n_measured = lines.n,
                               .title = "Error at the end over the step; dashed: slopes of theory"};
    RG_TRY(rg_series_take(m->page->ctx, &samples, RG_PAGE_ROWS, &m->points));
    return write_points(m, &plot, 0, m->points.n_columns);
}

/* ---- sweeps ---------------------------------------------------------------------------------- */
enum { MOST_PARAMETERS = 6, MOST_OUTPUTS = 16, NUMBERS = 130000 };
typedef struct {
    const rg_sweep_table *t;
    int64_t *order; /* of the rows, by the only parameter */
    int n_set, n_values;
} sweep_rows;

static rg_status sweep_row(void *user, int64_t row, double *values)
{
    const sweep_rows *s = user;
    const int64_t k = s->order[row];

    values[0] = (double)s->t->entries[k].run;
    for (int i = 0; i < s->n_set; i++)
        values[i + 1] = rg_sweep_table_set(s->t, k)[i];
    for (int i = 0; i < s->n_values; i++)
        values[s->n_set + i + 1] =
            s->t->entries[k].status >= 0 ? rg_sweep_table_values(s->t, k)[i] : NAN;
    return RG_OK;
}

static int sweep_name(void *user, int column, char *buffer, int size)
{
    const sweep_rows *s = user;

    return snprintf(buffer, (size_t)size, "%s",
                    column < 0          ? "run"
                    : column < s->n_set ? s->t->set_names[column]
                                        : s->t->names[column - s->n_set]);
}

/* Rows in the order of the first parameter, so that lines go from left to right. */
static void sort_rows(sweep_rows *s)
{
    for (int64_t k = 0; k < s->t->count; k++)
        s->order[k] = k;
    for (int64_t gap = s->t->count / 2; gap > 0; gap /= 2)
        for (int64_t k = gap; s->n_set == 1 && k < s->t->count; k++) {
            const int64_t at = s->order[k];
            int64_t i = k;
            for (; i >= gap
                   && rg_sweep_table_set(s->t, s->order[i - gap])[0]
                          > rg_sweep_table_set(s->t, at)[0];
                 i -= gap)
                s->order[i] = s->order[i - gap];
            s->order[i] = at;
        }
}

static bool is_geometric(const rg_sweep_table *t, int i)
{
    double low = INFINITY, high = -INFINITY;

    for (int64_t k = 0; k < t->count; k++) {
        low = fmin(low, rg_sweep_table_set(t, k)[i]);
        high = fmax(high, rg_sweep_table_set(t, k)[i]);
    }
    return low > 0.0 && high > RG_FIGURE_GEOMETRIC * low;
}

rg_status rg_page_sweep_points_write(rg_page_maker *m)
{
    const rg_sweep_table *t = m->page->sweep;
    sweep_rows s = {.t = t,
                    .n_set = t->n_set < MOST_PARAMETERS ? t->n_set : MOST_PARAMETERS,
                    .n_values = (int)(t->n_values < MOST_OUTPUTS ? t->n_values : MOST_OUTPUTS)};
    const rg_samples samples = {&s, t->count, s.n_set + s.n_values, sweep_row, sweep_name};

    if (t->count == 0 || s.n_values == 0) return RG_OK;
    s.order = rg_alloc(m->page->ctx, (size_t)t->count, sizeof *s.order);
    if (s.order == NULL) return RG_ERR_MEMORY;
    sort_rows(&s);
    const int64_t rows = NUMBERS / (s.n_set * (s.n_values + 2));
    rg_status status = rg_series_take(
        m->page->ctx, &samples, rows < RG_PAGE_ROWS / 2 ? rows : RG_PAGE_ROWS / 2, &m->points);
    for (int i = 0; i < s.n_set && status == RG_OK; i++) {
        const rg_page_plot plot = {.series = &m->points,
                                   .across = i,
                                   .has_dots = true,
                                   .is_scattered = s.n_set > 1,
                                   .log_x = is_geometric(t, i)};
        status = write_points(m, &plot, s.n_set, s.n_values);
    }
    rg_free(m->page->ctx, s.order);
    return status;
}
