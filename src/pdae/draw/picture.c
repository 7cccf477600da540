/* One panel per draw item: the values in colours, axes, a scale, stream lines. */
#include "pdae/draw/picture.h"

#include "figure/canvas.h"
#include "figure/scale.h"
#include "figure/tuning.h"
#include "pdae/draw/lines.h"
#include "pdae/draw/tuning.h"
#include "pdae/form/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEFT = 56,
    TOP = 30,
    BOTTOM = 40,
    RIGHT = 92,
    HEAD = 30,
    SIZE = 340,
    ACROSS = 34,
    TICKS = 5,
    TICK_ROOM = 16
};
static const rg_colour dark = {40, 40, 40}, solid_colour = {170, 170, 170}, white = {255, 255, 255};

typedef struct {
    rg_canvas *c;
    rg_frame *f;
    const rg_form_draw *item;
    double x, y, w, h;      /* of the plot on the sheet */
    double low[2], high[2]; /* of the axes; low[1], high[1] of a line: its values */
    double *value, least, most;
    bool is_signed;
} panel;

/* ---- values ---------------------------------------------------------------------------------- */
static int64_t slice_of(const rg_grid *g)
{
    return g->dims > 2 ? (int64_t)(g->axis[2].n / 2) * g->axis[0].n * g->axis[1].n : 0;
}

/* The values of the item on the plane that is shown; the size of a vector. */
static rg_status take_values(panel *p)
{
    const rg_grid *g = p->f->form->grid;
    const int64_t plane = (int64_t)g->axis[0].n * g->axis[1].n, from = slice_of(g);
    double *one = rg_alloc(p->f->form->ctx, (size_t)g->cells, sizeof *one);

    if (one == NULL) return RG_ERR_MEMORY;
    for (int d = 0; d < (p->item->is_vector ? g->dims : 1); d++) {
        rg_frame_eval(p->f, p->item->value[d], one);
        for (int64_t k = 0; k < g->cells; k++)
            p->value[k] = p->item->is_vector ? p->value[k] + one[k] * one[k] : one[k];
    }
    rg_free(p->f->form->ctx, one);
    p->least = INFINITY;
    p->most = -INFINITY;
    for (int64_t k = 0; k < g->cells; k++) {
        if (p->item->is_vector) p->value[k] = sqrt(p->value[k]);
        if (k < from || k >= from + plane || !isfinite(p->value[k]) || rg_frame_is_solid(p->f, k))
            continue;
        p->least = fmin(p->least, p->value[k]);
        p->most = fmax(p->most, p->value[k]);
    }
    if (!(p->least <= p->most)) p->least = p->most = 0.0;
    return RG_OK;
}

/* Values of both signs share a scale around 0; a few extreme ones (corners) do not set it. */
static int compare_sizes(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static rg_status choose_scale(panel *p)
{
    const rg_grid *g = p->f->form->grid;
    const int64_t plane = (int64_t)g->axis[0].n * g->axis[1].n, from = slice_of(g);
    double *size;
    int64_t n = 0;

    p->is_signed = p->least < 0.0 && p->most > 0.0 && -p->least > RG_DRAW_SIGNED * p->most
                   && p->most > -RG_DRAW_SIGNED * p->least;
    if (!p->is_signed || g->dims == 1) return RG_OK;
    size = rg_alloc(p->f->form->ctx, (size_t)plane, sizeof *size);
    if (size == NULL) return RG_ERR_MEMORY;
    for (int64_t k = from; k < from + plane; k++)
        if (isfinite(p->value[k]) && !rg_frame_is_solid(p->f, k)) size[n++] = fabs(p->value[k]);
    qsort(size, (size_t)n, sizeof *size, compare_sizes);
    p->most = n > 0 ? size[(n - 1) * 98 / 100] : 0.0;
    if (p->most == 0.0 && n > 0) p->most = size[n - 1];
    p->least = -p->most;
    rg_free(p->f->form->ctx, size);
    return RG_OK;
}

static rg_colour colour_of(const panel *p, double value)
{
    const double part = p->most > p->least ? (value - p->least) / (p->most - p->least) : 0.5;

    return p->is_signed ? rg_colour_signed(part) : rg_colour_ramp(part);
}

/* ---- parts of a panel ------------------------------------------------------------------------ */
static int cell_at(const rg_axis *a, double x)
{
    int low = 0, high = a->n;

    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (a->edge[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static rg_status draw_values(panel *p)
{
    const rg_grid *g = p->f->form->grid;
    const int nx = (int)(p->w * RG_CANVAS_SCALE), ny = (int)(p->h * RG_CANVAS_SCALE);
    unsigned char *rgb = rg_alloc(p->f->form->ctx, 3 * (size_t)nx * (size_t)ny, 1), *to = rgb;

    if (rgb == NULL) return RG_ERR_MEMORY;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++, to += 3) {
            const double x = p->low[0] + (i + 0.5) / nx * (p->high[0] - p->low[0]),
                         y = p->high[1] - (j + 0.5) / ny * (p->high[1] - p->low[1]);
            const int64_t cell = cell_at(&g->axis[0], x)
                                 + (int64_t)g->axis[0].n * cell_at(&g->axis[1], y) + slice_of(g);
            const rg_colour c = rg_frame_is_solid(p->f, cell) ? solid_colour
                                : !isfinite(p->value[cell])   ? white
                                                              : colour_of(p, p->value[cell]);
            to[0] = c.r;
            to[1] = c.g;
            to[2] = c.b;
        }
    const rg_status status = rg_canvas_image(p->c, p->x, p->y, p->w, p->h, nx, ny, rgb);
    rg_free(p->f->form->ctx, rgb);
    return status;
}

static void segment(rg_canvas *c, double x0, double y0, double x1, double y1, double width)
{
    const double x[2] = {x0, x1}, y[2] = {y0, y1};

    rg_canvas_line(c, 2, x, y, width, dark);
}

static void draw_frame(panel *p)
{
    segment(p->c, p->x, p->y, p->x + p->w, p->y, 0.8);
    segment(p->c, p->x, p->y + p->h, p->x + p->w, p->y + p->h, 0.8);
    segment(p->c, p->x, p->y, p->x, p->y + p->h, 0.8);
    segment(p->c, p->x + p->w, p->y, p->x + p->w, p->y + p->h, 0.8);
}

static void draw_axis(panel *p, int d)
{
    const double length = p->high[d] - p->low[d];
    char text[32];

    if (!(length > 0.0)) return;
    double step = rg_round_step(length, TICKS);
    const double room = d == 0 ? p->w : p->h, least = d == 0 ? 44.0 : TICK_ROOM;
    while (step / length * room < least)
        step *= 2.0;
    for (double v = ceil(p->low[d] / step - RG_SAME) * step; v <= p->high[d] + RG_SAME * length;
         v += step) {
        const double part = (v - p->low[d]) / length;
        rg_mark_text(v, step, text, sizeof text);
        if (d == 0) {
            const double x = p->x + part * p->w;
            segment(p->c, x, p->y + p->h, x, p->y + p->h + 4, 0.8);
            rg_canvas_text(p->c, x, p->y + p->h + 15, 10, RG_TEXT_MIDDLE, text);
        } else {
            const double y = p->y + (1.0 - part) * p->h;
            segment(p->c, p->x - 4, y, p->x, y, 0.8);
            rg_canvas_text(p->c, p->x - 7, y + 3.5, 10, RG_TEXT_END, text);
        }
    }
}

static void draw_names(panel *p)
{
    const rg_form *form = p->f->form;
    char text[160];

    rg_canvas_text(p->c, p->x + 0.5 * p->w, p->y + p->h + 30, 11, RG_TEXT_MIDDLE,
                   form->axis_name[0]);
    if (form->grid->dims > 1)
        rg_canvas_text(p->c, p->x - 42, p->y + 0.5 * p->h + 4, 11, RG_TEXT_MIDDLE,
                       form->axis_name[1]);
    if (form->grid->dims > 2)
        snprintf(text, sizeof text, "%.60s at %.20s = %.4g", p->item->name, form->axis_name[2],
                 form->grid->axis[2].centre[form->grid->axis[2].n / 2]);
    else
        snprintf(text, sizeof text, "%.100s", p->item->name);
    rg_canvas_text(p->c, p->x + 0.5 * p->w, p->y - 10, 12, RG_TEXT_MIDDLE, text);
}

/* Colours with their values, at the right. */
static rg_status draw_scale(panel *p)
{
    enum { STEPS = 200 };
    const double x = p->x + p->w + 14, w = 12, length = p->most - p->least;
    unsigned char rgb[3 * STEPS];
    char text[32];

    for (int k = 0; k < STEPS; k++) {
        const rg_colour c = colour_of(p, p->most - (k + 0.5) / STEPS * length);
        rgb[3 * k] = c.r;
        rgb[3 * k + 1] = c.g;
        rgb[3 * k + 2] = c.b;
    }
    RG_TRY(rg_canvas_image(p->c, x, p->y, w, p->h, 1, STEPS, rgb));
    if (!(length > 0.0)) {
        rg_mark_text(p->least, fabs(p->least), text, sizeof text);
        rg_canvas_text(p->c, x + w + 6, p->y + 0.5 * p->h + 3.5, 10, RG_TEXT_START, text);
        return RG_OK;
    }
    double step = rg_round_step(length, TICKS);
    while (step / length * p->h < TICK_ROOM)
        step *= 2.0;
    for (double v = ceil(p->least / step - RG_SAME) * step; v <= p->most + RG_SAME * length;
         v += step) {
        const double y = p->y + (p->most - v) / length * p->h;
        segment(p->c, x + w, y, x + w + 3, y, 0.8);
        rg_mark_text(v, step, text, sizeof text);
        rg_canvas_text(p->c, x + w + 8, y + 3.5, 10, RG_TEXT_START, text);
    }
    return RG_OK;
}

/* ---- stream lines ---------------------------------------------------------------------------- */
static double sheet_x(const panel *p, double x)
{
    return p->x + (x - p->low[0]) / (p->high[0] - p->low[0]) * p->w;
}

static double sheet_y(const panel *p, double y)
{
    return p->y + (p->high[1] - y) / (p->high[1] - p->low[1]) * p->h;
}

static void draw_line(void *user, const rg_stream_line *line)
{
    panel *p = user;
    double x[RG_LINE_POINTS], y[RG_LINE_POINTS];
    const int a = line->arrow;

    for (int k = 0; k < line->n; k++) {
        x[k] = sheet_x(p, line->x[k]);
        y[k] = sheet_y(p, line->y[k]);
    }
    rg_canvas_line(p->c, line->n, x, y, 0.9, white);
    if (a < 1 || a >= line->n) return;
    const double dx = x[a] - x[a - 1], dy = y[a] - y[a - 1], length = hypot(dx, dy);
    if (!(length > 0.0)) return;
    const double ex = 4.0 * dx / length, ey = 4.0 * dy / length;
    const double hx[3] = {x[a] - ex - 0.6 * ey, x[a], x[a] - ex + 0.6 * ey},
                 hy[3] = {y[a] - ey + 0.6 * ex, y[a], y[a] - ey - 0.6 * ex};
    rg_canvas_line(p->c, 3, hx, hy, 1.1, white);
}

/* ---- panels ---------------------------------------------------------------------------------- */
static rg_status draw_curve(panel *p)
{
    const rg_grid *g = p->f->form->grid;
    const int n = g->axis[0].n;
    double *x = rg_alloc(p->f->form->ctx, 2 * (size_t)n, sizeof *x);

    if (x == NULL) return RG_ERR_MEMORY;
    const double margin = p->most > p->least ? 0.05 * (p->most - p->least) : 1.0;
    p->low[1] = p->least - margin;
    p->high[1] = p->most + margin;
    for (int k = 0; k < n; k++) {
        x[k] = sheet_x(p, g->axis[0].centre[k]);
        x[n + k] = sheet_y(p, p->value[k]);
    }
    rg_canvas_line(p->c, n, x, x + n, 1.4, rg_colour_signed(0.0));
    rg_free(p->f->form->ctx, x);
    return RG_OK;
}

static rg_status draw_panel(panel *p)
{
    const rg_grid *g = p->f->form->grid;

    memset(p->value, 0, (size_t)g->cells * sizeof *p->value);
    RG_TRY(take_values(p));
    RG_TRY(choose_scale(p));
    for (int d = 0; d < 2 && d < g->dims; d++) {
        p->low[d] = g->axis[d].edge[0];
        p->high[d] = g->axis[d].edge[g->axis[d].n];
    }
    if (g->dims == 1) {
        RG_TRY(draw_curve(p));
    } else {
        RG_TRY(draw_values(p));
        if (p->item->lines >= 0)
            RG_TRY(rg_stream_lines(p->f, p->item->lines,
                                   g->dims > 2 ? g->axis[2].centre[g->axis[2].n / 2] : 0.0, ACROSS,
                                   draw_line, p));
        RG_TRY(draw_scale(p));
    }
    draw_frame(p);
    draw_axis(p, 0);
    draw_axis(p, 1);
    draw_names(p);
    return RG_OK;
}

/* The plot keeps the shape of the domain, within limits. */
static void choose_size(const rg_grid *g, double *w, double *h)
{
    const double across = g->axis[0].edge[g->axis[0].n] - g->axis[0].edge[0],
                 up = g->dims > 1 ? g->axis[1].edge[g->axis[1].n] - g->axis[1].edge[0]
                                  : 0.6 * across;
    const double ratio = fmin(4.0, fmax(0.15, up / across));

    *w = ratio > 1.0 ? fmax(SIZE / 3, SIZE / ratio) : 5.0 * ratio < 2.0 ? 2.0 * SIZE : SIZE;
    *h = fmax(90.0, *w * ratio);
    if (ratio > 1.0) *h = fmin(*h, 1.6 * SIZE);
}

static rg_status draw_all(rg_canvas *c, rg_frame *f, const char *title, int columns, double w,
                          double h)
{
    panel p = {.c = c, .f = f, .w = w, .h = h};
    rg_status status = RG_OK;
    char text[300];

    p.value = rg_alloc(f->form->ctx, (size_t)f->form->grid->cells, sizeof *p.value);
    if (p.value == NULL) return RG_ERR_MEMORY;
    if (f->form->is_steady)
        snprintf(text, sizeof text, "%.200s", title);
    else
        snprintf(text, sizeof text, "%.200s%st = %.6g", title, title[0] != '\0' ? ", " : "", f->t);
    if (text[0] != '\0') rg_canvas_text(c, 0.5 * c->width, 20, 13, RG_TEXT_MIDDLE, text);
    for (int k = 0; status == RG_OK && k < f->form->n_draws; k++) {
        p.item = &f->form->draws[k];
        p.x = LEFT + k % columns * (LEFT + w + RIGHT);
        p.y = HEAD + TOP + k / columns * (TOP + h + BOTTOM);
        status = draw_panel(&p);
    }
    rg_free(f->form->ctx, p.value);
    return status;
}

typedef struct { /* panels on a sheet */
    int columns;
    double w, h;          /* of a plot */
    double width, height; /* of the sheet */
} sheet;

static sheet make_sheet(const rg_form *form)
{
    const int n = form->n_draws;
    sheet s;

    choose_size(form->grid, &s.w, &s.h);
    s.columns = s.w > SIZE ? 1 : n < 3 ? n : n == 4 ? 2 : 3;
    s.width = s.columns * (LEFT + s.w + RIGHT);
    s.height = HEAD + (n + s.columns - 1) / s.columns * (TOP + s.h + BOTTOM) + 10;
    return s;
}

rg_status rg_picture_write(rg_context *ctx, rg_frame *f, const char *title, const char *path,
                           bool is_png)
{
    const sheet s = make_sheet(f->form);
    rg_canvas c;

    rg_status status = rg_canvas_open(ctx, path, is_png, s.width, s.height, &c);
    if (status == RG_OK) status = draw_all(&c, f, title, s.columns, s.w, s.h);
    return rg_canvas_close(&c, status);
}

rg_status rg_picture_write_inside(rg_context *ctx, rg_frame *f, FILE *to)
{
    const sheet s = make_sheet(f->form);
    rg_canvas c;

    rg_canvas_begin_inside(ctx, to, s.width, s.height, "the fields at the end", &c);
    const rg_status status = draw_all(&c, f, "", s.columns, s.w, s.h);
    rg_canvas_end_inside(&c);
    return status;
}
