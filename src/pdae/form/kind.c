/* Scalars and vectors: what an expression of a text with fields is. */
#include "pdae/form/inside.h"

#include <string.h>

const symbol *rg_form_symbol(recognizer *r, const rg_ast *ast)
{
    if (ast->kind != RG_AST_NAME && ast->kind != RG_AST_INDEX) return NULL;
    return rg_find_symbol(r->c, ast->text);
}

const rg_ast *rg_form_let(recognizer *r, const rg_ast *ast)
{
    const symbol *sym = ast->kind == RG_AST_NAME ? rg_find_symbol(r->c, ast->text) : NULL;

    return sym != NULL && sym->kind == SYM_LET && sym->statement->n_ranges == 0
               ? sym->statement->right
               : NULL;
}

int rg_form_axis(recognizer *r, const rg_ast *ast)
{
    for (int d = 0; d < RG_AXES && ast->kind == RG_AST_NAME; d++)
        if (r->form->axis_name[d] != NULL && strcmp(r->form->axis_name[d], ast->text) == 0)
            return d;
    return -1;
}

int rg_form_field_of(recognizer *r, const rg_ast *ast, bool is_vector)
{
    if (ast->kind != RG_AST_NAME) return -1;
    const int f = rg_form_find_field(r->form, ast->text);
    return f >= 0 && r->form->fields[f].is_vector == is_vector ? f : -1;
}

bool rg_form_is_call(const rg_ast *ast, const char *name, int n_args)
{
    return ast->kind == RG_AST_CALL && ast->args[0]->kind == RG_AST_NAME
           && strcmp(ast->args[0]->text, name) == 0 && (n_args < 0 || ast->n_args == n_args + 1);
}

/* ---- messages -------------------------------------------------------------------------------- */
/* u*grad(c), as it is often written for dot(u, grad(c)). */
static bool is_carried(const rg_ast *ast)
{
    return ast->kind == RG_AST_BINARY && ast->op == '*' && rg_form_is_call(ast->args[1], "grad", 1);
}

static kind fail_mixed(recognizer *r, const rg_ast *ast, kind left)
{
    const bool subtracts = ast->op == '-', is_vector_first = left == KIND_VECTOR;
    const rg_ast *scalar = ast->args[is_vector_first ? 1 : 0],
                 *vector = ast->args[is_vector_first ? 0 : 1];
    char quote[RG_QUOTED], a[RG_QUOTED], b[RG_QUOTED];

    rg_bad(r->c, ast->span, "'%s': a %s is %s a %s", rg_form_quote(r, ast->span, quote),
           is_vector_first || !subtracts ? "scalar" : "vector",
           subtracts ? "subtracted from" : "added to",
           is_vector_first || !subtracts ? "vector" : "scalar");
    if (is_carried(vector))
        rg_bad_remedy(r->c, "write 'dot(%s, %s)'", rg_form_quote(r, vector->args[0]->span, a),
                      rg_form_quote(r, vector->args[1]->span, b));
    else if (rg_form_field_of(r, scalar, false) >= 0)
        rg_bad_remedy(r->c, "write 'grad(%s)'", scalar->text);
    else
        rg_bad_remedy(r->c, "write a vector with a component per axis, or take a component: u[%s]",
                      r->form->axis_name[0]);
    return KIND_BAD;
}

static kind fail_operand(recognizer *r, const rg_ast *call, const char *needs)
{
    const rg_ast *of = call->args[1];
    char quote[RG_QUOTED], inner[RG_QUOTED];
    const bool is_div = strcmp(call->text, "div") == 0;

    rg_form_quote(r, call->span, quote);
    rg_form_quote(r, of->span, inner);
    if (rg_form_field_of(r, of, false) >= 0)
        rg_bad(r->c, of->span, "'%s': %s is a scalar field; %s needs %s", quote, inner, call->text,
               needs);
    else
        rg_bad(r->c, of->span, "'%s': %s needs %s", quote, call->text, needs);
    if (is_div && of->kind == RG_AST_NAME)
        rg_bad_remedy(r->c, "'lap(%s)' is div(grad(%s)); declare 'vector %s' if it has components",
                      inner, inner, inner);
    else
        rg_bad_remedy(r->c, "'regula help grids' lists what may stand in equations");
    return KIND_BAD;
}

static kind fail_product(recognizer *r, const rg_ast *ast)
{
    char quote[RG_QUOTED];

    rg_bad(r->c, ast->span, "'%s': two vectors are multiplied", rg_form_quote(r, ast->span, quote));
    rg_bad_remedy(r->c, "write dot(a, b) for the scalar product, div(u*u) for convection");
    return KIND_BAD;
}

static kind fail_inside(recognizer *r, const rg_ast *ast, const char *what)
{
    char quote[RG_QUOTED];

    rg_bad(r->c, ast->span, "'%s': a vector cannot stand in %s", rg_form_quote(r, ast->span, quote),
           what);
    rg_bad_remedy(r->c, "take a component, as in u[%s], or norm(u)", r->form->axis_name[0]);
    return KIND_BAD;
}

/* ---- rules ----------------------------------------------------------------------------------- */
static bool is_zero(const rg_ast *ast)
{
    return ast->kind == RG_AST_NUMBER && ast->value == 0;
}

/* A vector that is written out, without any field that is a vector. */
static bool is_written(recognizer *r, const rg_ast *ast)
{
    const rg_ast *let = rg_form_let(r, ast);

    if (let != NULL) return is_written(r, let);
    if (ast->kind == RG_AST_LIST) return true;
    if (ast->kind == RG_AST_UNARY) return is_written(r, ast->args[0]);
    if (ast->kind != RG_AST_BINARY || strchr("*/+-", ast->op) == NULL) return false;
    const bool a = is_written(r, ast->args[0]), b = is_written(r, ast->args[1]);
    return strchr("*/", ast->op) != NULL ? a || b : a && b;
}

static kind kind_of_product(recognizer *r, const rg_ast *ast, kind a, kind b)
{
    if (ast->op == '/') {
        if (b == KIND_SCALAR) return a;
        if (b == KIND_VECTOR && is_written(r, ast->args[1]) && a != KIND_TENSOR) return KIND_VECTOR;
        return fail_product(r, ast);
    }
    if (a == KIND_SCALAR) return b;
    if (b == KIND_SCALAR) return a;
    if (a == KIND_TENSOR || b == KIND_TENSOR) return fail_product(r, ast);
    return is_written(r, ast->args[0]) || is_written(r, ast->args[1]) ? KIND_VECTOR : KIND_TENSOR;
}

/* With one axis a scalar without derivatives may stand for a vector; a field alone is rather one
 * that lacks its gradient. */
bool rg_form_is_single(recognizer *r, const rg_ast *ast)
{
    return r->form->grid->dims == 1 && rg_form_field_of(r, ast, false) < 0
           && !rg_form_has_derivatives(r, ast);
}

static kind kind_of_sum(recognizer *r, const rg_ast *ast, kind a, kind b)
{
    const rg_ast *scalar = ast->args[a == KIND_SCALAR ? 0 : 1];

    if (a == b || is_zero(ast->args[1])) return a;
    if (is_zero(ast->args[0])) return b;
    if (a == KIND_TENSOR || b == KIND_TENSOR || !rg_form_is_single(r, scalar))
        return fail_mixed(r, ast, a);
    return KIND_VECTOR;
}

static kind kind_of_binary(recognizer *r, const rg_ast *ast)
{
    const kind a = rg_form_kind_of(r, ast->args[0]);
    const kind b = a == KIND_BAD ? a : rg_form_kind_of(r, ast->args[1]);

    if (b == KIND_BAD) return b;
    if (ast->op == '*' || ast->op == '/') return kind_of_product(r, ast, a, b);
    if (ast->op == '+' || ast->op == '-') return kind_of_sum(r, ast, a, b);
    if (a == KIND_SCALAR && b == KIND_SCALAR) return KIND_SCALAR;
    return fail_inside(r, a != KIND_SCALAR ? ast->args[0] : ast->args[1],
                       ast->op == '^' ? "a power" : "a comparison");
}

static kind kind_of_list(recognizer *r, const rg_ast *ast)
{
    char quote[RG_QUOTED];

    for (int k = 0; k < ast->n_args; k++) {
        const kind inner = rg_form_kind_of(r, ast->args[k]);
        if (inner == KIND_BAD) return inner;
        if (inner != KIND_SCALAR) return fail_inside(r, ast->args[k], "a list");
    }
    if (ast->n_args == r->form->grid->dims) return KIND_VECTOR;
    rg_bad(r->c, ast->span, "'%s' has %d components, but the domain has %d ax%s",
           rg_form_quote(r, ast->span, quote), ast->n_args, r->form->grid->dims,
           r->form->grid->dims == 1 ? "is" : "es");
    rg_bad_remedy(r->c, "give one component per axis");
    return KIND_BAD;
}

static kind kind_of_curl(recognizer *r, const rg_ast *ast, kind of)
{
    const int dims = r->form->grid->dims;

    if (dims == 3 && of == KIND_VECTOR) return KIND_VECTOR;
    if (dims == 2 && of == KIND_VECTOR) return KIND_SCALAR;
    if (dims == 2 && of == KIND_SCALAR) return KIND_VECTOR;
    return fail_operand(r, ast, dims == 3 ? "a vector of three components" : "two or three axes");
}

static kind kind_of_operator(recognizer *r, const rg_ast *ast, bool *is_known)
{
    const kind of = ast->n_args > 1 ? rg_form_kind_of(r, ast->args[1]) : KIND_BAD;
    const kind by = ast->n_args > 2 ? rg_form_kind_of(r, ast->args[2]) : KIND_BAD;

    *is_known = true;
    if (rg_form_is_call(ast, "grad", 1)) {
        if (of == KIND_TENSOR) return fail_operand(r, ast, "a scalar or a vector");
        return of == KIND_SCALAR ? KIND_VECTOR : of == KIND_VECTOR ? KIND_TENSOR : of;
    }
    if (rg_form_is_call(ast, "div", 1)) {
        if (of == KIND_SCALAR) return fail_operand(r, ast, "a vector");
        return of == KIND_VECTOR ? KIND_SCALAR : of == KIND_TENSOR ? KIND_VECTOR : of;
    }
    if (rg_form_is_call(ast, "lap", 1))
        return of == KIND_TENSOR ? fail_operand(r, ast, "a scalar or a vector") : of;
    if (rg_form_is_call(ast, "curl", 1)) return of == KIND_BAD ? of : kind_of_curl(r, ast, of);
    if (rg_form_is_call(ast, "norm", 1))
        return of == KIND_SCALAR ? fail_operand(r, ast, "a vector")
               : of == KIND_BAD  ? of
                                 : KIND_SCALAR;
    if (rg_form_is_call(ast, "dot", 2)) {
        if (of == KIND_BAD || by == KIND_BAD) return KIND_BAD;
        if (of == KIND_VECTOR && by == KIND_VECTOR) return KIND_SCALAR;
        if (of == KIND_VECTOR && by == KIND_TENSOR) return KIND_VECTOR;
        if (of == KIND_SCALAR && by == KIND_VECTOR && rg_form_is_single(r, ast->args[1]))
            return KIND_SCALAR;
        return fail_operand(r, ast, "two vectors");
    }
    if (rg_form_is_call(ast, "dispersion", 4)) return of == KIND_BAD ? of : KIND_SCALAR;
    *is_known = false;
    return KIND_BAD;
}

static bool is_operator(const rg_ast *ast)
{
    static const char *const names[] = {"grad", "div", "lap", "curl", "norm", "dot", "dispersion"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (rg_form_is_call(ast, names[k], -1)) return true;
    return false;
}

/* Functions take scalars; if() may choose between vectors. */
static kind kind_of_call(recognizer *r, const rg_ast *ast)
{
    bool is_known;
    kind result = KIND_SCALAR;
    char quote[RG_QUOTED];

    if (is_operator(ast)) {
        const kind found = kind_of_operator(r, ast, &is_known);
        if (is_known) return found;
        rg_bad(r->c, ast->span, "'%s' has %d arguments", rg_form_quote(r, ast->span, quote),
               ast->n_args - 1);
        rg_bad_remedy(r->c, "write grad(s), div(v), lap(s), curl(v), norm(v), dot(v, w) or "
                            "dispersion(u, dm, dl, dt)");
        return KIND_BAD;
    }
    for (int k = 1; k < ast->n_args; k++) {
        const kind inner = rg_form_kind_of(r, ast->args[k]);
        if (inner == KIND_BAD) return inner;
        if (inner != KIND_SCALAR && (!rg_form_is_call(ast, "if", 3) || k == 1))
            return fail_inside(r, ast->args[k], "a function");
        if (k > 1 && rg_form_is_call(ast, "if", 3)) result = inner;
    }
    return result;
}

/* A let is looked at once. */
static kind kind_of_let(recognizer *r, const rg_ast *ast, const rg_ast *definition)
{
    symbol *let = rg_find_symbol(r->c, ast->text);

    if (let->family < 0) {
        const kind found = rg_form_kind_of(r, definition);
        if (found == KIND_BAD) return found;
        let->family = (int32_t)found;
    }
    return (kind)let->family;
}

static kind kind_of_name(recognizer *r, const rg_ast *ast)
{
    const symbol *sym = rg_form_symbol(r, ast);
    const rg_ast *let = rg_form_let(r, ast);

    if (let != NULL) return kind_of_let(r, ast, let);
    if (sym == NULL || sym->kind != SYM_VECTOR) return KIND_SCALAR; /* elaboration checks names */
    if (ast->kind == RG_AST_NAME) return KIND_VECTOR;
    if (ast->n_args == 1 && rg_form_axis(r, ast->args[0]) >= 0) return KIND_SCALAR;
    rg_bad(r->c, ast->args[0]->span, "a component of '%s' is named by its axis", ast->text);
    rg_bad_remedy(r->c, "write %s[%s]", ast->text, r->form->axis_name[0]);
    return KIND_BAD;
}

kind rg_form_kind_of(recognizer *r, const rg_ast *ast)
{
    kind result = KIND_SCALAR;

    if (++r->c->nesting > RG_MAX_NESTING) {
        r->c->nesting--;
        rg_bad(r->c, ast->span, "expressions are nested more than %d deep through let",
               RG_MAX_NESTING);
        rg_bad_remedy(r->c, "a let cannot use itself");
        return KIND_BAD;
    }
    switch (ast->kind) {
    case RG_AST_NAME:
    case RG_AST_INDEX:
        result = kind_of_name(r, ast);
        break;
    case RG_AST_CALL:
        result = kind_of_call(r, ast);
        break;
    case RG_AST_LIST:
        result = kind_of_list(r, ast);
        break;
    case RG_AST_BINARY:
        result = kind_of_binary(r, ast);
        break;
    case RG_AST_PRIME:
    case RG_AST_UNARY:
        result = rg_form_kind_of(r, ast->args[0]);
        break;
    default:
        break;
    }
    r->c->nesting--;
    return result;
}
