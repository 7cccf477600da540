/* All partial derivatives of an expression at once: from the top down (adjoints), or for every leaf
 * from there up to what it stands in. */
#include "expr/graph_impl.h"

#include <stdlib.h>

/* From this number of leaves on one pass from the top is taken, or lists of users are made. */
enum { MANY_LEAVES = 16 };
/* Where more than one node in so many stands above a leaf, all are passed in order, not sorted. */
enum { MOST_SORTED = 32 };

enum { MASK = RG_DEP_VAR | RG_DEP_SUM };

/* ---- from the top down ----------------------------------------------------------------------- */

/* Hands the adjoint of a node on to its arguments: the rules are linear, so the share of an
 * argument is the derivative of the node with the adjoint in that argument's place. */
static rg_status hand_on(rg_graph *g, rg_node node)
{
    const rg_graph_node n = g->nodes[node];
    const int32_t args[3] = {n.a, n.b, n.c};
    const rg_node adjoint = g->memo[node];

    for (int k = 0; k < rg_op_arity((rg_op)n.op); k++) {
        if (!(g->nodes[args[k]].depends & MASK)) continue;
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
    const int32_t count = rg_graph_walk(g, 1, &of, MASK);
    const rg_node zero = rg_graph_const(g, 0), one = rg_graph_const(g, 1);

    if (count < 0 || zero < 0 || one < 0) return g->status;
    for (int32_t k = 0; k < count; k++)
        g->memo[g->order[k]] = zero;
    g->memo[of] = one;
    for (int32_t k = count; k-- > 0;)
        RG_TRY(hand_on(g, g->order[k]));
    return RG_OK;
}

/* ---- from every leaf up ---------------------------------------------------------------------- */

typedef struct { /* of the nodes below the root, by their places in g->order */
    int32_t count;
    int32_t *place; /* of a node, + 1; 0: none */
    int32_t *first; /* users of place k: user[first[k]] .. user[first[k + 1] - 1] */
    int32_t *user;
    int32_t *seen;  /* number of the last leaf that stands below, + 1 */
    int32_t *above; /* places */
} upward;

static int32_t place_of(const rg_graph *g, const upward *u, int32_t arg)
{
    return arg >= 0 && (g->nodes[arg].depends & MASK) ? u->place[arg] - 1 : -1;
}

/* Counts the users of all places, then lists them. */
static void list_users(const rg_graph *g, upward *u)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t k = u->count; k-- > 0;) {
            const rg_graph_node *n = &g->nodes[g->order[k]];
            const int32_t args[3] = {n->a, n->b, n->c};
            for (int i = 0; i < rg_op_arity((rg_op)n->op); i++) {
                const int32_t at = place_of(g, u, args[i]);
                if (at < 0) continue;
                if (pass == 0)
                    u->first[at]++;
                else
                    u->user[--u->first[at]] = k;
            }
        }
        for (int32_t k = 0; k < u->count && pass == 0; k++) /* ends; the second pass goes back */
            u->first[k + 1] += u->first[k];
    }
}

static int by_place(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

/* The places above a leaf, arguments before users; how many. */
static int32_t go_up(upward *u, int32_t from, int32_t number)
{
    int32_t n = 0;

    u->above[n++] = from;
    u->seen[from] = number;
    for (int32_t k = 0; k < n; k++)
        for (int32_t e = u->first[u->above[k]]; e < u->first[u->above[k] + 1]; e++) {
            const int32_t at = u->user[e];
            if (u->seen[at] != number) u->above[n++] = at;
            u->seen[at] = number;
        }
    if (n < u->count / MOST_SORTED) {
        qsort(u->above, (size_t)n, sizeof *u->above, by_place);
        return n;
    }
    n = 0;
    for (int32_t k = from; k < u->count; k++)
        if (u->seen[k] == number) u->above[n++] = k;
    return n;
}

/* The derivative by one leaf; derivatives of all nodes are 0 before and behind. */
static rg_node by_leaf(rg_graph *g, rg_node of, rg_node leaf, upward *u, int32_t number)
{
    const rg_node zero = rg_graph_const(g, 0);

    if (leaf > of || u->place[leaf] == 0) return zero;
    const int32_t n = go_up(u, u->place[leaf] - 1, number);
    g->memo[leaf] = rg_graph_const(g, 1);
    for (int32_t k = 1; k < n; k++) {
        const rg_node node = g->order[u->above[k]];
        if ((g->memo[node] = rg_graph_slope(g, node, MASK)) < 0) return -1;
    }
    const rg_node result = g->memo[of];
    for (int32_t k = 0; k < n; k++)
        g->memo[g->order[u->above[k]]] = zero;
    return result;
}

static rg_status go_up_from_all(rg_graph *g, rg_node of, int32_t n, const rg_node *leaves,
                                rg_node *partials)
{
    const rg_node zero = rg_graph_const(g, 0);
    upward u = {.count = rg_graph_walk(g, 1, &of, MASK)};

    if (u.count < 0 || zero < 0) return g->status;
    const size_t nodes = (size_t)of + 1, count = (size_t)u.count;
    u.place = rg_alloc(g->ctx, nodes + 6 * count + 1, sizeof *u.place);
    if (u.place == NULL) return g->status = RG_ERR_MEMORY;
    u.first = u.place + nodes;
    u.seen = u.first + count + 1;
    u.above = u.seen + count;
    u.user = u.above + count;
    for (int32_t k = 0; k < u.count; k++) {
        u.place[g->order[k]] = k + 1;
        g->memo[g->order[k]] = zero;
    }
    list_users(g, &u);
    for (int32_t k = 0; k < n && g->status == RG_OK; k++)
        partials[k] = by_leaf(g, of, leaves[k], &u, k + 1);
    rg_free(g->ctx, u.place);
    return g->status;
}

/* ---- both ------------------------------------------------------------------------------------ */

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
    if (n >= MANY_LEAVES) return go_up_from_all(g, of, n, leaves, partials);
    for (int32_t k = 0; k < n; k++) {
        partials[k] = rg_graph_partial(g, of, leaves[k]);
        if (partials[k] < 0) return g->status;
    }
    return RG_OK;
}
