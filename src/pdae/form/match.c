/* Which form an equation is, and its coefficients.
 *
 *     R u' + W div(u u) + W' u.grad u - div(N grad u) + G grad p - F = 0     momentum, G constant
 *     R u + G grad p - F = 0                                                 Darcy
 *     P c' + W div(u c) + B u.grad c - div(K grad c) - g = 0                 transport
 *     D div u - Q = 0                                                        constraint, D constant
 *
 * Vectors are divided by G, constraints by D; u.grad u is div(u u) - u div u. */
#include "pdae/form/inside.h"

#include <math.h>

typedef struct {
    recognizer *r;
    int n;
    equation *all;
} system_of;

/* ---- coefficients ---------------------------------------------------------------------------- */
/* sign * sum of scale*factor*inner over the chosen terms; NULL: there are none. */
static const rg_ast *collect(recognizer *r, const equation *e, term_kind what, int field,
                             double sign)
{
    rg_ast *sum = NULL;

    for (int k = 0; k < e->n_terms; k++) {
        const term *t = &e->terms[k];
        if (t->kind != what || (field >= 0 && t->field != field)) continue;
        const rg_ast *value = rg_tree_multiply(r, t->factor, t->inner);
        sum = rg_tree_add(r, sum, rg_tree_scale(r, sign * t->scale, value));
    }
    return sum;
}

/* sign * sum of all plain terms but those that `leave` names (a vector field that stands alone). */
static const rg_ast *collect_plain(recognizer *r, const equation *e, int leave, double sign)
{
    rg_ast *sum = NULL;

    for (int k = 0; k < e->n_terms; k++) {
        const term *t = &e->terms[k];
        if (t->kind != TERM_PLAIN) continue;
        if (leave >= 0 && rg_form_field_of(r, t->vector, true) == leave) continue;
        const rg_ast *value = rg_tree_multiply(r, t->factor, t->vector);
        sum = rg_tree_add(r, sum, rg_tree_scale(r, sign * t->scale, value));
    }
    return sum;
}

static rg_span span_of(const equation *e, term_kind what)
{
    for (int k = 0; k < e->n_terms; k++)
        if (e->terms[k].kind == what) return e->terms[k].span;
    return e->statement->span;
}

/* A coefficient that must be a number. */
static rg_status constant(recognizer *r, const equation *e, term_kind what, const rg_ast *ast,
                          double *out)
{
    rg_quantity *q = NULL;
    const rg_span span = span_of(e, what);
    char quote[RG_QUOTED];

    *out = 0;
    if (ast == NULL) return RG_OK;
    const rg_ast *scalar = rg_form_component(r, ast, 0);
    if (scalar == NULL) return RG_ERR_SYNTAX;
    RG_TRY(rg_quantity_create(r, scalar, span, "a coefficient", &q));
    const bool is_number = q->uses == 0;
    *out = q->value;
    rg_quantity_destroy(r->ctx, &q);
    if (is_number) return RG_OK;
    rg_bad(r->c, span, "the coefficient of '%s' is not constant", rg_form_quote(r, span, quote));
    rg_bad_remedy(r->c, "divide the equation by it");
    return RG_ERR_SYNTAX;
}

/* Components of ast / g as quantities. */
static rg_status components(recognizer *r, const rg_ast *ast, rg_span span, int n, double g,
                            const char *what, rg_quantity *out[RG_AXES])
{
    const bool is_scalar = ast != NULL && rg_form_kind_of(r, ast) == KIND_SCALAR;

    for (int d = 0; d < n && ast != NULL; d++) {
        const rg_ast *part = rg_form_component(r, ast, d);
        if (part == NULL) return RG_ERR_SYNTAX;
        part = rg_tree_scale(r, 1 / g, part);
        RG_TRY(rg_quantity_create(r, part, span, what, &out[d]));
        if (d > 0 && is_scalar) out[d]->same = out[0];
    }
    return RG_OK;
}

/* lap(s) with a coefficient in front must be div(k*grad(s)): k does not vary in space. */
static rg_status check_diffusion(recognizer *r, const equation *e)
{
    for (int k = 0; k < e->n_terms; k++) {
        const term *t = &e->terms[k];
        rg_quantity *q = NULL;
        if ((t->kind != TERM_DIFFUSION && t->kind != TERM_DISPERSION) || t->factor == NULL)
            continue;
        const rg_ast *scalar = rg_form_component(r, t->factor, 0);
        if (scalar == NULL) return RG_ERR_SYNTAX;
        RG_TRY(rg_quantity_create(r, scalar, t->span, "a coefficient", &q));
        const unsigned uses = q->uses;
        rg_quantity_destroy(r->ctx, &q);
        if ((uses & (RG_USES_SPACE | RG_USES_FIELDS | RG_USES_DATA)) == 0) continue;
        rg_form_refuse(r, t->span);
        return RG_ERR_SYNTAX;
    }
    return RG_OK;
}

/* ---- constraints ----------------------------------------------------------------------------- */
static const term *find(const equation *e, term_kind what)
{
    for (int k = 0; k < e->n_terms; k++)
        if (e->terms[k].kind == what) return &e->terms[k];
    return NULL;
}

/* The equation div(u) = q, or NULL. */
static equation *find_constraint(system_of *s, int u)
{
    for (int k = 0; k < s->n; k++) {
        const term *t = s->all[k].kind == KIND_SCALAR ? find(&s->all[k], TERM_DIVERGENCE) : NULL;
        if (t != NULL && t->field == u) return &s->all[k];
    }
    return NULL;
}

/* The vector of the constraint that has this pressure in its equation. */
static rg_status take_constraint(system_of *s, equation *e, rg_form_equation *out)
{
    recognizer *r = s->r;
    double scale;

    for (int k = 0; k < e->n_terms; k++) {
        const term *t = &e->terms[k];
        if (t->kind != TERM_PLAIN && (t->kind != TERM_DIVERGENCE || t->field != out->field))
            return rg_form_refuse(r, t->span);
    }
    RG_TRY(constant(r, e, TERM_DIVERGENCE, collect(r, e, TERM_DIVERGENCE, out->field, 1), &scale));
    if (scale == 0) return rg_form_refuse(r, e->statement->span);
    rg_quantity *source[RG_AXES] = {NULL};
    RG_TRY(components(r, collect_plain(r, e, -1, -1), e->statement->span, 1, scale, "the source q",
                      source));
    out->source = source[0];
    out->constraint_span = e->statement->span;
    e->is_taken = true;
    return RG_OK;
}

/* gas.rg: there is a divergence of u, but not that of u alone. */
static rg_status fail_constraint(system_of *s, const equation *e, int u, int p)
{
    recognizer *r = s->r;
    char quote[RG_QUOTED];
    const char *v = r->form->fields[u].name, *name = r->form->fields[p].name;

    for (int k = 0; k < s->n; k++)
        for (int i = 0; i < s->all[k].n_terms; i++) {
            const term *t = &s->all[k].terms[i];
            if (t->kind != TERM_CONVECTION || t->velocity != u || s->all[k].kind != KIND_SCALAR)
                continue;
            rg_bad(r->c, t->span,
                   "'%s' is no constraint of a form that regula solves on grids (compressible "
                   "flow)",
                   rg_form_quote(r, t->span, quote));
            rg_bad_remedy(r->c,
                          "'regula help grids' lists the forms; 'div(%s) = q' is the one for a "
                          "vector",
                          v);
            return RG_ERR_SYNTAX;
        }
    rg_bad(r->c, e->statement->span, "nothing determines %s: no equation contains div(%s)", name,
           v);
    rg_bad_remedy(r->c, "add 'div(%s) = 0', or remove 'grad(%s)' and %s", v, name, name);
    return RG_ERR_SYNTAX;
}

/* ---- vectors --------------------------------------------------------------------------------- */
/* The vector that an equation is for; -1: none. */
static int vector_of(recognizer *r, const equation *e)
{
    const term_kind kinds[] = {TERM_RATE, TERM_CONVECTION, TERM_ADVECTION, TERM_DIFFUSION};

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const term *t = find(e, kinds[k]);
        if (t != NULL && r->form->fields[t->field].is_vector) return t->field;
    }
    for (int k = 0; k < e->n_terms; k++)
        if (e->terms[k].kind == TERM_PLAIN && rg_form_field_of(r, e->terms[k].vector, true) >= 0)
            return rg_form_field_of(r, e->terms[k].vector, true);
    return -1;
}

static rg_status fail_no_gradient(recognizer *r, const equation *e, int u)
{
    const char *v = r->form->fields[u].name;

    rg_bad(r->c, e->statement->span, "the equation of %s has no 'grad(p)'", v);
    rg_bad_remedy(r->c,
                  "add '- grad(p)' with a field p, and 'div(%s) = 0'; the forms are listed "
                  "by 'regula help grids'",
                  v);
    return RG_ERR_SYNTAX;
}

/* Every derivative in the equation of u must be one of u, or grad(p). */
static rg_status check_vector_terms(recognizer *r, const equation *e, int u, int p, bool is_flow)
{
    for (int k = 0; k < e->n_terms; k++) {
        const term *t = &e->terms[k];
        const bool fits = t->kind == TERM_PLAIN || (t->kind == TERM_GRADIENT && t->field == p)
                          || (is_flow && t->field == u
                              && (t->kind == TERM_RATE || t->kind == TERM_DIFFUSION
                                  || ((t->kind == TERM_CONVECTION || t->kind == TERM_ADVECTION)
                                      && t->velocity == u)));
        if (!fits) return rg_form_refuse(r, t->span);
    }
    return RG_OK;
}

static rg_status make_momentum(recognizer *r, const equation *e, rg_form_equation *out)
{
    const int u = out->field, dims = r->form->grid->dims;
    double g, conservative, advective;

    out->kind = RG_FORM_MOMENTUM;
    RG_TRY(check_diffusion(r, e));
    RG_TRY(constant(r, e, TERM_GRADIENT, collect(r, e, TERM_GRADIENT, -1, 1), &g));
    if (g == 0) return rg_form_refuse(r, span_of(e, TERM_GRADIENT));
    RG_TRY(constant(r, e, TERM_CONVECTION, collect(r, e, TERM_CONVECTION, -1, 1), &conservative));
    RG_TRY(constant(r, e, TERM_ADVECTION, collect(r, e, TERM_ADVECTION, -1, 1), &advective));
    out->convection = (conservative + advective) / g;
    out->has_derivative = find(e, TERM_RATE) != NULL;
    RG_TRY(components(r, collect(r, e, TERM_RATE, u, 1), span_of(e, TERM_RATE), dims, g,
                      "the coefficient of the derivative", out->storage));
    RG_TRY(components(r, collect(r, e, TERM_DIFFUSION, u, -1), span_of(e, TERM_DIFFUSION), dims, g,
                      "the viscosity", out->diffusion));
    const rg_ast *force = collect_plain(r, e, -1, -1);
    if (advective != 0 && !rg_quantity_is_zero(out->source)) { /* u.grad u = div(u u) - u q */
        const rg_ast *name = rg_tree_name(r, r->form->fields[u].name, e->statement->span);
        force = rg_tree_add(
            r, force, rg_tree_scale(r, advective, rg_tree_multiply(r, out->source->ast, name)));
    }
    return components(r, force, e->statement->span, dims, g, "the force", out->force);
}

static rg_status make_darcy(recognizer *r, const equation *e, rg_form_equation *out)
{
    const int u = out->field, dims = r->form->grid->dims;
    const rg_ast *G = collect(r, e, TERM_GRADIENT, -1, 1), *R = NULL, *f;
    rg_span span = e->statement->span;

    out->kind = RG_FORM_DARCY;
    for (int k = 0; k < e->n_terms; k++) {
        const term *t = &e->terms[k];
        if (t->kind != TERM_PLAIN || rg_form_field_of(r, t->vector, true) != u) continue;
        R = rg_tree_add(r, R, rg_tree_scale(r, t->scale, t->factor));
        span = t->factor != NULL ? t->factor->span : t->span;
    }
    if (R == NULL || G == NULL) return rg_form_refuse(r, e->statement->span);
    if (R->kind == RG_AST_NUMBER) span = span_of(e, TERM_GRADIENT);
    RG_TRY(
        components(r, rg_tree_divide(r, R, G), span, dims, 1, "the resistance", out->resistance));
    f = collect_plain(r, e, u, -1);
    return components(r, f != NULL ? rg_tree_divide(r, f, G) : NULL, e->statement->span, dims, 1,
                      "the force", out->force);
}

static rg_status match_vector(system_of *s, equation *e)
{
    recognizer *r = s->r;
    const int u = vector_of(r, e);
    const term *gradient = find(e, TERM_GRADIENT);

    if (u < 0) return rg_form_refuse(r, e->statement->span);
    if (gradient == NULL) return fail_no_gradient(r, e, u);
    const int p = gradient->field;
    if (r->form->fields[p].is_vector) return rg_form_refuse(r, gradient->span);
    const bool is_flow = find(e, TERM_RATE) != NULL || find(e, TERM_CONVECTION) != NULL
                         || find(e, TERM_ADVECTION) != NULL || find(e, TERM_DIFFUSION) != NULL;
    RG_TRY(check_vector_terms(r, e, u, p, is_flow));
    equation *constraint = find_constraint(s, u);
    if (constraint == NULL) return fail_constraint(s, e, u, p);
    rg_form_equation *out = &r->form->equations[r->form->n_equations++];
    out->field = u;
    out->pressure = p;
    out->span = e->statement->span;
    RG_TRY(take_constraint(s, constraint, out));
    e->is_taken = true;
    return is_flow ? make_momentum(r, e, out) : make_darcy(r, e, out);
}

/* ---- scalars --------------------------------------------------------------------------------- */
static int scalar_of(const equation *e)
{
    const term_kind kinds[] = {TERM_RATE, TERM_DIFFUSION, TERM_DISPERSION, TERM_CONVECTION,
                               TERM_ADVECTION};

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const term *t = find(e, kinds[k]);
        if (t != NULL) return t->field;
    }
    return -1;
}

/* phi c' has a positive sign, or without it the diffusion on the right. */
static double sign_of(const equation *e)
{
    const term *rate = find(e, TERM_RATE), *diffusion = find(e, TERM_DIFFUSION);

    if (diffusion == NULL) diffusion = find(e, TERM_DISPERSION);
    if (rate != NULL) return rate->scale < 0 ? -1 : 1;
    if (diffusion != NULL) return diffusion->scale > 0 ? -1 : 1;
    return 1;
}

static rg_status take_convection(recognizer *r, const term *t, double sign, rg_form_equation *out)
{
    const equation one = {.n_terms = 1, .terms = {*t}};
    rg_convection *c = NULL;
    double value;

    RG_TRY(constant(r, &one, t->kind, rg_tree_scale(r, sign * t->scale, t->factor), &value));
    for (int k = 0; k < out->n_convections && t->velocity >= 0; k++)
        if (out->convections[k].velocity == t->velocity) c = &out->convections[k];
    if (c == NULL) {
        if (out->n_convections == RG_CONVECTIONS) return rg_form_refuse(r, t->span);
        c = &out->convections[out->n_convections++];
        c->velocity = t->velocity;
        if (t->given != NULL) RG_TRY(rg_form_values(r, t->given, true, "the velocity", c->given));
    }
    if (t->kind == TERM_CONVECTION)
        c->conservative += value;
    else
        c->advective += value;
    return RG_OK;
}

static rg_status take_dispersion(recognizer *r, const term *t, double sign, rg_form_equation *out)
{
    rg_quantity **to[3] = {&out->dispersion.molecular, &out->dispersion.longitudinal,
                           &out->dispersion.transverse};
    const rg_ast *call = t->vector;
    const int u = rg_form_field_of(r, call->args[1], true);

    if (u < 0 || out->has_dispersion) return rg_form_refuse(r, t->span);
    out->has_dispersion = true;
    out->dispersion.velocity = u;
    for (int k = 0; k < 3; k++) {
        const rg_ast *value =
            rg_tree_multiply(r, rg_tree_multiply(r, t->factor, t->inner), call->args[k + 2]);
        value = rg_form_component(r, rg_tree_scale(r, -sign * t->scale, value), 0);
        if (value == NULL) return RG_ERR_SYNTAX;
        RG_TRY(rg_quantity_create(r, value, t->span, "the dispersion", to[k]));
    }
    return RG_OK;
}

static rg_status match_scalar(system_of *s, equation *e)
{
    recognizer *r = s->r;
    const int c = scalar_of(e);

    if (c < 0 || r->form->fields[c].is_vector) return rg_form_refuse(r, e->statement->span);
    rg_form_equation *out = &r->form->equations[r->form->n_equations++];
    const double sign = sign_of(e);
    out->field = c;
    out->pressure = -1;
    out->span = e->statement->span;
    out->has_derivative = find(e, TERM_RATE) != NULL;
    e->is_taken = true;
    RG_TRY(check_diffusion(r, e));
    for (int k = 0; k < e->n_terms; k++) {
        const term *t = &e->terms[k];
        if (t->kind == TERM_PLAIN) continue;
        if (t->field != c || t->kind == TERM_GRADIENT || t->kind == TERM_DIVERGENCE)
            return rg_form_refuse(r, t->span);
        if (t->kind == TERM_CONVECTION || t->kind == TERM_ADVECTION)
            RG_TRY(take_convection(r, t, sign, out));
        if (t->kind == TERM_DISPERSION) RG_TRY(take_dispersion(r, t, sign, out));
    }
    out->kind =
        out->has_derivative || out->n_convections > 0 ? RG_FORM_TRANSPORT : RG_FORM_ELLIPTIC;
    RG_TRY(components(r, collect(r, e, TERM_RATE, c, sign), span_of(e, TERM_RATE), 1, 1,
                      "the coefficient of the derivative", out->storage));
    RG_TRY(components(r, collect(r, e, TERM_DIFFUSION, c, -sign), span_of(e, TERM_DIFFUSION),
                      r->form->grid->dims, 1, "the diffusion", out->diffusion));
    return components(r, collect_plain(r, e, -1, -sign), e->statement->span, 1, 1, "the source",
                      out->force);
}

/* ---- all equations --------------------------------------------------------------------------- */
static rg_status match_all(system_of *s)
{
    for (int k = 0; k < s->n; k++)
        if (s->all[k].kind == KIND_VECTOR) RG_TRY(match_vector(s, &s->all[k]));
    for (int k = 0; k < s->n; k++)
        if (!s->all[k].is_taken) RG_TRY(match_scalar(s, &s->all[k]));
    return RG_OK;
}

static rg_status fail_twice(recognizer *r, int k, int field)
{
    int line, column;

    rg_source_place(r->c->source, r->form->equations[r->form->fields[field].equation].span.start,
                    &line, &column);
    rg_bad(r->c, r->form->equations[k].span, "a second equation for %s (the first is in line %d)",
           r->form->fields[field].name, line);
    rg_bad_remedy(r->c, "one equation determines one field; 'regula help grids' lists the forms");
    return RG_ERR_SYNTAX;
}

/* Every field has exactly one equation, or is the p of one. */
static rg_status assign(recognizer *r)
{
    rg_form *form = r->form;

    for (int k = 0; k < form->n_fields; k++)
        form->fields[k].equation = -1;
    for (int k = 0; k < form->n_equations; k++) {
        const int fields[2] = {form->equations[k].field, form->equations[k].pressure};
        for (int i = 0; i < 2; i++) {
            if (fields[i] < 0) continue;
            if (form->fields[fields[i]].equation >= 0) return fail_twice(r, k, fields[i]);
            form->fields[fields[i]].equation = k;
        }
    }
    for (int k = 0; k < form->n_fields; k++) {
        if (form->fields[k].equation >= 0) continue;
        rg_bad(r->c, form->fields[k].span, "nothing determines %s: no equation is for it",
               form->fields[k].name);
        rg_bad_remedy(r->c, "add an equation of one of the forms in 'regula help grids'");
        return RG_ERR_SYNTAX;
    }
    return RG_OK;
}

rg_status rg_form_equations(recognizer *r)
{
    system_of s = {.r = r};
    rg_status status = RG_OK;
    int n = 0;

    for (int k = 0; k < r->c->model->n_statements; k++)
        n += r->c->model->statements[k]->kind == RG_STATEMENT_EQUATION;
    s.all = rg_alloc(r->ctx, (size_t)n + 1, sizeof *s.all);
    r->form->equations = rg_alloc(r->ctx, (size_t)n + 1, sizeof *r->form->equations);
    if (s.all == NULL || r->form->equations == NULL) status = RG_ERR_MEMORY;
    for (int k = 0; k < r->c->model->n_statements && status != RG_ERR_MEMORY; k++) {
        const rg_statement *st = r->c->model->statements[k];
        if (st->kind != RG_STATEMENT_EQUATION) continue;
        const rg_status split = rg_form_split(r, st, &s.all[s.n++]); /* the rest is looked at too */
        if (split != RG_OK) status = split;
    }
    if (status == RG_OK) status = match_all(&s);
    if (status == RG_OK) status = assign(r);
    rg_free(r->ctx, s.all);
    return status;
}
