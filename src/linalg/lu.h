/* Dense LU factors with row equilibration and partial pivoting, real or complex:  P D A = L U.
 *
 * D = diag(1/sum_j |a_ij|): in a Newton matrix (gamma/h) F_y' + F_y the rows of constraints and of differential
 * equations differ by powers of h, those of circuits by much more, and pivots are compared within a column.
 * Up to RG_QUAD_ROWS rows the kernels of linalg/quad_lu.h, LAPACK from there on. */
#ifndef RG_LINALG_LU_H
#define RG_LINALG_LU_H

#include "base/base.h"

#include "linalg/quad_lu.h"

typedef struct {
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
} rg_lu;

/* Entry (i, j) is  A[stride k] + i A[stride k + imaginary],  k = j n + i:  complex numbers side by side for LAPACK, two
 * separate matrices otherwise.  Fill A, then factor; nothing is allocated after create. */
rg_status rg_lu_create(rg_context *ctx, int64_t n, bool is_complex, rg_lu **out);
/* The same, LAPACK or not: at most RG_QUAD_ROWS rows without. */
rg_status rg_lu_create_as(rg_context *ctx, int64_t n, bool is_complex, bool uses_lapack,
                          rg_lu **out);
void rg_lu_destroy(rg_lu **lu);
/* RG_RETRY, without a message: singular, or an entry is not finite. */
rg_status rg_lu_factor(rg_lu *lu);
/* The same without LAPACK, for a matrix that need not be in A: fill scale with D, and small.U with D A, entry (i, j) at
 * j rg_padded(n) + place[i], zeros elsewhere. */
rg_status rg_lu_factor_small(rg_lu *lu);
/* d_i <- 1/d_i; false: a zero row, or an entry that is not finite */
bool rg_lu_invert_sums(int n, double *sum);
/* (re, im) <- A^-1 (re, im); im is not used for real matrices. */
void rg_lu_solve(const rg_lu *lu, double *re, double *im);

#endif
