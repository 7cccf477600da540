/* Sparsity pattern of a matrix: compressed sparse columns, rows ascending inside a column.  Vectors
 * to solve for. */
#ifndef RG_LINALG_PATTERN_H
#define RG_LINALG_PATTERN_H

#include <stdint.h>

typedef struct {
    int64_t n_rows, n_columns;
    int64_t *start; /* n_columns + 1 */
    int32_t *row;
} rg_pattern;

typedef struct {                         /* right-hand sides and solutions, which may be the same */
    const double *const *re, *const *im; /* im: NULL for 0 */
    double *const *x_re, *const *x_im;   /* x_im: of complex matrices */
} rg_sides;

#endif
