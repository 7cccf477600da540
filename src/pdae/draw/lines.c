/* Stream lines: from the middles of empty squares in both directions, until another line, a wall or
 * a place at rest is near. */
#include "pdae/draw/lines.h"
#include "pdae/draw/tuning.h"

#include <math.h>
#include <string.h>

typedef struct {
    const rg_stream *s;
    double low[2], high[2], size[2]; /* size: of the squares, which fill the plane */
    int nx, ny;
    int *taken; /* [square]: number of the line that passes it */
    double step;
} tracer;

/* The value before which x lies, and its part of the way to the next; held at the ends. */
static int find(const double *at, int n, double x, double *part)
{
    int low = 0, high = n - 1;

    *part = 0.0;
    if (n == 1 || x <= at[0]) return 0;
    if (x >= at[n - 1]) return n - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (at[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    *part = (x - at[low]) / (at[low + 1] - at[low]);
    return low;
}

/* Is the point outside, or in a cell that is no part of the domain? */
static bool is_beyond(const tracer *w, const double x[2])
{
    const rg_grid *g = w->s->form->grid;
    int cell[2];
    double part;

    for (int d = 0; d < 2; d++) {
        const rg_axis *a = &g->axis[d];
        if (x[d] < w->low[d] || x[d] > w->high[d]) return true;
        cell[d] = find(a->edge, a->n + 1, x[d], &part);
        if (cell[d] == a->n) cell[d]--;
    }
    return g->solid != NULL
           && g->solid[rg_grid_at(g, cell[0], cell[1], g->dims > 2 ? g->axis[2].n / 2 : 0)] != 0;
}

/* Linear between the faces. */
static double component(const rg_stream_part *p, const double x[2])
{
    double part[2], sum = 0.0;
    int low[2];

    for (int d = 0; d < 2; d++)
        low[d] = find(p->at[d], p->n[d], x[d], &part[d]);
    for (int corner = 0; corner < 4; corner++) {
        const int i = corner & 1, j = corner >> 1;
        const double w = (i ? part[0] : 1.0 - part[0]) * (j ? part[1] : 1.0 - part[1]);
        if (w != 0.0) sum += w * p->value[low[0] + i + (int64_t)p->n[0] * (low[1] + j)];
    }
    return sum;
}

/* Nothing moves in a solid, though values on its faces may: a wall that moves. */
static bool velocity(const tracer *w, const double x[2], double v[2])
{
    if (is_beyond(w, x)) return false;
    for (int c = 0; c < 2; c++)
        v[c] = component(&w->s->part[c], x);
    const double speed = hypot(v[0], v[1]);
    if (!(speed > RG_DRAW_AT_REST * w->s->fastest)) return false;
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

rg_status rg_stream_lines(const rg_stream *s, int across, rg_line_fn *draw, void *user)
{
    rg_context *ctx = s->form->ctx;
    tracer w = {.s = s};
    int number = 0;

    for (int d = 0; d < 2; d++) {
        const rg_axis *a = &s->form->grid->axis[d];
        w.low[d] = a->edge[0];
        w.high[d] = a->edge[a->n];
    }
    const double size = fmax(w.high[0] - w.low[0], w.high[1] - w.low[1]) / across;
    w.nx = (int)fmax(1.0, round((w.high[0] - w.low[0]) / size));
    w.ny = (int)fmax(1.0, round((w.high[1] - w.low[1]) / size));
    w.size[0] = (w.high[0] - w.low[0]) / w.nx;
    w.size[1] = (w.high[1] - w.low[1]) / w.ny;
    w.step = 0.2 * size;
    w.taken = rg_alloc(ctx, (size_t)w.nx * (size_t)w.ny, sizeof *w.taken);
    rg_stream_line *line = rg_alloc(ctx, 1, sizeof *line);
    for (int j = 0; w.taken && line && s->fastest > 0.0 && j < w.ny; j++)
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
