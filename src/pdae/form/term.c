/* An equation as a sum of terms: scale * factor * derivative of a field.  Sums inside products and
 * operators are taken apart, names of let are looked through. */
#include "pdae/form/inside.h"

#include <string.h>

typedef struct { /* what stands in front of the expression that is split */
    double scale;
    const rg_ast *factor;
    rg_span span; /* of the whole term, 0 0: of the expression */
} front;

static rg_status split(recognizer *r, equation *e, const rg_ast *ast, front f);

rg_status rg_form_refuse(recognizer *r, rg_span span)
{
    char quote[RG_QUOTED];

    rg_bad(r->c, span, "'%s' fits none of the forms that regula solves on grids",
           rg_form_quote(r, span, quote));
    rg_bad_remedy(r->c, "the forms are: m*u' + div(u*u) = div(nu*grad(u)) - grad(p) + f with "
                        "div(u) = q; r*u = -grad(p) + f with div(u) = q; phi*c' + div(u*c) = "
                        "div(k*grad(c)) + g; 0 = div(k*grad(s)) + g ('regula help grids')");
    return RG_ERR_SYNTAX;
}

static rg_status add(recognizer *r, equation *e, front f, const rg_ast *ast, term t)
{
    if (e->n_terms == RG_TERMS) {
        rg_bad(r->c, e->statement->span, "an equation with more than %d terms", RG_TERMS);
        rg_bad_remedy(r->c, "put terms without derivatives into a let");
        return RG_ERR_SYNTAX;
    }
    t.scale = f.scale;
    t.factor = f.factor;
    t.span = f.span.end > 0 ? f.span : ast->span;
    e->terms[e->n_terms++] = t;
    return RG_OK;
}

/* ---- what an expression contains ------------------------------------------------------------- */
static bool is_derivative(const rg_ast *ast)
{
    return rg_form_is_call(ast, "grad", -1) || rg_form_is_call(ast, "div", -1)
           || rg_form_is_call(ast, "lap", -1) || ast->kind == RG_AST_PRIME;
}

bool rg_form_has_derivatives(recognizer *r, const rg_ast *ast)
{
    const rg_ast *let = rg_form_let(r, ast);

    if (let != NULL) return rg_form_has_derivatives(r, let);
    if (is_derivative(ast)) return true;
    for (int k = ast->kind == RG_AST_CALL ? 1 : 0; k < ast->n_args; k++)
        if (rg_form_has_derivatives(r, ast->args[k])) return true;
    return false;
}

static bool is_scalar(recognizer *r, const rg_ast *ast)
{
    return rg_form_kind_of(r, ast) == KIND_SCALAR;
}

/* A factor in front: numbers go to the scale. */
static rg_status put_in_front(recognizer *r, front *f, const rg_ast *ast, bool divides)
{
    while (ast->kind == RG_AST_UNARY && ast->op == '-') {
        f->scale = -f->scale;
        ast = ast->args[0];
    }
    if (ast->kind == RG_AST_NUMBER && (ast->value != 0 || !divides)) {
        f->scale = divides ? f->scale / ast->value : f->scale * ast->value;
        return RG_OK;
    }
    f->factor = divides ? rg_tree_divide(r, f->factor, ast) : rg_tree_multiply(r, f->factor, ast);
    return f->factor != NULL ? RG_OK : RG_ERR_MEMORY;
}

/* ---- products -------------------------------------------------------------------------------- */
/* a*b or a/b, one of which is to be split further. */
static rg_status split_product(recognizer *r, equation *e, const rg_ast *ast, front f)
{
    const rg_ast *a = ast->args[0], *b = ast->args[1];
    const bool divides = ast->op == '/';
    const bool in_a = rg_form_has_derivatives(r, a), in_b = rg_form_has_derivatives(r, b);

    if (f.span.end == 0) f.span = ast->span;
    if ((in_a && in_b) || (divides && in_b)) return rg_form_refuse(r, ast->span);
    const bool first = in_a || divides || (!in_b && !is_scalar(r, a) && is_scalar(r, b));
    const bool moves = in_a || in_b || !is_scalar(r, ast);
    if (!moves) return add(r, e, f, ast, (term){.kind = TERM_PLAIN, .vector = ast});
    RG_TRY(put_in_front(r, &f, first ? b : a, divides));
    return split(r, e, first ? a : b, f);
}

/* ---- operators ------------------------------------------------------------------------------- */
typedef struct { /* the factors of a product inside div() */
    front f;     /* constants, and what is neither a gradient nor a field */
    const rg_ast *gradient, *dispersion, *vector[2];
    int n_vectors;
    int field; /* a scalar field that stands alone, -1 */
    bool is_bad;
} product;

static void read_factors(recognizer *r, const rg_ast *ast, bool divides, product *out)
{
    const rg_ast *let = rg_form_let(r, ast);

    if (let != NULL && (rg_form_has_derivatives(r, let) || !is_scalar(r, let))) {
        read_factors(r, let, divides, out);
    } else if (ast->kind == RG_AST_UNARY && ast->op == '-') {
        out->f.scale = -out->f.scale;
        read_factors(r, ast->args[0], divides, out);
    } else if (ast->kind == RG_AST_BINARY && ast->op == '*') {
        read_factors(r, ast->args[0], divides, out);
        read_factors(r, ast->args[1], divides, out);
    } else if (ast->kind == RG_AST_BINARY && ast->op == '/') {
        read_factors(r, ast->args[0], divides, out);
        read_factors(r, ast->args[1], !divides, out);
    } else if (rg_form_is_call(ast, "grad", 1) && !divides && out->gradient == NULL) {
        out->gradient = ast->args[1];
    } else if (rg_form_is_call(ast, "dispersion", 4) && !divides && out->dispersion == NULL) {
        out->dispersion = ast;
    } else if (rg_form_has_derivatives(r, ast)) {
        out->is_bad = true;
    } else if (!is_scalar(r, ast) && !divides && out->n_vectors < 2) {
        out->vector[out->n_vectors++] = ast;
    } else if (!divides && out->field < 0 && rg_form_field_of(r, ast, false) >= 0) {
        out->field = rg_form_field_of(r, ast, false);
    } else if (put_in_front(r, &out->f, ast, divides) != RG_OK) {
        out->is_bad = true;
    }
}

static int any_field(recognizer *r, const rg_ast *ast)
{
    const int scalar = rg_form_field_of(r, ast, false);

    return scalar >= 0 ? scalar : rg_form_field_of(r, ast, true);
}

/* A factor without axes, fields and data may stand outside of a divergence. */
static bool moves_out(recognizer *r, const rg_ast *factor, bool *is_constant)
{
    rg_quantity *q = NULL;

    *is_constant = factor == NULL;
    if (factor == NULL) return true;
    const rg_ast *scalar = rg_form_component(r, factor, 0);
    if (scalar == NULL || rg_quantity_create(r, scalar, factor->span, "a coefficient", &q) != RG_OK)
        return false;
    const bool may = (q->uses & (RG_USES_SPACE | RG_USES_FIELDS | RG_USES_DATA)) == 0;
    *is_constant = q->uses == 0;
    rg_quantity_destroy(r->ctx, &q);
    return may;
}

/* div(inner*grad(field)) */
static rg_status add_diffusion(recognizer *r, equation *e, const rg_ast *ast, front f, product *p)
{
    const int field = any_field(r, p->gradient);
    const rg_ast *inner = p->f.factor;

    if (field < 0 || p->n_vectors > 1) return rg_form_refuse(r, ast->span);
    if (p->field >= 0) /* k = c or a part of it */
        inner =
            rg_tree_multiply(r, inner, rg_tree_name(r, r->form->fields[p->field].name, ast->span));
    if (p->n_vectors == 1) inner = rg_tree_multiply(r, inner, p->vector[0]);
    f.scale *= p->f.scale;
    return add(r, e, f, ast,
               (term){.kind = p->dispersion != NULL ? TERM_DISPERSION : TERM_DIFFUSION,
                      .field = field,
                      .velocity = -1,
                      .inner = inner,
                      .vector = p->dispersion});
}

/* div(u*c), div(u*u), div(u) */
static rg_status add_convection(recognizer *r, equation *e, const rg_ast *ast, front f, product *p)
{
    bool is_constant;
    const int u = p->n_vectors > 0 ? rg_form_field_of(r, p->vector[0], true) : -1;
    const int w = p->n_vectors > 1 ? rg_form_field_of(r, p->vector[1], true) : -1;

    if (p->n_vectors == 0 || p->dispersion != NULL) return rg_form_refuse(r, ast->span);
    if (!moves_out(r, p->f.factor, &is_constant)) return rg_form_refuse(r, ast->span);
    f.scale *= p->f.scale;
    if (p->f.factor != NULL) RG_TRY(put_in_front(r, &f, p->f.factor, false));
    if (p->n_vectors == 2) {
        if (u < 0 || u != w || p->field >= 0) return rg_form_refuse(r, ast->span);
        return add(r, e, f, ast, (term){.kind = TERM_CONVECTION, .field = u, .velocity = u});
    }
    if (p->field >= 0)
        return add(r, e, f, ast,
                   (term){.kind = TERM_CONVECTION,
                          .field = p->field,
                          .velocity = u,
                          .given = u < 0 ? p->vector[0] : NULL});
    if (u < 0) return rg_form_refuse(r, ast->span);
    return add(r, e, f, ast, (term){.kind = TERM_DIVERGENCE, .field = u, .velocity = u});
}

static bool is_sum(const rg_ast *ast)
{
    return ast->kind == RG_AST_BINARY && (ast->op == '+' || ast->op == '-');
}

/* div(a + b) = div(a) + div(b), and so for grad and lap. */
typedef rg_status part_fn(recognizer *r, equation *e, const rg_ast *ast, const rg_ast *of, front f);

static rg_status by_sum(recognizer *r, equation *e, const rg_ast *ast, const rg_ast *of, front f,
                        part_fn *part)
{
    const rg_ast *let = rg_form_let(r, of);

    if (let != NULL && (is_sum(let) || !is_scalar(r, let))) return by_sum(r, e, ast, let, f, part);
    if (of->kind == RG_AST_UNARY && of->op == '-') {
        f.scale = -f.scale;
        return by_sum(r, e, ast, of->args[0], f, part);
    }
    if (!is_sum(of)) return part(r, e, ast, of, f);
    RG_TRY(by_sum(r, e, ast, of->args[0], f, part));
    if (of->op == '-') f.scale = -f.scale;
    return by_sum(r, e, ast, of->args[1], f, part);
}

static rg_status div_part(recognizer *r, equation *e, const rg_ast *ast, const rg_ast *of, front f)
{
    product p = {.f = {.scale = 1}, .field = -1};

    read_factors(r, of, false, &p);
    if (r->c->n_errors > 0) return RG_ERR_SYNTAX;
    if (p.is_bad) return rg_form_refuse(r, ast->span);
    return p.gradient != NULL ? add_diffusion(r, e, ast, f, &p) : add_convection(r, e, ast, f, &p);
}

/* grad(s), lap(f): a constant may stand inside. */
static rg_status field_part(recognizer *r, equation *e, const rg_ast *ast, const rg_ast *of,
                            front f, term_kind what)
{
    product p = {.f = {.scale = 1}, .field = -1};
    bool is_constant;

    read_factors(r, of, false, &p);
    if (r->c->n_errors > 0) return RG_ERR_SYNTAX;
    const int vector = p.n_vectors == 1 ? rg_form_field_of(r, p.vector[0], true) : -1;
    const int field = p.n_vectors == 0 ? p.field : p.field < 0 ? vector : -1;
    if (p.is_bad || field < 0 || p.gradient != NULL || !moves_out(r, p.f.factor, &is_constant))
        return rg_form_refuse(r, ast->span);
    f.scale *= p.f.scale;
    if (p.f.factor != NULL) RG_TRY(put_in_front(r, &f, p.f.factor, false));
    return add(r, e, f, ast, (term){.kind = what, .field = field, .velocity = -1});
}

static rg_status grad_part(recognizer *r, equation *e, const rg_ast *ast, const rg_ast *of, front f)
{
    return field_part(r, e, ast, of, f, TERM_GRADIENT);
}

static rg_status lap_part(recognizer *r, equation *e, const rg_ast *ast, const rg_ast *of, front f)
{
    return field_part(r, e, ast, of, f, TERM_DIFFUSION);
}

/* dot(u, grad(f)), in either order */
static rg_status split_dot(recognizer *r, equation *e, const rg_ast *ast, front f)
{
    const rg_ast *a = ast->args[1], *b = ast->args[2];

    if (rg_form_is_call(a, "grad", 1)) {
        a = ast->args[2];
        b = ast->args[1];
    }
    const int field = rg_form_is_call(b, "grad", 1) ? any_field(r, b->args[1]) : -1;
    const int u = rg_form_field_of(r, a, true);
    if (field < 0 || rg_form_has_derivatives(r, a)) return rg_form_refuse(r, ast->span);
    return add(
        r, e, f, ast,
        (term){.kind = TERM_ADVECTION, .field = field, .velocity = u, .given = u < 0 ? a : NULL});
}

static rg_status split_rate(recognizer *r, equation *e, const rg_ast *ast, front f)
{
    const int field = any_field(r, ast->args[0]);
    char quote[RG_QUOTED];

    if (field >= 0 && ast->primes == 1)
        return add(r, e, f, ast, (term){.kind = TERM_RATE, .field = field, .velocity = -1});
    rg_bad(r->c, ast->span, "'%s': on grids a prime is the first derivative of a field",
           rg_form_quote(r, ast->span, quote));
    rg_bad_remedy(r->c, "write phi*c' with the coefficient in front");
    return RG_ERR_SYNTAX;
}

static rg_status split_call(recognizer *r, equation *e, const rg_ast *ast, front f)
{
    if (rg_form_is_call(ast, "div", 1)) return by_sum(r, e, ast, ast->args[1], f, div_part);
    if (rg_form_is_call(ast, "grad", 1)) return by_sum(r, e, ast, ast->args[1], f, grad_part);
    if (rg_form_is_call(ast, "lap", 1)) return by_sum(r, e, ast, ast->args[1], f, lap_part);
    if (rg_form_is_call(ast, "dot", 2) && rg_form_has_derivatives(r, ast))
        return split_dot(r, e, ast, f);
    if (rg_form_has_derivatives(r, ast)) return rg_form_refuse(r, ast->span);
    return add(r, e, f, ast, (term){.kind = TERM_PLAIN, .vector = ast});
}

static rg_status split(recognizer *r, equation *e, const rg_ast *ast, front f)
{
    const rg_ast *let = rg_form_let(r, ast);

    if (let != NULL && (rg_form_has_derivatives(r, let) || !is_scalar(r, let))) {
        if (f.span.end == 0) f.span = ast->span;
        return split(r, e, let, f);
    }
    switch (ast->kind) {
    case RG_AST_UNARY:
        if (ast->op != '-') break;
        f.scale = -f.scale;
        return split(r, e, ast->args[0], f);
    case RG_AST_BINARY:
        if (is_sum(ast)) {
            if (!rg_form_has_derivatives(r, ast) && is_scalar(r, ast)) break;
            RG_TRY(split(r, e, ast->args[0], f));
            if (ast->op == '-') f.scale = -f.scale;
            return split(r, e, ast->args[1], f);
        }
        if (ast->op == '*' || ast->op == '/') return split_product(r, e, ast, f);
        break;
    case RG_AST_PRIME:
        return split_rate(r, e, ast, f);
    case RG_AST_CALL:
        return split_call(r, e, ast, f);
    default:
        break;
    }
    if (rg_form_has_derivatives(r, ast)) return rg_form_refuse(r, ast->span);
    if (ast->kind == RG_AST_NUMBER && ast->value == 0) return RG_OK;
    return add(r, e, f, ast, (term){.kind = TERM_PLAIN, .vector = ast});
}

static rg_status fail_sides(recognizer *r, const rg_statement *st, kind left)
{
    rg_bad(r->c, st->span, "a %s on the left equals a %s on the right",
           left == KIND_VECTOR ? "vector" : "scalar", left == KIND_VECTOR ? "scalar" : "vector");
    rg_bad_remedy(r->c, "both sides are vectors, or both are scalars");
    return RG_ERR_SYNTAX;
}

static bool is_zero(const rg_ast *ast)
{
    return ast->kind == RG_AST_NUMBER && ast->value == 0;
}

/* left - right = 0 */
rg_status rg_form_split(recognizer *r, const rg_statement *st, equation *out)
{
    const kind left = rg_form_kind_of(r, st->left);
    const kind right = rg_form_kind_of(r, st->right);

    out->statement = st;
    if (left == KIND_BAD || right == KIND_BAD) return RG_ERR_SYNTAX;
    if (left == KIND_TENSOR || right == KIND_TENSOR) return rg_form_refuse(r, st->span);
    if (left != right && !is_zero(st->left) && !is_zero(st->right)
        && !rg_form_is_single(r, left == KIND_SCALAR ? st->left : st->right))
        return fail_sides(r, st, left);
    out->kind = left == KIND_VECTOR ? left : right;
    RG_TRY(split(r, out, st->left, (front){.scale = 1}));
    return split(r, out, st->right, (front){.scale = -1});
}
