/* A report as one HTML file: sections in the order of a reader's questions. */
#include "report/page.h"

#include "base/output.h"
#include "base/text.h"
#include "base/tuning.h"
#include "report/samples.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum {
    NUMBERS = 130000, /* of the series: about 1.2 MB */
    LEAST_ROWS = 250,
    MOST_ROWS = 4000,
    DRAWN = 6, /* plots with lines for those without the script */
    OPEN = 8,  /* plots that are open */
    PLOTS = 600,
    EQUATIONS = 200,
    FRAMES = 240
};

typedef struct {
    const rg_page *page;
    FILE *to;
    rg_series series, history, errors, points; /* outputs; steps and drift; errors; others */
    int n_columns;                             /* of the series, that are written */
    int64_t left_out;
    int n_plots;
    rg_page_plot *plots; /* PLOTS */
    rg_scene scene;
} maker;

static void write_xml(const maker *m, const char *text)
{
    rg_text_write_xml(m->to, text);
}

static const rg_problem *problem_of(const rg_page *p)
{
    return p->comparison != NULL ? p->comparison->problem
           : p->orders != NULL   ? p->orders->problem
                                 : p->facts->problem;
}

/* ---- plots ----------------------------------------------------------------------------------- */
static rg_page_plot *add_plot(maker *m, const rg_series *s)
{
    if (m->n_plots == PLOTS) return NULL;
    rg_page_plot *p = &m->plots[m->n_plots];
    *p = (rg_page_plot){.series = s, .across = -1};
    snprintf(p->id, sizeof p->id, "f%d", m->n_plots++);
    return p;
}

static rg_status write_plot(maker *m, const rg_page_plot *p, const char *caption)
{
    return rg_page_plot_write(m->page->ctx, p, caption, m->n_plots <= DRAWN + 4, m->to);
}

/* Panels of the outputs; what comes behind the first ones is folded. */
static rg_status write_outputs(maker *m)
{
    rg_series shown = m->series;
    rg_panels panels;
    char caption[600];
    rg_status status;

    shown.n_columns = m->n_columns;
    RG_TRY(rg_panels_all(&shown, &panels));
    rg_panels_caption(&m->series, &panels, caption, sizeof caption);
    for (int k = 0; k < panels.n; k++) {
        rg_page_plot *p = add_plot(m, &m->series);
        if (p == NULL) break;
        p->is_main = true;
        p->n = panels.panel[k].n;
        memcpy(p->column, panels.panel[k].column, sizeof p->column);
        if (k == OPEN)
            fprintf(m->to, "<details><summary>%d more plots</summary>\n", panels.n - OPEN);
        status = rg_page_plot_write(m->page->ctx, p, k == 0 ? caption : "", k < DRAWN, m->to);
        if (status != RG_OK) break;
    }
    if (panels.n > OPEN) fputs("</details>\n", m->to);
    rg_panels_clear(&panels);
    return RG_OK;
}

/* Of two or three outputs: the second over the first too. */
static rg_status write_phase(maker *m)
{
    if (m->n_columns < 2 || m->n_columns > 3 || m->series.n < 3) return RG_OK;
    rg_page_plot *p = add_plot(m, &m->series);
    if (p == NULL) return RG_OK;
    p->is_main = p->is_phase = true;
    p->across = 0;
    p->n = 1;
    p->column[0] = 1;
    return write_plot(m, p, "");
}

/* ---- steps, drift, errors -------------------------------------------------------------------- */
static rg_status history_row(void *user, int64_t row, double *values)
{
    const rg_solution *s = user;
    const int64_t width = s->n_levels + 1;
    const double *at = s->history + row * width;

    values[0] = at[0];
    values[1] = row > 0 ? fabs(at[0] - at[-width]) : NAN;
    for (int k = 0; k < s->n_levels; k++)
        values[k + 2] = at[k + 1];
    return RG_OK;
}

static int history_name(void *user, int column, char *buffer, int size)
{
    const rg_solution *s = user;

    if (column < 0) return snprintf(buffer, (size_t)size, "%s", rg_problem_time_name(s->problem));
    if (column == 0)
        return snprintf(buffer, (size_t)size, s->has_mesh ? "interval of the mesh" : "step size");
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

static rg_status write_log_plot(maker *m, const rg_series *s, int first, int n, const char *title)
{
    rg_page_plot *p = n > 0 ? add_plot(m, s) : NULL;

    if (p == NULL) return RG_OK;
    p->title = title;
    p->log_y = true;
    p->n = n < RG_PANEL_LINES ? n : RG_PANEL_LINES;
    for (int k = 0; k < p->n; k++)
        p->column[k] = first + k;
    return write_plot(m, p, "");
}

static rg_status write_run(maker *m)
{
    const rg_solution *s = m->page->solution;
    const rg_samples samples = {(void *)(uintptr_t)s, s->n_history, s->n_levels + 1, history_row,
                                history_name};

    fputs("<section><h2>The run</h2>\n", m->to);
    rg_page_statistics_write(m->page, m->to);
    if (s->n_history > 2) {
        RG_TRY(rg_series_take(m->page->ctx, &samples, MOST_ROWS / 2, &m->history));
        RG_TRY(write_log_plot(m, &m->history, 0, 1,
                              s->has_mesh ? "Mesh: length of its intervals" : "Step size"));
        RG_TRY(write_log_plot(m, &m->history, 1, s->n_levels,
                              "Drift: residual of the constraints and of their derivatives"));
    }
    fputs("</section>\n", m->to);
    return RG_OK;
}

static rg_status write_errors(maker *m)
{
    const rg_solution *s = m->page->solution;
    const int n = s->n_exact < RG_PANEL_LINES ? (int)s->n_exact : RG_PANEL_LINES;

    if (s->n_exact == 0 || s->n_exact > RG_FIGURE_COLUMNS || s->n_rows < 2) return RG_OK;
    const rg_samples samples = {(void *)(uintptr_t)s, s->n_rows, (int)s->n_exact, error_row,
                                error_name};
    fputs("<section><h2>Errors against the exact solution</h2>\n", m->to);
    RG_TRY(rg_series_take(m->page->ctx, &samples, MOST_ROWS / 4, &m->errors));
    RG_TRY(write_log_plot(m, &m->errors, 0, n, NULL));
    fputs("</section>\n", m->to);
    return RG_OK;
}

/* ---- sections -------------------------------------------------------------------------------- */
static void write_head(maker *m)
{
    const char *title = rg_problem_title(problem_of(m->page));

    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
          m->to);
    write_xml(m, title[0] != '\0' ? title : m->page->model);
    fputs(" - regula</title>\n<style>\n", m->to);
    for (int k = 0; rg_page_style[k] != NULL; k++)
        fputs(rg_page_style[k], m->to);
    fputs("</style></head>\n<body><main>\n<h1>", m->to);
    write_xml(m, title[0] != '\0' ? title : m->page->model);
    fputs("</h1>\n", m->to);
}

static void write_sub(maker *m)
{
    const rg_solution *s = m->page->solution;

    fputs("<p class=\"sub\">", m->to);
    if (s != NULL)
        fprintf(m->to, "Solved by %s, %lld %s", s->method, (long long)s->stats.steps,
                s->has_mesh ? "mesh intervals" : "steps");
    else
        fputs(m->page->comparison != NULL ? "Several methods side by side"
              : m->page->orders != NULL   ? "Observed orders of convergence"
                                          : "Analysis of the model",
              m->to);
    fputs("</p>\n", m->to);
}

static void write_warnings(maker *m)
{
    const rg_solution *s = m->page->solution;
    const int n =
        s != NULL ? rg_solution_warning_count(s) : rg_problem_warning_count(problem_of(m->page));

    for (int k = 0; k < n; k++) {
        fputs("<p class=\"warn\">", m->to);
        write_xml(m, s != NULL ? rg_solution_warning(s, k)
                               : rg_problem_warning(problem_of(m->page), k));
        fputs("</p>\n", m->to);
    }
}

static void write_model(maker *m)
{
    const rg_problem *p = problem_of(m->page);

    if (p->source == NULL) return;
    fputs("<section><h2>Model</h2>\n", m->to);
    if (m->page->equations != NULL && p->form == NULL) {
        fputs("<div class=\"equations\">\n", m->to);
        m->page->equations(p, EQUATIONS, m->to);
        fputs("</div>\n", m->to);
    }
    fputs("<details><summary>Text of the model</summary>\n<pre>", m->to);
    rg_text_write_xml(m->to, p->source->text);
    fputs("</pre></details></section>\n", m->to);
}

static void write_foot(maker *m)
{
    fputs("<footer>", m->to);
    if (m->page->command[0] != '\0') {
        fputs("<p>To repeat it:</p><pre>", m->to);
        write_xml(m, m->page->command);
        fputs("</pre>\n", m->to);
    }
    fprintf(m->to,
            "<p>regula %s, %s. The data of this page are inside of it, as JSON in the "
            "element regula-data.</p></footer>\n",
            RG_VERSION, m->page->date);
}

/* ---- what the model draws -------------------------------------------------------------------- */
static bool has_motion(const maker *m)
{
    return m->scene.n_shapes > 0 && m->scene.n > 1 && !m->page->solution->problem->is_boundary;
}

/* Eight phases, which the script replaces by the motion. */
static rg_status write_stage(maker *m)
{
    static const char controls[] =
        "<div class=\"keys tools\"><button type=\"button\" data-do=\"play\">play</button>"
        "<input type=\"range\" min=\"0\" value=\"0\" data-do=\"time\" aria-label=\"time\"/>"
        "<span data-do=\"now\"></span>"
        "<label>speed <select data-do=\"speed\"><option>0.25</option><option>0.5</option>"
        "<option selected=\"selected\">1</option><option>2</option><option>4</option></select>"
        "</label><button type=\"button\" data-do=\"traces\" aria-pressed=\"true\">traces</button>"
        "</div>\n";
    const bool is_curve = m->page->solution->problem->is_boundary;
    rg_canvas sheet;

    if (m->scene.n_shapes == 0) return RG_OK;
    fprintf(m->to, "<section><h2>%s</h2>\n<figure%s>\n", is_curve ? "The curve" : "Motion",
            has_motion(m) ? " id=\"stage\"" : "");
    rg_canvas_begin_inside(m->page->ctx, m->to, RG_STAGE_WIDTH, RG_STAGE_HEIGHT,
                           "drawing of the model", &sheet);
    const rg_status status = rg_scene_draw(&m->scene, is_curve, 2.0, 2.0, RG_STAGE_WIDTH - 4.0,
                                           RG_STAGE_HEIGHT - 4.0, &sheet);
    rg_canvas_end_inside(&sheet);
    if (has_motion(m)) fputs(controls, m->to);
    fputs("</figure></section>\n", m->to);
    return status;
}

/* ---- kinds of pages -------------------------------------------------------------------------- */
/* As many columns as the size of the file allows. */
static rg_status take_series(maker *m)
{
    const rg_solution *s = m->page->solution;
    const int64_t count = rg_solution_columns(s),
                  columns = count < RG_FIGURE_COLUMNS ? count : RG_FIGURE_COLUMNS;
    int64_t rows = NUMBERS / (columns + 1);

    rows = rows < LEAST_ROWS ? LEAST_ROWS : rows > MOST_ROWS ? MOST_ROWS : rows;
    RG_TRY(rg_solution_series(s, NULL, rows, &m->series, &m->left_out));
    const int64_t fits = 3 * NUMBERS / 2 / (m->series.n + 1) - 1;
    m->n_columns = fits < m->series.n_columns ? (int)fits : m->series.n_columns;
    m->left_out += m->series.n_columns - m->n_columns;
    return RG_OK;
}

static rg_status write_solution(maker *m)
{
    RG_TRY(take_series(m));
    RG_TRY(rg_scene_take(m->page->solution, FRAMES, &m->scene));
    RG_TRY(write_stage(m));
    fputs("<section><h2>Solution</h2>\n", m->to);
    RG_TRY(write_outputs(m));
    if (m->left_out > 0)
        fprintf(m->to, "<p>%lld more outputs are not shown.</p>\n", (long long)m->left_out);
    RG_TRY(write_phase(m));
    fputs("</section>\n", m->to);
    RG_TRY(write_errors(m));
    write_model(m);
    rg_page_decisions_write(m->page, m->to);
    RG_TRY(write_run(m));
    RG_TRY(rg_page_structure_write(m->page, m->to));
    rg_page_end_values_write(m->page, m->to);
    return RG_OK;
}

static rg_status write_check(maker *m)
{
    rg_page_decisions_write(m->page, m->to);
    write_model(m);
    return rg_page_structure_write(m->page, m->to);
}

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

static rg_status orders_row(void *user, int64_t row, double *values)
{
    const rg_orders *o = user;

    values[0] = o->steps[row];
    for (int64_t j = 0; j < o->problem->n && j < RG_PANEL_LINES; j++) {
        const double error = row < o->n_done ? rg_orders_error(o, (int)row, j) : NAN;
        values[j + 1] = error > 0.0 ? error : NAN;
    }
    return RG_OK;
}

static int orders_name(void *user, int column, char *buffer, int size)
{
    const rg_orders *o = user;

    return column < 0 ? snprintf(buffer, (size_t)size, "step")
                      : rg_problem_name(o->problem, column, buffer, size);
}

static rg_status write_points(maker *m, const rg_samples *samples, const char *title)
{
    RG_TRY(rg_series_take(m->page->ctx, samples, MOST_ROWS, &m->points));
    for (int first = 0; first < m->points.n_columns; first += RG_PANEL_LINES) {
        rg_page_plot *p = add_plot(m, &m->points);
        const int left = m->points.n_columns - first;
        if (p == NULL) break;
        p->title = title;
        p->log_x = p->log_y = p->has_dots = true;
        p->n = left < RG_PANEL_LINES ? left : RG_PANEL_LINES;
        for (int k = 0; k < p->n; k++)
            p->column[k] = first + k;
        RG_TRY(write_plot(m, p, ""));
    }
    return RG_OK;
}

static rg_status write_comparison(maker *m)
{
    const rg_comparison *c = m->page->comparison;
    const rg_samples samples = {(void *)(uintptr_t)c, c->n_rows, c->n_rows, compare_row,
                                compare_name};

    fputs("<section><h2>Error and cost</h2>\n", m->to);
    RG_TRY(write_points(m, &samples, "Largest error over evaluations"));
    rg_page_comparison_write(m->page, m->to);
    fputs("</section>\n", m->to);
    write_model(m);
    return RG_OK;
}

static rg_status write_orders(maker *m)
{
    const rg_orders *o = m->page->orders;
    const int n = o->problem->n < RG_PANEL_LINES ? (int)o->problem->n : RG_PANEL_LINES;
    const rg_samples samples = {(void *)(uintptr_t)o, o->n_steps, n, orders_row, orders_name};

    fprintf(m->to, "<section><h2>%s, %s</h2>\n", o->method, o->formulation);
    RG_TRY(write_points(m, &samples, "Error at the end over the step"));
    rg_page_orders_write(m->page, m->to);
    fputs("</section>\n", m->to);
    write_model(m);
    return RG_OK;
}

static rg_status write_all(maker *m)
{
    write_head(m);
    write_sub(m);
    write_warnings(m);
    if (m->page->comparison != NULL)
        RG_TRY(write_comparison(m));
    else if (m->page->orders != NULL)
        RG_TRY(write_orders(m));
    else if (m->page->solution != NULL)
        RG_TRY(write_solution(m));
    else
        RG_TRY(write_check(m));
    write_foot(m);
    fputs("</main>\n", m->to);
    const rg_page_content content = {.series = m->series.n_columns > 0 ? &m->series : NULL,
                                     .n_columns = m->n_columns,
                                     .n_plots = m->n_plots,
                                     .plots = m->plots,
                                     .scene = has_motion(m) ? &m->scene : NULL};
    RG_TRY(rg_page_data_write(m->page, &content, m->to));
    fputs("<script>\n", m->to);
    for (int k = 0; rg_page_script[k] != NULL; k++)
        fputs(rg_page_script[k], m->to);
    fputs("</script>\n</body></html>\n", m->to);
    return RG_OK;
}

static const char *today(char *text, size_t size)
{
    const time_t now = time(NULL);
    struct tm parts;

    if (gmtime_r(&now, &parts) == NULL || strftime(text, size, "%Y-%m-%d %H:%M UTC", &parts) == 0)
        text[0] = '\0';
    return text;
}

rg_status rg_page_write(const rg_page *page, const char *path)
{
    char date[64];
    rg_page full = *page;
    maker m = {.page = &full};
    rg_output *output = NULL;

    if (full.model == NULL) full.model = "";
    if (full.command == NULL) full.command = "";
    if (full.date == NULL) full.date = today(date, sizeof date);
    m.plots = rg_alloc(full.ctx, PLOTS, sizeof *m.plots);
    if (m.plots == NULL) return RG_ERR_MEMORY;
    rg_status status = rg_output_open(full.ctx, path, &output);
    if (status == RG_OK) {
        m.to = rg_output_file(output);
        status = write_all(&m);
        if (status == RG_OK) status = rg_output_check(output);
        const rg_status closed = rg_output_close(&output, status == RG_OK);
        if (status == RG_OK) status = closed;
    }
    rg_series_clear(&m.series);
    rg_series_clear(&m.history);
    rg_series_clear(&m.errors);
    rg_series_clear(&m.points);
    rg_scene_clear(&m.scene);
    rg_free(full.ctx, m.plots);
    return status;
}
