/* Start values: var x = 1 (kept), var x ~ 1 (guess), var u[i=1..N]' = expr(i), start u[3] = 1. */
#include "base/tuning.h"
#include "model/compiler.h"

#include <math.h>
#include <string.h>

static rg_status room_for_order(compiler *c, int order)
{
    rg_start *start = &c->p->start[order];

    if (start->kind != NULL) return RG_OK;
    start->kind = rg_alloc(c->ctx, (size_t)c->p->n + 1, sizeof *start->kind);
    start->value = rg_alloc(c->ctx, (size_t)c->p->n + 1, sizeof *start->value);
    if (start->kind == NULL || start->value == NULL) return RG_ERR_MEMORY;
    if (c->p->start_orders <= order) c->p->start_orders = order + 1;
    return RG_OK;
}

/* Where 'start' lines stand, for messages. */
static rg_status room_for_places(compiler *c, const start_item *item)
{
    rg_start *start = &c->p->start[item->primes];

    if (item->target == NULL || start->place != NULL) return RG_OK;
    start->place = rg_alloc(c->ctx, (size_t)c->p->n + 1, sizeof *start->place);
    return start->place != NULL ? RG_OK : RG_ERR_MEMORY;
}

rg_status rg_start_evaluate(compiler *c, builder *b, rg_node node, double *out)
{
    rg_tape *tape = NULL;
    rg_tape_source *inputs = NULL;
    double *work = NULL;
    const rg_tape_target target = {
        out, {0, 1, NULL},
         false
    };

    rg_status status = rg_tape_create(c->ctx, b->graph, 1, &node, &tape);
    if (status != RG_OK) return status;
    const int n = rg_tape_input_count(tape);
    inputs = rg_alloc(c->ctx, (size_t)n + 1, sizeof *inputs);
    work = rg_alloc(c->ctx, rg_tape_workspace(tape) + 1, sizeof *work);
    if (inputs == NULL || work == NULL) {
        status = RG_ERR_MEMORY;
    } else {
        for (int k = 0; k < n; k++) {
            const rg_data *d = &b->body->data[rg_tape_input_at(tape, k).slot];
            inputs[k] = (rg_tape_source){d->values, d->map};
        }
        rg_tape_run(tape, c->p->a, 0, b->body->count, NULL, inputs, &target, work);
    }
    rg_free(c->ctx, inputs);
    rg_free(c->ctx, work);
    rg_tape_destroy(&tape);
    return status;
}

static rg_status not_finite(compiler *c, const start_item *item, int64_t variable)
{
    char name[128];

    rg_variable_name(c->p, variable, item->primes, name, sizeof name);
    rg_bad(c, item->st->right->span, "the start value of '%s' is not a finite number", name);
    rg_bad_remedy(c, "look for a division by zero or a function outside its domain");
    return RG_ERR_SYNTAX;
}

rg_status rg_start_targets(compiler *c, builder *b, const binding *loops, const start_item *item,
                           rg_map *out)
{
    const rg_family *f = &c->p->families[item->sym->family];
    const scope s = {b, loops, INT32_MAX, ALLOW_UNKNOWN, "a start value"};
    rg_node index[RG_MAX_DIMS];
    const rg_ast where = {.kind = RG_AST_NAME, .span = item->st->name_span};

    for (int k = 0; k < f->n_dims && item->target == NULL; k++)
        index[k] = rg_graph_data(b->graph, k);
    const rg_node node = item->target != NULL
                             ? rg_elaborate(&s, item->target)
                             : rg_builder_var(b, item->sym->family, 0, -1, index, &where);
    if (node == RG_SPLIT) return RG_RETRY;
    if (node < 0) return RG_ERR_SYNTAX;
    *out = b->body->slots[rg_graph_at(b->graph, node)->a].map;
    return RG_OK;
}

/* Boundary value problems keep a guess as a function of time: the body is no longer the
 * builder's. */
static rg_status keep_guess(compiler *c, builder *b, const start_item *item, rg_node node)
{
    rg_problem *p = c->p;
    rg_value guess = {.family = item->sym->family, .order = item->primes};

    if (!p->is_boundary || item->st->mark == '=') return RG_OK;
    RG_TRY(rg_grow(c->ctx, &p->guesses, p->n_guesses, &c->guess_capacity, sizeof *p->guesses));
    b->body->outputs = rg_alloc(c->ctx, 1, sizeof *b->body->outputs);
    if (b->body->outputs == NULL) return RG_ERR_MEMORY;
    b->body->outputs[0] = node;
    b->body->n_outputs = 1;
    rg_slot *slot =
        &b->body->slots[b->body->n_slots - 1]; /* the last one: see rg_start_targets() */
    guess.target = slot->map;                  /* the value does not use the slot: its map moves */
    slot->map = (rg_map){0, 0, NULL};
    guess.span = item->st->span;
    guess.body = rg_builder_take(b);
    p->guesses[p->n_guesses++] = guess;
    return RG_OK;
}

static rg_status given_twice(compiler *c, const start_item *item, int64_t variable)
{
    char name[128];

    rg_variable_name(c->p, variable, item->primes, name, sizeof name);
    rg_bad(c, item->st->span, "'%s' has a start value already", name);
    rg_bad_remedy(c, "leave it out here, or in the 'var' line and give the others with 'start'");
    return RG_ERR_SYNTAX;
}

static rg_status make_start(compiler *c, builder *b, const binding *loops, void *user)
{
    const start_item *item = user;
    const rg_statement *st = item->st;
    const scope s = {b, loops, INT32_MAX, ALLOW_TIME, "a start value"};
    rg_map map;

    const rg_node node = rg_elaborate(&s, st->right);
    if (node == RG_SPLIT) return RG_RETRY;
    if (node < 0) return RG_ERR_SYNTAX;
    RG_TRY(rg_start_targets(c, b, loops, item, &map));
    RG_TRY(room_for_order(c, item->primes));
    RG_TRY(room_for_places(c, item));
    double *values = rg_alloc(c->ctx, (size_t)b->body->count, sizeof *values);
    if (values == NULL) return RG_ERR_MEMORY;
    rg_status status = rg_start_evaluate(c, b, node, values);
    const rg_start *start = &c->p->start[item->primes];
    for (int64_t k = 0; k < b->body->count && status == RG_OK; k++) {
        const int64_t variable = rg_map_at(&map, k);
        if (!isfinite(values[k])) status = not_finite(c, item, variable);
        if (item->target != NULL && start->kind[variable] != RG_START_NONE)
            status = given_twice(c, item, variable);
        start->kind[variable] = st->mark == '=' ? RG_START_KEPT : RG_START_GUESS;
        start->value[variable] = values[k];
        if (item->target != NULL) start->place[variable] = st->span.start + 1;
    }
    rg_free(c->ctx, values);
    return status == RG_OK ? keep_guess(c, b, item, node) : status;
}

static rg_status check_start_ranges(compiler *c, const symbol *sym, const rg_statement *st)
{
    if (st->n_ranges == sym->n_dims) return RG_OK;
    rg_bad(c, st->span, "'%s' has %d ind%s, not %d", st->name, sym->n_dims,
           sym->n_dims == 1 ? "ex" : "ices", st->n_ranges);
    rg_bad_remedy(c, "write every index with its range, as in var u[i=1..N]' = 0");
    return RG_ERR_SYNTAX;
}

static rg_status check_primes(compiler *c, const rg_statement *st, int primes)
{
    if (primes <= RG_MODEL_PRIMES) return RG_OK;
    rg_bad(c, st->span, "a derivative of order %d is too high", primes);
    rg_bad_remedy(c, "at most %d primes are accepted", RG_MODEL_PRIMES);
    return RG_ERR_SYNTAX;
}

rg_status rg_start_each(compiler *c, const rg_statement *st, body_fn *make)
{
    symbol *sym = rg_find_symbol(c, st->name);
    place at = {NULL, {NULL}, 0};
    const space one = {.count = 1};
    space all = {0};

    if (sym == NULL || sym->is_bad || sym->kind != SYM_VAR) return RG_OK;
    RG_TRY(check_primes(c, st, st->primes));
    RG_TRY(check_start_ranges(c, sym, st));
    start_item item = {sym, st, NULL, st->primes};
    rg_status status = rg_extend_ranges(c, &at, &one, st->n_ranges, st->ranges, &all);
    if (status == RG_OK) status = rg_for_each_body(c, &at, &all, make, &item);
    rg_clear_space(c->ctx, &all);
    return status;
}

/* start u[i] = expr: single elements, where the declaration gives nothing. */
static rg_status start_group(compiler *c, const place *at, const space *s, int n,
                             const rg_statement *const *list)
{
    for (int k = 0; k < n; k++) {
        const rg_statement *st = list[k];
        start_item item = {NULL, st, st->left, 0};
        if (st->left->kind == RG_AST_PRIME) {
            item.primes = st->left->primes;
            item.target = st->left->args[0];
        }
        if (item.target->text != NULL) item.sym = rg_find_symbol(c, item.target->text);
        if (item.sym == NULL || item.sym->kind != SYM_VAR) {
            rg_bad(c, st->left->span, "'start' is for unknowns");
            rg_bad_remedy(c, "write start NAME = VALUE with a name declared by 'var'");
            continue;
        }
        if (item.sym->is_bad || check_primes(c, st, item.primes) != RG_OK) continue;
        const rg_status status = rg_for_each_body(c, at, s, make_start, &item);
        if (status != RG_OK && status != RG_ERR_SYNTAX) return status;
    }
    return RG_OK;
}

/* --set on an unknown constant changes its guess. */
static void settings_of_constants(compiler *c)
{
    for (int k = 0; k < c->n_settings; k++) {
        const symbol *sym = rg_find_symbol(c, c->settings[k].name);
        if (sym == NULL || sym->kind != SYM_VAR || sym->family < 0) continue;
        const int64_t variable = c->p->families[sym->family].first;
        if (c->p->start[0].kind != NULL) c->p->start[0].value[variable] = c->settings[k].value;
    }
}

/* x(start) = number, or with the sides exchanged: the unknown's node and the number; NULL: not
 * of this form. */
static const rg_graph_node *plain_condition(const rg_body *body, int output, double *number)
{
    const rg_graph_node *n = rg_graph_at(body->graph, body->outputs[output]);

    *number = 0.0;
    if (n->op == RG_OP_VAR) return n;
    if (n->op != RG_OP_SUB && n->op != RG_OP_ADD) return NULL;
    const rg_graph_node *x = rg_graph_at(body->graph, n->a), *y = rg_graph_at(body->graph, n->b);
    const double sign = n->op == RG_OP_SUB ? 1.0 : -1.0;
    if (x->op == RG_OP_VAR && y->op == RG_OP_CONST) {
        *number = sign * y->value;
        return x;
    }
    if (y->op != RG_OP_VAR || x->op != RG_OP_CONST) return NULL;
    *number = sign * x->value;
    return y;
}

/* A guess gives way to a condition; another kept value does not. */
static rg_status two_values(compiler *c, rg_span span, int64_t variable, int order, double other)
{
    char name[128], number[32];

    rg_variable_name(c->p, variable, order, name, sizeof name);
    rg_bad(c, span, "'%s' has the start value %s already", name, rg_real_text(other, number));
    rg_bad_remedy(c, "leave one of them out, or write 'var ... ~ VALUE' for a guess");
    return RG_OK; /* errors are gathered */
}

static rg_status keep_condition(compiler *c, const rg_block *block, int output)
{
    const rg_body *body = block->body;
    double number;
    const rg_graph_node *n = plain_condition(body, output, &number);

    RG_TRY(room_for_order(c, n->order));
    const rg_start *start = &c->p->start[n->order];
    for (int64_t k = 0; k < body->count; k++) {
        const int64_t variable = rg_map_at(&body->slots[n->a].map, k);
        const double other = start->value[variable];
        if (start->kind[variable] == RG_START_KEPT
            && !(fabs(other - number) <= RG_SAME * fabs(number)))
            return two_values(c, block->spans[output], variable, n->order, other);
        start->kind[variable] = RG_START_KEPT;
        start->value[variable] = number;
    }
    return RG_OK;
}

/* Conditions at the start alone: kept values if all of them are plain, otherwise further
 * equations there. */
static rg_status take_start_conditions(compiler *c)
{
    rg_problem *p = c->p;
    double number;

    for (int k = 0; k < p->n_conditions; k++)
        for (int o = 0; o < p->conditions[k].body->n_outputs; o++)
            if (plain_condition(p->conditions[k].body, o, &number) == NULL)
                p->has_start_conditions = true;
    if (p->has_start_conditions) return RG_OK;
    for (int k = 0; k < p->n_conditions; k++)
        for (int o = 0; o < p->conditions[k].body->n_outputs; o++)
            RG_TRY(keep_condition(c, &p->conditions[k], o));
    return RG_OK;
}

rg_status rg_start_values(compiler *c)
{
    RG_TRY(room_for_order(c, 0));
    for (int k = 0; k < c->model->n_statements; k++) {
        const rg_statement *st = c->model->statements[k];
        const bool is_constant =
            st->kind == RG_STATEMENT_STATE || (st->kind == RG_STATEMENT_PARAM && st->mark == '~');
        if (st->kind != RG_STATEMENT_VAR && !is_constant) continue;
        if (st->right == NULL) continue;
        const rg_status status = rg_start_each(c, st, make_start);
        if (status == RG_ERR_MEMORY) return status;
    }
    RG_TRY(rg_walk_statements(c, RG_STATEMENT_START, start_group));
    settings_of_constants(c);
    return c->p->is_boundary ? RG_OK : take_start_conditions(c);
}
