/* Stream lines: from the middles of empty squares in both directions, until another line, a wall or
 * a place at rest is near. */
#include "pdae/draw/lines.h"
#include "pdae/draw/tuning.h"

#include <math.h>
#include <string.h>

typedef struct {
    rg_frame *f;
    int field;
    double height;
    double low[2], high[2], size[2], fastest; /* size: of the squares, which fill the plane */
    int nx, ny;
    int *taken; /* [square]: number of the line that passes it */
    double step;
} tracer;

static bool velocity(const tracer *w, const double x[2], double v[2])
{
    const double at[RG_AXES] = {x[0], x[1], w->height};

    for (int c = 0; c < 2; c++)
        v[c] = rg_frame_component(w->f, w->field, c, at);
    const double speed = hypot(v[0], v[1]);
    if (!(speed > RG_DRAW_AT_REST * w->fastest)) return false;
    v[0] /= speed;
    v[1] /= speed;
    return true;
}

static int square_of(const tracer *w, const double x[2])
{
    const int i = (int)((x[0] - w->low[0]) / w->size[0]),
              j = (int)((x[1] - w->low[1]) / w->size[1]);

    return i >= 0 && j >= 0 && i < w->nx && j < w->ny ? i + w->nx * j : -1;
}

/* From x in one direction; the number of points. */
static int follow(tracer *w, const double start[2], double sign, int number, double *px, double *py)
{
    double x[2] = {start[0], start[1]}, v[2], middle[2];
    int n = 0, left = 0, here = square_of(w, start);

    while (n < RG_LINE_POINTS / 2 - 1) {
        px[n] = x[0];
        py[n++] = x[1];
        if (!velocity(w, x, v)) break;
        for (int d = 0; d < 2; d++)
            middle[d] = x[d] + 0.5 * sign * w->step * v[d];
        if (!velocity(w, middle, v)) break;
        for (int d = 0; d < 2; d++)
            x[d] += sign * w->step * v[d];
        if (x[0] < w->low[0] || x[0] > w->high[0] || x[1] < w->low[1] || x[1] > w->high[1]) break;
        const int square = square_of(w, x);
        if (square < 0) break;
        if (square == here) continue;
        if (w->taken[square] == number && ++left > 2) break; /* a closed line comes back */
        if (w->taken[square] != 0 && w->taken[square] != number) break;
        w->taken[square] = number;
        here = square;
    }
    return n;
}

static void trace(tracer *w, const double start[2], int number, rg_stream_line *line)
{
    double bx[RG_LINE_POINTS / 2], by[RG_LINE_POINTS / 2];

    const int back = follow(w, start, -1.0, number, bx, by);
    for (int k = 0; k < back; k++) {
        line->x[k] = bx[back - 1 - k];
        line->y[k] = by[back - 1 - k];
    }
    line->n = back + follow(w, start, 1.0, number, line->x + back, line->y + back);
    line->arrow = line->n / 2;
}

static void measure(tracer *w)
{
    const rg_form *form = w->f->form;

    for (int d = 0; d < 2; d++) {
        w->low[d] = form->grid->axis[d].edge[0];
        w->high[d] = form->grid->axis[d].edge[form->grid->axis[d].n];
    }
    for (int64_t k = 0; k < form->grid->cells; k++)
        w->fastest =
            fmax(w->fastest, hypot(rg_frame_leaf(w->f, rg_form_leaf(form, w->field, 0))[k],
                                   rg_frame_leaf(w->f, rg_form_leaf(form, w->field, 1))[k]));
}

rg_status rg_stream_lines(rg_frame *f, int field, double height, int across, rg_line_fn *draw,
                          void *user)
{
    rg_context *ctx = f->form->ctx;
    tracer w = {.f = f, .field = field, .height = height};
    int number = 0;

    measure(&w);
    const double size = fmax(w.high[0] - w.low[0], w.high[1] - w.low[1]) / across;
    w.nx = (int)fmax(1.0, round((w.high[0] - w.low[0]) / size));
    w.ny = (int)fmax(1.0, round((w.high[1] - w.low[1]) / size));
    w.size[0] = (w.high[0] - w.low[0]) / w.nx;
    w.size[1] = (w.high[1] - w.low[1]) / w.ny;
    w.step = 0.2 * size;
    w.taken = rg_alloc(ctx, (size_t)w.nx * (size_t)w.ny, sizeof *w.taken);
    rg_stream_line *line = rg_alloc(ctx, 1, sizeof *line);
    for (int j = 0; w.taken && line && w.fastest > 0.0 && j < w.ny; j++)
        for (int i = 0; i < w.nx; i++) {
            const double start[2] = {w.low[0] + (i + 0.5) * w.size[0],
                                     w.low[1] + (j + 0.5) * w.size[1]};
            if (w.taken[i + w.nx * j] != 0) continue;
            w.taken[i + w.nx * j] = ++number;
            trace(&w, start, number, line);
            if (line->n * w.step > RG_DRAW_SHORTEST * size) draw(user, line);
        }
    const rg_status status = w.taken && line ? RG_OK : RG_ERR_MEMORY;
    rg_free(ctx, w.taken);
    rg_free(ctx, line);
    return status;
}
