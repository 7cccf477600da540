/* LU factors of small matrices, column by column, partial pivoting: the kernels behind linalg/lu.h.
 *
 *     P A = L D U,  L and U with ones on the diagonal;   column j:  x = L^-1 P a_j;  p = argmax_{i >= j} |x_i|;
 *     swap rows j and p;  1/d_j = 1/x_j;  u_ij = x_i/d_i (i < j);  l_ij = x_i/d_j (i > j)
 *
 * Columns are padded (base/vector.h), L and U kept apart with zeros in place of what they do not have: so all loops run over
 * whole vectors, and x stays in registers.  Complex matrices have their imaginary parts n columns behind the real ones,
 * vectors rg_padded(n) numbers behind. */
#ifndef RG_LINALG_QUAD_LU_H
#define RG_LINALG_QUAD_LU_H

#include <stdbool.h>

enum { RG_QUAD_ROWS = 20 };

typedef struct {
    int n;
    double *U, *L;
    double *inverse; /* 1/d_j */
    int *order;      /* row i of P A is row order[i] of A */
} rg_quad_lu;

/* U: A with its rows in the order that `order` says, overwritten; order: changed where other pivots are better.
 * false: a pivot is zero or not finite. */
bool rg_quad_lu_factor(const rg_quad_lu *f);
bool rg_quad_zlu_factor(const rg_quad_lu *f);
/* x: P b, then the solution. */
void rg_quad_lu_solve(const rg_quad_lu *f, double *x);
void rg_quad_zlu_solve(const rg_quad_lu *f, double *x);
/* sum_i <- sum_j |re a_ij| + |im a_ij| over a padded matrix with so many columns, parts included */
void rg_quad_row_sums(int n, int columns, const double *A, double *sum);
/* a_ij <- scale_i a_ij */
void rg_quad_scale_rows(int n, int columns, double *A, const double *scale);

#endif
