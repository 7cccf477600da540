/* Sparse factors by KLU with indices of 64 bits, for factors of 2^31 entries and more. */
#include "linalg/sparse_impl.h"
#include "linalg/tuning.h"

void rg_klu_long_init(rg_sparse *s)
{
    klu_l_defaults(&s->common_long);
    s->common_long.scale = 2;
}

void rg_klu_long_free(rg_sparse *s)
{
    if (s->klu_long == NULL) return;
    if (s->is_complex)
        klu_zl_free_numeric(&s->klu_long, &s->common_long);
    else
        klu_l_free_numeric(&s->klu_long, &s->common_long);
}

static bool refactor(rg_sparse *s)
{
    const rg_sparse_plan *p = s->plan;
    const int64_t done = s->is_complex ? klu_zl_refactor(p->long_start, p->long_row, s->A,
                                                         p->klu_long, s->klu_long, &s->common_long)
                                       : klu_l_refactor(p->long_start, p->long_row, s->A,
                                                        p->klu_long, s->klu_long, &s->common_long);

    return done && s->common_long.status == KLU_OK;
}

rg_status rg_klu_long_compute(rg_sparse *s, bool may_refactor)
{
    const rg_sparse_plan *p = s->plan;

    s->is_refactored = may_refactor && s->klu_long != NULL && refactor(s);
    if (s->is_refactored) return RG_OK;
    rg_klu_long_free(s);
    s->common_long.tol = p->is_reordered ? 1.0 : RG_SPARSE_PIVOT;
    s->klu_long =
        s->is_complex
            ? klu_zl_factor(p->long_start, p->long_row, s->A, p->klu_long, &s->common_long)
            : klu_l_factor(p->long_start, p->long_row, s->A, p->klu_long, &s->common_long);
    if (s->klu_long == NULL)
        return s->common_long.status == KLU_SINGULAR ? (rg_status)RG_RETRY : RG_ERR_MEMORY;
    if (s->is_complex)
        klu_zl_flops(p->klu_long, s->klu_long, &s->common_long);
    else
        klu_l_flops(p->klu_long, s->klu_long, &s->common_long);
    s->multiplications = s->common_long.flops / 2.0;
    s->entries = (double)s->klu_long->lnz + (double)s->klu_long->unz;
    return RG_OK;
}

void rg_klu_long_solve(rg_sparse *s, double *x)
{
    if (s->is_complex)
        klu_zl_solve(s->plan->klu_long, s->klu_long, s->n, 1, x, &s->common_long);
    else
        klu_l_solve(s->plan->klu_long, s->klu_long, s->n, 1, x, &s->common_long);
}
