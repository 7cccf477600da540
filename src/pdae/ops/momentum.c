/* Viscous and convective terms of a vector on its faces, and the implicit viscous operator. */
#include "base/vector.h"
#include "pdae/ops/vector.h"

#include <math.h>
#include <string.h>

void rg_vector_laplacian(const rg_vector_space *s, int c, const double *u, double nu, double *out)
{
    const rg_grid *g = s->grid;
    const int first = s->first[c][0], end = s->end[c][0];

    for (int k = s->first[c][2]; k < s->end[c][2]; k++)
        for (int j = s->first[c][1]; j < s->end[c][1]; j++) {
            const int64_t row = rg_grid_at(g, 0, j, k);
            const double *v = u + row, *lower = s->lower[0][c == 0], *upper = s->upper[0][c == 0];
            double *o = out + row;
            for (int i = first; i < end; i++)
                o[i] += nu * (lower[i] * (v[i - 1] - v[i]) + upper[i] * (v[i + 1] - v[i]));
            for (int d = 1; d < g->dims; d++) {
                const int m = d == 1 ? j : k;
                const int64_t step = g->stride[d];
                const double low = nu * s->lower[d][c == d][m], high = nu * s->upper[d][c == d][m];
                for (int i = first; i < end; i++)
                    o[i] += low * (v[i - step] - v[i]) + high * (v[i + step] - v[i]);
            }
        }
}

/* The value that is carried with velocity V from between `b` and `c`; a and d lie beyond them.
 * TVD: linear reconstruction with van Leer's limiter. */
RG_INLINE double carried(rg_carry kind, double V, double a, double b, double c, double d)
{
    if (kind == RG_CARRY_CENTRAL) return 0.5 * (b + c);
    if (kind == RG_CARRY_UPWIND) return V > 0.0 ? b : c;
    const double here = V > 0.0 ? b : c, step = V > 0.0 ? c - b : b - c,
                 back = V > 0.0 ? b - a : c - d;
    return here + (step * back > 0.0 ? step * back / (step + back) : 0.0);
}

/* Flux of u_c along e through the point between the places at - s_e and at. */
RG_INLINE double flux(rg_carry kind, const double *u, const double *v, int64_t along,
                      int64_t across)
{
    const double speed = 0.5 * (v[0] + v[-across]);

    return speed * carried(kind, speed, u[-2 * along], u[-along], u[0], u[along]);
}

RG_INLINE void add_convection(const rg_vector_space *s, int c, double *const *u, double w,
                              rg_carry kind, double *out)
{
    const rg_grid *g = s->grid;

    for (int k = s->first[c][2]; k < s->end[c][2]; k++)
        for (int j = s->first[c][1]; j < s->end[c][1]; j++) {
            const int index[RG_AXES] = {0, j, k};
            const int64_t row = rg_grid_at(g, 0, j, k);
            for (int e = 0; e < g->dims; e++) {
                const int64_t along = g->stride[e], across = e == c ? along : g->stride[c];
                const double *carry = u[c] + row, *by = u[e] + row,
                             *width = e == c ? g->axis[e].gap : g->axis[e].width;
                for (int i = s->first[c][0]; i < s->end[c][0]; i++) {
                    const double F = flux(kind, carry + i, by + i, along, across),
                                 next =
                                     flux(kind, carry + i + along, by + i + along, along, across);
                    out[row + i] -= w * (next - F) / width[e == 0 ? i : index[e]];
                }
            }
        }
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
            const double low = flux(kind, u + at, u + at, along, along),
                         next = flux(kind, u + at + along, u + at + along, along, along),
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

void rg_vector_convection(const rg_vector_space *s, int c, double *const *u, double w,
                          rg_carry carry, double *out)
{
    switch (carry) {
    case RG_CARRY_CENTRAL:
        add_convection(s, c, u, w, RG_CARRY_CENTRAL, out);
        break;
    case RG_CARRY_UPWIND:
        add_convection(s, c, u, w, RG_CARRY_UPWIND, out);
        break;
    case RG_CARRY_TVD:
        add_convection(s, c, u, w, RG_CARRY_TVD, out);
        break;
    }
    correct_open_sides(s, c, u[c], w, carry, out);
}

/* ---- implicit viscosity ---------------------------------------------------------------------- */
typedef struct { /* 1 - a L along one axis, for the unknowns first .. end - 1 */
    int first, end;
    bool cyclic;
    double *lower, *diagonal, *upper; /* of the matrix           */
    double *pivot, *corner;           /* inverse pivots; cyclic: */
} tridiagonal;

enum { LINE_ARRAYS = 5 };

int64_t rg_vector_implicit_work(const rg_grid *g)
{
    int most = 0;

    for (int d = 0; d < g->dims; d++)
        if (g->axis[d].n > most) most = g->axis[d].n;
    return LINE_ARRAYS * ((int64_t)most + 2);
}

/* Off-diagonal entries and diagonal of 1 - a L; beyond a wall v_(-1) = -v_0 (tangential), at open
 * and slipping ends the value is mirrored. */
static tridiagonal make_line(const rg_vector_space *s, int c, int d, double a, double *work)
{
    const int n = s->grid->axis[d].n, low = s->side[2 * d], high = s->side[2 * d + 1];
    tridiagonal t = {.first = s->first[c][d],
                     .end = s->end[c][d],
                     .cyclic = low == RG_VECTOR_PERIODIC,
                     .lower = work,
                     .diagonal = work + n + 2,
                     .upper = work + 2 * (n + 2),
                     .pivot = work + 3 * (n + 2),
                     .corner = work + 4 * (n + 2)};

    for (int i = t.first; i < t.end; i++) {
        const double l = a * s->lower[d][c == d][i], u = a * s->upper[d][c == d][i];
        t.lower[i] = -l;
        t.upper[i] = -u;
        t.diagonal[i] = 1.0 + l + u;
    }
    if (t.cyclic) return t;
    const int f = t.first, e = t.end - 1;
    if (c == d) { /* an open end: mirrored about the face; a wall: the neighbour is 0 */
        if (low == RG_VECTOR_OPEN) t.upper[f] += t.lower[f];
        if (high == RG_VECTOR_OPEN) t.lower[e] += t.upper[e];
    } else {
        t.diagonal[f] += low == RG_VECTOR_GIVEN ? -t.lower[f] : t.lower[f];
        t.diagonal[e] += high == RG_VECTOR_GIVEN ? -t.upper[e] : t.upper[e];
    }
    t.lower[f] = t.upper[e] = 0.0;
    return t;
}

/* Elimination once for all lines.  Cyclic: the matrix is split off by a rank-one change whose
 * column is kept in `corner` (Sherman, Morrison). */
static void factor_line(tridiagonal *t)
{
    const int f = t->first, e = t->end - 1;

    if (t->cyclic) {
        const double gamma = -t->diagonal[f];
        t->diagonal[f] -= gamma;
        t->diagonal[e] -= t->lower[f] * t->upper[e] / gamma;
    }
    for (int i = f; i <= e; i++) {
        double pivot = t->diagonal[i];
        if (i > f) pivot -= t->lower[i] * t->pivot[i - 1] * t->upper[i - 1];
        t->pivot[i] = 1.0 / pivot;
    }
}

/* Solves `width` neighbouring lines at once; element i of line m is v[i stride + m]. */
static void solve_lines(const tridiagonal *t, double *v, int64_t stride, int width)
{
    const int f = t->first, e = t->end - 1;

    for (int i = f; i <= e; i++) {
        double *row = v + i * stride, *before = row - stride;
        const double lower = i > f ? t->lower[i] : 0.0, pivot = t->pivot[i];
        if (i == f)
            for (int m = 0; m < width; m++)
                row[m] *= pivot;
        else
            for (int m = 0; m < width; m++)
                row[m] = (row[m] - lower * before[m]) * pivot;
    }
    for (int i = e - 1; i >= f; i--) {
        double *row = v + i * stride, *behind = row + stride;
        const double factor = t->upper[i] * t->pivot[i];
        for (int m = 0; m < width; m++)
            row[m] -= factor * behind[m];
    }
}

/* The cyclic part: x = y - z (w y)/(1 + w z), z the solution for the column (gamma, 0 .., upper_e),
 * w = (1, 0 .., lower_f/gamma). */
static void make_corner(tridiagonal *t)
{
    const int f = t->first, e = t->end - 1;

    for (int i = f; i <= e; i++)
        t->corner[i] = 0.0;
    const double gamma = -0.5 * (t->diagonal[f]); /* diagonal[f] is twice the original one now */
    t->corner[f] = gamma;
    t->corner[e] += t->upper[e];
    solve_lines(t, t->corner, 1, 1);
}

static void close_cycle(const tridiagonal *t, double *v, int64_t stride, int width)
{
    const int f = t->first, e = t->end - 1;
    const double gamma = -0.5 * t->diagonal[f], ratio = t->lower[f] / gamma,
                 below = 1.0 + t->corner[f] + ratio * t->corner[e];

    for (int m = 0; m < width; m++) {
        const double factor = (v[f * stride + m] + ratio * v[e * stride + m]) / below;
        for (int i = f; i <= e; i++)
            v[i * stride + m] -= factor * t->corner[i];
    }
}

void rg_vector_implicit(const rg_vector_space *s, int c, double a, double *work, double *v)
{
    const rg_grid *g = s->grid;

    for (int d = 0; d < g->dims; d++) {
        tridiagonal t = make_line(s, c, d, a, work);
        if (t.end - t.first < 1) continue;
        if (t.cyclic && t.end - t.first < 3) t.cyclic = false; /* too short to wrap around */
        factor_line(&t);
        if (t.cyclic) make_corner(&t);
        const int e1 = d == 0 ? 1 : 0, e2 = 3 - d - e1;
        for (int b = s->first[c][e2]; b < s->end[c][e2]; b++) {
            double *line = v + g->origin + b * g->stride[e2];
            if (d > 0) { /* all lines of a row of x at once */
                double *from = line + s->first[c][0];
                const int width = s->end[c][0] - s->first[c][0];
                solve_lines(&t, from, g->stride[d], width);
                if (t.cyclic) close_cycle(&t, from, g->stride[d], width);
                continue;
            }
            for (int m = s->first[c][e1]; m < s->end[c][e1]; m++) {
                solve_lines(&t, line + m * g->stride[e1], 1, 1);
                if (t.cyclic) close_cycle(&t, line + m * g->stride[e1], 1, 1);
            }
        }
    }
}
