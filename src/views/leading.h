/* The system Jacobian of the structural analysis,
 *
 *     A_ij = dF_i/dy_j^(d_j - c_i),
 *
 * out of the Jacobians dF/dy, dF/dy' of a view: singular where constraints lose rank.  By
 * dF_i^(k)/dy_j^(r+k) = dF_i/dy_j^(r) the views of one model have the same A.  Equations p' = u
 * that only give a name (views/alias.h) are left out, and p, u are one column.
 *
 * With n redundant constraints A always lacks n ranks.  It is then bordered,
 *
 *     A, L; R^T, 0,     n columns and rows, L in the rows of the constraints with the largest c,
 *                       R in the columns with d_j = 0,
 *
 * which is regular wherever A has no further loss of rank and L, R are near its null spaces. */
#ifndef RG_VIEWS_LEADING_H
#define RG_VIEWS_LEADING_H

#include "structure/combine_rows.h"
#include "views/system.h"

typedef struct {
    rg_context *ctx;
    rg_pattern pattern; /* n x n, with the border */
    int n_plain;        /* rows without it */
    int n_border;
    double *border;     /* L, then R: n_plain x n_border each, by columns; 0 at first */
    int32_t *equation;  /* per row: of the model; there is none in the border */
    int32_t *row_of;    /* per equation: its row, or -1 */
    int32_t *column_of; /* per unknown: its column, or -1 */
    struct { /* per view: entry to[k] of A += entry from[k]/2 of dF/dy (even) or dF/dy' (odd) */
        int64_t count, *from;
        int32_t *to;
        double *factor; /* NULL: 1 */
    } view[3];          /* 2: the border, entry from[k] of it */
} rg_leading;

/* For two views of one model; the offsets c, d are those of the second. */
rg_status rg_leading_create(const rg_system *first, const rg_system *second, int n_border,
                            rg_leading **out);
/* The same of combinations of the equations (structure/combine.h), whose offsets are a->c, by
 * views of the equations as written. */
rg_status rg_leading_create_combined(const rg_system *first, const rg_system *second,
                                     const rg_analysis *a, const rg_rows_places *places,
                                     rg_leading **out);
/* Does column j, or row i, of A take part in the border? */
bool rg_leading_has_left(const rg_leading *l, const rg_analysis *a, int64_t row);
bool rg_leading_has_right(const rg_leading *l, const rg_analysis *a, int64_t unknown);
void rg_leading_destroy(rg_leading **leading);
/* A in pattern order, from the Jacobian of view 0 or 1. */
void rg_leading_values(const rg_leading *l, int view, const double *Jy, const double *Jyp,
                       double *A);
/* The border alone, after it has changed. */
void rg_leading_border(const rg_leading *l, double *A);

#endif
