/* Vectors by their components: what is left are scalar expressions of axes, fields, components
 * u[x], data and time, which the compiler of expressions knows. */
#include "pdae/form/inside.h"

#include <stdio.h>
#include <string.h>

static const rg_ast *scalar_of(recognizer *r, const rg_ast *ast);

static bool is_grid_call(const rg_ast *ast)
{
    static const char *const names[] = {"norm", "dot", "curl", "grad", "div", "lap", "dispersion"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (rg_form_is_call(ast, names[k], -1)) return true;
    return false;
}

/* Is there anything in it that only grids know?  Scalar parts of a let count. */
static bool has_grid_parts(recognizer *r, const rg_ast *ast)
{
    const rg_ast *let = rg_form_let(r, ast);

    if (let != NULL) return has_grid_parts(r, let);
    if (is_grid_call(ast)) return true;
    for (int k = 0; k < ast->n_args; k++)
        if (has_grid_parts(r, ast->args[k])) return true;
    return false;
}

static const rg_ast *fail_derivative(recognizer *r, const rg_ast *ast)
{
    char quote[RG_QUOTED];

    rg_bad(r->c, ast->span, "'%s' cannot stand in this place", rg_form_quote(r, ast->span, quote));
    rg_bad_remedy(r->c, "'regula help grids' lists the forms; a coefficient has no derivatives");
    return NULL;
}

/* u[x], or what an output reads: curl(u), curl(u)[z], div(u). */
static const rg_ast *leaf(recognizer *r, const char *head, const rg_ast *field, int axis,
                          rg_span span)
{
    char name[2 * RG_MODEL_NAME + 16];
    size_t used = 0;

    if (head == NULL)
        used = (size_t)snprintf(name, sizeof name, "%s", field->text);
    else
        used = (size_t)snprintf(name, sizeof name, "%s(%s)", head, field->text);
    if (axis >= 0) snprintf(name + used, sizeof name - used, "[%s]", r->form->axis_name[axis]);
    return rg_tree_name(r, name, span);
}

static const rg_ast *derived(recognizer *r, const rg_ast *ast, int axis)
{
    const rg_ast *of = ast->n_args == 2 ? ast->args[1] : NULL;
    const bool is_known = rg_form_is_call(ast, "curl", 1) || rg_form_is_call(ast, "div", 1);

    if (!r->in_output || !is_known || rg_form_field_of(r, of, true) < 0)
        return fail_derivative(r, ast);
    return leaf(r, ast->args[0]->text, of, axis, ast->span);
}

/* sum_d a_d b_d */
static const rg_ast *dot(recognizer *r, const rg_ast *a, const rg_ast *b)
{
    rg_ast *sum = NULL;

    for (int d = 0; d < r->form->grid->dims; d++) {
        const rg_ast *x = rg_form_component(r, a, d);
        const rg_ast *y = x == NULL ? NULL : rg_form_component(r, b, d);
        if (y == NULL) return NULL;
        if ((sum = rg_tree_add(r, sum, rg_tree_multiply(r, x, y))) == NULL) return NULL;
    }
    return sum;
}

static const rg_ast *scalar_call(recognizer *r, const rg_ast *ast)
{
    if (rg_form_is_call(ast, "dot", 2)) return dot(r, ast->args[1], ast->args[2]);
    if (rg_form_is_call(ast, "norm", 1)) {
        const rg_ast *square = dot(r, ast->args[1], ast->args[1]);
        return square == NULL ? NULL : rg_tree_call(r, "sqrt", 1, &square);
    }
    return derived(r, ast, -1);
}

static const rg_ast *scalar_of(recognizer *r, const rg_ast *ast)
{
    const rg_ast *let = rg_form_let(r, ast);

    if (!has_grid_parts(r, ast)) return ast;
    if (let != NULL) return scalar_of(r, let);
    if (is_grid_call(ast)) return scalar_call(r, ast);
    rg_ast *node = rg_tree_copy(r, ast);
    for (int k = ast->kind == RG_AST_CALL ? 1 : 0; node != NULL && k < ast->n_args; k++) {
        const rg_ast *part = scalar_of(r, ast->args[k]);
        if (part == NULL) return NULL;
        node->args[k] = (rg_ast *)(uintptr_t)part;
    }
    return node;
}

/* Parts of a vector expression that are scalars stay, those that are vectors give component d. */
static const rg_ast *by_parts(recognizer *r, const rg_ast *ast, int first, int d)
{
    rg_ast *node = rg_tree_copy(r, ast);

    for (int k = first; node != NULL && k < ast->n_args; k++) {
        const kind part_kind = rg_form_kind_of(r, ast->args[k]);
        const rg_ast *part = part_kind == KIND_BAD      ? NULL
                             : part_kind == KIND_SCALAR ? scalar_of(r, ast->args[k])
                                                        : rg_form_component(r, ast->args[k], d);
        if (part == NULL) return NULL;
        node->args[k] = (rg_ast *)(uintptr_t)part;
    }
    return node;
}

const rg_ast *rg_form_component(recognizer *r, const rg_ast *ast, int d)
{
    const rg_ast *let = rg_form_let(r, ast);
    const kind of = rg_form_kind_of(r, ast);

    if (of == KIND_BAD) return NULL;
    if (of == KIND_SCALAR) return scalar_of(r, ast);
    if (let != NULL) return rg_form_component(r, let, d);
    if (ast->kind == RG_AST_LIST) return scalar_of(r, ast->args[d]);
    if (rg_form_field_of(r, ast, true) >= 0) return leaf(r, NULL, ast, d, ast->span);
    if (ast->kind == RG_AST_UNARY || ast->kind == RG_AST_BINARY) return by_parts(r, ast, 0, d);
    if (rg_form_is_call(ast, "if", 3)) return by_parts(r, ast, 1, d);
    if (ast->kind == RG_AST_CALL) return derived(r, ast, d);
    return fail_derivative(r, ast);
}

rg_status rg_form_values(recognizer *r, const rg_ast *ast, bool is_vector, const char *what,
                         rg_quantity *value[RG_AXES])
{
    const int n = is_vector ? r->form->grid->dims : 1;
    const kind of = rg_form_kind_of(r, ast);
    const bool is_zero = ast->kind == RG_AST_NUMBER && ast->value == 0;

    if (of == KIND_BAD) return RG_ERR_SYNTAX;
    if (of != (is_vector ? KIND_VECTOR : KIND_SCALAR) && !(is_vector && is_zero)) {
        const bool is_one = is_vector && n == 1 && of == KIND_SCALAR;
        if (!is_one) {
            rg_bad(r->c, ast->span, "%s is a %s", what, is_vector ? "vector" : "scalar");
            rg_bad_remedy(r->c, is_vector ? "give one component per axis, as in (0, 1)"
                                          : "give one value");
            return RG_ERR_SYNTAX;
        }
    }
    for (int d = 0; d < n; d++) {
        const rg_ast *part = rg_form_component(r, ast, d);
        if (part == NULL) return RG_ERR_SYNTAX;
        RG_TRY(rg_quantity_create(r, part, ast->span, what, &value[d]));
    }
    return RG_OK;
}
