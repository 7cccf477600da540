/* One panel per draw item: the values in colours, axes, a scale, stream lines. */
#include "pdae/draw/picture.h"

#include "figure/canvas.h"
#include "figure/scale.h"
#include "figure/tuning.h"
#include "pdae/draw/sample.h"
#include "pdae/mesh/ranks.h"

#include <math.h>
#include <stdio.h>

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
static const rg_colour dark = {40, 40, 40}, white = {255, 255, 255};

typedef struct {
    rg_canvas *c;
    const rg_form *form;
    const rg_form_draw *item;
    const rg_sample *s;
    double x, y, w, h;      /* of the plot on the sheet */
    double low[2], high[2]; /* of the axes; low[1], high[1] of a line: its values */
} panel;

/* ---- parts of a panel ------------------------------------------------------------------------ */
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
    const rg_form *form = p->form;
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
    const double x = p->x + p->w + 14, w = 12, length = p->s->most - p->s->least;
    unsigned char rgb[3 * STEPS];
    char text[32];

    for (int k = 0; k < STEPS; k++) {
        const rg_colour c = rg_sample_colour(p->s, p->s->most - (k + 0.5) / STEPS * length);
        rgb[3 * k] = c.r;
        rgb[3 * k + 1] = c.g;
        rgb[3 * k + 2] = c.b;
    }
    RG_TRY(rg_canvas_image(p->c, x, p->y, w, p->h, 1, STEPS, rgb));
    if (!(length > 0.0)) {
        rg_mark_text(p->s->least, fabs(p->s->least), text, sizeof text);
        rg_canvas_text(p->c, x + w + 6, p->y + 0.5 * p->h + 3.5, 10, RG_TEXT_START, text);
        return RG_OK;
    }
    double step = rg_round_step(length, TICKS);
    while (step / length * p->h < TICK_ROOM)
        step *= 2.0;
    for (double v = ceil(p->s->least / step - RG_SAME) * step; v <= p->s->most + RG_SAME * length;
         v += step) {
        const double y = p->y + (p->s->most - v) / length * p->h;
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
/* A line of the points between two that are not finite. */
static void draw_curve(panel *p, double *x, double *y)
{
    const rg_sample *s = p->s;
    const double margin = s->most > s->least ? 0.05 * (s->most - s->least) : 1.0;

    p->low[1] = s->least - margin;
    p->high[1] = s->most + margin;
    for (int k = 0, n = 0; k <= s->n; k++) {
        if (k < s->n && isfinite(s->y[k])) {
            x[n] = sheet_x(p, s->x[k]);
            y[n++] = sheet_y(p, s->y[k]);
        } else {
            if (n > 0) rg_canvas_line(p->c, n, x, y, 1.4, rg_colour_signed(0.0));
            n = 0;
        }
    }
}

static rg_status draw_line_plot(panel *p)
{
    double *x = rg_alloc(p->form->ctx, 2 * (size_t)p->s->n, sizeof *x);

    if (x == NULL) return RG_ERR_MEMORY;
    draw_curve(p, x, x + p->s->n);
    rg_free(p->form->ctx, x);
    return RG_OK;
}

static rg_status draw_panel(panel *p)
{
    const rg_grid *g = p->form->grid;

    for (int d = 0; d < 2 && d < g->dims; d++) {
        p->low[d] = g->axis[d].edge[0];
        p->high[d] = g->axis[d].edge[g->axis[d].n];
    }
    if (g->dims == 1) {
        RG_TRY(draw_line_plot(p));
    } else {
        RG_TRY(rg_canvas_image(p->c, p->x, p->y, p->w, p->h, p->s->nx, p->s->ny, p->s->rgb));
        if (p->s->has_stream) RG_TRY(rg_stream_lines(&p->s->stream, ACROSS, draw_line, p));
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

typedef struct { /* panels on a sheet */
    const rg_form *form;
    double t;
    int columns;
    double w, h;          /* of a plot */
    double width, height; /* of the sheet */
    rg_sample *sample;    /* of every item */
} sheet;

static rg_status draw_all(const sheet *s, rg_canvas *c, const char *title)
{
    panel p = {.c = c, .form = s->form, .w = s->w, .h = s->h};
    rg_status status = RG_OK;
    char time[40] = "";

    if (!s->form->is_steady)
        snprintf(time, sizeof time, "%st = %.6g", title[0] != '\0' ? ", " : "", s->t);
    rg_canvas_title(c, 20, 13, title, time);
    for (int k = 0; status == RG_OK && k < s->form->n_draws; k++) {
        p.item = &s->form->draws[k];
        p.s = &s->sample[k];
        p.x = LEFT + k % s->columns * (LEFT + s->w + RIGHT);
        p.y = HEAD + TOP + k / s->columns * (TOP + s->h + BOTTOM);
        status = draw_panel(&p);
    }
    return status;
}

static void free_sheet(sheet *s)
{
    for (int k = 0; s->sample != NULL && k < s->form->n_draws; k++)
        rg_sample_clear(&s->sample[k]);
    rg_free(s->form->ctx, s->sample);
}

/* By all ranks together; then the first one draws. */
static rg_status make_sheet(rg_frame *f, sheet *s)
{
    const rg_form *form = f->form;
    const int n = form->n_draws;
    rg_status status;

    *s = (sheet){.form = form, .t = f->t};
    choose_size(form->grid, &s->w, &s->h);
    s->columns = s->w > SIZE ? 1 : n < 3 ? n : n == 4 ? 2 : 3;
    s->width = s->columns * (LEFT + s->w + RIGHT);
    s->height = HEAD + (n + s->columns - 1) / s->columns * (TOP + s->h + BOTTOM) + 10;
    s->sample = rg_alloc(form->ctx, (size_t)n, sizeof *s->sample);
    status = rg_grid_agree(f->grid, s->sample != NULL ? RG_OK : RG_ERR_MEMORY);
    for (int k = 0; status == RG_OK && k < n; k++)
        status = rg_sample_make(f, &form->draws[k], (int)(s->w * RG_CANVAS_SCALE),
                                (int)(s->h * RG_CANVAS_SCALE), &s->sample[k]);
    return status;
}

static rg_status draw_file(const sheet *s, rg_context *ctx, const char *title, const char *path,
                           bool is_png)
{
    rg_canvas c;

    rg_status status = rg_canvas_open(ctx, path, is_png, s->width, s->height, &c);
    if (status == RG_OK) status = draw_all(s, &c, title);
    return rg_canvas_close(&c, status);
}

rg_status rg_picture_write(rg_context *ctx, rg_frame *f, const char *title, const char *path,
                           bool is_png)
{
    sheet s;

    rg_status status = make_sheet(f, &s);
    if (status == RG_OK && rg_ranks_is_first()) status = draw_file(&s, ctx, title, path, is_png);
    free_sheet(&s);
    return rg_grid_agree(f->grid, status);
}

rg_status rg_picture_write_inside(rg_context *ctx, rg_frame *f, FILE *to)
{
    sheet s;
    rg_canvas c;

    rg_status status = make_sheet(f, &s);
    if (status == RG_OK && rg_ranks_is_first()) {
        rg_canvas_begin_inside(ctx, to, s.width, s.height, "the fields at the end", &c);
        status = draw_all(&s, &c, "");
        rg_canvas_end_inside(&c);
    }
    free_sheet(&s);
    return rg_grid_agree(f->grid, status);
}
