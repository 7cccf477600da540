/* Which derivatives of which unknowns are states, and where equations and columns lie. */
#ifndef RG_VIEWS_STATES_H
#define RG_VIEWS_STATES_H

#include "views/system.h"

/* State (j, r) = r-th derivative of unknown j, r = 0 .. m_j - 1.  (j, 0) is state j; the others
 * follow, order by order.  z = (y, y') has 2 n_states entries. */
typedef struct {
    int64_t n; /* unknowns = equations of the model */
    int64_t n_states;
    int n_orders;        /* max m_j + 1: orders that may occur */
    int32_t *m;          /* per unknown */
    int32_t **column;    /* [order][unknown]: place in z, or -1 */
    int32_t *chain_from; /* per extra state n + e: the state whose derivative it is */
} rg_states;

rg_status rg_states_init(rg_context *ctx, int64_t n, const int32_t *m, rg_states *out);
void rg_states_clear(rg_context *ctx, rg_states *l);
/* State of derivative r of unknown j, or -1. */
int64_t rg_states_find(const rg_states *l, int64_t unknown, int order);

/* A map [level][equation] of rows, all -1: no row; freed by rg_free(). */
rg_status rg_row_map_create(rg_context *ctx, int levels, int64_t n, int32_t ***out);

#endif
