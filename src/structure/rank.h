/* Numerical rank of small dense matrices with badly scaled data. */
#ifndef RG_STRUCTURE_RANK_H
#define RG_STRUCTURE_RANK_H

#include "base/base.h"

/* Scales A (m x n, column-major) to diag(row) A diag(column) with rows and columns of size about 1;
 * zero rows and columns keep the factor 1.  The factors are powers of 2: nothing is rounded. */
void rg_equilibrate(int64_t m, int64_t n, double *A, double *row, double *column);

/* Relative errors of the data: exact derivatives; difference quotients after equilibration. */
#define RG_NOISE_EXACT       1e-14
#define RG_NOISE_DIFFERENCES 1e-7

/* Rank from singular values, descending; `size`: what 1 means (the largest one, or the size of the
 * data).  Large values always count, values below the noise never; in between the widest gap
 * decides. */
int64_t rg_rank_from_values(int64_t n, const double *s, double size, double noise);

/* Whether a square matrix is regular; A is overwritten. */
rg_status rg_is_regular(rg_context *ctx, int64_t n, double *A, double noise, bool *is_regular);

#endif
