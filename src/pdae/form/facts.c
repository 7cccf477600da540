/* What reports say about a recognized model. */
#include "pdae/form/facts.h"
#include "pdae/form/tuning.h"

#include <math.h>
#include <stdio.h>

static void describe_axis(const rg_form *form, int d, rg_grid_facts *out)
{
    const rg_axis *a = &form->grid->axis[d];

    out->cells[d] = a->n;
    snprintf(out->axis[d], sizeof out->axis[d], "%.90s", form->axis_name[d]);
    out->narrowest[d] = INFINITY;
    for (int i = 0; i < a->n; i++) {
        out->narrowest[d] = fmin(out->narrowest[d], a->width[i]);
        out->widest[d] = fmax(out->widest[d], a->width[i]);
    }
}

static int line_of(const rg_form *form, rg_span span)
{
    int line, column;

    rg_source_place(form->source, span.start, &line, &column);
    return line;
}

static void describe_equation(const rg_form *form, const rg_form_equation *e, int k,
                              rg_grid_facts *out)
{
    const char *name = form->fields[e->field].name;
    const int line = line_of(form, e->span);

    snprintf(out->form[k], sizeof out->form[k], "%s", rg_form_name(e));
    if (e->pressure >= 0)
        snprintf(out->equation[k], sizeof out->equation[k],
                 "line %d: %s, for %.60s; line %d: its constraint, for %.60s", line,
                 rg_form_name(e), name, line_of(form, e->constraint_span),
                 form->fields[e->pressure].name);
    else
        snprintf(out->equation[k], sizeof out->equation[k], "line %d: %s, for %.60s", line,
                 rg_form_name(e), name);
}

/* A system that no transform solves: the factors of a matrix on a plane have about as many entries
 * as n log2 n times a constant. */
double rg_form_memory(const rg_form *form)
{
    const rg_grid *g = form->grid;
    double numbers = RG_GRID_NUMBERS * g->dims;

    for (int k = 0; k < form->n_equations; k++) {
        const rg_form_equation *e = &form->equations[k];
        const bool is_rough = g->solid != NULL || e->kind == RG_FORM_DARCY;
        numbers += e->pressure >= 0 ? RG_GRID_NUMBERS_VECTOR * g->dims : RG_GRID_NUMBERS_SCALAR;
        if (e->kind != RG_FORM_TRANSPORT && is_rough)
            numbers += RG_GRID_NUMBERS_FACTOR * log2(1.0 + (double)g->cells);
    }
    return (double)sizeof(double) * numbers * (double)g->cells;
}

void rg_form_facts(const rg_form *form, rg_grid_facts *out)
{
    *out = (rg_grid_facts){.dims = form->grid->dims,
                           .unknowns = form->unknowns,
                           .dof = form->dof,
                           .index = form->index,
                           .is_steady = form->is_steady,
                           .iterations = -1,
                           .memory = rg_form_memory(form),
                           .seconds_per_step = NAN,
                           .cell_reynolds = NAN,
                           .drift = NAN};
    for (int d = 0; d < form->grid->dims; d++)
        describe_axis(form, d, out);
    for (int k = 0; k < form->n_equations && k < RG_GRID_LINES; k++)
        describe_equation(form, &form->equations[k], out->n_forms++, out);
}

rg_structure rg_form_structure(const rg_form *form)
{
    return (rg_structure){.unknowns = form->unknowns,
                          .equations = form->unknowns,
                          .dof = form->dof,
                          .blocks = form->n_equations,
                          .index = form->index};
}
