/* Numbers the states of a view: unknowns and those of their derivatives that are states too. */
#include "views/states.h"

#include "base/pieces.h"

#include <string.h>

static int largest(int64_t n, const int32_t *m)
{
    int max = 1;

    for (int64_t j = 0; j < n; j++)
        if (m[j] > max) max = m[j];
    return max;
}

/* Numbers the states order by order: column[r][j] for r < m_j. */
static void number_states(rg_states *l)
{
    int64_t next = l->n;

    for (int64_t j = 0; j < l->n; j++)
        l->column[0][j] = (int32_t)j;
    for (int r = 1; r < l->n_orders; r++)
        for (int64_t j = 0; j < l->n; j++) {
            if (r >= l->m[j]) continue;
            l->chain_from[next - l->n] = l->column[r - 1][j];
            l->column[r][j] = (int32_t)next++;
        }
}

/* The first derivative of the last state of each unknown lies in the second half of z. */
static void number_derivatives(rg_states *l)
{
    for (int64_t j = 0; j < l->n; j++) {
        const int m = l->m[j];
        l->column[m][j] = (int32_t)(l->n_states + l->column[m - 1][j]);
        for (int r = m + 1; r < l->n_orders; r++)
            l->column[r][j] = -1;
    }
}

rg_status rg_states_init(rg_context *ctx, int64_t n, const int32_t *m, rg_states *out)
{
    memset(out, 0, sizeof *out);
    out->n = out->n_states = n;
    out->n_orders = largest(n, m) + 1;
    for (int64_t j = 0; j < n; j++)
        out->n_states += m[j] - 1;
    const size_t room = (size_t)n + 1;
    out->m = rg_alloc(ctx, room, sizeof *out->m);
    out->column = rg_alloc(ctx, (size_t)out->n_orders, sizeof *out->column);
    out->chain_from = rg_alloc(ctx, (size_t)(out->n_states - n) + 1, sizeof *out->chain_from);
    if (out->m == NULL || out->column == NULL || out->chain_from == NULL) return RG_ERR_MEMORY;
    for (int r = 0; r < out->n_orders; r++)
        if ((out->column[r] = rg_alloc(ctx, room, sizeof **out->column)) == NULL)
            return RG_ERR_MEMORY;
    memcpy(out->m, m, (size_t)n * sizeof *m);
    number_states(out);
    number_derivatives(out);
    return RG_OK;
}

void rg_states_clear(rg_context *ctx, rg_states *l)
{
    for (int r = 0; l->column != NULL && r < l->n_orders; r++)
        rg_free(ctx, l->column[r]);
    rg_free(ctx, l->column);
    rg_free(ctx, l->m);
    rg_free(ctx, l->chain_from);
    memset(l, 0, sizeof *l);
}

int64_t rg_states_find(const rg_states *l, int64_t unknown, int order)
{
    return order < l->m[unknown] ? l->column[order][unknown] : -1;
}

rg_status rg_row_map_create(rg_context *ctx, int levels, int64_t n, int32_t ***out)
{
    int32_t **row = NULL, *all = NULL;

    *out = NULL;
    RG_TRY(RG_TAKE(ctx, out, RG_PIECE(row, levels), RG_PIECE(all, levels * n)));
    for (int64_t e = 0; e < levels * n; e++)
        all[e] = -1;
    for (int k = 0; k < levels; k++)
        row[k] = all + k * n;
    return RG_OK;
}
