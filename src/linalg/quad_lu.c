/* LU factors of small matrices in vectors of four numbers, compiled for several vector lengths. */
#include "linalg/quad_impl.h"

/* x <- L^-1 x with the first `columns` columns of L, which are all but the last few if it is
 * full */
RG_INLINE void forward(int blocks, bool is_full, int columns, const double *L, rg_quad *x)
{
    RG_UNROLL
    for (int c = 0; c < blocks; c++) {
        RG_UNROLL
        for (int lane = 0; lane < RG_LANES; lane++, L += RG_LANES * blocks) {
            if ((!is_full || c == blocks - 1) && RG_LANES * c + lane >= columns) return;
            const double s = x[c][lane];
            RG_UNROLL
            for (int b = c; b < blocks; b++)
                if (b > c || lane < RG_LANES - 1) x[b] -= quads(L)[b] * s;
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
                if (b < c || lane > 0) x[b] -= quads(U)[b] * s;
        }
    }
}

RG_INLINE void solve(int blocks, const rg_quad_lu *f, double *b)
{
    rg_quad x[MOST_BLOCKS];
    double memory[RG_QUAD_ROWS];

    ((rg_quad *)memory)[blocks - 1] = (rg_quad){0.0, 0.0, 0.0, 0.0};
    gather(f, b, memory);
    RG_UNROLL
    for (int k = 0; k < blocks; k++)
        x[k] = quads(memory)[k];
    forward(blocks, true, f->n - 1, f->L, x);
    RG_UNROLL
    for (int k = 0; k < blocks; k++)
        x[k] *= quads(f->inverse)[k];
    backward(blocks, f->n, f->U, x);
    scatter(blocks, f->n, x, b);
}

RG_FOR_QUADS void rg_quad_lu_solve(const rg_quad_lu *f,
                                   double *b){FOR_BLOCKS(blocks_of(f->n), solve, f, b)}

/* Column j of U and L from x, whose pivot is in place.  `inverse` ends in zeros from j on. */
RG_INLINE void store_column(int blocks, int j, const rg_quad_lu *f, const double *x, double inverse)
{
    rg_quad *u = (rg_quad *)(f->U + (ptrdiff_t)j * RG_LANES * blocks);
    double *l = f->L + (ptrdiff_t)j * RG_LANES * blocks;

    for (int b = 0; b <= j / RG_LANES; b++)
        u[b] = quads(x)[b] * quads(f->inverse)[b];
    for (int b = j / RG_LANES; b < blocks; b++)
        ((rg_quad *)l)[b] = quads(x)[b] * inverse;
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
        forward(blocks, false, j, f->L, x);
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

RG_FOR_QUADS bool rg_quad_lu_factor(const rg_quad_lu *f)
{
    FOR_BLOCKS(blocks_of(f->n), factor, f)
}
