/* Sparse factors by KLU of SuiteSparse. */
#include "linalg/sparse_impl.h"
#include "linalg/tuning.h"

#include <float.h>
#include <math.h>

void rg_klu_init(rg_sparse *s)
{
    klu_defaults(&s->common);
    s->common.scale = 2;
}

void rg_klu_free(rg_sparse *s)
{
    if (s->klu == NULL) return;
    if (s->is_complex)
        klu_z_free_numeric(&s->klu, &s->common);
    else
        klu_free_numeric(&s->klu, &s->common);
}

/* Old pivots, new values; false: a pivot is zero.  Whether the old pivots are good shows in the
 * first solution. */
static bool refactor(rg_sparse *s)
{
    const rg_sparse_plan *p = s->plan;
    const int done = s->is_complex
                         ? klu_z_refactor(p->start, p->row, s->A, p->klu, s->klu, &s->common)
                         : klu_refactor(p->start, p->row, s->A, p->klu, s->klu, &s->common);

    return done && s->common.status == KLU_OK;
}

/* Room for the factors.  Limited: KLU stops (KLU_TOO_LARGE) as soon as pivoting has filled them
 * beyond what the ordering promises, instead of finishing at any price.  E entries, evenly spread,
 * make E^2 / (4 n) multiplications: factors with few of those are finished. */
static void set_room(rg_sparse *s)
{
    const klu_symbolic *promised = s->plan->klu;
    klu_common usual;

    klu_defaults(&usual);
    s->common.initmem_amd = usual.initmem_amd;
    s->common.memgrow = usual.memgrow;
    if (!s->is_limited) return;
    s->common.initmem_amd = fmax(RG_SPARSE_OVERFULL, sqrt(4.0 * s->n * RG_UMFPACK_LEAST)
                                                         / (promised->lnz + promised->unz));
    s->common.memgrow = DBL_MAX; /* no second allocation */
}

rg_status rg_klu_compute(rg_sparse *s, bool may_refactor)
{
    const rg_sparse_plan *p = s->plan;

    rg_sparse_copy_forget(s);
    s->is_refactored = may_refactor && s->klu != NULL && refactor(s);
    if (s->is_refactored) return RG_OK;
    rg_klu_free(s);
    set_room(s);
    s->common.tol = p->is_reordered ? 1.0 : RG_SPARSE_PIVOT;
    s->klu = s->is_complex ? klu_z_factor(p->start, p->row, s->A, p->klu, &s->common)
                           : klu_factor(p->start, p->row, s->A, p->klu, &s->common);
    s->is_overfull = s->klu == NULL && s->common.status == KLU_TOO_LARGE;
    if (s->klu == NULL)
        return s->common.status == KLU_SINGULAR ? (rg_status)RG_RETRY : RG_ERR_MEMORY;
    if (s->is_complex)
        klu_z_flops(p->klu, s->klu, &s->common);
    else
        klu_flops(p->klu, s->klu, &s->common);
    s->multiplications = s->common.flops / 2.0; /* also of complex numbers */
    s->entries = (double)s->klu->lnz + s->klu->unz;
    return RG_OK;
}

void rg_klu_solve_transposed(rg_sparse *s, double *x)
{
    klu_tsolve(s->plan->klu, s->klu, s->n, 1, x, &s->common);
}

void rg_klu_solve(rg_sparse *s, double *x)
{
    if (s->is_complex)
        klu_z_solve(s->plan->klu, s->klu, s->n, 1, x, &s->common);
    else
        klu_solve(s->plan->klu, s->klu, s->n, 1, x, &s->common);
}
