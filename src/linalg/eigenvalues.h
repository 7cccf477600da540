/* Eigenvalues of a small real matrix, without a call of LAPACK. */
#ifndef RG_LINALG_EIGENVALUES_H
#define RG_LINALG_EIGENVALUES_H

#include <stdbool.h>

/* A: n x n by columns, finite, overwritten.  False: the iteration did not come to an end. */
bool rg_eigenvalues(int n, double *A, double *re, double *im);

#endif
