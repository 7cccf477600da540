/* Events: when CONDITION { ... } and every DISTANCE { ... }. */
#include "model/compiler.h"

#include <math.h>
#include <string.h>

typedef struct {
    const rg_statement *st;
    double every, from;
} event_item;

/* ---- what is assigned ------------------------------------------------------------------------ */

/* The unknown that an assignment names; NULL: none, and that is told. */
static const symbol *assigned_symbol(compiler *c, const rg_statement *st, int *primes)
{
    const rg_ast *target = st->left;

    *primes = target->kind == RG_AST_PRIME ? target->primes : 0;
    if (target->kind == RG_AST_PRIME) target = target->args[0];
    const bool is_name = target->kind == RG_AST_NAME || target->kind == RG_AST_INDEX;
    const symbol *sym = is_name ? rg_find_symbol(c, target->text) : NULL;
    if (sym != NULL && sym->kind == SYM_VAR) return sym->is_bad ? NULL : sym;
    rg_bad(c, st->left->span, "an event assigns unknowns and states, nothing else");
    rg_bad_remedy(c,
                  sym != NULL && sym->kind == SYM_PARAM
                      ? "declare '%s' with 'state' in place of 'param'"
                      : "write NAME = VALUE with a name declared by 'var' or 'state'",
                  sym != NULL ? sym->name : "");
    return NULL;
}

/* Of the elements that a slot names: one whose highest derivative is the lowest. */
static int64_t least_element(const rg_problem *p, const rg_body *body, const rg_slot *slot)
{
    int64_t least = rg_map_at(&slot->map, 0);

    for (int64_t k = 1; k < body->count; k++) {
        const int64_t j = rg_map_at(&slot->map, k);
        if (rg_variable_order(p, j) < rg_variable_order(p, least)) least = j;
    }
    return least;
}

/* Only what is differentiated has a value of its own to begin again with. */
static bool is_free(compiler *c, const rg_statement *st, const symbol *sym, int primes,
                    int64_t element)
{
    const rg_family *f = &c->p->families[sym->family];
    const int order = rg_variable_order(c->p, element);
    char name[512];

    if (f->is_state ? primes == 0 : primes < order) return true;
    if (c->lacks_equations && !f->is_state) return false; /* derivatives in these are not known */
    rg_variable_name(c->p, element, 0, name, sizeof name);
    if (f->is_state || f->is_constant) {
        rg_bad(c, st->left->span, "'%s' is constant between events and has no derivative", name);
        rg_bad_remedy(c, "assign '%s' itself", name);
    } else if (primes > 0) {
        rg_bad(c, st->left->span, "this derivative of '%s' follows from the equations", name);
        rg_bad_remedy(c,
                      order > 0 ? "assign '%s', or a lower derivative of it"
                                : "leave it out: '%s' appears without derivatives",
                      name);
    } else {
        rg_bad(c, st->left->span,
               "'%s' follows from the equations at every time: it appears "
               "without derivatives",
               name);
        rg_bad_remedy(c, "assign an unknown that is differentiated, or a 'state'");
    }
    return false;
}

/* One assignment: its value as an output, its target as a slot. */
static rg_status add_assignment(compiler *c, const scope *s, const rg_statement *st, rg_event *e)
{
    builder *b = s->b;
    int primes;

    const symbol *sym = assigned_symbol(c, st, &primes);
    if (sym == NULL) return RG_ERR_SYNTAX;
    const rg_node value = rg_elaborate(s, st->right);
    if (value == RG_SPLIT) return RG_RETRY;
    const rg_node leaf = value < 0 ? RG_BAD : rg_elaborate(s, st->left);
    if (leaf == RG_SPLIT) return RG_RETRY;
    if (leaf < 0) return RG_ERR_SYNTAX;
    const int32_t slot = rg_graph_at(b->graph, leaf)->a;
    const int64_t element = least_element(c->p, b->body, &b->body->slots[slot]);
    if (!is_free(c, st, sym, primes, element)) return RG_ERR_SYNTAX;
    e->assignments[e->n_assignments++] = (rg_assignment){slot, primes, st->span};
    b->body->outputs[b->body->n_outputs++] = value;
    return RG_OK;
}

/* ---- conditions ------------------------------------------------------------------------------ */

static rg_status not_a_condition(compiler *c, const rg_ast *ast)
{
    rg_bad(c, ast->span, "this is a number, not a condition");
    rg_bad_remedy(c, "compare it, as in x < 0");
    return RG_ERR_SYNTAX;
}

/* Does a node depend on more than states?  What it depends on, as far as LEAVES go. */
static bool moves(compiler *c, const rg_body *body, rg_node node)
{
    enum { LEAVES = 64 };
    rg_node leaves[LEAVES];
    const unsigned depends = rg_graph_at(body->graph, node)->depends;

    if (depends & (RG_DEP_TIME | RG_DEP_SUM)) return true;
    const int32_t n = rg_graph_leaves_once(c->ctx, body->graph, node, LEAVES, leaves);
    for (int32_t k = 0; k < n && k < LEAVES; k++) {
        const rg_graph_node *leaf = rg_graph_at(body->graph, leaves[k]);
        if (leaf->op == RG_OP_VAR && !c->p->families[body->slots[leaf->a].family].is_state)
            return true;
    }
    return n > LEAVES;
}

/* x == 0 is true at single times, and no sign tells of them. */
static rg_status check_equal(compiler *c, const rg_body *body, const rg_ast *ast)
{
    for (rg_node k = 0; k < rg_graph_size(body->graph); k++) {
        const int op = rg_graph_at(body->graph, k)->op;
        if ((op != RG_OP_EQ && op != RG_OP_NE) || !moves(c, body, k)) continue;
        rg_bad(c, ast->span, "'==' of quantities that vary is true at single times only");
        rg_bad_remedy(c, "write '<=' or '>=': an event is where a condition becomes true");
        return RG_ERR_SYNTAX;
    }
    return RG_OK;
}

static rg_status add_condition(compiler *c, const scope *s, const rg_statement *st)
{
    builder *b = s->b;
    const bool is_timed = st->kind == RG_STATEMENT_EVERY;
    const rg_node node = is_timed ? rg_graph_const(b->graph, 1.0) : rg_elaborate(s, st->right);

    if (node == RG_SPLIT) return RG_RETRY;
    if (node < 0) return RG_ERR_SYNTAX;
    if (!is_timed && !rg_op_is_truth(rg_graph_at(b->graph, node)->op))
        return not_a_condition(c, st->right);
    if (!is_timed) RG_TRY(check_equal(c, b->body, st->right));
    b->body->outputs[b->body->n_outputs++] = node;
    return RG_OK;
}

/* ---- the event ------------------------------------------------------------------------------- */

static rg_status fill_event(compiler *c, builder *b, const binding *loops, const rg_statement *st,
                            rg_event *e)
{
    const scope s = {b, loops, INT32_MAX, ALLOW_UNKNOWN | ALLOW_TIME, "an event"};
    const size_t room = (size_t)st->n_body + 1;
    rg_status status = RG_OK;

    b->body->outputs = rg_alloc(c->ctx, room, sizeof *b->body->outputs);
    e->assignments = rg_alloc(c->ctx, room, sizeof *e->assignments);
    e->name = rg_copy_text(c->ctx, st->text != NULL ? st->text : "",
                           st->text != NULL ? strlen(st->text) : 0);
    if (b->body->outputs == NULL || e->assignments == NULL || e->name == NULL) return RG_ERR_MEMORY;
    RG_TRY(add_condition(c, &s, st));
    for (int k = 0; k < st->n_body; k++) {
        const rg_statement *inner = st->body[k];
        rg_status one = RG_OK;
        if (inner->kind == RG_STATEMENT_EQUATION)
            one = add_assignment(c, &s, inner, e);
        else if (e->stop == NULL
                 && (e->stop = rg_copy_text(c->ctx, inner->text, strlen(inner->text))) == NULL)
            one = RG_ERR_MEMORY;
        if (one == RG_RETRY || one == RG_ERR_MEMORY) return one;
        if (one != RG_OK) status = one;
    }
    return status != RG_OK ? status : rg_graph_status(b->graph);
}

static void clear_draft(rg_context *ctx, rg_event *e)
{
    rg_free(ctx, e->assignments);
    rg_free(ctx, e->name);
    rg_free(ctx, e->stop);
}

static rg_status make_event(compiler *c, builder *b, const binding *loops, void *user)
{
    const event_item *item = user;
    rg_problem *p = c->p;
    rg_event e = {.span = item->st->value_span, .every = item->every, .from = item->from};
    int column;

    rg_source_place(c->source, item->st->span.start, &e.line, &column);
    rg_status status = fill_event(c, b, loops, item->st, &e);
    if (status == RG_OK)
        status = rg_grow(c->ctx, &p->events, p->n_events, &c->event_capacity, sizeof *p->events);
    if (status != RG_OK) {
        clear_draft(c->ctx, &e);
        return status;
    }
    e.body = rg_builder_take(b);
    p->events[p->n_events++] = e;
    return RG_OK;
}

static rg_status event_times(compiler *c, const rg_statement *st, event_item *item)
{
    if (st->kind == RG_STATEMENT_WHEN) return RG_OK;
    item->from = NAN; /* the start of the run */
    RG_TRY(rg_constant_value(c, st->left, INT32_MAX, "the distance of times", &item->every));
    if (st->right != NULL)
        RG_TRY(rg_constant_value(c, st->right, INT32_MAX, "the first time", &item->from));
    if (item->every > 0.0 && isfinite(item->every) && !isinf(item->from)) return RG_OK;
    rg_bad(c, st->left->span, "the distance of times is %g", item->every);
    rg_bad_remedy(c, "give one greater than 0");
    return RG_ERR_SYNTAX;
}

static rg_status events_group(compiler *c, const place *at, const space *s, int n,
                              const rg_statement *const *list)
{
    for (int k = 0; k < n; k++) {
        event_item item = {.st = list[k]};
        rg_status status = event_times(c, list[k], &item);
        if (status == RG_OK) status = rg_for_each_body(c, at, s, make_event, &item);
        if (status == RG_ERR_MEMORY) return status;
    }
    return RG_OK;
}

/* ---- where there are none -------------------------------------------------------------------- */

static const rg_statement *first_event(int n, rg_statement *const *list)
{
    const rg_statement *found = NULL;

    for (int k = 0; k < n && found == NULL; k++) {
        const rg_statement *st = list[k];
        if (st->kind == RG_STATEMENT_STATE || st->kind == RG_STATEMENT_WHEN
            || st->kind == RG_STATEMENT_EVERY)
            found = st;
        else if (st->kind == RG_STATEMENT_FOR)
            found = first_event(st->n_body, st->body);
    }
    return found;
}

rg_status rg_refuse_events(compiler *c, const char *where)
{
    const rg_statement *st = first_event(c->model->n_statements, c->model->statements);

    if (st == NULL) return RG_OK;
    rg_bad(c, st->kind == RG_STATEMENT_STATE ? st->name_span : st->value_span,
           "'%s' cannot stand in %s",
           st->kind == RG_STATEMENT_STATE  ? "state"
           : st->kind == RG_STATEMENT_WHEN ? "when"
                                           : "every",
           where);
    rg_bad_remedy(c, "events belong to initial value problems: give all values at the start, or "
                     "leave the events out");
    return RG_OK;
}

/* The order of the text; the parts of one event stay as they are. */
static void sort_events(rg_problem *p)
{
    for (int k = 1; k < p->n_events; k++) {
        const rg_event e = p->events[k];
        int i = k;
        for (; i > 0 && p->events[i - 1].span.start > e.span.start; i--)
            p->events[i] = p->events[i - 1];
        p->events[i] = e;
    }
}

rg_status rg_compile_events(compiler *c)
{
    rg_problem *p = c->p;

    if (p->is_boundary) return rg_refuse_events(c, "a boundary value problem");
    RG_TRY(rg_walk_statements(c, RG_STATEMENT_WHEN, events_group));
    RG_TRY(rg_walk_statements(c, RG_STATEMENT_EVERY, events_group));
    sort_events(p);
    return RG_OK;
}
