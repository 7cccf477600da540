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

typedef int64_t rg_quad_bits __attribute__((vector_size(sizeof(rg_quad))));

/* size <- |x| */
RG_INLINE void magnitudes(const rg_quad *x, rg_quad *size)
{
    const rg_quad_bits but_sign = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};

    *size = (rg_quad)((rg_quad_bits)*x & but_sign);
}

/* The first place from j on with the largest size; zeros behind the last. */
RG_APART int find_first(int n, int j, const double *size)
{
    int p = j;

    for (int i = j + 1; i < n; i++)
        if (size[i] > size[p]) p = i;
    return p;
}

/* Mostly j itself: rows stand where the pivots of the last time want them. */
RG_INLINE int find_largest(int blocks, int j, const rg_quad *size)
{
    static const rg_quad_bits behind[RG_LANES] = {
        {0, -1, -1, -1},
        {0, 0,  -1, -1},
        {0, 0,  0,  -1},
        {0, 0,  0,  0 }
    };
    const double s = ((const double *)size)[j];
    const rg_quad largest = {s, s, s, s};
    rg_quad_bits is_more = {0, 0, 0, 0};

    RG_UNROLL
    for (int b = 0; b < blocks; b++) {
        if (b > j / RG_LANES) is_more |= size[b] > largest;
        if (b == j / RG_LANES) is_more |= (size[b] > largest) & behind[j % RG_LANES];
    }
    if ((is_more[0] | is_more[1] | is_more[2] | is_more[3]) == 0) return j;
    return find_first(RG_LANES * blocks, j, (const double *)size);
}

/* Zeros in the last block of l up to row j. */
RG_INLINE void clear_above(int j, double *l)
{
    l += j / RG_LANES * RG_LANES;
    RG_UNROLL
    for (int lane = 0; lane < RG_LANES; lane++)
        if (lane <= j % RG_LANES) l[lane] = 0.0;
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
