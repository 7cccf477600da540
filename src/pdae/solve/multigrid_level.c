/* Coarser levels of geometric multigrid: which axes are joined, conductances, weights. */
#include "base/vector.h"
#include "pdae/solve/multigrid.h"
#include "pdae/solve/tuning.h"

#include <math.h>
#include <string.h>

/* Four sums side by side. */
RG_FOR_ALL_VECTORS
static double sum_of(int n, const float *T)
{
    double sum[RG_LANES] = {0.0};
    int i = 0;

    for (; i + RG_LANES <= n; i += RG_LANES) {
        RG_ROLL
        for (int q = 0; q < RG_LANES; q++)
            sum[q] += T[i + q];
    }
    for (int q = 0; q < n - i; q++)
        sum[q] += T[i + q];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* The mean conductance between neighbours along an axis; 0: there are none. */
static double strength(const rg_multigrid_level *l, int d)
{
    const int first = d == 0, n = l->n[0] - first;
    double sum = 0.0;
    int64_t rows = 0;

    if (l->T[d] == NULL || l->n[d] < 2) return 0.0;
    for (int k = d == 2; k < l->n[2]; k++)
        for (int j = d == 1; j < l->n[1]; j++, rows++)
            sum += sum_of(n, l->T[d] + rg_multigrid_at(l, first, j, k));
    return sum / (double)(rows * n);
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

/* Half the resistance inside a pair, T that of the face between its cells; NULL: a cell alone. */
RG_INLINE float half(const float *T, int64_t i)
{
    return T ? 0.5F / T[i] : 0.0F; /* infinite where T = 0 */
}

/* 1/(a + 1/T + b); 0 where a resistance is infinite. */
RG_INLINE float in_series(float a, float T, float b)
{
    return 1.0F / (a + 1.0F / T + b);
}

/* The weight of the next group, by the conductances of the ways to both centres. */
RG_INLINE float share_of(float own, float far)
{
    return own + far > 0.0F ? far / (own + far) : 0.0F;
}

typedef struct { /* faces of a line along the joined axis: n cells from T on, N groups */
    const float *T;
    int64_t step;
    int n, N;
    bool periodic;
} line;

/* Inside pair I; NULL: there is none. */
static const float *inside(const line *l, int I)
{
    if (I < 0 || I >= l->N) {
        if (!l->periodic) return NULL;
        I = I < 0 ? l->N - 1 : 0;
    }
    return 2 * I + 1 < l->n ? l->T + (2 * I + 1) * l->step : NULL;
}

/* The face before group I. */
static const float *before(const line *l, int I)
{
    return l->T + (I < l->N ? 2 * I : l->n) * l->step;
}

/* From the centres of groups to those of the next ones, or to the side: m numbers beside each
 * other. */
RG_FOR_ALL_VECTORS
static void join_faces(int m, const float *a, const float *T, const float *b, float *restrict to)
{
    for (int i = 0; i < m; i++)
        to[i] = in_series(half(a, i), T[i], half(b, i));
}

/* The same before groups first .. end - 1 of a line along x. */
RG_FOR_ALL_VECTORS
static void join_pairs(int first, int end, const float *restrict T, float *restrict to)
{
    for (int I = first; I < end; I++)
        to[I] = in_series(0.5F / T[2 * I - 1], T[2 * I], 0.5F / T[2 * I + 1]);
}

static void join_face(const line *l, int I, int m, float *to)
{
    if ((I == 0 || I == l->N) && l->periodic && l->N == 1)
        memset(to, 0, (size_t)m * sizeof *to);
    else
        join_faces(m, inside(l, I - 1), before(l, I), inside(l, I), to);
}

/* Weights of m cells beside each other, own: inside their pair, next: inside the next one. */
RG_FOR_ALL_VECTORS
static void weigh_cells(int m, const float *own, const float *T, const float *next,
                        float *restrict w)
{
    for (int i = 0; i < m; i++)
        w[i] = share_of(2.0F * own[i], in_series(0.0F, T[i], half(next, i)));
}

/* The same of pairs first .. end - 1 of a line along x. */
RG_FOR_ALL_VECTORS
static void weigh_pairs(int first, int end, const float *restrict T, float *restrict w)
{
    for (int I = first; I < end; I++) {
        const int i = 2 * I;
        const float own = 2.0F * T[i + 1];
        w[i] = share_of(own, in_series(0.0F, T[i], 0.5F / T[i - 1]));
        w[i + 1] = share_of(own, in_series(0.0F, T[i + 2], 0.5F / T[i + 3]));
    }
}

/* Cell i of a line; one that is alone is the centre of its group. */
static void weigh_cell(const line *l, int i, int m, float *w)
{
    const int I = i / 2, is_high = i % 2;
    const float *own = inside(l, I);

    if (own == NULL)
        memset(w, 0, (size_t)m * sizeof *w);
    else
        weigh_cells(m, own, l->T + (i + is_high) * l->step, inside(l, is_high ? I + 1 : I - 1), w);
}

/* A line along x. */
static void coarsen_row(const line *l, float *to, float *w)
{
    const int pairs = l->n / 2,
              last = pairs > 1 ? pairs : 1; /* pairs beside others: 1 .. last - 2 */

    for (int I = 0; I <= l->N; I = I == 0 && last > 1 ? last : I + 1)
        join_face(l, I, 1, to + I);
    join_pairs(1, last, l->T, to);
    for (int i = 0; i < l->n; i = i == 1 && last > 2 ? 2 * last - 2 : i + 1)
        weigh_cell(l, i, 1, w + i);
    weigh_pairs(1, last - 1, l->T, w);
    if (!l->periodic) return;
    w[-1] = w[l->n - 1];
    w[l->n] = w[0];
}

/* Rows of lines across x, from place `at` of the fine level and `to` of the coarse one on. */
static void coarsen_rows(rg_multigrid_level *f, rg_multigrid_level *c, const line *l, int64_t at,
                         int64_t to)
{
    const int m = f->n[0];
    const int64_t s = f->stride[f->axis], S = c->stride[f->axis];
    float *w = f->weight + at;

    for (int I = 0; I <= l->N; I++)
        join_face(l, I, m, c->T[f->axis] + to + I * S);
    for (int i = 0; i < l->n; i++)
        weigh_cell(l, i, m, w + i * s);
    if (!l->periodic) return;
    memcpy(w - s, w + (l->n - 1) * s, (size_t)m * sizeof *w);
    memcpy(w + l->n * s, w, (size_t)m * sizeof *w);
}

/* The sum of two rows; NULL: the second one is none. */
RG_FOR_ALL_VECTORS
static void add_rows(int m, const float *a, const float *b, float *restrict to)
{
    for (int i = 0; i < m; i++)
        to[i] = a[i] + (b ? b[i] : 0.0F);
}

RG_FOR_ALL_VECTORS
static void add_pairs(int pairs, const float *restrict a, float *restrict to)
{
    for (int I = 0; I < pairs; I++)
        to[I] = a[2 * I] + a[2 * I + 1];
}

/* Sums over the cells of the groups, of conductances across the other axes or of s. */
static void add_up(const rg_multigrid_level *f, const rg_multigrid_level *c, int across,
                   const float *from, float *to)
{
    const int d = f->axis, m = c->n[0] + (across == 0);
    int end[RG_AXES];

    for (int e = 0; e < RG_AXES; e++)
        end[e] = c->n[e] + (e == across);
    for (int k = 0; k < end[2]; k++)
        for (int j = 0; j < end[1]; j++) {
            const float *a = from + rg_multigrid_at(f, 0, d == 1 ? 2 * j : j, d == 2 ? 2 * k : k);
            float *row = to + rg_multigrid_at(c, 0, j, k);
            const int group = d == 1 ? j : k;
            if (d == 0) {
                add_pairs(f->n[0] / 2, a, row);
                if (f->n[0] % 2 == 1) row[f->n[0] / 2] = a[f->n[0] - 1];
            } else {
                add_rows(m, a, 2 * group + 1 < f->n[d] ? a + f->stride[d] : NULL, row);
            }
        }
}

void rg_multigrid_coarsen(rg_multigrid_level *f, rg_multigrid_level *c)
{
    const int d = f->axis, lines[2] = {d == 1 ? 1 : f->n[1], d == 2 ? 1 : f->n[2]};

    for (int k = 0; k < lines[1]; k++)
        for (int j = 0; j < lines[0]; j++) {
            const int64_t at = rg_multigrid_at(f, 0, j, k), to = rg_multigrid_at(c, 0, j, k);
            const line l = {.T = f->T[d] + at,
                            .step = f->stride[d],
                            .n = f->n[d],
                            .N = c->n[d],
                            .periodic = f->periodic[d]};
            if (d == 0)
                coarsen_row(&l, c->T[0] + to, f->weight + at);
            else
                coarsen_rows(f, c, &l, at, to);
        }
    for (int e = 0; e < RG_AXES; e++)
        if (e != d && f->T[e]) add_up(f, c, e, f->T[e], c->T[e]);
    if (f->s) add_up(f, c, -1, f->s, c->s);
}

/* Adds the conductances of both faces of every cell of a row. */
RG_FOR_ALL_VECTORS
static void add_faces(int n, const float *low, const float *high, float *restrict sum)
{
    for (int i = 0; i < n; i++)
        sum[i] += low[i] + high[i];
}

RG_FOR_ALL_VECTORS
static void invert(int n, float *restrict sum)
{
    for (int i = 0; i < n; i++)
        sum[i] = sum[i] > 0.0F ? 1.0F / sum[i] : 0.0F;
}

void rg_multigrid_diagonal(rg_multigrid_level *l, double *diagonal)
{
    for (int k = 0; k < l->n[2]; k++)
        for (int j = 0; j < l->n[1]; j++) {
            const int64_t at = rg_multigrid_at(l, 0, j, k);
            float *sum = l->inverse + at;
            if (l->s)
                memcpy(sum, l->s + at, (size_t)l->n[0] * sizeof *sum);
            else
                memset(sum, 0, (size_t)l->n[0] * sizeof *sum);
            for (int d = 0; d < RG_AXES; d++)
                if (l->T[d]) add_faces(l->n[0], l->T[d] + at, l->T[d] + at + l->stride[d], sum);
            for (int i = 0; diagonal && i < l->n[0]; i++)
                diagonal[at + i] = sum[i];
            invert(l->n[0], sum);
        }
}
