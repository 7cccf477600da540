/* Comparisons and observed orders as figures, both axes logarithmic: errors over evaluations, a
 * point per method; errors over steps, a line per unknown, and dashed the slope of theory. */
#include "figure/chart.h"
#include "report/report.h"
#include "solution/comparison.h"
#include "solution/orders.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 160, HEIGHT = 100 }; /* mm */

/* One chart on a sheet. */
static rg_status write_chart(rg_context *ctx, int n, const rg_trace *traces, const char *x_name,
                             const char *title, const char *path)
{
    rg_chart chart = {.n = n,
                      .trace = traces,
                      .log_x = true,
                      .log_y = true,
                      .x_name = x_name,
                      .has_labels = true};
    rg_canvas sheet;

    rg_status status = rg_canvas_open_mm(ctx, path, WIDTH, HEIGHT, title, &sheet);
    if (status == RG_OK) {
        rg_canvas_label(&sheet, 0.5 * sheet.width, 12.0, 9.0, RG_TEXT_MIDDLE, RG_PEN_AXIS, false,
                        title);
        rg_chart_fit(&chart, 4.0, 16.0, sheet.width - 6.0, sheet.height - 18.0);
        rg_chart_place(&chart, rg_chart_left(&chart), rg_chart_right(&chart));
        status = rg_chart_draw(&chart, &sheet);
    }
    return rg_canvas_close(&sheet, status);
}

/* ---- orders ---------------------------------------------------------------------------------- */
enum { LINES = RG_PANEL_LINES, STEPS = 64, NAME = 128 };

typedef struct {
    rg_trace trace[2 * LINES];
    double x[LINES][STEPS], y[LINES][STEPS], slope_x[LINES][2], slope_y[LINES][2];
    char name[LINES][NAME];
    int n, n_lines;
} lines;

/* From the first of the last pair above rounding, with the slope of theory. */
static void add_slope(lines *l, const rg_orders *o, int64_t j, int pair)
{
    const int k = l->n_lines;
    double *x = l->slope_x[k], *y = l->slope_y[k];

    if (pair < 0 || o->theory[j] <= 0) return;
    x[0] = o->steps[pair];
    x[1] = o->steps[pair + 1];
    y[0] = rg_orders_error(o, pair, j);
    y[1] = y[0] * pow(x[1] / x[0], o->theory[j]);
    l->trace[l->n++] = (rg_trace){.name = "", .n = 2, .x = x, .y = y, .pen = k, .is_dashed = true};
}

static void add_unknown(lines *l, const rg_orders *o, int64_t j)
{
    const int k = l->n_lines, pair = rg_orders_last_pair(o, j);
    const int n = o->n_done < STEPS ? o->n_done : STEPS;
    char name[64], observed[32] = "rounding";

    for (int i = 0; i < n; i++) {
        l->x[k][i] = o->steps[i];
        l->y[k][i] = rg_orders_error(o, i, j);
    }
    rg_problem_name(o->problem, j, name, sizeof name);
    if (pair >= 0) snprintf(observed, sizeof observed, "%.2f", rg_orders_observed(o, pair, j));
    snprintf(l->name[k], NAME, "%s: %s (theory %d)", name, observed, o->theory[j]);
    l->trace[l->n++] = (rg_trace){
        .name = l->name[k], .n = n, .x = l->x[k], .y = l->y[k], .pen = k, .has_dots = true};
    add_slope(l, o, j, pair);
    l->n_lines++;
}

rg_status rg_orders_write_svg(const rg_orders *o, const char *path)
{
    lines *l;
    char title[200];
    int used;

    if (o == NULL || path == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(o->ctx);
    l = rg_alloc(o->ctx, 1, sizeof *l);
    if (l == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < o->problem->n && l->n_lines < LINES; j++)
        if (o->n_done > 0 && rg_orders_error(o, 0, j) > 0.0) add_unknown(l, o, j);
    used = snprintf(title, sizeof title, "Error at the end, %s", o->method);
    if (o->stages > 0)
        used += snprintf(title + used, sizeof title - (size_t)used, ", %d stages", o->stages);
    if (o->order > 0)
        used += snprintf(title + used, sizeof title - (size_t)used, ", order %d", o->order);
    snprintf(title + used, sizeof title - (size_t)used, ", %s", o->formulation);
    const rg_status status = write_chart(o->ctx, l->n, l->trace, "step", title, path);
    rg_free(o->ctx, l);
    return status;
}

/* ---- comparisons ----------------------------------------------------------------------------- */
rg_status rg_comparison_write_svg(const rg_comparison *c, const char *path)
{
    char title[300];

    if (c == NULL || path == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(c->ctx);
    rg_trace *trace = rg_alloc(c->ctx, (size_t)c->n_rows + 1, sizeof *trace);
    double *point = rg_alloc(c->ctx, 2 * (size_t)c->n_rows + 1, sizeof *point);
    rg_status status = trace != NULL && point != NULL ? RG_OK : RG_ERR_MEMORY;
    for (int k = 0; status == RG_OK && k < c->n_rows; k++) {
        point[2 * k] = (double)c->row[k].stats.evaluations;
        point[2 * k + 1] = c->row[k].error;
        trace[k] = (rg_trace){.name = c->row[k].text,
                              .n = 1,
                              .x = point + 2 * k,
                              .y = point + 2 * k + 1,
                              .pen = k,
                              .has_dots = true};
    }
    snprintf(title, sizeof title, "%.200s%sLargest error", rg_problem_title(c->problem),
             rg_problem_title(c->problem)[0] != '\0' ? ": " : "");
    if (status == RG_OK) status = write_chart(c->ctx, c->n_rows, trace, "evaluations", title, path);
    rg_free(c->ctx, trace);
    rg_free(c->ctx, point);
    return status;
}
