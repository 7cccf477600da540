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
            if (!is_full && s == 0.0) continue; /* columns are sparse */
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

/* Up to RG_LANES rows: number by number, which is less than vectors with parts that do not
 * count. */
RG_INLINE void solve_few(int n, const rg_quad_lu *f, double *b)
{
    double x[RG_LANES];

    RG_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = b[f->order[i]] * f->scale[i];
    RG_UNROLL
    for (int j = 0; j < n; j++) {
        RG_UNROLL
        for (int i = j + 1; i < n; i++)
            x[i] -= f->L[RG_LANES * j + i] * x[j];
    }
    RG_UNROLL
    for (int i = 0; i < n; i++)
        x[i] *= f->inverse[i];
    RG_UNROLL
    for (int j = n - 1; j > 0; j--) {
        RG_UNROLL
        for (int i = 0; i < j; i++)
            x[i] -= f->U[RG_LANES * j + i] * x[j];
    }
    RG_UNROLL
    for (int i = 0; i < n; i++)
        b[i] = x[i];
}

RG_FOR_QUADS static void solve_blocks(const rg_quad_lu *f, double *b)
{
    FOR_BLOCKS(blocks_of(f->n), solve, f, b)
}

void rg_quad_lu_solve(const rg_quad_lu *f, double *b)
{
    switch (f->n) {
    case 1:
        solve_few(1, f, b);
        break;
    case 2:
        solve_few(2, f, b);
        break;
    case 3:
        solve_few(3, f, b);
        break;
    case 4:
        solve_few(4, f, b);
        break;
    default:
        solve_blocks(f, b);
    }
}

/* Column j of U and L from x, whose pivot is in place.  `inverse` ends in zeros from j on. */
RG_INLINE void store_column(int blocks, int j, const rg_quad_lu *f, const double *x, double inverse)
{
    rg_quad *u = (rg_quad *)(f->U + (ptrdiff_t)j * RG_LANES * blocks);
    double *l = f->L + (ptrdiff_t)j * RG_LANES * blocks;

    for (int b = 0; b <= j / RG_LANES; b++)
        u[b] = quads(x)[b] * quads(f->inverse)[b];
    for (int b = j / RG_LANES; b < blocks; b++)
        ((rg_quad *)l)[b] = quads(x)[b] * inverse;
    clear_above(j, l);
    f->inverse[j] = inverse;
}

RG_INLINE int find_pivot(int blocks, int j, const rg_quad *x)
{
    rg_quad size[MOST_BLOCKS];

    RG_UNROLL
    for (int b = 0; b < blocks; b++)
        magnitudes(x + b, size + b);
    return find_largest(blocks, j, size);
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
        const int p = find_pivot(blocks, j, x);
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

/* x = L^-1 a_j with the j columns of L before */
RG_INLINE void reduce_few(int n, int j, const rg_quad_lu *f, double *x)
{
    RG_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = f->U[RG_LANES * j + i];
    RG_UNROLL
    for (int k = 0; k < j; k++) {
        RG_UNROLL
        for (int i = k + 1; i < n; i++)
            x[i] -= f->L[RG_LANES * k + i] * x[k];
    }
}

RG_APART void swap_few(int n, int j, int p, const rg_quad_lu *f)
{
    swap_rows(j, RG_LANES, j, p, f->L);
    swap_rows(n - j, RG_LANES, j, p, f->U + RG_LANES * j);
    swap_order(f->order, j, p);
}

/* As solve_few(), which does not read the zeros of L and U. */
RG_INLINE bool factor_few(int n, const rg_quad_lu *f)
{
    double x[RG_LANES];

    RG_UNROLL
    for (int j = 0; j < n; j++) {
        int p = j;
        reduce_few(n, j, f, x);
        double most = fabs(x[j]);
        RG_UNROLL
        for (int i = j + 1; i < n; i++)
            if (fabs(x[i]) > most) most = fabs(x[p = i]);
        if (p != j) { /* seldom: rows stand where the pivots of the last time want them */
            swap_few(n, j, p, f);
            reduce_few(n, j, f, x);
        }
        const double inverse = 1.0 / x[j];
        if (!(fabs(inverse) < INFINITY)) return false;
        RG_UNROLL
        for (int i = 0; i < j; i++)
            f->U[RG_LANES * j + i] = x[i] * f->inverse[i];
        RG_UNROLL
        for (int i = j + 1; i < n; i++)
            f->L[RG_LANES * j + i] = x[i] * inverse;
        f->inverse[j] = inverse;
    }
    return true;
}

RG_FOR_QUADS static bool factor_blocks(const rg_quad_lu *f)
{
    FOR_BLOCKS(blocks_of(f->n), factor, f)
}

bool rg_quad_lu_factor(const rg_quad_lu *f)
{
    switch (f->n) {
    case 1:
        return factor_few(1, f);
    case 2:
        return factor_few(2, f);
    case 3:
        return factor_few(3, f);
    case 4:
        return factor_few(4, f);
    default:
        return factor_blocks(f);
    }
}
