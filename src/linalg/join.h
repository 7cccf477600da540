/* A pattern from a list of nonzeros in any order, in time linear in their number. */
#ifndef RG_LINALG_JOIN_H
#define RG_LINALG_JOIN_H

#include "base/base.h"
#include "linalg/pattern.h"

typedef struct { /* one nonzero; several may share a place (an entry in y and one in y') */
    int32_t row, column;
    int64_t *place; /* where the number of its place goes */
} rg_nonzero;

/* out: n_rows and n_columns are set; start (n_columns + 1, all zero) and row (count) are filled.
 * The list is sorted by columns, by rows inside a column. */
rg_status rg_pattern_join(rg_context *ctx, int64_t count, rg_nonzero *list, rg_pattern *out);

#endif
