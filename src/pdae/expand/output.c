/* Outputs: values at points, reductions over the domain, lines, planes and sides.
 *
 * Where an expression has components of a vector across one axis d only, it is taken on the faces
 * across d (integrals: the faces on sides of the box count half), otherwise at cells.  Across a
 * line or plane the two values next to it are joined linearly. */
#include "pdae/form/output.h"
#include "pdae/expand/write.h"

#include <float.h>
#include <math.h>

typedef struct { /* one or two indices along an axis, with weights */
    int index[2];
    double weight[2];
    int n;
} pair;

/* Index from 1 of the last value at or below x: at cells (i - 1/2) h, on faces i h. */
static pair between(const writer *w, int axis, double x, bool on_faces, bool has_ghosts)
{
    const rg_axis *a = &w->form->grid->axis[axis];
    const double q = (x - a->edge[0]) / a->width[0] + (on_faces ? 0 : 0.5);
    int low = on_faces || has_ghosts ? 0 : 1, high = on_faces ? a->n - 1 : a->n - 1;
    pair p = {.n = 1};

    if (has_ghosts && !on_faces) high = a->n;
    if (a->periodic) {
        low = 0;
        high = a->n;
    }
    double i = floor(q);
    if (i > high) i = high;
    if (i < low) i = low;
    const double part = q - i;
    p.index[0] = (int)i;
    p.weight[0] = 1;
    if (fabs(part) <= 64 * DBL_EPSILON * (1 + fabs(q)) || (a->n == 1 && !on_faces && !has_ghosts))
        p.n = 1;
    else
        p = (pair){
            {(int)i,   (int)i + 1},
            {1 - part, part      },
            2
        };
    for (int k = 0; k < p.n && a->periodic; k++)
        p.index[k] = (p.index[k] - 1 + a->n) % a->n + 1;
    return p;
}

/* Scalars in the outer half of a cell at a side: between the cell and the side, whose value is the
 * index 0 or n + 1. */
static pair beside_side(const writer *w, int axis, double x)
{
    const rg_axis *a = &w->form->grid->axis[axis];
    const double q = (x - a->edge[0]) / a->width[0] + 0.5;
    const bool is_low = q<1, is_high = q> a->n;

    if (a->periodic || (!is_low && !is_high)) return between(w, axis, x, false, false);
    const double part = is_low ? 2 * (1 - q) : 2 * (q - a->n);
    return (pair){
        {is_low ? 1 : a->n, is_low ? 0 : a->n + 1},
        {1 - part,          part                 },
        2
    };
}

/* The side that an index of beside_side() stands for, or -1. */
static int side_of(const writer *w, int axis, int index)
{
    if (rg_write_is_periodic(w, axis)) return -1;
    return index == 0 ? 2 * axis : index == rg_write_cells(w, axis) + 1 ? 2 * axis + 1 : -1;
}

static int inner(const writer *w, int axis, int index)
{
    const int n = rg_write_cells(w, axis);

    return index < 1 ? 1 : index > n ? n : index;
}

/* A pressure beside a closed side lies on a line with the two cells inside. */
static bool is_on_line(const writer *w, const rg_field *f, int axis, double x)
{
    const rg_axis *a = &w->form->grid->axis[axis];
    const int side = 2 * axis + (x > a->centre[a->n / 2]);

    const int pressure = f != NULL ? w->form->equations[f->equation].pressure : -1;

    return pressure >= 0 && &w->form->fields[pressure] == f
           && f->side[side].kind != RG_SCALAR_VALUE;
}

/* On sides with given fluxes: what all of them make of the cell inside; NULL: there are none. */
static const char *falling(writer *w, int leaf, const int index[RG_AXES], spot s)
{
    const char *text = NULL;

    for (int d = 0; d < w->form->grid->dims; d++) {
        const int side = side_of(w, d, index[d]);
        const char *fall = side >= 0 ? rg_print_fall(w, leaf, side, s) : NULL;
        if (fall == NULL) continue;
        if (text == NULL) text = rg_write_element(w, w->array[leaf], s);
        text = rg_write_text(w, "(%s - %s)", text, fall);
    }
    return text;
}

/* A scalar in a cell, or on the last side of the indices that gives it; given data as in the cell
 * inside. */
static const char *scalar_text(writer *w, int leaf, const int index[RG_AXES])
{
    const int field = w->form->leaves[leaf].field;
    spot s = rg_write_spot(w);
    int side = -1;

    for (int d = 0; d < w->form->grid->dims; d++) {
        const int one = side_of(w, d, index[d]);
        if (one >= 0 && field >= 0
            && (side < 0 || w->form->fields[field].side[one].kind == RG_SCALAR_VALUE))
            side = one;
        s = rg_write_fix(s, d, inner(w, d, index[d]));
    }
    if (side < 0) return rg_write_element(w, w->array[leaf], s);
    if (w->form->fields[field].side[side].kind != RG_SCALAR_VALUE) {
        const char *text = falling(w, leaf, index, s);
        if (text != NULL) return text;
    }
    where at = rg_at_side(w, side, s);
    at.side = side + 1;
    at.is_output = true;
    const char *text = rg_print_leaf(w, leaf, &at), *here = text;
    for (int d = 0; d < side / 2; d++) { /* it goes on along lines beyond the ends of the side */
        const int other = side_of(w, d, index[d]), n = rg_write_cells(w, d);
        if (other < 0 || n == 1 || w->form->fields[field].side[side].kind != RG_SCALAR_VALUE)
            continue;
        at.s = rg_write_fix(rg_at_side(w, side, s).s, d, other % 2 == 1 ? n - 1 : 2);
        text = rg_write_text(w, "(%s + 0.5*(%s - %s))", text, here, rg_print_leaf(w, leaf, &at));
    }
    for (int d = side / 2 + 1; d < w->form->grid->dims; d++) { /* later axes continue it */
        const int other = side_of(w, d, index[d]);
        const char *fall = other >= 0 ? rg_print_fall(w, leaf, other, s) : NULL;
        if (fall != NULL) text = rg_write_text(w, "(%s - %s)", text, fall);
    }
    return text;
}

/* ---- values at points ------------------------------------------------------------------------ */
/* A field, a component or given data: the one leaf of its expression. */
static const char *value_text(writer *w, const rg_reading *r)
{
    const int leaf = r->term[0].what->inputs[0];
    const rg_leaf *l = &w->form->leaves[leaf];
    const rg_field *f = l->field >= 0 ? &w->form->fields[l->field] : NULL;
    const bool is_vector = f != NULL && f->is_vector;
    const char *name = is_vector ? w->ghost[leaf] : w->array[leaf];
    pair p[RG_AXES] = {
        {.weight = {1}, .n = 1},
        {.weight = {1}, .n = 1},
        {.weight = {1}, .n = 1}
    };
    const char *text = NULL;

    for (int d = 0; d < w->form->grid->dims; d++)
        p[d] = is_vector || is_on_line(w, f, d, r->at[d])
                   ? between(w, d, r->at[d], is_vector && l->component == d, is_vector)
                   : beside_side(w, d, r->at[d]);
    for (int k = 0; k < p[0].n * p[1].n * p[2].n; k++) {
        const int at[RG_AXES] = {k % p[0].n, k / p[0].n % p[1].n, k / (p[0].n * p[1].n)};
        int index[RG_AXES] = {0};
        spot s = rg_write_spot(w);
        double weight = 1;
        for (int d = 0; d < w->form->grid->dims; d++) {
            index[d] = p[d].index[at[d]];
            s = rg_write_fix(s, d, index[d]);
            weight *= p[d].weight[at[d]];
        }
        const char *one = is_vector ? rg_write_element(w, name, s) : scalar_text(w, leaf, index);
        if (weight != 1) one = rg_write_text(w, "%s*%s", rg_write_number(w, weight), one);
        text = text == NULL ? one : rg_write_text(w, "%s + %s", text, one);
    }
    return rg_write_text(w, "(%s)", text);
}

/* ---- reductions ------------------------------------------------------------------------------ */
typedef struct { /* the loops of a reduction */
    const rg_reading *r;
    const rg_read_term *part;
    int fixed; /* axis of a plane or side, -1 */
    bool is_sum;
} loops;

/* The part with faces on sides of the box told apart: half of them belongs to the domain.  `end`:
 * the coordinate along the fixed axis, if it is not that of s. */
static const char *on_faces(writer *w, const loops *l, spot s, const char *end)
{
    const int d = l->part->component, n = rg_write_cells(w, d);
    where inner = rg_at_face(w, d, s);
    if (end != NULL) inner.axis[l->fixed] = end;
    const char *text = rg_print_quantity(w, l->part->what, &inner);

    if (rg_write_is_periodic(w, d)) return text;
    for (int high = 1; high >= 0; high--) {
        where at = rg_at_side(w, 2 * d + high, s);
        at.side = 2 * d + high + 1;
        at.is_output = true;
        if (end != NULL) at.axis[l->fixed] = end;
        const char *value = rg_print_quantity(w, l->part->what, &at);
        text = rg_write_text(w, "if(%s == %d, %s%s, %s)", w->i[d], high == 1 ? n : 0, value,
                             l->is_sum ? "/2" : "", text);
    }
    return text;
}

/* Face `index` across the plane's own axis; on a seam, as the end of the axis there is. */
static const char *on_plane(writer *w, const loops *l, spot s, int index, bool is_begin)
{
    const int d = l->part->component, n = rg_write_cells(w, d);
    where at = rg_at_face(w, d, rg_write_fix(s, d, index));

    if (!rg_write_is_periodic(w, d) && (index == 0 || index == n)) {
        at = rg_at_side(w, 2 * d + (index == n ? 1 : 0), s);
        at.side = 2 * d + (index == n ? 1 : 0) + 1;
        at.is_output = true;
    }
    at.axis[d] = rg_write_edge(w, d, is_begin ? "0" : at.s.index[d]);
    return rg_print_quantity(w, l->part->what, &at);
}

/* Values of cells on a side: as the side says. */
static const char *cells_on_side(writer *w, const loops *l, spot s, int side)
{
    where at = rg_at_side(w, side, s);

    at.side = side + 1;
    at.is_output = true;
    return rg_print_quantity(w, l->part->what, &at);
}

/* Values of faces on a side across another axis: on the edges where they end there. */
static const char *edges_on_side(writer *w, const loops *l, spot s, int side)
{
    const int c = l->part->component, n = rg_write_cells(w, c);
    where at = rg_at_side(w, side, s);

    at.kind = AT_EDGE;
    at.d = c;
    at.e = side / 2;
    at.side = side + 1;
    at.is_output = true;
    at.below = at.low;
    at.above = at.high;
    at.low = at.high = true;
    const char *text = rg_print_quantity(w, l->part->what, &at);
    if (rg_write_is_periodic(w, c)) return text;
    for (int high = 1; high >= 0; high--) {
        at.low = high == 1;
        at.high = high == 0;
        at.s = rg_write_fix(at.s, c, high == 1 ? n : 0);
        text = rg_write_text(w, "if(%s == %d, %s%s, %s)", w->i[c], high == 1 ? n : 0,
                             rg_print_quantity(w, l->part->what, &at), l->is_sum ? "/2" : "", text);
    }
    return text;
}

static const char *on_side(writer *w, const loops *l, spot s, int side)
{
    return l->part->component < 0 ? cells_on_side(w, l, s, side) : edges_on_side(w, l, s, side);
}

static const char *at_spot(writer *w, const loops *l, spot s, const char *end)
{
    where cell = rg_at_cell(s);

    if (end != NULL) cell.axis[l->fixed] = end;
    return l->part->component >= 0 ? on_faces(w, l, s, end)
                                   : rg_print_quantity(w, l->part->what, &cell);
}

/* A plane in the outer half of a cell at the seam of a periodic axis lies at one end of it: there
 * an expression of the axis is the mean of what the fields of both cells make of it. */
static const char *beside_seam(writer *w, const loops *l, spot s, double x)
{
    const rg_axis *a = &w->form->grid->axis[l->fixed];
    const bool is_high = x > a->centre[a->n - 1];
    const double part = 2 * (is_high ? x - a->centre[a->n - 1] : a->centre[0] - x) / a->width[0];
    const char *end = rg_write_edge(w, l->fixed, rg_write_text(w, "%d", is_high ? a->n : 0));
    const spot first = rg_write_fix(s, l->fixed, 1), last = rg_write_fix(s, l->fixed, a->n);

    return rg_write_text(w, "(%s*%s + %s*(%s + %s))", rg_write_number(w, 1 - part),
                         at_spot(w, l, is_high ? last : first, NULL), rg_write_number(w, part / 2),
                         at_spot(w, l, first, end), at_spot(w, l, last, end));
}

static const char *term_text(writer *w, const loops *l)
{
    const rg_reading *r = l->r;
    spot s = rg_write_spot(w);
    const char *text = NULL;

    if (l->fixed < 0) return at_spot(w, l, s, NULL);
    const bool is_own = l->part->component == l->fixed;
    if (r->side >= 0 && !is_own && !rg_write_is_periodic(w, l->fixed))
        return on_side(w, l, s, r->side);
    const rg_axis *a = &w->form->grid->axis[l->fixed];
    const double x = r->side < 0 ? r->at[l->fixed] : a->edge[r->side % 2 == 1 ? a->n : 0];
    if (!is_own && a->periodic && (x < a->centre[0] || x > a->centre[a->n - 1])
        && l->part->what->uses & RG_USES_SPACE)
        return beside_seam(w, l, s, x);
    const pair p = is_own ? between(w, l->fixed, x, true, true) : beside_side(w, l->fixed, x);
    for (int k = 0; k < p.n; k++) {
        const int side = is_own ? -1 : side_of(w, l->fixed, p.index[k]);
        const bool is_begin = k == 0 && p.index[k] == a->n && (p.n == 2 || x < a->centre[0]);
        const char *one = is_own      ? on_plane(w, l, s, p.index[k], is_begin && a->periodic)
                          : side >= 0 ? on_side(w, l, s, side)
                                      : at_spot(w, l, rg_write_fix(s, l->fixed, p.index[k]), NULL);
        if (p.n > 1) one = rg_write_text(w, "%s*%s", rg_write_number(w, p.weight[k]), one);
        text = text == NULL ? one : rg_write_text(w, "%s + %s", text, one);
    }
    return rg_write_text(w, "(%s)", text);
}

/* "i=0..8, j=1..8, " without the fixed axis */
static const char *ranges_text(writer *w, const loops *l)
{
    const char *text = "";

    for (int d = 0; d < w->form->grid->dims; d++) {
        if (d == l->fixed) continue;
        const bool has_ends = l->part->component == d && !rg_write_is_periodic(w, d);
        text = rg_write_text(w, "%s%s=%d..%d, ", text, w->i[d], has_ends ? 0 : 1,
                             rg_write_cells(w, d));
    }
    return text;
}

static const char *sum_text(writer *w, const rg_reading *r, int fixed)
{
    const char *text = "";
    double cell = 1, size = 1;

    for (int d = 0; d < w->form->grid->dims; d++) {
        if (d == fixed) continue;
        cell *= rg_write_width(w, d);
        size *= rg_write_width(w, d) * rg_write_cells(w, d);
    }
    const double factor = r->kind == RG_READ_MEAN ? cell / size : cell;
    for (int k = 0; k < r->n_terms; k++) {
        const loops l = {r, &r->term[k], fixed, true};
        const char *ranges = ranges_text(w, &l), *value = term_text(w, &l);
        const char *sum = ranges[0] != '\0' ? rg_write_text(w, "sum(%s%s)", ranges, value) : value;
        text = rg_write_text(w, "%s%s%s*%s", text, k > 0 ? " + " : "",
                             rg_write_number(w, factor * r->term[k].sign), sum);
    }
    return rg_write_text(w, "(%s)", text);
}

static const char *extremum_text(writer *w, const rg_reading *r, int fixed)
{
    const loops l = {r, &r->term[0], fixed, false};
    const char *ranges = ranges_text(w, &l), *value = term_text(w, &l);

    if (ranges[0] == '\0') return value;
    return rg_write_text(w, "%s(%s%s)", r->kind == RG_READ_MINIMUM ? "min" : "max", ranges, value);
}

static const char *well_pressure(writer *w, const rg_well *well)
{
    const spot s = rg_expand_well_spot(w, well);
    const where at = rg_at_cell(s);

    if (well->pressure != NULL) return rg_print_quantity(w, well->pressure, &at);
    for (int k = 0; k < w->form->n_equations; k++)
        if (w->form->equations[k].pressure >= 0)
            return rg_write_element(
                w, w->array[rg_form_leaf(w->form, w->form->equations[k].pressure, 0)], s);
    return "0";
}

static const char *cell_text(writer *w, const rg_reading *r, const rg_well *well)
{
    const where at = rg_at_cell(rg_expand_well_spot(w, well));

    return rg_print_quantity(w, r->term[0].what, &at);
}

static const char *reduction_text(writer *w, const rg_reading *r)
{
    const rg_well *well = r->well >= 0 ? &w->form->wells[r->well] : NULL;
    const int fixed = r->side >= 0 ? r->side / 2 : r->axis;

    switch (r->kind) {
    case RG_READ_POINT:
        return value_text(w, r);
    case RG_READ_CELL:
        return cell_text(w, r, well);
    case RG_READ_RATE:
        return rg_expand_rate(w, well, rg_expand_well_spot(w, well));
    case RG_READ_PRESSURE:
        return well_pressure(w, well);
    case RG_READ_MINIMUM:
    case RG_READ_MAXIMUM:
        return extremum_text(w, r, fixed);
    case RG_READ_INTEGRAL:
    case RG_READ_MEAN:
        return sum_text(w, r, fixed);
    default:
        return "0"; /* forces need a solid, which is refused */
    }
}

/* minimum(u[x]) is no name of the language. */
static const char *plain_name(writer *w, const char *name)
{
    char text[256];
    size_t n = 0;

    for (; *name != '\0' && n + 1 < sizeof text; name++)
        if (*name != ')' && *name != ']') text[n++] = *name == '(' || *name == '[' ? '_' : *name;
    text[n] = '\0';
    return rg_write_unique(w, text);
}

rg_status rg_expand_outputs(writer *w)
{
    for (int k = 0; k < w->form->n_outputs; k++) {
        const rg_form_output *o = &w->form->outputs[k];
        const where at = {.kind = AT_OUTPUT};
        w->reduced =
            rg_arena_take(w->ctx, &w->arena, (size_t)o->n_readings + 1, sizeof *w->reduced);
        if (w->reduced == NULL) return RG_ERR_MEMORY;
        for (int i = 0; i < o->n_readings; i++)
            w->reduced[i] = reduction_text(w, &o->readings[i]);
        fprintf(w->to, "output %s = %s\n", plain_name(w, o->name),
                rg_print_text(w, o->value->ast, &at));
    }
    return RG_OK;
}
