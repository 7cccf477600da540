/* Fields in outputs on the sides of the box, at edges where the faces across another axis end; the
 * components of Darcy flow along open sides. */
#include "pdae/expand/write.h"

#include <string.h>

static bool is_pressure(const rg_form *form, int field)
{
    return form->equations[form->fields[field].equation].pressure == field;
}

/* The places along axis a of which a component has its mean on an edge of a side: two where one of
 * them is at faces and the other at cells. */
static int places_along(writer *w, int component, const where *at, int a, spot from, spot out[2])
{
    const bool is_face = a == at->d || a == at->e;

    out[0] = from;
    if (is_face == (a == component)) return 1;
    out[1] = rg_write_shift(w, from, a, is_face ? 1 : -1);
    return 2;
}

/* A component, with what lies beyond the sides. */
static const char *component_on_side(writer *w, int leaf, const where *at)
{
    spot s[1 << RG_AXES] = {at->s};
    const char *sum = NULL;
    int n = 1;

    for (int a = 0; a < w->form->grid->dims; a++) {
        spot next[1 << RG_AXES], two[2];
        int m = 0;
        for (int k = 0; k < n; k++) {
            const int some = places_along(w, w->form->leaves[leaf].component, at, a, s[k], two);
            for (int i = 0; i < some; i++)
                next[m++] = two[i];
        }
        memcpy(s, next, sizeof next);
        n = m;
    }
    for (int k = 0; k < n; k++) {
        const char *one = rg_write_element(w, w->ghost[leaf], s[k]);
        sum = sum == NULL ? one : rg_write_text(w, "%s + %s", sum, one);
    }
    return n == 1 ? sum : rg_write_text(w, "((%s)/%d)", sum, n);
}

/* A scalar on a side, in the face of it that s names. */
static const char *scalar_on_side(writer *w, int leaf, int side, spot s)
{
    where at = rg_at_side(w, side, s);

    at.side = side + 1;
    at.is_output = true;
    return rg_print_leaf(w, leaf, &at);
}

const char *rg_print_at_end(writer *w, int leaf, int side, spot s, int d, bool is_high)
{
    const int n = rg_write_cells(w, d), first = is_high ? n : 1;
    const char *text = scalar_on_side(w, leaf, side, rg_write_fix(s, d, first));

    if (n == 1) return text;
    return rg_write_text(w, "(1.5*%s - 0.5*%s)", text,
                         scalar_on_side(w, leaf, side, rg_write_fix(s, d, first == 1 ? 2 : n - 1)));
}

/* A scalar where two sides meet: on that which gives it, of two the last axis's, with what a given
 * flux through a side of a later axis makes of it; otherwise what both make of the cell inside.
 * Pressures continue on lines along closed sides. */
static const char *scalar_in_corner(writer *w, int leaf, const where *at)
{
    const rg_field *f = &w->form->fields[w->form->leaves[leaf].field];
    int sides[2] = {at->side - 1, 2 * at->d + (at->low ? 1 : 0)}; /* the side, the end of faces */

    const bool given[2] = {f->side[sides[0]].kind == RG_SCALAR_VALUE,
                           f->side[sides[1]].kind == RG_SCALAR_VALUE};
    const int of = given[1] && (!given[0] || sides[1] > sides[0]) ? 1 : 0;
    const int d = sides[1 - of] / 2, n = rg_write_cells(w, d), first = sides[1 - of] % 2 ? n : 1;
    const spot near = rg_write_fix(at->s, d, first);
    if (given[1 - of] || is_pressure(w->form, w->form->leaves[leaf].field)
        || (given[of] && sides[of] > sides[1 - of]))
        return rg_print_at_end(w, leaf, sides[of], at->s, d, sides[1 - of] % 2 == 1);
    const char *text = scalar_on_side(w, leaf, sides[of], near);
    const int e = sides[of] / 2;
    const char *fall = rg_print_fall(
        w, leaf, sides[1 - of], rg_write_fix(near, e, sides[of] % 2 ? rg_write_cells(w, e) : 1));
    return fall == NULL ? text : rg_write_text(w, "(%s - %s)", text, fall);
}

const char *rg_print_on_edge(writer *w, int leaf, const where *at)
{
    const int field = w->form->leaves[leaf].field;

    if (field < 0) return rg_print_mean(w, w->array[leaf], at);
    if (w->form->fields[field].is_vector) return component_on_side(w, leaf, at);
    if (!at->low || !at->high) return scalar_in_corner(w, leaf, at);
    return rg_write_text(w, "((%s + %s)/2)", scalar_on_side(w, leaf, at->side - 1, at->s),
                         scalar_on_side(w, leaf, at->side - 1, rg_write_shift(w, at->s, at->d, 1)));
}

/* ---- Darcy flow along an open side ----------------------------------------------------------- */
/* The cell of a side that s names: what the quantity is there. */
static const char *in_side(writer *w, const rg_quantity *q, int side, spot s)
{
    where at = rg_at_side(w, side, s);

    at.side = side + 1;
    at.is_output = true;
    return rg_print_quantity(w, q, &at);
}

/* (f - dp/dx_d)/r on the edge that s names, between two faces of the side. */
static const char *by_pressure(writer *w, const rg_form_equation *e, int d, int side, spot s)
{
    const rg_quantity *p = w->form->fields[e->pressure].side[side].value[0];
    const spot next = rg_write_shift(w, s, d, 1);
    where at = rg_at_side(w, side, s);

    at = (where){.kind = AT_EDGE,
                 .s = at.s,
                 .d = d,
                 .e = side / 2,
                 .below = at.low,
                 .above = at.high,
                 .low = true,
                 .high = true,
                 .side = side + 1,
                 .is_output = true};
    const char *f = rg_quantity_is_zero(e->force[d]) ? "0" : rg_print_quantity(w, e->force[d], &at);
    return rg_write_text(w, "(%s - (%s - %s)/%s)/((%s + %s)/2)", f, in_side(w, p, side, next),
                         in_side(w, p, side, s), rg_write_number(w, rg_write_width(w, d)),
                         in_side(w, e->resistance[d], side, s),
                         in_side(w, e->resistance[d], side, next));
}

const char *rg_expand_along_open(writer *w, const rg_form_equation *e, int d, int side,
                                 const char *inside, const char *behind)
{
    const spot s = rg_write_spot(w);
    const int n = rg_write_cells(w, d);
    const char *text = by_pressure(w, e, d, side, s);

    if (rg_write_is_periodic(w, d)) return text;
    for (int high = 1; high >= 0; high--) {
        const bool is_open = w->form->fields[e->field].side[2 * d + high].kind == RG_VECTOR_OPEN;
        const char *end = rg_write_text(w, "(3*%s - %s)/2", inside, behind);
        if (is_open && n > 2)
            end = rg_write_text(
                w, "2*%s - %s",
                by_pressure(w, e, d, side, rg_write_fix(s, d, high == 1 ? n - 1 : 1)),
                by_pressure(w, e, d, side, rg_write_fix(s, d, high == 1 ? n - 2 : 2)));
        text = rg_write_text(w, "if(%s == %d, %s, %s)", w->i[d], high == 1 ? n : 0, end, text);
    }
    return rg_write_text(w, "(%s)", text);
}
