/* Rows of the levels of multigrid: what a cycle does with one of them. */
#ifndef RG_PDAE_SOLVE_MULTIGRID_ROWS_H
#define RG_PDAE_SOLVE_MULTIGRID_ROWS_H

#include "pdae/solve/multigrid.h"

#include <string.h>

typedef struct {
    const rg_multigrid *m;
    const rg_multigrid_level *l, *c; /* the level, and the coarser one */
    int colour;
    bool is_edge, adds;
    const float *b;
    float *x, *out;
    const double *r; /* b is by r, made on the way; NULL: it is there */
    double by;
} rg_multigrid_loop;

static inline int64_t rg_multigrid_rows(const rg_multigrid_level *l)
{
    return (int64_t)l->n[1] * l->n[2];
}

/* The row of a unit: its numbers along y and z, its place. */
static inline int64_t rg_multigrid_row(const rg_multigrid_level *l, int64_t unit, int *j, int *k)
{
    *k = unit < l->n[1] ? 0 : (int)(unit / l->n[1]); /* no division in a plane */
    *j = (int)(unit - (int64_t)*k * l->n[1]);
    return rg_multigrid_at(l, 0, *j, *k);
}

/* Copies the cells beside the ends of periodic axes; size: of a value, float or double. */
static inline void rg_multigrid_wrap(const rg_multigrid_level *l, void *x, size_t size)
{
    for (int d = 0; d < RG_AXES; d++) {
        const int e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES;
        const int64_t wide = (int64_t)size, s = l->stride[d] * wide, n = l->n[d];
        if (!l->periodic[d] || l->T[d] == NULL) continue;
        for (int b = 0; b < l->n[e2]; b++)
            for (int a = 0; a < l->n[e1]; a++) {
                const int64_t at = l->origin + a * l->stride[e1] + b * l->stride[e2];
                char *line = (char *)x + at * wide;
                memcpy(line - s, line + (n - 1) * s, size);
                memcpy(line + n * s, line, size);
            }
    }
}

void rg_multigrid_shorten(int64_t n, const double *from, double scale, float *to);

void rg_multigrid_begin_at(const rg_multigrid_loop *w, int64_t unit);
void rg_multigrid_relax_at(const rg_multigrid_loop *w, int64_t unit, float *kept); /* kept: work */
void rg_multigrid_residual_at(const rg_multigrid_loop *w, int64_t unit, float *out);
/* To a row of the coarse level; from one of the fine level, its residual, joined along x; from the
 * coarse level to a row of the fine one. */
void rg_multigrid_down_at(const rg_multigrid_loop *w, int64_t unit);
void rg_multigrid_sink_at(const rg_multigrid_loop *w, int64_t unit, float *r); /* r: work */
void rg_multigrid_up_at(const rg_multigrid_loop *w, int64_t unit);
/* Sums of x b, and where x has a mean to be taken away of x and of b. */
void rg_multigrid_sums_at(const rg_multigrid_loop *w, int64_t unit, double out[RG_CREW_SUMS]);

#endif
