/* Where a solution finds the states of a system. */
#include "ivp/layout.h"

/* Order r of unknown j is a state, or the derivative of the state of order r - 1. */
static int64_t place_of(const rg_system *s, int64_t unknown, int order)
{
    const int64_t state = rg_system_state(s, unknown, order);

    if (state >= 0 || order == 0) return state;
    const int64_t below = rg_system_state(s, unknown, order - 1);
    return below >= 0 ? rg_system_size(s) + below : -1;
}

rg_status rg_system_layout(const rg_system *s, int64_t n_unknowns, rg_layout **out)
{
    int n_orders = 2;

    for (int r = 1; r <= RG_MAX_ORDER; r++) /* the highest order that some unknown has */
        for (int64_t j = 0; j < n_unknowns && n_orders == r + 1; j++)
            if (rg_system_state(s, j, r) >= 0) n_orders = r + 2;
    RG_TRY(rg_layout_create(rg_system_context(s), rg_system_size(s), n_unknowns, n_orders, out));
    for (int r = 0; r < n_orders; r++)
        for (int64_t j = 0; j < n_unknowns; j++)
            (*out)->place[r][j] = (int32_t)place_of(s, j, r);
    return RG_OK;
}
