/* Draws a chart: frame, marks, lines, and their names at the right end. */
#include "figure/chart.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

enum { TEXT_SIZE = 8, LINE_ROOM = 9, LEAST_SIDE = 16 }; /* points */

static double width_of(int letters)
{
    return 0.62 * TEXT_SIZE * letters;
}

static bool is_on(bool is_log, double value)
{
    return isfinite(value) && (!is_log || value > 0.0);
}

/* Points of a trace that have a place. */
static bool is_placed(const rg_chart *c, const rg_trace *t, int64_t k)
{
    return is_on(c->log_x, t->x[k]) && is_on(c->log_y, t->y[k]);
}

static void find_range(const rg_chart *c, double x[2], double y[2])
{
    x[0] = y[0] = INFINITY;
    x[1] = y[1] = -INFINITY;
    for (int i = 0; i < c->n; i++)
        for (int64_t k = 0; k < c->trace[i].n; k++) {
            const rg_trace *t = &c->trace[i];
            if (is_on(c->log_x, t->x[k])) { /* the axis goes on where a line has a gap */
                x[0] = fmin(x[0], t->x[k]);
                x[1] = fmax(x[1], t->x[k]);
            }
            if (!is_placed(c, t, k)) continue;
            y[0] = fmin(y[0], t->y[k]);
            y[1] = fmax(y[1], t->y[k]);
        }
}

static int marks_for(double room, double each)
{
    const int n = (int)(room / each);

    return n < 2 ? 2 : n > 8 ? 8 : n;
}

void rg_chart_fit(rg_chart *c, double x, double y, double w, double h)
{
    double across[2], up[2];

    find_range(c, across, up);
    c->x = x;
    c->y = y;
    c->w = w;
    c->h = h;
    const double x_margin = c->is_same_unit || c->log_x ? 0.05 : 0.0;
    c->across = rg_scale_make(across[0], across[1], c->log_x, x_margin, marks_for(w, 55.0));
    c->up = rg_scale_make(up[0], up[1], c->log_y, 0.06, marks_for(h, 22.0));
}

/* The shorter side is made longer, so that circles are circles. */
static void same_unit(rg_chart *c)
{
    const double across = (c->across.high - c->across.low) / c->w,
                 up = (c->up.high - c->up.low) / c->h, unit = fmax(across, up);
    const double x = 0.5 * (c->across.low + c->across.high), y = 0.5 * (c->up.low + c->up.high);

    c->across = rg_scale_make(x - 0.5 * unit * c->w, x + 0.5 * unit * c->w, false, 0.0,
                              marks_for(c->w, 55.0));
    c->up = rg_scale_make(y - 0.5 * unit * c->h, y + 0.5 * unit * c->h, false, 0.0,
                          marks_for(c->h, 22.0));
}

void rg_chart_place(rg_chart *c, double left, double right)
{
    const double below = c->x_name != NULL ? 24.0 : 5.0,
                 above = (c->title != NULL ? 16.0 : 5.0) + (c->up.power != 0 ? 5.0 : 0.0);

    c->x += left;
    c->w -= left + right;
    c->y += above;
    c->h -= above + below;
    if (c->w < LEAST_SIDE) c->w = LEAST_SIDE;
    if (c->h < LEAST_SIDE) c->h = LEAST_SIDE;
    c->up = rg_scale_make(c->up.low, c->up.high, c->log_y, 0.0, marks_for(c->h, 22.0));
    if (c->is_same_unit && !c->log_x && !c->log_y) same_unit(c);
}

double rg_chart_left(const rg_chart *c)
{
    char text[64];
    int most = 1;

    for (int k = 0; k < c->up.n; k++) {
        rg_mark_typeset(c->up.text[k], text, sizeof text);
        if (rg_utf8_length(text) > most) most = rg_utf8_length(text);
    }
    return width_of(most) + 10.0;
}

enum { LONGEST_NAME = 24, MOST_NAMES = 2 * RG_PANEL_LINES };

double rg_chart_right(const rg_chart *c)
{
    int most = 0;

    for (int k = 0; c->has_labels && k < c->n; k++) {
        const int n = rg_utf8_length(c->trace[k].name);
        if (n > most) most = n;
    }
    return most == 0 ? 8.0 : 10.0 + width_of(most < LONGEST_NAME ? most : LONGEST_NAME + 1);
}

double rg_chart_x(const rg_chart *c, double value)
{
    return is_on(c->log_x, value) ? c->x + c->w * rg_scale_part(&c->across, value) : NAN;
}

double rg_chart_y(const rg_chart *c, double value)
{
    return is_on(c->log_y, value) ? c->y + c->h * (1.0 - rg_scale_part(&c->up, value)) : NAN;
}

/* All lines of one kind are one path. */
static rg_status draw_segments(rg_canvas *sheet, int n, const double *x, const double *y, int pen,
                               double width)
{
    return n > 0 ? rg_canvas_path(sheet, n, x, y, width, pen, false, "") : RG_OK;
}

static rg_status draw_grid(const rg_chart *c, rg_canvas *sheet, bool is_ticks)
{
    double x[6 * RG_MARKS], y[6 * RG_MARKS];
    int n = 0;

    for (int k = 0; k < c->up.n; k++, n += 3) {
        const double at = rg_chart_y(c, c->up.at[k]);
        x[n] = is_ticks ? c->x - 3.0 : c->x;
        x[n + 1] = is_ticks ? c->x : c->x + c->w;
        y[n] = y[n + 1] = at;
        x[n + 2] = y[n + 2] = NAN;
    }
    for (int k = 0; k < c->across.n; k++, n += 3) {
        const double at = rg_chart_x(c, c->across.at[k]);
        y[n] = is_ticks ? c->y + c->h + 3.0 : c->y + c->h;
        y[n + 1] = is_ticks ? c->y + c->h : c->y;
        x[n] = x[n + 1] = at;
        x[n + 2] = y[n + 2] = NAN;
    }
    return draw_segments(sheet, n, x, y, is_ticks ? RG_PEN_AXIS : RG_PEN_GRID,
                         is_ticks ? 0.7 : 0.6);
}

static void draw_power(const rg_scale *s, double x, double y, rg_text_place place, rg_canvas *sheet)
{
    char text[RG_MARK_TEXT], power[64], full[80];

    rg_scale_power(s, text, sizeof text);
    if (text[0] == '\0') return;
    rg_mark_typeset(text, power, sizeof power);
    snprintf(full, sizeof full, "\u00d7 %s", power);
    rg_canvas_label(sheet, x, y, 7.0, place, RG_PEN_AXIS, false, full);
}

static rg_status draw_frame(const rg_chart *c, rg_canvas *sheet)
{
    const double x[3] = {c->x, c->x, c->x + c->w}, y[3] = {c->y, c->y + c->h, c->y + c->h};
    char text[64];

    RG_TRY(draw_grid(c, sheet, false));
    RG_TRY(draw_grid(c, sheet, true));
    RG_TRY(rg_canvas_path(sheet, 3, x, y, 0.7, RG_PEN_AXIS, false, ""));
    for (int k = 0; k < c->up.n; k++) {
        rg_mark_typeset(c->up.text[k], text, sizeof text);
        rg_canvas_label(sheet, c->x - 5.0, rg_chart_y(c, c->up.at[k]) + 2.8, TEXT_SIZE, RG_TEXT_END,
                        RG_PEN_AXIS, false, text);
    }
    for (int k = 0; c->x_name != NULL && k < c->across.n; k++) {
        rg_mark_typeset(c->across.text[k], text, sizeof text);
        rg_canvas_label(sheet, rg_chart_x(c, c->across.at[k]), c->y + c->h + 11.5, TEXT_SIZE,
                        RG_TEXT_MIDDLE, RG_PEN_AXIS, false, text);
    }
    draw_power(&c->up, c->x + 1.0, c->y - 2.5, RG_TEXT_START, sheet);
    if (c->x_name != NULL)
        draw_power(&c->across, c->x + c->w, c->y + c->h + 21.5, RG_TEXT_END, sheet);
    if (c->x_name != NULL)
        rg_canvas_label(sheet, c->x + 0.5 * c->w, c->y + c->h + 21.5, TEXT_SIZE, RG_TEXT_MIDDLE,
                        RG_PEN_AXIS, false, c->x_name);
    if (c->title != NULL)
        rg_canvas_label(sheet, c->x, c->y - 7.0, TEXT_SIZE, RG_TEXT_START, RG_PEN_AXIS, false,
                        c->title);
    return RG_OK;
}

static rg_status draw_trace(const rg_chart *c, const rg_trace *t, rg_canvas *sheet)
{
    double *x = rg_alloc(sheet->ctx, 2 * (size_t)t->n + 1, sizeof *x);

    if (x == NULL) return RG_ERR_MEMORY;
    double *const y = x + t->n;
    for (int64_t k = 0; k < t->n; k++) {
        x[k] = rg_chart_x(c, t->x[k]);
        y[k] = rg_chart_y(c, t->y[k]);
    }
    rg_status status = RG_OK;
    if (!t->is_scattered)
        status =
            rg_canvas_path(sheet, t->n, x, y, t->is_dashed ? 0.8 : 1.2, t->pen, t->is_dashed, "");
    for (int64_t k = 0; t->has_dots && k < t->n; k++)
        if (isfinite(x[k]) && isfinite(y[k])) rg_canvas_dot(sheet, x[k], y[k], 1.9, t->pen);
    rg_free(sheet->ctx, x);
    return status;
}

/* ---- names at the right ---------------------------------------------------------------------- */
static double last_place(const rg_chart *c, const rg_trace *t)
{
    double best = -INFINITY, y = NAN;

    for (int64_t k = t->n - 1; k >= 0; k--)
        if (is_placed(c, t, k) && rg_chart_x(c, t->x[k]) > best) {
            best = rg_chart_x(c, t->x[k]);
            y = rg_chart_y(c, t->y[k]);
        }
    return isnan(y) ? c->y + 0.5 * c->h : y;
}

/* Names keep their order from above, and the room of a line from one another. */
static void spread(int n, double *y, double top, double bottom)
{
    for (int k = 0; k < n; k++) {
        if (y[k] < top) y[k] = top;
        if (k > 0 && y[k] < y[k - 1] + LINE_ROOM) y[k] = y[k - 1] + LINE_ROOM;
    }
    for (int k = n - 1; k >= 0; k--) {
        const double most = k == n - 1 ? bottom : y[k + 1] - LINE_ROOM;
        if (y[k] > most) y[k] = most;
    }
}

static void draw_names(const rg_chart *c, rg_canvas *sheet)
{
    double y[MOST_NAMES];
    int order[MOST_NAMES], n = 0;
    char text[128];

    for (int k = 0; k < c->n && n < MOST_NAMES; k++) {
        if (c->trace[k].name[0] == '\0') continue;
        const double at = last_place(c, &c->trace[k]);
        int i = n++;
        for (; i > 0 && y[i - 1] > at; i--) {
            y[i] = y[i - 1];
            order[i] = order[i - 1];
        }
        y[i] = at;
        order[i] = k;
    }
    spread(n, y, c->y + 3.0, c->y + c->h);
    for (int i = 0; i < n; i++) {
        const char *name = c->trace[order[i]].name;
        size_t used = 0;
        for (int k = 0; k < LONGEST_NAME && name[used] != '\0'; k++)
            used += (size_t)rg_utf8_next(name + used, strlen(name + used), NULL);
        snprintf(text, sizeof text, "%.*s%s", (int)used, name,
                 name[used] != '\0' ? RG_CUT_MARK : "");
        rg_canvas_label(sheet, c->x + c->w + 5.0, y[i] + 2.8, TEXT_SIZE, RG_TEXT_START,
                        c->trace[order[i]].pen, false, text);
    }
}

rg_status rg_chart_draw(const rg_chart *c, rg_canvas *sheet)
{
    RG_TRY(draw_frame(c, sheet));
    for (int k = 0; k < c->n; k++)
        RG_TRY(draw_trace(c, &c->trace[k], sheet));
    if (c->has_labels) draw_names(c, sheet);
    return RG_OK;
}
