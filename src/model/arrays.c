/* Constants, bounds and values of arrays. */
#include "model/compiler.h"
#include "model/tuning.h"

#include <math.h>
#include <string.h>

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
rg_status rg_declare_ranges(compiler *c, symbol *sym)
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
        if (floor(low) != low || floor(high) != high || fabs(low) > RG_WHOLE_MOST
            || fabs(high) > RG_WHOLE_MOST) {
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

double rg_array_size(const symbol *sym)
{
    double size = 1.0;

    for (int k = 0; k < sym->n_dims; k++)
        size *= (double)sym->extent[k];
    return size;
}

rg_status rg_too_large(compiler *c, const rg_statement *st, double size)
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
            bound[k] = (binding){st->ranges[k].name, &b, rg_graph_data(b.graph, k), s.names};
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
    RG_TRY(rg_declare_ranges(c, array));
    const double size = rg_array_size(array);
    if (size > RG_MAX_UNKNOWNS) return rg_too_large(c, array->statement, size);
    array->values = rg_alloc(c->ctx, size > 0 ? (size_t)size : 1, sizeof *array->values);
    if (array->values == NULL) return RG_ERR_MEMORY;
    const rg_ast *right = array->statement->right;
    return right->kind == RG_AST_LIST ? list_values(c, array, right, (int64_t)size)
                                      : formula_values(c, array, right);
}
