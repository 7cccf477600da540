/* Singular values of small matrices by one-sided Jacobi rotations: every singular value to its own
 * relative accuracy, and no call of LAPACK.  Golub, Van Loan, Matrix Computations (1996), 8.6.3. */
#ifndef RG_LINALG_JACOBI_H
#define RG_LINALG_JACOBI_H

#include "base/base.h"

/* A: m x n with m >= n, finite; its columns become s_j u_j.  s: descending; V: n x n, or NULL.
 * RG_RETRY: the rotations did not come to an end. */
rg_status rg_jacobi(int64_t m, int64_t n, double *A, double *s, double *V);
/* The columns s_j u_j, j < n, of A into U (m x m), of length 1 and completed to a basis. */
void rg_jacobi_vectors(int64_t m, int64_t n, const double *A, const double *s, double *U);

#endif
