/* Signature matrix: sigma(i,j) = highest derivative of unknown j in equation i (Pryce 2001).
 * Combinatorial part: highest-value transversal, offsets, block form, what is wrong when there
 * is none. */
#ifndef RG_STRUCTURE_SIGNATURE_H
#define RG_STRUCTURE_SIGNATURE_H

#include "base/base.h"

typedef struct { /* compressed rows; columns ascending, no duplicates */
    int64_t n_rows, n_columns;
    int64_t *start; /* n_rows + 1 */
    int32_t *column;
    int8_t *order; /* sigma >= 0 */
} rg_signature;

typedef struct {
    int64_t n;
    int32_t *column_of_row, *row_of_column; /* the transversal; -1: unmatched */
    int64_t n_matched;
    int32_t *c, *d;       /* smallest offsets: d_j - c_i >= sigma_ij, = on the transversal, c >= 0;
                            only when the transversal is complete */
    int structural_index; /* max c + (1 if some d is 0); 0 for an ODE */
    int64_t dof;          /* sum d - sum c */
    /* block triangular form of { (i,j): d_j - c_i = sigma_ij }: block b holds rows and columns
     * block_start[b] .. block_start[b+1]-1 of row_order / column_order; block b depends only on
     * itself and blocks before it (lower triangular) */
    int64_t n_blocks;
    int64_t *block_start;
    int32_t *row_order, *column_order;
    int32_t *block_of_row, *block_of_column;
    /* index of every unknown for error scaling: 1 + max(0, M - d_j), M = largest c of all equations
     * that unknown j depends on through the block form (itself included) */
    int32_t *variable_index;
    int32_t *
        /* that M, per unknown: derivative r of unknown j has index 1 + max(0, M - d_j + r) */
        reach;
} rg_transversal;

/* Works for any shape; when incomplete (n_matched < n_rows or n_columns) only the matching (of
 * largest size) is filled. */
rg_status rg_transversal_create(rg_context *ctx, const rg_signature *s, rg_transversal **out);
void rg_transversal_destroy(rg_context *ctx, rg_transversal **t);

/* Dulmage-Mendelsohn parts for an incomplete matching: is_free[j] = 1 for unknowns in the
 * under-determined part (nothing fixes them), is_competing[i] = 1 for equations in the
 * over-determined part. */
rg_status rg_explain_incomplete(rg_context *ctx, const rg_signature *s, const rg_transversal *t,
                                uint8_t *is_free, uint8_t *is_competing);
/* Row i's largest number of differentiations etc. are in c and d. */

#endif
