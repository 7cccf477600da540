/* Invariant subspaces of a real matrix from its ordered real Schur form. */
#ifndef RG_LINALG_SCHUR_H
#define RG_LINALG_SCHUR_H

#include "base/base.h"

typedef struct rg_schur rg_schur; /* room for matrices of one size, for one thread */

rg_status rg_schur_create(rg_context *ctx, int n, rg_schur **out);
void rg_schur_destroy(rg_schur **schur);
/* An orthonormal basis S (n x k) of the invariant subspace of the k eigenvalues of largest real
 * part.  A (n x n, column-major) is destroyed.  RG_RETRY, without a message: an entry is not
 * finite, no convergence, or a pair of conjugate eigenvalues would have to be split. */
rg_status rg_schur_dominant(rg_schur *schur, double *A, int k, double *S);
/* The smallest real part of the eigenvalues of A (n x n, n at most that of `create`), which is
 * destroyed.  RG_RETRY, without a message: an entry is not finite, or no convergence. */
rg_status rg_schur_least(rg_schur *schur, int n, double *A, double *least);

#endif
