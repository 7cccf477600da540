/* Ranges of unknown faces, ghost values and gradients of a vector on a grid. */
#include "base/vector.h"
#include "pdae/mesh/block.h"
#include "pdae/ops/vector.h"

#include <string.h>

/* Coefficients of the second difference on cells and on faces of an axis:
 *     cells  ((u_(i+1) - u_i)/gap_(i+1) - (u_i - u_(i-1))/gap_i)/width_i
 *     faces  ((u_(i+1) - u_i)/width_i - (u_i - u_(i-1))/width_(i-1))/gap_i */
static void fill_coefficients(const rg_axis *axis, double *lower[2], double *upper[2],
                              double *over[2])
{
    for (int i = 0; i <= axis->n; i++) {
        over[1][i] = 1.0 / axis->gap[i];
        if (i < axis->n) {
            over[0][i] = 1.0 / axis->width[i];
            lower[0][i] = 1.0 / (axis->gap[i] * axis->width[i]);
            upper[0][i] = 1.0 / (axis->gap[i + 1] * axis->width[i]);
        }
        lower[1][i] = 1.0 / (axis->width[i - 1] * axis->gap[i]);
        upper[1][i] = 1.0 / (axis->width[i] * axis->gap[i]);
    }
}

rg_status rg_vector_space_create(const rg_grid *g, const int *side, rg_vector_space **out)
{
    rg_vector_space *s = rg_alloc(g->ctx, 1, sizeof *s);
    size_t room = 0;

    *out = NULL;
    if (s == NULL) return RG_ERR_MEMORY;
    s->grid = g;
    memcpy(s->side, side, sizeof s->side);
    for (int d = 0; d < g->dims; d++)
        room += 6 * ((size_t)g->axis[d].n + 1);
    s->memory = rg_alloc(g->ctx, room, sizeof *s->memory);
    bool ok = s->memory != NULL;
    double *memory = s->memory;
    for (int d = 0; ok && d < g->dims; d++) {
        for (int at = 0; at < 2; at++) {
            s->lower[d][at] = memory;
            s->upper[d][at] = memory + g->axis[d].n + 1;
            s->over[d][at] = memory + 2 * (g->axis[d].n + 1);
            memory += 3 * (g->axis[d].n + 1);
        }
        fill_coefficients(&g->axis[d], s->lower[d], s->upper[d], s->over[d]);
        s->wall[d] = rg_grid_array(g);
        ok = s->wall[d] != NULL;
    }
    for (int c = 0; c < g->dims; c++)
        for (int d = 0; d < RG_AXES; d++) {
            const int low = side[2 * c], high = side[2 * c + 1], n = g->axis[d].n;
            s->first[c][d] = 0;
            s->end[c][d] = n;
            if (d != c) continue;
            s->first[c][d] = low == RG_VECTOR_GIVEN || low == RG_VECTOR_SLIP ? 1 : 0;
            s->end[c][d] = high == RG_VECTOR_OPEN ? n + 1 : n;
        }
    for (int k = 0; k < 2 * g->dims; k++)
        s->has_open = s->has_open || side[k] == RG_VECTOR_OPEN;
    s->has_open = rg_grid_any(g, s->has_open);
    if (!ok) {
        rg_vector_space_destroy(&s);
        return RG_ERR_MEMORY;
    }
    *out = s;
    return RG_OK;
}

void rg_vector_space_destroy(rg_vector_space **space)
{
    rg_vector_space *s = *space;

    if (s == NULL) return;
    for (int d = 0; d < RG_AXES; d++) {
        rg_free(s->grid->ctx, s->wall[d]);
        rg_free(s->grid->ctx, s->fixed[d]);
        rg_free(s->grid->ctx, s->solid[d].fixed);
        rg_free(s->grid->ctx, s->solid[d].of);
        rg_free(s->grid->ctx, s->solid[d].contact);
        rg_free(s->grid->ctx, s->solid[d].value);
    }
    rg_free(s->grid->ctx, s->memory);
    rg_free(s->grid->ctx, s);
    *space = NULL;
}

/* Ghosts of one line, `at` its cell or face 0, of a component across the axis of the line. */
RG_INLINE void fill_normal(double *u, const double *wall, int n, int64_t s, int low, int high)
{
    if (low == RG_VECTOR_PERIODIC) {
        u[n * s] = u[0];
        u[(n + 1) * s] = u[(n > 1 ? 1 : 0) * s];
        u[-s] = u[(n - 1) * s];
        u[-2 * s] = u[(n > 1 ? n - 2 : 0) * s];
        return;
    }
    if (low == RG_VECTOR_OPEN) {
        u[-s] = u[s];
    } else if (low != RG_VECTOR_JOINED) {
        u[0] = low == RG_VECTOR_SLIP ? 0.0 : wall[0];
        u[-s] = 2.0 * u[0] - u[s];
    }
    if (low != RG_VECTOR_JOINED) u[-2 * s] = u[-s];
    if (high == RG_VECTOR_OPEN) {
        u[(n + 1) * s] = u[(n - 1) * s];
    } else if (high != RG_VECTOR_JOINED) {
        u[n * s] = high == RG_VECTOR_SLIP ? 0.0 : wall[n * s];
        u[(n + 1) * s] = 2.0 * u[n * s] - u[(n - 1) * s];
    }
}

RG_INLINE void fill_tangential(double *u, const double *wall, int n, int64_t s, int low, int high)
{
    const int second = n > 1 ? 1 : 0;

    if (low == RG_VECTOR_PERIODIC) {
        u[-s] = u[(n - 1) * s];
        u[-2 * s] = u[(n - 1 - second) * s];
        u[n * s] = u[0];
        u[(n + 1) * s] = u[second * s];
        return;
    }
    if (low == RG_VECTOR_GIVEN) {
        u[-s] = 2.0 * wall[-s] - u[0];
        u[-2 * s] = 2.0 * wall[-s] - u[second * s];
    } else if (low == RG_VECTOR_LINE) {
        u[-s] = 2.0 * u[0] - u[s];
        u[-2 * s] = 2.0 * u[-s] - u[0];
    } else if (low != RG_VECTOR_JOINED) {
        u[-s] = u[0];
        u[-2 * s] = u[second * s];
    }
    if (high == RG_VECTOR_GIVEN) {
        u[n * s] = 2.0 * wall[n * s] - u[(n - 1) * s];
        u[(n + 1) * s] = 2.0 * wall[n * s] - u[(n - 1 - second) * s];
    } else if (high == RG_VECTOR_LINE) {
        u[n * s] = 2.0 * u[(n - 1) * s] - u[(n - 2) * s];
        u[(n + 1) * s] = 2.0 * u[n * s] - u[(n - 1) * s];
    } else if (high != RG_VECTOR_JOINED) {
        u[n * s] = u[(n - 1) * s];
        u[(n + 1) * s] = u[(n - 1 - second) * s];
    }
}

static void fill_solids(const rg_vector_space *space, int c, double *u)
{
    const rg_solid_faces *s = &space->solid[c];

    for (int64_t k = 0; k < s->n_fixed; k++)
        u[s->fixed[k]] = s->value[k];
    for (int64_t k = 0; k < s->n_contacts; k++) { /* a thin solid: the last one counts */
        const rg_contact *t = &s->contact[k];
        const int64_t next = 2 * t->at - t->beyond;
        const double inside = u[t->at];
        const bool is_line = space->shows && !space->fixed[c][next];
        if (t->is_inside && !t->beyond_is_other)
            u[t->beyond] = t->kind == RG_CONTACT_WALL ? 2.0 * s->value[s->n_fixed + k] - inside
                           : is_line                  ? 2.0 * inside - u[next]
                                                      : inside;
    }
}

/* What a side is for the components along it. */
static int along_side(const rg_vector_space *s, int side)
{
    const rg_axis *a = &(s->grid->whole ? s->grid->whole : s->grid)->axis[side / 2];

    if (s->shows && a->n > 1 && rg_axis_is_side(&s->grid->axis[side / 2], side % 2))
        return s->side[side] == RG_VECTOR_OPEN ? RG_VECTOR_GIVEN : RG_VECTOR_LINE;
    return s->slips && s->side[side] == RG_VECTOR_GIVEN ? RG_VECTOR_SLIP : s->side[side];
}

/* Cells, or faces: face n of a periodic axis is face 0. */
static int count_along(const rg_axis *a, bool faces)
{
    return a->n + (faces && !a->periodic);
}

/* The ends of all lines along d. */
static void fill_ends(const rg_vector_space *s, int c, int d, double *u)
{
    const rg_grid *g = s->grid;
    const int e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES, n = g->axis[d].n;
    const int low = d == c ? s->side[2 * d] : along_side(s, 2 * d),
              high = d == c ? s->side[2 * d + 1] : along_side(s, 2 * d + 1);
    const rg_axis *first = &g->axis[e1], *second = &g->axis[e2];
    const int64_t stride = g->stride[d];

    for (int b = -g->ghosts[e2]; b < second->n + g->ghosts[e2]; b++)
        for (int a = -g->ghosts[e1]; a < first->n + g->ghosts[e1]; a++) {
            const int i = rg_axis_inside(first, count_along(first, e1 == c), a),
                      j = rg_axis_inside(second, count_along(second, e2 == c), b);
            const int64_t at = g->origin + a * g->stride[e1] + b * g->stride[e2],
                          near = g->origin + i * g->stride[e1] + j * g->stride[e2];
            if (d == c)
                fill_normal(u + at, s->wall[c] + near, n, stride, low, high);
            else
                fill_tangential(u + at, s->wall[c] + near, n, stride, low, high);
        }
    rg_grid_join(g, d, u);
}

/* The first `passes` axes of every component; the normal one is the first: the ghosts of the others
 * take its corners along. */
static void fill(const rg_vector_space *s, double *const *u, int passes)
{
    const rg_grid *g = s->grid;

    for (int c = 0; c < g->dims; c++) {
        if (g->solid) rg_grid_join_all(g, u[c]);
        fill_solids(s, c, u[c]);
        for (int pass = 0; pass < passes; pass++)
            fill_ends(s, c, (c + pass) % g->dims, u[c]);
        fill_solids(s, c, u[c]); /* sides that end at a solid */
    }
}

void rg_vector_fill(const rg_vector_space *s, double *const *u)
{
    fill(s, u, s->grid->dims);
}

void rg_vector_fill_normal(const rg_vector_space *s, double *const *u)
{
    fill(s, u, 1);
}

/* 1/gap of the faces across axis d; twice that on an open side: p is given half a cell away. */
static double over_gap(const rg_vector_space *s, int d, int i)
{
    const rg_axis *axis = &s->grid->axis[d];
    const bool is_side =
        (i == 0 && rg_axis_is_side(axis, 0)) || (i == axis->n && rg_axis_is_side(axis, 1));

    return (is_side ? 2.0 : 1.0) / axis->gap[i];
}

/* Faces i = from .. end - 1 of a row: factor (p before - p behind), times over[i] along x; beside
 * what is in base (NULL: nothing), which may be `out`. */
RG_INLINE void gradient_row(const double *before, const double *behind, double factor,
                            const double *over, int from, int end, const double *base, double *out)
{
    if (over && base)
        for (int i = from; i < end; i++)
            out[i] = base[i] + factor * (before[i] - behind[i]) * over[i];
    else if (over)
        for (int i = from; i < end; i++)
            out[i] = factor * (before[i] - behind[i]) * over[i];
    else if (base)
        for (int i = from; i < end; i++)
            out[i] = base[i] + factor * (before[i] - behind[i]);
    else
        for (int i = from; i < end; i++)
            out[i] = factor * (before[i] - behind[i]);
}

/* Beyond an open side p is the given one, in the ghost cell of `outside` (or 0). */
typedef struct {
    const rg_vector_space *s;
    int c;
    double scale;
    const double *p, *outside, *base;
    double *out;
} gradient;

RG_FOR_ALL_VECTORS
static void gradient_rows(void *user, int hand, int64_t first_row, int64_t end_row)
{
    const gradient *w = user;
    const rg_vector_space *s = w->s;
    const rg_grid *g = s->grid;
    const int c = w->c;
    const double *p = w->p, *outside = w->outside, *base = w->base, scale = w->scale;
    double *out = w->out;
    const int n = g->axis[c].n, end = s->end[c][0], first = s->first[c][0];
    /* along x the faces at the ends of a row are written apart */
    const int from = c == 0 && first == 0 ? 1 : first, to = c == 0 && end > n ? n : end;
    const int64_t step = g->stride[c];
    int index[RG_AXES];

    (void)hand;
    for (int64_t r = first_row; r < end_row; r++) {
        rg_row_of(s->first[c], s->end[c], r, &index[1], &index[2]);
        const int64_t row = rg_grid_at(g, 0, index[1], index[2]);
        const int m = c == 0 ? 1 : index[c];
        const double *before = p + row - step, *behind = p + row;
        if (m == 0 && g->axis[c].periodic) before = p + row + (n - 1) * step;
        const bool low = m == 0 && rg_axis_is_side(&g->axis[c], 0), high = c > 0 && m == n;
        const double factor = c == 0 ? scale : scale * over_gap(s, c, m);
        if (low || high) {
            const double sign = low ? -1.0 : 1.0;
            const double *inside = low ? behind : before,
                         *given = outside ? outside + row - (low ? step : 0) : NULL;
            for (int i = first; i < end; i++)
                out[row + i] = (base ? base[row + i] : 0.0)
                               + sign * factor * (inside[i] - (given ? given[i] : 0.0));
            continue;
        }
        gradient_row(before, behind, factor, c == 0 ? s->over[0][1] : NULL, from, to,
                     base ? base + row : NULL, out + row);
        if (c > 0) continue;
        if (first == 0) { /* periodic, joined, or open */
            const double beyond = g->axis[0].periodic    ? p[row + n - 1]
                                  : g->axis[0].joined[0] ? p[row - 1]
                                  : outside              ? outside[row - 1]
                                                         : 0.0;
            out[row] = (base ? base[row] : 0.0) + scale * (beyond - p[row]) * over_gap(s, 0, 0);
        }
        if (end == n + 1)
            out[row + n] =
                (base ? base[row + n] : 0.0)
                + scale * (p[row + n - 1] - (outside ? outside[row + n] : 0.0)) * over_gap(s, 0, n);
    }
}

static void gradient_in_rows(const rg_vector_space *s, int c, const double *p,
                             const double *outside, double scale, const double *base, double *out)
{
    gradient w = {s, c, scale, p, outside, base, out};

    rg_grid_rows(s->grid, s->first[c], s->end[c], gradient_rows, &w);
}

void rg_vector_gradient(const rg_vector_space *s, int c, const double *p, const double *outside,
                        double scale, double *out)
{
    rg_grid_join(s->grid, c, (double *)p); /* beside the block only */
    gradient_in_rows(s, c, p, outside, scale, NULL, out);
    rg_vector_mask(s, c, out);
}

void rg_vector_add_gradient(const rg_vector_space *s, int c, const double *p, const double *outside,
                            double scale, const double *base, double *out)
{
    rg_grid_join(s->grid, c, (double *)p);
    gradient_in_rows(s, c, p, outside, scale, base, out);
    rg_vector_mask(s, c, out);
}

/* Both ends of a line. */
static void pressure_ends(const rg_vector_space *s, int d, const double *outside,
                          const rg_outer_line *l, bool closed, double *p)
{
    double *line = p + l->near + l->aside;
    const rg_axis *axis = &s->grid->axis[d];
    const int64_t step = s->grid->stride[d];

    for (int high = 0; high < 2; high++) {
        const int64_t inside = high ? (axis->n - 1) * step : 0,
                      ghost = inside + (high ? step : -step),
                      next = axis->n > 1 ? 2 * inside - ghost : inside;
        const bool is_open = s->side[2 * d + high] == RG_VECTOR_OPEN;
        if (axis->joined[high] || closed == (axis->periodic || is_open)) continue;
        line[ghost] = axis->periodic ? line[high ? 0 : (axis->n - 1) * step]
                      : is_open
                          ? 2.0 * (outside ? rg_outer_value(outside, l, ghost) : 0.0) - line[inside]
                          : 2.0 * line[inside] - line[next];
    }
}

/* Closed sides come last: their ghosts continue those of open sides too. */
void rg_vector_pressure_ghosts(const rg_vector_space *s, const double *outside, double *p)
{
    const rg_grid *g = s->grid;

    rg_grid_continue_solid(g, p);
    for (int pass = 0; pass < 2 * g->dims; pass++) {
        const int d = pass % g->dims, e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES;
        const rg_axis *first = &g->axis[e1], *second = &g->axis[e2];
        for (int b = -g->ghosts[e2]; b < second->n + g->ghosts[e2]; b++)
            for (int a = -g->ghosts[e1]; a < first->n + g->ghosts[e1]; a++) {
                const rg_outer_line l = rg_grid_outer_line(g, d, a, b, true);
                pressure_ends(s, d, outside, &l, pass >= g->dims, p);
            }
        rg_grid_join(g, d, p);
    }
}

void rg_vector_transmissibility(const rg_vector_space *s, double *const *kappa, double *const *T)
{
    const rg_grid *g = s->grid;
    int at[RG_AXES];

    for (int c = 0; c < g->dims; c++) {
        memset(T[c], 0, (size_t)g->size * sizeof *T[c]);
        for (at[2] = s->first[c][2]; at[2] < s->end[c][2]; at[2]++)
            for (at[1] = s->first[c][1]; at[1] < s->end[c][1]; at[1]++)
                for (at[0] = s->first[c][0]; at[0] < s->end[c][0]; at[0]++) {
                    const int64_t place = rg_grid_at(g, at[0], at[1], at[2]);
                    double area = 1.0;
                    if (s->fixed[c] && s->fixed[c][place]) continue;
                    for (int d = 0; d < g->dims; d++)
                        if (d != c) area *= g->axis[d].width[at[d]];
                    T[c][place] = area * over_gap(s, c, at[c]) * (kappa ? kappa[c][place] : 1.0);
                    if (g->axis[c].periodic && at[c] == 0)
                        T[c][place + g->axis[c].n * g->stride[c]] = T[c][place];
                }
        rg_grid_join(g, c, T[c]);
    }
}
