/* Declarations: parameters, arrays, unknowns, the independent variable. */
#include "model/compiler.h"

#include <math.h>
#include <string.h>

static const char *kind_word(const symbol *sym)
{
    static const char *const words[] = {"a parameter", "a constant array",
                                        "a let",       "a function",
                                        "an unknown",  "the independent variable"};

    return words[sym->kind];
}

/* A new name must be free. */
static rg_status check_new_name(compiler *c, const rg_statement *st)
{
    int line, column;

    if (rg_is_builtin(st->name)) {
        rg_bad(c, st->name_span, "'%s' is a word of the language", st->name);
        rg_bad_remedy(c, "use another name");
        return RG_ERR_SYNTAX;
    }
    const symbol *sym = rg_find_symbol(c, st->name);
    if (sym == NULL) return RG_OK;
    rg_source_place(c->source, sym->statement->name_span.start, &line, &column);
    rg_bad(c, st->name_span, "'%s' is already %s (line %d)", st->name, kind_word(sym), line);
    rg_bad_remedy(c, "use another name, or drop one of the two");
    return RG_ERR_SYNTAX;
}

/* A second mention of an unknown in `var` gives start values of a derivative. */
static bool is_more_data(compiler *c, const rg_statement *st)
{
    const symbol *sym = rg_find_symbol(c, st->name);

    return st->kind == RG_STATEMENT_VAR && sym != NULL && sym->kind == SYM_VAR
           && st->primes != sym->statement->primes;
}

static rg_status collect_names(compiler *c)
{
    for (int k = 0; k < c->model->n_statements; k++) {
        const rg_statement *st = c->model->statements[k];
        symbol *sym;
        symbol_kind kind;
        switch (st->kind) {
        case RG_STATEMENT_PARAM:
            kind = st->mark == '~' ? SYM_VAR : st->n_ranges > 0 ? SYM_ARRAY : SYM_PARAM;
            break;
        case RG_STATEMENT_LET:
            kind = SYM_LET;
            break;
        case RG_STATEMENT_FUN:
            kind = SYM_FUN;
            break;
        case RG_STATEMENT_VAR:
            kind = SYM_VAR;
            break;
        case RG_STATEMENT_OVER:
            kind = SYM_TIME;
            break;
        default:
            continue;
        }
        if (is_more_data(c, st)) continue;
        if (check_new_name(c, st) != RG_OK) continue;
        RG_TRY(rg_add_symbol(c, st, kind, &sym));
    }
    return RG_OK;
}

rg_status rg_constant_value(compiler *c, const rg_ast *ast, int position, const char *what,
                            double *out)
{
    space one = {.count = 1};
    builder b;

    memset(&b, 0, sizeof b);
    b.c = c;
    rg_status status = rg_builder_init(&b, c, NULL, &one);
    if (status == RG_OK) {
        const scope s = {&b, NULL, position, 0, what};
        const rg_node node = rg_elaborate(&s, ast);
        status = node < 0 ? RG_ERR_SYNTAX : RG_OK;
        if (status == RG_OK) {
            double *values = NULL;
            status = rg_builder_values(&b, node, &values);
            if (status == RG_OK) *out = values[0];
            rg_free(c->ctx, values);
        }
    }
    rg_builder_clear(&b);
    if (status != RG_OK || isfinite(*out)) return status;
    rg_bad(c, ast->span, "the value of %s is not a finite number", what);
    rg_bad_remedy(c, "look for a division by zero or a function outside its domain");
    return RG_ERR_SYNTAX;
}

/* Bounds of a declared array. */
static rg_status declare_ranges(compiler *c, symbol *sym)
{
    const rg_statement *st = sym->statement;
    double low, high;

    if (st->n_ranges > RG_MAX_DIMS) {
        rg_bad(c, st->span, "'%s' has %d indices", st->name, st->n_ranges);
        rg_bad_remedy(c, "at most %d are accepted", RG_MAX_DIMS);
        return RG_ERR_SYNTAX;
    }
    sym->n_dims = st->n_ranges;
    for (int k = 0; k < st->n_ranges; k++) {
        const rg_ast_range *r = &st->ranges[k];
        RG_TRY(rg_check_loop_name(c, r, NULL));
        RG_TRY(rg_constant_value(c, r->low, sym->kind == SYM_VAR ? INT32_MAX : sym->position,
                                 "a bound", &low));
        RG_TRY(rg_constant_value(c, r->high, sym->kind == SYM_VAR ? INT32_MAX : sym->position,
                                 "a bound", &high));
        if (floor(low) != low || floor(high) != high || fabs(low) > 1e15 || fabs(high) > 1e15) {
            rg_bad(c, r->span, "the range %g .. %g of '%s' does not have whole bounds", low, high,
                   st->name);
            rg_bad_remedy(c, "make the parameters in it integer-valued");
            return RG_ERR_SYNTAX;
        }
        sym->low[k] = (int64_t)low;
        sym->extent[k] = high >= low ? (int64_t)(high - low) + 1 : 0;
    }
    return RG_OK;
}

static double array_size(const symbol *sym)
{
    double size = 1.0;

    for (int k = 0; k < sym->n_dims; k++)
        size *= (double)sym->extent[k];
    return size;
}

static rg_status too_large(compiler *c, const rg_statement *st, double size)
{
    rg_bad(c, st->name_span, "'%s' would have %.3g elements", st->name, size);
    rg_bad_remedy(c, "at most %.0e are accepted: choose smaller bounds", RG_MAX_UNKNOWNS);
    return RG_ERR_SYNTAX;
}

static rg_status list_values(compiler *c, symbol *array, const rg_ast *list, int64_t size)
{
    if (list->n_args != size) {
        rg_bad(c, list->span, "%d values for the %lld elements of '%s'", list->n_args,
               (long long)size, array->name);
        rg_bad_remedy(c, "give one value per element, row by row");
        return RG_ERR_SYNTAX;
    }
    for (int64_t k = 0; k < size; k++)
        RG_TRY(
            rg_constant_value(c, list->args[k], array->position, "a parameter", &array->values[k]));
    return RG_OK;
}

/* One expression in the indices; conditions in it are numbers here. */
static rg_status formula_values(compiler *c, symbol *array, const rg_ast *ast)
{
    const rg_statement *st = array->statement;
    space one = {.count = 1}, all = {0};
    place at = {NULL, {NULL}, 0};
    builder b;
    binding bound[RG_MAX_DIMS];
    double *values = NULL;

    memset(&b, 0, sizeof b);
    b.c = c;
    rg_status status = rg_extend_ranges(c, &at, &one, st->n_ranges, st->ranges, &all);
    if (status == RG_OK) status = rg_builder_init(&b, c, NULL, &all);
    if (status == RG_OK) {
        scope s = {&b, NULL, array->position, IN_INDEX, "a parameter"};
        for (int k = 0; k < st->n_ranges; k++) {
            bound[k] = (binding){st->ranges[k].name, &b, rg_graph_data(b.body->graph, k), s.names};
            s.names = &bound[k];
        }
        const rg_node node = rg_elaborate(&s, ast);
        status = node < 0 ? RG_ERR_SYNTAX : rg_builder_values(&b, node, &values);
    }
    for (int64_t k = 0; status == RG_OK && k < b.body->count; k++) {
        array->values[k] = values[k];
        if (isfinite(values[k])) continue;
        rg_bad(c, ast->span, "element %lld of '%s' is not a finite number", (long long)k + 1,
               array->name);
        rg_bad_remedy(c, "look for a division by zero or a function outside its domain");
        status = RG_ERR_SYNTAX;
    }
    rg_free(c->ctx, values);
    rg_builder_clear(&b);
    rg_clear_space(c->ctx, &all);
    return status;
}

rg_status rg_declare_array(compiler *c, symbol *array)
{
    RG_TRY(declare_ranges(c, array));
    const double size = array_size(array);
    if (size > RG_MAX_UNKNOWNS) return too_large(c, array->statement, size);
    array->values = rg_alloc(c->ctx, size > 0 ? (size_t)size : 1, sizeof *array->values);
    if (array->values == NULL) return RG_ERR_MEMORY;
    const rg_ast *right = array->statement->right;
    return right->kind == RG_AST_LIST ? list_values(c, array, right, (int64_t)size)
                                      : formula_values(c, array, right);
}

/* --set NAME=VALUE wins over the text. */
static rg_status declare_param(compiler *c, symbol *param)
{
    for (int k = 0; k < c->n_settings; k++)
        if (strcmp(c->settings[k].name, param->name) == 0) {
            param->value = c->settings[k].value;
            return RG_OK;
        }
    char what[256];
    const rg_ast *right = param->statement->right;
    if (right->kind == RG_AST_LIST && right->n_args == 1) right = right->args[0];
    snprintf(what, sizeof what, "the parameter '%s'", param->name);
    return rg_constant_value(c, right, param->position, what, &param->value);
}

static rg_status declare_family(compiler *c, symbol *sym, rg_family *f)
{
    RG_TRY(declare_ranges(c, sym));
    const double size = array_size(sym);
    if (sym->statement->kind == RG_STATEMENT_PARAM && sym->n_dims > 0) {
        rg_bad(c, sym->statement->span, "an unknown constant is a single value, not an array");
        rg_bad_remedy(c, "declare the constants one by one, as in param a ~ 1, b ~ 2");
        return RG_ERR_SYNTAX;
    }
    if (size + (double)c->p->n > RG_MAX_UNKNOWNS) return too_large(c, sym->statement, size);
    f->n_dims = sym->n_dims;
    memcpy(f->low, sym->low, sizeof f->low);
    memcpy(f->extent, sym->extent, sizeof f->extent);
    f->first = c->p->n;
    f->count = (int64_t)size;
    f->is_constant = sym->statement->kind == RG_STATEMENT_PARAM;
    f->span = sym->statement->name_span;
    f->name = rg_copy_text(c->ctx, sym->name, strlen(sym->name));
    if (f->name == NULL) return RG_ERR_MEMORY;
    c->p->n += f->count;
    return RG_OK;
}

static rg_status declare_families(compiler *c)
{
    rg_problem *p = c->p;

    p->families = rg_alloc(c->ctx, (size_t)c->n_symbols + 1, sizeof *p->families);
    if (p->families == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < c->n_symbols; k++) {
        symbol *sym = &c->symbols[k];
        if (sym->kind != SYM_VAR) continue;
        const rg_status status = declare_family(c, sym, &p->families[p->n_families]);
        if (status == RG_ERR_MEMORY) return status;
        if (status != RG_OK) {
            sym->is_bad = true;
            continue;
        }
        sym->family = p->n_families++;
    }
    return RG_OK;
}

static rg_status declare_over(compiler *c)
{
    rg_problem *p = c->p;
    const symbol *time = NULL;

    for (int64_t k = 0; k < c->n_symbols; k++) {
        if (c->symbols[k].kind != SYM_TIME) continue;
        if (time != NULL) {
            rg_bad(c, c->symbols[k].statement->span, "a second 'over'");
            rg_bad_remedy(c, "one model has one independent variable");
        }
        if (time == NULL) time = &c->symbols[k];
    }
    for (int k = 0; k < c->model->n_statements && time == NULL; k++)
        if (c->model->statements[k]->kind == RG_STATEMENT_OVER) {
            p->b = 1.0;
            return RG_OK; /* its name was refused, and that is told */
        }
    if (time == NULL) {
        rg_fail(c->ctx, RG_ERR_SYNTAX, "the model does not say over which interval to solve");
        c->n_errors++;
        const int32_t end = c->source->length;
        rg_fail_at(c->ctx, c->source, (rg_span){end, end});
        rg_remedy(c->ctx, "add a line such as: over t = 0 .. 10");
        p->b = 1.0;
        return RG_OK;
    }
    p->time_name = rg_copy_text(c->ctx, time->name, strlen(time->name));
    if (p->time_name == NULL) return RG_ERR_MEMORY;
    if (rg_constant_value(c, time->statement->left, INT32_MAX, "the start of the interval", &p->a)
            != RG_OK
        || rg_constant_value(c, time->statement->right, INT32_MAX, "the end of the interval", &p->b)
               != RG_OK)
        return RG_OK; /* recorded */
    if (p->a == p->b) {
        rg_bad(c, time->statement->span, "the interval %g .. %g is empty", p->a, p->b);
        rg_bad_remedy(c, "give two different ends");
    }
    return RG_OK;
}

static rg_status check_settings(compiler *c)
{
    for (int k = 0; k < c->n_settings; k++) {
        const symbol *sym = rg_find_symbol(c, c->settings[k].name);
        if (sym != NULL && (sym->kind == SYM_PARAM || sym->statement->kind == RG_STATEMENT_PARAM)
            && sym->kind != SYM_ARRAY)
            continue;
        const char **words = rg_alloc(c->ctx, (size_t)c->n_symbols + 1, sizeof *words);
        int n = 0;
        if (words == NULL) return RG_ERR_MEMORY;
        for (int64_t i = 0; i < c->n_symbols; i++)
            if (c->symbols[i].kind == SYM_PARAM) words[n++] = c->symbols[i].name;
        const char *near = rg_nearest_word(c->settings[k].name, n, words);
        rg_free(c->ctx, words);
        rg_fail(c->ctx, RG_ERR_ARGUMENT, "the model has no parameter '%s' that could be set",
                c->settings[k].name);
        if (near != NULL) return rg_remedy(c->ctx, "did you mean '%s'?", near);
        return rg_remedy(c->ctx, "single values declared with 'param' can be set");
    }
    return RG_OK;
}

/* Arguments of functions and indices of let: distinct, not declared. */
static rg_status check_arguments(compiler *c, const symbol *sym)
{
    const rg_statement *st = sym->statement;

    if (st->n_ranges > RG_MAX_ARGUMENTS) {
        rg_bad(c, st->span, "'%s' has more than %d arguments", sym->name, RG_MAX_ARGUMENTS);
        rg_bad_remedy(c, "use fewer arguments");
        return RG_ERR_SYNTAX;
    }
    for (int k = 0; k < st->n_ranges; k++)
        for (int i = 0; i < k; i++)
            if (strcmp(st->ranges[k].name, st->ranges[i].name) == 0) {
                rg_bad(c, st->ranges[k].span, "'%s' is named twice", st->ranges[k].name);
                rg_bad_remedy(c, "give every argument a name of its own");
                return RG_ERR_SYNTAX;
            }
    return RG_OK;
}

rg_status rg_declare_all(compiler *c)
{
    RG_TRY(collect_names(c));
    RG_TRY(check_settings(c));
    for (int64_t k = 0; k < c->n_symbols; k++) {
        symbol *sym = &c->symbols[k];
        rg_status status = RG_OK;
        if (sym->kind == SYM_PARAM) status = declare_param(c, sym);
        if (sym->kind == SYM_ARRAY) status = rg_declare_array(c, sym);
        if (sym->kind == SYM_FUN || sym->kind == SYM_LET) status = check_arguments(c, sym);
        if (status == RG_OK && sym->kind == SYM_LET) status = declare_ranges(c, sym);
        if (status == RG_ERR_MEMORY) return status;
        if (status != RG_OK) sym->is_bad = true;
    }
    RG_TRY(declare_over(c));
    return declare_families(c);
}
