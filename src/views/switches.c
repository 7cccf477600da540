/* Finds the places where equations are not smooth, and evaluates the functions whose signs tell
 * which branch the equations are on. */
#include "views/switches.h"

#include <math.h>
#include <string.h>

typedef struct { /* the functions found in one body */
    rg_context *ctx;
    const rg_body *body;
    rg_graph *graph; /* a copy of the body's, with differences of arguments added */
    rg_node *nodes;
    uint8_t *kinds;
    int64_t count, capacity, kind_capacity;
} collection;

static rg_status add(collection *c, rg_node node, uint8_t kind)
{
    const unsigned moving = RG_DEP_VAR | RG_DEP_TIME | RG_DEP_SUM;

    if (node < 0) return rg_graph_status(c->graph);
    if (!(rg_graph_at(c->graph, node)->depends & moving)) return RG_OK;
    for (int64_t k = 0; k < c->count; k++)
        if (c->nodes[k] == node && c->kinds[k] == kind) return RG_OK;
    RG_TRY(rg_grow(c->ctx, &c->nodes, c->count, &c->capacity, sizeof *c->nodes));
    RG_TRY(rg_grow(c->ctx, &c->kinds, c->count, &c->kind_capacity, sizeof *c->kinds));
    c->nodes[c->count] = node;
    c->kinds[c->count++] = kind;
    return RG_OK;
}

/* The function of one node, if it is a kink. */
static rg_status look_at(collection *c, rg_graph_node n)
{
    rg_graph *g = c->graph;

    switch (rg_op_kink((rg_op)n.op)) {
    case RG_KINK_SIGN:
        return add(c, n.a, RG_SWITCH_SIGN);
    case RG_KINK_EQUAL:
        return add(c, rg_graph_binary(g, RG_OP_SUB, n.a, n.b), RG_SWITCH_SIGN);
    case RG_KINK_LESS:
        return add(c, rg_graph_binary(g, RG_OP_SUB, n.a, n.b), RG_SWITCH_LESS);
    case RG_KINK_LESS_EQUAL:
        return add(c, rg_graph_binary(g, RG_OP_SUB, n.a, n.b), RG_SWITCH_LESS_EQUAL);
    case RG_KINK_FLOOR:
        return add(c, rg_graph_binary(g, RG_OP_DIV, n.a, n.b), RG_SWITCH_FLOOR);
    case RG_KINK_CONDITION:
        return rg_op_is_truth(rg_graph_at(g, n.a)->op) ? RG_OK : add(c, n.a, RG_SWITCH_SIGN);
    default:
        return RG_OK;
    }
}

/* Arguments have smaller numbers than the nodes that use them: one descending pass marks what is
 * used. */
static rg_status collect(collection *c)
{
    const int32_t size = rg_graph_size(c->graph);
    uint8_t *used = rg_alloc(c->ctx, (size_t)size + 1, 1);
    rg_status status = used == NULL ? RG_ERR_MEMORY : RG_OK;

    for (int k = 0; k < c->body->n_outputs && status == RG_OK; k++)
        used[c->body->outputs[k]] = 1;
    for (rg_node k = size - 1; k >= 0 && status == RG_OK; k--) {
        const rg_graph_node n = *rg_graph_at(c->graph, k);
        if (!used[k] || n.op < RG_OP_ADD) continue;
        if (n.a >= 0) used[n.a] = 1;
        if (n.b >= 0) used[n.b] = 1;
        if (n.c >= 0) used[n.c] = 1;
        status = look_at(c, n);
    }
    rg_free(c->ctx, used);
    return status;
}

typedef struct {
    rg_switches *s;
    rg_context *ctx;
    int64_t block_capacity, mode_capacity;
} maker;

/* A block of the shell: the body with other outputs; everything else is borrowed. */
static rg_status add_block(maker *m, const rg_body *body, collection *c)
{
    rg_problem *shell = m->s->shell;

    RG_TRY(rg_grow(m->ctx, &shell->blocks, shell->n_blocks, &m->block_capacity,
                   sizeof *shell->blocks));
    rg_body *copy = rg_alloc(m->ctx, 1, sizeof *copy);
    if (copy == NULL) return RG_ERR_MEMORY;
    *copy = *body;
    copy->outputs = c->nodes;
    copy->n_outputs = (int)c->count;
    copy->graph = c->graph;
    c->nodes = NULL;
    c->graph = NULL;
    shell->blocks[shell->n_blocks++] = (rg_block){copy, shell->n_rows, NULL};
    for (int64_t o = 0; o < c->count; o++)
        for (int64_t k = 0; k < body->count; k++) {
            RG_TRY(rg_grow(m->ctx, &m->s->kind, shell->n_rows, &m->mode_capacity, 1));
            m->s->kind[shell->n_rows++] = c->kinds[o];
        }
    return RG_OK;
}

/* The terms of sums are bodies too; their nesting is limited by the parser. */
static rg_status look_into(maker *m, const rg_body *body)
{
    collection c = {.ctx = m->ctx, .body = body};

    rg_status status = rg_graph_copy(m->ctx, body->graph, &c.graph);
    if (status == RG_OK) status = collect(&c);
    if (status == RG_OK && c.count > 0) status = add_block(m, body, &c);
    rg_graph_destroy(&c.graph);
    rg_free(m->ctx, c.nodes);
    rg_free(m->ctx, c.kinds);
    for (int32_t k = 0; k < body->n_sums && status == RG_OK; k++)
        for (int i = 0; i < body->sums[k].n_parts && status == RG_OK; i++)
            status = look_into(m, body->sums[k].parts[i]);
    return status;
}

static rg_status make_assembly(const rg_states *l, rg_switches *s)
{
    rg_problem *shell = s->shell;
    int32_t *row = rg_alloc(shell->ctx, (size_t)shell->n_rows + 1, sizeof *row);

    if (row == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < shell->n_rows; k++)
        row[k] = (int32_t)k;
    const int32_t *rows[] = {row};
    const rg_assembly_spec spec = {1,    l->n_orders,   2 * l->n_states,
                                   rows, shell->n_rows, (const int32_t *const *)l->column};
    const rg_status status = rg_assembly_create(shell, &spec, false, &s->values);
    rg_free(shell->ctx, row);
    return status;
}

rg_status rg_switches_init(const rg_problem *p, const rg_states *l, rg_switches *out)
{
    maker m = {.s = out, .ctx = p->ctx};

    memset(out, 0, sizeof *out);
    if ((out->shell = rg_alloc(p->ctx, 1, sizeof *out->shell)) == NULL) return RG_ERR_MEMORY;
    out->shell->ctx = p->ctx;
    out->shell->source = p->source;
    out->shell->n = p->n;
    out->shell->n_families = p->n_families;
    out->shell->families = p->families;
    for (int k = 0; k < p->n_blocks; k++) {
        RG_TRY(look_into(&m, p->blocks[k].body));
    }
    out->n = out->shell->n_rows;
    return out->n > 0 ? make_assembly(l, out) : RG_OK;
}

void rg_switches_clear(rg_context *ctx, rg_switches *s)
{
    rg_assembly_destroy(&s->values);
    for (int k = 0; s->shell != NULL && k < s->shell->n_blocks; k++) {
        rg_body *body = s->shell->blocks[k].body;
        rg_graph *graph = (rg_graph *)(uintptr_t)body->graph;
        rg_graph_destroy(&graph);
        rg_free(ctx, body->outputs);
        rg_free(ctx, body);
    }
    if (s->shell != NULL) rg_free(ctx, s->shell->blocks);
    rg_free(ctx, s->shell);
    rg_free(ctx, s->kind);
    memset(s, 0, sizeof *s);
}

double rg_switch_mode(const rg_switches *s, int64_t k, double value)
{
    switch (s->kind[k]) {
    case RG_SWITCH_FLOOR:
        return floor(value) + 0.5;
    case RG_SWITCH_LESS:
        return value < 0.0 ? -1.0 : 1.0;
    case RG_SWITCH_LESS_EQUAL:
        return value <= 0.0 ? -1.0 : 1.0;
    default:
        return value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : 0.0;
    }
}
