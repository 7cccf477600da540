/* Declarations: parameters, arrays, unknowns, the independent variable. */
#include "model/compiler.h"
#include "model/tuning.h"

#include <math.h>
#include <string.h>

static const char *kind_word(const symbol *sym)
{
    static const char *const words[] = {"a parameter",
                                        "a constant array",
                                        "a let",
                                        "a function",
                                        "a table",
                                        "an unknown",
                                        "the independent variable",
                                        "an axis",
                                        "a field",
                                        "a vector",
                                        "given data",
                                        "a solid",
                                        "a well"};

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
        case RG_STATEMENT_TABLE:
            kind = SYM_TABLE;
            break;
        case RG_STATEMENT_VAR:
            kind = SYM_VAR;
            break;
        case RG_STATEMENT_STATE:
            kind = SYM_VAR;
            break;
        case RG_STATEMENT_OVER:
            kind = SYM_TIME;
            break;
        case RG_STATEMENT_DOMAIN:
            kind = SYM_AXIS;
            break;
        case RG_STATEMENT_FIELD:
            kind = SYM_FIELD;
            break;
        case RG_STATEMENT_VECTOR:
            kind = SYM_VECTOR;
            break;
        case RG_STATEMENT_DATA:
            kind = SYM_DATA;
            break;
        case RG_STATEMENT_SOLID:
            kind = SYM_SOLID;
            break;
        case RG_STATEMENT_WELL:
            kind = SYM_WELL;
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

/* Refused before it is taken: what reading and analysing the simplest equations needs. */
static rg_status check_memory(compiler *c, double n)
{
    const double needed = RG_UNKNOWN_BYTES * n, there = rg_machine_memory();

    if (!(needed > there)) return RG_OK;
    c->n_errors++;
    rg_fail(c->ctx, RG_ERR_MEMORY,
            "out of memory: %.3g unknowns need %.2g GB or more, and there are %.2g GB", n,
            1e-9 * needed, 1e-9 * there);
    return rg_remedy(c->ctx, "choose smaller bounds, or use a larger machine");
}

static rg_status declare_family(compiler *c, symbol *sym, rg_family *f)
{
    RG_TRY(rg_declare_ranges(c, sym));
    const double size = rg_array_size(sym);
    if (sym->statement->kind == RG_STATEMENT_PARAM && sym->n_dims > 0) {
        rg_bad(c, sym->statement->span, "an unknown constant is a single value, not an array");
        rg_bad_remedy(c, "declare the constants one by one, as in param a ~ 1, b ~ 2");
        return RG_ERR_SYNTAX;
    }
    if (size + (double)c->p->n > RG_MAX_UNKNOWNS) return rg_too_large(c, sym->statement, size);
    RG_TRY(check_memory(c, size + (double)c->p->n));
    f->n_dims = sym->n_dims;
    memcpy(f->low, sym->low, sizeof f->low);
    memcpy(f->extent, sym->extent, sizeof f->extent);
    f->first = c->p->n;
    f->count = (int64_t)size;
    f->is_state = sym->statement->kind == RG_STATEMENT_STATE;
    f->is_constant = f->is_state || sym->statement->kind == RG_STATEMENT_PARAM;
    if (f->is_state) c->p->n_states += (int64_t)size;
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
            c->lacks_interval = true;
            return RG_OK; /* its name was refused, and that is told */
        }
    if (time == NULL && c->model->has_fields) { /* one solve, if nothing has a derivative */
        p->b = 1.0;
        return RG_OK;
    }
    if (time == NULL) {
        rg_fail(c->ctx, RG_ERR_SYNTAX, "the model does not say over which interval to solve");
        c->n_errors++;
        const int32_t end = c->source->length;
        rg_fail_at(c->ctx, c->source, (rg_span){end, end});
        rg_remedy(c->ctx, "add a line such as: over t = 0 .. 10");
        p->b = 1.0;
        c->lacks_interval = true;
        return RG_OK;
    }
    p->time_name = rg_copy_text(c->ctx, time->name, strlen(time->name));
    if (p->time_name == NULL) return RG_ERR_MEMORY;
    if (rg_constant_value(c, time->statement->left, INT32_MAX, "the start of the interval", &p->a)
            != RG_OK
        || rg_constant_value(c, time->statement->right, INT32_MAX, "the end of the interval", &p->b)
               != RG_OK) {
        c->lacks_interval = true;
        return RG_OK; /* recorded */
    }
    if (p->a == p->b) {
        c->lacks_interval = true;
        rg_bad(c, time->statement->span, "the interval %g .. %g is empty", p->a, p->b);
        rg_bad_remedy(c, "give two different ends");
    }
    return RG_OK;
}

static rg_status check_settings(compiler *c)
{
    for (int k = 0; k < c->n_settings; k++) {
        if (strcmp(c->settings[k].name, RG_SETTING_CELLS) == 0) continue;
        const symbol *sym = rg_find_symbol(c, c->settings[k].name);
        const rg_statement *st = sym != NULL ? sym->statement : NULL;
        if (st != NULL && (st->kind == RG_STATEMENT_PARAM || st->kind == RG_STATEMENT_STATE)
            && st->n_ranges == 0)
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
        if (sym->kind == SYM_TABLE) status = rg_declare_table(c, sym);
        if (sym->kind == SYM_FUN || sym->kind == SYM_LET) status = check_arguments(c, sym);
        if (status == RG_OK && sym->kind == SYM_LET) status = rg_declare_ranges(c, sym);
        if (status == RG_ERR_MEMORY) return status;
        if (status != RG_OK) sym->is_bad = true;
    }
    RG_TRY(rg_keep_parameters(c));
    RG_TRY(declare_over(c));
    return declare_families(c);
}
