/* The pattern of the stabilized form: equations, chains, lower constraints and their multipliers
 * in one matrix. */
#include "linalg/join.h"
#include "views/ggl.h"

#include <string.h>

typedef struct {
    rg_nonzero *items;
    int64_t count;
} element_list;

static void add(element_list *s, int64_t row, int64_t column, int64_t *to)
{
    s->items[s->count++] = (rg_nonzero){(int32_t)row, (int32_t)column, to};
}

static void collect(const rg_states *l, const rg_pattern *p, rg_ggl *g, element_list *s)
{
    const int64_t n = l->n_states, first_low = g->n_equations + g->n_chains;

    for (int64_t j = 0; j < 2 * n; j++)
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++)
            add(s, p->row[k], j % n, &g->place[k]);
    for (int64_t e = 0; e < g->n_chains; e++) {
        add(s, g->n_equations + e, g->chain_next[e], &g->chain_y[e]);
        add(s, g->n_equations + e, g->chain_state[e], &g->chain_yp[e]);
    }
    if (g->low == NULL) return;
    const rg_pattern *A = rg_assembly_pattern(g->low);
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            add(s, first_low + A->row[k], j, &g->low_row[k]);
            g->low_mu[k] = -1;
            if (g->chain_of[j] < 0) continue;
            add(s, g->n_equations + g->chain_of[j], n - g->n_low + A->row[k], &g->low_mu[k]);
        }
}

static rg_status make_pattern(rg_context *ctx, const rg_states *l, const rg_pattern *p, rg_ggl *g,
                              rg_pattern *out)
{
    const int64_t n = l->n_states,
                  n_low = g->low == NULL ? 0 : rg_assembly_pattern(g->low)->start[n];
    const size_t room = (size_t)(p->start[2 * n] + 2 * g->n_chains + 2 * n_low) + 1;
    element_list s = {rg_alloc(ctx, room, sizeof *s.items), 0};
    rg_status status = RG_ERR_MEMORY;

    out->n_rows = out->n_columns = n;
    out->start = rg_alloc(ctx, (size_t)n + 1, sizeof *out->start);
    out->row = rg_alloc(ctx, room, sizeof *out->row);
    g->place = rg_alloc(ctx, (size_t)p->start[2 * n] + 1, sizeof *g->place);
    g->chain_y = rg_alloc(ctx, (size_t)g->n_chains + 1, sizeof *g->chain_y);
    g->chain_yp = rg_alloc(ctx, (size_t)g->n_chains + 1, sizeof *g->chain_yp);
    g->low_row = rg_alloc(ctx, (size_t)n_low + 1, sizeof *g->low_row);
    g->low_mu = rg_alloc(ctx, (size_t)n_low + 1, sizeof *g->low_mu);
    if (s.items != NULL && out->start != NULL && out->row != NULL && g->place != NULL
        && g->chain_y != NULL && g->chain_yp != NULL && g->low_row != NULL && g->low_mu != NULL) {
        collect(l, p, g, &s);
        status = rg_pattern_join(ctx, s.count, s.items, out);
    }
    rg_free(ctx, s.items);
    return status;
}

/* Lower constraint e is row e. */
static rg_status make_low(const rg_problem *p, const rg_states *l, rg_ggl *g)
{
    int levels = 0;
    int32_t **row;

    if (g->n_low == 0) return RG_OK;
    for (int64_t e = 0; e < g->n_low; e++)
        if (g->low_level[e] >= levels) levels = g->low_level[e] + 1;
    RG_TRY(rg_row_map_create(p->ctx, levels, p->n, &row));
    for (int64_t e = 0; e < g->n_low; e++)
        row[g->low_level[e]][g->low_equation[e]] = (int32_t)e;
    const rg_assembly_spec spec = {levels,          l->n_orders,
                                   2 * l->n_states, (const int32_t *const *)row,
                                   g->n_low,        (const int32_t *const *)l->column};
    const rg_status status = rg_assembly_create(p, &spec, true, &g->low);
    rg_free(p->ctx, row);
    return status;
}

rg_status rg_ggl_join(const rg_problem *p, const rg_states *l, const rg_pattern *equations,
                      rg_ggl *g, rg_pattern *out)
{
    RG_TRY(make_low(p, l, g));
    return make_pattern(p->ctx, l, equations, g, out);
}
