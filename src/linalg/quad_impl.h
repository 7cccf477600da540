/* What the real and the complex kernels share. */
#ifndef RG_LINALG_QUAD_IMPL_H
#define RG_LINALG_QUAD_IMPL_H

#include "base/vector.h"
#include "linalg/quad_lu.h"

#include <math.h>
#include <stddef.h>

enum { MOST_BLOCKS = RG_QUAD_ROWS / RG_LANES };

static inline int blocks_of(int n)
{
    return (n + RG_LANES - 1) / RG_LANES;
}

/* Calls f with a constant number of blocks: its loops are written out, and vectors stay in
 * registers. */
#define FOR_BLOCKS(blocks, f, ...)                                                                 \
    switch (blocks) {                                                                              \
    case 0:                                                                                        \
    case 1:                                                                                        \
        return f(1, __VA_ARGS__);                                                                  \
    case 2:                                                                                        \
        return f(2, __VA_ARGS__);                                                                  \
    case 3:                                                                                        \
        return f(3, __VA_ARGS__);                                                                  \
    case 4:                                                                                        \
        return f(4, __VA_ARGS__);                                                                  \
    default:                                                                                       \
        return f(5, __VA_ARGS__);                                                                  \
    }

RG_INLINE const rg_quad *quads(const double *a)
{
    return (const rg_quad *)a;
}

/* x_i = scale_i b_order[i]: P D b */
static inline void gather(const rg_quad_lu *f, const double *b, double *x)
{
    for (int i = 0; i < f->n; i++)
        x[i] = b[f->order[i]] * f->scale[i];
}

/* The first n numbers of x; b may end there. */
RG_INLINE void scatter(int blocks, int n, const rg_quad *x, double *b)
{
    const int last = RG_LANES * (blocks - 1);

    RG_UNROLL
    for (int k = 0; k < blocks; k++)
        if (k + 1 < blocks) ((rg_quad *)b)[k] = x[k];
    RG_UNROLL
    for (int lane = 0; lane < RG_LANES; lane++)
        if (last + lane < n) b[last + lane] = x[blocks - 1][lane];
}

static inline void swap(double *a, double *b)
{
    const double c = *a;
    *a = *b;
    *b = c;
}

/* Rows j and p of `count` columns */
static inline void swap_rows(int count, int ld, int j, int p, double *A)
{
    for (int k = 0; k < count; k++, A += ld)
        swap(A + j, A + p);
}

static inline void swap_order(int *order, int j, int p)
{
    const int row = order[j];
    order[j] = order[p];
    order[p] = row;
}

#endif
