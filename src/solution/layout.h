/* Where the derivatives of the unknowns lie in a point z = (y, y') of a first order system. */
#ifndef RG_SOLUTION_LAYOUT_H
#define RG_SOLUTION_LAYOUT_H

#include "problem/problem.h"

typedef struct {
    rg_context *ctx;
    int64_t n_states,
        n_unknowns; /* z has 2 n_states entries; the first n_unknowns are the unknowns */
    int n_orders;
    int32_t **place; /* [order][unknown]: entry of z, or -1: the system does not have it */
} rg_layout;

/* All places -1. */
rg_status rg_layout_create(rg_context *ctx, int64_t n_states, int64_t n_unknowns, int n_orders,
                           rg_layout **out);
/* place: [order][unknown], copied. */
rg_status rg_layout_from(rg_context *ctx, int64_t n_states, int64_t n_unknowns, int n_orders,
                         int32_t *const *place, rg_layout **out);
void rg_layout_destroy(rg_layout **layout);
/* Entry of z, or -1. */
int64_t rg_layout_at(const rg_layout *layout, int64_t unknown, int order);

#endif
