/* Is a model linear in its unknowns?  Decided on the expression graphs, in one pass from the leaves
 * upwards.
 *
 * Every node gets a degree in the unknowns: 0, 1, or 2 for "not linear".  Sums take the largest of
 * their parts, products add, everything else that has an unknown inside is not linear: also
 * sign(x) or x > 0, whose derivatives vanish. */
#include "views/linear/linear.h"

#include <stdio.h>

enum { NOT_LINEAR = 2 };

typedef struct {
    uint8_t degree;  /* in the unknowns */
    bool has_time;   /* depends on t explicitly */
    bool has_top;    /* has a highest derivative below it */
    bool is_varying; /* ... with a coefficient that depends on t, or on unknowns */
} mark;

typedef struct {
    const rg_problem *p;
    rg_linearity *out;
} finder;

static rg_status mark_body(finder *f, const rg_body *body, mark **out);

static mark join(mark a, mark b)
{
    return (mark){a.degree > b.degree ? a.degree : b.degree, a.has_time || b.has_time,
                  a.has_top || b.has_top, a.is_varying || b.is_varying};
}

static mark product(mark a, mark b)
{
    mark c = join(a, b);
    const int degree = a.degree + b.degree;

    c.degree = (uint8_t)(degree < NOT_LINEAR ? degree : NOT_LINEAR);
    if ((a.has_top && (b.has_time || b.degree > 0)) || (b.has_top && (a.has_time || a.degree > 0)))
        c.is_varying = true;
    return c;
}

/* Anything else: not linear as soon as an unknown is inside. */
static mark other(mark a, mark b, mark c)
{
    mark all = join(join(a, b), c);

    if (all.degree > 0) all.degree = NOT_LINEAR;
    if (all.has_top) all.is_varying = true;
    return all;
}

static mark choice(mark condition, mark b, mark c)
{
    mark all = join(join(condition, b), c);

    if (condition.degree > 0) all.degree = NOT_LINEAR;
    if (all.has_top && (condition.has_time || condition.degree > 0)) all.is_varying = true;
    return all;
}

static mark leaf_of_variable(const finder *f, const rg_body *body, const rg_graph_node *node)
{
    bool is_top = false;

    for (int64_t k = 0; node->order > 0 && !is_top && k < body->count; k++)
        is_top = node->order >= rg_variable_order(f->p, rg_map_at(&body->slots[node->a].map, k));
    return (mark){1, false, is_top, false};
}

/* The parts of a sum have graphs of their own. */
static rg_status mark_sum(finder *f, const rg_sum *sum, mark *out)
{
    *out = (mark){0, false, false, false};
    for (int k = 0; k < sum->n_parts; k++) {
        mark *marks = NULL;
        RG_TRY(mark_body(f, sum->parts[k], &marks));
        *out = join(*out, marks[sum->parts[k]->outputs[0]]);
        rg_free(f->p->ctx, marks);
    }
    return RG_OK;
}

static mark mark_inner(const rg_graph_node *node, const mark *m, mark power)
{
    const mark none = {0, false, false, false};
    const mark a = node->a >= 0 ? m[node->a] : none, b = node->b >= 0 ? m[node->b] : none,
               c = node->c >= 0 ? m[node->c] : none;

    switch ((rg_op)node->op) {
    case RG_OP_ADD:
    case RG_OP_SUB:
        return join(a, b);
    case RG_OP_NEG:
        return a;
    case RG_OP_MUL:
        return product(a, b);
    case RG_OP_DIV:
        return b.degree > 0 ? other(a, b, none) : product(a, b);
    case RG_OP_IF:
        return choice(a, b, c);
    default:
        return other(a, b, join(c, power));
    }
}

/* Functions of t that are not smooth everywhere; a table is not at its nodes. */
static bool is_kink(const rg_graph_node *node, const mark *m)
{
    if (node->op == RG_OP_INTERVAL) return m[node->a].has_time;
    return rg_op_kink((rg_op)node->op) != RG_KINK_NONE
           && (m[node->a].has_time || (node->b >= 0 && m[node->b].has_time));
}

/* Arguments of a node always have smaller numbers than the node. */
static rg_status mark_body(finder *f, const rg_body *body, mark **out)
{
    const int32_t n = rg_graph_size(body->graph);
    mark *m = rg_alloc(f->p->ctx, (size_t)n + 1, sizeof *m);
    rg_status status = RG_OK;

    *out = m;
    if (m == NULL) return RG_ERR_MEMORY;
    for (int32_t k = 0; k < n && status == RG_OK; k++) {
        const rg_graph_node *node = rg_graph_at(body->graph, k);
        if (node->op == RG_OP_VAR)
            m[k] = leaf_of_variable(f, body, node);
        else if (node->op == RG_OP_SUM)
            status = mark_sum(f, &body->sums[node->a], &m[k]);
        else if (node->op == RG_OP_TIME)
            m[k].has_time = true;
        else if (node->op >= RG_OP_ADD)
            m[k] = mark_inner(node, m, m[k]);
        if (node->op >= RG_OP_ADD && is_kink(node, m)) f->out->has_kinks = true;
    }
    if (status == RG_OK) return RG_OK;
    rg_free(f->p->ctx, m);
    *out = NULL;
    return status;
}

/* ---- naming ---------------------------------------------------------------------------------- */

static const char *name_of(uint8_t op)
{
    return op == RG_OP_IF ? "the condition" : rg_op_name((rg_op)op);
}

/* The first unknown below a node, looked for in sums too. */
static void name_unknown(const finder *f, const rg_body *body, rg_node node, char *buffer, int size)
{
    enum { LEAVES = 32 };
    rg_node leaves[LEAVES];
    const int32_t n = rg_graph_leaves_once(f->p->ctx, body->graph, node, LEAVES, leaves);

    for (int32_t k = 0; k < n && k < LEAVES && buffer[0] == '\0'; k++) {
        const rg_graph_node *leaf = rg_graph_at(body->graph, leaves[k]);
        if (leaf->op == RG_OP_VAR)
            rg_variable_name(f->p, rg_map_at(&body->slots[leaf->a].map, 0), leaf->order, buffer,
                             size);
        for (int i = 0; leaf->op == RG_OP_SUM && i < body->sums[leaf->a].n_parts; i++)
            if (buffer[0] == '\0' && body->sums[leaf->a].parts[i]->count > 0)
                name_unknown(f, body->sums[leaf->a].parts[i],
                             body->sums[leaf->a].parts[i]->outputs[0], buffer, size);
    }
}

static bool is_culprit(const rg_graph_node *node, const mark *m, int32_t k)
{
    const int32_t args[] = {node->a, node->b, node->c};

    if (node->op < RG_OP_ADD || m[k].degree < NOT_LINEAR) return false;
    for (int i = 0; i < 3; i++)
        if (args[i] >= 0 && m[args[i]].degree == NOT_LINEAR) return false;
    return true;
}

/* The innermost node that is not linear below `from`; -1: it is in a sum. */
static int32_t find_culprit(const rg_body *body, const mark *m, int32_t from)
{
    for (;;) {
        const rg_graph_node *node = rg_graph_at(body->graph, from);
        const int32_t args[] = {node->a, node->b, node->c};
        int32_t next = -1;
        if (node->op < RG_OP_ADD) return -1;
        if (is_culprit(node, m, from)) return from;
        for (int i = 0; i < 3 && next < 0; i++)
            if (args[i] >= 0 && m[args[i]].degree == NOT_LINEAR) next = args[i];
        if (next < 0) return from;
        from = next;
    }
}

static void name_term(finder *f, const rg_body *body, const mark *m, int32_t output)
{
    char unknown[64] = "";
    const int32_t node = find_culprit(body, m, output);

    name_unknown(f, body, node >= 0 ? node : output, unknown, sizeof unknown);
    snprintf(f->out->term, sizeof f->out->term, "%s with '%s'",
             node >= 0 ? name_of(rg_graph_at(body->graph, node)->op) : "a sum", unknown);
}

/* ---- all equations --------------------------------------------------------------------------- */

static rg_status look_at(finder *f, int number, const rg_block *block, bool is_condition)
{
    rg_linearity *out = f->out;
    const rg_body *body = block->body;
    mark *m = NULL;

    if (body->count == 0) return RG_OK;
    RG_TRY(mark_body(f, body, &m));
    for (int o = 0; o < body->n_outputs; o++) {
        const mark *now = &m[body->outputs[o]];
        if (now->is_varying && !is_condition) out->is_varying = true;
        if (now->degree < NOT_LINEAR || !out->is_linear) continue;
        out->is_linear = false;
        out->block = number;
        out->output = o;
        out->in_condition = is_condition;
        name_term(f, body, m, body->outputs[o]);
    }
    rg_free(f->p->ctx, m);
    return RG_OK;
}

rg_status rg_linearity_find(const rg_problem *p, rg_linearity *out)
{
    finder f = {p, out};

    *out = (rg_linearity){.is_linear = true};
    for (int k = 0; k < p->n_blocks; k++)
        RG_TRY(look_at(&f, k, &p->blocks[k], false));
    for (int k = 0; k < p->n_conditions; k++)
        RG_TRY(look_at(&f, k, &p->conditions[k], true));
    return RG_OK;
}

rg_status rg_linearity_require(const rg_problem *p, const char *method, const char *remedy,
                               rg_linearity *out)
{
    int line = 0, column = 0;

    RG_TRY(rg_linearity_find(p, out));
    if (out->is_linear) return RG_OK;
    const rg_block *block = out->in_condition ? &p->conditions[out->block] : &p->blocks[out->block];
    const rg_span span = block->spans[out->output];
    rg_source_place(p->source, span.start, &line, &column);
    rg_fail(p->ctx, RG_ERR_METHOD, "'%s' needs a linear model, and line %d is not linear: %s",
            method, line, out->term);
    rg_fail_at(p->ctx, p->source, span);
    return rg_remedy(p->ctx, "%s", remedy);
}
