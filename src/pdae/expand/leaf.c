/* Fields of the model, and what outputs derive from them, at places of the grid. */
#include "pdae/expand/write.h"
#include "pdae/form/output.h"

/* Mean of the array over the cells around a face or an edge that are there. */
const char *rg_print_mean(writer *w, const char *array, const where *at)
{
    const char *sum = NULL;
    int n = 0;

    for (int a = 0; a < 2; a++)
        for (int b = 0; b < (at->kind == AT_EDGE ? 2 : 1); b++) {
            if (!(a == 0 ? at->low : at->high)) continue;
            if (at->kind == AT_EDGE && !(b == 0 ? at->below : at->above)) continue;
            spot s = rg_write_shift(w, at->s, at->d, a);
            if (at->kind == AT_EDGE) s = rg_write_shift(w, s, at->e, b);
            const char *one = rg_write_element(w, array, s);
            sum = sum == NULL ? one : rg_write_text(w, "%s + %s", sum, one);
            n++;
        }
    return n == 1 ? sum : rg_write_text(w, "((%s)/%d)", sum, n);
}

/* A component at a cell: the mean of its two faces; at a face across another axis: of four. */
static const char *component_at(writer *w, int leaf, const where *at)
{
    const int c = w->form->leaves[leaf].component;
    const char *array = w->inside[leaf];
    const spot low = rg_write_shift(w, at->s, c, -1);

    if (at->kind == AT_FACE && at->d == c) return rg_write_element(w, array, at->s);
    if (at->kind == AT_CELL)
        return rg_write_text(w, "((%s + %s)/2)", rg_write_element(w, array, low),
                             rg_write_element(w, array, at->s));
    const where high = *at;
    where below = *at;
    below.s = low;
    return rg_write_text(w, "((%s + %s)/2)", rg_print_mean(w, array, &below),
                         rg_print_mean(w, array, &high));
}

/* Twice the mean of the two faces across c of a cell. */
static const char *two_faces(writer *w, const char *name, int c, spot s)
{
    return rg_write_text(w, "(%s + %s)", rg_write_element(w, name, s),
                         rg_write_element(w, name, rg_write_shift(w, s, c, -1)));
}

static bool is_darcy(const writer *w, int field)
{
    return w->form->equations[w->form->fields[field].equation].kind == RG_FORM_DARCY;
}

/* The slope of u_c along a in the cells beside a side; NULL: as in the others.  Flow has a given
 * value there, half as far away as the next one; Darcy flow has none. */
static const char *slope_beside(writer *w, int field, int side, const char *value[3])
{
    const rg_field *f = &w->form->fields[field];
    const int a = side / 2, high = side % 2, n = rg_write_cells(w, a);
    const char *h = rg_write_number(w, rg_write_width(w, a));

    if (rg_write_is_periodic(w, a)) return NULL;
    if (is_darcy(w, field) && n == 1) return "0";
    if (is_darcy(w, field))
        return rg_write_text(w, "(%s - %s)/(2*%s)", value[high ? 1 : 2], value[high ? 0 : 1], h);
    if (f->side[side].kind != RG_VECTOR_GIVEN || n == 1) return NULL;
    return rg_write_text(w, high ? "(2*%s - %s - %s)/(6*%s)" : "(%s + %s - 2*%s)/(6*%s)", value[2],
                         value[1], value[0], h);
}

/* d(u_c)/dx_a at a cell: difference of the means on its two sides across a. */
static const char *slope(writer *w, int field, int c, int a, spot s)
{
    const int leaf = rg_form_leaf(w->form, field, c), n = rg_write_cells(w, a);
    const char *h = rg_write_number(w, rg_write_width(w, a));
    const char *name = w->ghost[leaf];

    if (a == c)
        return rg_write_text(w, "(%s - %s)/%s", rg_write_element(w, w->inside[leaf], s),
                             rg_write_element(w, w->inside[leaf], rg_write_shift(w, s, c, -1)), h);
    const char *value[3] = {two_faces(w, name, c, rg_write_shift(w, s, a, -1)),
                            two_faces(w, name, c, s),
                            two_faces(w, name, c, rg_write_shift(w, s, a, 1))};
    const char *text = rg_write_text(w, "(%s - %s)/(4*%s)", value[2], value[0], h);
    for (int high = 0; high < 2; high++) {
        const char *beside = slope_beside(w, field, 2 * a + high, value);
        if (beside != NULL)
            text = rg_write_text(w, "if(%s == %d, %s, %s)", s.index[a], high ? n : 1, beside, text);
    }
    return text;
}

/* curl and div of a vector at a cell, or on a side: on a line with the two cells inside. */
static const char *derived_at(writer *w, const rg_derived *l, const where *at)
{
    if (at->side > 0) {
        const int d = (at->side - 1) / 2, n = rg_write_cells(w, d),
                  first = at->side % 2 == 0 ? n : 1;
        const where near = rg_at_cell(rg_write_fix(at->s, d, first)),
                    next = rg_at_cell(rg_write_fix(at->s, d,
                                                   n == 1       ? 1
                                                   : first == 1 ? 2
                                                                : n - 1));
        return rg_write_text(w, "(1.5*%s - 0.5*%s)", derived_at(w, l, &near),
                             derived_at(w, l, &next));
    }
    const int c = w->form->grid->dims == 2 ? 2 : l->component;
    const int a = (c + 1) % RG_AXES, b = (c + 2) % RG_AXES;
    const char *text = "0";

    if (l->component >= 0)
        return rg_write_text(w, "(%s - %s)", slope(w, l->field, b, a, at->s),
                             slope(w, l->field, a, b, at->s));
    for (int d = 0; d < w->form->grid->dims; d++)
        text = rg_write_text(w, "%s + %s", text, slope(w, l->field, d, d, at->s));
    return rg_write_text(w, "(%s)", text);
}

/* A pressure on a side that is closed: on a line with the two cells inside. */
static const char *closed_pressure(writer *w, int leaf, const where *at)
{
    const int d = (at->side - 1) / 2, n = rg_write_cells(w, d), first = at->side % 2 == 0 ? n : 1;
    const char *near = rg_write_element(w, w->array[leaf], rg_write_fix(at->s, d, first));

    if (n == 1) return near;
    return rg_write_text(
        w, "(1.5*%s - 0.5*%s)", near,
        rg_write_element(w, w->array[leaf], rg_write_fix(at->s, d, first == 1 ? 2 : n - 1)));
}

const char *rg_print_fall(writer *w, int leaf, int side, spot s)
{
    const int field = w->form->leaves[leaf].field, d = side / 2, n = rg_write_cells(w, d);
    const rg_condition *c = &w->form->fields[field].side[side];
    const rg_form_equation *e = &w->form->equations[w->form->fields[field].equation];
    const where cell = rg_at_cell(rg_write_fix(s, d, side % 2 == 1 ? n : 1)),
                at = rg_at_side(w, side, s);

    if (w->form->fields[field].is_vector || c->kind != RG_SCALAR_FLUX || e->has_dispersion
        || rg_quantity_is_zero(e->diffusion[d]))
        return NULL;
    return rg_write_text(w, "(%s)*%s/(2*(%s))", rg_print_quantity(w, c->value[0], &at),
                         rg_write_number(w, rg_write_width(w, d)),
                         rg_print_quantity(w, e->diffusion[d], &cell));
}

static bool is_pressure(const rg_form *form, int field)
{
    return form->equations[form->fields[field].equation].pressure == field;
}

const char *rg_print_leaf(writer *w, int leaf, const where *at)
{
    const int beyond = leaf - w->form->n_leaves;
    const rg_leaf *l = &w->form->leaves[leaf];

    if (beyond >= 0) return derived_at(w, &w->form->derived[beyond], at);
    if (at->side > 0 && at->kind == AT_EDGE) return rg_print_on_edge(w, leaf, at);
    if (at->side > 0 && l->field >= 0) {
        const rg_condition *c = &w->form->fields[l->field].side[at->side - 1];
        const bool is_vector = w->form->fields[l->field].is_vector;
        if (!is_vector && c->kind == RG_SCALAR_VALUE) return rg_print_quantity(w, c->value[0], at);
        const char *fall = at->is_output ? rg_print_fall(w, leaf, at->side - 1, at->s) : NULL;
        if (fall != NULL) {
            const int d = (at->side - 1) / 2, n = rg_write_cells(w, d);
            const spot s = rg_write_fix(at->s, d, at->side % 2 == 0 ? n : 1);
            return rg_write_text(w, "(%s - %s)", rg_write_element(w, w->array[leaf], s), fall);
        }
        if (is_vector && is_darcy(w, l->field) && (at->side - 1) / 2 != l->component) {
            where on = *at; /* the component along the side: only its ghosts know it there */
            on.e = on.d;
            return rg_print_on_edge(w, leaf, &on);
        }
        if (is_vector && c->kind == RG_VECTOR_GIVEN)
            return rg_print_quantity(w, c->value[l->component], at);
        if (is_pressure(w->form, l->field)) return closed_pressure(w, leaf, at);
    }
    if (l->field >= 0 && w->form->fields[l->field].is_vector) return component_at(w, leaf, at);
    if (at->kind == AT_CELL) return rg_write_element(w, w->array[leaf], at->s);
    return rg_print_mean(w, w->array[leaf], at);
}
