/* Complete orthogonal decomposition of a small square matrix whose rank is known, in place, without
 * calls of LAPACK.
 *
 *     A P = Q [T 0; 0 0] Z,   T upper triangular, rank x rank
 *
 * Golub, Van Loan, Matrix Computations (1996), 5.4.1 (Householder, column pivoting) and 5.4.2 (the
 * right part reflected away).  What elimination leaves below row `rank` is not looked at: it is
 * rounding if the rank is right. */
#ifndef RG_LINALG_COD_H
#define RG_LINALG_COD_H

#include "base/base.h"

typedef struct rg_cod rg_cod;

rg_status rg_cod_create(rg_context *ctx, int n, rg_cod **out);
void rg_cod_destroy(rg_cod **c);
/* A, n x n: fill it, then factor. */
double *rg_cod_values(rg_cod *c);
/* rank <= n.  False: not finite, or a diagonal entry is 0. */
bool rg_cod_factor(rg_cod *c, int rank);
/* |t_rank| / |t_1| of the diagonal before the right part is reflected away; 1 for rank 0 */
double rg_cod_ratio(const rg_cod *c);
/* x: least norm among the x that minimize |A x - b|; b is overwritten by Q^T b. */
void rg_cod_solve(const rg_cod *c, double *b, double *x);
/* b: its part outside the range of A. */
void rg_cod_left(const rg_cod *c, double *b);
/* Vector number k < n - rank of an orthonormal basis of the null space. */
void rg_cod_null(const rg_cod *c, int k, double *x);

#endif
