/* Equations and conditions -> blocks. */
#include "model/compiler.h"

/* ---- walking the statements, `for` by `for` -------------------------------------------------- */
typedef struct {
    compiler *c;
    rg_statement_kind kind;
    bool in_order; /* one by one as in the text, not all of a level together */
    group_fn *group;
} walker;

/* Is there a statement of this kind in the `for`?  The depth of nesting is limited by the
 * parser. */
static bool contains(const rg_statement *st, rg_statement_kind kind)
{
    for (int k = 0; k < st->n_body; k++)
        if (st->body[k]->kind == kind || contains(st->body[k], kind)) return true;
    return false;
}

static rg_status walk_list(const walker *w, int n, rg_statement *const *list, const place *at,
                           const space *s);

static rg_status walk_for(const walker *w, const rg_statement *st, const place *at, const space *s)
{
    place inside = *at;
    space all = {0};

    if (!contains(st, w->kind)) return RG_OK;
    rg_status status = rg_extend_ranges(w->c, &inside, s, st->n_ranges, st->ranges, &all);
    if (status == RG_OK)
        status = walk_list(w, st->n_body, st->body, &inside, &all);
    else if (status != RG_ERR_MEMORY)
        status = RG_OK; /* recorded; go on */
    rg_clear_space(w->c->ctx, &all);
    return status;
}

static rg_status walk_together(const walker *w, int n, rg_statement *const *list, const place *at,
                               const space *s)
{
    const rg_statement **found = rg_alloc(w->c->ctx, (size_t)n + 1, sizeof *found);
    int count = 0;

    if (found == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < n; k++)
        if (list[k]->kind == w->kind) found[count++] = list[k];
    const rg_status status = count > 0 ? w->group(w->c, at, s, count, found) : RG_OK;
    rg_free(w->c->ctx, found);
    return status;
}

static rg_status walk_list(const walker *w, int n, rg_statement *const *list, const place *at,
                           const space *s)
{
    rg_status status = w->in_order ? RG_OK : walk_together(w, n, list, at, s);

    for (int k = 0; k < n && status == RG_OK; k++) {
        const rg_statement *st = list[k];
        if (st->kind == RG_STATEMENT_FOR)
            status = walk_for(w, st, at, s);
        else if (st->kind == w->kind && w->in_order)
            status = w->group(w->c, at, s, 1, &st);
    }
    return status;
}

rg_status rg_walk_statements(compiler *c, rg_statement_kind kind, group_fn *group)
{
    const bool in_order = kind == RG_STATEMENT_OUTPUT || kind == RG_STATEMENT_EXACT
                          || kind == RG_STATEMENT_START || kind == RG_STATEMENT_DRAW
                          || kind == RG_STATEMENT_WHEN || kind == RG_STATEMENT_EVERY;
    const walker w = {c, kind, in_order, group};
    const space one = {.count = 1};
    const place top = {NULL, {NULL}, 0};

    return walk_list(&w, c->model->n_statements, c->model->statements, &top, &one);
}

/* ---- one body of equations ------------------------------------------------------------------- */
typedef struct {
    int n;
    const rg_statement *const *list;
    unsigned allowed;
    const char *what;
    bool is_condition;
} equation_group;

/* left - right as a node. */
static rg_node residual(const scope *s, const rg_statement *st)
{
    const rg_node left = rg_elaborate(s, st->left);
    if (left == RG_SPLIT) return left;
    const rg_node right = rg_elaborate(s, st->right);
    if (left < 0 || right < 0) return right == RG_SPLIT ? right : RG_BAD;
    return rg_graph_binary(s->b->graph, RG_OP_SUB, left, right);
}

static rg_status add_block(compiler *c, builder *b, rg_span *spans, bool is_condition)
{
    rg_problem *p = c->p;

    if (is_condition) {
        RG_TRY(rg_grow(c->ctx, &p->conditions, p->n_conditions, &c->condition_capacity,
                       sizeof *p->conditions));
        p->conditions[p->n_conditions++] = (rg_block){rg_builder_take(b), 0, spans};
        return RG_OK;
    }
    RG_TRY(rg_grow(c->ctx, &p->blocks, p->n_blocks, &c->block_capacity, sizeof *p->blocks));
    const int64_t rows = b->body->count * b->body->n_outputs;
    p->blocks[p->n_blocks++] = (rg_block){rg_builder_take(b), p->n_rows, spans};
    p->n_rows += rows;
    return RG_OK;
}

/* The indices of element i of a family. */
static void element_index(builder *b, const rg_family *f, int64_t i, rg_node *index)
{
    for (int k = f->n_dims - 1; k >= 0; k--) {
        index[k] = rg_graph_const(b->graph, (double)(f->low[k] + i % f->extent[k]));
        i /= f->extent[k];
    }
}

/* Unknown constants, and states between events, obey x' = 0. */
static rg_status add_constants(compiler *c, builder *b, rg_span *spans)
{
    for (int k = 0; k < c->p->n_families; k++) {
        const rg_family *f = &c->p->families[k];
        const rg_ast where = {.kind = RG_AST_NAME, .span = f->span};
        rg_node index[RG_MAX_DIMS] = {RG_BAD, RG_BAD, RG_BAD};
        for (int64_t i = 0; i < f->count && f->is_constant; i++) {
            element_index(b, f, i, index);
            const rg_node node = rg_builder_var(b, k, 1, -1, index, &where);
            if (node < 0) return RG_ERR_SYNTAX;
            spans[b->body->n_outputs] = f->span;
            b->body->outputs[b->body->n_outputs++] = node;
        }
    }
    return RG_OK;
}

static rg_status fill_outputs(compiler *c, builder *b, const scope *s, const equation_group *g,
                              rg_span *spans)
{
    rg_status status = RG_OK;

    for (int k = 0; k < g->n; k++) {
        const rg_node node = residual(s, g->list[k]);
        if (node == RG_SPLIT) return RG_RETRY;
        if (node < 0) {
            status = RG_ERR_SYNTAX;
            if (c->n_errors >= RG_MODEL_ERRORS) break;
            continue;
        }
        spans[b->body->n_outputs] = g->list[k]->span;
        b->body->outputs[b->body->n_outputs++] = node;
    }
    return status;
}

static rg_status make_equations(compiler *c, builder *b, const binding *loops, void *user)
{
    const equation_group *g = user;
    const scope s = {b, loops, INT32_MAX, g->allowed, g->what};
    const size_t room = (size_t)g->n + (size_t)c->p->n_families + (size_t)c->p->n_states + 1;
    rg_span *spans = rg_alloc(c->ctx, room, sizeof *spans);

    b->body->outputs = rg_alloc(c->ctx, room, sizeof *b->body->outputs);
    rg_status status = spans == NULL || b->body->outputs == NULL ? RG_ERR_MEMORY : RG_OK;
    if (status == RG_OK && loops == NULL && !g->is_condition) { /* every let is looked at once */
        for (int64_t k = 0; k < c->n_symbols; k++)
            if (c->symbols[k].kind == SYM_LET && c->symbols[k].n_dims == 0)
                rg_let_value(&s, &c->symbols[k], NULL);
    }
    if (status == RG_OK) status = fill_outputs(c, b, &s, g, spans);
    if (status == RG_OK && loops == NULL && !g->is_condition) status = add_constants(c, b, spans);
    if (status == RG_OK && rg_graph_status(b->graph) != RG_OK) status = rg_graph_status(b->graph);
    if (status == RG_OK && b->body->n_outputs > 0) {
        status = add_block(c, b, spans, g->is_condition);
        if (status == RG_OK) spans = NULL;
    }
    rg_free(c->ctx, spans);
    return status;
}

static rg_status equations_group(compiler *c, const place *at, const space *s, int n,
                                 const rg_statement *const *list)
{
    equation_group g = {n, list, ALLOW_UNKNOWN | ALLOW_TIME, "an equation", false};
    const rg_status status = rg_for_each_body(c, at, s, make_equations, &g);

    return status == RG_ERR_SYNTAX ? RG_OK : status; /* recorded; look at the rest */
}

static rg_status conditions_group(compiler *c, const place *at, const space *s, int n,
                                  const rg_statement *const *list)
{
    equation_group g = {n, list, ALLOW_UNKNOWN | ALLOW_POINT, "a boundary condition", true};
    const rg_status status = rg_for_each_body(c, at, s, make_equations, &g);

    return status == RG_ERR_SYNTAX ? RG_OK : status;
}

/* ---- highest derivatives --------------------------------------------------------------------- */
static void raise_order(rg_problem *p, const rg_body *body, int32_t slot, int order)
{
    const rg_slot *s = &body->slots[slot];
    rg_family *f = &p->families[s->family];

    if (order > f->order) f->order = order;
    if (order > p->max_order) p->max_order = order;
    for (int64_t k = 0; order > 0 && order < RG_MAX_ORDER && k < body->count; k++) {
        uint8_t *own = &p->order[rg_map_at(&s->map, k)];
        if (order > *own) *own = (uint8_t)order;
    }
}

static rg_status raise_orders(compiler *c, const rg_body *body, int extra)
{
    rg_problem *p = c->p;
    rg_graph *g = NULL;
    rg_status status = rg_graph_copy(c->ctx, body->graph, &g);

    for (int o = 0; o < body->n_outputs && status == RG_OK; o++) {
        const int32_t n = rg_graph_leaves(g, body->outputs[o], 0, NULL);
        rg_node *leaves = rg_alloc(c->ctx, (size_t)n + 1, sizeof *leaves);
        if (leaves == NULL) status = RG_ERR_MEMORY;
        if (status == RG_OK) rg_graph_leaves(g, body->outputs[o], n, leaves);
        if (status == RG_OK) status = rg_graph_status(g);
        for (int32_t k = 0; k < n && status == RG_OK; k++) {
            const rg_graph_node *leaf = rg_graph_at(g, leaves[k]);
            if (leaf->op == RG_OP_SUM) {
                const rg_sum *sum = &body->sums[leaf->a];
                for (int i = 0; i < sum->n_parts && status == RG_OK; i++)
                    status = raise_orders(c, sum->parts[i], extra + leaf->order);
                continue;
            }
            raise_order(p, body, leaf->a, leaf->order + extra);
        }
        rg_free(c->ctx, leaves);
    }
    rg_graph_destroy(&g);
    return status;
}

/* The derivatives that results show beside the unknowns: x' where x'' is written. */
static rg_status list_lower(compiler *c)
{
    rg_problem *p = c->p;
    int64_t count = 0;

    for (int64_t j = 0; j < p->n; j++)
        if (p->order[j] > 1) count += p->order[j] - 1;
    p->lower = rg_alloc(c->ctx, (size_t)count + 1, sizeof *p->lower);
    if (p->lower == NULL) return RG_ERR_MEMORY;
    for (int r = 1; p->n_lower < count; r++)
        for (int64_t j = 0; j < p->n; j++)
            if (p->order[j] > r) p->lower[p->n_lower++] = (rg_derivative){j, r};
    return RG_OK;
}

static bool has_top_equation(const compiler *c)
{
    for (int k = 0; k < c->model->n_statements; k++)
        if (c->model->statements[k]->kind == RG_STATEMENT_EQUATION) return true;
    return false;
}

rg_status rg_compile_equations(compiler *c)
{
    const space one = {.count = 1};
    const place top = {NULL, {NULL}, 0};

    if (!has_top_equation(c)) RG_TRY(equations_group(c, &top, &one, 0, NULL)); /* lets, constants */
    RG_TRY(rg_walk_statements(c, RG_STATEMENT_EQUATION, equations_group));
    c->p->order = rg_alloc(c->ctx, (size_t)c->p->n + 1, sizeof *c->p->order);
    if (c->p->order == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < c->p->n_blocks; k++)
        RG_TRY(raise_orders(c, c->p->blocks[k].body, 0));
    RG_TRY(list_lower(c));
    if (c->p->max_order > RG_MODEL_PRIMES && c->n_errors == 0) {
        rg_fail(c->ctx, RG_ERR_SYNTAX, "derivatives of order %d are too high", c->p->max_order);
        c->n_errors++;
        return rg_remedy(c->ctx, "at most %d are accepted", RG_MODEL_PRIMES);
    }
    return RG_OK;
}

/* `x(start) = value` in a problem without other points is a kept start value; see
 * rg_start_values(). */
rg_status rg_compile_conditions(compiler *c)
{
    rg_problem *p = c->p;

    RG_TRY(rg_walk_statements(c, RG_STATEMENT_BOUNDARY, conditions_group));
    int64_t row = 0;
    for (int k = 0; k < p->n_conditions; k++) {
        p->conditions[k].first_row = row;
        row += p->conditions[k].body->count * p->conditions[k].body->n_outputs;
    }
    for (int k = 0; k < p->n_points; k++)
        if (p->points[k] != p->a) p->is_boundary = true;
    return RG_OK;
}
