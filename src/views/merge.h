/* The n x n pattern of dF/dy and dF/dy' together, from the n x 2n pattern of an assembly in z = (y,
 * y') and the chain equations. */
#ifndef RG_VIEWS_MERGE_H
#define RG_VIEWS_MERGE_H

#include "views/states.h"

typedef struct {
    rg_pattern pattern; /* union, n_states x n_states */
    int64_t n_left;     /* entries of the assembly in the columns of y: they come first */
    int64_t n_entries;
    int64_t *place;              /* entry of the assembly -> entry of the union */
    int64_t *chain_y, *chain_yp; /* per chain equation: entries of -1 in dF/dy, +1 in dF/dy' */
} rg_merge;

rg_status rg_merge_init(rg_context *ctx, const rg_states *l, const rg_pattern *z, rg_merge *out);
void rg_merge_clear(rg_context *ctx, rg_merge *m);

#endif
