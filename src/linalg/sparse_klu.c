/* Sparse factors by KLU of SuiteSparse: the pivots. */
#include "linalg/sparse_impl.h"
#include "linalg/tuning.h"

#include <float.h>
#include <math.h>

void rg_klu_init(rg_sparse *s)
{
    klu_defaults(&s->common);
    s->common.scale = 2;
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

static void free_numeric(rg_sparse *s, klu_numeric **factors)
{
    if (s->is_complex)
        klu_z_free_numeric(factors, &s->common);
    else
        klu_free_numeric(factors, &s->common);
}

static void count_work(rg_sparse *s, klu_numeric *factors)
{
    if (s->is_complex)
        klu_z_flops(s->plan->klu, factors, &s->common);
    else
        klu_flops(s->plan->klu, factors, &s->common);
    s->lu.pivots->multiplications = s->common.flops / 2.0; /* also of complex numbers */
    rg_klu_note_work(s);
}

void rg_klu_note_work(rg_sparse *s)
{
    s->multiplications = s->lu.pivots->multiplications;
    s->entries = (double)s->lu.L.start[s->n] + s->lu.U.start[s->n];
}

/* Whether old pivots are good shows in the first solution. */
rg_status rg_klu_compute(rg_sparse *s, bool may_refactor)
{
    const rg_sparse_plan *p = s->plan;

    s->is_refactored = may_refactor && rg_sparse_lu_renew(&s->lu, p->start, p->row, s->A);
    if (s->is_refactored) return RG_OK;
    rg_sparse_lu_forget(&s->lu);
    set_room(s);
    s->common.tol = p->is_reordered ? 1.0 : RG_SPARSE_PIVOT;
    klu_numeric *factors = s->is_complex ? klu_z_factor(p->start, p->row, s->A, p->klu, &s->common)
                                         : klu_factor(p->start, p->row, s->A, p->klu, &s->common);
    s->is_overfull = factors == NULL && s->common.status == KLU_TOO_LARGE;
    if (factors == NULL)
        return s->common.status == KLU_SINGULAR ? (rg_status)RG_RETRY : RG_ERR_MEMORY;
    const rg_status status =
        rg_sparse_lu_take(s->ctx, p->klu, factors, s->is_complex, &s->common, &s->lu);
    if (status == RG_OK) count_work(s, factors);
    free_numeric(s, &factors);
    if (status == RG_OK && s->is_first && s->plan->pivots == NULL)
        s->plan->pivots = rg_pivots_use(s->lu.pivots);
    return status;
}
