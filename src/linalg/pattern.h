/* Sparsity pattern of a matrix: compressed sparse columns, rows ascending inside a column. */
#ifndef RG_LINALG_PATTERN_H
#define RG_LINALG_PATTERN_H

#include <stdint.h>

typedef struct {
    int64_t n_rows, n_columns;
    int64_t *start; /* n_columns + 1 */
    int32_t *row;
} rg_pattern;

#endif
