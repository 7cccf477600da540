/* Dense matrices of numerical rank questions: singular values, pivoted QR, null spaces, least-norm
 * least squares.
 *
 * All matrices are column-major without gaps and are not changed.  RG_RETRY, without a message: an
 * entry is not finite, or the singular values did not converge. */
#ifndef RG_LINALG_DENSE_H
#define RG_LINALG_DENSE_H

#include "base/base.h"

/* A = U diag(s) V^T.  s: min(m, n) values, descending; U: m x m, V: n x n, the vectors as columns,
 * or NULL: not wanted.  The columns of V (of U) from the rank on span the right (left) null
 * space. */
rg_status rg_svd(rg_context *ctx, int64_t m, int64_t n, const double *A, double *s, double *U,
                 double *V);

/* A P = Q R with column pivoting; the rank is the number of k with |r_kk| > tol |r_00|. */
typedef struct rg_qr rg_qr;

rg_status rg_qr_create(rg_context *ctx, int64_t m, int64_t n, const double *A, double tol,
                       rg_qr **out);
void rg_qr_destroy(rg_qr **qr);
int64_t rg_qr_rank(const rg_qr *qr);
/* Least-norm solution x (n) of min |A x - b| (b: m, not changed); c: workspace of max(m, n). */
void rg_qr_solve(const rg_qr *qr, const double *b, double *x, double *c);
/* Orthonormal bases as columns: left m x (m - rank), right n x (n - rank). */
void rg_qr_left_null(const rg_qr *qr, double *N);
void rg_qr_right_null(const rg_qr *qr, double *N);

/* Rank by pivoted QR.  pivot (n, or NULL): the first `rank` entries are independent columns of
 * A. */
rg_status rg_rank_qr(rg_context *ctx, int64_t m, int64_t n, const double *A, double tol,
                     int64_t *rank, int64_t *pivot);
/* The same by singular values: the number of s_k > tol s_0. */
rg_status rg_rank_svd(rg_context *ctx, int64_t m, int64_t n, const double *A, double tol,
                      int64_t *rank);

#endif
