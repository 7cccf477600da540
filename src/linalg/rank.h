/* The one decision about numerical rank: dense matrices, badly scaled, with data of known noise.
 *
 * A number is compared with the noise of the data that it was computed from, after equilibration,
 * so that units do not matter. Singular values of a whole matrix: rg_rank_from_values.  A pivot, or
 * what is left of a row when others are taken off: it is noise up to rg_rank_floor(noise). */
#ifndef RG_LINALG_RANK_H
#define RG_LINALG_RANK_H

#include "base/base.h"

/* Pivots of size 1 that are rounding: 100 times the noise. */
double rg_rank_floor(double noise);

/* Scales A (m x n, column-major) to diag(row) A diag(column) with rows and columns of size about 1;
 * zero rows and columns keep the factor 1.  The factors are powers of 2: nothing is rounded. */
void rg_equilibrate(int64_t m, int64_t n, double *A, double *row, double *column);
/* A has been scaled by row and column; scales it further. */
void rg_equilibrate_more(int64_t m, int64_t n, double *A, double *row, double *column);

/* Rank from singular values, descending; `size`: what 1 means (the largest one, or the size of the
 * data). Large values always count, values below the noise never; in between the widest gap
 * decides. */
int64_t rg_rank_from_values(int64_t n, const double *s, double size, double noise);

/* Whether a square matrix is regular; A is overwritten.  *ratio (or NULL): its smallest pivot or
 * singular value over the largest one, where it is small; else a lower bound of that or 1. */
rg_status rg_is_regular(rg_context *ctx, int64_t n, double *A, double noise, bool *is_regular,
                        double *ratio);

/* Step k of Gaussian elimination with complete pivoting on A (n x n): the largest entry of what is
 * left is brought to (k, k), and the rows below are cleared: their factors, l_ik, stay in column k.
 * Returns its size; 0: nothing is left.  row, column: numbers that move with the rows and columns,
 * or NULL.  largest (n, from step 0 on the same; or NULL): keeps the row of the largest entry of
 * every column, so that only columns that changed are searched. */
double rg_eliminate(int64_t n, int64_t k, double *A, int32_t *row, int32_t *column,
                    int32_t *largest);

#endif
