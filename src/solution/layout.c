/* Where the unknowns and their derivatives stand in a point of a solution. */
#include "solution/layout.h"

#include <string.h>

rg_status rg_layout_create(rg_context *ctx, int64_t n_states, int64_t n_unknowns, int n_orders,
                           rg_layout **out)
{
    rg_layout *l = rg_alloc(ctx, 1, sizeof *l);

    *out = NULL;
    if (l == NULL) return RG_ERR_MEMORY;
    *l = (rg_layout){ctx, n_states, n_unknowns, n_orders, NULL};
    l->place = rg_alloc(ctx, (size_t)n_orders, sizeof *l->place);
    for (int r = 0; l->place != NULL && r < n_orders; r++) {
        l->place[r] = rg_alloc(ctx, (size_t)n_unknowns, sizeof **l->place);
        if (l->place[r] == NULL) goto failed;
        for (int64_t j = 0; j < n_unknowns; j++)
            l->place[r][j] = -1;
    }
    if (l->place == NULL) goto failed;
    *out = l;
    return RG_OK;
failed:
    rg_layout_destroy(&l);
    return RG_ERR_MEMORY;
}

rg_status rg_layout_from(rg_context *ctx, int64_t n_states, int64_t n_unknowns, int n_orders,
                         int32_t *const *place, rg_layout **out)
{
    RG_TRY(rg_layout_create(ctx, n_states, n_unknowns, n_orders, out));
    for (int r = 0; r < n_orders; r++)
        memcpy((*out)->place[r], place[r], (size_t)n_unknowns * sizeof **place);
    return RG_OK;
}

void rg_layout_destroy(rg_layout **layout)
{
    rg_layout *l = *layout;

    if (l == NULL) return;
    for (int r = 0; l->place != NULL && r < l->n_orders; r++)
        rg_free(l->ctx, l->place[r]);
    rg_free(l->ctx, l->place);
    rg_free(l->ctx, l);
    *layout = NULL;
}

int64_t rg_layout_at(const rg_layout *layout, int64_t unknown, int order)
{
    return order < layout->n_orders ? layout->place[order][unknown] : -1;
}
