/* What holds on the sides of the box and on solids is read here: boundary u(SIDE) = (a, b),
 * u(SIDE) = slip, u[x](SIDE) = a, p(SIDE) = a, c(SIDE) = a, flux(c, SIDE) = a. */
#include "pdae/form/inside.h"

#include <stdio.h>
#include <string.h>

static const char *const names[RG_SIDES] = {"left", "right", "bottom", "top", "back", "front"};

const char *rg_side_name(int side)
{
    return names[side];
}

int rg_side_find(const char *name)
{
    for (int k = 0; k < RG_SIDES; k++)
        if (strcmp(names[k], name) == 0) return k;
    return -1;
}

typedef struct { /* one condition of the text */
    const rg_statement *st;
    const rg_ast *place;
    int field, component; /* component -1: the whole field */
    bool is_flux;
    int side, solid; /* one of them is -1 */
} given;

/* ---- places ---------------------------------------------------------------------------------- */
static const char *other_name(const char *name)
{
    static const char *const words[][2] = {
        {"up",     "top"   },
        {"upper",  "top"   },
        {"north",  "top"   },
        {"down",   "bottom"},
        {"lower",  "bottom"},
        {"south",  "bottom"},
        {"west",   "left"  },
        {"inlet",  "left"  },
        {"east",   "right" },
        {"outlet", "right" },
    };

    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(words[k][0], name) == 0) return words[k][1];
    return NULL;
}

static rg_status fail_side(recognizer *r, const rg_ast *where)
{
    const int n = 2 * r->form->grid->dims;
    char list[128] = "", quote[RG_QUOTED];
    const char *text =
        where->kind == RG_AST_NAME ? where->text : rg_form_quote(r, where->span, quote);
    const char *near = other_name(text);

    for (int k = 0; k < n; k++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k > 0 ? ", " : "",
                 names[k]);
    if (near == NULL) near = rg_nearest_word(text, n, names);
    rg_bad(r->c, where->span, "there is no side '%s'", text);
    if (near != NULL && rg_side_find(near) < n)
        rg_bad_remedy(r->c, "did you mean '%s'? the sides are %s", near, list);
    else
        rg_bad_remedy(r->c, "the sides are %s", list);
    return RG_ERR_SYNTAX;
}

static const rg_statement *axis_statement(recognizer *r, int axis)
{
    for (int k = 0; k < r->c->model->n_statements; k++)
        if (r->c->model->statements[k]->kind == RG_STATEMENT_DOMAIN && axis-- == 0)
            return r->c->model->statements[k];
    return NULL;
}

static rg_status find_place(recognizer *r, given *g)
{
    const rg_ast *where = g->place;
    char quote[RG_QUOTED];

    g->side = where->kind == RG_AST_NAME ? rg_side_find(where->text) : -1;
    g->solid = -1;
    for (int k = 0; k < r->form->n_solids && where->kind == RG_AST_NAME; k++)
        if (strcmp(r->form->solids[k].name, where->text) == 0) g->solid = k;
    if (g->solid >= 0) {
        g->side = -1;
        return RG_OK;
    }
    if (g->side < 0 || g->side >= 2 * r->form->grid->dims) return fail_side(r, where);
    const int axis = g->side / 2;
    if (!r->form->grid->axis[axis].periodic) return RG_OK;
    rg_bad(r->c, axis_statement(r, axis)->name_span, "'boundary %s' on the periodic axis %s",
           rg_form_quote(r, g->st->left->span, quote), r->form->axis_name[axis]);
    rg_bad_remedy(r->c, "remove the condition, or 'periodic'");
    return RG_ERR_SYNTAX;
}

/* ---- what is given --------------------------------------------------------------------------- */
static rg_status fail_left(recognizer *r, const rg_ast *left)
{
    char quote[RG_QUOTED];

    rg_bad(r->c, left->span, "'%s' is no value of a field on a side",
           rg_form_quote(r, left->span, quote));
    rg_bad_remedy(r->c, "write u(SIDE) = (a, b), p(SIDE) = a, c(SIDE) = a or flux(c, SIDE) = a");
    return RG_ERR_SYNTAX;
}

static rg_status read_left(recognizer *r, const rg_statement *st, given *g)
{
    const rg_ast *left = st->left;
    const rg_ast *of = left->kind == RG_AST_CALL ? left->args[0] : NULL;

    *g = (given){.st = st, .component = -1, .field = -1};
    if (of == NULL || left->n_args < 2) return fail_left(r, left);
    g->is_flux = rg_form_is_call(left, "flux", 2) && rg_form_find_field(r->form, "flux") < 0;
    if (g->is_flux) {
        of = left->args[1];
        g->place = left->args[2];
    } else if (left->n_args == 2) {
        g->place = left->args[1];
    } else {
        return fail_left(r, left);
    }
    if (of->kind == RG_AST_NAME || of->kind == RG_AST_INDEX)
        g->field = rg_form_find_field(r->form, of->text);
    if (g->field < 0) return fail_left(r, left);
    if (of->kind == RG_AST_INDEX) g->component = rg_form_axis(r, of->args[0]);
    if (of->kind == RG_AST_INDEX && (g->component < 0 || !r->form->fields[g->field].is_vector))
        return fail_left(r, left);
    return find_place(r, g);
}

static rg_condition *target(recognizer *r, const given *g, int field)
{
    return g->side >= 0 ? &r->form->fields[field].side[g->side]
                        : &r->form->solids[g->solid].condition[field];
}

static rg_status fail_twice(recognizer *r, const given *g, const char *name)
{
    rg_bad(r->c, g->st->span, "a second condition for '%s' on '%s'", name, g->place->text);
    rg_bad_remedy(r->c, "keep one of them");
    return RG_ERR_SYNTAX;
}

/* Is it a flux through a side of the box that depends on no field but its own?  exchange.c of the
 * run solves for the value on the side. */
static bool is_exchange(const recognizer *r, const given *g, const rg_condition *c)
{
    const rg_quantity *q = c->value[0];

    for (int k = 0; k < q->n_inputs; k++) {
        const int l = q->inputs[k];
        if (l >= r->form->n_leaves) return false;
        if (r->form->leaves[l].field >= 0 && r->form->leaves[l].field != g->field) return false;
    }
    return g->is_flux && g->side >= 0;
}

static rg_status check_values(recognizer *r, const given *g, const rg_condition *c)
{
    const char *name = r->form->fields[g->field].name;

    for (int d = 0; d < RG_AXES; d++) {
        if (c->value[d] == NULL || (c->value[d]->uses & RG_USES_FIELDS) == 0) continue;
        if (is_exchange(r, g, c)) continue;
        rg_bad(r->c, c->value[d]->span,
               g->is_flux && g->side >= 0 ? "a flux through a side cannot depend on other fields"
                                          : "a condition on a side cannot depend on fields");
        if (g->is_flux && g->side >= 0)
            rg_bad_remedy(r->c, "use '%s', axes, time, data and parameters there", name);
        else
            rg_bad_remedy(r->c, "use axes, time, data and parameters there");
        return RG_ERR_SYNTAX;
    }
    return RG_OK;
}

static rg_status fail_tangential(recognizer *r, const given *g)
{
    const rg_field *u = &r->form->fields[g->field];
    const int axis = g->side >= 0 ? g->side / 2 : 0;

    rg_bad(r->c, g->st->left->span,
           "the tangential part of %s cannot be given where %s follows from Darcy's law", u->name,
           u->name);
    rg_bad_remedy(r->c, "give the normal one: 'boundary %s[%s](%s) = ...'", u->name,
                  r->form->axis_name[axis], g->place->text);
    return RG_ERR_SYNTAX;
}

static rg_status give_vector(recognizer *r, const given *g)
{
    const rg_field *u = &r->form->fields[g->field];
    const bool is_darcy = r->form->equations[u->equation].kind == RG_FORM_DARCY;
    rg_condition *c = target(r, g, g->field);
    const rg_ast *right = g->st->right;
    const bool is_slip = right->kind == RG_AST_NAME && strcmp(right->text, "slip") == 0;

    if (g->is_flux) return fail_left(r, g->st->left);
    if (c->span.end > 0) return fail_twice(r, g, u->name);
    c->span = g->st->span;
    if (is_darcy && (g->component < 0 || g->side < 0 || g->side / 2 != g->component))
        return fail_tangential(r, g);
    if (!is_darcy && g->component >= 0) {
        rg_bad(r->c, g->st->left->span, "all components of %s are given on a side", u->name);
        rg_bad_remedy(r->c, "write '%s(%s) = (a, b)', or '= slip'", u->name, g->place->text);
        return RG_ERR_SYNTAX;
    }
    if (is_slip) {
        c->kind = RG_VECTOR_SLIP;
        return RG_OK;
    }
    c->kind = RG_VECTOR_GIVEN;
    if (g->component >= 0) {
        rg_quantity *one[RG_AXES] = {NULL};
        const rg_status status = rg_form_values(r, right, false, "a component", one);
        c->value[g->component] = one[0];
        RG_TRY(status);
    } else {
        RG_TRY(rg_form_values(r, right, true, "a condition", c->value));
    }
    return check_values(r, g, c);
}

/* p given: the side is open for its vector. */
static rg_status give_pressure(recognizer *r, const given *g)
{
    const rg_field *p = &r->form->fields[g->field];
    const int u = r->form->equations[p->equation].field;
    rg_condition *c = target(r, g, g->field), *v = target(r, g, u);

    if (g->is_flux || g->solid >= 0) {
        rg_bad(r->c, g->st->left->span, "'%s' is the pressure of %s: it is given on sides", p->name,
               r->form->fields[u].name);
        rg_bad_remedy(r->c, "write '%s(SIDE) = EXPR'", p->name);
        return RG_ERR_SYNTAX;
    }
    if (c->span.end > 0) return fail_twice(r, g, p->name);
    if (v->span.end > 0) {
        rg_bad(r->c, g->st->span, "both %s and %s are given on '%s'", r->form->fields[u].name,
               p->name, g->place->text);
        rg_bad_remedy(r->c, "keep one of them");
        return RG_ERR_SYNTAX;
    }
    c->span = v->span = g->st->span;
    c->kind = RG_SCALAR_VALUE;
    v->kind = RG_VECTOR_OPEN;
    RG_TRY(rg_form_values(r, g->st->right, false, "a condition", c->value));
    return check_values(r, g, c);
}

static rg_status give_scalar(recognizer *r, const given *g)
{
    rg_condition *c = target(r, g, g->field);

    if (c->span.end > 0) return fail_twice(r, g, r->form->fields[g->field].name);
    c->span = g->st->span;
    c->kind = g->is_flux ? RG_SCALAR_FLUX : RG_SCALAR_VALUE;
    RG_TRY(rg_form_values(r, g->st->right, false, "a condition", c->value));
    return check_values(r, g, c);
}

static rg_status give(recognizer *r, const rg_statement *st)
{
    given g;

    RG_TRY(read_left(r, st, &g));
    const rg_field *f = &r->form->fields[g.field];
    if (f->is_vector) return give_vector(r, &g);
    return r->form->equations[f->equation].pressure == g.field ? give_pressure(r, &g)
                                                               : give_scalar(r, &g);
}

static void set_periodic(rg_form *form)
{
    for (int k = 0; k < form->n_fields; k++)
        for (int side = 0; side < 2 * form->grid->dims; side++)
            if (form->grid->axis[side / 2].periodic)
                form->fields[k].side[side].kind =
                    form->fields[k].is_vector ? (int)RG_VECTOR_PERIODIC : (int)RG_SCALAR_PERIODIC;
}

rg_status rg_form_conditions(recognizer *r)
{
    set_periodic(r->form);
    for (int k = 0; k < r->c->model->n_statements; k++)
        if (r->c->model->statements[k]->kind == RG_STATEMENT_BOUNDARY)
            RG_TRY(give(r, r->c->model->statements[k]));
    return RG_OK;
}
