/* Transport, diffusion and elliptic equations of a scalar by finite volumes.
 *
 *     flux at a face   w U (c_i + c_(i+1))/2 - k (c_(i+1) - c_i)/h,  1/k: mean of the two cells
 *     phi c' + sum_d (flux_i - flux_(i-1))/h_d = g + wells
 *
 * Upwind: |U|/2 (c_(i+1) - c_i) is subtracted.  On a side with a given value b the diffusive flux
 * is -k (c - b)/(h/2), and what enters carries b; otherwise what passes carries the inside
 * value. */
#include "pdae/expand/write.h"

#include <string.h>

static const char *cell_value(writer *w, const rg_form_equation *e, spot s)
{
    return rg_write_element(w, w->array[rg_form_leaf(w->form, e->field, 0)], s);
}

static const char *flux_name(writer *w, const rg_form_equation *e, int d)
{
    return rg_write_text(w, "%s_flux_%s", w->array[rg_form_leaf(w->form, e->field, 0)],
                         w->form->axis_name[d]);
}

/* auto: central where there is plain diffusion, upstream values otherwise */
static bool is_upwind(const writer *w, const rg_form_equation *e)
{
    if (strcmp(w->options->transport, "auto") != 0)
        return strcmp(w->options->transport, "upwind") == 0;
    return e->diffusion[0] == NULL;
}

/* The velocity at a face; NULL: none, as on a wall. */
static const char *velocity(writer *w, const rg_convection *c, int d, const where *at)
{
    if (c->velocity < 0) return rg_print_quantity(w, c->given[d], at);
    const rg_field *u = &w->form->fields[c->velocity];
    if (!at->low || !at->high) {
        const rg_condition *side = &u->side[2 * d + (at->low ? 1 : 0)];
        if (side->kind == RG_VECTOR_SLIP) return NULL;
        if (side->kind == RG_VECTOR_GIVEN && rg_quantity_is_zero(side->value[d])) return NULL;
    }
    return rg_write_element(w, w->inside[rg_form_leaf(w->form, c->velocity, d)], at->s);
}

/* ---- diffusion ------------------------------------------------------------------------------- */
/* k at a face: of its two cells in series. */
static const char *conductivity(writer *w, const rg_form_equation *e, int d, spot s)
{
    const rg_quantity *k = e->diffusion[d];
    const where low = rg_at_cell(s), high = rg_at_cell(rg_write_shift(w, s, d, 1));

    if ((k->uses & (RG_USES_SPACE | RG_USES_FIELDS | RG_USES_DATA)) == 0)
        return rg_print_quantity(w, k, &low);
    const char *a = rg_print_quantity(w, k, &low), *b = rg_print_quantity(w, k, &high);
    return rg_write_text(w, "2*%s*%s/(%s + %s + 1e-300)", a, b, a, b);
}

/* The derivative of c along a at a face across d: mean of central differences in the two cells,
 * one-sided at sides of the box. */
static const char *slope_across(writer *w, const rg_form_equation *e, int d, int a, spot s)
{
    const int n = rg_write_cells(w, a);
    const char *h = rg_write_number(w, rg_write_width(w, a)), *sum = "0";
    const bool is_periodic = rg_write_is_periodic(w, a);

    for (int side = 0; side < 2; side++) {
        const spot at = rg_write_shift(w, s, d, side);
        const char *low = cell_value(w, e, rg_write_shift(w, at, a, -1));
        const char *high = cell_value(w, e, rg_write_shift(w, at, a, 1));
        const char *here = cell_value(w, e, at);
        if (!is_periodic) {
            low = rg_write_text(w, "if(%s == 1, %s, %s)", w->i[a], here, low);
            high = rg_write_text(w, "if(%s == %d, %s, %s)", w->i[a], n, here, high);
        }
        sum = rg_write_text(w, "%s + (%s - %s)/(2*%s)", sum, high, low, h);
    }
    return rg_write_text(w, "(%s)/2", sum);
}

/* D = dm I + |u| (dl E + dt (I - E)), E = u u^T/|u|^2:  -(D grad c)_d at a face */
static const char *dispersive(writer *w, const rg_form_equation *e, int d, const where *at)
{
    const rg_dispersion *t = &e->dispersion;
    const int dims = w->form->grid->dims;
    const char *u[RG_AXES], *square = "1e-60", *text = "";
    const char *dm = rg_print_quantity(w, t->molecular, at);
    const char *dl = rg_print_quantity(w, t->longitudinal, at);
    const char *dt = rg_print_quantity(w, t->transverse, at);

    for (int a = 0; a < dims; a++) {
        u[a] = rg_print_leaf(w, rg_form_leaf(w->form, t->velocity, a), at);
        square = rg_write_text(w, "%s + %s^2", square, u[a]);
    }
    for (int a = 0; a < dims; a++) {
        const char *same = a == d ? rg_write_text(w, "%s + %s*sqrt(%s) + ", dm, dt, square) : "";
        const char *slope =
            a == d
                ? rg_write_text(w, "(%s - %s)/%s", cell_value(w, e, rg_write_shift(w, at->s, d, 1)),
                                cell_value(w, e, at->s), rg_write_number(w, rg_write_width(w, d)))
                : slope_across(w, e, d, a, at->s);
        text = rg_write_text(w, "%s - (%s(%s - %s)*%s*%s/sqrt(%s))*(%s)", text, same, dl, dt, u[d],
                             u[a], square, slope);
    }
    return text;
}

/* ---- fluxes ---------------------------------------------------------------------------------- */
static const char *inner_flux(writer *w, const rg_form_equation *e, int d)
{
    const where at = rg_at_face(w, d, rg_write_spot(w));
    const char *low = cell_value(w, e, at.s);
    const char *high = cell_value(w, e, rg_write_shift(w, at.s, d, 1)), *text = "0";

    for (int k = 0; k < e->n_convections; k++) {
        const rg_convection *c = &e->convections[k];
        const char *u = velocity(w, c, d, &at);
        const char *scale = rg_write_number(w, c->conservative + c->advective);
        text = rg_write_text(w, "%s + %s*%s*(%s + %s)/2", text, scale, u, low, high);
        if (is_upwind(w, e))
            text = rg_write_text(w, "%s - abs(%s*%s)*(%s - %s)/2", text, scale, u, high, low);
    }
    if (e->diffusion[d] != NULL)
        text = rg_write_text(w, "%s - %s*(%s - %s)/%s", text, conductivity(w, e, d, at.s), high,
                             low, rg_write_number(w, rg_write_width(w, d)));
    if (e->has_dispersion) text = rg_write_text(w, "%s%s", text, dispersive(w, e, d, &at));
    return text;
}

static const char *side_flux(writer *w, const rg_form_equation *e, int side)
{
    const int d = side / 2;
    const bool is_high = side % 2 == 1;
    const rg_condition *c = &w->form->fields[e->field].side[side];
    const where at = rg_at_side(w, side, rg_write_spot(w));
    const spot in = rg_write_fix(at.s, d, is_high ? rg_write_cells(w, d) : 1);
    const where cell = rg_at_cell(in);
    const char *inside = cell_value(w, e, in), *text = "0";
    const char *given = rg_print_quantity(w, c->value[0], &at);

    for (int k = 0; k < e->n_convections; k++) {
        const char *u = velocity(w, &e->convections[k], d, &at);
        const char *scale =
            rg_write_number(w, e->convections[k].conservative + e->convections[k].advective);
        if (u == NULL) continue;
        if (c->kind == RG_SCALAR_VALUE)
            text = rg_write_text(w, "%s + max(%s*%s, 0)*%s + min(%s*%s, 0)*%s", text, scale, u,
                                 is_high ? inside : given, scale, u, is_high ? given : inside);
        else
            text = rg_write_text(w, "%s + %s*%s*%s", text, scale, u, inside);
    }
    if (c->kind == RG_SCALAR_FLUX)
        return rg_write_text(w, "%s %s %s", text, is_high ? "+" : "-", given);
    if (c->kind == RG_SCALAR_VALUE && e->diffusion[d] != NULL)
        return rg_write_text(w, "%s - %s*(%s - %s)/(%s/2)", text,
                             rg_print_quantity(w, e->diffusion[d], &cell), is_high ? given : inside,
                             is_high ? inside : given, rg_write_number(w, rg_write_width(w, d)));
    return text;
}

static void write_flux(writer *w, const rg_form_equation *e, int d)
{
    const int n = rg_write_cells(w, d);
    const bool is_periodic = rg_write_is_periodic(w, d);
    const char *text = inner_flux(w, e, d);

    if (!is_periodic)
        text = rg_write_text(w, "if(%s == 0, %s, if(%s == %d, %s, %s))", w->i[d],
                             side_flux(w, e, 2 * d), w->i[d], n, side_flux(w, e, 2 * d + 1), text);
    fprintf(w->to, "let %s[%s] = %s\n", flux_name(w, e, d),
            rg_write_ranges(w, d, is_periodic ? 1 : 0, n), text);
}

/* b c div u, which is what u.grad c has less than div(u c). */
static const char *diverging(writer *w, const rg_form_equation *e, const rg_convection *c, spot s)
{
    const char *sum = "0";

    if (c->advective == 0) return "";
    for (int d = 0; d < w->form->grid->dims; d++) {
        const where high = rg_at_face(w, d, s);
        where low = high;
        low.s = rg_write_shift(w, s, d, -1);
        sum = rg_write_text(
            w, "%s + (%s - %s)/%s", sum,
            c->velocity < 0
                ? rg_print_quantity(w, c->given[d], &high)
                : rg_write_element(w, w->inside[rg_form_leaf(w->form, c->velocity, d)], high.s),
            c->velocity < 0
                ? rg_print_quantity(w, c->given[d], &low)
                : rg_write_element(w, w->inside[rg_form_leaf(w->form, c->velocity, d)], low.s),
            rg_write_number(w, rg_write_width(w, d)));
    }
    return rg_write_text(w, " - %s*%s*(%s)", rg_write_number(w, c->advective), cell_value(w, e, s),
                         sum);
}

void rg_expand_scalar(writer *w, const rg_form_equation *e)
{
    const spot s = rg_write_spot(w);
    const where at = rg_at_cell(s);
    const char *text = "", *wells = "";

    for (int d = 0; d < w->form->grid->dims; d++) {
        write_flux(w, e, d);
        const char *name = flux_name(w, e, d);
        text = rg_write_text(w, "%s%s(%s - %s)/%s", text, d > 0 ? " + " : "",
                             rg_write_element(w, name, s),
                             rg_write_element(w, name, rg_write_shift(w, s, d, -1)),
                             rg_write_number(w, rg_write_width(w, d)));
    }
    for (int k = 0; k < e->n_convections; k++) {
        text = rg_write_text(w, "%s%s", text, diverging(w, e, &e->convections[k], s));
        wells = rg_write_text(w, "%s%s", wells, rg_expand_carried(w, e, &e->convections[k]));
    }
    if (e->has_derivative)
        text = rg_write_text(w, "%s*%s' + %s", rg_print_quantity(w, e->storage[0], &at),
                             cell_value(w, e, s), text);
    fprintf(w->to, "for %s {\n    %s = %s%s\n}\n", rg_write_ranges(w, -1, 0, 0), text,
            rg_print_quantity(w, e->force[0], &at), wells);
}

/* ---- wells ----------------------------------------------------------------------------------- */
spot rg_expand_well_spot(const writer *w, const rg_well *well)
{
    spot s = rg_write_spot(w);
    int64_t at = well->cell;

    for (int d = 0; d < w->form->grid->dims; d++) {
        s = rg_write_fix(s, d, (int)(at % rg_write_cells(w, d)) + 1);
        at /= rg_write_cells(w, d);
    }
    return s;
}

static const char *is_here(writer *w, const rg_well *well)
{
    const spot s = rg_expand_well_spot(w, well);
    const char *text = "";

    for (int d = 0; d < w->form->grid->dims; d++)
        text = rg_write_text(w, "%s%s%s == %s", text, d > 0 ? " and " : "", w->i[d], s.index[d]);
    return text;
}

static double volume(const writer *w)
{
    double v = 1;

    for (int d = 0; d < w->form->grid->dims; d++)
        v *= rg_write_width(w, d);
    return v;
}

static const rg_form_equation *constrained(const writer *w)
{
    for (int k = 0; k < w->form->n_equations; k++)
        if (w->form->equations[k].pressure >= 0) return &w->form->equations[k];
    return NULL;
}

/* Given, or Peaceman's:  2 pi h_z (P - p)/(r log(r0/R)),  r0 = .14 sqrt(h_x^2 + h_y^2). */
/* Resistance of Darcy flow along axis d in the cell of a well. */
static const char *resistance_at(writer *w, const rg_form_equation *e, int d, const where *at)
{
    return e->kind == RG_FORM_DARCY ? rg_print_quantity(w, e->resistance[d], at) : "1";
}

const char *rg_expand_rate(writer *w, const rg_well *well, spot s)
{
    const where at = rg_at_cell(s);
    const rg_form_equation *e = constrained(w);
    const rg_grid *g = w->form->grid;

    if (well->rate != NULL) return rg_print_quantity(w, well->rate, &at);
    const char *hx = rg_write_number(w, g->axis[0].width[0]),
               *hy = rg_write_number(w, g->axis[g->dims > 1].width[0]),
               *hz = rg_write_number(w, g->dims > 2 ? g->axis[2].width[0] : 1);
    const char *p = rg_write_element(w, w->array[rg_form_leaf(w->form, e->pressure, 0)], s);
    const char *rx = resistance_at(w, e, 0, &at), *ry = resistance_at(w, e, g->dims > 1, &at);
    const char *r = rx, *r0 = rg_write_text(w, ".14*sqrt(%s^2 + %s^2)", hx, hy);
    if (strcmp(rx, ry) != 0) { /* Peaceman's radius where x and y differ */
        r = rg_write_text(w, "sqrt(%s*%s)", rx, ry);
        r0 = rg_write_text(
            w, ".28*sqrt(sqrt(%s/%s)*%s^2 + sqrt(%s/%s)*%s^2)/((%s/%s)^.25 + (%s/%s)^.25)", rx, ry,
            hx, ry, rx, hy, rx, ry, ry, rx);
    }
    return rg_write_text(w, "(2*pi*%s*(%s - %s)/(%s*log(%s/%s)))", hz,
                         rg_print_quantity(w, well->pressure, &at), p, r, r0,
                         rg_print_quantity(w, well->radius, &at));
}

const char *rg_expand_wells(writer *w, const rg_form_equation *e)
{
    const char *text = "", *v = rg_write_number(w, volume(w));

    (void)e;
    for (int k = 0; k < w->form->n_wells; k++) {
        const rg_well *well = &w->form->wells[k];
        text = rg_write_text(w, "%s + if(%s, %s/%s, 0)", text, is_here(w, well),
                             rg_expand_rate(w, well, rg_expand_well_spot(w, well)), v);
    }
    return text;
}

/* What a well moves:  a (max(rate, 0) b + min(rate, 0) c)  of a div(u c), with b what is put in,
 * and a max(rate, 0) (b - c)  of a u.grad c, which has c div(u) less. */
static const char *moved_text(writer *w, const rg_convection *c, const rg_well *well,
                              const char *const rate_put_there[3])
{
    const char *rate = rate_put_there[0], *put = rate_put_there[1], *there = rate_put_there[2];
    const bool is_number = well->rate != NULL && well->rate->uses == 0;
    const char *in = is_number && well->rate->value > 0 ? rate
                     : is_number                        ? "0"
                                                        : rg_write_text(w, "max(%s, 0)", rate);
    const char *out = is_number && well->rate->value > 0 ? "0"
                      : is_number                        ? rate
                                                         : rg_write_text(w, "min(%s, 0)", rate);
    const char *text = "0";

    if (c->conservative != 0)
        text = rg_write_text(w, "%s*(%s*%s + %s*%s)", rg_write_number(w, c->conservative), in, put,
                             out, there);
    if (c->advective != 0)
        text = rg_write_text(w, "%s + %s*%s*(%s - %s)", text, rg_write_number(w, c->advective), in,
                             put, there);
    return text;
}

const char *rg_expand_carried(writer *w, const rg_form_equation *e, const rg_convection *c)
{
    const rg_form_equation *u = constrained(w);
    const char *text = "", *v = rg_write_number(w, volume(w));

    if (u == NULL || c->velocity != u->field) return text;
    for (int k = 0; k < w->form->n_wells; k++) {
        const rg_well *well = &w->form->wells[k];
        const spot s = rg_expand_well_spot(w, well);
        const where at = rg_at_cell(s);
        const char *const values[3] = {rg_expand_rate(w, well, s),
                                       rg_print_quantity(w, well->carries[e->field], &at),
                                       cell_value(w, e, s)};
        text = rg_write_text(w, "%s + if(%s, (%s)/%s, 0)", text, is_here(w, well),
                             moved_text(w, c, well, values), v);
    }
    return text;
}
