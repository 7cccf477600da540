/* The inside of dense LU factors, for the matrices of linalg. */
#ifndef RG_LINALG_LU_IMPL_H
#define RG_LINALG_LU_IMPL_H

#include "linalg/lu.h"
#include "linalg/quad_lu.h"

/* Entry (i, j) is  A[stride k] + i A[stride k + imaginary],  k = j n + i:  complex numbers side by
 * side for LAPACK, two separate matrices otherwise. */
struct rg_lu {
    rg_context *ctx;
    int n;
    bool is_complex, uses_lapack;
    double *A;     /* see below; LAPACK's factors after rg_lu_factor */
    double *scale; /* diagonal of D */
    double *work;  /* right-hand side of LAPACK's complex solver */
    int *pivot;    /* LAPACK's */
    int64_t stride, imaginary;
    rg_quad_lu small;
    int *place; /* small: where row i of A stands in P A */
};

/* rg_lu_create, LAPACK or not: at most RG_QUAD_ROWS rows without. */
rg_status rg_lu_create_as(rg_context *ctx, int64_t n, bool is_complex, bool uses_lapack,
                          rg_lu **out);
/* rg_lu_factor without LAPACK, for a matrix that need not be in A: fill scale with D, and small.U
 * with D A, entry (i, j) at j rg_padded(n) + place[i], zeros elsewhere. */
rg_status rg_lu_factor_small(rg_lu *lu);
/* d_i <- 1/d_i; false: a zero row, or an entry that is not finite */
bool rg_lu_invert_sums(int n, double *sum);
#endif
