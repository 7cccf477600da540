/* Tridiagonal systems: LAPACK's dgttrf and dgttrs. */
#include "linalg/tridiagonal.h"

#include "linalg/lapack.h"

#include <math.h>

bool rg_tridiagonal_factor(rg_tridiagonal *t)
{
    int info = 0;

    for (int i = 0; i < t->n; i++)
        if (!isfinite(t->diagonal[i])
            || (i < t->n - 1 && (!isfinite(t->lower[i]) || !isfinite(t->upper[i]))))
            return false;
    rg_dgttrf_(&t->n, t->lower, t->diagonal, t->upper, t->second, t->pivot, &info);
    return info == 0;
}

void rg_tridiagonal_solve(const rg_tridiagonal *t, double *b)
{
    const int one = 1;
    int info = 0;

    rg_dgttrs_("N", &t->n, &one, t->lower, t->diagonal, t->upper, t->second, t->pivot, b, &t->n,
               &info, 1);
}
