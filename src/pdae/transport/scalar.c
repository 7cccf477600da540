/* Fluxes of a scalar through the faces of a grid. */
#include "pdae/transport/scalar.h"

#include "base/vector.h"
#include "pdae/mesh/block.h"
#include "pdae/ops/carry.h"

#include <math.h>

/* c: at the first cell of a line. */
static void fill_line(const rg_scalar_space *sp, int d, double *c, const rg_outer_line *l)
{
    const int n = sp->grid->axis[d].n, second = n > 1 ? 1 : 0;
    const int64_t s = sp->grid->stride[d];

    for (int end = 0; end < 2; end++) {
        const int64_t inside = end ? (n - 1) * s : 0, out = end ? s : -s;
        const int64_t first = inside + out, next = first + out;
        const int kind = sp->side[2 * d + end];
        if (kind == RG_SCALAR_FLUX && sp->shows) { /* the fall inside continues */
            const double fall = 2.0 * (c[inside - l->aside] - sp->surface[l->near + first]);
            c[first] = c[inside] - fall;
            c[next] = c[first] - fall;
            continue;
        }
        switch (kind) {
        case RG_SCALAR_JOINED:
            break;
        case RG_SCALAR_PERIODIC: {
            const int64_t other = end ? 0 : (n - 1) * s;
            c[first] = c[other];
            c[next] = c[other + second * out];
            break;
        }
        case RG_SCALAR_EXCHANGE:
        case RG_SCALAR_VALUE: {
            const double value =
                rg_outer_value(kind == RG_SCALAR_VALUE ? sp->given : sp->surface, l, first);
            c[first] = 2.0 * value - c[inside];
            c[next] = 2.0 * value - c[inside - second * out];
            break;
        }
        default:
            c[first] = c[inside];
            c[next] = c[inside - second * out];
            break;
        }
    }
}

void rg_scalar_fill(const rg_scalar_space *s, double *c)
{
    const rg_grid *g = s->grid;

    rg_grid_fill_solid(g, c);
    for (int64_t k = 0; k < s->n_contacts; k++) {
        const rg_scalar_contact *m = &s->contact[k];
        const int64_t solid = m->high ? m->face : m->face - g->stride[m->axis];
        if (m->kind == RG_SCALAR_VALUE) c[solid] = 2.0 * m->value - c[m->cell];
        if (m->kind == RG_SCALAR_FLUX && s->shows) c[solid] = 2.0 * m->surface - c[m->cell];
    }
    for (int d = 0; d < g->dims; d++) {
        const int e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES;
        const rg_axis *first = &g->axis[e1], *second = &g->axis[e2];
        for (int b = -g->ghosts[e2]; b < second->n + g->ghosts[e2]; b++)
            for (int a = -g->ghosts[e1]; a < first->n + g->ghosts[e1]; a++) {
                const rg_outer_line l = rg_grid_outer_line(g, d, a, b, s->goes_on);
                fill_line(s, d, c + l.near + l.aside, &l);
            }
        rg_grid_join(g, d, c);
    }
    for (int d = 0; s->has_corners && d < g->dims - 1; d++)
        rg_grid_join(g, d,
                     c); /* beyond the sides of later axes, where others have the given ones */
}

void rg_scalar_copy_out(const rg_grid *g, double *v)
{
    rg_scalar_space plain = {.grid = g, .given = v};

    for (int side = 0; side < 2 * g->dims; side++) {
        const rg_axis *a = &g->axis[side / 2];
        plain.side[side] = a->periodic           ? RG_SCALAR_PERIODIC
                           : a->joined[side % 2] ? RG_SCALAR_JOINED
                                                 : RG_SCALAR_NO_FLUX;
    }
    rg_scalar_fill(&plain, v);
}

/* The value carried through a face, from the two cells on either side. */
RG_INLINE double carried(rg_carry kind, double speed, const double *c, int64_t s)
{
    return rg_carried(kind, speed, c[-2 * s], c[-s], c[0], c[s]);
}

/* The mean of the two cells where diffusion resolves what is carried: with |w u| h <= 2 k all
 * coefficients of the scheme are positive.  A limiter elsewhere. */
RG_INLINE double carried_resolved(const rg_scalar_terms *t, int d, int64_t at, double h,
                                  const double *c, int64_t step)
{
    const double u = t->w * t->u[d][at];

    if (fabs(u) * h <= 2.0 * t->k[d][at]) return carried(RG_CARRY_CENTRAL, u, c + at, step);
    if (t->is_limited) *t->is_limited = true;
    return carried(RG_CARRY_TVD, u, c + at, step);
}

/* Diffusive flux through a face along the axis, -k dc/dn, and the cross terms of a tensor: the mean
 * of the central differences of the two cells. */
RG_INLINE double diffusive(const rg_scalar_space *s, const rg_scalar_terms *t, int d, int64_t at,
                           const int *index, const double *c)
{
    const rg_grid *g = s->grid;
    const int64_t step = g->stride[d];
    const double slope = (c[at] - c[at - step]) / g->axis[d].gap[index[d]];
    double flux = t->k ? -t->k[d][at] * slope : 0.0;

    if (t->D == NULL) return flux;
    flux -= t->D[d * g->dims + d][at] * slope;
    for (int e = 0; e < g->dims; e++) {
        if (e == d) continue;
        const int64_t q = g->stride[e];
        const double wide = g->axis[e].gap[index[e]] + g->axis[e].gap[index[e] + 1];
        const double across = (c[at + q] - c[at - q] + c[at - step + q] - c[at - step - q]) / wide;
        flux -= 0.5 * t->D[d * g->dims + e][at] * across;
    }
    return flux;
}

/* Total outward flux density through a face of a side, by its condition. */
static double side_flux(const rg_scalar_space *s, const rg_scalar_terms *t, int d, int end,
                        int64_t at, const int *index, const double *c)
{
    const int64_t step = s->grid->stride[d], inside = end ? at - step : at,
                  outside = end ? at : at - step;
    const double sign = end ? 1.0 : -1.0, speed = t->u ? sign * t->w * t->u[d][at] : 0.0;
    const int kind = s->side[2 * d + end];
    const double value = kind == RG_SCALAR_VALUE && speed < 0.0 ? s->given[outside] : c[inside];
    double flux = speed * value;

    if (kind == RG_SCALAR_VALUE)
        flux += sign * diffusive(s, t, d, at, index, c);
    else if (kind == RG_SCALAR_FLUX || kind == RG_SCALAR_EXCHANGE)
        flux += s->given[outside];
    return sign * flux;
}

typedef struct {
    const rg_scalar_space *s;
    rg_scalar_terms t;
    int d, end[RG_AXES]; /* faces across d */
    const double *c;
    double *flux, *out;
    bool is_limited[RG_CREW_MOST]; /* seen by each thread */
} loop;

static const int no_first[RG_AXES] = {0, 0, 0};

/* Fluxes in the direction of the axis on the faces across d of a row. */
RG_INLINE void fluxes_of_row(const loop *w, const rg_scalar_terms *t, rg_carry kind, int *index)
{
    const rg_scalar_space *s = w->s;
    const rg_grid *g = s->grid;
    const int d = w->d, end = w->end[0];
    const double *gap = g->axis[d].gap, *c = w->c;
    const int64_t step = g->stride[d], row = rg_grid_at(g, 0, index[1], index[2]);

    for (index[0] = 0; index[0] < end; index[0]++) {
        const int64_t at = row + index[0];
        const bool solid = g->solid && (g->solid[at] || g->solid[at - step]);
        double F = t->k || t->D ? diffusive(s, t, d, at, index, c) : 0.0;
        if (t->u && kind == RG_CARRY_RESOLVED)
            F += t->w * t->u[d][at] * carried_resolved(t, d, at, gap[index[d]], c, step);
        else if (t->u)
            F += t->w * t->u[d][at] * carried(kind, t->w * t->u[d][at], c + at, step);
        w->flux[at] = solid ? 0.0 : F;
    }
}

/* The same where nothing is carried and k is no tensor; gap: along x, or NULL and one for all. */
RG_FOR_ALL_VECTORS
static void diffuse_row(int n, int64_t step, const double *c, const double *k, const double *gap,
                        double wide, double *restrict flux)
{
    for (int i = 0; i < n; i++)
        flux[i] = -k[i] * ((c[i] - c[i - step]) / (gap ? gap[i] : wide));
}

static void diffuse(const loop *w, const rg_scalar_terms *t, const int *index)
{
    const rg_grid *g = w->s->grid;
    const int64_t at = rg_grid_at(g, 0, index[1], index[2]);
    const double *gap = g->axis[w->d].gap;

    diffuse_row(w->end[0], g->stride[w->d], w->c + at, t->k[w->d] + at, w->d == 0 ? gap : NULL,
                gap[w->d == 0 ? 0 : index[w->d]], w->flux + at);
}

static void flux_rows(void *user, int hand, int64_t from, int64_t end)
{
    loop *w = user;
    rg_scalar_terms t = w->t;
    const bool is_plain = t.k && !t.D && !t.u && !w->s->grid->solid;
    int index[RG_AXES];

    t.is_limited = &w->is_limited[hand];
    for (int64_t r = from; r < end; r++) {
        rg_row_of(no_first, w->end, r, &index[1], &index[2]);
        if (is_plain) {
            diffuse(w, &t, index);
            continue;
        }
        switch (t.carry) {
        case RG_CARRY_CENTRAL:
            fluxes_of_row(w, &t, RG_CARRY_CENTRAL, index);
            break;
        case RG_CARRY_UPWIND:
            fluxes_of_row(w, &t, RG_CARRY_UPWIND, index);
            break;
        case RG_CARRY_TVD:
            fluxes_of_row(w, &t, RG_CARRY_TVD, index);
            break;
        case RG_CARRY_RESOLVED:
            fluxes_of_row(w, &t, RG_CARRY_RESOLVED, index);
            break;
        }
    }
}

static void face_fluxes(loop *w)
{
    const rg_grid *g = w->s->grid;

    for (int e = 0; e < RG_AXES; e++)
        w->end[e] = g->axis[e].n + (e == w->d);
    rg_grid_rows(g, no_first, w->end, flux_rows, w);
    for (int hand = 0; hand < RG_CREW_MOST; hand++)
        if (w->is_limited[hand] && w->t.is_limited) *w->t.is_limited = true;
}

/* Replaces the fluxes of the two sides of an axis; adds what goes through them. */
static void side_fluxes(const rg_scalar_space *s, const rg_scalar_terms *t, int d, const double *c,
                        double *flux, double through[2])
{
    const rg_grid *g = s->grid;
    const int e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES;
    int index[RG_AXES];

    for (int end = 0; end < 2; end++)
        for (index[e2] = 0; rg_axis_is_side(&g->axis[d], end) && index[e2] < g->axis[e2].n;
             index[e2]++)
            for (index[e1] = 0; index[e1] < g->axis[e1].n; index[e1]++) {
                index[d] = end ? g->axis[d].n : 0;
                const int64_t at = rg_grid_at(g, index[0], index[1], index[2]),
                              inside = end ? at - g->stride[d] : at;
                double area = 1.0;
                if (g->solid && g->solid[inside]) continue;
                flux[at] = side_flux(s, t, d, end, at, index, c);
                for (int e = 0; e < g->dims; e++)
                    if (e != d) area *= g->axis[e].width[index[e]];
                const double in = (end ? -flux[at] : flux[at]) * area;
                through[in < 0.0] += fabs(in);
            }
}

/* Fluxes through the faces of solids across d, by their conditions. */
static void contact_fluxes(const rg_scalar_space *s, const rg_scalar_terms *t, int d,
                           const double *c, double *flux, double through[2])
{
    const int dims = s->grid->dims;

    for (int64_t k = 0; k < s->n_contacts; k++) {
        const rg_scalar_contact *m = &s->contact[k];
        if (m->axis != d || m->is_other) continue;
        const bool is_value = m->kind == RG_SCALAR_VALUE;
        double D = t->k ? t->k[d][m->face] : 0.0;
        if (t->D) D += t->D[d * dims + d][m->face];
        const double speed = t->u ? (m->high ? t->w : -t->w) * t->u[d][m->face] : 0.0;
        double out = is_value       ? D * (c[m->cell] - m->value) / m->half
                     : t->k || t->D ? m->value
                                    : 0.0;
        out += speed * (is_value && speed < 0.0 ? m->value : c[m->cell]);
        flux[m->face] = m->high ? out : -out;
        through[out > 0.0] += fabs(out) * m->area;
    }
}

static void outer_fluxes(const rg_scalar_space *s, const rg_scalar_terms *t, int d, const double *c,
                         double *flux, double through[2])
{
    side_fluxes(s, t, d, c, flux, through);
    contact_fluxes(s, t, d, c, flux, through);
}

void rg_scalar_through(const rg_scalar_space *s, const rg_scalar_terms *terms, const double *c,
                       double *flux, double through[2])
{
    through[0] = through[1] = 0.0;
    for (int d = 0; d < s->grid->dims; d++)
        outer_fluxes(s, terms, d, c, flux, through);
}

/* out -= div(flux) along axis d, and the part b u.grad c = b (div(u c) - c div u). */
RG_FOR_ALL_VECTORS
static void divergence_rows(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const rg_grid *g = w->s->grid;
    const int d = w->d, n = g->axis[0].n;
    const int64_t step = g->stride[d];
    const double *over = g->axis[d].over;

    (void)hand;
    for (int64_t r = from; r < end; r++) {
        int j, k;
        rg_cell_row(g, r, &j, &k);
        const int64_t row = rg_grid_at(g, 0, j, k);
        const double *flux = w->flux + row;
        double *out = w->out + row;
        if (d == 0) {
            for (int i = 0; i < n; i++)
                out[i] -= (flux[i + 1] - flux[i]) * over[i];
        } else {
            const double by = over[d == 1 ? j : k];
            for (int i = 0; i < n; i++)
                out[i] -= (flux[i + step] - flux[i]) * by;
        }
    }
}

void rg_scalar_rate(const rg_scalar_space *s, const rg_scalar_terms *terms, const double *c,
                    double *flux, double *out, double through[2])
{
    const rg_grid *g = s->grid;
    rg_scalar_terms t = *terms;

    t.w += t.b;                                                 /* u.grad c = div(u c) - c div u */
    if (t.carry == RG_CARRY_RESOLVED && (t.k == NULL || t.D)) { /* nothing to resolve it */
        t.carry = RG_CARRY_TVD;
        if (t.u && t.is_limited) *t.is_limited = true;
    }
    through[0] = through[1] = 0.0;
    for (int d = 0; d < g->dims; d++) {
        loop w = {.s = s, .t = t, .d = d, .c = c, .flux = flux, .out = out};
        face_fluxes(&w);
        outer_fluxes(s, &t, d, c, flux, through);
        rg_grid_cell_rows(g, divergence_rows, &w);
    }
    if (t.u && t.b != 0.0) {
        rg_vector_divergence(g, t.u, flux);
        for (int k = 0; k < g->axis[2].n; k++)
            for (int j = 0; j < g->axis[1].n; j++)
                for (int i = 0; i < g->axis[0].n; i++) {
                    const int64_t at = rg_grid_at(g, i, j, k);
                    out[at] += t.b * c[at] * flux[at];
                }
    }
    for (int64_t at = 0; g->solid && at < g->size; at++)
        if (g->solid[at]) out[at] = 0.0;
}

/* w: the widths on both sides along x, or (NULL) w0 and w1. */
RG_FOR_ALL_VECTORS
static void mean_row(int n, const double *k0, const double *k1, const double *w, double w0,
                     double w1, double *restrict out)
{
    for (int i = 0; i < n; i++) {
        const double a = w ? w[i - 1] : w0, b = w ? w[i] : w1,
                     mean = (a + b) / (a / k0[i] + b / k1[i]);
        out[i] = k0[i] == k1[i] ? k1[i] : mean;
    }
}

void rg_scalar_face_mean(const rg_grid *g, int d, const double *k, double *out)
{
    int end[RG_AXES];

    for (int e = 0; e < RG_AXES; e++)
        end[e] = g->axis[e].n + (e == d);
    for (int z = 0; z < end[2]; z++)
        for (int j = 0; j < end[1]; j++) {
            const int64_t at = rg_grid_at(g, 0, j, z);
            const double *w = g->axis[d].width + (d == 1 ? j : d == 2 ? z : 0);
            mean_row(end[0], k + at - g->stride[d], k + at, d == 0 ? w : NULL, w[-1], w[0],
                     out + at);
        }
}
