/* Four right-hand sides at once by the factors of KLU.
 *
 * A solution with one right-hand side is mostly indices: four of them side by side in a vector
 * cost as much as one does (a grid of 2 x 40 x 40 unknowns: 1.9 million instructions for four
 * real ones, 1.8 for one by KLU; 4.5 and 3.8 for complex ones).  The factors are copied out of KLU
 * once, in the first such solution, at the cost of one:
 *
 *     L U + F = (A/r)(P, Q),   F the blocks above the diagonal blocks of L U. */
#include "base/vector.h"
#include "linalg/sparse_impl.h"

#include <string.h>

typedef struct { /* columns; im: of complex entries */
    int *start, *row;
    double *re, *im;
} columns;

struct rg_sparse_copy {
    bool is_current;
    int *ints;     /* all of them */
    double *reals; /* all of them */
    size_t n_ints, n_reals;
    columns L, U, F; /* L: its diagonal of ones comes first; U: its diagonal comes last */
    int *P, *Q, *R;  /* block k is R[k] .. R[k+1] - 1 */
    double *scale;
    double *x; /* four numbers per unknown, eight of them where they are complex */
};

void rg_sparse_copy_forget(rg_sparse *s)
{
    if (s->copy != NULL) s->copy->is_current = false;
}

void rg_sparse_copy_free(rg_sparse *s)
{
    if (s->copy == NULL) return;
    rg_free(s->ctx, s->copy->ints);
    rg_free(s->ctx, s->copy->reals);
    rg_free(s->ctx, s->copy);
    s->copy = NULL;
}

static void place(columns *c, size_t n, size_t entries, bool is_complex, int **ints, double **reals)
{
    c->start = *ints;
    c->row = c->start + n + 1;
    *ints = c->row + entries;
    c->re = *reals;
    c->im = is_complex ? c->re + entries : NULL;
    *reals = c->re + (is_complex ? 2 : 1) * entries;
}

/* Memory for the factors as they are now; false: there is none. */
static bool make_room(rg_sparse *s)
{
    const size_t n = (size_t)s->n, parts = s->is_complex ? 2 : 1;
    const size_t l = (size_t)s->klu->lnz, u = (size_t)s->klu->unz, f = (size_t)s->klu->nzoff;
    const size_t n_ints = 6 * n + 4 + l + u + f, n_reals = parts * (l + u + f + 4 * n) + n;
    rg_sparse_copy *c = s->copy;

    if (c->n_ints < n_ints || c->n_reals < n_reals) {
        rg_free(s->ctx, c->ints);
        rg_free(s->ctx, c->reals);
        c->n_ints = c->n_reals = 0;
        c->ints = rg_alloc(s->ctx, n_ints, sizeof *c->ints);
        c->reals = rg_alloc(s->ctx, n_reals, sizeof *c->reals);
        if (c->ints == NULL || c->reals == NULL) return false;
        c->n_ints = n_ints;
        c->n_reals = n_reals;
    }
    int *ints = c->ints;
    double *reals = c->reals;
    place(&c->L, n, l, s->is_complex, &ints, &reals);
    place(&c->U, n, u, s->is_complex, &ints, &reals);
    place(&c->F, n, f, s->is_complex, &ints, &reals);
    c->P = ints;
    c->Q = c->P + n;
    c->R = c->Q + n;
    c->scale = reals;
    c->x = c->scale + n;
    return true;
}

static bool make_copy(rg_sparse *s)
{
    if (s->copy == NULL) s->copy = rg_alloc(s->ctx, 1, sizeof *s->copy);
    rg_sparse_copy *c = s->copy;
    if (c == NULL) return false;
    if (c->is_current) return true;
    if (!make_room(s)) return false;
    const columns *L = &c->L, *U = &c->U, *F = &c->F;
    c->is_current =
        s->is_complex
            ? klu_z_extract(s->klu, s->plan->klu, L->start, L->row, L->re, L->im, U->start, U->row,
                            U->re, U->im, F->start, F->row, F->re, F->im, c->P, c->Q, c->scale,
                            c->R, &s->common)
            : klu_extract(s->klu, s->plan->klu, L->start, L->row, L->re, U->start, U->row, U->re,
                          F->start, F->row, F->re, c->P, c->Q, c->scale, c->R, &s->common);
    return c->is_current;
}

/* x_i -= c_ik v for the entries from .. to - 1 of column k */
RG_INLINE void take(const columns *c, int from, int to, const rg_quad *v, rg_quad *x)
{
    const rg_quad a = *v;

    for (int p = from; p < to; p++)
        x[c->row[p]] -= c->re[p] * a;
}

RG_FOR_QUADS static void solve_real(const rg_sparse_copy *c, int blocks, rg_quad *x)
{
    const columns *L = &c->L, *U = &c->U, *F = &c->F;

    for (int b = blocks - 1; b >= 0; b--) {
        for (int k = c->R[b]; k < c->R[b + 1]; k++)
            take(L, L->start[k] + 1, L->start[k + 1], x + k, x);
        for (int k = c->R[b + 1] - 1; k >= c->R[b]; k--) {
            const int end = U->start[k + 1] - 1;
            x[k] /= U->re[end];
            take(U, U->start[k], end, x + k, x);
        }
        for (int k = c->R[b]; k < c->R[b + 1]; k++)
            take(F, F->start[k], F->start[k + 1], x + k, x);
    }
}

/* The same for x + i y, side by side */
RG_INLINE void take_pair(const columns *c, int from, int to, const rg_quad *v, rg_quad *x)
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
    const double size = re * re + im * im;
    const rg_quad a = x[0];

    x[0] = (a * re + x[1] * im) / size;
    x[1] = (x[1] * re - a * im) / size;
}

RG_FOR_QUADS static void solve_complex(const rg_sparse_copy *c, int blocks, rg_quad *x)
{
    const columns *L = &c->L, *U = &c->U, *F = &c->F;

    for (int b = blocks - 1; b >= 0; b--) {
        for (int64_t k = c->R[b]; k < c->R[b + 1]; k++)
            take_pair(L, L->start[k] + 1, L->start[k + 1], x + 2 * k, x);
        for (int64_t k = c->R[b + 1] - 1; k >= c->R[b]; k--) {
            const int end = U->start[k + 1] - 1;
            divide_pair(U->re[end], U->im[end], x + 2 * k);
            take_pair(U, U->start[k], end, x + 2 * k, x);
        }
        for (int64_t k = c->R[b]; k < c->R[b + 1]; k++)
            take_pair(F, F->start[k], F->start[k + 1], x + 2 * k, x);
    }
}

/* Four right-hand sides into every `stride`-th quad, and out of it */
RG_FOR_QUADS static void load(const rg_sparse *s, const double *const *b, rg_quad *x, int stride)
{
    const rg_sparse_copy *c = s->copy;

    for (int i = 0; i < s->n; i++, x += stride) {
        const int p = c->P[i];
        const rg_quad four = {b[0][p], b[1][p], b[2][p], b[3][p]};
        *x = four / c->scale[i];
    }
}

static void store(const rg_sparse *s, const double *x, int stride, int lane, double *b)
{
    const rg_sparse_copy *c = s->copy;

    for (int i = 0; i < s->n; i++)
        b[c->Q[i]] = x[(int64_t)RG_LANES * stride * i + lane];
}

static void clear_imaginary(const rg_sparse *s)
{
    rg_quad *x = (rg_quad *)s->copy->x;

    for (int i = 0; i < s->n; i++)
        x[2 * i + 1] = (rg_quad){0.0, 0.0, 0.0, 0.0};
}

/* Lanes that are left over solve for the first right-hand side once more. */
static void solve_four(rg_sparse *s, int count, const rg_sides *b)
{
    const rg_sparse_copy *c = s->copy;
    const int stride = s->is_complex ? 2 : 1;
    const double *four[RG_LANES];

    for (int k = 0; k < RG_LANES; k++)
        four[k] = b->re[k < count ? k : 0];
    load(s, four, (rg_quad *)c->x, stride);
    for (int k = 0; k < RG_LANES && b->im != NULL; k++)
        four[k] = b->im[k < count ? k : 0];
    if (s->is_complex && b->im != NULL)
        load(s, four, (rg_quad *)c->x + 1, stride);
    else if (s->is_complex)
        clear_imaginary(s);
    if (s->is_complex)
        solve_complex(c, s->plan->klu->nblocks, (rg_quad *)c->x);
    else
        solve_real(c, s->plan->klu->nblocks, (rg_quad *)c->x);
    for (int k = 0; k < count; k++) {
        store(s, c->x, stride, k, b->x_re[k]);
        if (s->is_complex) store(s, c->x + RG_LANES, stride, k, b->x_im[k]);
    }
}

rg_sides rg_sides_from(const rg_sides *b, int k)
{
    return (rg_sides){b->re + k, b->im == NULL ? NULL : b->im + k, b->x_re + k,
                      b->x_im == NULL ? NULL : b->x_im + k};
}

bool rg_sparse_solve_several(rg_sparse *s, int count, const rg_sides *b)
{
    const bool may = !s->plan->uses_umfpack && !s->plan->is_long && s->klu != NULL;

    if (!may || !s->is_checked || !make_copy(s)) return false;
    for (int k = 0; k < count; k += RG_LANES) {
        const rg_sides four = rg_sides_from(b, k);
        solve_four(s, count - k < RG_LANES ? count - k : RG_LANES, &four);
    }
    return true;
}
