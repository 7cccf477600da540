/* Dense LU factors with row equilibration and partial pivoting, real or complex:  P D A = L U.
 *
 * D = diag(1/max_j |a_ij|): in a Newton matrix (gamma/h) F_y' + F_y the rows of constraints and of differential
 * equations differ by powers of h, those of circuits by much more, and pivots are compared within a column.
 * Own loops below RG_LU_LAPACK_REAL or RG_LU_LAPACK_COMPLEX rows, LAPACK from there on. */
#ifndef RG_LINALG_LU_H
#define RG_LINALG_LU_H

#include "base/base.h"

/* Crossover, measured by bench/bench_lu. */
enum { RG_LU_LAPACK_REAL = 36, RG_LU_LAPACK_COMPLEX = 24 };

typedef struct {
    rg_context *ctx;
    int n;
    bool is_complex, uses_lapack;
    double *A;     /* see below; factors after rg_lu_factor */
    double *scale; /* diagonal of D */
    double *work;  /* right-hand side of LAPACK's complex solver */
    int *pivot;
    int64_t stride, imaginary;
} rg_lu;

/* Entry (i, j) is  A[stride k] + i A[stride k + imaginary],  k = j n + i:  complex numbers side by side for LAPACK, two
 * separate matrices otherwise.  Fill A, then factor; nothing is allocated after create. */
rg_status rg_lu_create(rg_context *ctx, int64_t n, bool is_complex, rg_lu **out);
void rg_lu_destroy(rg_lu **lu);
/* RG_RETRY, without a message: singular, or an entry is not finite. */
rg_status rg_lu_factor(rg_lu *lu);
/* (re, im) <- A^-1 (re, im); im is not used for real matrices. */
void rg_lu_solve(const rg_lu *lu, double *re, double *im);

#endif
