/* What must hold on the grid before anything is solved: coefficients that are positive, closed
 * domains that are balanced, parts that are connected; and the counts of unknowns. */
#include "pdae/form/inside.h"

#include <math.h>
#include <string.h>

/* ---- faces and cells ------------------------------------------------------------------------- */
bool rg_form_is_fluid(const rg_form *form, const int cell[RG_AXES])
{
    const rg_grid *g = form->grid;
    int at[RG_AXES];

    for (int d = 0; d < RG_AXES; d++) {
        const int n = g->axis[d].n;
        at[d] = cell[d];
        if (at[d] < 0 || at[d] >= n) {
            if (!g->axis[d].periodic || d >= g->dims) return false;
            at[d] = at[d] < 0 ? n - 1 : 0;
        }
    }
    return g->solid == NULL || g->solid[rg_grid_at(g, at[0], at[1], at[2])] == 0;
}

bool rg_form_is_free(const rg_form *form, int vector, int axis, const int cell[RG_AXES])
{
    const rg_axis *a = &form->grid->axis[axis];
    int below[RG_AXES] = {cell[0], cell[1], cell[2]};

    below[axis]--;
    if (a->periodic || (cell[axis] > 0 && cell[axis] < a->n))
        return rg_form_is_fluid(form, cell) && rg_form_is_fluid(form, below);
    const bool is_low = cell[axis] == 0;
    return form->fields[vector].side[2 * axis + (is_low ? 0 : 1)].kind == RG_VECTOR_OPEN
           && rg_form_is_fluid(form, is_low ? cell : below);
}

const char *rg_form_name(const rg_form_equation *e)
{
    switch (e->kind) {
    case RG_FORM_MOMENTUM:
        return "momentum";
    case RG_FORM_DARCY:
        return "Darcy";
    case RG_FORM_TRANSPORT:
        return e->n_convections > 0 ? "transport" : "diffusion";
    default:
        return "elliptic";
    }
}

/* ---- counts ---------------------------------------------------------------------------------- */
/* The unknown faces of a row across axis d, without solids. */
static int64_t count_row(const rg_form *form, int vector, int d)
{
    const rg_axis *a = &form->grid->axis[d];
    const rg_condition *side = &form->fields[vector].side[2 * d];

    if (a->periodic) return a->n;
    return a->n - 1 + (side[0].kind == RG_VECTOR_OPEN) + (side[1].kind == RG_VECTOR_OPEN);
}

static int64_t count_faces(const rg_form *form, int vector)
{
    int64_t count = 0;

    for (int d = 0; d < form->grid->dims; d++) {
        const rg_points p = rg_points_faces(form->grid, d);
        if (form->grid->solid == NULL) {
            count += form->grid->cells / form->grid->axis[d].n * count_row(form, vector, d);
            continue;
        }
        for (int k = 0; k < p.count[2]; k++)
            for (int j = 0; j < p.count[1]; j++)
                for (int i = 0; i < p.count[0]; i++)
                    count += rg_form_is_free(form, vector, d, (const int[RG_AXES]){i, j, k});
    }
    return count;
}

static bool is_fixed(const rg_form *form, const rg_form_equation *e)
{
    for (int side = 0; side < 2 * form->grid->dims; side++)
        if (form->fields[e->field].side[side].kind == RG_VECTOR_OPEN) return true;
    for (int k = 0; k < form->n_wells; k++)
        if (form->wells[k].pressure != NULL) return true;
    return false;
}

static void count_unknowns(rg_form *form)
{
    const int64_t cells = form->grid->fluid;

    form->is_steady = true;
    form->index = 1;
    for (int k = 0; k < form->n_equations; k++) {
        rg_form_equation *e = &form->equations[k];
        const bool has_pressure = e->pressure >= 0;
        if (e->has_derivative) form->is_steady = false;
        form->unknowns += cells;
        if (!has_pressure) {
            if (e->has_derivative) form->dof += cells;
            continue;
        }
        const int64_t faces = count_faces(form, e->field);
        form->unknowns += faces;
        e->is_closed = !is_fixed(form, e);
        if (!e->has_derivative) continue;
        form->index = 2;
        form->dof += faces - cells + (e->is_closed ? 1 : 0);
    }
}

/* ---- quantities ------------------------------------------------------------------------------ */
enum { MOST_OF_ONE = 4 * RG_AXES + 4 + RG_CONVECTIONS * RG_AXES };

static int list_quantities(const rg_form_equation *e, const rg_quantity *out[MOST_OF_ONE])
{
    int n = 0;

    for (int d = 0; d < RG_AXES; d++) {
        out[n++] = e->storage[d];
        out[n++] = e->diffusion[d];
        out[n++] = e->resistance[d];
        out[n++] = e->force[d];
    }
    out[n++] = e->source;
    out[n++] = e->dispersion.molecular;
    out[n++] = e->dispersion.longitudinal;
    out[n++] = e->dispersion.transverse;
    for (int k = 0; k < e->n_convections; k++)
        for (int d = 0; d < RG_AXES; d++)
            out[n++] = e->convections[k].given[d];
    return n;
}

static bool reads(const rg_form *form, const rg_quantity *q, int field)
{
    for (int k = 0; k < q->n_inputs; k++)
        if (form->leaves[q->inputs[k]].field == field) return true;
    return false;
}

static rg_status check_steady(recognizer *r, const rg_quantity *q)
{
    if (!r->form->is_steady || (q->uses & RG_USES_TIME) == 0) return RG_OK;
    rg_bad(r->c, q->span, "a model without a derivative in time cannot depend on it");
    rg_bad_remedy(r->c, "add the time derivative of a field, or use a parameter");
    return RG_ERR_SYNTAX;
}

/* The p of a vector stands in grad(p) alone; without derivatives in time nothing depends on it. */
static rg_status check_quantity(recognizer *r, const rg_quantity *q)
{
    const rg_form *form = r->form;

    for (int k = 0; k < form->n_equations; k++) {
        const int p = form->equations[k].pressure;
        if (p < 0 || !reads(form, q, p)) continue;
        rg_bad(r->c, q->span, "%s is the pressure of %s and can only stand in grad(%s)",
               form->fields[p].name, form->fields[form->equations[k].field].name,
               form->fields[p].name);
        rg_bad_remedy(r->c, "declare another field for another quantity");
        return RG_ERR_SYNTAX;
    }
    return check_steady(r, q);
}

static rg_status check_all_steady(recognizer *r, rg_quantity *const *q, int n)
{
    for (int k = 0; k < n; k++)
        if (q[k] != NULL) RG_TRY(check_steady(r, q[k]));
    return RG_OK;
}

/* Sides, solids and wells. */
static rg_status check_data(recognizer *r)
{
    const rg_form *form = r->form;

    for (int f = 0; f < form->n_fields; f++) {
        for (int side = 0; side < RG_SIDES; side++)
            RG_TRY(check_all_steady(r, form->fields[f].side[side].value, RG_AXES));
        for (int k = 0; k < form->n_solids; k++)
            RG_TRY(check_all_steady(r, form->solids[k].condition[f].value, RG_AXES));
    }
    for (int k = 0; k < form->n_wells; k++) {
        const rg_well *w = &form->wells[k];
        rg_quantity *const own[] = {w->rate, w->pressure, w->radius};
        RG_TRY(check_all_steady(r, own, 3));
        if (w->carries != NULL) RG_TRY(check_all_steady(r, w->carries, form->n_fields));
    }
    return RG_OK;
}

/* ---- coefficients that must be positive ------------------------------------------------------ */
typedef struct { /* values at the start, on cells */
    double **leaf;
    bool *is_known;
    double *out, *work;
    int64_t work_size;
} cells_at_start;

static void clear_cells(recognizer *r, cells_at_start *s)
{
    for (int l = 0; l < r->form->n_leaves && s->leaf != NULL; l++)
        if (r->form->leaves[l].data < 0) rg_free(r->ctx, s->leaf[l]);
    rg_free(r->ctx, s->leaf);
    rg_free(r->ctx, s->is_known);
    rg_free(r->ctx, s->out);
    rg_free(r->ctx, s->work);
}

static rg_status eval(recognizer *r, cells_at_start *s, const rg_quantity *q, double *out)
{
    const rg_points p = rg_points_packed(rg_points_cells(r->form->grid));

    if (q->work_size > s->work_size) {
        double *grown = rg_resize(r->ctx, s->work, (size_t)q->work_size, sizeof *grown);
        if (grown == NULL) return RG_ERR_MEMORY;
        s->work = grown;
        s->work_size = q->work_size;
    }
    rg_quantity_eval(r->form, q, r->c->p->a, &p, (const double *const *)s->leaf, s->work, out,
                     NULL);
    return RG_OK;
}

/* Scalars with a start value, and data. */
static rg_status fill_cells(recognizer *r, cells_at_start *s)
{
    const rg_form *form = r->form;
    const size_t cells = (size_t)form->grid->cells;

    s->leaf = rg_alloc(r->ctx, (size_t)form->n_leaves + 1, sizeof *s->leaf);
    s->is_known = rg_alloc(r->ctx, (size_t)form->n_leaves + 1, sizeof *s->is_known);
    s->out = rg_alloc(r->ctx, cells, sizeof *s->out);
    if (s->leaf == NULL || s->is_known == NULL || s->out == NULL) return RG_ERR_MEMORY;
    for (int l = 0; l < form->n_leaves; l++) {
        const rg_leaf *leaf = &form->leaves[l];
        if (leaf->data >= 0) {
            s->leaf[l] = form->data[leaf->data].value;
            s->is_known[l] = true;
        } else if (!form->fields[leaf->field].is_vector
                   && form->fields[leaf->field].start[0] != NULL) {
            if ((s->leaf[l] = rg_alloc(r->ctx, cells, sizeof(double))) == NULL)
                return RG_ERR_MEMORY;
            RG_TRY(eval(r, s, form->fields[leaf->field].start[0], s->leaf[l]));
            s->is_known[l] = true;
        }
    }
    return RG_OK;
}

static rg_status fail_value(recognizer *r, const cells_at_start *s, const rg_quantity *q,
                            const char *what, const char *must, const int cell[RG_AXES], int64_t at)
{
    char where[64] = "", quote[RG_QUOTED], value[160] = "";
    const char *data = NULL;

    for (int d = 0; d < r->form->grid->dims; d++)
        snprintf(where + strlen(where), sizeof where - strlen(where), "%s%d", d > 0 ? ", " : "",
                 cell[d] + 1);
    for (int k = 0; k < q->n_inputs; k++) {
        const rg_leaf *leaf = &r->form->leaves[q->inputs[k]];
        if (data != NULL && leaf->data < 0) continue;
        const char *name =
            leaf->data >= 0 ? r->form->data[leaf->data].name : r->form->fields[leaf->field].name;
        snprintf(value, sizeof value, ", where %.100s = %g", name, s->leaf[q->inputs[k]][at]);
        if (leaf->data >= 0) data = name;
    }
    rg_bad(r->c, q->span, "the %s %s is not %s and finite in cell (%s)%s", what,
           rg_form_quote(r, q->span, quote), must, where, value);
    if (data != NULL)
        rg_bad_remedy(r->c, "use a small positive %s, or exclude the cells: 'solid rock = %s == 0'",
                      data, data);
    else
        rg_bad_remedy(r->c, "change the coefficient");
    return RG_ERR_SYNTAX;
}

static rg_status check_sign(recognizer *r, cells_at_start *s, const rg_quantity *q,
                            const char *what, bool may_vanish)
{
    const rg_points p = rg_points_packed(rg_points_cells(r->form->grid));

    if (q == NULL || q->same) return RG_OK;
    for (int k = 0; k < q->n_inputs; k++)
        if (!s->is_known[q->inputs[k]]) return RG_OK;
    RG_TRY(eval(r, s, q, s->out));
    for (int k = 0; k < p.count[2]; k++)
        for (int j = 0; j < p.count[1]; j++)
            for (int i = 0; i < p.count[0]; i++) {
                const int64_t at = i + j * p.stride[1] + k * p.stride[2];
                const int cell[RG_AXES] = {i, j, k};
                const double v = s->out[at];
                if (isfinite(v) && (v > 0 || (may_vanish && v == 0))) continue;
                if (rg_form_is_fluid(r->form, cell))
                    return fail_value(r, s, q, what, may_vanish ? "positive or zero" : "positive",
                                      cell, at);
            }
    return RG_OK;
}

/* A number in front of u or u' that is negative: the sign of grad(p) is the wrong one. */
static rg_status check_gradient(recognizer *r, const rg_form_equation *e)
{
    const rg_quantity *q = e->kind == RG_FORM_DARCY ? e->resistance[0] : e->storage[0];
    const char *p = e->pressure >= 0 ? r->form->fields[e->pressure].name : "";

    if (e->pressure < 0 || q == NULL || q->uses != 0 || !(q->value < 0)) return RG_OK;
    rg_bad(r->c, e->span, "'grad(%s)' pushes %s towards higher %s", p,
           r->form->fields[e->field].name, p);
    rg_bad_remedy(r->c, "change its sign: '-grad(%s)' beside the forces", p);
    return RG_ERR_SYNTAX;
}

static rg_status check_signs(recognizer *r)
{
    cells_at_start s = {0};
    rg_status status = fill_cells(r, &s);

    for (int k = 0; k < r->form->n_equations && status == RG_OK; k++) {
        const rg_form_equation *e = &r->form->equations[k];
        status = check_gradient(r, e);
        for (int d = 0; d < r->form->grid->dims && status == RG_OK; d++) {
            status = check_sign(r, &s, e->resistance[d], "resistance", false);
            if (status == RG_OK)
                status = check_sign(r, &s, e->storage[d], "coefficient of the derivative,", false);
            if (status == RG_OK)
                status = check_sign(r, &s, e->diffusion[d],
                                    e->kind == RG_FORM_MOMENTUM ? "viscosity" : "diffusion", true);
        }
    }
    clear_cells(r, &s);
    return status;
}

/* ---- start values ---------------------------------------------------------------------------- */
/* What steps begin with has a start value, or 0 is taken and told; what equations determine has
 * none, and one that is given is told to be unused. */
static rg_status check_start(recognizer *r, int f)
{
    const rg_field *field = &r->form->fields[f];
    const rg_form_equation *e = &r->form->equations[field->equation];
    const bool is_state = e->has_derivative && e->field == f;

    if (is_state && field->start_kind == RG_START_NONE)
        return rg_problem_warn(r->c->p, "'%s' has no start value: 0 is taken", field->name);
    if (is_state || field->start_kind != RG_START_KEPT) return RG_OK;
    if (e->kind == RG_FORM_MOMENTUM && e->field == f) return RG_OK; /* a march begins with it */
    return rg_problem_warn(
        r->c->p, "the start value of '%s' is not used: the equations determine it", field->name);
}

/* ---- all ------------------------------------------------------------------------------------- */
static rg_status check_time(recognizer *r)
{
    for (int k = 0; k < r->c->model->n_statements; k++)
        if (r->c->model->statements[k]->kind == RG_STATEMENT_OVER || r->form->is_steady)
            return RG_OK;
    rg_fail(r->ctx, RG_ERR_SYNTAX, "the model does not say over which interval to solve");
    r->c->n_errors++;
    rg_fail_at(r->ctx, r->c->source, (rg_span){r->c->source->length, r->c->source->length});
    rg_remedy(r->ctx, "add a line such as: over t = 0 .. 10");
    return RG_ERR_SYNTAX;
}

rg_status rg_form_check(recognizer *r)
{
    const rg_quantity *all[MOST_OF_ONE];

    count_unknowns(r->form);
    RG_TRY(check_time(r));
    for (int k = 0; k < r->form->n_equations; k++) {
        const int n = list_quantities(&r->form->equations[k], all);
        for (int i = 0; i < n; i++)
            if (all[i] != NULL) RG_TRY(check_quantity(r, all[i]));
    }
    RG_TRY(check_data(r));
    RG_TRY(check_signs(r));
    RG_TRY(rg_form_check_parts(r));
    for (int f = 0; f < r->form->n_fields; f++)
        RG_TRY(check_start(r, f));
    return rg_form_check_balance(r);
}
