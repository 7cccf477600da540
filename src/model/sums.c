/* Sums and functions.
 *
 *     sum(i = a..b, j = c..d, expr)
 *
 * is a body of its own over the space (iterations around) x (i, j); its values are added up for
 * each iteration around.  It stays one loop, however long. */
#include "model/compiler.h"

#include <string.h>

typedef struct { /* one sum while its parts are made */
    const scope *outer;
    const rg_ast *term;
    rg_sum sum;
    int64_t capacity;
} sum_maker;

/* One part: the term, over a space in which every condition on indices is decided. */
static rg_status make_part(compiler *c, builder *b, const binding *loops, void *user)
{
    sum_maker *m = user;
    scope inner = *m->outer;

    inner.b = b;
    inner.names = loops;
    const rg_node term = rg_elaborate(&inner, m->term);
    if (term == RG_SPLIT) return RG_RETRY;
    if (term < 0) return RG_ERR_SYNTAX;
    const rg_graph_node *n = rg_graph_at(b->graph, term);
    if (n->op == RG_OP_CONST && n->value == 0.0) return RG_OK; /* adds nothing */
    b->body->outputs = rg_alloc(c->ctx, 1, sizeof *b->body->outputs);
    if (b->body->outputs == NULL) return RG_ERR_MEMORY;
    b->body->outputs[0] = term;
    b->body->n_outputs = 1;
    RG_TRY(rg_grow(c->ctx, &m->sum.parts, m->sum.n_parts, &m->capacity, sizeof *m->sum.parts));
    m->sum.parts[m->sum.n_parts++] = rg_builder_take(b);
    return RG_OK;
}

static void clear_sum(rg_context *ctx, rg_sum *sum)
{
    for (int k = 0; k < sum->n_parts; k++)
        rg_body_destroy(ctx, &sum->parts[k]);
    rg_free(ctx, sum->parts);
}

/* Adds the sum to the body around. */
static rg_node keep_sum(builder *b, rg_sum *sum)
{
    if (sum->n_parts == 0) {
        rg_free(b->c->ctx, sum->parts);
        return rg_graph_const(b->graph, 0.0);
    }
    if (rg_grow(b->c->ctx, &b->body->sums, b->body->n_sums, &b->sum_capacity, sizeof *b->body->sums)
        != RG_OK) {
        clear_sum(b->c->ctx, sum);
        return RG_BAD;
    }
    b->body->sums[b->body->n_sums] = *sum;
    return rg_graph_sum(b->graph, b->body->n_sums++, 0);
}

/* Indices and parameters only: the value is a number per iteration around, known now. */
static bool is_plain(const rg_sum *sum)
{
    for (int k = 0; k < sum->n_parts; k++) {
        const rg_body *part = sum->parts[k];
        const unsigned depends = rg_graph_at(part->graph, part->outputs[0])->depends;
        if (depends & (RG_DEP_VAR | RG_DEP_TIME | RG_DEP_SUM)) return false;
    }
    return true;
}

static rg_node plain_sum(builder *b, const rg_sum *sum)
{
    rg_context *ctx = b->c->ctx;
    const int64_t count = b->body->count;
    double *total = rg_alloc(ctx, (size_t)(count > 0 ? count : 1), sizeof *total), *values;
    bool is_constant = true;

    if (total == NULL) return RG_BAD;
    for (int k = 0; k < sum->n_parts; k++) {
        builder part = {.c = b->c, .body = sum->parts[k]};
        rg_status status = rg_graph_copy(ctx, part.body->graph, &part.graph);
        if (status == RG_OK) status = rg_builder_values(&part, part.body->outputs[0], &values);
        rg_graph_destroy(&part.graph);
        if (status != RG_OK) {
            rg_free(ctx, total);
            return RG_BAD;
        }
        for (int64_t i = 0; i < part.body->count; i++)
            total[rg_map_at(&part.body->outer, i)] += values[i];
        rg_free(ctx, values);
    }
    for (int64_t k = 1; k < count; k++)
        is_constant = is_constant && total[k] == total[0];
    if (!is_constant) return rg_builder_data(b, total);
    const rg_node node = rg_graph_const(b->graph, total[0]);
    rg_free(ctx, total);
    return node;
}

rg_node rg_elaborate_sum(const scope *s, const rg_ast *ast)
{
    compiler *c = s->b->c;
    sum_maker m = {
        s, ast->args[0], {0, NULL},
          0
    };
    place at = {s, {NULL}, 0};
    space around = {0}, all = {0};

    around.count = s->b->body->count;
    around.n_loops = s->b->body->n_loops;
    for (int k = 0; k < around.n_loops; k++)
        around.value[k] = s->b->body->data[k].values; /* lent */
    rg_status status = rg_extend_ranges(c, &at, &around, ast->n_ranges, ast->ranges, &all);
    if (status == RG_OK) status = rg_for_each_body(c, &at, &all, make_part, &m);
    rg_clear_space(c->ctx, &all);
    if (status != RG_OK) {
        clear_sum(c->ctx, &m.sum);
        return RG_BAD;
    }
    if (m.sum.n_parts > 0 && is_plain(&m.sum)) {
        const rg_node node = plain_sum(s->b, &m.sum);
        clear_sum(c->ctx, &m.sum);
        return node;
    }
    return keep_sum(s->b, &m.sum);
}

/* fun f(x, y) = expr: the expression with the arguments bound; the same arguments give the same
 * node. */
rg_node rg_elaborate_user(const scope *s, symbol *function, const rg_ast *ast)
{
    compiler *c = s->b->c;
    const rg_statement *st = function->statement;
    const int given = ast->n_args - 1;
    rg_node argument[RG_MAX_ARGUMENTS];
    binding bound[RG_MAX_ARGUMENTS];

    if (function->is_bad) return RG_BAD;
    if (function->position >= s->position) {
        rg_bad(c, ast->args[0]->span, "the function '%s' is used before its declaration",
               function->name);
        return rg_bad_remedy(c, "move its declaration up; a function cannot call itself");
    }
    if (given != st->n_ranges) {
        rg_bad(c, ast->span, "'%s' takes %d argument%s, not %d", function->name, st->n_ranges,
               st->n_ranges == 1 ? "" : "s", given);
        return rg_bad_remedy(c, "see its declaration");
    }
    for (int k = 0; k < given; k++)
        if ((argument[k] = rg_elaborate(s, ast->args[k + 1])) < 0) return argument[k];
    const rg_node *known = rg_memo_find(s->b, function, given, argument);
    if (known != NULL) return *known;
    scope inner = {s->b, NULL, function->position, s->allowed & (ALLOW_TIME | IN_INDEX),
                   "a function"};
    for (int k = 0; k < given; k++) {
        bound[k] = (binding){st->ranges[k].name, s->b, argument[k], inner.names};
        inner.names = &bound[k];
    }
    const int errors = c->n_errors;
    const rg_node value = rg_elaborate(&inner, st->right);
    if (value == RG_BAD && c->n_errors > errors) function->is_bad = true;
    if (value >= 0 && rg_memo_add(s->b, function, given, argument, value) != RG_OK) return RG_BAD;
    return value;
}
