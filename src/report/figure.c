/* Figures of solutions and of CSV files: SVG, and lines of characters for a terminal. */
#include "figure/chart.h"
#include "figure/table.h"
#include "report/samples.h"
#include "report/scene.h"
#include "report/tuning.h"

#include <math.h>
#include <string.h>

enum { MOST_PANELS = 4, WIDTH = 160, HEIGHT = 100, LEAST = 20, MOST = 2000 }; /* mm */

/* A struct of an older header is shorter: what it has not got is 0. */
static rg_figure figure_of(const rg_figure *f)
{
    rg_figure full = {.size = sizeof full};

    if (f != NULL) memcpy(&full, f, f->size < sizeof full ? f->size : sizeof full);
    return full;
}

/* The default is higher with more than two panels. */
static rg_status choose_size(rg_context *ctx, rg_figure *f, int panels)
{
    if (f->width == 0.0) f->width = WIDTH;
    if (f->height == 0.0) f->height = HEIGHT + (panels > 2 ? 30 * (panels - 2) : 0);
    if (f->width >= LEAST && f->width <= MOST && f->height >= LEAST && f->height <= MOST)
        return RG_OK;
    rg_fail(ctx, RG_ERR_ARGUMENT, "a figure of %g x %g mm cannot be made", f->width, f->height);
    return rg_remedy(ctx, "give %d to %d mm each", LEAST, MOST);
}

static rg_status write_svg(const rg_series *s, rg_figure *f, int64_t left_out, const char *title,
                           const char *path)
{
    rg_panels panels;

    RG_TRY(rg_panels_choose(s, f->show, f->log, MOST_PANELS, &panels));
    if (f->show == NULL || f->show[0] == '\0') panels.left_out += (int)left_out;
    rg_status status = choose_size(s->ctx, f, panels.n);
    if (status == RG_OK) status = rg_sheet_write(s, &panels, title, f->width, f->height, path);
    rg_panels_clear(&panels);
    return status;
}

static rg_status write_plot(const rg_series *s, const rg_figure *f, int64_t left_out,
                            const char *title, int width, FILE *to)
{
    const rg_terminal terminal = {.width = width > 0 ? width : 80,
                                  .is_ascii = f->is_ascii != 0,
                                  .has_colour = f->has_colour != 0};
    rg_panels panels;

    RG_TRY(rg_panels_choose(s, f->show, f->log, MOST_PANELS, &panels));
    if (f->show == NULL || f->show[0] == '\0') panels.left_out += (int)left_out;
    const rg_status status = rg_terminal_write(s, &panels, title, &terminal, to);
    rg_panels_clear(&panels);
    return status;
}

static const char *title_of(const rg_solution *s, const rg_problem *p)
{
    return rg_problem_title(p != NULL ? p : s->problem);
}

enum { FRAMES = 240 };

/* What the model draws, unless outputs are asked for. */
static rg_status write_scene(const rg_solution *s, rg_figure *f, const char *title,
                             const char *path)
{
    rg_scene scene;

    RG_TRY(choose_size(s->ctx, f, 1));
    RG_TRY(rg_scene_take(s, FRAMES, &scene));
    const rg_status status =
        rg_scene_write_svg(&scene, s->problem->is_boundary, title, f->width, f->height, path);
    rg_scene_clear(&scene);
    return status;
}

rg_status rg_report_svg(const rg_solution *s, const rg_problem *p, const rg_figure *f,
                        const char *path)
{
    rg_figure figure = figure_of(f);
    rg_series series;
    int64_t left_out;

    if (s == NULL || path == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(s->ctx);
    const bool is_scene = s->problem->n_shapes > 0 && s->n_rows > 0
                          && (figure.show == NULL || figure.show[0] == '\0')
                          && (figure.log == NULL || figure.log[0] == '\0');
    if (is_scene) return write_scene(s, &figure, title_of(s, p), path);
    RG_TRY(rg_solution_series(s, figure.show, RG_FIGURE_ROWS, &series, &left_out));
    const rg_status status = write_svg(&series, &figure, left_out, title_of(s, p), path);
    rg_series_clear(&series);
    return status;
}

rg_status rg_report_svg_of(const rg_solution *s, const rg_problem *p, const char *show,
                           const char *log, double width, double height, const char *path)
{
    const rg_figure f = {
        .size = sizeof f, .show = show, .log = log, .width = width, .height = height};

    return rg_report_svg(s, p, &f, path);
}

rg_status rg_report_figure(const rg_solution *s, const rg_problem *p, const rg_figure *f, int width,
                           FILE *to)
{
    const rg_figure figure = figure_of(f);
    rg_series series;
    int64_t left_out;

    if (s == NULL || to == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(s->ctx);
    RG_TRY(rg_solution_series(s, figure.show, RG_FIGURE_ROWS, &series, &left_out));
    const rg_status status = write_plot(&series, &figure, left_out, title_of(s, p), width, to);
    rg_series_clear(&series);
    return status;
}

rg_status rg_report_plot(const rg_solution *s, const rg_problem *p, int width, FILE *to)
{
    return rg_report_figure(s, p, NULL, width, to);
}

rg_status rg_report_csv_figure(rg_context *ctx, const char *csv, const rg_figure *f,
                               const char *svg, int width, FILE *to)
{
    rg_figure figure = figure_of(f);
    rg_table table;
    rg_series series = {0};

    if (ctx == NULL || csv == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(ctx);
    RG_TRY(rg_table_read(ctx, csv, &table));
    const rg_samples samples = rg_table_samples(&table);
    rg_status status = rg_series_take(ctx, &samples, RG_FIGURE_ROWS, &series);
    if (status == RG_OK && svg != NULL) status = write_svg(&series, &figure, 0, "", svg);
    if (status == RG_OK && to != NULL) status = write_plot(&series, &figure, 0, "", width, to);
    rg_series_clear(&series);
    rg_table_clear(&table);
    return status;
}
