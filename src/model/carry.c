/* Names of the body around, inside a sum: nodes are carried over with their slots and data. */
#include "model/compiler.h"

#include <string.h>

static rg_node carry_data(builder *b, int32_t slot)
{
    rg_context *ctx = b->c->ctx;
    const rg_data *d = &b->parent->body->data[slot];

    if (slot < b->parent->body->n_loops) return rg_graph_data(b->graph, slot); /* same loop */
    double *values =
        rg_alloc(ctx, (size_t)(b->body->count > 0 ? b->body->count : 1), sizeof *values);
    if (values == NULL) return RG_BAD;
    for (int64_t k = 0; k < b->body->count; k++)
        values[k] = d->values[rg_map_at(&d->map, rg_map_at(&b->body->outer, k))];
    if (rg_grow(ctx, &b->body->data, b->body->n_data, &b->data_capacity, sizeof *b->body->data)
        != RG_OK) {
        rg_free(ctx, values);
        return RG_BAD;
    }
    b->body->data[b->body->n_data] = (rg_data){
        values, {0, 1, NULL}
    };
    return rg_graph_data(b->graph, b->body->n_data++);
}

static rg_node carry_var(builder *b, int32_t slot, int order)
{
    rg_context *ctx = b->c->ctx;
    const rg_slot from = b->parent->body->slots[slot];
    double *numbers =
        rg_alloc(ctx, (size_t)(b->body->count > 0 ? b->body->count : 1), sizeof *numbers);
    rg_map map;

    if (numbers == NULL) return RG_BAD;
    for (int64_t k = 0; k < b->body->count; k++)
        numbers[k] = (double)rg_map_at(&from.map, rg_map_at(&b->body->outer, k));
    rg_status status = rg_make_map(ctx, b->body->count, numbers, &map);
    rg_free(ctx, numbers);
    if (status == RG_OK)
        status = rg_grow(ctx, &b->body->slots, b->body->n_slots, &b->slot_capacity,
                         sizeof *b->body->slots);
    if (status != RG_OK) return RG_BAD;
    b->body->slots[b->body->n_slots] = (rg_slot){from.family, map, from.point};
    return rg_graph_var(b->graph, b->body->n_slots++, order);
}

static rg_node carry_one(builder *b, const rg_graph_node *n)
{
    rg_graph *g = b->graph;
    const rg_node x = n->a >= 0 && n->op >= RG_OP_ADD ? b->carried[n->a] : RG_BAD;
    const rg_node y = n->b >= 0 && n->op >= RG_OP_ADD ? b->carried[n->b] : RG_BAD;
    const rg_node z = n->c >= 0 && n->op >= RG_OP_ADD ? b->carried[n->c] : RG_BAD;

    switch (n->op) {
    case RG_OP_CONST:
        return rg_graph_const(g, n->value);
    case RG_OP_TIME:
        return rg_graph_time(g);
    case RG_OP_VAR:
        return carry_var(b, n->a, n->order);
    case RG_OP_DATA:
        return carry_data(b, n->a);
    case RG_OP_SUM:
    case RG_OP_SEED:
        return RG_SPLIT; /* told apart by the caller */
    default:
        return rg_graph_again(g, n, (rg_node[]){x, y, z});
    }
}

/* Arguments have smaller numbers than the nodes that use them, so one ascending pass is enough. */
static rg_status mark_needed(builder *b, rg_node node, uint8_t *needed)
{
    const rg_graph *g = b->parent->graph;

    needed[node] = 1;
    for (rg_node k = node; k >= 0; k--) {
        const rg_graph_node *n = rg_graph_at(g, k);
        if (!needed[k] || n->op < RG_OP_ADD) continue;
        if (n->a >= 0) needed[n->a] = 1;
        if (n->b >= 0) needed[n->b] = 1;
        if (n->c >= 0) needed[n->c] = 1;
    }
    return RG_OK;
}

static rg_status carried_room(builder *b, int32_t size)
{
    if (size <= b->carried_size) return RG_OK;
    int32_t *grown = rg_resize(b->c->ctx, b->carried, (size_t)size, sizeof *grown);
    if (grown == NULL) return RG_ERR_MEMORY;
    for (int32_t k = b->carried_size; k < size; k++)
        grown[k] = RG_BAD;
    b->carried = grown;
    b->carried_size = size;
    return RG_OK;
}

rg_node rg_builder_carry(builder *b, rg_node node)
{
    if (carried_room(b, rg_graph_size(b->parent->graph)) != RG_OK) return RG_BAD;
    if (b->carried[node] >= 0) return b->carried[node];
    uint8_t *needed = rg_alloc(b->c->ctx, (size_t)node + 1, 1);
    if (needed == NULL) return RG_BAD;
    mark_needed(b, node, needed);
    rg_node made = RG_OK;
    for (rg_node k = 0; k <= node && made >= 0; k++) {
        if (!needed[k] || b->carried[k] >= 0) continue;
        made = carry_one(b, rg_graph_at(b->parent->graph, k));
        b->carried[k] = made;
    }
    rg_free(b->c->ctx, needed);
    return made >= 0 ? b->carried[node] : made;
}

rg_node rg_builder_carry_from(builder *b, builder *owner, rg_node node)
{
    if (b == owner) return node;
    node = rg_builder_carry_from(b->parent, owner, node);
    return node < 0 ? node : rg_builder_carry(b, node);
}

/* ---- memory of let and fun values ------------------------------------------------------------ */
static uint64_t hash_memo(const symbol *what, int n, const rg_node *argument)
{
    uint64_t h = (uint64_t)(uintptr_t)what * 0x9e3779b97f4a7c15u;

    for (int k = 0; k < n; k++)
        h = (h ^ (uint32_t)argument[k]) * 0xff51afd7ed558ccdu;
    return h ^ (h >> 31);
}

static memo_entry *memo_place(memo_entry *table, int64_t size, const symbol *what, int n,
                              const rg_node *argument)
{
    uint64_t at = hash_memo(what, n, argument) % (uint64_t)size;

    while (table[at].what != NULL
           && (table[at].what != what || table[at].n != n
               || memcmp(table[at].argument, argument, (size_t)n * sizeof *argument) != 0))
        at = (at + 1) % (uint64_t)size;
    return &table[at];
}

const rg_node *rg_memo_find(const builder *b, const symbol *what, int n, const rg_node *argument)
{
    if (b->memo_size == 0) return NULL;
    const memo_entry *entry = memo_place(b->memo, b->memo_size, what, n, argument);
    return entry->what != NULL ? &entry->value : NULL;
}

rg_status rg_memo_add(builder *b, const symbol *what, int n, const rg_node *argument, rg_node value)
{
    if (2 * (b->memo_used + 1) >= b->memo_size) {
        const int64_t size = b->memo_size > 0 ? 2 * b->memo_size : 16;
        memo_entry *table = rg_alloc(b->c->ctx, (size_t)size, sizeof *table);
        if (table == NULL) return RG_ERR_MEMORY;
        for (int64_t k = 0; k < b->memo_size; k++) {
            const memo_entry *e = &b->memo[k];
            if (e->what != NULL) *memo_place(table, size, e->what, e->n, e->argument) = *e;
        }
        rg_free(b->c->ctx, b->memo);
        b->memo = table;
        b->memo_size = size;
    }
    memo_entry *entry = memo_place(b->memo, b->memo_size, what, n, argument);
    entry->what = what;
    entry->n = n;
    if (n > 0) memcpy(entry->argument, argument, (size_t)n * sizeof *argument);
    entry->value = value;
    b->memo_used++;
    return RG_OK;
}
