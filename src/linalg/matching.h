/* A row for every column of a sparse matrix, one to one, preferring large entries: a good
 * diagonal for sparse LU. */
#ifndef RG_LINALG_MATCHING_H
#define RG_LINALG_MATCHING_H

#include "base/base.h"

/* start, row: compressed columns of an n x n matrix; size: |a_ij| in the same order.  place[j]: the
 * entry of column j that was chosen, or -1 where the pattern has none left.  RG_ERR_MEMORY is
 * the only failure. */
rg_status rg_match_rows(rg_context *ctx, int n, const int *start, const int *row,
                        const double *size, int *place);

#endif
