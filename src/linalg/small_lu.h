/* LU factors of small matrices, column by column, partial pivoting: the array kernels behind linalg/lu.h.
 *
 *     for k: p = argmax_{i >= k} |a_ik|; swap rows k and p; l_ik = a_ik / a_kk; a_ij -= l_ik a_kj (i, j > k)
 *
 * The diagonal keeps 1/u_kk; pivot[k] = p, from 0.  Complex matrices have their imaginary part in an array of its own.
 * Multipliers a_kj = 0 are skipped: Newton matrices are sparse.  false: a pivot is zero or not finite. */
#ifndef RG_LINALG_SMALL_LU_H
#define RG_LINALG_SMALL_LU_H

#include <stdbool.h>

bool rg_small_lu_factor(int n, double *A, int *pivot);
void rg_small_lu_solve(int n, const double *A, const int *pivot, double *b);
bool rg_small_zlu_factor(int n, double *re, double *im, int *pivot);
void rg_small_zlu_solve(int n, const double *re, const double *im, const int *pivot, double *b_re,
                        double *b_im);

#endif
