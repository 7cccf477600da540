/* LU factors of the small dense blocks of boundary value methods: own loops, LAPACK for larger
 * ones. */
#ifndef RG_BVP_DENSE_BLOCK_H
#define RG_BVP_DENSE_BLOCK_H

#include "bvp/tuning.h"
#include "linalg/lapack.h"
#include "linalg/lazy.h"
#include "linalg/lu.h"
#include "linalg/small_lu.h"

#include <math.h>

/* Before blocks of n rows are factored: LAPACK is loaded only where it does the work, which takes
 * longer than most solves. */
static inline rg_status rg_block_prepare(rg_context *ctx, int n)
{
    return n < RG_LU_LAPACK_REAL ? RG_OK : rg_library_load(ctx, RG_LIBRARY_LAPACK);
}

/* False: singular or not finite. */
static inline bool rg_block_factor(int n, double *A, int *pivot)
{
    int info = 0;

    if (n == 1) { /* most often */
        pivot[0] = 0;
        A[0] = 1.0 / A[0];
        return fabs(A[0]) < INFINITY;
    }
    if (n < RG_LU_LAPACK_REAL) return rg_small_lu_factor(n, A, pivot);
    rg_dgetrf_(&n, &n, A, &n, pivot, &info);
    return info == 0;
}

static inline void rg_block_solve(int n, const double *A, const int *pivot, int n_rhs, double *b)
{
    int info = 0;

    if (n == 1)
        for (int k = 0; k < n_rhs; k++)
            b[k] *= A[0];
    else if (n < RG_LU_LAPACK_REAL)
        for (int k = 0; k < n_rhs; k++)
            rg_small_lu_solve(n, A, pivot, b + (int64_t)k * n);
    else
        rg_dgetrs_("N", &n, &n_rhs, A, &n, pivot, b, &n, &info, 1);
}

#endif
