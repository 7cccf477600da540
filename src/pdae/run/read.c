/* Reads the outputs of a model from its fields. */
#include "pdae/form/output.h"
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"

/* ---- derived fields -------------------------------------------------------------------------- */
typedef struct {
    const rg_grid *g;
    const rg_vector_space *space;
    const rg_form *form;
    int field;
    double *const *u;
} derivatives;

/* What a component along the end of cell i along axis a has beyond it: a value of its own, 2 wall -
 * inside, or (Darcy flow along sides and solids) a copy that says nothing. */
typedef enum { BEYOND_OWN, BEYOND_WALL, BEYOND_NOTHING } beyond_end;

static beyond_end beyond_cell(const derivatives *w, int a, int high, int i, int64_t at)
{
    const rg_grid *g = w->g;
    const int solid = g->solid ? g->solid[at + (high ? g->stride[a] : -g->stride[a])] : 0;
    const bool is_side = i == (high ? g->axis[a].n - 1 : 0) && rg_axis_is_side(&g->axis[a], high);

    if (!is_side && solid == 0) return BEYOND_OWN;
    if (w->space->slips) return BEYOND_NOTHING;
    const int kind = is_side ? w->space->side[2 * a + high]
                             : (int)w->form->solids[solid - 1].condition[w->field].kind;
    return kind == RG_VECTOR_GIVEN ? BEYOND_WALL : BEYOND_OWN;
}

/* du_b/dx_a at cell i along a, of the parabola through its value there, the mean of the two faces,
 * and those of the neighbours or, half a cell away, of walls. */
static double slope(const derivatives *w, int a, int b, int i, int64_t at)
{
    const int64_t s = w->g->stride[a], own = w->g->stride[b];
    const double *u = w->u[b] + at, here = u[0] + u[own];
    double d[2], gap[2]; /* differences to the values before and behind, their distances */
    bool is_known[2];

    for (int high = 0; high < 2; high++) {
        const int64_t to = high ? s : -s;
        const beyond_end kind = beyond_cell(w, a, high, i, at);
        const double half = kind == BEYOND_WALL ? 0.5 : 1.0;
        is_known[high] = kind != BEYOND_NOTHING;
        gap[high] = half * w->g->axis[a].gap[i + high];
        d[high] = 0.5 * half * (high ? 1.0 : -1.0) * (u[to] + u[to + own] - here) / gap[high];
    }
    if (!is_known[0] || !is_known[1]) return is_known[0] ? d[0] : is_known[1] ? d[1] : 0.0;
    return (d[0] * gap[1] + d[1] * gap[0]) / (gap[0] + gap[1]);
}

/* Component c of the curl on the cells (2-D: c = 0 is the one across the plane). */
static void curl(const derivatives *w, int c, double *out)
{
    const rg_grid *g = w->g;
    const int a = g->dims == 3 ? (c + 1) % 3 : 0, b = g->dims == 3 ? (c + 2) % 3 : 1;
    int i[RG_AXES];

    for (i[2] = 0; i[2] < g->axis[2].n; i[2]++)
        for (i[1] = 0; i[1] < g->axis[1].n; i[1]++)
            for (i[0] = 0; i[0] < g->axis[0].n; i[0]++) {
                const int64_t at = rg_grid_at(g, i[0], i[1], i[2]);
                out[at] = slope(w, a, b, i[a], at) - slope(w, b, a, i[b], at);
            }
}

double *rg_run_derived(rg_run_grid *r, int which)
{
    const rg_derived *of = &r->form->derived[which];
    const rg_vector_space *space = rg_run_part_of(r, of->field)->space;
    const rg_vector_space closed = {.grid = r->grid}; /* on lines with the values inside */
    const derivatives w = {r->grid, space, r->form, of->field, rg_run_velocity(r, of->field)};
    double *out = r->derived[which];

    if (of->component < 0)
        rg_vector_divergence(r->grid, w.u, out);
    else
        curl(&w, of->component, out);
    rg_vector_pressure_ghosts(&closed, NULL, out);
    return out;
}

/* An output may be no number: all values are there all the same. */
static rg_status may_be_none(rg_run_grid *r, rg_status status)
{
    if (status != RG_ERR_CONVERGENCE) return status;
    rg_clear_error(r->ctx);
    return RG_OK;
}

/* Does a value of the term in layer i across `axis` lie in the fluid?  One on a face does unless it
 * lies inside of a solid. */
static bool is_in_fluid(const rg_grid *g, int component, int axis, int i, int64_t at)
{
    if (i < 0 && rg_axis_is_side(&g->axis[axis], 0)) return false;
    if (i >= g->axis[axis].n && rg_axis_is_side(&g->axis[axis], 1)) return false;
    if (g->solid == NULL || !g->solid[at]) return true;
    return component >= 0 && !g->solid[at - g->stride[component]];
}

/* An expression is on a side or a solid what the values of its fields there make of it, and beyond
 * it 2 E(side) - E(inside): for a plane across `axis` between the layers i - 1 and i of values. */
static rg_status find_walls(rg_run_grid *r, const rg_read_term *m, int axis, int i)
{
    const rg_grid *g = r->grid;
    const int c = m->component, e1 = (axis + 1) % RG_AXES, e2 = (axis + 2) % RG_AXES;
    const int ends1 = g->axis[e1].n + (e1 == c && !g->axis[e1].periodic),
              ends2 = g->axis[e2].n + (e2 == c && !g->axis[e2].periodic);
    const int64_t s = g->stride[axis];

    RG_TRY(may_be_none(r, rg_run_on_layer(r, m->what, c, axis, i, r->across)));
    if (i < 0 || i > g->axis[axis].n) return RG_OK;
    for (int b = 0; b < ends2; b++)
        for (int a = 0; a < ends1; a++) {
            const int64_t at = g->origin + a * g->stride[e1] + b * g->stride[e2] + i * s;
            const bool before = is_in_fluid(g, c, axis, i - 1, at - s),
                       behind = is_in_fluid(g, c, axis, i, at);
            double *v = r->scratch + at;
            if (before && !behind) v[0] = 2.0 * r->across[at] - v[-s];
            if (behind && !before) v[-s] = 2.0 * r->across[at] - v[0];
        }
    return RG_OK;
}

/* Does the place lie between the outermost cells and a side? */
static bool is_beside_side(const rg_grid *g, int axis, double x)
{
    const rg_axis *a = &(g->whole ? g->whole : g)->axis[axis];

    return !a->periodic && (x < a->centre[0] || x > a->centre[a->n - 1]);
}

/* ---- values of a term on an array ------------------------------------------------------------ */
/* Beyond the ends of axis d: copies of the values at the other end, or of the last ones. */
static void copy_outwards(rg_run_grid *r, const rg_read_term *m, int d)
{
    const rg_grid *g = r->grid;
    const int e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES;
    const int64_t s = g->stride[d];
    const bool faces = d == m->component, periodic = g->axis[d].periodic,
               low = !g->axis[d].joined[0], high = !g->axis[d].joined[1];
    const int last = g->axis[d].n - 1 + (faces && rg_axis_is_side(&g->axis[d], 1));

    for (int b = -g->ghosts[e2]; b < g->axis[e2].n + g->ghosts[e2]; b++)
        for (int a = -g->ghosts[e1]; a < g->axis[e1].n + g->ghosts[e1]; a++) {
            double *v = r->scratch + g->origin + a * g->stride[e1] + b * g->stride[e2];
            if (low) v[-s] = periodic ? v[last * s] : v[0];
            if (high) v[(last + 1) * s] = periodic ? v[0] : v[last * s];
        }
    rg_grid_join(g, d, r->scratch);
}

/* A plane beside the seam of a periodic axis x lies at one end e of it.  An expression E(x, c) of
 * the axis and of fields is at this end  (1 - w) E(e, c_0) + w E(e, c_1),  where the fields are c_0
 * in the cell inside and c_1 in the one beyond and w is the part of the way between their centres
 * x_0 and x_1 at which e lies.  Beyond it goes on along a line with the value inside:
 *
 *     E_1 = E(e, c_1) + (E(e, c_0) - E(x_0, c_0)) (1 - w)/w,
 *
 * which is E(c_1) where x does not occur. */
static rg_status find_seam(rg_run_grid *r, const rg_read_term *m, int axis, bool high)
{
    const rg_grid *g = r->grid;
    const rg_axis *x = &g->axis[axis];
    const int c = m->component, e1 = (axis + 1) % RG_AXES, e2 = (axis + 2) % RG_AXES;
    const int ends1 = g->axis[e1].n + (e1 == c && !g->axis[e1].periodic),
              ends2 = g->axis[e2].n + (e2 == c && !g->axis[e2].periodic);
    const int inside = high ? x->n - 1 : 0, beyond = high ? x->n : -1;
    const double e = x->edge[high ? x->n : 0],
                 ways = (x->centre[beyond] - e) / (e - x->centre[inside]);

    RG_TRY(may_be_none(r, rg_run_at_end(r, m->what, c, axis, high, r->across)));
    if (!rg_run_has_end(g, axis, high)) return RG_OK;
    for (int b = 0; b < ends2; b++)
        for (int a = 0; a < ends1; a++) {
            const int64_t at = g->origin + a * g->stride[e1] + b * g->stride[e2],
                          in = at + inside * g->stride[axis], out = at + beyond * g->stride[axis];
            r->scratch[out] = r->across[out] + (r->across[in] - r->scratch[in]) * ways;
        }
    return RG_OK;
}

/* The values of a term with ghosts, for the plane across `axis` (-1: none) at x: on a plain field
 * or component these are its own; computed ones are evaluated on the points, and copied outwards,
 * or beside a side or a seam as above.  A plane beside the seam of its own axis sees one end of
 * it. */
static rg_status values_of(rg_run_grid *r, const rg_read_term *m, int axis, double x,
                           const double **out)
{
    const rg_grid *g = r->grid;
    const rg_quantity *q = m->what;
    const bool is_across = axis >= 0 && axis != m->component;
    const bool has_walls = is_across && (g->solid != NULL || is_beside_side(g, axis, x));
    const bool has_seam = is_across && (q->uses & RG_USES_SPACE) != 0
                          && (g->whole ? g->whole : g)->axis[axis].periodic;

    if (rg_run_is_leaf(r, q, m->component, out)
        && !(has_walls && g->solid != NULL && m->component < 0))
        return RG_OK;
    if (m->component >= 0)
        RG_TRY(rg_run_at_faces(r, q, r->t, m->component, r->scratch));
    else
        RG_TRY(rg_run_at_cells(r, q, r->t, r->scratch));
    if (is_across) copy_outwards(r, m, axis);
    if (has_seam) RG_TRY(find_seam(r, m, axis, false));
    if (has_seam) RG_TRY(find_seam(r, m, axis, true));
    if (has_walls) RG_TRY(find_walls(r, m, axis, rg_run_layer_at(g, m->component, axis, x) + 1));
    for (int k = 0; k < g->dims; k++) { /* that of the faces first: its ends have ghosts too */
        const int d = (k + (m->component > 0 ? m->component : 0)) % g->dims;
        if (!is_across || d != axis) copy_outwards(r, m, d);
        if (d == m->component && d == axis) RG_TRY(rg_run_at_seam(r, q, r->t, d, r->scratch));
    }
    *out = r->scratch;
    return RG_OK;
}

/* ---- readings -------------------------------------------------------------------------------- */
typedef struct { /* how outputs are read: see run.h */
    bool is_between;
    const rg_grid *aside; /* NULL: at their own places */
} look;

/* Does a reading take the p of a flow?  In corners of walls it is of first order, of another sign
 * than the error of second order around it. */
static bool is_of_flow(const rg_run_grid *r, const rg_reading *m)
{
    const rg_quantity *q = m->term[0].what;
    const int field = q->n_inputs == 1 && q->inputs[0] < r->form->n_leaves
                          ? r->form->leaves[q->inputs[0]].field
                          : -1;

    if (field < 0 || r->form->n_solids > 0) return false;
    const rg_form_equation *e = &r->form->equations[r->form->fields[field].equation];
    return e->kind == RG_FORM_MOMENTUM && e->pressure == field;
}

/* A cell of the other grid towards the middle of the box. */
static void move_aside(const rg_grid *by, double at[RG_AXES])
{
    for (int d = 0; d < by->dims; d++) {
        const rg_axis *a = &by->axis[d];
        int i = 0;
        while (i < a->n - 1 && a->edge[i + 1] <= at[d])
            i++;
        at[d] += i < a->n / 2 ? a->width[i] : i > (a->n - 1) / 2 ? -a->width[i] : 0.0;
    }
}

static rg_status read_place(rg_run_grid *r, const rg_reading *m, const look *how, double *out)
{
    double at[RG_AXES] = {m->at[0], m->at[1], m->at[2]};
    const double *v;

    if (how->aside && is_of_flow(r, m)) move_aside(how->aside, at);
    RG_TRY(values_of(r, &m->term[0], -1, 0.0, &v));
    *out = rg_run_value_at(r->grid, v, m->term[0].component, at, how->is_between);
    rg_grid_sum(r->grid, 1, out);
    return RG_OK;
}

static rg_status read_reduction(rg_run_grid *r, const rg_reading *m, bool is_between, double *out)
{
    const rg_grid *g = r->grid;
    int axis = m->axis;
    double x = axis >= 0 ? m->at[axis] : 0.0;

    if (m->side >= 0) {
        axis = m->side / 2;
        const rg_axis *a = &(g->whole ? g->whole : g)->axis[axis];
        x = a->edge[m->side % 2 ? a->n : 0];
    }
    *out = 0.0;
    for (int k = 0; k < m->n_terms; k++) {
        const rg_read_term *one = &m->term[k];
        const double *v;
        RG_TRY(values_of(r, one, axis, x, &v));
        const rg_run_reduction all = rg_run_reduce(g, v, one, axis, x, is_between);
        switch (m->kind) {
        case RG_READ_INTEGRAL:
            *out += one->sign * all.sum;
            break;
        case RG_READ_MEAN:
            *out += one->sign * all.sum / all.weight;
            break;
        case RG_READ_MINIMUM:
            *out = all.least - (is_between ? all.below : 0.0);
            break;
        default:
            *out = all.most + (is_between ? all.above : 0.0);
            break;
        }
    }
    return RG_OK;
}

/* The force of all flows on a solid. */
static rg_status read_force(rg_run_grid *r, const rg_reading *m, double *out)
{
    bool found = false;

    *out = 0.0;
    for (int k = 0; k < r->n_parts; k++)
        if (r->part[k].fluid) {
            *out += rg_fluid_force(r->part[k].fluid, m->solid + 1, m->axis);
            found = true;
        }
    rg_grid_sum(r->grid, 1, out);
    if (found) return RG_OK;
    rg_fail(r->ctx, RG_ERR_METHOD, "no momentum equation gives a force on '%s'",
            r->form->solids[m->solid].name);
    return rg_remedy(r->ctx, "leave the output out");
}

static rg_status read_one(rg_run_grid *r, const rg_reading *m, const look *how, double *out)
{
    switch (m->kind) {
    case RG_READ_POINT:
        return read_place(r, m, how, out);
    case RG_READ_CELL: {
        RG_TRY(rg_run_at_cells(r, m->term[0].what, r->t, r->scratch));
        const int64_t at = rg_run_well_place(r, m->well);
        *out = at >= 0 ? r->scratch[at] : 0.0;
        rg_grid_sum(r->grid, 1, out);
        return RG_OK;
    }
    case RG_READ_RATE:
        *out = rg_run_well_rate(r, m->well, r->t);
        return RG_OK;
    case RG_READ_PRESSURE:
        return rg_run_well_pressure(r, m->well, out);
    case RG_READ_FORCE:
        return read_force(r, m, out);
    default:
        return read_reduction(r, m, how->is_between, out);
    }
}

static rg_status read_all(rg_run_grid *r, const look *how, double *out)
{
    static const double origin = 0.0;
    const rg_points one = {
        .count = {1,       1,       1      },
          .at = {&origin, &origin, &origin}
    };

    for (int k = 0; k < r->form->n_outputs; k++) {
        const rg_form_output *o = &r->form->outputs[k];
        for (int m = 0; m < o->n_readings; m++) {
            RG_TRY(read_one(r, &o->readings[m], how, &r->reading[m]));
            r->reading_at[m] = &r->reading[m];
        }
        out[k] = o->value->value;
        if (o->value->uses != 0)
            (void)rg_quantity_eval(r->form, o->value, r->t, &one, r->reading_at, r->work, &out[k],
                                   NULL); /* an output may be no number */
    }
    return RG_OK;
}

static rg_status read_shown(rg_run_grid *r, const look *how, double *out)
{
    rg_status status = rg_run_show_fluxes(r);

    if (status == RG_OK) status = rg_run_show_darcy(r);
    if (status == RG_OK) status = read_all(r, how, out);
    rg_run_hide_darcy(r);
    rg_run_hide_fluxes(r);
    return status;
}

rg_status rg_run_grid_outputs(rg_run_grid *r, double *out)
{
    return read_shown(r, &(look){.is_between = false}, out);
}

rg_status rg_run_grid_outputs_between(rg_run_grid *r, double *out)
{
    return read_shown(r, &(look){.is_between = true}, out);
}

rg_status rg_run_grid_outputs_aside(rg_run_grid *r, const rg_grid *by, double *out)
{
    return read_shown(r, &(look){.aside = by}, out);
}
