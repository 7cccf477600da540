/* The system Jacobian of the structural analysis,
 *
 *     A_ij = dF_i/dy_j^(d_j - c_i),
 *
 * out of the Jacobians dF/dy, dF/dy' of a view: singular where constraints lose rank.  By dF_i^(k)/dy_j^(r+k) = dF_i/dy_j^(r) the
 * views of one model have the same A.  Equations p' = u that only give a name (views/alias.h) are left out, and p, u are one column. */
#ifndef RG_VIEWS_LEADING_H
#define RG_VIEWS_LEADING_H

#include "views/system.h"

typedef struct {
    rg_context *ctx;
    rg_pattern pattern; /* n x n */
    int32_t *equation;  /* per row: of the model */
    int32_t *row_of;    /* per equation: its row, or -1 */
    int32_t *column_of; /* per unknown: its column, or -1 */
    struct { /* per view: entry to[k] of A += entry from[k]/2 of dF/dy (even) or dF/dy' (odd) */
        int64_t count, *from;
        int32_t *to;
    } view[2];
} rg_leading;

/* For two views of one model whose index comes from its structure. */
rg_status rg_leading_create(const rg_system *first, const rg_system *second, rg_leading **out);
void rg_leading_destroy(rg_leading **leading);
/* A in pattern order, from the Jacobian of view 0 or 1. */
void rg_leading_values(const rg_leading *l, int view, const double *Jy, const double *Jyp,
                       double *A);

#endif
