/* The expression graph: its memory, the hash table that finds equal nodes again, and the leaves.
 * Nodes with arguments are made in simplify.c. */
#include "expr/graph_impl.h"

#include <string.h>

enum { FIRST_CAPACITY = 64 };

rg_status rg_graph_create(rg_context *ctx, rg_graph **out)
{
    rg_graph *g = rg_alloc(ctx, 1, sizeof *g);

    *out = NULL;
    if (g == NULL) return RG_ERR_MEMORY;
    g->ctx = ctx;
    g->capacity = FIRST_CAPACITY;
    g->table_size = 2 * FIRST_CAPACITY;
    g->nodes = rg_alloc(ctx, (size_t)g->capacity, sizeof *g->nodes);
    g->table = rg_alloc(ctx, g->table_size, sizeof *g->table);
    if (g->nodes == NULL || g->table == NULL) {
        rg_graph_destroy(&g);
        return RG_ERR_MEMORY;
    }
    *out = g;
    return RG_OK;
}

rg_status rg_graph_copy(rg_context *ctx, const rg_graph *from, rg_graph **out)
{
    rg_graph *g = rg_alloc(ctx, 1, sizeof *g);

    *out = NULL;
    if (g == NULL) return RG_ERR_MEMORY;
    g->ctx = ctx;
    g->status = from->status;
    g->size = from->size;
    g->capacity = from->capacity;
    g->table_size = from->table_size;
    memcpy(g->known, from->known, sizeof g->known);
    g->nodes = rg_alloc(ctx, (size_t)g->capacity, sizeof *g->nodes);
    g->table = rg_alloc(ctx, g->table_size, sizeof *g->table);
    if (g->nodes == NULL || g->table == NULL) {
        rg_graph_destroy(&g);
        return RG_ERR_MEMORY;
    }
    memcpy(g->nodes, from->nodes, (size_t)g->size * sizeof *g->nodes);
    memcpy(g->table, from->table, g->table_size * sizeof *g->table);
    *out = g;
    return RG_OK;
}

void rg_graph_destroy(rg_graph **g)
{
    if (*g == NULL) return;
    rg_context *ctx = (*g)->ctx;
    rg_free(ctx, (*g)->nodes);
    rg_free(ctx, (*g)->table);
    rg_free(ctx, (*g)->stamp);
    rg_free(ctx, (*g)->memo);
    rg_free(ctx, (*g)->order);
    rg_free(ctx, (*g)->stack);
    rg_free(ctx, *g);
    *g = NULL;
}

rg_status rg_graph_status(const rg_graph *g)
{
    return g->status;
}

int32_t rg_graph_size(const rg_graph *g)
{
    return g->size;
}

const rg_graph_node *rg_graph_at(const rg_graph *g, rg_node node)
{
    return &g->nodes[node];
}

/* ---- hash table ------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t h, uint64_t value)
{
    h = (h ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}

static uint32_t hash_of(const rg_graph_node *n)
{
    uint64_t bits;

    memcpy(&bits, &n->value, sizeof bits);
    uint64_t h = mix(bits, (uint64_t)n->op | (uint64_t)(uint16_t)n->order << 8);
    h = mix(h, (uint64_t)(uint32_t)n->a | (uint64_t)(uint32_t)n->b << 32);
    h = mix(h, (uint32_t)n->c);
    return (uint32_t)(h >> 16);
}

static bool is_same(const rg_graph_node *x, const rg_graph_node *y)
{
    return x->op == y->op && x->order == y->order && x->a == y->a && x->b == y->b && x->c == y->c
           && memcmp(&x->value, &y->value, sizeof x->value) == 0;
}

/* The place in the table where the node is, or where it belongs. */
static uint32_t find_place(const rg_graph *g, const rg_graph_node *n)
{
    const uint32_t mask = g->table_size - 1;
    uint32_t at = hash_of(n) & mask;

    while (g->table[at] != 0 && !is_same(&g->nodes[g->table[at] - 1], n))
        at = (at + 1) & mask;
    return at;
}

static rg_status grow(rg_graph *g)
{
    const int32_t capacity = 2 * g->capacity;
    rg_graph_node *nodes = rg_resize(g->ctx, g->nodes, (size_t)capacity, sizeof *nodes);

    if (nodes == NULL) return RG_ERR_MEMORY;
    g->nodes = nodes;
    int32_t *table = rg_alloc(g->ctx, 2 * (size_t)capacity, sizeof *table);
    if (table == NULL) return RG_ERR_MEMORY;
    rg_free(g->ctx, g->table);
    g->table = table;
    g->table_size = 2 * (uint32_t)capacity;
    g->capacity = capacity;
    for (int32_t k = 0; k < g->size; k++)
        g->table[find_place(g, &g->nodes[k])] = k + 1;
    return RG_OK;
}

static rg_status make_room(rg_graph *g)
{
    if (g->status != RG_OK) return g->status;
    if (g->size >= RG_GRAPH_LIMIT) {
        rg_fail(g->ctx, RG_ERR_STRUCTURE, "an expression has more than %d parts", RG_GRAPH_LIMIT);
        g->status = rg_remedy(g->ctx, "split it into several equations with unknowns of their own");
    } else if (g->size == g->capacity) {
        g->status = grow(g);
    }
    return g->status;
}

/* ---- dependence ------------------------------------------------------------------------------ */

static uint8_t depends_of(const rg_graph *g, const rg_graph_node *n)
{
    enum { MOVES = RG_DEP_VAR | RG_DEP_TIME | RG_DEP_SUM };
    const int32_t args[3] = {n->a, n->b, n->c};
    unsigned depends = 0;

    switch ((rg_op)n->op) {
    case RG_OP_CONST:
        return 0;
    case RG_OP_TIME:
        return RG_DEP_TIME;
    case RG_OP_VAR:
        return RG_DEP_VAR;
    case RG_OP_SUM:
        return RG_DEP_SUM;
    case RG_OP_DATA:
        return RG_DEP_DATA;
    case RG_OP_SEED:
        return RG_DEP_SEED;
    default:
        break;
    }
    for (int k = 0; k < rg_op_arity((rg_op)n->op); k++)
        depends |= g->nodes[args[k]].depends;
    if (n->op == RG_OP_INTERVAL && g->nodes[n->a].op == RG_OP_TIME) depends |= RG_DEP_NODES;
    const unsigned switched = n->op == RG_OP_IF ? g->nodes[n->a].depends : depends;
    if (rg_op_kink((rg_op)n->op) != RG_KINK_NONE && (switched & MOVES)) depends |= RG_DEP_KINK;
    return (uint8_t)depends;
}

static rg_node intern(rg_graph *g, rg_graph_node n, const int32_t args[3])
{
    n.a = args[0];
    n.b = args[1];
    n.c = args[2];
    for (int k = 0; k < rg_op_arity((rg_op)n.op); k++)
        if (args[k] < 0) return -1;
    uint32_t at = find_place(g, &n);
    if (g->table[at] != 0) return g->table[at] - 1;
    if (make_room(g) != RG_OK) return -1;
    n.depends = depends_of(g, &n);
    at = find_place(g, &n);
    g->nodes[g->size] = n;
    g->table[at] = ++g->size;
    return g->size - 1;
}

rg_node rg_graph_intern(rg_graph *g, rg_op op, int order, const int32_t args[3], double value)
{
    return intern(g, (rg_graph_node){.op = (uint8_t)op, .order = (int16_t)order, .value = value},
                  args);
}

rg_node rg_graph_intern_table(rg_graph *g, rg_op op, int order, const int32_t args[3],
                              const struct rg_table *table)
{
    rg_graph_node n = {.op = (uint8_t)op, .order = (int16_t)order, .value = 0.0};

    n.table = table;
    return intern(g, n, args);
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static rg_node leaf(rg_graph *g, rg_op op, int32_t a, int order)
{
    return rg_graph_intern(g, op, order, (int32_t[]){a, -1, -1}, 0.0);
}

/* Every rule of differentiation asks for 0 and 1. */
rg_node rg_graph_const(rg_graph *g, double value)
{
    int32_t *known = value == 0.0 ? &g->known[0] : value == 1.0 ? &g->known[1] : NULL;

    if (known != NULL && *known > 0) return *known - 1;
    const rg_node node =
        rg_graph_intern(g, RG_OP_CONST, 0, (int32_t[]){-1, -1, -1}, value + 0.0); /* -0 becomes 0 */
    if (known != NULL) *known = node + 1;
    return node;
}

rg_node rg_graph_time(rg_graph *g)
{
    return leaf(g, RG_OP_TIME, -1, 0);
}

rg_node rg_graph_var(rg_graph *g, int32_t slot, int order)
{
    return leaf(g, RG_OP_VAR, slot, order);
}

rg_node rg_graph_sum(rg_graph *g, int32_t sum, int order)
{
    return leaf(g, RG_OP_SUM, sum, order);
}

rg_node rg_graph_data(rg_graph *g, int32_t slot)
{
    return leaf(g, RG_OP_DATA, slot, 0);
}

rg_node rg_graph_seed(rg_graph *g, int32_t slot)
{
    return leaf(g, RG_OP_SEED, slot, 0);
}
