/* Walks over the nodes below an expression, without recursion. */
#include "expr/graph_impl.h"

#include <string.h>

enum { FIRST_STACK = 64, ARGS = 3 };

static rg_status resize(rg_graph *g, void *array, size_t count, size_t size)
{
    void *old, *fresh;

    memcpy(&old, array, sizeof old);
    fresh = rg_resize(g->ctx, old, count, size);
    if (fresh == NULL) return g->status = RG_ERR_MEMORY;
    memcpy(array, &fresh, sizeof fresh);
    return RG_OK;
}

static rg_status prepare_scratch(rg_graph *g)
{
    if (g->status != RG_OK) return g->status;
    if (g->scratch < g->size) {
        const size_t n = (size_t)g->capacity;
        RG_TRY(resize(g, &g->stamp, n, sizeof *g->stamp));
        RG_TRY(resize(g, &g->memo, n, sizeof *g->memo));
        RG_TRY(resize(g, &g->order, n, sizeof *g->order));
        memset(g->stamp, 0, n * sizeof *g->stamp);
        g->epoch = 0;
        g->scratch = g->capacity;
    }
    if (++g->epoch == 0) { /* wrapped around */
        memset(g->stamp, 0, (size_t)g->scratch * sizeof *g->stamp);
        g->epoch = 1;
    }
    return RG_OK;
}

static rg_status room_on_stack(rg_graph *g, int64_t depth)
{
    if (depth + ARGS + 1 <= g->stack_size) return RG_OK;
    const int64_t size = 2 * g->stack_size + FIRST_STACK;
    RG_TRY(resize(g, &g->stack, (size_t)size, sizeof *g->stack));
    g->stack_size = size;
    return RG_OK;
}

/* Depth first with a stack of its own: a node is pushed, replaced by its complement while its
 * arguments are on the stack above it, and listed when the complement comes up again. */
int32_t rg_graph_walk(rg_graph *g, int n_roots, const rg_node *roots, unsigned mask)
{
    int32_t count = 0;

    if (prepare_scratch(g) != RG_OK) return -1;
    for (int r = 0; r < n_roots; r++) {
        int64_t depth = 0;
        if (room_on_stack(g, depth) != RG_OK) return -1;
        g->stack[depth++] = roots[r];
        while (depth > 0) {
            const int32_t top = g->stack[--depth];
            if (top < 0) {
                g->order[count++] = ~top;
                continue;
            }
            const rg_graph_node *n = &g->nodes[top];
            if (g->stamp[top] == g->epoch || (mask != 0 && !(n->depends & mask))) continue;
            g->stamp[top] = g->epoch;
            if (room_on_stack(g, depth) != RG_OK) return -1;
            g->stack[depth++] = ~top;
            const int32_t args[ARGS] = {n->a, n->b, n->c};
            for (int k = rg_op_arity((rg_op)n->op); k-- > 0;)
                g->stack[depth++] = args[k];
        }
    }
    return count;
}

int32_t rg_graph_leaves(rg_graph *g, rg_node of, int32_t limit, rg_node *leaves)
{
    if (of < 0) return 0;
    const int32_t count = rg_graph_walk(g, 1, &of, RG_DEP_VAR | RG_DEP_SUM);
    int32_t found = 0;

    for (int32_t k = 0; k < count; k++) {
        const uint8_t op = g->nodes[g->order[k]].op;
        if (op != RG_OP_VAR && op != RG_OP_SUM) continue;
        if (found < limit) leaves[found] = g->order[k];
        found++;
    }
    return found;
}

int32_t rg_graph_leaves_once(rg_context *ctx, const rg_graph *g, rg_node of, int32_t limit,
                             rg_node *leaves)
{
    rg_graph *copy = NULL;

    if (rg_graph_copy(ctx, g, &copy) != RG_OK) return 0;
    const int32_t found = rg_graph_leaves(copy, of, limit, leaves);
    rg_graph_destroy(&copy);
    return found;
}
