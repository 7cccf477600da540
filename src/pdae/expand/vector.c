/* Momentum and Darcy equations with their constraint on the staggered grid.
 *
 * Component d lives on the faces across axis d; face i is the high side of cell i, faces 0 and n
 * are sides of the box.  F_de is the flux of momentum d through a control volume's side across e:
 *
 *     F_dd at cell centres   w ((u_(i-1) + u_i)/2)^2 - nu (u_i - u_(i-1))/h_d
 *     F_de at edges          w (v_i + v_(i+1))/2 (u_j + u_(j+1))/2 - nu (u_(j+1) - u_j)/h_e
 *     m u' + sum_e (F_de(+) - F_de(-))/h_e = -(p_(i+1) - p_i)/h_d + f
 *
 * Upwind: |a|/2 times the difference is subtracted from the mean.  Beyond a wall u is
 * 2 wall - inside, beyond slip and open sides it is the inside value.  A face on an open side has
 * half a control volume: F_dd = w u^2 at the face, p is given there. */
#include "pdae/expand/write.h"

#include <string.h>

/* ---- values on sides and beyond -------------------------------------------------------------- */
static const rg_condition *side_of(const writer *w, const rg_form_equation *e, int side)
{
    return &w->form->fields[e->field].side[side];
}

static bool is_open(const writer *w, const rg_form_equation *e, int side)
{
    return side_of(w, e, side)->kind == RG_VECTOR_OPEN;
}

/* First and last face across d that are unknowns. */
static int first_face(const writer *w, const rg_form_equation *e, int d)
{
    return rg_write_is_periodic(w, d) || !is_open(w, e, 2 * d) ? 1 : 0;
}

static int last_face(const writer *w, const rg_form_equation *e, int d)
{
    const int n = rg_write_cells(w, d);

    return rg_write_is_periodic(w, d) || is_open(w, e, 2 * d + 1) ? n : n - 1;
}

/* u on the faces 0 .. n: given on closed sides. */
static void write_inside(writer *w, const rg_form_equation *e, int d)
{
    const int leaf = rg_form_leaf(w->form, e->field, d), n = rg_write_cells(w, d);
    const spot s = rg_write_spot(w);
    const char *text = rg_write_element(w, w->array[leaf], s);

    if (rg_write_is_periodic(w, d)) {
        fprintf(w->to, "let %s[%s] = %s\n", w->inside[leaf], rg_write_ranges(w, -1, 0, 0), text);
        return;
    }
    for (int high = 1; high >= 0; high--) {
        const rg_condition *c = side_of(w, e, 2 * d + high);
        const where at = rg_at_side(w, 2 * d + high, s);
        if (c->kind == RG_VECTOR_OPEN) continue;
        const char *value =
            c->kind == RG_VECTOR_GIVEN ? rg_print_quantity(w, c->value[d], &at) : "0";
        text = rg_write_text(w, "if(%s == %d, %s, %s)", w->i[d], high == 1 ? n : 0, value, text);
    }
    fprintf(w->to, "let %s[%s] = %s\n", w->inside[leaf], rg_write_ranges(w, d, 0, n), text);
}

/* Component d beyond the side of another axis.  Darcy flow has no condition for it: it has what p
 * makes of it on an open side, and goes on along a line with the value behind the one inside at
 * others.  Only outputs read it. */
static const char *beyond(writer *w, const rg_form_equation *e, int d, int side, const char *inside,
                          const char *behind)
{
    const rg_condition *c = side_of(w, e, side);
    const spot s = rg_write_spot(w);

    if (e->kind == RG_FORM_DARCY && rg_write_cells(w, side / 2) > 1 && is_open(w, e, side))
        return rg_write_text(w, "2*%s - %s", rg_expand_along_open(w, e, d, side, inside, behind),
                             inside);
    if (e->kind == RG_FORM_DARCY && rg_write_cells(w, side / 2) > 1)
        return rg_write_text(w, "2*%s - %s", inside, behind);
    if (c->kind != RG_VECTOR_GIVEN || e->kind == RG_FORM_DARCY) return inside;
    if (c->value[d] == NULL) return rg_write_text(w, "-%s", inside);
    where at = rg_at_side(w, side, s);
    at.axis[d] = rg_write_edge(w, d, s.index[d]);
    return rg_write_text(w, "2*%s - %s", rg_print_quantity(w, c->value[d], &at), inside);
}
/* u at a spot that may lie beyond the sides along the first n of the other axes, d + 1, d + 2;
 * beyond two sides the second one is taken from what lies beyond the first. */
static const char *ghost_text(writer *w, const rg_form_equation *e, int d, int n, spot s)
{
    const int leaf = rg_form_leaf(w->form, e->field, d), a = (d + n) % w->form->grid->dims;
    const int last = rg_write_cells(w, a);

    if (n == 0) return rg_write_element(w, w->inside[leaf], s);
    const char *here = ghost_text(w, e, d, n - 1, s);
    if (rg_write_is_periodic(w, a)) return here;
    const char *low = ghost_text(w, e, d, n - 1, rg_write_fix(s, a, 1));
    const char *high = ghost_text(w, e, d, n - 1, rg_write_fix(s, a, last));
    const int second = last > 1 ? 2 : 1;
    const char *after = ghost_text(w, e, d, n - 1, rg_write_fix(s, a, second)),
               *before = ghost_text(w, e, d, n - 1, rg_write_fix(s, a, last + 1 - second));
    return rg_write_text(w, "if(%s == 0, %s, if(%s == %d, %s, %s))", w->i[a],
                         beyond(w, e, d, 2 * a, low, after), w->i[a], last + 1,
                         beyond(w, e, d, 2 * a + 1, high, before), here);
}

/* u with one layer of values beyond the sides along the other axes. */
static void write_ghost(writer *w, const rg_form_equation *e, int d)
{
    const int leaf = rg_form_leaf(w->form, e->field, d), dims = w->form->grid->dims;
    const char *ranges = "";

    for (int a = 0; a < dims; a++) {
        const bool is_periodic = rg_write_is_periodic(w, a);
        ranges =
            rg_write_text(w, "%s%s%s=%d..%d", ranges, a > 0 ? ", " : "", w->i[a],
                          is_periodic ? 1 : 0, rg_write_cells(w, a) + (a != d && !is_periodic));
    }
    fprintf(w->to, "let %s[%s] = %s\n", w->ghost[leaf], ranges,
            ghost_text(w, e, d, dims - 1, rg_write_spot(w)));
}

/* ---- fluxes of momentum ---------------------------------------------------------------------- */
static bool is_upwind(const writer *w)
{
    return strcmp(w->options->convection, "upwind") == 0;
}

/* w a (low + high)/2, or the value upstream */
static const char *carried(writer *w, double scale, const char *a, const char *low,
                           const char *high)
{
    const char *mean =
        rg_write_text(w, "%s*%s*(%s + %s)/2", rg_write_number(w, scale), a, low, high);

    if (!is_upwind(w)) return mean;
    return rg_write_text(w, "%s - %s*abs(%s)*(%s - %s)/2", mean, rg_write_number(w, scale), a, high,
                         low);
}

static const char *flux_name(writer *w, const rg_form_equation *e, int d, int a)
{
    return rg_write_text(w, "%s_flux_%s", w->array[rg_form_leaf(w->form, e->field, d)],
                         w->form->axis_name[a]);
}

/* F_dd at the centres of cells. */
static void write_flux_along(writer *w, const rg_form_equation *e, int d)
{
    const int leaf = rg_form_leaf(w->form, e->field, d);
    const spot s = rg_write_spot(w);
    const char *high = rg_write_element(w, w->inside[leaf], s);
    const char *low = rg_write_element(w, w->inside[leaf], rg_write_shift(w, s, d, -1));
    const where at = rg_at_cell(s);
    const char *text = "0";

    if (e->convection != 0)
        text = carried(w, e->convection, rg_write_text(w, "(%s + %s)/2", low, high), low, high);
    if (e->diffusion[d] != NULL)
        text = rg_write_text(w, "%s - %s*(%s - %s)/%s", text,
                             rg_print_quantity(w, e->diffusion[d], &at), high, low,
                             rg_write_number(w, rg_write_width(w, d)));
    fprintf(w->to, "let %s[%s] = %s\n", flux_name(w, e, d, d), rg_write_ranges(w, -1, 0, 0), text);
}

/* nu at an edge: fields and data there are means of the cells around it. */
static const char *viscosity(writer *w, const rg_form_equation *e, int d, int a, int j)
{
    where at = {.kind = AT_EDGE, .s = rg_write_spot(w), .d = d, .e = a};
    const int n = rg_write_cells(w, a);

    at.low = at.high = at.below = at.above = true;
    if (j == 0) at.below = false;
    if (j == n) at.above = false;
    if (j >= 0) at.s = rg_write_fix(at.s, a, j);
    return rg_print_quantity(w, e->diffusion[a], &at);
}

/* F_da at the edges j = 0 .. n along a; the loop of d runs over the unknown faces. */
static void write_flux_across(writer *w, const rg_form_equation *e, int d, int a)
{
    const int u = rg_form_leaf(w->form, e->field, d), v = rg_form_leaf(w->form, e->field, a);
    const spot s = rg_write_spot(w);
    const int n = rg_write_cells(w, a);
    const bool is_periodic = rg_write_is_periodic(w, a);
    const char *low = rg_write_element(w, w->ghost[u], s);
    const char *high = rg_write_element(w, w->ghost[u], rg_write_shift(w, s, a, 1));
    const char *speed = rg_write_text(w, "(%s + %s)/2", rg_write_element(w, w->ghost[v], s),
                                      rg_write_element(w, w->ghost[v], rg_write_shift(w, s, d, 1)));
    const char *text = "0", *ranges = "";

    if (e->convection != 0) text = carried(w, e->convection, speed, low, high);
    if (e->diffusion[a] != NULL) {
        const char *nu = viscosity(w, e, d, a, -1);
        const bool varies = (e->diffusion[a]->uses & (RG_USES_FIELDS | RG_USES_DATA)) != 0;
        if (varies && !is_periodic)
            nu = rg_write_text(w, "if(%s == 0, %s, if(%s == %d, %s, %s))", w->i[a],
                               viscosity(w, e, d, a, 0), w->i[a], n, viscosity(w, e, d, a, n), nu);
        text = rg_write_text(w, "%s - %s*(%s - %s)/%s", text, nu, high, low,
                             rg_write_number(w, rg_write_width(w, a)));
    }
    for (int k = 0; k < w->form->grid->dims; k++) {
        const int first = k == d ? first_face(w, e, d) : k == a && !is_periodic ? 0 : 1;
        const int last = k == d ? last_face(w, e, d) : rg_write_cells(w, k);
        ranges = rg_write_text(w, "%s%s%s=%d..%d", ranges, k > 0 ? ", " : "", w->i[k], first, last);
    }
    fprintf(w->to, "let %s[%s] = %s\n", flux_name(w, e, d, a), ranges, text);
}

/* sum over a != d of (F_da(j) - F_da(j - 1))/h_a at the spot */
static const char *across(writer *w, const rg_form_equation *e, int d, spot s)
{
    const char *text = "";

    for (int a = 0; a < w->form->grid->dims; a++) {
        if (a == d) continue;
        const char *name = flux_name(w, e, d, a);
        text = rg_write_text(w, "%s + (%s - %s)/%s", text, rg_write_element(w, name, s),
                             rg_write_element(w, name, rg_write_shift(w, s, a, -1)),
                             rg_write_number(w, rg_write_width(w, a)));
    }
    return text;
}

/* ---- equations ------------------------------------------------------------------------------- */
/* m u' of a face, or nothing. */
static const char *rate(writer *w, const rg_form_equation *e, int d, const where *at)
{
    const char *u = rg_write_element(w, w->array[rg_form_leaf(w->form, e->field, d)], at->s);

    if (!e->has_derivative) return "";
    return rg_write_text(w, "%s*%s' + ", rg_print_quantity(w, e->storage[d], at), u);
}

static const char *force(writer *w, const rg_form_equation *e, int d, const where *at)
{
    if (rg_quantity_is_zero(e->force[d])) return "";
    return rg_write_text(w, " + %s", rg_print_quantity(w, e->force[d], at));
}

static const char *pressure(writer *w, const rg_form_equation *e, spot s)
{
    return rg_write_element(w, w->array[rg_form_leaf(w->form, e->pressure, 0)], s);
}

/* Resistance of a face: the mean of its cells. */
static const char *resistance(writer *w, const rg_form_equation *e, int d, const where *at)
{
    const rg_quantity *r = e->resistance[d];
    const where low = rg_at_cell(at->s), high = rg_at_cell(rg_write_shift(w, at->s, d, 1));

    if (r->uses == 0) return rg_write_number(w, r->value);
    if (!at->high) return rg_print_quantity(w, r, &low);
    if (!at->low) return rg_print_quantity(w, r, &high);
    return rg_write_text(w, "(%s + %s)/2", rg_print_quantity(w, r, &low),
                         rg_print_quantity(w, r, &high));
}

/* Left side without the derivative: fluxes of momentum, or r u. */
static const char *left_side(writer *w, const rg_form_equation *e, int d, const where *at)
{
    const int leaf = rg_form_leaf(w->form, e->field, d);
    const char *u = rg_write_element(w, w->array[leaf], at->s), *along = flux_name(w, e, d, d);
    const char *h = rg_write_number(w, rg_write_width(w, d));
    const spot next = rg_write_shift(w, at->s, d, 1);

    if (e->kind == RG_FORM_DARCY) return rg_write_text(w, "%s*%s", resistance(w, e, d, at), u);
    const char *out = rg_write_text(w, "%s*%s^2", rg_write_number(w, e->convection), u);
    const char *high = at->high ? rg_write_element(w, along, next) : out;
    const char *low = at->low ? rg_write_element(w, along, at->s) : out;
    const char *width = at->low && at->high ? h : rg_write_text(w, "(%s/2)", h);
    return rg_write_text(w, "(%s - %s)/%s%s", high, low, width, across(w, e, d, at->s));
}

static void write_faces(writer *w, const rg_form_equation *e, int d)
{
    const int n = rg_write_cells(w, d);
    const bool is_periodic = rg_write_is_periodic(w, d);
    const where at = rg_at_face(w, d, rg_write_spot(w));
    const char *h = rg_write_number(w, rg_write_width(w, d));

    fprintf(w->to, "for %s {\n    %s%s = -(%s - %s)/%s%s\n}\n",
            rg_write_ranges(w, d, 1, is_periodic ? n : n - 1), rate(w, e, d, &at),
            left_side(w, e, d, &at), pressure(w, e, rg_write_shift(w, at.s, d, 1)),
            pressure(w, e, at.s), h, force(w, e, d, &at));
}

static void write_open_faces(writer *w, const rg_form_equation *e, int side)
{
    const int d = side / 2;
    const bool is_high = side % 2 == 1;
    where at = rg_at_side(w, side, rg_write_spot(w));
    const char *given = rg_print_quantity(w, w->form->fields[e->pressure].side[side].value[0], &at);
    const char *p = pressure(w, e, rg_write_fix(at.s, d, is_high ? rg_write_cells(w, d) : 1));
    const char *ranges = "", *h = rg_write_number(w, rg_write_width(w, d));

    for (int a = 0; a < w->form->grid->dims; a++)
        if (a != d)
            ranges = rg_write_text(w, "%s%s%s = 1..%d", ranges, ranges[0] != '\0' ? ", " : "",
                                   w->i[a], rg_write_cells(w, a));
    at.side = side + 1; /* a scalar that is given on the side has that value there */
    if (ranges[0] != '\0') fprintf(w->to, "for %s {\n    ", ranges);
    fprintf(w->to, "%s%s = -(%s - %s)/(%s/2)%s\n", rate(w, e, d, &at), left_side(w, e, d, &at),
            is_high ? given : p, is_high ? p : given, h, force(w, e, d, &at));
    if (ranges[0] != '\0') fputs("}\n", w->to);
}

/* div u + s = q + wells, and the mean of p where nothing fixes it. */
/* s of div(u) + s = 0; with the name of u where several vectors are closed in. */
const char *rg_expand_slack(writer *w, const rg_form_equation *e)
{
    int n = 0;

    for (int k = 0; k < w->form->n_equations; k++)
        n += w->form->equations[k].is_closed;
    return rg_write_unique(w,
                           n > 1 ? rg_write_text(w, "s_%s", w->form->fields[e->field].name) : "s");
}

static void write_constraint(writer *w, const rg_form_equation *e)
{
    const spot s = rg_write_spot(w);
    const where at = rg_at_cell(s);
    const char *ranges = rg_write_ranges(w, -1, 0, 0), *text = "";

    for (int d = 0; d < w->form->grid->dims; d++) {
        const char *name = w->inside[rg_form_leaf(w->form, e->field, d)];
        text = rg_write_text(w, "%s%s(%s - %s)/%s", text, d > 0 ? " + " : "",
                             rg_write_element(w, name, s),
                             rg_write_element(w, name, rg_write_shift(w, s, d, -1)),
                             rg_write_number(w, rg_write_width(w, d)));
    }
    fprintf(w->to, "for %s {\n    %s%s%s = %s%s\n}\n", ranges, text, e->is_closed ? " + " : "",
            e->is_closed ? rg_expand_slack(w, e) : "", rg_print_quantity(w, e->source, &at),
            rg_expand_wells(w, e));
    if (e->is_closed) fprintf(w->to, "sum(%s, %s) = 0\n", ranges, pressure(w, e, s));
}

void rg_expand_vector(writer *w, const rg_form_equation *e)
{
    const int dims = w->form->grid->dims;

    for (int d = 0; d < dims; d++)
        write_inside(w, e, d);
    for (int d = 0; d < dims; d++)
        write_ghost(w, e, d);
    for (int d = 0; d < dims && e->kind == RG_FORM_MOMENTUM; d++) {
        write_flux_along(w, e, d);
        for (int a = 0; a < dims; a++)
            if (a != d) write_flux_across(w, e, d, a);
    }
    for (int d = 0; d < dims; d++) {
        write_faces(w, e, d);
        for (int high = 0; high < 2; high++)
            if (is_open(w, e, 2 * d + high)) write_open_faces(w, e, 2 * d + high);
    }
    write_constraint(w, e);
}
