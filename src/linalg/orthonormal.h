/* Orthonormal columns by Gram-Schmidt, for a few columns of any length. */
#ifndef RG_LINALG_ORTHONORMAL_H
#define RG_LINALG_ORTHONORMAL_H

/* phi = u T in place of phi (m x k):  u^T u = I, T upper triangular (k x k).  Gram-Schmidt twice: the Cholesky factor of
 * phi^T phi is the same matrix with half the digits.  Returns the least part of a column that is left when those before it
 * are taken off: 1 for orthogonal columns, of the size of rounding where they are dependent; 0, at once, for nothing left
 * or numbers that are not finite. */
double rg_orthonormalize(int m, int k, double *phi, double *T);
/* x <- T^-T x,  T upper triangular */
void rg_solve_transposed(int k, const double *T, double *x);

#endif
