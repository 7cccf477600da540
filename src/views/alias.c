/* Finds the definitions  p' = u  among the equations, so that both names share a state. */
#include "views/alias.h"

#include <string.h>

/* An output  VAR(j, r) - VAR(l, 0)  up to the sign, r >= 1: the two leaves. */
static bool is_definition(const rg_body *body, rg_node node, const rg_graph_node **high,
                          const rg_graph_node **low)
{
    const rg_graph_node *n = rg_graph_at(body->graph, node);

    while (n->op == RG_OP_NEG)
        n = rg_graph_at(body->graph, n->a);
    if (n->op != RG_OP_SUB) return false;
    const rg_graph_node *a = rg_graph_at(body->graph, n->a), *b = rg_graph_at(body->graph, n->b);
    if (a->op != RG_OP_VAR || b->op != RG_OP_VAR) return false;
    *high = a->order > 0 ? a : b;
    *low = a->order > 0 ? b : a;
    return (*high)->order > 0 && (*low)->order == 0;
}

/* Only if nothing of unknown j is left above: d_j = c_i + r.  Then the states of l continue
 * those of j. */
static void take(const rg_analysis *a, int64_t row, int64_t j, int order, int64_t l,
                 rg_aliases *out)
{
    if (j == l || a->c[row] < 1 || a->d[j] != a->c[row] + order || out->of[j].unknown >= 0) return;
    out->of[j] = (rg_alias){(int32_t)l, order, a->c[row]};
    out->is_alias[row] = 1;
    out->n_equations++;
}

rg_status rg_aliases_init(const rg_problem *p, const rg_analysis *a, rg_aliases *out)
{
    const rg_graph_node *high, *low;

    memset(out, 0, sizeof *out);
    out->of = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof *out->of);
    out->is_alias = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof *out->is_alias);
    if (out->of == NULL || out->is_alias == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < p->n; j++)
        out->of[j].unknown = -1;
    for (int k = 0; k < p->n_blocks; k++) {
        const rg_body *body = p->blocks[k].body;
        for (int o = 0; o < body->n_outputs; o++) {
            if (!is_definition(body, body->outputs[o], &high, &low)) continue;
            for (int64_t i = 0; i < body->count; i++)
                take(a, p->blocks[k].first_row + o * body->count + i,
                     rg_map_at(&body->slots[high->a].map, i), high->order,
                     rg_map_at(&body->slots[low->a].map, i), out);
        }
    }
    return RG_OK;
}

void rg_aliases_clear(rg_context *ctx, rg_aliases *s)
{
    rg_free(ctx, s->of);
    rg_free(ctx, s->is_alias);
    memset(s, 0, sizeof *s);
}

/* Every step lowers the order: it ends. */
void rg_aliases_resolve(const rg_aliases *s, int64_t *unknown, int *order)
{
    for (;;) {
        const rg_alias *a = &s->of[*unknown];
        if (a->unknown < 0 || *order < a->order || *order >= a->order + a->count) return;
        *unknown = a->unknown;
        *order -= a->order;
    }
}
