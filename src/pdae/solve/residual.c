/* The true residual of a solve compares b - A x with b, and with the rounding of A x. */
#include "base/vector.h"
#include "pdae/mesh/ranks.h"
#include "pdae/solve/elliptic_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The neighbours beyond the ends: copies on periodic axes, 0 otherwise. */
void rg_elliptic_fill_ends(const rg_grid *g, double *x)
{
    for (int d = 0; d < g->dims; d++) {
        const int64_t n = g->axis[d].n, s = g->stride[d];
        const int e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES;
        for (int b = 0; b < g->axis[e2].n; b++)
            for (int a = 0; a < g->axis[e1].n; a++) {
                double *row = x + g->origin + a * g->stride[e1] + b * g->stride[e2];
                row[-s] = g->axis[d].periodic ? row[(n - 1) * s] : 0.0;
                row[n * s] = g->axis[d].periodic ? row[0] : 0.0;
            }
        rg_grid_join(g, d, x);
    }
}

typedef struct { /* the matrix and x from a cell on; sy, sz 0: no such axis */
    const double *x, *b, *s, *Tx, *Ty, *Tz;
    int64_t sy, sz;
} cells;

/* Adds the squares of eight cells from i on. */
RG_INLINE void add_eight(const cells *c, int i, rg_octet part[3])
{
    const int64_t sy = c->sy, sz = c->sz;
    const double *x = c->x + i;
    const rg_octet v = RG_EIGHT(x), T0 = RG_EIGHT(c->Tx + i), T1 = RG_EIGHT(c->Tx + i + 1),
                   b = RG_EIGHT(c->b + i);
    rg_octet ax = T0 * (v - RG_EIGHT(x - 1)) + T1 * (v - RG_EIGHT(x + 1)), T = T0 + T1;

    if (sy) {
        const rg_octet low = RG_EIGHT(c->Ty + i), high = RG_EIGHT(c->Ty + i + sy);
        ax += low * (v - RG_EIGHT(x - sy)) + high * (v - RG_EIGHT(x + sy));
        T += low + high;
    }
    if (sz) {
        const rg_octet low = RG_EIGHT(c->Tz + i), high = RG_EIGHT(c->Tz + i + sz);
        ax += low * (v - RG_EIGHT(x - sz)) + high * (v - RG_EIGHT(x + sz));
        T += low + high;
    }
    if (c->s) {
        ax += RG_EIGHT(c->s + i) * v;
        T += RG_EIGHT(c->s + i);
    }
    const rg_octet left = b - ax, size = T * v;
    part[0] += left * left;
    part[1] += b * b;
    part[2] += size * size;
}

/* The same of one cell. */
static void add_one(const cells *c, int i, double part[3])
{
    const int64_t sy = c->sy, sz = c->sz;
    const double *x = c->x + i, v = *x;
    double ax = c->Tx[i] * (v - x[-1]) + c->Tx[i + 1] * (v - x[1]), T = c->Tx[i] + c->Tx[i + 1];

    if (sy) {
        ax += c->Ty[i] * (v - x[-sy]) + c->Ty[i + sy] * (v - x[sy]);
        T += c->Ty[i] + c->Ty[i + sy];
    }
    if (sz) {
        ax += c->Tz[i] * (v - x[-sz]) + c->Tz[i + sz] * (v - x[sz]);
        T += c->Tz[i] + c->Tz[i + sz];
    }
    if (c->s) {
        ax += c->s[i] * v;
        T += c->s[i];
    }
    const double left = c->b[i] - ax, size = T * v;
    part[0] += left * left;
    part[1] += c->b[i] * c->b[i];
    part[2] += size * size;
}

/* The squares of a row: n cells from `at` on with right-hand sides b. */
RG_FOR_ALL_VECTORS
static void squares_of_row(const rg_elliptic *e, const double *padded, int64_t at, int n,
                           const double *b, double out[RG_CREW_SUMS])
{
    const rg_grid *g = e->A.grid;
    const int64_t sy = g->dims > 1 ? g->stride[1] : 0, sz = g->dims > 2 ? g->stride[2] : 0;
    const cells c = {.x = padded + at,
                     .b = b,
                     .s = e->A.s ? e->A.s + at : NULL,
                     .Tx = e->A.T[0] + at,
                     .Ty = sy ? e->A.T[1] + at : NULL,
                     .Tz = sz ? e->A.T[2] + at : NULL,
                     .sy = sy,
                     .sz = sz};

    rg_octet part[3] = {{0.0}};
    double rest[3] = {0.0};
    int i = 0;
    for (; i + 2 * RG_LANES <= n; i += 2 * RG_LANES)
        add_eight(&c, i, part);
    for (; i < n; i++)
        add_one(&c, i, rest);
    for (int k = 0; k < 3; k++)
        for (int q = 0; q < 2 * RG_LANES; q++)
            rest[k] += part[k][q];
    memcpy(out, rest, sizeof rest);
}

typedef struct {
    const rg_elliptic *e;
    const double *padded, *b; /* b of all rows, or padded */
    bool has_rows;
} loop;

static void square_row(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    const loop *w = user;
    const rg_grid *g = w->e->A.grid;
    int j, k;

    rg_cell_row(g, unit, &j, &k);
    const int64_t at = rg_grid_at(g, 0, j, k), first = w->has_rows ? unit * g->axis[0].n : at;
    squares_of_row(w->e, w->padded, at, g->axis[0].n, w->b + first, out);
}

/* Around solids: a block of cells one by one. */
static void square_block(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    const loop *w = user;
    const int64_t end = (unit + 1) * RG_GRID_BLOCK;

    out[0] = out[1] = out[2] = 0.0;
    for (int64_t r = unit * RG_GRID_BLOCK; r < end && r < w->e->n; r++) {
        double one[RG_CREW_SUMS];
        squares_of_row(w->e, w->padded, w->e->place[r], 1, w->b + r, one);
        for (int k = 0; k < RG_CREW_SUMS; k++)
            out[k] += one[k];
    }
}

double rg_elliptic_true_residual(rg_elliptic *e, const double *b, double *x, double *floor)
{
    const rg_grid *g = e->A.grid;
    double all[RG_CREW_SUMS]; /* squares of b - A x, b, A x */
    loop w = {.e = e,
              .padded = x,
              .b = e->method->is_padded ? b : e->b,
              .has_rows = !e->method->is_padded};

    rg_elliptic_fill_ends(g, x);
    if (g->solid)
        rg_crew_sum(e->ctx, (e->n + RG_GRID_BLOCK - 1) / RG_GRID_BLOCK, RG_GRID_BLOCK, square_block,
                    &w, all);
    else
        rg_crew_sum(e->ctx, e->n / g->axis[0].n, g->axis[0].n, square_row, &w, all);
    rg_grid_sum(g, 3, all);
    *floor = all[1] > 0.0 ? DBL_EPSILON * sqrt(all[2] / all[1]) : 0.0;
    return all[1] > 0.0 ? sqrt(all[0] / all[1]) : sqrt(all[0]);
}
