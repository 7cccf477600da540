/* All partial derivatives of an expression at once, from the top down (adjoints). */
#include "expr/graph_impl.h"

/* From this number of leaves on one pass from the top is taken instead of one pass per leaf. */
enum { MANY_LEAVES = 16 };

/* Hands the adjoint of a node on to its arguments: the rules are linear, so the share of an
 * argument is the derivative of the node with the adjoint in that argument's place. */
static rg_status hand_on(rg_graph *g, rg_node node, unsigned mask)
{
    const rg_graph_node n = g->nodes[node];
    const int32_t args[3] = {n.a, n.b, n.c};
    const rg_node adjoint = g->memo[node];

    for (int k = 0; k < rg_op_arity((rg_op)n.op); k++) {
        if (!(g->nodes[args[k]].depends & mask)) continue;
        rg_node d[3] = {rg_graph_const(g, 0), rg_graph_const(g, 0), rg_graph_const(g, 0)};
        d[k] = adjoint;
        const rg_node share = rg_graph_apply_rule(g, node, d);
        const rg_node sum = rg_graph_binary(g, RG_OP_ADD, g->memo[args[k]], share);
        if (sum < 0) return g->status;
        g->memo[args[k]] = sum;
    }
    return RG_OK;
}

/* Adjoints from the root down; only where nothing is piecewise: a branch that is not taken would
 * give 0 times its slope, which need not be finite. */
static rg_status sweep_down(rg_graph *g, rg_node of)
{
    const unsigned mask = RG_DEP_VAR | RG_DEP_SUM;
    const int32_t count = rg_graph_walk(g, 1, &of, mask);
    const rg_node zero = rg_graph_const(g, 0), one = rg_graph_const(g, 1);

    if (count < 0 || zero < 0 || one < 0) return g->status;
    for (int32_t k = 0; k < count; k++)
        g->memo[g->order[k]] = zero;
    g->memo[of] = one;
    for (int32_t k = count; k-- > 0;)
        RG_TRY(hand_on(g, g->order[k], mask));
    return RG_OK;
}

rg_status rg_graph_gradient(rg_graph *g, rg_node of, int32_t n, const rg_node *leaves,
                            rg_node *partials)
{
    const bool is_smooth = !(g->nodes[of].depends & RG_DEP_KINK);

    if (n >= MANY_LEAVES && is_smooth) {
        RG_TRY(sweep_down(g, of));
        for (int32_t k = 0; k < n; k++)
            partials[k] = g->memo[leaves[k]];
        return RG_OK;
    }
    for (int32_t k = 0; k < n; k++) {
        partials[k] = rg_graph_partial(g, of, leaves[k]);
        if (partials[k] < 0) return g->status;
    }
    return RG_OK;
}
