/* Coarser levels of geometric multigrid: which axes are joined, conductances, weights. */
#include "pdae/solve/multigrid.h"
#include "pdae/solve/tuning.h"

#include <math.h>

/* The mean conductance between neighbours along an axis; 0: there are none. */
static double strength(const rg_multigrid_level *l, int d)
{
    double sum = 0.0;
    int64_t faces = 0;

    if (l->T[d] == NULL || l->n[d] < 2) return 0.0;
    for (int k = d == 2; k < l->n[2]; k++)
        for (int j = d == 1; j < l->n[1]; j++)
            for (int i = d == 0; i < l->n[0]; i++, faces++)
                sum += l->T[d][rg_multigrid_at(l, i, j, k)];
    return sum / (double)faces;
}

void rg_multigrid_axes(const rg_multigrid_level *fine, bool join[RG_AXES])
{
    double of[RG_AXES], most = 0.0;

    for (int d = 0; d < RG_AXES; d++)
        most = fmax(most, of[d] = strength(fine, d));
    for (int d = 0; d < RG_AXES; d++)
        join[d] = of[d] > 0.0 && of[d] >= RG_GRID_JOIN_STRENGTH * most;
}

void rg_multigrid_shape(const rg_multigrid_level *fine, rg_multigrid_level *coarse)
{
    int64_t step = 1;

    coarse->origin = 0;
    for (int d = 0; d < RG_AXES; d++) {
        const bool ghosts = fine->T[d] != NULL;
        coarse->n[d] = d == fine->axis ? (fine->n[d] + 1) / 2 : fine->n[d];
        coarse->periodic[d] = fine->periodic[d];
        coarse->stride[d] = step;
        if (ghosts) coarse->origin += step;
        step *= coarse->n[d] + (ghosts ? 2 : 0);
    }
    coarse->size = step;
}

/* Half the resistance inside a pair whose second cell begins at face `at`; none of a cell alone. */
static double half(const double *T, int64_t at, bool is_pair)
{
    return is_pair ? 0.5 / T[at] : 0.0; /* infinite where T = 0 */
}

/* 1/(a + 1/T + b) */
static double in_series(double a, double T, double b)
{
    const double sum = T > 0.0 ? a + 1.0 / T + b : INFINITY;

    return isfinite(sum) ? 1.0 / sum : 0.0;
}

/* Along the joined axis: from the centre of a group to that of the next one, or to the side. */
static void join_along(const rg_multigrid_level *f, rg_multigrid_level *c, const int at[RG_AXES])
{
    const int d = f->axis, n = f->n[d], N = c->n[d];
    const int64_t s = f->stride[d], S = c->stride[d];
    const double *T = f->T[d] + rg_multigrid_at(f, at[0], at[1], at[2]);
    double *to = c->own[d] + rg_multigrid_at(c, at[0], at[1], at[2]);

    for (int I = 0; I <= N; I++) {
        const bool is_end = I == 0 || I == N;
        const int low = I > 0 ? I - 1 : N - 1, high = I < N ? I : 0; /* groups on either side */
        const bool has_low = I > 0 || f->periodic[d], has_high = I < N || f->periodic[d];
        const double a = has_low ? half(T, (2 * low + 1) * s, 2 * low + 1 < n) : 0.0;
        const double b = has_high ? half(T, (2 * high + 1) * s, 2 * high + 1 < n) : 0.0;
        const double through = T[(I < N ? 2 * I : n) * s];
        to[I * S] = is_end && f->periodic[d] && N == 1 ? 0.0 : in_series(a, through, b);
    }
}

/* The weight of the next group but the own one: by the conductances of the ways to both centres. */
static void weigh(rg_multigrid_level *f, const int at[RG_AXES])
{
    const int d = f->axis, n = f->n[d], N = (n + 1) / 2;
    const int64_t s = f->stride[d], start = rg_multigrid_at(f, at[0], at[1], at[2]);
    const double *T = f->T[d] + start;
    double *w = f->weight + start;

    for (int i = 0; i < n; i++) {
        const bool is_high = i % 2 == 1;
        const int I = i / 2, next = is_high ? (I + 1 < N ? I + 1 : 0) : (I > 0 ? I - 1 : N - 1);
        const bool has_next = f->periodic[d] || (is_high ? I + 1 < N : I > 0);
        w[i * s] = 0.0;
        if (!is_high && i + 1 == n) continue; /* alone: its centre is that of the group */
        const double own = 2.0 * T[(2 * I + 1) * s];
        const double beyond = has_next ? half(T, (2 * next + 1) * s, 2 * next + 1 < n) : 0.0;
        const double far = in_series(0.0, T[(is_high ? i + 1 : i) * s], beyond);
        if (own + far > 0.0) w[i * s] = far / (own + far);
    }
    if (!f->periodic[d]) return;
    w[-s] = w[(n - 1) * s];
    w[n * s] = w[0];
}

/* Sums over the cells of the groups, of conductances across the other axes or of s. */
static void add_up(const rg_multigrid_level *f, const rg_multigrid_level *c, int across,
                   const double *from, double *to)
{
    const int d = f->axis;
    int at[RG_AXES], end[RG_AXES];

    for (int e = 0; e < RG_AXES; e++)
        end[e] = c->n[e] + (e == across);
    for (at[2] = 0; at[2] < end[2]; at[2]++)
        for (at[1] = 0; at[1] < end[1]; at[1]++)
            for (at[0] = 0; at[0] < end[0]; at[0]++) {
                int first[RG_AXES] = {at[0], at[1], at[2]};
                first[d] *= 2;
                const int64_t p = rg_multigrid_at(f, first[0], first[1], first[2]);
                const double second = first[d] + 1 < f->n[d] ? from[p + f->stride[d]] : 0.0;
                to[rg_multigrid_at(c, at[0], at[1], at[2])] = from[p] + second;
            }
}

void rg_multigrid_coarsen(rg_multigrid_level *f, rg_multigrid_level *c)
{
    const int d = f->axis, e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES;
    int at[RG_AXES] = {0, 0, 0};

    for (at[e2] = 0; at[e2] < f->n[e2]; at[e2]++)
        for (at[e1] = 0; at[e1] < f->n[e1]; at[e1]++) {
            join_along(f, c, at);
            weigh(f, at);
        }
    for (int e = 0; e < RG_AXES; e++)
        if (e != d && f->T[e]) add_up(f, c, e, f->T[e], c->own[e]);
    if (f->s) add_up(f, c, -1, f->s, c->own_s);
}

void rg_multigrid_diagonal(rg_multigrid_level *l, double *diagonal)
{
    for (int k = 0; k < l->n[2]; k++)
        for (int j = 0; j < l->n[1]; j++)
            for (int i = 0; i < l->n[0]; i++) {
                const int64_t at = rg_multigrid_at(l, i, j, k);
                double sum = l->s ? l->s[at] : 0.0;
                for (int d = 0; d < RG_AXES; d++)
                    if (l->T[d]) sum += l->T[d][at] + l->T[d][at + l->stride[d]];
                l->inverse[at] = sum > 0.0 ? 1.0 / sum : 0.0;
                if (diagonal) diagonal[at] = sum;
            }
}
