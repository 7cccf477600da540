/* LU factors of real matrices in place, column by column, partial pivoting.
 *
 *     for k: p = argmax_{i >= k} |a_ik|; swap rows k and p; l_ik = a_ik / a_kk; a_ij -= l_ik a_kj
 *     (i, j > k)
 *
 * The diagonal keeps 1/u_kk; pivot[k] = p, from 0.  Multipliers a_kj = 0 are skipped.  false: a
 * pivot is zero or not finite. */
#ifndef RG_LINALG_SMALL_LU_H
#define RG_LINALG_SMALL_LU_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

bool rg_small_lu_factor(int n, double *A, int *pivot);
/* |u_kk| */
static inline double rg_small_lu_pivot(int n, const double *A, int k)
{
    return fabs(1.0 / A[(ptrdiff_t)k * n + k]);
}
void rg_small_lu_solve(int n, const double *A, const int *pivot, double *b);

#endif
