/* Viscous and convective terms of a vector on its faces. */
#include "pdae/ops/carry.h"

/* What a wall of a solid changes in the Laplacian: the loops over the rows have taken the face
 * beyond. */
static double contact_correction(const rg_solid_faces *s, int64_t k, const double *u)
{
    const rg_contact *t = &s->contact[k];
    const double inside = u[t->at];

    if (t->kind == RG_CONTACT_WALL)
        return t->coefficient * (2.0 * s->value[s->n_fixed + k] - inside - u[t->beyond]);
    return t->kind == RG_CONTACT_SLIP ? t->coefficient * (inside - u[t->beyond]) : 0.0;
}

static void correct_contacts(const rg_solid_faces *s, const double *u, double nu, double *out)
{
    for (int64_t k = 0; k < s->n_contacts; k++)
        if (!s->contact[k].at_is_other) out[s->contact[k].at] += nu * contact_correction(s, k, u);
}

typedef struct {
    const rg_vector_space *s;
    int c;
    double *const *u;
    const double *v;
    double nu; /* or the weight of convection */
    rg_carry carry;
    bool is_first; /* what `out` holds is not needed */
    double p, q;   /* ... but p a + q b */
    const double *a, *b;
    double *out;
} loop;

/* All axes at once, so that a row is written once; dims, those of the grid, and is_first are
 * constants. */
RG_INLINE void laplacian_of_row(const loop *w, int dims, bool is_first, int j, int k)
{
    const rg_vector_space *s = w->s;
    const int c = w->c, first = s->first[c][0], end = s->end[c][0], index[RG_AXES] = {0, j, k};
    const int64_t row = rg_grid_at(s->grid, 0, j, k), *stride = s->grid->stride;
    const double nu = w->nu, p = w->p, q = w->q, *lower = s->lower[0][c == 0],
                 *upper = s->upper[0][c == 0], *a = is_first ? w->a + row : NULL,
                 *b = is_first ? w->b + row : NULL, *v = w->v + row;
    double low[RG_AXES] = {0.0}, high[RG_AXES] = {0.0}, *o = w->out + row;

    RG_UNROLL
    for (int e = 1; e < dims; e++) {
        low[e] = nu * s->lower[e][c == e][index[e]];
        high[e] = nu * s->upper[e][c == e][index[e]];
    }
    RG_NO_OVERLAP
    for (int i = first; i < end; i++) {
        double sum = is_first ? p * a[i] + q * b[i] : o[i];
        sum += nu * (lower[i] * (v[i - 1] - v[i]) + upper[i] * (v[i + 1] - v[i]));
        RG_UNROLL
        for (int e = 1; e < dims; e++)
            sum += low[e] * (v[i - stride[e]] - v[i]) + high[e] * (v[i + stride[e]] - v[i]);
        o[i] = sum;
    }
}

RG_INLINE void laplacian_of_axes(const loop *w, bool is_first, int j, int k)
{
    const int dims = w->s->grid->dims;

    if (dims == 1)
        laplacian_of_row(w, 1, is_first, j, k);
    else if (dims == 2)
        laplacian_of_row(w, 2, is_first, j, k);
    else
        laplacian_of_row(w, 3, is_first, j, k);
}

RG_FOR_ALL_VECTORS
static void laplacian_rows(void *user, int hand, int64_t from, int64_t until)
{
    const loop *w = user;
    int j, k;

    (void)hand;
    for (int64_t r = from; r < until; r++) {
        rg_row_of(w->s->first[w->c], w->s->end[w->c], r, &j, &k);
        if (w->is_first)
            laplacian_of_axes(w, true, j, k);
        else
            laplacian_of_axes(w, false, j, k);
    }
}

void rg_vector_laplacian(const rg_vector_space *s, int c, const double *u, double nu, double *out)
{
    loop w = {.s = s, .c = c, .v = u, .nu = nu, .out = out};

    rg_grid_rows(s->grid, s->first[c], s->end[c], laplacian_rows, &w);
    correct_contacts(&s->solid[c], u, nu, out);
}

void rg_vector_combine(const rg_vector_space *s, int c, double p, const double *a, double q,
                       const double *b, const double *u, double nu, double *out)
{
    loop w = {.s = s,
              .c = c,
              .v = u,
              .nu = nu,
              .is_first = true,
              .p = p,
              .a = a,
              .q = q,
              .b = b,
              .out = out};

    rg_grid_rows(s->grid, s->first[c], s->end[c], laplacian_rows, &w);
    correct_contacts(&s->solid[c], u, nu, out);
}

RG_INLINE void convection_of_row(const loop *w, rg_carry kind, int dims, int j, int k)
{
    const rg_vector_space *s = w->s;
    const int c = w->c, first = s->first[c][0], end = s->end[c][0], index[RG_AXES] = {0, j, k};
    const int64_t row = rg_grid_at(s->grid, 0, j, k), *stride = s->grid->stride;
    const double *carry = w->u[c] + row, *over = s->over[0][c == 0], weight = w->nu, *by[RG_AXES];
    double of_row[RG_AXES], *o = w->out + row;

    RG_UNROLL
    for (int e = 0; e < dims; e++) {
        by[e] = w->u[e] + row;
        of_row[e] = weight * s->over[e][e == c][index[e]];
    }
    RG_NO_OVERLAP
    for (int i = first; i < end; i++) {
        double sum = 0.0;
        RG_UNROLL
        for (int e = 0; e < dims; e++) {
            const double *u = carry + i, *v = by[e] + i;
            const double F = rg_momentum_flux(kind, u, v, stride[e], stride[c]),
                         next = rg_momentum_flux(kind, u + stride[e], v + stride[e], stride[e],
                                                 stride[c]);
            sum -= (next - F) * (e == 0 ? weight * over[i] : of_row[e]);
        }
        o[i] = sum;
    }
}

RG_INLINE void convection_of_axes(const loop *w, rg_carry kind, int j, int k)
{
    const int dims = w->s->grid->dims;

    if (dims == 1)
        convection_of_row(w, kind, 1, j, k);
    else if (dims == 2)
        convection_of_row(w, kind, 2, j, k);
    else
        convection_of_row(w, kind, 3, j, k);
}

/* A face on an open side has half a control volume, with the flux u^2 on the side itself: this
 * replaces what the mirrored value beyond the side has given. */
static void correct_open_side(const rg_vector_space *s, int c, const double *u, double w,
                              rg_carry kind, int high, double *out)
{
    const rg_grid *g = s->grid;
    const int64_t along = g->stride[c];
    const int face = high ? g->axis[c].n : 0, e1 = (c + 1) % RG_AXES, e2 = (c + 2) % RG_AXES;

    for (int b = s->first[c][e2]; b < s->end[c][e2]; b++)
        for (int a = s->first[c][e1]; a < s->end[c][e1]; a++) {
            const int64_t at = g->origin + face * along + a * g->stride[e1] + b * g->stride[e2];
            const double low = rg_momentum_flux(kind, u + at, u + at, along, along),
                         next =
                             rg_momentum_flux(kind, u + at + along, u + at + along, along, along),
                         side = u[at] * u[at];
            const double half = high ? side - low : next - side;
            out[at] += w * (next - low - 2.0 * half) / g->axis[c].gap[face];
        }
}

static void correct_open_sides(const rg_vector_space *s, int c, const double *u, double w,
                               rg_carry kind, double *out)
{
    for (int high = 0; high < 2; high++)
        if (s->side[2 * c + high] == RG_VECTOR_OPEN) correct_open_side(s, c, u, w, kind, high, out);
}

/* nu through a contact of component c. */
static double contact_viscosity(const rg_vector_space *s, int c, const rg_contact *t,
                                double *const *nu)
{
    const int64_t step = s->grid->stride[t->axis];

    if (t->axis == c) return nu[c][t->high ? t->at : t->at - step];
    return nu[t->axis][t->high ? t->at + step : t->at];
}

void rg_vector_viscous(const rg_vector_space *s, int c, const double *u, double *const *nu,
                       double *out)
{
    const rg_grid *g = s->grid;
    const rg_solid_faces *f = &s->solid[c];
    int index[RG_AXES];

    for (int d = 0; d < g->dims; d++) {
        const int64_t step = g->stride[d], low = d == c ? -step : 0, high = d == c ? 0 : step;
        for (index[2] = s->first[c][2]; index[2] < s->end[c][2]; index[2]++)
            for (index[1] = s->first[c][1]; index[1] < s->end[c][1]; index[1]++)
                for (index[0] = s->first[c][0]; index[0] < s->end[c][0]; index[0]++) {
                    const int64_t at = rg_grid_at(g, index[0], index[1], index[2]);
                    const double lower = s->lower[d][c == d][index[d]] * nu[d][at + low],
                                 upper = s->upper[d][c == d][index[d]] * nu[d][at + high];
                    out[at] += lower * (u[at - step] - u[at]) + upper * (u[at + step] - u[at]);
                }
    }
    for (int64_t k = 0; k < f->n_contacts; k++)
        if (!f->contact[k].at_is_other)
            out[f->contact[k].at] +=
                contact_viscosity(s, c, &f->contact[k], nu) * contact_correction(f, k, u);
}

/* Flux of momentum through a contact, in the direction of its axis: at a wall the carried value is
 * that of the wall. */
static double contact_flux(const rg_vector_space *s, int c, const rg_contact *t, double wall,
                           double *const *u, rg_carry kind, bool is_plain)
{
    const int64_t along = s->grid->stride[t->axis],
                  across = t->axis == c ? along : s->grid->stride[c],
                  at = t->high ? t->at + along : t->at;
    const double *by = u[t->axis] + at;

    if (t->kind == RG_CONTACT_WALL && !is_plain) return 0.5 * (by[0] + by[-across]) * wall;
    return rg_momentum_flux(kind, u[c] + at, by, along, across);
}

static void correct_convection(const rg_vector_space *s, int c, double *const *u, double w,
                               rg_carry kind, double *out)
{
    const rg_solid_faces *f = &s->solid[c];

    for (int64_t k = 0; k < f->n_contacts; k++) {
        const rg_contact *t = &f->contact[k];
        if (t->kind != RG_CONTACT_WALL || t->at_is_other) continue;
        const double wall = f->value[f->n_fixed + k];
        const double change = contact_flux(s, c, t, wall, u, kind, false)
                              - contact_flux(s, c, t, wall, u, kind, true);
        out[t->at] -= w * (t->high ? change : -change) / t->width;
    }
}

/* Nothing is called behind the loops: a call at the end would leave wide registers in use. */
RG_FOR_ALL_VECTORS
static void convection_rows(void *user, int hand, int64_t from, int64_t until)
{
    const loop *w = user;
    const int *first = w->s->first[w->c], *end = w->s->end[w->c];
    int j, k;

    (void)hand;
    for (int64_t r = from; r < until; r++) {
        rg_row_of(first, end, r, &j, &k);
        switch (w->carry) {
        case RG_CARRY_CENTRAL:
            convection_of_axes(w, RG_CARRY_CENTRAL, j, k);
            break;
        case RG_CARRY_UPWIND:
            convection_of_axes(w, RG_CARRY_UPWIND, j, k);
            break;
        case RG_CARRY_TVD:
        case RG_CARRY_RESOLVED:
            convection_of_axes(w, RG_CARRY_TVD, j, k);
            break;
        }
    }
}

void rg_vector_convection(const rg_vector_space *s, int c, double *const *u, double w,
                          rg_carry carry, double *out)
{
    loop rows = {.s = s, .c = c, .u = u, .nu = w, .carry = carry, .out = out};

    rg_grid_rows(s->grid, s->first[c], s->end[c], convection_rows, &rows);
    correct_open_sides(s, c, u[c], w, carry, out);
    correct_convection(s, c, u, w, carry, out);
}

/* ---- force ----------------------------------------------------------------------------------- */
/* p on the faces between the fluid and the solid. */
static double pressure_force(const rg_vector_space *s, int solid, int c, const double *p)
{
    const rg_grid *g = s->grid;
    const rg_solid_faces *f = &s->solid[c];
    double sum = 0.0;

    for (int64_t k = 0; k < f->n_fixed; k++) {
        const int64_t at = f->fixed[k], rest = at - g->origin;
        const int index[RG_AXES] = {(int)(rest % g->stride[1]),
                                    (int)(rest % g->stride[2] / g->stride[1]),
                                    (int)(rest / g->stride[2])};
        double area = 1.0;
        if (f->of[k] != solid) continue;
        for (int d = 0; d < g->dims; d++)
            if (d != c) area *= g->axis[d].width[index[d]];
        const bool is_above = g->solid[at] != 0; /* the solid lies behind the face */
        int64_t cell = is_above ? at - g->stride[c] : at;
        if (is_above && index[c] == 0 && g->axis[c].periodic) cell += g->axis[c].n * g->stride[c];
        sum += (is_above ? area : -area) * p[cell];
    }
    return sum;
}

double rg_vector_force(const rg_vector_space *s, int solid, int c, double *const *u,
                       const double *p, const rg_vector_stress *stress)
{
    const rg_solid_faces *f = &s->solid[c];
    double sum = pressure_force(s, solid, c, p);

    for (int64_t k = 0; k < f->n_contacts; k++) {
        const rg_contact *t = &f->contact[k];
        if (t->solid != solid || t->at_is_other) continue;
        const double wall = f->value[f->n_fixed + k], inside = u[c][t->at],
                     beyond = u[c][t->beyond];
        const double difference = t->kind == RG_CONTACT_WALL   ? 2.0 * (inside - wall)
                                  : t->kind == RG_CONTACT_SLIP ? 0.0
                                                               : inside - beyond;
        const double flux = stress->w * contact_flux(s, c, t, wall, u, stress->carry, false),
                     nu = stress->of ? contact_viscosity(s, c, t, stress->of + c * s->grid->dims)
                                     : stress->nu;
        sum += t->area * (nu * difference * t->over + (t->high ? flux : -flux));
    }
    return sum;
}
