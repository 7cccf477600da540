/* Sections of a run on a page: phase plots, step size or density of the mesh, drift, errors. */
#include "report/page.h"
#include "report/tuning.h"

#include <math.h>
#include <string.h>

/* ---- phase plots ----------------------------------------------------------------------------- */
enum { MOST_PHASES = 4 };

static rg_status write_phase(rg_page_maker *m, int across, int column)
{
    rg_page_plot *p = rg_page_add_plot(m, &m->series);

    if (p == NULL) return RG_OK;
    p->is_main = p->is_phase = true;
    p->across = across;
    p->n = 1;
    p->column[0] = column;
    return rg_page_draw_plot(m, p);
}

/* The output that a number of a drawing names; -1: it is no output. */
static int column_of(const rg_page_maker *m, const rg_value *number)
{
    const rg_problem *p = m->page->solution->problem;
    const int length = number->span.end - number->span.start;

    for (int c = 0; p->source != NULL && c < m->n_columns; c++)
        if ((int)strlen(m->series.name[c]) == length
            && memcmp(m->series.name[c], p->source->text + number->span.start, (size_t)length) == 0)
            return c;
    return -1;
}

/* Pairs of outputs that the model draws as points. */
static rg_status write_drawn_pairs(rg_page_maker *m, int *count)
{
    const rg_problem *p = m->page->solution->problem;
    int pair[MOST_PHASES][2];

    for (int k = 0; k < p->n_shapes; k++)
        for (int i = 0; i + 1 < p->shapes[k].count && !p->shapes[k].is_space; i += 2) {
            const rg_value *number = &p->drawn[p->shapes[k].first + i];
            const int x = column_of(m, number), y = column_of(m, number + 1);
            bool is_new = x >= 0 && y >= 0 && x != y && *count < MOST_PHASES;
            for (int old = 0; old < *count; old++)
                is_new = is_new && (pair[old][0] != x || pair[old][1] != y);
            if (!is_new) continue;
            pair[*count][0] = x;
            pair[(*count)++][1] = y;
            RG_TRY(write_phase(m, x, y));
        }
    return RG_OK;
}

rg_status rg_page_phases_write(rg_page_maker *m)
{
    int count = 0;

    if (m->series.n < 3) return RG_OK;
    RG_TRY(write_drawn_pairs(m, &count));
    return count == 0 && m->n_columns >= 2 && m->n_columns <= 3 ? write_phase(m, 0, 1) : RG_OK;
}

/* ---- steps, drift, errors -------------------------------------------------------------------- */
static rg_status history_row(void *user, int64_t row, double *values)
{
    const rg_solution *s = user;
    const int64_t width = s->history_levels + 1;
    const double *at = s->history + row * width;

    values[0] = at[0];
    /* The first step has no end before it: it is shown from its start on. */
    const double h = row > 0 ? fabs(at[0] - at[-width]) : fabs(at[width] - at[0]);
    values[1] = s->has_mesh ? 1.0 / h : h;
    for (int k = 0; k < s->history_levels; k++)
        values[k + 2] = at[k + 1];
    return RG_OK;
}

static int history_name(void *user, int column, char *buffer, int size)
{
    const rg_solution *s = user;

    if (column < 0) return snprintf(buffer, (size_t)size, "%s", rg_problem_time_name(s->problem));
    if (column == 0)
        return snprintf(buffer, (size_t)size, s->has_mesh ? "intervals per unit" : "step size");
    if (column < 3) return snprintf(buffer, (size_t)size, column == 1 ? "g" : "dg/dt");
    return snprintf(buffer, (size_t)size, "d%dg/dt%d", column - 1, column - 1);
}

static rg_status error_row(void *user, int64_t row, double *values)
{
    const rg_solution *s = user;
    const double *z = rg_solution_row_point(s, row);

    values[0] = s->time[row];
    return rg_exact_errors(s, s->time[row], z, values + 1);
}

static int error_name(void *user, int column, char *buffer, int size)
{
    const rg_solution *s = user;

    if (column < 0) return snprintf(buffer, (size_t)size, "%s", rg_problem_time_name(s->problem));
    return rg_exact_name(s, column, buffer, size);
}

/* Does a line have something to show on a logarithmic axis? */
static bool has_positive(const rg_series *s, int first, int n)
{
    for (int k = first; k < first + n; k++)
        if (s->low[k] <= s->high[k] && s->high[k] > 0.0) return true;
    return false;
}

static rg_status write_log_plot(rg_page_maker *m, const rg_series *s, int first, int n,
                                const char *title)
{
    rg_page_plot *p = has_positive(s, first, n) ? rg_page_add_plot(m, s) : NULL;

    if (p == NULL) return RG_OK;
    p->title = title;
    p->log_y = true;
    p->n = n < RG_PANEL_LINES ? n : RG_PANEL_LINES;
    for (int k = 0; k < p->n; k++)
        p->column[k] = first + k;
    return rg_page_draw_plot(m, p);
}

rg_status rg_page_run_write(rg_page_maker *m)
{
    const rg_solution *s = m->page->solution;
    const rg_samples samples = {(void *)(uintptr_t)s, s->n_history, s->history_levels + 1,
                                history_row, history_name};

    fputs("<section><h2>The run</h2>\n", m->to);
    rg_page_statistics_write(m->page, m->to);
    if (s->n_history > 2) {
        RG_TRY(rg_series_take(m->page->ctx, &samples, RG_PAGE_ROWS / 2, &m->history));
        RG_TRY(write_log_plot(m, &m->history, 0, 1,
                              s->has_mesh ? "Density of the mesh" : "Step size"));
        RG_TRY(write_log_plot(m, &m->history, 1, s->history_levels,
                              "Drift: residual of the constraints and of their derivatives"));
    }
    fputs("</section>\n", m->to);
    return RG_OK;
}

rg_status rg_page_errors_write(rg_page_maker *m)
{
    const rg_solution *s = m->page->solution;
    const int n = s->n_exact < RG_PANEL_LINES ? (int)s->n_exact : RG_PANEL_LINES;

    if (s->n_exact == 0 || s->n_exact > RG_FIGURE_COLUMNS || s->n_rows < 2) return RG_OK;
    const rg_samples samples = {(void *)(uintptr_t)s, s->n_rows, (int)s->n_exact, error_row,
                                error_name};
    fputs("<section><h2>Errors against the exact solution</h2>\n", m->to);
    RG_TRY(rg_series_take(m->page->ctx, &samples, RG_PAGE_ROWS / 4, &m->errors));
    RG_TRY(write_log_plot(m, &m->errors, 0, n, NULL));
    fputs("</section>\n", m->to);
    return RG_OK;
}
