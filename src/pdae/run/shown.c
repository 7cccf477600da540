/* Components of Darcy flow along sides and solids, as outputs see them.
 *
 * There is no condition for them.  On an open side p is given, and with it the flow along the side,
 *
 *     u_c = (f_c - dp/dx_c)/r    on the edges of its faces,
 *
 * on a line with the next two where it meets another open side: between two of them the values of
 * the faces are of first order in the last cells, for the errors h^2/8 d2p/dn2 that both sides make
 * differ in the corner.  Elsewhere, and beside solids, they go on along lines from inside. */
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"

#include <math.h>

typedef struct { /* component c along a side across d */
    rg_run_part *p;
    int c, d, high, layer; /* that of its faces; -1: the block does not have the side */
    int64_t inside,
        ghost; /* from the begin of axis d to the cells beside the side, and beyond it */
} strip;

static bool is_open(const rg_run_part *p, int side)
{
    return p->field->side[side].kind == RG_VECTOR_OPEN;
}

static strip strip_of(rg_run_part *p, int c, int side)
{
    const rg_grid *g = p->run->grid;
    strip s = {.p = p, .c = c, .d = side / 2, .high = side % 2, .layer = -1};
    const int n = g->axis[s.d].n;

    if (rg_axis_is_side(&g->axis[s.d], s.high)) s.layer = s.high ? n : 0;
    s.inside = (s.high ? n - 1 : 0) * g->stride[s.d];
    s.ghost = (s.high ? n : -1) * g->stride[s.d];
    return s;
}

/* Numbers of the cells of a side, `from` the begin of axis d, to those inside of it, where
 * neighbours along the side of other ranks and beyond a seam come to it. */
static void join_strip(const strip *s, int64_t from, const double *v, double *out)
{
    const rg_grid *g = s->p->run->grid;
    const int e1 = (s->d + 1) % RG_AXES, e2 = (s->d + 2) % RG_AXES;

    for (int b = 0; s->layer >= 0 && b < g->axis[e2].n; b++)
        for (int a = 0; a < g->axis[e1].n; a++) {
            const int64_t at = g->origin + a * g->stride[e1] + b * g->stride[e2];
            out[at + s->inside] = v[at + from];
        }
    rg_scalar_copy_out(g, out);
}

typedef void strip_edge(const strip *s, int64_t at, int i, const double *v, double *wall);

/* All edges of the strip; `at`: of the cell behind the edge, at the begin of axis d. */
static void each_edge(const strip *s, const double *v, strip_edge *take)
{
    const rg_grid *g = s->p->run->grid;
    const int e = 3 - s->c - s->d, n = g->axis[s->c].n + !g->axis[s->c].periodic;

    for (int b = 0; s->layer >= 0 && b < g->axis[e].n; b++)
        for (int i = 0; i < n; i++) {
            const int64_t at = g->origin + b * g->stride[e] + i * g->stride[s->c];
            take(s, at, i, v, s->p->space->wall[s->c] + at + s->ghost);
        }
}

static void take_slope(const strip *s, int64_t at, int i, const double *p, double *wall)
{
    const rg_grid *g = s->p->run->grid;

    p += at + s->inside;
    *wall = -(p[0] - p[-g->stride[s->c]]) / g->axis[s->c].gap[i];
}

static void take_force(const strip *s, int64_t at, int i, const double *f, double *wall)
{
    (void)i;
    *wall += f[at + s->layer * s->p->run->grid->stride[s->d]];
}

static void take_resistance(const strip *s, int64_t at, int i, const double *r, double *wall)
{
    (void)i;
    r += at + s->inside;
    *wall /= 0.5 * (r[0] + r[-s->p->run->grid->stride[s->c]]);
}

/* Is one of the cells of the side from `first` to `last`, counted from the edge, a solid? */
static bool has_solid(const strip *s, int64_t at, int first, int last)
{
    const rg_grid *g = s->p->run->grid;
    bool any = false;

    for (int k = first; g->solid && k <= last; k++)
        any = any || g->solid[at + s->inside + k * g->stride[s->c]];
    return any;
}

/* On a line with the values inside where a cell beside the edge is a solid, a closed side is met or
 * the numbers are none; with the next two edges where an open side is met. */
static void take_rest(const strip *s, int64_t at, int i, const double *u, double *wall)
{
    const rg_grid *g = s->p->run->grid;
    const rg_axis *a = &g->axis[s->c], *all = &(g->whole ? g->whole : g)->axis[s->c];
    const int64_t in = s->high ? -g->stride[s->d] : g->stride[s->d], along = g->stride[s->c];
    const bool is_low = i == 0 && rg_axis_is_side(a, 0), is_high = i == a->n && !a->joined[1],
               is_corner =
                   (is_low && is_open(s->p, 2 * s->c)) || (is_high && is_open(s->p, 2 * s->c + 1));
    const int to = is_low ? 1 : -1, first = is_low ? 0 : is_high ? -3 : -1;
    bool is_line = is_low || is_high || has_solid(s, at, -1, 0);

    if (is_corner && all->n > 2 && !has_solid(s, at, first, first + 2)) {
        const double part =
            (a->edge[i] - a->edge[i + to]) / (a->edge[i + to] - a->edge[i + 2 * to]);
        *wall = wall[to * along] + part * (wall[to * along] - wall[2 * to * along]);
        is_line = false;
    }
    u += at + s->inside;
    if (is_line || !isfinite(*wall)) *wall = 1.5 * u[0] - 0.5 * u[in];
}

/* Expressions that are no numbers on the side leave the line from inside there. */
static rg_status find(const strip *s, const rg_quantity *q, int c)
{
    rg_run_grid *r = s->p->run;
    const rg_status status = rg_run_on_layer(r, q, c, s->d, s->layer, r->across);

    if (status != RG_ERR_CONVERGENCE) return status;
    rg_clear_error(r->ctx);
    return RG_OK;
}

static rg_status find_along(rg_run_part *p, int c, int side)
{
    rg_run_grid *r = p->run;
    const strip s = strip_of(p, c, side);
    const rg_form_equation *eq = p->eq;

    join_strip(&s, s.ghost, p->outside, r->scratch);
    each_edge(&s, r->scratch, take_slope);
    if (!rg_quantity_is_zero(eq->force[c])) {
        RG_TRY(find(&s, eq->force[c], c));
        each_edge(&s, r->across, take_force);
    }
    RG_TRY(find(&s, eq->resistance[c], -1));
    join_strip(&s, s.layer * r->grid->stride[s.d], r->across, r->scratch);
    each_edge(&s, r->scratch, take_resistance);
    each_edge(&s, rg_run_velocity(r, eq->field)[c], take_rest);
    return RG_OK;
}

rg_status rg_run_show_darcy(rg_run_grid *r)
{
    for (int k = 0; k < r->n_parts; k++) {
        rg_run_part *p = &r->part[k];
        if (p->space == NULL || !p->space->slips) continue;
        for (int side = 0; side < 2 * r->grid->dims; side++)
            for (int c = 0; is_open(p, side) && c < r->grid->dims; c++)
                if (c != side / 2) RG_TRY(find_along(p, c, side));
        p->space->shows = true;
        rg_vector_fill(p->space, rg_run_velocity(r, p->eq->field));
    }
    return RG_OK;
}

void rg_run_hide_darcy(rg_run_grid *r)
{
    for (int k = 0; k < r->n_parts; k++) {
        rg_run_part *p = &r->part[k];
        if (p->space == NULL || !p->space->slips) continue;
        p->space->shows = false;
        rg_vector_fill(p->space, rg_run_velocity(r, p->eq->field));
    }
}
