/* The pattern of the stabilized form: equations, chains, lower constraints and their multipliers
 * in one matrix. */
#include "views/ggl.h"

#include <string.h>

typedef struct { /* one nonzero; several may share a place (an entry in y and one in y') */
    int32_t row, column;
    int64_t *to; /* where the number of its place goes */
} element;

typedef struct {
    element *items;
    int64_t count;
} element_list;

static void add(element_list *s, int64_t row, int64_t column, int64_t *to)
{
    s->items[s->count++] = (element){(int32_t)row, (int32_t)column, to};
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

/* One stable counting sort, by rows or by columns. */
static void sort(const element *from, int64_t count, int64_t n, bool by_column, int64_t *start,
                 element *to)
{
    memset(start, 0, ((size_t)n + 1) * sizeof *start);
    for (int64_t k = 0; k < count; k++)
        start[(by_column ? from[k].column : from[k].row) + 1]++;
    for (int64_t k = 0; k < n; k++)
        start[k + 1] += start[k];
    for (int64_t k = 0; k < count; k++)
        to[start[by_column ? from[k].column : from[k].row]++] = from[k];
}

/* Equal places are neighbours in the sorted list. */
static void number_places(const element *s, int64_t count, rg_pattern *out)
{
    int64_t next = -1;

    for (int64_t k = 0; k < count; k++) {
        if (k == 0 || s[k].row != s[k - 1].row || s[k].column != s[k - 1].column) {
            out->row[++next] = s[k].row;
            out->start[s[k].column + 1]++;
        }
        *s[k].to = next;
    }
    for (int64_t j = 0; j < out->n_columns; j++)
        out->start[j + 1] += out->start[j];
}

static rg_status make_pattern(rg_context *ctx, const rg_states *l, const rg_pattern *p, rg_ggl *g,
                              rg_pattern *out)
{
    const int64_t n = l->n_states,
                  n_low = g->low == NULL ? 0 : rg_assembly_pattern(g->low)->start[n];
    const size_t room = (size_t)(p->start[2 * n] + 2 * g->n_chains + 2 * n_low) + 1;
    element_list s = {rg_alloc(ctx, room, sizeof *s.items), 0};
    element *sorted = rg_alloc(ctx, room, sizeof *sorted);
    int64_t *start = rg_alloc(ctx, (size_t)n + 1, sizeof *start);
    rg_status status = RG_ERR_MEMORY;

    out->n_rows = out->n_columns = n;
    out->start = rg_alloc(ctx, (size_t)n + 1, sizeof *out->start);
    out->row = rg_alloc(ctx, room, sizeof *out->row);
    g->place = rg_alloc(ctx, (size_t)p->start[2 * n] + 1, sizeof *g->place);
    g->chain_y = rg_alloc(ctx, (size_t)g->n_chains + 1, sizeof *g->chain_y);
    g->chain_yp = rg_alloc(ctx, (size_t)g->n_chains + 1, sizeof *g->chain_yp);
    g->low_row = rg_alloc(ctx, (size_t)n_low + 1, sizeof *g->low_row);
    g->low_mu = rg_alloc(ctx, (size_t)n_low + 1, sizeof *g->low_mu);
    if (s.items != NULL && sorted != NULL && start != NULL && out->start != NULL && out->row != NULL
        && g->place != NULL && g->chain_y != NULL && g->chain_yp != NULL && g->low_row != NULL
        && g->low_mu != NULL) {
        collect(l, p, g, &s);
        sort(s.items, s.count, n, false, start, sorted);
        sort(sorted, s.count, n, true, start, s.items);
        number_places(s.items, s.count, out);
        status = RG_OK;
    }
    rg_free(ctx, s.items);
    rg_free(ctx, sorted);
    rg_free(ctx, start);
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
