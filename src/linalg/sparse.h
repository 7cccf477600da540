/* Sparse LU factors: by KLU (SuiteSparse; block triangular form, AMD, partial pivoting with
 * preference for the diagonal, refactored with the old pivots while these are good enough), or by
 * UMFPACK where the fill is large.  Rows are scaled by their largest entry.  The first solution
 * after a factorization is checked by its residual. */
#ifndef RG_LINALG_SPARSE_H
#define RG_LINALG_SPARSE_H

#include "base/base.h"
#include "linalg/pattern.h"

typedef struct rg_sparse rg_sparse;

/* Copies the pattern; it is analysed in the first factorization, when values tell which entries
 * are large. */
rg_status rg_sparse_create(rg_context *ctx, const rg_pattern *pattern, bool is_complex,
                           rg_sparse **out);
/* Another matrix with the same pattern: shares the analysis. */
rg_status rg_sparse_create_like(const rg_sparse *other, bool is_complex, rg_sparse **out);
/* Before the first factorization: pivots may have to leave any diagonal.  UMFPACK then orders the
 * columns for whatever rows partial pivoting takes (COLAMD), also where KLU was tried and its
 * factors have many more entries than its ordering promised. */
void rg_sparse_set_general(rg_sparse *s);
void rg_sparse_destroy(rg_sparse **s);
/* The entries in pattern order, complex ones side by side: fill, then factor. */
double *rg_sparse_values(rg_sparse *s);
/* RG_RETRY, without a message: singular.  RG_ERR_MEMORY: the factors do not fit. */
rg_status rg_sparse_factor(rg_sparse *s);
void rg_sparse_solve(rg_sparse *s, double *re, double *im);
/* The same for several right-hand sides: four of them cost as much as one.  False, and nothing is
 * done: not with these factors, or not in their first solution. */
bool rg_sparse_solve_several(rg_sparse *s, int count, const rg_sides *b);
rg_sides rg_sides_from(const rg_sides *b, int k); /* those from k on */
/* b <- A^-T b by the same factors, where they can: real ones of KLU. */
bool rg_sparse_has_transposed(const rg_sparse *s);
void rg_sparse_solve_transposed(rg_sparse *s, double *b);
/* rg_sparse_factor in two parts: the second one may run in another thread, and sets no message. */
rg_status rg_sparse_prepare(rg_sparse *s);
rg_status rg_sparse_compute(rg_sparse *s);
bool rg_sparse_uses_umfpack(const rg_sparse *s);
/* Work of the last factorization and of a solution, in multiplications of KLU's solution. */
void rg_sparse_work(const rg_sparse *s, double *factor, double *solve);

#endif
