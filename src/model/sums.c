/* Sums, extrema and functions.
 *
 *     sum(i = a..b, j = c..d, expr)
 *
 * is a body of its own over the space (iterations around) x (i, j); its values are added up for
 * each iteration around.  It stays one loop, however long. */
#include "model/compiler.h"
#include "model/tuning.h"

#include <math.h>
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

/* Adds the values to the totals of the iterations around. */
static rg_status add_plain(compiler *c, const rg_sum *sum, double *total)
{
    double *values;

    for (int k = 0; k < sum->n_parts; k++) {
        builder part = {.c = c, .body = sum->parts[k]};
        rg_status status = rg_graph_copy(c->ctx, part.body->graph, &part.graph);
        if (status == RG_OK) status = rg_builder_values(&part, part.body->outputs[0], &values);
        rg_graph_destroy(&part.graph);
        if (status != RG_OK) return status;
        for (int64_t i = 0; i < part.body->count; i++)
            total[rg_map_at(&part.body->outer, i)] += values[i];
        rg_free(c->ctx, values);
    }
    return RG_OK;
}

static rg_node plain_sum(builder *b, const rg_sum *sum)
{
    rg_context *ctx = b->c->ctx;
    const int64_t count = b->body->count;
    double *total = rg_alloc(ctx, (size_t)(count > 0 ? count : 1), sizeof *total);
    bool is_constant = true;

    if (total == NULL) return RG_BAD;
    if (add_plain(b->c, sum, total) != RG_OK) {
        rg_free(ctx, total);
        return RG_BAD;
    }
    for (int64_t k = 1; k < count; k++)
        is_constant = is_constant && total[k] == total[0];
    if (!is_constant) return rg_builder_data(b, total);
    const rg_node node = rg_graph_const(b->graph, total[0]);
    rg_free(ctx, total);
    return node;
}

/* A long sum of numbers that are known now is added up piece by piece, in order, and never stored.
 * *node RG_SPLIT: it is none of these. */
static rg_status long_sum(const scope *s, const rg_ast *ast, const space *around, rg_node *node)
{
    compiler *c = s->b->c;
    double *low = NULL, *high = NULL, total = 0.0;
    rg_status status = RG_OK;

    *node = RG_SPLIT;
    if (ast->n_ranges != 1 || around->count != 1) return RG_OK;
    RG_TRY(rg_check_loop_name(c, &ast->ranges[0], s->names));
    RG_TRY(rg_range_values(s, &ast->ranges[0], &low, &high));
    const double first = low[0], last = high[0];
    rg_free(c->ctx, low);
    rg_free(c->ctx, high);
    if (last - first < RG_SUM_PIECE) return RG_OK;
    for (double from = first; from <= last && status == RG_OK; from += RG_SUM_PIECE) {
        const double to = fmin(last, from + RG_SUM_PIECE - 1.0);
        sum_maker m = {
            s, ast->args[0], {0, NULL},
              0
        };
        place at = {s, {ast->ranges[0].name}, 1};
        space piece = {0};
        if (rg_interrupted(c->ctx)) return rg_fail_loading(c->ctx);
        status = rg_extend_space(c->ctx, around, &from, &to, &piece);
        if (status == RG_OK) status = rg_for_each_body(c, &at, &piece, make_part, &m);
        rg_clear_space(c->ctx, &piece);
        const bool is_known = status == RG_OK && is_plain(&m.sum);
        if (is_known) status = add_plain(c, &m.sum, &total);
        clear_sum(c->ctx, &m.sum);
        if (status == RG_OK && !is_known) return RG_OK; /* it stays a sum */
    }
    if (status == RG_OK) *node = rg_graph_const(s->b->graph, total);
    return status;
}

rg_node rg_elaborate_sum(const scope *s, const rg_ast *ast)
{
    compiler *c = s->b->c;
    rg_node node;
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
    rg_status status = long_sum(s, ast, &around, &node);
    if (status != RG_OK) return RG_BAD;
    if (node != RG_SPLIT) return node;
    status = rg_extend_ranges(c, &at, &around, ast->n_ranges, ast->ranges, &all);
    if (status == RG_OK) status = rg_for_each_body(c, &at, &all, make_part, &m);
    rg_clear_space(c->ctx, &all);
    if (status != RG_OK) {
        clear_sum(c->ctx, &m.sum);
        return RG_BAD;
    }
    if (m.sum.n_parts > 0 && is_plain(&m.sum)) {
        node = plain_sum(s->b, &m.sum);
        clear_sum(c->ctx, &m.sum);
        return node;
    }
    return keep_sum(s->b, &m.sum);
}

/* ---- min and max over ranges ----------------------------------------------------------------- */

/* max(i = a..b, expr) is written out: a tree of the terms.  Where ranges differ from iteration to
 * iteration of the body, shorter ones repeat their last term, which changes nothing. */
typedef struct {
    const rg_ast *ast;
    rg_op op;
    rg_node *terms;
    int64_t count, capacity;
} extremum;

static rg_status add_terms(const scope *s, extremum *e, int depth);

/* The index low + k of every iteration, at most high. */
static rg_node index_node(builder *b, const double *low, const double *high, int64_t k)
{
    const int64_t count = b->body->count;
    double *values = rg_alloc(b->c->ctx, (size_t)count, sizeof *values);
    bool is_constant = true;

    if (values == NULL) return RG_BAD;
    for (int64_t i = 0; i < count; i++) {
        values[i] = fmin(low[i] + (double)k, high[i]);
        is_constant = is_constant && values[i] == values[0];
    }
    if (!is_constant) return rg_builder_data(b, values);
    const rg_node node = rg_graph_const(b->graph, values[0]);
    rg_free(b->c->ctx, values);
    return node;
}

/* Longest range; -1: one is empty. */
static double longest(int64_t count, const double *low, const double *high)
{
    double length = 0;

    for (int64_t i = 0; i < count; i++) {
        if (high[i] < low[i]) return -1;
        length = fmax(length, high[i] - low[i] + 1);
    }
    return length;
}

static rg_status refuse_range(compiler *c, const rg_ast_range *range, double length)
{
    if (length < 0) {
        rg_bad(c, range->span, "this range is empty: it has no smallest or largest value");
        rg_bad_remedy(c, "check its bounds, or put the call into if(...) on its indices");
    } else {
        rg_bad(c, range->span, "'min' and 'max' go over at most %g values", RG_MAX_TERMS);
        rg_bad_remedy(c, "choose smaller bounds");
    }
    return RG_ERR_SYNTAX;
}

/* The terms for one more range; RG_RETRY: the space must be split. */
static rg_status add_range(const scope *s, extremum *e, int depth)
{
    compiler *c = s->b->c;
    const rg_ast_range *range = &e->ast->ranges[depth];
    double *low = NULL, *high = NULL;

    RG_TRY(rg_check_loop_name(c, range, s->names));
    RG_TRY(rg_range_values(s, range, &low, &high));
    const double length = longest(s->b->body->count, low, high);
    rg_status status = RG_OK;
    if (length < 0 || length > RG_MAX_TERMS) status = refuse_range(c, range, length);
    for (int64_t k = 0; k < (int64_t)length && status == RG_OK; k++) {
        const binding index = {range->name, s->b, index_node(s->b, low, high, k), s->names};
        scope inner = *s;
        inner.names = &index;
        status = index.node < 0 ? RG_ERR_MEMORY : add_terms(&inner, e, depth + 1);
    }
    rg_free(c->ctx, low);
    rg_free(c->ctx, high);
    return status;
}

static rg_status add_terms(const scope *s, extremum *e, int depth)
{
    if (depth < e->ast->n_ranges) return add_range(s, e, depth);
    if ((double)e->count >= RG_MAX_TERMS)
        return refuse_range(s->b->c, &e->ast->ranges[depth - 1], (double)e->count);
    const rg_node term = rg_elaborate(s, e->ast->args[0]);
    if (term < 0) return term == RG_SPLIT ? RG_RETRY : RG_ERR_SYNTAX;
    RG_TRY(rg_grow(s->b->c->ctx, &e->terms, e->count, &e->capacity, sizeof *e->terms));
    e->terms[e->count++] = term;
    return RG_OK;
}

rg_node rg_elaborate_extremum(const scope *s, const rg_ast *ast)
{
    extremum e = {.ast = ast, .op = ast->op == 'n' ? RG_OP_MIN : RG_OP_MAX};
    const rg_status status = add_terms(s, &e, 0);
    rg_node node = status == (rg_status)RG_RETRY ? RG_SPLIT : RG_BAD;

    for (int64_t step = 1; step < e.count && status == RG_OK; step *= 2) /* pairs, pairs of pairs */
        for (int64_t k = 0; k + step < e.count && e.terms[k] >= 0; k += 2 * step)
            e.terms[k] = rg_graph_binary(s->b->graph, e.op, e.terms[k], e.terms[k + step]);
    if (status == RG_OK) node = e.terms[0];
    rg_free(s->b->c->ctx, e.terms);
    return node;
}

/* ---- functions ------------------------------------------------------------------------------- */

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
    scope inner = {s->b, NULL, function->position,
                   s->allowed & (ALLOW_UNKNOWN | ALLOW_TIME | ALLOW_POINT | IN_INDEX),
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
