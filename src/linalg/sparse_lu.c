/* Sparse factors with known pivots: new values, solutions. */
#include "linalg/sparse_lu.h"

#include "base/vector.h"

/* ---- memory ---------------------------------------------------------------------------------- */

rg_pivots *rg_pivots_use(rg_pivots *p)
{
    atomic_fetch_add(&p->users, 1);
    return p;
}

void rg_pivots_release(rg_pivots **p)
{
    rg_pivots *x = *p;

    *p = NULL;
    if (x == NULL || atomic_fetch_sub(&x->users, 1) > 1) return;
    rg_free(x->ctx, x->memory);
    rg_free(x->ctx, x);
}

void rg_sparse_lu_forget(rg_sparse_lu *f)
{
    rg_pivots_release(&f->pivots);
    f->is_there = false;
}

void rg_sparse_lu_clear(rg_sparse_lu *f)
{
    rg_sparse_lu_forget(f);
    rg_free(f->ctx, f->memory);
    *f = (rg_sparse_lu){.ctx = f->ctx};
}

static int *lay_pattern(rg_columns *c, size_t n, int entries, int *ints)
{
    c->start = ints;
    c->row = ints + n + 1;
    return c->row + entries;
}

static rg_pivots *create_pivots(rg_context *ctx, int n, int l, int u, int above)
{
    const size_t size = (size_t)n;
    rg_pivots *p = rg_alloc(ctx, 1, sizeof *p);

    if (p == NULL) return NULL;
    p->ctx = ctx;
    p->users = 1;
    p->n = n;
    p->memory =
        rg_alloc(ctx, 7 * size + 4 + (size_t)l + (size_t)u + (size_t)above, sizeof *p->memory);
    if (p->memory == NULL) {
        rg_pivots_release(&p);
        return NULL;
    }
    p->P = lay_pattern(&p->L, size, l, p->memory);
    p->P = lay_pattern(&p->U, size, u, p->P);
    p->P = lay_pattern(&p->F, size, above, p->P);
    p->Q = p->P + n;
    p->place = p->Q + n;
    p->R = p->place + n;
    return p;
}

static double *lay_values(rg_columns *c, const rg_columns *pattern, size_t entries, bool is_complex,
                          double *reals)
{
    c->start = pattern->start;
    c->row = pattern->row;
    c->re = reals;
    c->im = is_complex ? reals + entries : NULL;
    return reals + (is_complex ? 2 : 1) * entries;
}

/* Other pivots may need more than those before.  Takes over a user of the pivots. */
static rg_status make_room(rg_pivots *p, size_t l, size_t u, size_t above, bool is_complex,
                           rg_sparse_lu *f)
{
    const size_t n = (size_t)p->n, parts = is_complex ? 2 : 1;
    const size_t room = parts * (l + u + above + RG_LANES * n) + n;

    rg_sparse_lu_forget(f);
    f->pivots = p;
    if (f->room < room) {
        rg_free(f->ctx, f->memory);
        f->room = 0;
        f->memory = rg_alloc(f->ctx, room, sizeof *f->memory);
        if (f->memory == NULL) {
            rg_sparse_lu_forget(f);
            return RG_ERR_MEMORY;
        }
        f->room = room;
    }
    f->is_complex = is_complex;
    f->n = p->n;
    f->n_blocks = p->n_blocks;
    f->P = p->P;
    f->Q = p->Q;
    f->R = p->R;
    f->place = p->place;
    double *reals = lay_values(&f->L, &p->L, l, is_complex, f->memory);
    reals = lay_values(&f->U, &p->U, u, is_complex, reals);
    f->scale = lay_values(&f->F, &p->F, above, is_complex, reals);
    f->x = f->scale + n;
    return RG_OK;
}

rg_status rg_sparse_lu_share(rg_pivots *p, bool is_complex, rg_sparse_lu *f)
{
    return make_room(rg_pivots_use(p), (size_t)p->L.start[p->n], (size_t)p->U.start[p->n],
                     (size_t)p->F.start[p->n], is_complex, f);
}

rg_status rg_sparse_lu_lay(rg_context *ctx, int n, int l, int u, int above, bool is_complex,
                           rg_sparse_lu *f)
{
    rg_pivots *p = create_pivots(ctx, n, l, u, above);

    f->ctx = ctx;
    if (p == NULL) return RG_ERR_MEMORY;
    return make_room(p, (size_t)l, (size_t)u, (size_t)above, is_complex, f);
}

rg_status rg_sparse_lu_take(rg_context *ctx, klu_symbolic *order, klu_numeric *factors,
                            bool is_complex, klu_common *common, rg_sparse_lu *f)
{
    RG_TRY(
        rg_sparse_lu_lay(ctx, order->n, factors->lnz, factors->unz, factors->nzoff, is_complex, f));
    rg_pivots *p = f->pivots;
    f->n_blocks = p->n_blocks = order->nblocks;
    rg_columns *L = &f->L, *U = &f->U, *F = &f->F;
    f->is_there =
        is_complex ? klu_z_extract(factors, order, L->start, L->row, L->re, L->im, U->start, U->row,
                                   U->re, U->im, F->start, F->row, F->re, F->im, p->P, p->Q,
                                   f->scale, p->R, common)
                   : klu_extract(factors, order, L->start, L->row, L->re, U->start, U->row, U->re,
                                 F->start, F->row, F->re, p->P, p->Q, f->scale, p->R, common);
    for (int k = 0; k < f->n; k++)
        p->place[p->P[k]] = k;
    return f->is_there ? RG_OK : RG_ERR_MEMORY;
}

/* ---- columns --------------------------------------------------------------------------------- */

typedef double rg_pair __attribute__((vector_size(16), aligned(8), may_alias));

/* x_i -= c_ik a for the entries from .. to - 1 of column k */
RG_INLINE void take(const rg_columns *c, int from, int to, double a, double *x)
{
    for (int p = from; p < to; p++)
        x[c->row[p]] -= c->re[p] * a;
}

/* The same for complex numbers: c a = c_re a + c_im (i a) */
RG_INLINE void take_pair(const rg_columns *c, int from, int to, rg_pair a, rg_pair *x)
{
    const rg_pair turned = {-a[1], a[0]};

    for (int p = from; p < to; p++)
        x[c->row[p]] -= c->re[p] * a + c->im[p] * turned;
}

RG_INLINE rg_pair divide(rg_pair x, const rg_divisor *d)
{
    const rg_pair q = {x[0] * d->c + x[1] * d->s, x[1] * d->c - x[0] * d->s};

    return q / d->size;
}

/* ---- new values ------------------------------------------------------------------------------ */

RG_FOR_QUADS static bool renew_real(rg_sparse_lu *f, const int *start, const int *row,
                                    const double *A, double *x)
{
    const rg_columns *L = &f->L, *U = &f->U, *F = &f->F;

    for (int b = 0, k = 0; b < f->n_blocks; b++)
        for (const int first = f->R[b]; k < f->R[b + 1]; k++) {
            const int j = f->Q[k], end = U->start[k + 1] - 1;
            int above = F->start[k];
            for (int p = start[j]; p < start[j + 1]; p++) {
                const int i = f->place[row[p]];
                *(i < first ? &F->re[above++] : &x[i]) = A[p];
            }
            for (int p = U->start[k]; p < end; p++) {
                const int i = U->row[p];
                const double u = U->re[p] = x[i];
                x[i] = 0.0;
                take(L, L->start[i] + 1, L->start[i + 1], u, x);
            }
            const double pivot = U->re[end] = x[k];
            x[k] = 0.0;
            if (pivot == 0.0) return false;
            for (int p = L->start[k] + 1; p < L->start[k + 1]; p++) {
                L->re[p] = x[L->row[p]] / pivot;
                x[L->row[p]] = 0.0;
            }
        }
    return true;
}

RG_INLINE void set(const rg_columns *c, int p, rg_pair v)
{
    c->re[p] = v[0];
    c->im[p] = v[1];
}

RG_FOR_QUADS static bool renew_complex(rg_sparse_lu *f, const int *start, const int *row,
                                       const rg_pair *A, rg_pair *x)
{
    const rg_columns *L = &f->L, *U = &f->U, *F = &f->F;
    const rg_pair zero = {0.0, 0.0};

    for (int b = 0, k = 0; b < f->n_blocks; b++)
        for (const int first = f->R[b]; k < f->R[b + 1]; k++) {
            const int j = f->Q[k], end = U->start[k + 1] - 1;
            int above = F->start[k];
            for (int p = start[j]; p < start[j + 1]; p++) {
                const int i = f->place[row[p]];
                if (i < first)
                    set(F, above++, A[p]);
                else
                    x[i] = A[p];
            }
            for (int p = U->start[k]; p < end; p++) {
                const int i = U->row[p];
                const rg_pair u = x[i];
                set(U, p, u);
                x[i] = zero;
                take_pair(L, L->start[i] + 1, L->start[i + 1], u, x);
            }
            const rg_pair pivot = x[k];
            set(U, end, pivot);
            x[k] = zero;
            if (pivot[0] == 0.0 && pivot[1] == 0.0) return false;
            const rg_divisor d = rg_divisor_of(pivot[0], pivot[1]);
            for (int p = L->start[k] + 1; p < L->start[k + 1]; p++) {
                set(L, p, divide(x[L->row[p]], &d));
                x[L->row[p]] = zero;
            }
        }
    return true;
}

/* Rows need no scale here: it would choose other pivots, which stay. */
bool rg_sparse_lu_renew(rg_sparse_lu *f, const int *start, const int *row, const double *A)
{
    f->is_there = false;
    if (f->pivots == NULL) return false;
    rg_clear(f->x, (f->is_complex ? 2 : 1) * f->n);
    f->is_there = f->is_complex ? renew_complex(f, start, row, (const rg_pair *)A, (rg_pair *)f->x)
                                : renew_real(f, start, row, A, f->x);
    for (int k = 0; k < f->n; k++)
        f->scale[k] = 1.0;
    return f->is_there;
}

/* ---- solutions ------------------------------------------------------------------------------- */

RG_FOR_QUADS static void solve_real(const rg_sparse_lu *f, double *b)
{
    const rg_columns *L = &f->L, *U = &f->U, *F = &f->F;
    double *x = f->x;

    for (int k = 0; k < f->n; k++)
        x[k] = b[f->P[k]] / f->scale[k];
    for (int m = f->n_blocks - 1; m >= 0; m--) {
        const int from = f->R[m], to = f->R[m + 1];
        for (int k = from; k < to; k++)
            take(L, L->start[k] + 1, L->start[k + 1], x[k], x);
        for (int k = to - 1; k >= from; k--) {
            const int end = U->start[k + 1] - 1;
            x[k] /= U->re[end];
            take(U, U->start[k], end, x[k], x);
        }
        for (int k = from; k < to; k++)
            take(F, F->start[k], F->start[k + 1], x[k], x);
    }
    for (int k = 0; k < f->n; k++)
        b[f->Q[k]] = x[k];
}

RG_FOR_QUADS static void solve_complex(const rg_sparse_lu *f, rg_pair *b)
{
    const rg_columns *L = &f->L, *U = &f->U, *F = &f->F;
    rg_pair *x = (rg_pair *)f->x;

    for (int k = 0; k < f->n; k++)
        x[k] = b[f->P[k]] / f->scale[k];
    for (int m = f->n_blocks - 1; m >= 0; m--) {
        const int from = f->R[m], to = f->R[m + 1];
        for (int k = from; k < to; k++)
            take_pair(L, L->start[k] + 1, L->start[k + 1], x[k], x);
        for (int k = to - 1; k >= from; k--) {
            const int end = U->start[k + 1] - 1;
            const rg_divisor d = rg_divisor_of(U->re[end], U->im[end]);
            x[k] = divide(x[k], &d);
            take_pair(U, U->start[k], end, x[k], x);
        }
        for (int k = from; k < to; k++)
            take_pair(F, F->start[k], F->start[k + 1], x[k], x);
    }
    for (int k = 0; k < f->n; k++)
        b[f->Q[k]] = x[k];
}

void rg_sparse_lu_solve(rg_sparse_lu *f, double *x)
{
    if (f->is_complex)
        solve_complex(f, (rg_pair *)x);
    else
        solve_real(f, x);
}

/* x_k - sum of c_ik x_i over the entries from .. to - 1 */
RG_INLINE double less(const rg_columns *c, int from, int to, const double *x, double at)
{
    for (int p = from; p < to; p++)
        at -= c->re[p] * x[c->row[p]];
    return at;
}

void rg_sparse_lu_solve_transposed(rg_sparse_lu *f, double *b)
{
    const rg_columns *L = &f->L, *U = &f->U, *F = &f->F;
    double *x = f->x;

    for (int k = 0; k < f->n; k++)
        x[k] = b[f->Q[k]];
    for (int m = 0; m < f->n_blocks; m++) {
        const int from = f->R[m], to = f->R[m + 1];
        for (int k = from; k < to; k++)
            x[k] = less(F, F->start[k], F->start[k + 1], x, x[k]);
        for (int k = from; k < to; k++) {
            const int end = U->start[k + 1] - 1;
            x[k] = less(U, U->start[k], end, x, x[k]) / U->re[end];
        }
        for (int k = to - 1; k >= from; k--)
            x[k] = less(L, L->start[k] + 1, L->start[k + 1], x, x[k]);
    }
    for (int k = 0; k < f->n; k++)
        b[f->P[k]] = x[k] / f->scale[k];
}
