/* Sparse factors by UMFPACK of SuiteSparse, with indices of 64 bits: the factors of a matrix whose
 * own entries are few may have more than 2^31 of them, or need as many bytes. */
#include "linalg/lazy.h"
#include "linalg/lazy_umfpack.h"
#include "linalg/sparse_impl.h"
#include "linalg/tuning.h"

#include <limits.h>
#include <string.h>

rg_status rg_umfpack_init(rg_sparse *s)
{
    const size_t n = (size_t)s->n;

    if (s->umfpack_w != NULL) return RG_OK;
    s->umfpack_wi = rg_alloc(s->ctx, n + 1, sizeof *s->umfpack_wi);
    s->umfpack_w = rg_alloc(s->ctx, (s->is_complex ? 4 : 1) * n + 1, sizeof *s->umfpack_w);
    return s->umfpack_wi != NULL && s->umfpack_w != NULL ? RG_OK : RG_ERR_MEMORY;
}

void rg_umfpack_free(rg_sparse *s)
{
    if (s->umfpack == NULL) return;
    if (s->is_complex)
        umfpack_zl_free_numeric(&s->umfpack);
    else
        umfpack_dl_free_numeric(&s->umfpack);
}

/* Rows scaled by their largest entry; no iterative refinement inside: rg_sparse_solve looks
 * after it. */
static void set_control(double *control)
{
    umfpack_dl_defaults(control);
    control[UMFPACK_SCALE] = UMFPACK_SCALE_MAX;
    control[UMFPACK_IRSTEP] = 0;
    control[UMFPACK_SYM_PIVOT_TOLERANCE] = RG_SPARSE_PIVOT;
    control[UMFPACK_PIVOT_TOLERANCE] = 1.0;
}

/* ---- factors --------------------------------------------------------------------------------- */

typedef struct { /* as UMFPACK gives them: L by rows, P R A Q = L U */
    SuiteSparse_long *Lp, *Lj, *Up, *Ui, *P, *Q, has_inverse;
    double *Lx, *Lz, *R;
} factors;

static rg_status get_factors(rg_sparse *s, size_t l, size_t u, factors *x)
{
    const size_t n = (size_t)s->n;
    SuiteSparse_long *ints = rg_alloc(s->ctx, 4 * n + 2 + l + u, sizeof *ints);
    rg_columns *U = &s->lu.U;

    x->Lx = rg_alloc(s->ctx, 2 * l + n, sizeof *x->Lx);
    x->Lp = ints;
    if (ints == NULL || x->Lx == NULL) return RG_ERR_MEMORY;
    x->Lj = x->Lp + n + 1;
    x->Up = x->Lj + l;
    x->Ui = x->Up + n + 1;
    x->P = x->Ui + u;
    x->Q = x->P + n;
    x->Lz = x->Lx + l;
    x->R = x->Lz + l;
    const SuiteSparse_long status =
        s->is_complex
            ? umfpack_zl_get_numeric(x->Lp, x->Lj, x->Lx, x->Lz, x->Up, x->Ui, U->re, U->im, x->P,
                                     x->Q, NULL, NULL, &x->has_inverse, x->R, s->umfpack)
            : umfpack_dl_get_numeric(x->Lp, x->Lj, x->Lx, x->Up, x->Ui, U->re, x->P, x->Q, NULL,
                                     &x->has_inverse, x->R, s->umfpack);
    return status == UMFPACK_OK ? RG_OK : RG_ERR_MEMORY;
}

/* From rows to columns; those of a column ascend, its diagonal comes first. */
static void turn_lower(const factors *x, rg_sparse_lu *f)
{
    rg_columns *L = &f->L;
    const int n = f->n;
    int *next = L->start + 1; /* of column j, until the next one is done */

    memset(L->start, 0, ((size_t)n + 1) * sizeof *L->start);
    for (SuiteSparse_long p = 0; p < x->Lp[n]; p++)
        if (x->Lj[p] + 2 <= n) next[x->Lj[p] + 1]++;
    for (int j = 1; j < n; j++)
        next[j] += next[j - 1];
    for (int i = 0; i < n; i++)
        for (SuiteSparse_long p = x->Lp[i]; p < x->Lp[i + 1]; p++) {
            const int at = next[x->Lj[p]]++;
            L->row[at] = i;
            L->re[at] = x->Lx[p];
            if (f->is_complex) L->im[at] = x->Lz[p];
        }
}

static void exchange(double *x, int a, int b)
{
    const double y = x[a];

    x[a] = x[b];
    x[b] = y;
}

/* The diagonal comes last in every column. */
static void turn_upper(const factors *x, rg_sparse_lu *f)
{
    rg_columns *U = &f->U;

    for (int j = 0; j <= f->n; j++)
        U->start[j] = (int)x->Up[j];
    for (int j = 0; j < f->n; j++) {
        const int last = U->start[j + 1] - 1;
        for (int p = U->start[j]; p <= last; p++)
            U->row[p] = (int)x->Ui[p];
        for (int p = U->start[j]; p < last; p++) {
            if (U->row[p] != j) continue;
            U->row[p] = U->row[last];
            U->row[last] = j;
            exchange(U->re, p, last);
            if (f->is_complex) exchange(U->im, p, last);
        }
    }
}

static void take_pivots(const factors *x, rg_sparse_lu *f)
{
    rg_pivots *p = f->pivots;

    memset(p->F.start, 0, ((size_t)f->n + 1) * sizeof *p->F.start);
    f->n_blocks = p->n_blocks = 1;
    p->R[0] = 0;
    p->R[1] = f->n;
    for (int k = 0; k < f->n; k++) {
        p->P[k] = (int)x->P[k];
        p->Q[k] = (int)x->Q[k];
        p->place[p->P[k]] = k;
        f->scale[k] = x->has_inverse ? 1.0 / x->R[p->P[k]] : x->R[p->P[k]];
    }
}

/* Factors for many solutions move to where these are cheaper, also for four right-hand sides at
 * once.  Where that fails for want of memory they stay where they are. */
static void move_factors(rg_sparse *s)
{
    SuiteSparse_long l, u, rows, columns, ends;
    factors x = {0};

    if (s->plan->is_general) return; /* one or two solutions */
    const SuiteSparse_long status =
        s->is_complex ? umfpack_zl_get_lunz(&l, &u, &rows, &columns, &ends, s->umfpack)
                      : umfpack_dl_get_lunz(&l, &u, &rows, &columns, &ends, s->umfpack);
    if (status != UMFPACK_OK || l > INT_MAX || u > INT_MAX) return;
    const bool has_room =
        rg_sparse_lu_lay(s->ctx, s->n, (int)l, (int)u, 0, s->is_complex, &s->lu) == RG_OK;
    if (has_room && get_factors(s, (size_t)l, (size_t)u, &x) == RG_OK) {
        turn_lower(&x, &s->lu);
        turn_upper(&x, &s->lu);
        take_pivots(&x, &s->lu);
        s->lu.is_there = true;
        rg_umfpack_free(s);
    }
    rg_free(s->ctx, x.Lp);
    rg_free(s->ctx, x.Lx);
}

rg_status rg_umfpack_compute(rg_sparse *s)
{
    const rg_sparse_plan *p = s->plan;
    void *symbolic = p->umfpack[s->is_complex];
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];

    set_control(control);
    rg_umfpack_free(s);
    rg_sparse_lu_forget(&s->lu);
    const int64_t status = s->is_complex
                               ? umfpack_zl_numeric(p->long_start, p->long_row, s->A, NULL,
                                                    symbolic, &s->umfpack, control, info)
                               : umfpack_dl_numeric(p->long_start, p->long_row, s->A, symbolic,
                                                    &s->umfpack, control, info);
    if (status != UMFPACK_OK) rg_umfpack_free(s);
    if (status == UMFPACK_WARNING_singular_matrix) return (rg_status)RG_RETRY;
    if (status != UMFPACK_OK) return RG_ERR_MEMORY;
    s->multiplications = RG_UMFPACK_BLOCK_COST * info[UMFPACK_FLOPS] / (s->is_complex ? 8.0 : 2.0);
    s->entries = info[UMFPACK_LNZ] + info[UMFPACK_UNZ];
    move_factors(s);
    return RG_OK;
}

void rg_umfpack_solve(rg_sparse *s, const double *b, double *x)
{
    const rg_sparse_plan *p = s->plan;
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];

    set_control(control);
    if (s->is_complex)
        umfpack_zl_wsolve(UMFPACK_A, p->long_start, p->long_row, s->A, NULL, x, NULL, b, NULL,
                          s->umfpack, control, info, s->umfpack_wi, s->umfpack_w);
    else
        umfpack_dl_wsolve(UMFPACK_A, p->long_start, p->long_row, s->A, x, b, s->umfpack, control,
                          info, s->umfpack_wi, s->umfpack_w);
}

/* ---- symbolic -------------------------------------------------------------------------------- */
bool rg_umfpack_is_there(void)
{
    return true;
}

void rg_sparse_plan_free_umfpack(rg_sparse_plan *p)
{
    if (p->umfpack[0] != NULL) umfpack_dl_free_symbolic(&p->umfpack[0]);
    if (p->umfpack[1] != NULL) umfpack_zl_free_symbolic(&p->umfpack[1]);
}

rg_status rg_sparse_plan_umfpack(rg_sparse_plan *p, bool is_complex)
{
    void **symbolic = &p->umfpack[is_complex];
    double control[UMFPACK_CONTROL];
    int64_t status;

    if (*symbolic != NULL) return RG_OK;
    RG_TRY(rg_sparse_plan_long_pattern(p));
    RG_TRY(rg_library_load(p->ctx, RG_LIBRARY_UMFPACK));
    umfpack_dl_defaults(control);
    control[UMFPACK_STRATEGY] = p->is_general
                                    ? UMFPACK_STRATEGY_UNSYMMETRIC
                                    : UMFPACK_STRATEGY_SYMMETRIC; /* as KLU: AMD, the diagonal */
    if (is_complex)
        status = umfpack_zl_symbolic(p->n, p->n, p->long_start, p->long_row, NULL, NULL, symbolic,
                                     control, NULL);
    else
        status = umfpack_dl_symbolic(p->n, p->n, p->long_start, p->long_row, NULL, symbolic,
                                     control, NULL);
    return status == UMFPACK_OK ? RG_OK : rg_sparse_out_of_memory(p->ctx, p->n);
}
