/* In place of sparse_umfpack.c in a build without UMFPACK (make GPL=no): no plan asks for it. */
#include "linalg/sparse_impl.h"

#include <math.h>

bool rg_umfpack_is_there(void)
{
    return false;
}

rg_status rg_umfpack_init(rg_sparse *s)
{
    return rg_fail(s->ctx, RG_ERR_METHOD, "this build has no UMFPACK");
}

void rg_umfpack_free(rg_sparse *s)
{
    (void)s;
}

rg_status rg_umfpack_compute(rg_sparse *s)
{
    return rg_umfpack_init(s);
}

void rg_umfpack_solve(rg_sparse *s, const double *b, double *x)
{
    (void)b;
    for (int k = 0; k < s->n; k++)
        x[k] = NAN; /* never reached: there are no factors */
}

void rg_sparse_plan_free_umfpack(rg_sparse_plan *p)
{
    (void)p;
}

rg_status rg_sparse_plan_umfpack(rg_sparse_plan *p, bool is_complex)
{
    (void)is_complex;
    return rg_fail(p->ctx, RG_ERR_METHOD, "this build has no UMFPACK");
}
