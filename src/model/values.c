/* Outputs and exact solutions: named values over an index range. */
#include "model/compiler.h"

#include <string.h>

rg_status rg_set_output(compiler *c, builder *b, rg_node node)
{
    b->body->outputs = rg_alloc(c->ctx, 1, sizeof *b->body->outputs);
    if (b->body->outputs == NULL) return RG_ERR_MEMORY;
    b->body->outputs[0] = node;
    b->body->n_outputs = 1;
    return rg_graph_status(b->graph);
}

/* ---- exact ----------------------------------------------------------------------------------- */
typedef struct {
    const rg_statement *st;
    const rg_ast *target; /* NAME or INDEX */
    symbol *sym;
    int primes;
} exact_item;

static rg_status make_exact(compiler *c, builder *b, const binding *loops, void *user)
{
    const exact_item *item = user;
    rg_problem *p = c->p;
    const scope value = {b, loops, INT32_MAX, ALLOW_TIME | ALLOW_STATE, "an exact solution"};
    const scope target = {b, loops, INT32_MAX, ALLOW_TIME | ALLOW_UNKNOWN, "an exact solution"};

    const rg_node node = rg_elaborate(&value, item->st->right);
    if (node == RG_SPLIT) return RG_RETRY;
    const rg_node leaf = node < 0 ? RG_BAD : rg_elaborate(&target, item->target);
    if (leaf < 0) return RG_ERR_SYNTAX;
    RG_TRY(rg_set_output(c, b, node));
    RG_TRY(rg_grow(c->ctx, &p->exact, p->n_exact, &c->exact_capacity, sizeof *p->exact));
    rg_value *v = &p->exact[p->n_exact];
    memset(v, 0, sizeof *v);
    v->family = item->sym->family;
    v->order = item->primes;
    v->span = item->st->span;
    rg_slot *slot = &b->body->slots[rg_graph_at(b->graph, leaf)->a];
    v->target = slot->map; /* the slot is not used by the value: its map moves */
    slot->map = (rg_map){0, 0, NULL};
    v->body = rg_builder_take(b);
    p->n_exact++;
    return RG_OK;
}

static rg_status one_exact(compiler *c, const place *at, const space *s, const rg_statement *st)
{
    exact_item item = {st, st->left, NULL, 0};

    if (item.target->kind == RG_AST_PRIME) {
        item.primes = item.target->primes;
        item.target = item.target->args[0];
    }
    if (item.target->text != NULL) item.sym = rg_find_symbol(c, item.target->text);
    if (item.sym == NULL || item.sym->kind != SYM_VAR) {
        rg_bad(c, st->left->span, "'exact' is for unknowns");
        rg_bad_remedy(c, "write exact NAME = FORMULA with a name declared by 'var'");
        return RG_OK;
    }
    if (item.sym->is_bad) return RG_OK;
    const rg_status status = rg_for_each_body(c, at, s, make_exact, &item);
    return status == RG_ERR_SYNTAX ? RG_OK : status;
}

static rg_status exact_group(compiler *c, const place *at, const space *s, int n,
                             const rg_statement *const *list)
{
    for (int k = 0; k < n; k++)
        RG_TRY(one_exact(c, at, s, list[k]));
    return RG_OK;
}

rg_status rg_compile_exact(compiler *c)
{
    RG_TRY(rg_walk_statements(c, RG_STATEMENT_EXACT, exact_group));
    return rg_check_distinct(c, c->p->n_exact, c->p->exact, true);
}

/* ---- outputs --------------------------------------------------------------------------------- */
typedef struct {
    const rg_statement *st;
    const rg_ast *name; /* NAME or INDEX, without primes */
    int primes;
    int32_t family; /* >= 0: unknowns themselves */
} output_item;

static rg_status add_output(compiler *c, builder *b, const output_item *item, const rg_value *draft)
{
    rg_problem *p = c->p;

    RG_TRY(rg_grow(c->ctx, &p->outputs, p->n_outputs, &c->output_capacity, sizeof *p->outputs));
    rg_value *v = &p->outputs[p->n_outputs];
    *v = *draft;
    v->name = rg_copy_text(c->ctx, item->name->text, strlen(item->name->text));
    if (v->name == NULL) return RG_ERR_MEMORY;
    v->first = p->n_columns;
    v->body = rg_builder_take(b);
    p->n_columns += v->body->count;
    p->n_outputs++;
    return RG_OK;
}

/* Indices of `output e[i,j] = expr` are kept as data, for the names of the columns. */
static rg_status keep_indices(compiler *c, builder *b, const scope *s, const output_item *item,
                              rg_value *v)
{
    scope inner = *s;

    if (item->name->kind != RG_AST_INDEX || v->family >= 0) return RG_OK;
    if (item->name->n_args > RG_MAX_DIMS) {
        rg_bad(c, item->name->span, "an output has at most %d indices", RG_MAX_DIMS);
        rg_bad_remedy(c, "drop some of them");
        return RG_ERR_SYNTAX;
    }
    inner.allowed = IN_INDEX;
    inner.what = "an index";
    for (int k = 0; k < item->name->n_args; k++) {
        double *values;
        const rg_node node = rg_elaborate(&inner, item->name->args[k]);
        if (node < 0) return RG_ERR_SYNTAX;
        RG_TRY(rg_builder_values(b, node, &values));
        const rg_node data = rg_builder_data(b, values);
        if (data < 0) return RG_ERR_MEMORY;
        v->index[v->n_index++] = rg_graph_at(b->graph, data)->a;
    }
    return RG_OK;
}

static rg_status make_output(compiler *c, builder *b, const binding *loops, void *user)
{
    const output_item *item = user;
    const scope s = {b, loops, INT32_MAX, ALLOW_UNKNOWN | ALLOW_TIME, "an output"};
    rg_value draft;

    memset(&draft, 0, sizeof draft);
    draft.family = item->family;
    draft.order = item->primes;
    draft.span = item->st->span;
    const rg_node node =
        rg_elaborate(&s, item->st->right != NULL ? item->st->right : item->st->left);
    if (node == RG_SPLIT) return RG_RETRY;
    if (node < 0) return RG_ERR_SYNTAX;
    RG_TRY(rg_set_output(c, b, node));
    if (draft.family < 0) RG_TRY(keep_indices(c, b, &s, item, &draft));
    return add_output(c, b, item, &draft);
}

/* `output u` with an array u: all its elements, in their order. */
static rg_status make_whole(compiler *c, builder *b, const binding *loops, void *user)
{
    const output_item *item = user;
    const rg_family *f = &c->p->families[item->family];
    rg_value draft;

    (void)loops;
    memset(&draft, 0, sizeof draft);
    draft.family = item->family;
    draft.order = item->primes;
    draft.span = item->st->span;
    RG_TRY(rg_grow(c->ctx, &b->body->slots, b->body->n_slots, &b->slot_capacity,
                   sizeof *b->body->slots));
    b->body->slots[b->body->n_slots++] = (rg_slot){
        item->family, {f->first, 1, NULL},
         -1
    };
    RG_TRY(rg_set_output(c, b, rg_graph_var(b->graph, 0, item->primes)));
    return add_output(c, b, item, &draft);
}

/* A name of its own must be new, also among the outputs; `output e[i] = ...` may come in parts. */
static rg_status check_output_name(compiler *c, const output_item *item)
{
    const char *name = item->name->text;
    const rg_span span = item->name->span;

    if (rg_find_symbol(c, name) != NULL || rg_is_builtin(name)) {
        rg_bad(c, span, "the output '%s' has the name of something else", name);
        rg_bad_remedy(c, "give the output a new name");
        return RG_ERR_SYNTAX;
    }
    for (int k = 0; k < c->p->n_outputs; k++) {
        const rg_value *v = &c->p->outputs[k];
        if (v->family >= 0 || strcmp(v->name, name) != 0) continue;
        if (v->n_index > 0 && item->name->kind == RG_AST_INDEX) continue;
        rg_bad(c, span, "the output '%s' is defined twice", name);
        rg_bad_remedy(c, "give it a new name");
        return RG_ERR_SYNTAX;
    }
    return RG_OK;
}

static rg_status one_output(compiler *c, const place *at, const space *s, const rg_statement *st)
{
    output_item item = {st, st->left, 0, -1};
    space one = {.count = 1};

    if (item.name->kind == RG_AST_PRIME) {
        item.primes = item.name->primes;
        item.name = item.name->args[0];
    }
    if (item.name->text == NULL) {
        rg_bad(c, st->left->span, "an output that is not a name needs one");
        rg_bad_remedy(c, "write output NAME = EXPRESSION");
        return RG_OK;
    }
    if (st->right != NULL) {
        if (check_output_name(c, &item) != RG_OK) return RG_OK;
        if (at->n_names > 0 && item.name->kind != RG_AST_INDEX) {
            rg_bad(c, st->span, "every index gives the output the same name '%s'", item.name->text);
            rg_bad_remedy(c, "write the index: output %s[%s] = ...", item.name->text, at->names[0]);
            return RG_OK;
        }
        return rg_for_each_body(c, at, s, make_output, &item);
    }
    const symbol *sym = rg_find_symbol(c, item.name->text);
    if (sym != NULL && sym->is_bad) return RG_OK;
    if (sym != NULL && sym->kind == SYM_TIME) {
        rg_bad(c, item.name->span, "'%s' is the first column of every table already",
               item.name->text);
        rg_bad_remedy(c, "leave it out");
        return RG_OK;
    }
    if (sym != NULL && sym->kind == SYM_VAR) {
        item.family = sym->family;
        if (sym->n_dims > 0 && item.name->kind == RG_AST_NAME) {
            one.count = c->p->families[item.family].count;
            const place top = {NULL, {NULL}, 0};
            return rg_for_each_body(c, &top, &one, make_whole, &item);
        }
    }
    return rg_for_each_body(c, at, s, make_output, &item);
}

static rg_status outputs_group(compiler *c, const place *at, const space *s, int n,
                               const rg_statement *const *list)
{
    for (int k = 0; k < n; k++) {
        const rg_status status = one_output(c, at, s, list[k]);
        if (status != RG_OK && status != RG_ERR_SYNTAX) return status;
    }
    return RG_OK;
}

rg_status rg_compile_outputs(compiler *c)
{
    RG_TRY(rg_walk_statements(c, RG_STATEMENT_OUTPUT, outputs_group));
    return rg_check_distinct(c, c->p->n_outputs, c->p->outputs, false);
}
