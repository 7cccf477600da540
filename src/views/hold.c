/* Finds the places where equations are not smooth and writes the equations with a held branch at
 * each of them. */
#include "views/hold.h"
#include "views/tuning.h"

#include "base/vector.h"
#include "expr/table.h"

#include <string.h>

enum { MOVES = RG_DEP_VAR | RG_DEP_TIME | RG_DEP_SUM };

typedef struct { /* one body being written anew */
    rg_context *ctx;
    const rg_body *body;
    rg_graph *graph;   /* a copy of the body's, with new nodes added */
    unsigned switched; /* RG_DEP_* of what is written anew */
    rg_node *renewed;  /* per old node */
    rg_node *nodes;    /* the functions */
    uint8_t *kinds, *jumps;
    int64_t count, capacity, kind_capacity, jump_capacity;
} rewriter;

/* ---- expressions ----------------------------------------------------------------------------- */

static rg_node number(rewriter *w, double value)
{
    return rg_graph_const(w->graph, value);
}

static rg_node sub(rewriter *w, rg_node a, rg_node b)
{
    return rg_graph_binary(w->graph, RG_OP_SUB, a, b);
}

static rg_node mul(rewriter *w, rg_node a, rg_node b)
{
    return rg_graph_binary(w->graph, RG_OP_MUL, a, b);
}

/* The branch mu of a function; equal ones in a body are one, but those of jumps and of kinks: the
 * branches of abs(x) join at 0, beside sign(x) too. */
static rg_node branch(rewriter *w, rg_node function, uint8_t kind, bool jumps)
{
    int64_t k = 0;

    if (function < 0) return -1;
    while (k < w->count && (w->nodes[k] != function || w->kinds[k] != kind || w->jumps[k] != jumps))
        k++;
    if (k == w->count) {
        if (rg_grow(w->ctx, &w->nodes, k, &w->capacity, sizeof *w->nodes) != RG_OK
            || rg_grow(w->ctx, &w->kinds, k, &w->kind_capacity, 1) != RG_OK
            || rg_grow(w->ctx, &w->jumps, k, &w->jump_capacity, 1) != RG_OK)
            return -1;
        w->nodes[k] = function;
        w->kinds[k] = kind;
        w->jumps[k] = jumps;
        w->count++;
    }
    return rg_graph_var(w->graph, w->body->n_slots + (int32_t)k, 0);
}

/* (1 + mu)/2 of a - b */
static rg_node weight(rewriter *w, rg_node a, rg_node b, uint8_t kind, bool jumps)
{
    const rg_node mu = branch(w, sub(w, a, b), kind, jumps);
    const rg_node twice = rg_graph_binary(w->graph, RG_OP_ADD, number(w, 1), mu);

    return mul(w, number(w, 0.5), twice);
}

static rg_node opposite(rewriter *w, rg_node truth)
{
    return sub(w, number(w, 1), truth);
}

/* The number 1 or 0 (or between, while sliding) of a condition. */
static rg_node truth_of(rewriter *w, rg_node old)
{
    const rg_graph_node n = *rg_graph_at(w->graph, old);
    const rg_node a = w->renewed[old];

    if (rg_op_is_truth(n.op)) return a;
    return rg_graph_binary(w->graph, RG_OP_NE, a, number(w, 0));
}

static rg_node copy_node(rewriter *w, const rg_graph_node *n)
{
    const rg_node b = n->b >= 0 ? w->renewed[n->b] : -1, c = n->c >= 0 ? w->renewed[n->c] : -1;

    return rg_graph_again(w->graph, n, (rg_node[]){w->renewed[n->a], b, c});
}

/* The segment of a table that an argument lies in. */
static rg_node segment(rewriter *w, const rg_table *table, rg_node a)
{
    const rg_node position = rg_graph_table(w->graph, RG_OP_POSITION, 0, table, a, -1);

    return branch(w, position, RG_SWITCH_FLOOR, table->jumps);
}

/* A table that jumps.  While it slides between the pieces N - 1 and N, its branch is
 * N - 1/2 + RG_SLIDE_SEGMENT mu/2, and mu, which may be beyond -1 and 1, counts. */
static rg_node held_piece(rewriter *w, const rg_graph_node *n)
{
    rg_graph *g = w->graph;
    const rg_node a = w->renewed[n->a], mu = w->renewed[n->b];
    const rg_node part = rg_graph_binary(g, RG_OP_MOD, mu, number(w, 1)), low = sub(w, mu, part);
    const rg_node high = rg_graph_binary(g, RG_OP_ADD, low, number(w, 1));
    const rg_node scaled = mul(w, number(w, 1.0 / RG_SLIDE_SEGMENT), sub(w, part, number(w, 0.5)));
    const rg_node inside = rg_graph_binary(g, RG_OP_ADD, number(w, 0.5), scaled);
    const rg_node is_inside = rg_graph_binary(g, RG_OP_NE, part, number(w, 0));

    return rg_graph_blend(g, rg_graph_if(g, is_inside, inside, number(w, 0)),
                          rg_graph_table(g, RG_OP_PIECE, n->order, n->table, a, high),
                          rg_graph_table(g, RG_OP_PIECE, n->order, n->table, a, low));
}

static bool is_stairs(const rewriter *w, const rg_graph_node *n)
{
    return n->op == RG_OP_PIECE && n->table->jumps && w->renewed[n->b] != n->b
           && (rg_graph_at(w->graph, n->a)->depends & (RG_DEP_VAR | RG_DEP_SUM));
}

/* An operation on arguments that move. */
static rg_node held_node(rewriter *w, const rg_graph_node *n)
{
    const rg_node a = w->renewed[n->a], b = n->b >= 0 ? w->renewed[n->b] : -1;

    switch ((rg_op)n->op) {
    case RG_OP_ABS:
        return mul(w, branch(w, a, RG_SWITCH_SIGN, false), a);
    case RG_OP_SIGN:
        return branch(w, a, RG_SWITCH_SIGN, true);
    case RG_OP_MAX:
        return rg_graph_blend(w->graph, weight(w, a, b, RG_SWITCH_SIGN, false), a, b);
    case RG_OP_MIN:
        return rg_graph_blend(w->graph, weight(w, a, b, RG_SWITCH_SIGN, false), b, a);
    case RG_OP_MOD: {
        const rg_node quotient = rg_graph_binary(w->graph, RG_OP_DIV, a, b);
        return sub(w, a, mul(w, branch(w, quotient, RG_SWITCH_FLOOR, true), b));
    }
    case RG_OP_SEGMENT:
    case RG_OP_INTERVAL:
        return segment(w, n->table, a);
    case RG_OP_LT:
        return opposite(w, weight(w, a, b, RG_SWITCH_LESS, true));
    case RG_OP_LE:
        return opposite(w, weight(w, a, b, RG_SWITCH_LESS_EQUAL, true));
    case RG_OP_AND:
        return mul(w, truth_of(w, n->a), truth_of(w, n->b));
    case RG_OP_OR:
        return opposite(w, mul(w, opposite(w, truth_of(w, n->a)), opposite(w, truth_of(w, n->b))));
    case RG_OP_NOT:
        return opposite(w, truth_of(w, n->a));
    case RG_OP_IF:
        return rg_graph_blend(w->graph, truth_of(w, n->a), b, w->renewed[n->c]);
    default:
        return copy_node(w, n);
    }
}

/* A kink is where the arguments of the node, or the condition of `if`, move. */
static bool is_kink(const rewriter *w, const rg_graph_node *n)
{
    unsigned depends = rg_graph_at(w->graph, n->a)->depends;

    if (n->op == RG_OP_INTERVAL)
        return (w->switched & RG_DEP_NODES) && rg_graph_at(w->graph, n->a)->op == RG_OP_TIME;
    if (rg_op_kink((rg_op)n->op) == RG_KINK_NONE) return false;
    if (n->op != RG_OP_IF && n->b >= 0) depends |= rg_graph_at(w->graph, n->b)->depends;
    return (depends & MOVES) != 0;
}

/* Arguments have smaller numbers than the nodes that use them: one descending pass marks what is
 * used, an ascending one writes it anew. */
static rg_status rewrite(rewriter *w)
{
    const int32_t size = rg_graph_size(w->graph);
    uint8_t *used = rg_alloc(w->ctx, (size_t)size + 1, 1);

    w->renewed = rg_alloc(w->ctx, (size_t)size + 1, sizeof *w->renewed);
    rg_status status = used == NULL || w->renewed == NULL ? RG_ERR_MEMORY : RG_OK;
    for (int k = 0; k < w->body->n_outputs && status == RG_OK; k++)
        used[w->body->outputs[k]] = 1;
    for (rg_node k = size - 1; k >= 0 && status == RG_OK; k--) {
        const rg_graph_node n = *rg_graph_at(w->graph, k);
        if (!used[k] || n.op < RG_OP_ADD) continue;
        if (n.a >= 0) used[n.a] = 1;
        if (n.b >= 0) used[n.b] = 1;
        if (n.c >= 0) used[n.c] = 1;
    }
    for (rg_node k = 0; k < size && status == RG_OK; k++) {
        const rg_graph_node n = *rg_graph_at(w->graph, k);
        w->renewed[k] = k;
        if (!used[k] || n.op < RG_OP_ADD || !(n.depends & w->switched)) continue;
        w->renewed[k] = is_stairs(w, &n) ? held_piece(w, &n)
                        : is_kink(w, &n) ? held_node(w, &n)
                                         : copy_node(w, &n);
        if (w->renewed[k] < 0) status = rg_graph_status(w->graph);
        if (w->renewed[k] < 0 && status == RG_OK) status = RG_ERR_MEMORY;
    }
    rg_free(w->ctx, used);
    return status;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

typedef struct {
    rg_switches *s;
    rg_context *ctx;
    int64_t n; /* unknowns of the model */
    int64_t block_capacity, mode_capacity, jump_capacity, nodes_capacity;
} maker;

static rg_switch_nodes nodes_of(const rg_graph *graph, rg_node function)
{
    const rg_graph_node *n = rg_graph_at(graph, function);

    if (n->op != RG_OP_POSITION) return (rg_switch_nodes){0, NULL};
    const bool is_clock = rg_graph_at(graph, n->a)->op == RG_OP_TIME;
    return (rg_switch_nodes){n->table->grid, is_clock ? n->table : NULL};
}

/* A block of the auxiliary: the held body with the functions as outputs. */
static rg_status add_block(maker *m, const rg_body *held, rewriter *w)
{
    rg_problem *auxiliary = m->s->auxiliary;

    RG_TRY(rg_grow(m->ctx, &auxiliary->blocks, auxiliary->n_blocks, &m->block_capacity,
                   sizeof *auxiliary->blocks));
    rg_body *copy = rg_alloc(m->ctx, 1, sizeof *copy);
    if (copy == NULL) return RG_ERR_MEMORY;
    *copy = *held;
    copy->outputs = w->nodes;
    copy->n_outputs = (int)w->count;
    w->nodes = NULL;
    auxiliary->blocks[auxiliary->n_blocks++] = (rg_block){copy, auxiliary->n_rows, NULL};
    for (int64_t o = 0; o < w->count; o++)
        for (int64_t k = 0; k < held->count; k++) {
            RG_TRY(rg_grow(m->ctx, &m->s->kind, auxiliary->n_rows, &m->mode_capacity, 1));
            RG_TRY(rg_grow(m->ctx, &m->s->jumps, auxiliary->n_rows, &m->jump_capacity, 1));
            RG_TRY(rg_grow(m->ctx, &m->s->nodes, auxiliary->n_rows, &m->nodes_capacity,
                           sizeof *m->s->nodes));
            m->s->kind[auxiliary->n_rows] = w->kinds[o];
            m->s->nodes[auxiliary->n_rows] = nodes_of(held->graph, copy->outputs[o]);
            m->s->jumps[auxiliary->n_rows++] = w->jumps[o];
        }
    return RG_OK;
}

/* The slots of the body, and one per function: mu of iteration k is an unknown. */
static rg_status add_slots(maker *m, rg_body *held, const rewriter *w)
{
    rg_slot *slots = rg_alloc(m->ctx, (size_t)held->n_slots + (size_t)w->count + 1, sizeof *slots);

    if (slots == NULL) return RG_ERR_MEMORY;
    if (held->n_slots > 0) memcpy(slots, held->slots, (size_t)held->n_slots * sizeof *slots);
    for (int64_t o = 0; o < w->count; o++)
        slots[held->n_slots + o] = (rg_slot){
            .family = m->s->held->n_families - 1,
            .map = {m->n + m->s->auxiliary->n_rows + o * held->count, 1, NULL},
            .point = -1
        };
    held->slots = slots;
    held->n_slots += (int32_t)w->count;
    return RG_OK;
}

static rg_status hold_body(maker *m, const rg_body *body, rg_body **out);

/* The terms of sums are bodies too; their nesting is limited by the parser. */
static rg_status hold_sums(maker *m, rg_body *held)
{
    const rg_sum *from = held->sums;

    held->sums = NULL;
    if (held->n_sums == 0) return RG_OK;
    held->sums = rg_alloc(m->ctx, (size_t)held->n_sums, sizeof *held->sums);
    if (held->sums == NULL) return RG_ERR_MEMORY;
    for (int32_t k = 0; k < held->n_sums; k++) {
        rg_sum *sum = &held->sums[k];
        sum->parts = rg_alloc(m->ctx, (size_t)from[k].n_parts + 1, sizeof(rg_body *));
        if (sum->parts == NULL) return RG_ERR_MEMORY;
        sum->n_parts = from[k].n_parts;
        for (int i = 0; i < sum->n_parts; i++)
            RG_TRY(hold_body(m, from[k].parts[i], &sum->parts[i]));
    }
    return RG_OK;
}

static rg_status fill_body(maker *m, rg_body *held, rewriter *w)
{
    RG_TRY(rg_graph_copy(m->ctx, w->body->graph, &w->graph));
    held->graph = w->graph;
    held->outputs = rg_alloc(m->ctx, (size_t)held->n_outputs + 1, sizeof *held->outputs);
    if (held->outputs == NULL) return RG_ERR_MEMORY;
    RG_TRY(rewrite(w));
    for (int o = 0; o < held->n_outputs; o++)
        held->outputs[o] = w->renewed[w->body->outputs[o]];
    RG_TRY(add_slots(m, held, w));
    const int block = m->s->auxiliary->n_blocks; /* its functions have the numbers of the slots */
    if (w->count > 0) RG_TRY(add_block(m, held, w));
    RG_TRY(hold_sums(m, held));
    if (w->count > 0) m->s->auxiliary->blocks[block].body->sums = held->sums;
    return RG_OK;
}

/* *out is there in any case, for the release. */
static rg_status hold_body(maker *m, const rg_body *body, rg_body **out)
{
    rewriter w = {.ctx = m->ctx, .body = body, .switched = rg_problem_switched(m->s->held)};
    rg_body *held = *out = rg_alloc(m->ctx, 1, sizeof *held);

    if (held == NULL) return RG_ERR_MEMORY;
    *held = *body;
    held->graph = NULL;
    held->outputs = NULL;
    const rg_status status = fill_body(m, held, &w);
    if (held->slots == body->slots) held->slots = NULL;
    if (held->sums == body->sums) held->sums = NULL;
    rg_free(m->ctx, w.renewed);
    rg_free(m->ctx, w.nodes);
    rg_free(m->ctx, w.kinds);
    rg_free(m->ctx, w.jumps);
    return status;
}

static void clear_body(rg_context *ctx, rg_body *held)
{
    if (held == NULL) return;
    for (int32_t k = 0; held->sums != NULL && k < held->n_sums; k++) {
        for (int i = 0; held->sums[k].parts != NULL && i < held->sums[k].n_parts; i++)
            clear_body(ctx, held->sums[k].parts[i]);
        rg_free(ctx, held->sums[k].parts);
    }
    rg_graph *graph = (rg_graph *)(uintptr_t)held->graph;
    rg_graph_destroy(&graph);
    rg_free(ctx, held->sums);
    rg_free(ctx, held->slots);
    rg_free(ctx, held->outputs);
    rg_free(ctx, held);
}

/* ---- the problem with branches --------------------------------------------------------------- */

static rg_problem *borrow(const rg_problem *p, int n_blocks)
{
    rg_problem *copy = rg_alloc(p->ctx, 1, sizeof *copy);

    if (copy == NULL) return NULL;
    *copy = *p;
    copy->order = NULL;
    copy->n_blocks = 0;
    copy->blocks = rg_alloc(p->ctx, (size_t)n_blocks + 1, sizeof *copy->blocks);
    copy->families = rg_alloc(p->ctx, (size_t)p->n_families + 1, sizeof *copy->families);
    if (copy->families != NULL) {
        memcpy(copy->families, p->families, (size_t)p->n_families * sizeof *p->families);
        copy->families[p->n_families] = (rg_family){.name = "branch", .first = p->n, .count = 0};
        copy->n_families++;
    }
    return copy;
}

rg_status rg_switches_hold(const rg_problem *p, rg_switches *s)
{
    maker m = {.s = s, .ctx = p->ctx, .n = p->n};

    if ((s->held = borrow(p, p->n_blocks)) == NULL) return RG_ERR_MEMORY;
    if (s->held->blocks == NULL || s->held->families == NULL) return RG_ERR_MEMORY;
    if ((s->auxiliary = rg_alloc(p->ctx, 1, sizeof *s->auxiliary)) == NULL) return RG_ERR_MEMORY;
    s->auxiliary->ctx = p->ctx;
    s->auxiliary->source = p->source;
    s->auxiliary->n_families = s->held->n_families;
    s->auxiliary->families = s->held->families;
    for (int k = 0; k < p->n_blocks; k++) {
        rg_block *block = &s->held->blocks[s->held->n_blocks++];
        *block = p->blocks[k];
        block->body = NULL;
        RG_TRY(hold_body(&m, p->blocks[k].body, &block->body));
    }
    s->n = s->auxiliary->n_rows;
    s->held->n = s->auxiliary->n = p->n + s->n;
    s->held->families[s->held->n_families - 1].count = s->n;
    s->held->order = rg_alloc(p->ctx, (size_t)s->held->n + 1, sizeof *s->held->order);
    if (s->held->order == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < p->n; j++)
        s->held->order[j] = (uint8_t)rg_variable_order(p, j);
    return RG_OK;
}

void rg_switches_release(rg_context *ctx, rg_switches *s)
{
    for (int k = 0; s->auxiliary != NULL && k < s->auxiliary->n_blocks; k++) {
        rg_free(ctx, s->auxiliary->blocks[k].body->outputs);
        rg_free(ctx, s->auxiliary->blocks[k].body);
    }
    if (s->auxiliary != NULL) rg_free(ctx, s->auxiliary->blocks);
    for (int k = 0; s->held != NULL && s->held->blocks != NULL && k < s->held->n_blocks; k++)
        clear_body(ctx, s->held->blocks[k].body);
    if (s->held != NULL) {
        rg_free(ctx, s->held->blocks);
        rg_free(ctx, s->held->families);
        rg_free(ctx, s->held->order);
    }
    rg_free(ctx, s->held);
    rg_free(ctx, s->auxiliary);
    rg_free(ctx, s->kind);
    rg_free(ctx, s->jumps);
    rg_free(ctx, s->nodes);
}
