/* Wells are read here: well NAME at (X, Y) rate EXPR [with c = EXPR], or with pressure EXPR radius
 * EXPR. */
#include "pdae/form/inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rg_status fail_outside(recognizer *r, const rg_well *w, int axis)
{
    const rg_axis *a = &r->form->grid->axis[axis];
    char list[128] = "";

    for (int d = 0; d < r->form->grid->dims; d++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%g", d > 0 ? ", " : "",
                 w->at[d]);
    rg_bad(r->c, w->span, "'well %s' at (%s) lies outside the domain", w->name, list);
    rg_bad_remedy(r->c, "%s goes from %g to %g", r->form->axis_name[axis], a->edge[0],
                  a->edge[a->n]);
    return RG_ERR_SYNTAX;
}

/* The cell that holds the point; on a face the upper one, at the high end of an axis the last. */
static rg_status find_cell(recognizer *r, rg_well *w)
{
    const rg_grid *g = r->form->grid;
    int cell[RG_AXES] = {0};

    for (int d = 0; d < g->dims; d++) {
        const rg_axis *a = &g->axis[d];
        if (!(w->at[d] >= a->edge[0] && w->at[d] <= a->edge[a->n])) return fail_outside(r, w, d);
        while (cell[d] < a->n - 1 && w->at[d] >= a->edge[cell[d] + 1])
            cell[d]++;
    }
    w->cell = cell[0] + g->axis[0].n * (cell[1] + (int64_t)g->axis[1].n * cell[2]);
    if (g->solid == NULL || g->solid[rg_grid_at(g, cell[0], cell[1], cell[2])] == 0) return RG_OK;
    rg_bad(r->c, w->span, "'well %s' lies inside 'solid %s'", w->name,
           r->form->solids[g->solid[rg_grid_at(g, cell[0], cell[1], cell[2])] - 1].name);
    rg_bad_remedy(r->c, "move the well, or make the solid smaller");
    return RG_ERR_SYNTAX;
}

static rg_status read_place(recognizer *r, const rg_statement *st, rg_well *w)
{
    const int dims = r->form->grid->dims;
    const bool is_list = st->left->kind == RG_AST_LIST;
    const int given = is_list ? st->left->n_args : 1;

    if (given != dims) {
        rg_bad(r->c, st->left->span, "the place of a well has %d coordinate%s", dims,
               dims == 1 ? "" : "s");
        rg_bad_remedy(r->c, "give one coordinate per axis");
        return RG_ERR_SYNTAX;
    }
    for (int d = 0; d < dims; d++)
        RG_TRY(rg_constant_value(r->c, is_list ? st->left->args[d] : st->left, INT32_MAX,
                                 "the place of a well", &w->at[d]));
    return find_cell(r, w);
}

static rg_status take_value(recognizer *r, const rg_ast *ast, const char *what, rg_quantity **out)
{
    rg_quantity *one[RG_AXES] = {NULL};
    const rg_status status = rg_form_values(r, ast, false, what, one);

    *out = one[0];
    RG_TRY(status);
    if ((one[0]->uses & RG_USES_FIELDS) == 0) return RG_OK;
    rg_bad(r->c, ast->span, "%s cannot depend on fields", what);
    rg_bad_remedy(r->c, "use time and parameters there");
    return RG_ERR_SYNTAX;
}

/* with c = EXPR: of a scalar that some vector carries. */
static rg_status take_carried(recognizer *r, const rg_statement *st, rg_well *w)
{
    for (int k = 0; k < st->n_body; k++) {
        const rg_statement *item = st->body[k];
        const int f = rg_form_find_field(r->form, item->name);
        const rg_form_equation *e =
            f >= 0 ? &r->form->equations[r->form->fields[f].equation] : NULL;
        if (e == NULL || e->kind != RG_FORM_TRANSPORT || e->field != f || e->n_convections == 0) {
            rg_bad(r->c, item->name_span, "'%s' is no field that a vector carries", item->name);
            rg_bad_remedy(r->c, "name a field c with 'div(u*c)' in its equation");
            return RG_ERR_SYNTAX;
        }
        RG_TRY(take_value(r, item->right, "what a well carries", &w->carries[f]));
    }
    return RG_OK;
}

static rg_status check_vectors(recognizer *r, const rg_well *w)
{
    int n = 0;

    for (int k = 0; k < r->form->n_equations; k++)
        n += r->form->equations[k].pressure >= 0;
    if (n == 1) return RG_OK;
    rg_bad(r->c, w->span, "'well %s': %s", w->name,
           n == 0 ? "no vector has a constraint 'div(u) = q'" : "two vectors have a constraint");
    rg_bad_remedy(r->c, "a well adds its rate to the one constraint of the model");
    return RG_ERR_SYNTAX;
}

/* Peaceman's formula joins the pressures of a well and its cell in Darcy flow. */
static rg_status check_darcy(recognizer *r, const rg_well *w)
{
    for (int k = 0; k < r->form->n_equations; k++) {
        const rg_form_equation *e = &r->form->equations[k];
        if (e->kind != RG_FORM_MOMENTUM) continue;
        rg_bad(r->c, w->span,
               "'well %s' has a pressure, which belongs to Darcy flow; %s has a "
               "momentum equation",
               w->name, r->form->fields[e->field].name);
        rg_bad_remedy(r->c, "give its rate: 'well %s at (...) rate EXPR'", w->name);
        return RG_ERR_SYNTAX;
    }
    return RG_OK;
}

static rg_status add_well(recognizer *r, const rg_statement *st)
{
    rg_well *w = &r->form->wells[r->form->n_wells++];

    w->span = st->name_span;
    w->name = rg_copy_text(r->ctx, st->name, strlen(st->name));
    w->carries = rg_alloc(r->ctx, RG_FORM_FIELDS, sizeof *w->carries);
    if (w->name == NULL || w->carries == NULL) return RG_ERR_MEMORY;
    RG_TRY(read_place(r, st, w));
    RG_TRY(check_vectors(r, w));
    if (st->mark == 'r') {
        RG_TRY(take_value(r, st->right, "the rate of a well", &w->rate));
    } else {
        RG_TRY(check_darcy(r, w));
        RG_TRY(take_value(r, st->right, "the pressure of a well", &w->pressure));
        RG_TRY(take_value(r, st->extra[0], "the radius of a well", &w->radius));
    }
    return take_carried(r, st, w);
}

rg_status rg_form_wells(recognizer *r)
{
    const rg_model *m = r->c->model;

    r->form->wells = rg_alloc(r->ctx, RG_FORM_WELLS, sizeof *r->form->wells);
    if (r->form->wells == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < m->n_statements; k++) {
        if (m->statements[k]->kind != RG_STATEMENT_WELL) continue;
        if (r->form->n_wells == RG_FORM_WELLS) {
            rg_bad(r->c, m->statements[k]->name_span, "more than %d wells", RG_FORM_WELLS);
            rg_bad_remedy(r->c, "join wells of one cell");
            return RG_ERR_SYNTAX;
        }
        RG_TRY(add_well(r, m->statements[k]));
    }
    return RG_OK;
}
