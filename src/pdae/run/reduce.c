/* Values at places, sums and extrema of what an output reads. */
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"
#include "pdae/tuning.h"

#include <math.h>

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

int rg_run_layer_at(const rg_grid *g, int component, int axis, double x)
{
    double part;
    int base;

    (void)find_own(g, axis, component, x, &base, &part);
    return base;
}

/* The number along an axis, in this block, of value i of the whole grid: is it one of its own?
 * Those beyond a side belong to the block at this side. */
static bool is_own(const rg_grid *g, int d, int i, int *own)
{
    const rg_axis *a = &g->axis[d], *all = &(g->whole ? g->whole : g)->axis[d];
    const int inside = all->periodic ? (i + all->n) % all->n : i;
    const int cell = inside < 0 ? 0 : inside >= all->n ? all->n - 1 : inside;

    *own = inside - a->from;
    return cell >= a->from && cell < a->from + a->n;
}

/* How much of the values base - 1 .. base + 2 a place between the middle two, part s of the way,
 * has.  Linear between them; or (bends) with their curvature D, the mean of the second differences
 * around the two, of those that are there:
 *
 *     (1 - s) v_0 + s v_1 - s (1 - s)/2 D.
 *
 * Beside a side one of the two is 2 value - inside, and D half of what it is inside.  With f the
 * part of the way from the side to the outermost cell, whose value lies h^2/8 c'' off, the place
 * lies (2 f - f^2) h^2/8 c'' off:  (2 f - f^2)/4 D.
 */
static void share(const line *l, bool periodic, int base, double s, bool bends, double w[4])
{
    const bool low = base - 1 >= (periodic ? -1 : 0), high = base + 2 <= l->n - (periodic ? 0 : 1);
    const int around = 2 * (low + high);
    const bool beside = !periodic && (base < 0 || base + 1 >= l->n || (base == 0 && s == 0.0));
    const double f = beside ? fabs(2.0 * s - 1.0) : 0.0,
                 K = bends && around > 0
                         ? fmax(s * (1.0 - s) / around, (2.0 * f - f * f) / (2 * around))
                         : 0.0;
    const double K0 = low ? K : 0.0, K1 = high ? K : 0.0;

    w[0] = -K0;
    w[1] = 1.0 - s + 2.0 * K0 - K1;
    w[2] = s - K0 + 2.0 * K1;
    w[3] = -K1;
}

/* The part of a value at a place that is this rank's, for beyond a side the values of others are
 * not known; false: a value that it bends by is one of a solid. */
static bool value_with(const rg_grid *g, const double *v, const int base[RG_AXES],
                       double w[RG_AXES][4], double *out)
{
    *out = 0.0;
    for (int corner = 0; corner < 1 << (2 * g->dims); corner++) {
        double weight = 1.0;
        int64_t to = g->origin;
        bool is_outer = false;
        for (int d = 0; d < g->dims; d++) {
            const int step = corner >> (2 * d) & 3;
            int own;
            weight *= w[d][step];
            if (weight != 0.0 && !is_own(g, d, base[d] + step - 1, &own)) weight = 0.0;
            if (weight != 0.0) to += own * g->stride[d];
            is_outer = is_outer || step == 0 || step == 3;
        }
        if (weight == 0.0) continue;
        if (is_outer && g->solid && g->solid[to]) return false;
        *out += weight * v[to];
    }
    return true;
}

double rg_run_value_at(const rg_grid *g, const double *v, int component, const double *x,
                       bool bends)
{
    const rg_grid *whole = g->whole ? g->whole : g;
    double part, w[RG_AXES][4], value;
    int base[RG_AXES];

    for (int d = 0; d < g->dims; d++) {
        const line l = line_of(whole, d, component);
        base[d] = find(&l, x[d], &part);
        share(&l, whole->axis[d].periodic, base[d], part, bends, w[d]);
    }
    const bool has_solid = !value_with(g, v, base, w, &value);
    if (!bends || !rg_grid_any(g, has_solid)) return value; /* all ranks take the same weights */
    return rg_run_value_at(g, v, component, x, false);
}

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

    if (component < 0 && p->axis < 0 && g->solid == NULL)
        return rg_grid_volume(g, at[0], at[1], at[2]);
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

typedef struct { /* values of a term, or of a plane across `axis`: between the layers */
    const double *v;
    int component, axis;
    bool bends;
    bool has_seams;    /* it reads the axes: periodic ones end at their seam */
    double part, w[4]; /* see share() */
} source;

static double value_of(const rg_grid *g, const source *s, int64_t at)
{
    if (s->axis < 0 || (s->part == 0.0 && !s->bends)) return s->v[at];
    const int64_t step = g->stride[s->axis];
    const double *v = s->v + at, straight = (1.0 - s->part) * v[0] + s->part * v[step];
    double bend = 0.0;

    for (int k = 0; s->bends && k < 4; k += 3) {
        const int64_t outer = at + (k - 1) * step;
        if (s->w[k] == 0.0) continue;
        if (g->solid && (g->solid[outer] || g->solid[at] || g->solid[at + step])) return straight;
        bend += s->w[k] * s->v[outer];
    }
    return s->bends ? bend + s->w[1] * v[0] + s->w[2] * v[step] : straight;
}

typedef struct {
    double value; /* times the sign: the largest one */
    int64_t at;
    int index[RG_AXES];
} extreme;

/* Is the value one at the seam of axis d, beyond which the axis has its other end? */
static bool is_at_seam(const rg_grid *g, const source *s, const extreme *e, int d, int high)
{
    return s->has_seams && (g->whole ? g->whole : g)->axis[d].periodic && rg_run_has_end(g, d, high)
           && e->index[d] == (high ? g->axis[d].n - 1 : 0);
}

/* Is there a value beside one along axis d? */
static bool has_beside(const rg_grid *g, const source *s, const extreme *e, int d, int high)
{
    const rg_axis *a = &g->axis[d];
    const int last = line_of(g, d, s->component).n - 1;
    const bool is_end = e->index[d] == (high ? last : 0);

    if ((is_end && rg_axis_is_side(a, high)) || is_at_seam(g, s, e, d, high)) return false;
    return s->component >= 0 || g->solid == NULL
           || g->solid[e->at + (high ? g->stride[d] : -g->stride[d])] == 0;
}

/* How far the largest value between those of the grid lies beyond the largest of these, b: along
 * every axis the vertex of the parabola through it and its neighbours a and c,
 *
 *     (c - a)^2/(8 (2 b - a - c)),
 *
 * and at the end of a line of cells, half a cell before the side, half the difference to the only
 * neighbour.  Faces end with a side, but of a periodic axis one before its upper end. */
static double beyond(const rg_grid *g, const source *s, const extreme *e, double sign)
{
    double sum = 0.0;

    for (int d = 0; d < g->dims; d++) {
        const bool low = has_beside(g, s, e, d, 0), high = has_beside(g, s, e, d, 1);
        const bool is_face = d == s->component;
        if (d == s->axis || (!low && !high)) continue;
        if (is_face && !(low && high) && !is_at_seam(g, s, e, d, 1)) continue;
        const double a = sign * value_of(g, s, e->at - (low ? g->stride[d] : 0)),
                     c = sign * value_of(g, s, e->at + (high ? g->stride[d] : 0)),
                     fall = 2.0 * e->value - a - c;
        if (!low || !high)
            sum += (is_face ? 1.0 : 0.5) * fabs(fall);
        else if (fall > 0.0)
            sum += (c - a) * (c - a) / (8.0 * fall);
    }
    return sum;
}

static void take_extreme(extreme *e, double value, int64_t at, const int index[RG_AXES])
{
    if (!(value > e->value)) return;
    *e = (extreme){
        value, at, {index[0], index[1], index[2]}
    };
}

/* Over the ranks; of an extreme value of several ones the larger way to the true one. */
static rg_run_reduction reduce_all(const rg_grid *g, rg_run_reduction own)
{
    double sums[2] = {own.sum, own.weight}, most[2] = {-own.least, own.most};

    rg_grid_sum(g, 2, sums);
    rg_grid_most(g, 2, most);
    double ways[2] = {own.least == -most[0] ? own.below : 0.0,
                      own.most == most[1] ? own.above : 0.0};
    rg_grid_most(g, 2, ways);
    return (rg_run_reduction){.sum = sums[0],
                              .weight = sums[1],
                              .least = -most[0],
                              .most = most[1],
                              .below = ways[0],
                              .above = ways[1]};
}

/* A row of cells of a box without solids. */
static void reduce_row(const rg_grid *g, const source *s, const int index[RG_AXES],
                       rg_run_reduction *out, extreme ends[2])
{
    const int64_t row = rg_grid_at(g, 0, index[1], index[2]);
    const double *v = s->v + row, *width = g->axis[0].width, wy = g->axis[1].width[index[1]],
                 wz = g->axis[2].width[index[2]];
    double sum = out->sum, weight = out->weight;
    int low = -1, high = -1;
    double least = -ends[0].value, most = ends[1].value;

    for (int i = 0; i < g->axis[0].n; i++) {
        const double w = width[i] * wy * wz;
        sum += w * v[i];
        weight += w;
        if (v[i] < least) least = v[low = i];
        if (v[i] > most) most = v[high = i];
    }
    out->sum = sum;
    out->weight = weight;
    if (low >= 0) take_extreme(&ends[0], -least, row + low, (int[]){low, index[1], index[2]});
    if (high >= 0) take_extreme(&ends[1], most, row + high, (int[]){high, index[1], index[2]});
}

/* Of this block. */
static rg_run_reduction reduce(const rg_grid *g, source *s, double x)
{
    rg_run_reduction out = {.least = INFINITY, .most = -INFINITY};
    extreme ends[2] = {{.value = -INFINITY}, {.value = -INFINITY}}; /* lowest, highest */
    const plane cut = plane_at(g, s->axis, x);
    int index[RG_AXES], end[RG_AXES], base = 0;

    for (int d = 0; d < RG_AXES; d++) {
        const line l = line_of(g, d, d < g->dims ? s->component : -1);
        end[d] = d == s->axis ? 1 : l.n;
    }
    if (s->axis >= 0) {
        const rg_grid *whole = g->whole ? g->whole : g;
        const line l = line_of(whole, s->axis, s->component);
        const bool is_here = find_own(g, s->axis, s->component, x, &base, &s->part);
        const int first = base + g->axis[s->axis].from;
        if (!is_here) return out;
        share(&l, whole->axis[s->axis].periodic, first, s->part, s->bends, s->w);
    }
    const bool is_plain = s->axis < 0 && s->component < 0 && g->solid == NULL;
    for (index[2] = 0; index[2] < end[2]; index[2]++)
        for (index[1] = 0; index[1] < end[1]; index[1]++) {
            if (is_plain) reduce_row(g, s, index, &out, ends);
            for (index[0] = 0; !is_plain && index[0] < end[0]; index[0]++) {
                int64_t at = g->origin;
                for (int d = 0; d < g->dims; d++)
                    at += (d == s->axis ? base : index[d]) * g->stride[d];
                const double w = weight(g, &cut, s->component, index);
                if (w == 0.0) continue;
                const double value = value_of(g, s, at);
                out.sum += w * value;
                out.weight += w;
                take_extreme(&ends[0], -value, at, index);
                take_extreme(&ends[1], value, at, index);
            }
        }
    if (out.weight == 0.0) return out;
    out.least = -ends[0].value;
    out.most = ends[1].value;
    out.below = isfinite(out.least) ? beyond(g, s, &ends[0], -1.0) : 0.0;
    out.above = isfinite(out.most) ? beyond(g, s, &ends[1], 1.0) : 0.0;
    return out;
}

rg_run_reduction rg_run_reduce(const rg_grid *g, const double *v, const rg_read_term *of, int axis,
                               double x, bool bends)
{
    source s = {.v = v,
                .component = of->component,
                .axis = axis,
                .bends = bends,
                .has_seams = (of->what->uses & RG_USES_SPACE) != 0};

    return reduce_all(g, reduce(g, &s, x));
}
