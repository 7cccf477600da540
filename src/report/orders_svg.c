/* Comparisons and observed orders as figures, both axes logarithmic: errors over evaluations, a
 * point per method; errors over steps, a line per unknown, and dashed the slopes of theory. */
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
    rg_trace trace[2 * LINES]; /* unknowns, then slopes */
    int64_t unknown[LINES];
    double x[LINES][STEPS], y[LINES][STEPS], slope_x[LINES][2], slope_y[LINES][2];
    char name[LINES][NAME], slope_name[LINES][NAME];
    int n_lines, n_slopes;
} lines;

static bool is_shown(const rg_orders *o, int64_t j)
{
    return o->n_done > 0 && rg_orders_error(o, 0, j) > 0.0;
}

static bool is_taken(const lines *l, int64_t j)
{
    for (int k = 0; k < l->n_lines; k++)
        if (l->unknown[k] == j) return true;
    return false;
}

/* Observed order above theory; infinity: all errors are rounding. */
static double margin(const rg_orders *o, int64_t j)
{
    const int pair = rg_orders_last_pair(o, j);

    return pair < 0 ? INFINITY : rg_orders_observed(o, pair, j) - o->theory[j];
}

/* Of a kind, the unknown farthest below theory that is not yet drawn; -1: none. */
static int64_t next_of_kind(const lines *l, const rg_orders *o, int kind)
{
    int64_t best = -1;

    for (int64_t j = 0; j < o->problem->n; j++)
        if (o->kind[j] == kind && is_shown(o, j) && !is_taken(l, j)
            && (best < 0 || margin(o, j) < margin(o, best)))
            best = j;
    return best;
}

/* All unknowns in their order; of more than there is room for, of every kind in turn the next. */
static void choose_unknowns(lines *l, const rg_orders *o, int64_t count)
{
    for (int64_t j = 0; j < o->problem->n && count <= LINES; j++)
        if (is_shown(o, j)) l->unknown[l->n_lines++] = j;
    for (int kind = 1; l->n_lines < (count < LINES ? count : LINES); kind = kind % 3 + 1) {
        const int64_t j = next_of_kind(l, o, kind);
        if (j >= 0) l->unknown[l->n_lines++] = j;
    }
}

static void add_unknown(lines *l, const rg_orders *o, int k)
{
    const int64_t j = l->unknown[k];
    const int pair = rg_orders_last_pair(o, j), n = o->n_done < STEPS ? o->n_done : STEPS;
    char name[64], observed[32] = "rounding";

    for (int i = 0; i < n; i++) {
        l->x[k][i] = o->steps[i];
        l->y[k][i] = rg_orders_error(o, i, j);
    }
    rg_problem_name(o->problem, j, name, sizeof name);
    if (pair >= 0) snprintf(observed, sizeof observed, "%.2f", rg_orders_observed(o, pair, j));
    snprintf(l->name[k], NAME, "%s: %s (theory %d)", name, observed, o->theory[j]);
    l->trace[k] = (rg_trace){
        .name = l->name[k], .n = n, .x = l->x[k], .y = l->y[k], .pen = k, .has_dots = true};
}

/* A line of slope p from the longest step to the shortest above rounding of the unknowns with this
 * theory, at most half of their errors there: beside them, for on them it would not be seen. */
static void add_slope(lines *l, const rg_orders *o, int p)
{
    const int k = l->n_slopes;
    double *x = l->slope_x[k], *y = l->slope_y[k];

    x[0] = x[1] = y[0] = NAN;
    for (int i = 0; i < o->n_done; i++)
        x[0] = fmax(x[0], o->steps[i]);
    for (int i = 0; i < l->n_lines; i++) {
        const int pair = rg_orders_last_pair(o, l->unknown[i]);
        if (pair < 0 || o->theory[l->unknown[i]] != p) continue;
        const double h = fmin(o->steps[pair], o->steps[pair + 1]);
        const double error =
            rg_orders_error(o, h < o->steps[pair] ? pair + 1 : pair, l->unknown[i]);
        y[0] = fmin(y[0], 0.5 * error * pow(x[0] / h, p));
        x[1] = fmin(x[1], h);
    }
    if (isnan(x[1])) return;
    y[1] = y[0] * pow(x[1] / x[0], p);
    snprintf(l->slope_name[k], NAME, "order %d", p);
    l->trace[l->n_lines + l->n_slopes++] = (rg_trace){
        .name = l->slope_name[k], .n = 2, .x = x, .y = y, .pen = RG_PEN_AXIS, .is_dashed = true};
}

/* Every order of theory once. */
static void add_slopes(lines *l, const rg_orders *o)
{
    for (int k = 0; k < l->n_lines; k++) {
        const int p = o->theory[l->unknown[k]];
        bool is_new = p > 0;
        for (int i = 0; i < k; i++)
            is_new = is_new && o->theory[l->unknown[i]] != p;
        if (is_new) add_slope(l, o, p);
    }
}

/* "Error at the end, gauss, 3 stages, direct; 8 of 40 unknowns" */
static void write_title(const rg_orders *o, int64_t shown, int64_t count, size_t size, char *title)
{
    size_t used = (size_t)snprintf(title, size, "Error at the end, %s", o->method);

    if (o->stages > 0)
        used += (size_t)snprintf(title + used, size - used, ", %d stages", o->stages);
    if (o->order > 0) used += (size_t)snprintf(title + used, size - used, ", order %d", o->order);
    used += (size_t)snprintf(title + used, size - used, ", %s", o->formulation);
    if (shown < count)
        snprintf(title + used, size - used, "; %lld of %lld unknowns", (long long)shown,
                 (long long)count);
}

rg_status rg_orders_write_svg(const rg_orders *o, const char *path)
{
    lines *l;
    char title[200];
    int64_t count = 0;

    if (o == NULL || path == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(o->ctx);
    l = rg_alloc(o->ctx, 1, sizeof *l);
    if (l == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < o->problem->n; j++)
        count += is_shown(o, j);
    choose_unknowns(l, o, count);
    for (int k = 0; k < l->n_lines; k++)
        add_unknown(l, o, k);
    add_slopes(l, o);
    write_title(o, l->n_lines, count, sizeof title, title);
    const rg_status status =
        write_chart(o->ctx, l->n_lines + l->n_slopes, l->trace, "step", title, path);
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
