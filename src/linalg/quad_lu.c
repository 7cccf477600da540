#include "linalg/quad_lu.h"

#include "base/vector.h"

#include <math.h>
#include <stddef.h>

enum { MOST_BLOCKS = RG_QUAD_ROWS / RG_LANES };

static int blocks_of(int n)
{
    return (n + RG_LANES - 1) / RG_LANES;
}

/* Calls f with a constant number of blocks: its loops are written out, and vectors stay in registers. */
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

static void swap(double *a, double *b)
{
    const double c = *a;
    *a = *b;
    *b = c;
}

/* Rows j and p of `count` columns */
static void swap_rows(int count, int ld, int j, int p, double *A)
{
    for (int k = 0; k < count; k++, A += ld)
        swap(A + j, A + p);
}

static void swap_order(int *order, int j, int p)
{
    const int row = order[j];
    order[j] = order[p];
    order[p] = row;
}

/* ---- real -------------------------------------------------------------------------------------- */

/* x <- L^-1 x with the first `columns` columns of L */
RG_INLINE void forward(int blocks, int columns, const double *L, rg_quad *x)
{
    RG_UNROLL
    for (int c = 0; c < blocks; c++) {
        RG_UNROLL
        for (int lane = 0; lane < RG_LANES; lane++, L += RG_LANES * blocks) {
            if (RG_LANES * c + lane >= columns) return;
            const double s = x[c][lane];
            RG_UNROLL
            for (int b = c; b < blocks; b++)
                x[b] -= quads(L)[b] * s;
        }
    }
}

/* x <- U^-1 x */
RG_INLINE void backward(int blocks, int n, const double *U, rg_quad *x)
{
    U += RG_LANES * blocks * RG_LANES * blocks;
    RG_UNROLL
    for (int c = blocks - 1; c >= 0; c--) {
        RG_UNROLL
        for (int lane = RG_LANES - 1; lane >= 0; lane--) {
            U -= RG_LANES * blocks;
            if (c == blocks - 1 && RG_LANES * c + lane >= n) continue;
            const double s = x[c][lane];
            RG_UNROLL
            for (int b = 0; b <= c; b++)
                x[b] -= quads(U)[b] * s;
        }
    }
}

RG_INLINE void solve(int blocks, const rg_quad_lu *f, double *b)
{
    rg_quad x[MOST_BLOCKS];

    RG_UNROLL
    for (int k = 0; k < blocks; k++)
        x[k] = quads(b)[k];
    forward(blocks, f->n, f->L, x);
    RG_UNROLL
    for (int k = 0; k < blocks; k++)
        x[k] *= quads(f->inverse)[k];
    backward(blocks, f->n, f->U, x);
    RG_UNROLL
    for (int k = 0; k < blocks; k++)
        ((rg_quad *)b)[k] = x[k];
}

RG_FOR_QUADS void rg_quad_lu_solve(const rg_quad_lu *f,
                                   double *x){FOR_BLOCKS(blocks_of(f->n), solve, f, x)}

/* Column j of U and L from x, whose pivot is in place.  `inverse` ends in zeros from j on. */
RG_INLINE void store_column(int blocks, int j, const rg_quad_lu *f, const double *x, double inverse)
{
    rg_quad *u = (rg_quad *)(f->U + (ptrdiff_t)j * RG_LANES * blocks);
    double *l = f->L + (ptrdiff_t)j * RG_LANES * blocks;

    RG_UNROLL
    for (int b = 0; b < blocks; b++) {
        u[b] = quads(x)[b] * quads(f->inverse)[b];
        ((rg_quad *)l)[b] = quads(x)[b] * inverse;
    }
    for (int i = j / RG_LANES * RG_LANES; i <= j; i++)
        l[i] = 0.0;
    f->inverse[j] = inverse;
}

RG_INLINE bool factor(int blocks, const rg_quad_lu *f)
{
    const int n = f->n, ld = RG_LANES * blocks;
    rg_quad x[MOST_BLOCKS];
    double memory[RG_QUAD_ROWS];

    RG_UNROLL
    for (int b = 0; b < blocks; b++)
        ((rg_quad *)f->inverse)[b] = (rg_quad){0.0, 0.0, 0.0, 0.0};
    for (int j = 0; j < n; j++) {
        double *a = f->U + (ptrdiff_t)j * ld;
        RG_UNROLL
        for (int b = 0; b < blocks; b++)
            x[b] = quads(a)[b];
        forward(blocks, j, f->L, x);
        RG_UNROLL
        for (int b = 0; b < blocks; b++)
            ((rg_quad *)memory)[b] = x[b];
        int p = j;
        for (int i = j + 1; i < n; i++)
            if (fabs(memory[i]) > fabs(memory[p])) p = i;
        if (p != j) {
            swap(memory + j, memory + p);
            swap_rows(j, ld, j, p, f->L);
            swap_rows(n - 1 - j, ld, j, p, a + ld);
            swap_order(f->order, j, p);
        }
        const double inverse = 1.0 / memory[j];
        if (!(fabs(inverse) < INFINITY)) return false;
        store_column(blocks, j, f, memory, inverse);
    }
    return true;
}

RG_FOR_QUADS bool rg_quad_lu_factor(const rg_quad_lu *f){FOR_BLOCKS(blocks_of(f->n), factor, f)}

/* ---- complex ----------------------------------------------------------------------------------- */

RG_INLINE void zforward(int blocks, int columns, int n, const double *L, rg_quad *x, rg_quad *y)
{
    const int ld = RG_LANES * blocks;

    RG_UNROLL
    for (int c = 0; c < blocks; c++) {
        RG_UNROLL
        for (int lane = 0; lane < RG_LANES; lane++, L += ld) {
            if (RG_LANES * c + lane >= columns) return;
            const double s = x[c][lane], t = y[c][lane];
            const rg_quad *re = quads(L), *im = quads(L + (ptrdiff_t)n * ld);
            RG_UNROLL
            for (int b = c; b < blocks; b++) {
                x[b] -= re[b] * s - im[b] * t;
                y[b] -= re[b] * t + im[b] * s;
            }
        }
    }
}

RG_INLINE void zbackward(int blocks, int n, const double *U, rg_quad *x, rg_quad *y)
{
    const int ld = RG_LANES * blocks;

    U += ld * ld;
    RG_UNROLL
    for (int c = blocks - 1; c >= 0; c--) {
        RG_UNROLL
        for (int lane = RG_LANES - 1; lane >= 0; lane--) {
            U -= ld;
            if (c == blocks - 1 && RG_LANES * c + lane >= n) continue;
            const double s = x[c][lane], t = y[c][lane];
            const rg_quad *re = quads(U), *im = quads(U + (ptrdiff_t)n * ld);
            RG_UNROLL
            for (int b = 0; b <= c; b++) {
                x[b] -= re[b] * s - im[b] * t;
                y[b] -= re[b] * t + im[b] * s;
            }
        }
    }
}

RG_INLINE void zsolve(int blocks, const rg_quad_lu *f, double *r)
{
    const rg_quad *re = quads(f->inverse), *im = re + blocks;
    rg_quad x[MOST_BLOCKS], y[MOST_BLOCKS];

    RG_UNROLL
    for (int b = 0; b < blocks; b++) {
        x[b] = quads(r)[b];
        y[b] = quads(r)[blocks + b];
    }
    zforward(blocks, f->n, f->n, f->L, x, y);
    RG_UNROLL
    for (int b = 0; b < blocks; b++) {
        const rg_quad s = x[b], t = y[b];
        x[b] = s * re[b] - t * im[b];
        y[b] = s * im[b] + t * re[b];
    }
    zbackward(blocks, f->n, f->U, x, y);
    RG_UNROLL
    for (int b = 0; b < blocks; b++) {
        ((rg_quad *)r)[b] = x[b];
        ((rg_quad *)r)[blocks + b] = y[b];
    }
}

RG_FOR_QUADS void rg_quad_zlu_solve(const rg_quad_lu *f, double *x)
{
    FOR_BLOCKS(blocks_of(f->n), zsolve, f, x)
}

/* 1/(a + ib); false: not finite */
static inline bool invert(double a, double b, double *re, double *im)
{
    const double size = fmax(fabs(a), fabs(b)); /* keeps |pivot|^2 from under- and overflow */
    const double r = a / size, s = b / size, d = size * (r * r + s * s);

    *re = r / d;
    *im = -s / d;
    return fabs(*re) + fabs(*im) < INFINITY;
}

RG_INLINE void store_zcolumn(int blocks, int j, const rg_quad_lu *f, const double *x, double re,
                             double im)
{
    const int ld = RG_LANES * blocks;
    const ptrdiff_t imaginary = (ptrdiff_t)f->n * ld;
    double *u = f->U + (ptrdiff_t)j * ld, *l = f->L + (ptrdiff_t)j * ld;

    RG_UNROLL
    for (int b = 0; b < blocks; b++) {
        const rg_quad s = quads(x)[b], t = quads(x)[blocks + b];
        const rg_quad v = quads(f->inverse)[b], w = quads(f->inverse)[blocks + b];
        ((rg_quad *)u)[b] = s * v - t * w;
        ((rg_quad *)(u + imaginary))[b] = s * w + t * v;
        ((rg_quad *)l)[b] = s * re - t * im;
        ((rg_quad *)(l + imaginary))[b] = s * im + t * re;
    }
    for (int i = j / RG_LANES * RG_LANES; i <= j; i++)
        l[i] = l[i + imaginary] = 0.0;
    f->inverse[j] = re;
    f->inverse[ld + j] = im;
}

static inline int find_zpivot(int n, int ld, int j, const double *x)
{
    double largest = fabs(x[j]) + fabs(x[ld + j]);
    int p = j;

    for (int i = j + 1; i < n; i++) {
        const double size = fabs(x[i]) + fabs(x[ld + i]);
        if (size > largest) largest = size, p = i;
    }
    return p;
}

static void swap_zrows(const rg_quad_lu *f, int ld, int j, int p, double *x)
{
    const ptrdiff_t imaginary = (ptrdiff_t)f->n * ld, next = (ptrdiff_t)(j + 1) * ld;

    swap(x + j, x + p);
    swap(x + ld + j, x + ld + p);
    swap_rows(j, ld, j, p, f->L);
    swap_rows(j, ld, j, p, f->L + imaginary);
    swap_rows(f->n - 1 - j, ld, j, p, f->U + next);
    swap_rows(f->n - 1 - j, ld, j, p, f->U + imaginary + next);
    swap_order(f->order, j, p);
}

RG_INLINE bool zfactor(int blocks, const rg_quad_lu *f)
{
    const int n = f->n, ld = RG_LANES * blocks;
    rg_quad x[MOST_BLOCKS], y[MOST_BLOCKS];
    double memory[2 * RG_QUAD_ROWS], re, im;

    RG_UNROLL
    for (int b = 0; b < 2 * blocks; b++)
        ((rg_quad *)f->inverse)[b] = (rg_quad){0.0, 0.0, 0.0, 0.0};
    for (int j = 0; j < n; j++) {
        const double *a = f->U + (ptrdiff_t)j * ld, *c = a + (ptrdiff_t)n * ld;
        RG_UNROLL
        for (int b = 0; b < blocks; b++) {
            x[b] = quads(a)[b];
            y[b] = quads(c)[b];
        }
        zforward(blocks, j, n, f->L, x, y);
        RG_UNROLL
        for (int b = 0; b < blocks; b++) {
            ((rg_quad *)memory)[b] = x[b];
            ((rg_quad *)memory)[blocks + b] = y[b];
        }
        const int p = find_zpivot(n, ld, j, memory);
        if (p != j) swap_zrows(f, ld, j, p, memory);
        if (!invert(memory[j], memory[ld + j], &re, &im)) return false;
        store_zcolumn(blocks, j, f, memory, re, im);
    }
    return true;
}

RG_FOR_QUADS bool rg_quad_zlu_factor(const rg_quad_lu *f){FOR_BLOCKS(blocks_of(f->n), zfactor, f)}

/* ---- rows -------------------------------------------------------------------------------------- */

RG_FOR_QUADS void rg_quad_row_sums(int n, int columns, const double *A, double *sum)
{
    typedef int64_t bits __attribute__((vector_size(32)));
    const bits magnitude = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    const int blocks = blocks_of(n);

    for (int b = 0; b < blocks; b++) {
        const rg_quad *a = quads(A) + b;
        rg_quad s = {0.0, 0.0, 0.0, 0.0};
        for (int j = 0; j < columns; j++, a += blocks)
            s += (rg_quad)((bits)*a & magnitude);
        ((rg_quad *)sum)[b] = s;
    }
}

RG_FOR_QUADS void rg_quad_scale_rows(int n, int columns, double *A, const double *scale)
{
    const int blocks = blocks_of(n);

    for (int b = 0; b < blocks; b++) {
        rg_quad *a = (rg_quad *)A + b;
        const rg_quad s = quads(scale)[b];
        for (int j = 0; j < columns; j++, a += blocks)
            *a *= s;
    }
}
