/* Sparse factors by UMFPACK of SuiteSparse, with indices of 64 bits: the factors of a matrix whose
 * own entries are few may have more than 2^31 of them, or need as many bytes. */
#include "linalg/lazy.h"
#include "linalg/lazy_umfpack.h"
#include "linalg/sparse_impl.h"
#include "linalg/tuning.h"

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

rg_status rg_umfpack_compute(rg_sparse *s)
{
    const rg_sparse_plan *p = s->plan;
    void *symbolic = p->umfpack[s->is_complex];
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];

    set_control(control);
    rg_umfpack_free(s);
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
