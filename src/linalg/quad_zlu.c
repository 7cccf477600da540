/* Complex numbers: real parts in x and at the front, imaginary parts in y and behind. */
#include "linalg/quad_impl.h"

RG_INLINE void zforward(int blocks, bool is_full, int columns, int n, const double *L, rg_quad *x,
                        rg_quad *y)
{
    const int ld = RG_LANES * blocks;

    RG_UNROLL
    for (int c = 0; c < blocks; c++) {
        RG_UNROLL
        for (int lane = 0; lane < RG_LANES; lane++, L += ld) {
            if ((!is_full || c == blocks - 1) && RG_LANES * c + lane >= columns) return;
            const double s = x[c][lane], t = y[c][lane];
            const rg_quad *re = quads(L), *im = quads(L + (ptrdiff_t)n * ld);
            if (!is_full && s == 0.0 && t == 0.0) continue; /* columns are sparse */
            RG_UNROLL
            for (int b = c; b < blocks; b++) {
                if (b == c && lane == RG_LANES - 1) continue;
                x[b] -= re[b] * s - im[b] * t;
                y[b] -= re[b] * t + im[b] * s;
            }
        }
    }
}

/* x + iy <- x + iy - (re + i im)(s + it) */
RG_INLINE void zsubtract(double re, double im, double s, double t, double *x, double *y)
{
    *x -= re * s - im * t;
    *y -= re * t + im * s;
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
                if (b == c && lane == 0) continue;
                x[b] -= re[b] * s - im[b] * t;
                y[b] -= re[b] * t + im[b] * s;
            }
        }
    }
}

RG_INLINE void zsolve(int blocks, const rg_quad_lu *f, double *b_re, double *b_im)
{
    const rg_quad *re = quads(f->inverse), *im = re + blocks, zero = {0.0, 0.0, 0.0, 0.0};
    rg_quad x[MOST_BLOCKS], y[MOST_BLOCKS];
    double memory[2 * RG_QUAD_ROWS];

    ((rg_quad *)memory)[blocks - 1] = ((rg_quad *)memory)[2 * blocks - 1] = zero;
    gather(f, b_re, memory);
    gather(f, b_im, memory + RG_LANES * blocks);
    RG_UNROLL
    for (int b = 0; b < blocks; b++) {
        x[b] = quads(memory)[b];
        y[b] = quads(memory)[blocks + b];
    }
    zforward(blocks, true, f->n - 1, f->n, f->L, x, y);
    RG_UNROLL
    for (int b = 0; b < blocks; b++) {
        const rg_quad s = x[b], t = y[b];
        x[b] = s * re[b] - t * im[b];
        y[b] = s * im[b] + t * re[b];
    }
    zbackward(blocks, f->n, f->U, x, y);
    scatter(blocks, f->n, x, b_re);
    scatter(blocks, f->n, y, b_im);
}

/* As solve_few() of real numbers. */
RG_INLINE void zsolve_few(int n, const rg_quad_lu *f, double *b_re, double *b_im)
{
    const double *L = f->L, *U = f->U;
    const int i0 = RG_LANES * n; /* imaginary parts */
    double x[RG_LANES], y[RG_LANES];

    RG_UNROLL
    for (int i = 0; i < n; i++) {
        x[i] = b_re[f->order[i]] * f->scale[i];
        y[i] = b_im[f->order[i]] * f->scale[i];
    }
    RG_UNROLL
    for (int j = 0; j < n; j++) {
        RG_UNROLL
        for (int i = j + 1; i < n; i++)
            zsubtract(L[RG_LANES * j + i], L[i0 + RG_LANES * j + i], x[j], y[j], x + i, y + i);
    }
    RG_UNROLL
    for (int i = 0; i < n; i++) {
        const double s = x[i], t = y[i], re = f->inverse[i], im = f->inverse[RG_LANES + i];
        x[i] = s * re - t * im;
        y[i] = s * im + t * re;
    }
    RG_UNROLL
    for (int j = n - 1; j > 0; j--) {
        RG_UNROLL
        for (int i = 0; i < j; i++)
            zsubtract(U[RG_LANES * j + i], U[i0 + RG_LANES * j + i], x[j], y[j], x + i, y + i);
    }
    RG_UNROLL
    for (int i = 0; i < n; i++) {
        b_re[i] = x[i];
        b_im[i] = y[i];
    }
}

RG_FOR_QUADS static void zsolve_blocks(const rg_quad_lu *f, double *re, double *im)
{
    FOR_BLOCKS(blocks_of(f->n), zsolve, f, re, im)
}

void rg_quad_zlu_solve(const rg_quad_lu *f, double *re, double *im)
{
    switch (f->n) {
    case 1:
        zsolve_few(1, f, re, im);
        break;
    case 2:
        zsolve_few(2, f, re, im);
        break;
    case 3:
        zsolve_few(3, f, re, im);
        break;
    default:
        zsolve_blocks(f, re, im);
    }
}

/* 1/(a + ib); false: not finite */
static inline bool invert(double a, double b, double *re, double *im)
{
    const double size =
        fabs(a) > fabs(b) ? fabs(a) : fabs(b); /* keeps |pivot|^2 from under- and overflow */
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

    for (int b = 0; b <= j / RG_LANES; b++) {
        const rg_quad s = quads(x)[b], t = quads(x)[blocks + b];
        const rg_quad v = quads(f->inverse)[b], w = quads(f->inverse)[blocks + b];
        ((rg_quad *)u)[b] = s * v - t * w;
        ((rg_quad *)(u + imaginary))[b] = s * w + t * v;
    }
    for (int b = j / RG_LANES; b < blocks; b++) {
        const rg_quad s = quads(x)[b], t = quads(x)[blocks + b];
        ((rg_quad *)l)[b] = s * re - t * im;
        ((rg_quad *)(l + imaginary))[b] = s * im + t * re;
    }
    clear_above(j, l);
    clear_above(j, l + imaginary);
    f->inverse[j] = re;
    f->inverse[ld + j] = im;
}

/* size: |x_i| + |y_i| */
RG_INLINE int find_zpivot(int blocks, int j, const rg_quad *x, const rg_quad *y)
{
    rg_quad size[MOST_BLOCKS], imaginary;

    RG_UNROLL
    for (int b = 0; b < blocks; b++) {
        magnitudes(x + b, size + b);
        magnitudes(y + b, &imaginary);
        size[b] += imaginary;
    }
    return find_largest(blocks, j, size);
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
        zforward(blocks, false, j, n, f->L, x, y);
        RG_UNROLL
        for (int b = 0; b < blocks; b++) {
            ((rg_quad *)memory)[b] = x[b];
            ((rg_quad *)memory)[blocks + b] = y[b];
        }
        const int p = find_zpivot(blocks, j, x, y);
        if (p != j) swap_zrows(f, ld, j, p, memory);
        if (!invert(memory[j], memory[ld + j], &re, &im)) return false;
        store_zcolumn(blocks, j, f, memory, re, im);
    }
    return true;
}

/* x + iy = L^-1 a_j with the j columns of L before */
RG_INLINE void zreduce_few(int n, int j, const rg_quad_lu *f, double *x, double *y)
{
    const double *L = f->L, *a = f->U + RG_LANES * j;
    const int i0 = RG_LANES * n;

    RG_UNROLL
    for (int i = 0; i < n; i++) {
        x[i] = a[i];
        y[i] = a[i0 + i];
    }
    RG_UNROLL
    for (int k = 0; k < j; k++) {
        RG_UNROLL
        for (int i = k + 1; i < n; i++)
            zsubtract(L[RG_LANES * k + i], L[i0 + RG_LANES * k + i], x[k], y[k], x + i, y + i);
    }
}

RG_APART void swap_zfew(int n, int j, int p, const rg_quad_lu *f)
{
    double *const part[] = {f->L, f->L + RG_LANES * n};

    for (int k = 0; k < 2; k++) {
        swap_rows(j, RG_LANES, j, p, part[k]);
        swap_rows(n - j, RG_LANES, j, p, f->U + RG_LANES * (k * n + j));
    }
    swap_order(f->order, j, p);
}

/* Column j of U and L; those without the zeros, which zsolve_few() does not read. */
RG_INLINE void store_zfew(int n, int j, const rg_quad_lu *f, const double *x, const double *y)
{
    const double *re = f->inverse, *im = f->inverse + RG_LANES;
    double *u = f->U + RG_LANES * j, *l = f->L + RG_LANES * j;
    const int i0 = RG_LANES * n;

    RG_UNROLL
    for (int i = 0; i < j; i++) {
        u[i] = x[i] * re[i] - y[i] * im[i];
        u[i0 + i] = x[i] * im[i] + y[i] * re[i];
    }
    RG_UNROLL
    for (int i = j + 1; i < n; i++) {
        l[i] = x[i] * re[j] - y[i] * im[j];
        l[i0 + i] = x[i] * im[j] + y[i] * re[j];
    }
}

RG_INLINE bool zfactor_few(int n, const rg_quad_lu *f)
{
    double x[RG_LANES], y[RG_LANES];

    RG_UNROLL
    for (int j = 0; j < n; j++) {
        int p = j;
        zreduce_few(n, j, f, x, y);
        double most = fabs(x[j]) + fabs(y[j]);
        RG_UNROLL
        for (int i = j + 1; i < n; i++) {
            const double size = fabs(x[i]) + fabs(y[i]);
            if (size > most) most = size, p = i;
        }
        if (p != j) { /* seldom */
            swap_zfew(n, j, p, f);
            zreduce_few(n, j, f, x, y);
        }
        if (!invert(x[j], y[j], f->inverse + j, f->inverse + RG_LANES + j)) return false;
        store_zfew(n, j, f, x, y);
    }
    return true;
}

RG_FOR_QUADS static bool zfactor_blocks(const rg_quad_lu *f)
{
    FOR_BLOCKS(blocks_of(f->n), zfactor, f)
}

bool rg_quad_zlu_factor(const rg_quad_lu *f)
{
    switch (f->n) {
    case 1:
        return zfactor_few(1, f);
    case 2:
        return zfactor_few(2, f);
    case 3:
        return zfactor_few(3, f);
    default:
        return zfactor_blocks(f);
    }
}
