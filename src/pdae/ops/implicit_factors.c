/* Matrix and factors of the lines of the implicit viscous operator. */
#include "pdae/ops/implicit.h"

#include <string.h>

typedef rg_viscous_lines lines;

/* Off-diagonal entries and diagonal of 1 - a L; beyond a wall v_(-1) = -v_0 (tangential), at open
 * and slipping ends the value is mirrored.  Two periodic cells are twice each other's neighbour. */
static void make_line(const rg_vector_space *s, int c, int d, double a, lines *t)
{
    const int low = s->side[2 * d], high = s->side[2 * d + 1];

    t->first = s->first[c][d];
    t->end = s->end[c][d];
    const int f = t->first, e = t->end - 1, n = t->end - t->first;
    const bool periodic = low == RG_VECTOR_PERIODIC;
    t->cyclic = periodic && n > 2;
    t->is_trivial = n < 1 || (periodic && n == 1);
    if (t->is_trivial) return;
    for (int i = f; i <= e; i++) {
        t->lower[i] = a * s->lower[d][c == d][i];
        t->upper[i] = a * s->upper[d][c == d][i];
        t->diagonal[i] = 1.0 + t->lower[i] + t->upper[i];
    }
    if (t->cyclic) return;
    if (periodic) {
        t->upper[f] += t->lower[f];
        t->lower[e] += t->upper[e];
    } else if (c == d) { /* an open end: mirrored about the face; a wall: the neighbour is 0 */
        if (low == RG_VECTOR_OPEN) t->upper[f] += t->lower[f];
        if (high == RG_VECTOR_OPEN) t->lower[e] += t->upper[e];
    } else {
        if (low != RG_VECTOR_JOINED)
            t->diagonal[f] += low == RG_VECTOR_GIVEN ? t->lower[f] : -t->lower[f];
        if (high != RG_VECTOR_JOINED)
            t->diagonal[e] += high == RG_VECTOR_GIVEN ? t->upper[e] : -t->upper[e];
    }
    if (t->is_joined) { /* right-hand sides of its columns */
        memset(t->joined.left, 0, (size_t)t->end * sizeof(double));
        memset(t->joined.right, 0, (size_t)t->end * sizeof(double));
        if (low == RG_VECTOR_JOINED) t->joined.left[f] = t->lower[f];
        if (high == RG_VECTOR_JOINED) t->joined.right[e] = t->upper[e];
    }
    t->lower[f] = t->upper[e] = 0.0;
}

/* The pivots of one line with these diagonal entries (stride s); 0 stays 0. */
static void find_pivots(const lines *t, const double *diagonal, double *pivot, int64_t s)
{
    for (int i = t->first; i < t->end; i++) {
        double of = diagonal[i * s];
        if (i > t->first) of -= t->lower[i] * pivot[(i - 1) * s] * t->upper[i - 1];
        pivot[i * s] = diagonal[i * s] > 0.0 ? 1.0 / of : 0.0;
    }
}

static void sweep(const lines *t, double *v)
{
    for (int i = t->first; i < t->end; i++)
        v[i] = t->pivot[i] * v[i] + (i > t->first ? t->down[i] * v[i - 1] : 0.0);
    for (int i = t->end - 2; i >= t->first; i--)
        v[i] += t->up[i] * v[i + 1];
}

void rg_viscous_sweep_places(const lines *t, const double *pivot, double *v, int64_t s)
{
    for (int i = t->first; i < t->end; i++) {
        const double before = i > t->first ? v[(i - 1) * s] : 0.0;
        v[i * s] = pivot[i * s] * (v[i * s] + t->lower[i] * before);
    }
    for (int i = t->end - 2; i >= t->first; i--)
        v[i * s] += t->upper[i] * pivot[i * s] * v[(i + 1) * s];
}

/* Cyclic: A = B + p w^T with p = (gamma, 0 .., -u_e), w = (1, 0 .., -l_f/gamma), gamma = -A_ff;
 * x = y - z (w y)/(1 + w z), B y = b, B z = p. */
static void factor_line(lines *t)
{
    const int f = t->first, e = t->end - 1;
    const double gamma = -t->diagonal[f];

    if (t->cyclic) {
        t->diagonal[f] -= gamma;
        t->diagonal[e] -= t->lower[f] * t->upper[e] / gamma;
    }
    find_pivots(t, t->diagonal, t->pivot, 1);
    for (int i = f; i <= e; i++) {
        t->down[i] = t->lower[i] * t->pivot[i];
        t->up[i] = t->upper[i] * t->pivot[i];
    }
    if (t->is_joined) {
        sweep(t, t->joined.left);
        sweep(t, t->joined.right);
    }
    if (!t->cyclic) return;
    memset(t->corner + f, 0, (size_t)(e - f + 1) * sizeof *t->corner);
    t->corner[f] = gamma;
    t->corner[e] = -t->upper[e];
    sweep(t, t->corner);
    t->ratio = -t->lower[f] / gamma;
    t->below = 1.0 + t->corner[f] + t->ratio * t->corner[e];
}

/* Columns of a line for the unknowns of other ranks: value at place `at`, 0 elsewhere. */
static void solve_column(const lines *t, const double *pivot, int64_t s, int at, double value,
                         double *v)
{
    for (int i = t->first; i < t->end; i++)
        v[i] = pivot[i * s]
               * ((i == at ? value : 0.0) + (i > t->first ? t->lower[i] * v[i - 1] : 0.0));
    for (int i = t->end - 2; i >= t->first; i--)
        v[i] += t->upper[i] * pivot[i * s] * v[i + 1];
}

/* The same for all lines around solids, whose diagonals differ: walls add, slipping ones subtract
 * what belongs to the face beyond.  A periodic line with a given face at its ends is not cyclic. */
static void factor_places(const rg_vector_space *s, int c, int d, double a, lines *t)
{
    const rg_grid *g = s->grid;
    const int e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES, f = t->first, e = t->end - 1;
    const int64_t step = g->stride[d];
    const double before = t->is_joined ? t->joined.left[f] : 0.0,
                 behind = t->is_joined ? t->joined.right[e] : 0.0;
    int64_t number = 0;

    for (int y = s->first[c][e2]; y < s->end[c][e2]; y++)
        for (int x = s->first[c][e1]; x < s->end[c][e1]; x++)
            for (int i = f; i <= e; i++) {
                const int64_t at = g->origin + x * g->stride[e1] + y * g->stride[e2] + i * step;
                t->pivots[at] = s->fixed[c][at] ? 0.0 : t->diagonal[i];
            }
    for (int64_t k = 0; k < s->solid[c].n_contacts; k++) {
        const rg_contact *contact = &s->solid[c].contact[k];
        if (contact->axis != d || contact->kind == RG_CONTACT_PLAIN || contact->at_is_other)
            continue;
        const double change = a * contact->coefficient;
        t->pivots[contact->at] += contact->kind == RG_CONTACT_WALL ? change : -change;
    }
    for (int y = s->first[c][e2]; y < s->end[c][e2]; y++)
        for (int x = s->first[c][e1]; x < s->end[c][e1]; x++, number++) {
            const int64_t line = g->origin + x * g->stride[e1] + y * g->stride[e2];
            double *pivot = t->pivots + line;
            const double gamma = -pivot[f * step];
            const bool cyclic = t->cyclic && gamma != 0.0 && pivot[e * step] != 0.0;
            if (cyclic) {
                pivot[f * step] -= gamma;
                pivot[e * step] -= t->lower[f] * t->upper[e] / gamma;
            }
            find_pivots(t, pivot, pivot, step);
            if (t->is_joined) {
                const int64_t own = number * t->joined.n;
                solve_column(t, pivot, step, f, before, t->joined.left + own);
                solve_column(t, pivot, step, e, behind, t->joined.right + own);
            }
            if (!t->cyclic) continue;
            double *corner = t->corners + line;
            for (int i = f; i <= e; i++)
                corner[i * step] = 0.0;
            if (!cyclic) continue;
            corner[f * step] = gamma;
            corner[e * step] = -t->upper[e];
            rg_viscous_sweep_places(t, pivot, corner, step);
        }
}

void rg_viscous_factor(const rg_vector_space *s, int c, int d, double a, lines *t)
{
    make_line(s, c, d, a, t);
    if (t->is_trivial) return;
    if (t->pivots)
        factor_places(s, c, d, a, t);
    else
        factor_line(t);
    if (t->is_joined) rg_joined_factor(s->grid, d, s->first[c], s->end[c], &t->joined);
}
