/* Reads the outputs of a model from its fields. */
#include "pdae/form/output.h"
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"
#include "pdae/tuning.h"

#include <math.h>
#include <string.h>

/* ---- derived fields -------------------------------------------------------------------------- */
/* Component c of the curl on the cells: differences of the means of the faces (2-D: c = 0 is the
 * one across the plane). */
static void curl(const rg_grid *g, double *const *u, int c, double *out)
{
    const int a = g->dims == 3 ? (c + 1) % 3 : 0, b = g->dims == 3 ? (c + 2) % 3 : 1;
    const int64_t sa = g->stride[a], sb = g->stride[b];

    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t at = rg_grid_at(g, i, j, k);
                const int index[RG_AXES] = {i, j, k};
                const double *ga = g->axis[a].gap + index[a], *gb = g->axis[b].gap + index[b];
                const double along = u[b][at + sa] + u[b][at + sa + sb] - u[b][at - sa]
                                     - u[b][at - sa + sb],
                             across = u[a][at + sb] + u[a][at + sb + sa] - u[a][at - sb]
                                      - u[a][at - sb + sa];
                out[at] = 0.5 * along / (ga[0] + ga[1]) - 0.5 * across / (gb[0] + gb[1]);
            }
}

const double *rg_run_derived(rg_run_grid *r, int which)
{
    const rg_derived *of = &r->form->derived[which];
    double *const *u = rg_run_velocity(r, of->field), *out = r->derived[which];

    if (of->component < 0)
        rg_vector_divergence(r->grid, u, out);
    else
        curl(r->grid, u, of->component, out);
    rg_scalar_copy_out(r->grid, out);
    return out;
}

/* ---- values of a term on an array ------------------------------------------------------------ */
/* The values of a term with ghosts: on a plain field or component these are its own; computed ones
 * are evaluated on the points, and copied outwards. */
static rg_status values_of(rg_run_grid *r, const rg_read_term *m, const double **out)
{
    const rg_grid *g = r->grid;
    const rg_quantity *q = m->what;

    if (rg_run_is_leaf(r, q, m->component, out)) return RG_OK;
    if (m->component >= 0)
        RG_TRY(rg_run_at_faces(r, q, r->t, m->component, r->scratch));
    else
        RG_TRY(rg_run_at_cells(r, q, r->t, r->scratch));
    for (int d = 0; d < g->dims; d++) {
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
    *out = r->scratch;
    return RG_OK;
}

/* ---- where values are ------------------------------------------------------------------------ */
typedef struct { /* values along an axis: positions, count */
    const double *at;
    int n;
} line;

static line line_of(const rg_grid *g, int d, int component)
{
    const rg_axis *a = &g->axis[d];
    const bool faces = d == component;

    return (line){.at = faces ? a->edge : a->centre, .n = a->n + (faces && rg_axis_is_side(a, 1))};
}

/* The value before which a place lies, and its part of the way to the next one; ghosts count. */
static int find(const line *l, double x, double *part)
{
    int i = -1;

    while (i < l->n - 1 && l->at[i + 1] <= x)
        i++;
    if (i == l->n) i--;
    *part = (x - l->at[i]) / (l->at[i + 1] - l->at[i]);
    return i;
}

/* The same along axis d of the whole grid, counted from the begin of the block; false: another rank
 * has the cell there. */
static bool find_own(const rg_grid *g, int d, int component, double x, int *base, double *part)
{
    const rg_grid *whole = g->whole ? g->whole : g;
    const line l = line_of(whole, d, component);
    const int i = find(&l, x, part), n = whole->axis[d].n, cell = i < 0 ? 0 : i >= n ? n - 1 : i;

    *base = i - g->axis[d].from;
    return cell >= g->axis[d].from && cell < g->axis[d].from + g->axis[d].n;
}

/* Linear between the values of the grid in all directions; 0 where another rank has them. */
static double value_at(const rg_grid *g, const double *v, int component, const double *x)
{
    int64_t at = g->origin;
    double part[RG_AXES] = {0.0, 0.0, 0.0}, sum = 0.0;
    bool is_here = true;

    for (int d = 0; d < g->dims; d++) {
        int base;
        is_here = find_own(g, d, component, x[d], &base, &part[d]) && is_here;
        at += base * g->stride[d];
    }
    if (!is_here) return 0.0;
    for (int corner = 0; corner < 1 << g->dims; corner++) {
        double w = 1.0;
        int64_t to = at;
        for (int d = 0; d < g->dims; d++) {
            const bool high = corner >> d & 1;
            w *= high ? part[d] : 1.0 - part[d];
            if (high) to += g->stride[d];
        }
        if (w != 0.0) sum += w * v[to];
    }
    return sum;
}

typedef struct {
    double sum, weight, least, most;
} reduction;

typedef struct { /* the cells that a plane goes through: two where it is a face between them */
    int axis, cell[2], n; /* axis -1: no plane */
} plane;

static plane plane_at(const rg_grid *g, int axis, double x)
{
    plane p = {.axis = axis};
    int i = 0;

    if (axis < 0) return p;
    const rg_axis *a = &(g->whole ? g->whole : g)->axis[axis];
    const int from = g->axis[axis].from;
    while (i < a->n - 1 && a->edge[i + 1] <= x)
        i++;
    p.cell[p.n++] = i - from;
    const double near = RG_GRID_SAME * a->width[i];
    const int other = fabs(x - a->edge[i]) <= near ? i - 1 : i + 1;
    if (fabs(x - a->edge[i]) > near && fabs(x - a->edge[i + 1]) > near) return p;
    if (other >= 0 && other < a->n)
        p.cell[p.n++] = other - from;
    else if (a->periodic) /* that of the other end, or its copy beside the block */
        p.cell[p.n++] = g->axis[axis].periodic ? (other + a->n) % a->n : other - from;
    return p;
}

/* Is the cell of these numbers fluid, or one of those that the plane goes through? */
static bool is_fluid(const rg_grid *g, const plane *p, int index[RG_AXES])
{
    if (g->solid == NULL) return true;
    if (p->axis < 0) return !g->solid[rg_grid_at(g, index[0], index[1], index[2])];
    for (int k = 0; k < p->n; k++) {
        index[p->axis] = p->cell[k];
        if (!g->solid[rg_grid_at(g, index[0], index[1], index[2])]) return true;
    }
    return false;
}

/* -1: of the last cell of the block before. */
static double width_of(const rg_axis *a, int i)
{
    return i >= 0 ? a->width[i] : 2.0 * a->gap[0] - a->width[0];
}

/* The part of the domain that a value stands for: of a face half of either cell beside it. */
static double weight(const rg_grid *g, const plane *p, int component, const int at[RG_AXES])
{
    int index[RG_AXES] = {at[0], at[1], at[2]};
    const bool halves = component >= 0 && component != p->axis;
    double w = 0.0;

    for (int half = 0; half < (halves ? 2 : 1); half++) {
        if (halves) {
            const rg_axis *a = &g->axis[component];
            index[component] = at[component] - half;
            if (index[component] < 0 && a->periodic && !a->joined[0]) index[component] += a->n;
            if (index[component] >= a->n || (index[component] < 0 && !a->joined[0])) continue;
        }
        if (!is_fluid(g, p, index)) continue;
        double one = halves ? 0.5 : 1.0;
        for (int d = 0; d < g->dims; d++)
            if (d != p->axis) one *= width_of(&g->axis[d], index[d]);
        w += one;
    }
    return w;
}

/* All values of a term, or those on a plane across `axis` at x (linear between its neighbours). */
static reduction reduce(const rg_grid *g, const double *v, int component, int axis, double x)
{
    reduction out = {.least = INFINITY, .most = -INFINITY};
    const plane cut = plane_at(g, axis, x);
    int index[RG_AXES], end[RG_AXES], base = 0;
    double part = 0.0;

    for (int d = 0; d < RG_AXES; d++) {
        const line l = line_of(g, d, d < g->dims ? component : -1);
        end[d] = d == axis ? 1 : l.n;
    }
    if (axis >= 0 && !find_own(g, axis, component, x, &base, &part)) return out;
    for (index[2] = 0; index[2] < end[2]; index[2]++)
        for (index[1] = 0; index[1] < end[1]; index[1]++)
            for (index[0] = 0; index[0] < end[0]; index[0]++) {
                int64_t at = g->origin;
                for (int d = 0; d < g->dims; d++)
                    at += (d == axis ? base : index[d]) * g->stride[d];
                const double w = weight(g, &cut, component, index);
                if (w == 0.0) continue;
                double value = v[at];
                if (axis >= 0 && part != 0.0)
                    value = (1.0 - part) * v[at] + part * v[at + g->stride[axis]];
                out.sum += w * value;
                out.weight += w;
                out.least = fmin(out.least, value);
                out.most = fmax(out.most, value);
            }
    return out;
}

/* Over the ranks. */
static reduction reduce_all(const rg_grid *g, reduction own)
{
    double sums[2] = {own.sum, own.weight}, most[2] = {-own.least, own.most};

    rg_grid_sum(g, 2, sums);
    rg_grid_most(g, 2, most);
    return (reduction){.sum = sums[0], .weight = sums[1], .least = -most[0], .most = most[1]};
}

static rg_status read_reduction(rg_run_grid *r, const rg_reading *m, double *out)
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
        RG_TRY(values_of(r, one, &v));
        const reduction all = reduce_all(g, reduce(g, v, one->component, axis, x));
        switch (m->kind) {
        case RG_READ_INTEGRAL:
            *out += one->sign * all.sum;
            break;
        case RG_READ_MEAN:
            *out += one->sign * all.sum / all.weight;
            break;
        case RG_READ_MINIMUM:
            *out = all.least;
            break;
        default:
            *out = all.most;
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

static rg_status read_one(rg_run_grid *r, const rg_reading *m, double *out)
{
    const double *v;

    switch (m->kind) {
    case RG_READ_POINT:
        RG_TRY(values_of(r, &m->term[0], &v));
        *out = value_at(r->grid, v, m->term[0].component, m->at);
        rg_grid_sum(r->grid, 1, out);
        return RG_OK;
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
        return read_reduction(r, m, out);
    }
}

rg_status rg_run_grid_outputs(rg_run_grid *r, double *out)
{
    static const double origin = 0.0;
    const rg_points one = {
        .count = {1,       1,       1      },
          .at = {&origin, &origin, &origin}
    };

    for (int k = 0; k < r->form->n_outputs; k++) {
        const rg_form_output *o = &r->form->outputs[k];
        for (int m = 0; m < o->n_readings; m++) {
            RG_TRY(read_one(r, &o->readings[m], &r->reading[m]));
            r->reading_at[m] = &r->reading[m];
        }
        out[k] = o->value->value;
        if (o->value->uses != 0)
            (void)rg_quantity_eval(r->form, o->value, r->t, &one, r->reading_at, r->work, &out[k],
                                   NULL); /* an output may be no number */
    }
    return RG_OK;
}
