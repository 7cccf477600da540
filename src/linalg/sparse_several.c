/* Four right-hand sides at once.
 *
 * A solution with one right-hand side is mostly indices: four of them side by side in a vector
 * cost little more than one does. */
#include "base/vector.h"
#include "linalg/sparse_impl.h"

/* x_i -= c_ik v for the entries from .. to - 1 of column k */
RG_INLINE void take(const rg_columns *c, int from, int to, const rg_quad *v, rg_quad *x)
{
    const rg_quad a = *v;

    for (int p = from; p < to; p++)
        x[c->row[p]] -= c->re[p] * a;
}

RG_FOR_QUADS static void solve_real(const rg_sparse_lu *f, rg_quad *x)
{
    const rg_columns *L = &f->L, *U = &f->U, *F = &f->F;

    for (int b = f->n_blocks - 1; b >= 0; b--) {
        for (int k = f->R[b]; k < f->R[b + 1]; k++)
            take(L, L->start[k] + 1, L->start[k + 1], x + k, x);
        for (int k = f->R[b + 1] - 1; k >= f->R[b]; k--) {
            const int end = U->start[k + 1] - 1;
            x[k] /= U->re[end];
            take(U, U->start[k], end, x + k, x);
        }
        for (int k = f->R[b]; k < f->R[b + 1]; k++)
            take(F, F->start[k], F->start[k + 1], x + k, x);
    }
}

/* The same for x + i y, side by side */
RG_INLINE void take_pair(const rg_columns *c, int from, int to, const rg_quad *v, rg_quad *x)
{
    const rg_quad re = v[0], im = v[1];

    for (int p = from; p < to; p++) {
        rg_quad *at = x + 2 * (int64_t)c->row[p];
        at[0] -= c->re[p] * re - c->im[p] * im;
        at[1] -= c->re[p] * im + c->im[p] * re;
    }
}

RG_INLINE void divide_pair(double re, double im, rg_quad *x)
{
    const rg_divisor d = rg_divisor_of(re, im);
    const rg_quad a = x[0];

    x[0] = (a * d.c + x[1] * d.s) / d.size;
    x[1] = (x[1] * d.c - a * d.s) / d.size;
}

RG_FOR_QUADS static void solve_complex(const rg_sparse_lu *f, rg_quad *x)
{
    const rg_columns *L = &f->L, *U = &f->U, *F = &f->F;

    for (int b = f->n_blocks - 1; b >= 0; b--) {
        for (int64_t k = f->R[b]; k < f->R[b + 1]; k++)
            take_pair(L, L->start[k] + 1, L->start[k + 1], x + 2 * k, x);
        for (int64_t k = f->R[b + 1] - 1; k >= f->R[b]; k--) {
            const int end = U->start[k + 1] - 1;
            divide_pair(U->re[end], U->im[end], x + 2 * k);
            take_pair(U, U->start[k], end, x + 2 * k, x);
        }
        for (int64_t k = f->R[b]; k < f->R[b + 1]; k++)
            take_pair(F, F->start[k], F->start[k + 1], x + 2 * k, x);
    }
}

/* Four right-hand sides into every `stride`-th quad, and out of it; origin: NULL, or where the rows
 * of the plan come from */
RG_FOR_QUADS static void load(const rg_sparse_lu *f, const int *origin, const double *const *b,
                              rg_quad *x, int stride)
{
    for (int i = 0; i < f->n; i++, x += stride) {
        const int p = origin != NULL ? origin[f->P[i]] : f->P[i];
        const rg_quad four = {b[0][p], b[1][p], b[2][p], b[3][p]};
        *x = four / f->scale[i];
    }
}

static void store(const rg_sparse_lu *f, const double *x, int stride, int lane, double *b)
{
    for (int i = 0; i < f->n; i++)
        b[f->Q[i]] = x[(int64_t)RG_LANES * stride * i + lane];
}

static void clear_imaginary(const rg_sparse_lu *f)
{
    rg_quad *x = (rg_quad *)f->x;

    for (int i = 0; i < f->n; i++)
        x[2 * i + 1] = (rg_quad){0.0, 0.0, 0.0, 0.0};
}

/* Lanes that are left over solve for the first right-hand side once more. */
static void solve_four(const rg_sparse_lu *f, const int *origin, int count, const rg_sides *b)
{
    const int stride = f->is_complex ? 2 : 1;
    const double *four[RG_LANES];

    for (int k = 0; k < RG_LANES; k++)
        four[k] = b->re[k < count ? k : 0];
    load(f, origin, four, (rg_quad *)f->x, stride);
    for (int k = 0; k < RG_LANES && b->im != NULL; k++)
        four[k] = b->im[k < count ? k : 0];
    if (f->is_complex && b->im != NULL)
        load(f, origin, four, (rg_quad *)f->x + 1, stride);
    else if (f->is_complex)
        clear_imaginary(f);
    if (f->is_complex)
        solve_complex(f, (rg_quad *)f->x);
    else
        solve_real(f, (rg_quad *)f->x);
    for (int k = 0; k < count; k++) {
        store(f, f->x, stride, k, b->x_re[k]);
        if (f->is_complex) store(f, f->x + RG_LANES, stride, k, b->x_im[k]);
    }
}

rg_sides rg_sides_from(const rg_sides *b, int k)
{
    return (rg_sides){b->re + k, b->im == NULL ? NULL : b->im + k, b->x_re + k,
                      b->x_im == NULL ? NULL : b->x_im + k};
}

bool rg_sparse_solve_several(rg_sparse *s, int count, const rg_sides *b)
{
    const int *origin = s->plan->uses_umfpack ? s->plan->origin : NULL;

    if (!s->lu.is_there || !s->is_checked) return false;
    for (int k = 0; k < count; k += RG_LANES) {
        const rg_sides four = rg_sides_from(b, k);
        solve_four(&s->lu, origin, count - k < RG_LANES ? count - k : RG_LANES, &four);
    }
    return true;
}
