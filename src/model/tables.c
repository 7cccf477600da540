/* Tables of the text: their nodes, what is wrong with them, and calls. */
#include "model/arena.h"
#include "model/compiler.h"

#include <math.h>
#include <string.h>

static rg_table_kind kind_of(const rg_statement *st)
{
    for (int k = 0; k < RG_TABLE_KINDS; k++)
        if (st->table->kind != NULL
            && strcmp(st->table->kind, rg_table_kind_word((rg_table_kind)k)) == 0)
            return (rg_table_kind)k;
    return RG_TABLE_MONOTONE;
}

static rg_beyond beyond_of(const rg_statement *st)
{
    for (int k = 0; k < RG_BEYOND_COUNT; k++)
        if (st->table->beyond != NULL
            && strcmp(st->table->beyond, rg_beyond_word((rg_beyond)k)) == 0)
            return (rg_beyond)k;
    return RG_BEYOND_ERROR;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static rg_status check_argument(compiler *c, const rg_statement *st)
{
    if (st->n_ranges == 1) return RG_OK;
    rg_bad(c, st->span, "the table '%s' has %d arguments", st->name, st->n_ranges);
    rg_bad_remedy(c, "a table is a function of one argument: table %s(x) = ...", st->name);
    return RG_ERR_SYNTAX;
}

static rg_status check_length(compiler *c, const rg_statement *st)
{
    const rg_ast *list = st->right;

    if (list->n_args % 2 != 0) {
        rg_bad(c, list->span, "the table '%s' has %d numbers, which are no pairs", st->name,
               list->n_args);
        rg_bad_remedy(c, "write argument, value, argument, value: (x1, y1, x2, y2, ...)");
        return RG_ERR_SYNTAX;
    }
    if (list->n_args >= 4) return RG_OK;
    rg_bad(c, list->span, "the table '%s' has only one pair", st->name);
    rg_bad_remedy(c, "give two or more; for a constant write: fun %s(%s) = VALUE", st->name,
                  st->ranges[0].name);
    return RG_ERR_SYNTAX;
}

/* All values, and arguments that rise. */
static rg_status take_list(compiler *c, const symbol *sym, double *x, double *y)
{
    const rg_ast *list = sym->statement->right;
    char what[256];

    snprintf(what, sizeof what, "the table '%s'", sym->name);
    for (int k = 0; k < list->n_args; k++) {
        double *to = k % 2 == 0 ? &x[k / 2] : &y[k / 2];
        RG_TRY(rg_constant_value(c, list->args[k], sym->position, what, to));
        if (k % 2 != 0 || k == 0 || x[k / 2] > x[k / 2 - 1]) continue;
        rg_bad(c, list->args[k]->span, "the arguments of the table '%s' do not rise: %g after %g",
               sym->name, x[k / 2], x[k / 2 - 1]);
        rg_bad_remedy(c, x[k / 2] == x[k / 2 - 1]
                             ? "give every argument once; a jump is made with 'steps'"
                             : "sort the pairs by their first number");
        return RG_ERR_SYNTAX;
    }
    return RG_OK;
}

/* A periodic spline meets itself. */
static rg_status check_period(compiler *c, const symbol *sym, const rg_table_spec *spec)
{
    const double first = spec->y[0], last = spec->y[spec->n - 1];

    if (spec->kind != RG_TABLE_SMOOTH || spec->beyond != RG_BEYOND_REPEAT || first == last)
        return RG_OK;
    rg_bad(c, sym->statement->span,
           "the smooth table '%s' repeats, but begins with %.10g and ends with %.10g", sym->name,
           first, last);
    rg_bad_remedy(c, "end it with the value it begins with, or write 'monotone' or 'linear'");
    return RG_ERR_SYNTAX;
}

static rg_status make_list(compiler *c, symbol *sym, rg_table_spec *spec)
{
    rg_problem *p = c->p;
    const rg_statement *st = sym->statement;

    RG_TRY(check_length(c, st));
    spec->n = st->right->n_args / 2;
    double *x = rg_alloc(c->ctx, 2 * (size_t)spec->n, sizeof *x);
    if (x == NULL) return RG_ERR_MEMORY;
    spec->x = x;
    spec->y = x + spec->n;
    rg_status status = take_list(c, sym, x, x + spec->n);
    if (status == RG_OK) status = check_period(c, sym, spec);
    if (status == RG_OK && p->tables == NULL) {
        p->tables = rg_alloc(c->ctx, (size_t)c->n_symbols, sizeof *p->tables);
        if (p->tables == NULL) status = RG_ERR_MEMORY;
    }
    if (status == RG_OK) status = rg_table_create(c->ctx, spec, &p->tables[p->n_tables]);
    if (status == RG_OK) sym->table = p->tables[p->n_tables++];
    rg_free(c->ctx, x);
    return status;
}

/* Read once for a text, also where it is built again with other parameters. */
static rg_status make_file(compiler *c, symbol *sym, rg_table_spec *spec)
{
    rg_table_words *w = sym->statement->table;
    double *numbers = NULL;
    rg_status status = RG_OK;

    if (w->made == NULL) {
        status = rg_table_from_file(c, sym->statement, spec, &numbers);
        if (status == RG_OK) status = check_period(c, sym, spec);
        if (status == RG_OK) status = rg_table_create(c->ctx, spec, &w->made);
        rg_free(c->ctx, numbers);
    }
    sym->table = w->made;
    return status;
}

rg_status rg_declare_table(compiler *c, symbol *sym)
{
    const rg_statement *st = sym->statement;
    rg_table_spec spec = {
        .name = sym->name, .number = sym->position, .kind = kind_of(st), .beyond = beyond_of(st)};

    RG_TRY(check_argument(c, st));
    return st->right != NULL ? make_list(c, sym, &spec) : make_file(c, sym, &spec);
}

static rg_status fail_no_table(rg_context *ctx, const rg_model *model, const char *name)
{
    char list[256] = "";
    size_t used = 0;

    for (int k = 0; k < model->n_statements && used < sizeof list; k++) {
        const rg_statement *st = model->statements[k];
        if (st->kind != RG_STATEMENT_TABLE || st->right != NULL) continue;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'", used > 0 ? ", " : "",
                                 st->name);
    }
    rg_fail(ctx, RG_ERR_ARGUMENT, "the model has no table '%s' from a file", name);
    if (used == 0)
        return rg_remedy(ctx, "write in the model: table %s(x) = file \"data.csv\"", name);
    return rg_remedy(ctx, "its tables from files are %s", list);
}

rg_status rg_model_set_table(rg_context *ctx, rg_model *model, const char *name, const char *path)
{
    for (int k = 0; k < model->n_statements; k++) {
        const rg_statement *st = model->statements[k];
        if (st->kind != RG_STATEMENT_TABLE || st->right != NULL || strcmp(st->name, name) != 0)
            continue;
        const size_t length = strlen(path);
        char *copy = rg_arena_take(ctx, model->arena, length + 1, 1);
        if (copy == NULL) return RG_ERR_MEMORY;
        memcpy(copy, path, length + 1);
        st->table->other = copy;
        return RG_OK;
    }
    return fail_no_table(ctx, model, name);
}

/* ---- calls ----------------------------------------------------------------------------------- */

rg_node rg_elaborate_table(const scope *s, const symbol *sym, const rg_ast *ast)
{
    compiler *c = s->b->c;

    if (sym->is_bad) return RG_BAD;
    if (sym->position >= s->position) {
        rg_bad(c, ast->span, "'%s' is used before its declaration", sym->name);
        return rg_bad_remedy(c, "move its declaration up");
    }
    if (ast->n_args != 2) {
        rg_bad(c, ast->span, "'%s' is a table and takes 1 argument, not %d", sym->name,
               ast->n_args - 1);
        return rg_bad_remedy(c, "write %s(...) with one argument", sym->name);
    }
    const rg_node x = rg_elaborate(s, ast->args[1]);
    return x < 0 ? x : rg_table_node(s->b->graph, sym->table, x);
}
