/* Orthonormal columns by Gram-Schmidt, for a few columns of any length. */
#ifndef RG_LINALG_ORTHONORMAL_H
#define RG_LINALG_ORTHONORMAL_H

#include <stdint.h>

/* x, m numbers: what the orthonormal columns of u (m x k) leave of it, made to length 1; r (k + 1,
 * or NULL): x before = u r + r_k x. Twice: once loses digits.  Returns the part of its length that
 * is left; 0, at once, for nothing left or numbers that are not finite. */
double rg_orthogonalize(int64_t m, int64_t k, const double *u, double *x, double *r);
/* phi = u T in place of phi (m x k):  u^T u = I, T upper triangular (k x k).  The Cholesky factor
 * of phi^T phi is the same matrix with half the digits.  Returns the least part of a column that is
 * left when those before it are taken off: 1 for orthogonal columns, of the size of rounding, or 0,
 * where they are dependent. */
double rg_orthonormalize(int64_t m, int64_t k, double *phi, double *T);
/* x <- T^-T x,  T upper triangular */
void rg_solve_transposed(int64_t k, const double *T, double *x);
/* S = T^-T, k x k, zeros above the diagonal: for many x. */
void rg_invert_transposed(int64_t k, const double *T, double *S);

#endif
