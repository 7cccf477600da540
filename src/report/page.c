/* A report as one HTML file: sections in the order of a reader's questions. */
#include "report/page.h"

#include "base/output.h"
#include "base/text.h"
#include "report/samples.h"
#include "report/tuning.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum {
    NUMBERS = 130000, /* of the series: about 1.2 MB */
    LEAST_ROWS = 250,
    OPEN = 8, /* plots that are open */
    EQUATIONS = 200,
    FRAMES = 240,
    FIELD_BYTES = 700000 /* of a picture of fields */
};

const rg_problem *rg_page_problem(const rg_page *p)
{
    return p->comparison != NULL ? p->comparison->problem
           : p->orders != NULL   ? p->orders->problem
                                 : p->facts->problem;
}

static void write_xml(const rg_page_maker *m, const char *text)
{
    rg_text_write_xml(m->to, text);
}

/* ---- plots ----------------------------------------------------------------------------------- */
rg_page_plot *rg_page_add_plot(rg_page_maker *m, const rg_series *s)
{
    if (m->n_plots == RG_PAGE_PLOTS) return NULL;
    rg_page_plot *p = &m->plots[m->n_plots];
    *p = (rg_page_plot){.series = s, .across = -1};
    snprintf(p->id, sizeof p->id, "f%d", m->n_plots++);
    return p;
}

rg_status rg_page_draw_plot(rg_page_maker *m, const rg_page_plot *p)
{
    return rg_page_plot_write(m->page->ctx, p, "", m->n_plots <= RG_PAGE_DRAWN + 4, m->to);
}

/* Panels of the outputs; what comes behind the first ones is folded. */
static rg_status write_outputs(rg_page_maker *m)
{
    rg_series shown = m->series;
    rg_panels panels;
    char caption[600];
    rg_status status = RG_OK;

    shown.n_columns = m->n_columns;
    RG_TRY(rg_panels_all(&shown, &panels));
    rg_panels_caption(&m->series, &panels, caption, sizeof caption);
    for (int k = 0; k < panels.n && status == RG_OK; k++) {
        rg_page_plot *p = rg_page_add_plot(m, &m->series);
        if (p == NULL) break;
        p->is_main = true;
        p->n = panels.panel[k].n;
        memcpy(p->column, panels.panel[k].column, sizeof p->column);
        if (k == OPEN)
            fprintf(m->to, "<details><summary>%d more plots</summary>\n", panels.n - OPEN);
        status =
            rg_page_plot_write(m->page->ctx, p, k == 0 ? caption : "", k < RG_PAGE_DRAWN, m->to);
    }
    if (panels.n > OPEN) fputs("</details>\n", m->to);
    rg_panels_clear(&panels);
    return status;
}

/* ---- sections -------------------------------------------------------------------------------- */
static void write_head(rg_page_maker *m)
{
    const char *title = rg_problem_title(rg_page_problem(m->page));

    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
          m->to);
    write_xml(m, title[0] != '\0' ? title : m->page->model);
    fputs(" - regula</title>\n<style>\n", m->to); /* the style sheet has neither < nor & */
    for (int k = 0; rg_page_style[k] != NULL; k++)
        fputs(rg_page_style[k], m->to);
    fputs("</style></head>\n<body><main>\n<h1>", m->to);
    write_xml(m, title[0] != '\0' ? title : m->page->model);
    fputs("</h1>\n", m->to);
}

static void write_sub(rg_page_maker *m)
{
    const rg_solution *s = m->page->solution;

    fputs("<p class=\"sub\">", m->to);
    if (s != NULL)
        fprintf(m->to, "Solved by %s, %lld %s", s->method, (long long)s->stats.steps,
                s->has_mesh ? "mesh intervals" : "steps");
    else
        fputs(m->page->comparison != NULL ? "Several methods side by side"
              : m->page->orders != NULL   ? "Observed orders of convergence"
              : m->page->sweep != NULL    ? "One model, many runs"
                                          : "Analysis of the model",
              m->to);
    fputs("</p>\n", m->to);
}

static void write_failure(rg_page_maker *m)
{
    if (m->page->error == NULL || m->page->error->code >= 0) return;
    fputs("<p class=\"bad\">The run ended early: ", m->to);
    write_xml(m, m->page->error->message);
    fputs("<br/>Remedy: ", m->to);
    write_xml(m, m->page->error->remedy);
    fputs("</p>\n", m->to);
}

static void write_warnings(rg_page_maker *m)
{
    const rg_solution *s = m->page->solution;
    const int n = s != NULL ? rg_solution_warning_count(s)
                            : rg_problem_warning_count(rg_page_problem(m->page));

    for (int k = 0; k < n; k++) {
        fputs("<p class=\"warn\">", m->to);
        write_xml(m, s != NULL ? rg_solution_warning(s, k)
                               : rg_problem_warning(rg_page_problem(m->page), k));
        fputs("</p>\n", m->to);
    }
}

static void write_model(rg_page_maker *m)
{
    const rg_problem *p = rg_page_problem(m->page);

    if (p->source == NULL) return;
    fputs("<section><h2>Model</h2>\n", m->to);
    if (m->page->equations != NULL) {
        fputs("<div class=\"equations\">\n", m->to);
        m->page->equations(p, EQUATIONS, m->to);
        fputs("</div>\n", m->to);
    }
    fputs("<details><summary>Text of the model</summary>\n<pre>", m->to);
    rg_text_write_xml(m->to, p->source->text);
    fputs("</pre></details></section>\n", m->to);
}

static void write_foot(rg_page_maker *m)
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
static bool has_motion(const rg_page_maker *m)
{
    return m->scene.n_shapes > 0 && m->scene.n > 1 && !m->page->solution->problem->is_boundary;
}

/* Eight phases, which the script replaces by the motion. */
static rg_status write_stage(rg_page_maker *m)
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

typedef struct {
    const rg_page *page;
    rg_status status;
} field_writer;

static void run_fields(FILE *to, const void *user)
{
    field_writer *w = (field_writer *)(uintptr_t)user;

    w->status = w->page->fields(w->page->solution, to);
}

/* Fields on a grid, unless their picture is too large for a page. */
static rg_status write_fields(rg_page_maker *m)
{
    field_writer w = {m->page, RG_OK};
    char *text = NULL;

    if (m->page->fields == NULL || !m->page->facts->has_grid) return RG_OK;
    RG_TRY(rg_output_text(m->page->ctx, run_fields, &w, &text));
    if (w.status == RG_OK && text[0] != '\0') {
        fputs("<section><h2>Fields at the end</h2>\n", m->to);
        if (strlen(text) <= FIELD_BYTES)
            fprintf(m->to, "<figure class=\"sheet\">\n%s</figure>", text);
        else
            fputs("<p>The picture is too large for a page: --svg or --png writes it.</p>", m->to);
        fputs("</section>\n", m->to);
    }
    rg_free_text(&text);
    return w.status;
}

/* ---- kinds of pages -------------------------------------------------------------------------- */
/* As many columns as the size of the file allows. */
static rg_status take_series(rg_page_maker *m)
{
    const rg_solution *s = m->page->solution;
    const int64_t count = rg_solution_columns(s),
                  columns = count < RG_FIGURE_COLUMNS ? count : RG_FIGURE_COLUMNS;
    int64_t rows = NUMBERS / (columns + 1);

    rows = rows < LEAST_ROWS ? LEAST_ROWS : rows > RG_PAGE_ROWS ? RG_PAGE_ROWS : rows;
    RG_TRY(rg_solution_series(s, NULL, rows, &m->series, &m->left_out));
    const int64_t fits = 3 * NUMBERS / 2 / (m->series.n + 1) - 1;
    m->n_columns = fits < m->series.n_columns ? (int)fits : m->series.n_columns;
    m->left_out += m->series.n_columns - m->n_columns;
    return RG_OK;
}

static rg_status write_solution(rg_page_maker *m)
{
    RG_TRY(take_series(m));
    RG_TRY(rg_scene_take(m->page->solution, FRAMES, &m->scene));
    RG_TRY(write_stage(m));
    RG_TRY(write_fields(m));
    fputs("<section><h2>Solution</h2>\n", m->to);
    RG_TRY(write_outputs(m));
    if (m->left_out > 0)
        fprintf(m->to, "<p>%lld more outputs are not shown.</p>\n", (long long)m->left_out);
    RG_TRY(rg_page_phases_write(m));
    fputs("</section>\n", m->to);
    RG_TRY(rg_page_errors_write(m));
    write_model(m);
    rg_page_decisions_write(m->page, m->to);
    RG_TRY(rg_page_run_write(m));
    RG_TRY(rg_page_structure_write(m->page, m->to));
    rg_page_end_values_write(m->page, m->to);
    return RG_OK;
}

static rg_status write_check(rg_page_maker *m)
{
    rg_page_decisions_write(m->page, m->to);
    write_model(m);
    return rg_page_structure_write(m->page, m->to);
}

static rg_status write_comparison(rg_page_maker *m)
{
    fputs("<section><h2>Error and cost</h2>\n", m->to);
    RG_TRY(rg_page_compare_points_write(m));
    rg_page_comparison_write(m->page, m->to);
    fputs("</section>\n", m->to);
    write_model(m);
    return RG_OK;
}

static rg_status write_orders(rg_page_maker *m)
{
    const rg_orders *o = m->page->orders;

    fprintf(m->to, "<section><h2>%s, %s</h2>\n", o->method, o->formulation);
    RG_TRY(rg_page_order_points_write(m));
    rg_page_orders_write(m->page, m->to);
    fputs("</section>\n", m->to);
    write_model(m);
    return RG_OK;
}

static rg_status write_sweep(rg_page_maker *m)
{
    fputs("<section><h2>Outputs over parameters</h2>\n", m->to);
    RG_TRY(rg_page_sweep_points_write(m));
    fputs("</section>\n", m->to);
    rg_page_sweep_write(m->page, m->to);
    write_model(m);
    return RG_OK;
}

static rg_status write_all(rg_page_maker *m)
{
    write_head(m);
    write_sub(m);
    write_failure(m);
    write_warnings(m);
    if (m->page->comparison != NULL)
        RG_TRY(write_comparison(m));
    else if (m->page->orders != NULL)
        RG_TRY(write_orders(m));
    else if (m->page->sweep != NULL)
        RG_TRY(write_sweep(m));
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
    fputs("<script>\n//<![CDATA[\n", m->to); /* for those who read the page as XML */
    for (int k = 0; rg_page_script[k] != NULL; k++)
        fputs(rg_page_script[k], m->to);
    fputs("//]]>\n</script>\n</body></html>\n", m->to);
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
    rg_page_maker m = {.page = &full};
    rg_output *output = NULL;

    if (full.model == NULL) full.model = "";
    if (full.command == NULL) full.command = "";
    if (full.date == NULL) full.date = today(date, sizeof date);
    m.plots = rg_alloc(full.ctx, RG_PAGE_PLOTS, sizeof *m.plots);
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
