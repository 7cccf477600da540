/* One cycle of geometric multigrid: Gauss-Seidel in two colours, like those of a chess board,
 * before the coarse correction and in the opposite order after it.  With P the interpolation along
 * the joined axis (weights by conductances) residuals go down by P^T. */
#include "base/vector.h"
#include "pdae/solve/multigrid.h"

#include <string.h>

/* Copies the cells beside the ends of periodic axes. */
static void wrap(const rg_multigrid_level *l, float *x)
{
    for (int d = 0; d < RG_AXES; d++) {
        const int e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES;
        const int64_t n = l->n[d], s = l->stride[d];
        if (!l->periodic[d] || l->T[d] == NULL) continue;
        for (int b = 0; b < l->n[e2]; b++)
            for (int a = 0; a < l->n[e1]; a++) {
                float *line = x + l->origin + a * l->stride[e1] + b * l->stride[e2];
                line[-s] = line[(n - 1) * s];
                line[n * s] = line[0];
            }
    }
}

/* sum over the neighbours of T x of a row; `of` has the conductances of its first cell. */
typedef struct {
    int n;
    int64_t sy, sz; /* 0: no such axis */
    const float *Tx, *Ty, *Tz, *s, *inverse;
} row;

static row row_at(const rg_multigrid_level *l, int64_t at)
{
    return (row){.n = l->n[0],
                 .sy = l->T[1] ? l->stride[1] : 0,
                 .sz = l->T[2] ? l->stride[2] : 0,
                 .Tx = l->T[0] ? l->T[0] + at : NULL,
                 .Ty = l->T[1] ? l->T[1] + at : NULL,
                 .Tz = l->T[2] ? l->T[2] + at : NULL,
                 .s = l->s ? l->s + at : NULL,
                 .inverse = l->inverse + at};
}

/* out = (b + sum T x)/diagonal */
RG_FOR_ALL_VECTORS
static void relax_row(const row *w, const float *b, const float *x, float *restrict out)
{
    const float *Tx = w->Tx, *Ty = w->Ty, *Tz = w->Tz, *inverse = w->inverse;
    const int64_t sy = w->sy, sz = w->sz;
    const int n = w->n;

    if (Tx && Ty && !Tz) {
        for (int i = 0; i < n; i++)
            out[i] = inverse[i]
                     * (b[i] + Tx[i] * x[i - 1] + Tx[i + 1] * x[i + 1] + Ty[i] * x[i - sy]
                        + Ty[i + sy] * x[i + sy]);
        return;
    }
    if (Tx && Ty && Tz) {
        for (int i = 0; i < n; i++)
            out[i] = inverse[i]
                     * (b[i] + Tx[i] * x[i - 1] + Tx[i + 1] * x[i + 1] + Ty[i] * x[i - sy]
                        + Ty[i + sy] * x[i + sy] + Tz[i] * x[i - sz] + Tz[i + sz] * x[i + sz]);
        return;
    }
    for (int i = 0; i < n; i++) {
        float sum = b[i];
        if (Tx) sum += Tx[i] * x[i - 1] + Tx[i + 1] * x[i + 1];
        if (Ty) sum += Ty[i] * x[i - sy] + Ty[i + sy] * x[i + sy];
        if (Tz) sum += Tz[i] * x[i - sz] + Tz[i + sz] * x[i + sz];
        out[i] = inverse[i] * sum;
    }
}

/* Takes the new value where the pattern is 1. */
RG_FOR_ALL_VECTORS
static void take(int n, const float *restrict pattern, const float *restrict from,
                 float *restrict x)
{
    for (int i = 0; i < n; i++)
        x[i] = pattern[i] > 0.0F ? from[i] : x[i];
}

/* x = b/diagonal on one colour, 0 on the other. */
RG_FOR_ALL_VECTORS
static void begin(int n, const float *restrict pattern, const float *restrict inverse,
                  const float *restrict b, float *restrict x)
{
    for (int i = 0; i < n; i++)
        x[i] = pattern[i] * inverse[i] * b[i];
}

/* ---- loops over rows ------------------------------------------------------------------------- */
typedef struct {
    const rg_multigrid *m;
    const rg_multigrid_level *l, *c; /* the level, and the coarser one */
    int colour;
    bool is_edge, adds;
    const float *b;
    float *x, *out;
} loop;

static int64_t rows_of(const rg_multigrid_level *l)
{
    return (int64_t)l->n[1] * l->n[2];
}

static void run_rows(const rg_multigrid_level *l, rg_crew_work *work, loop *w)
{
    rg_crew_run(l->ctx, rows_of(l), l->n[0], work, w);
}

/* The row of a unit: its numbers along y and z, its place. */
static int64_t row_of(const rg_multigrid_level *l, int64_t unit, int *j, int *k)
{
    *j = (int)(unit % l->n[1]);
    *k = (int)(unit / l->n[1]);
    return rg_multigrid_at(l, 0, *j, *k);
}

static void relax_at(const loop *w, int64_t unit, float *kept)
{
    int j, k;
    const int64_t at = row_of(w->l, unit, &j, &k);
    const row r = row_at(w->l, at);

    relax_row(&r, w->b + at, w->x + at, kept);
    take(r.n, w->m->pattern + ((w->colour + j + k) & 1), kept, w->x + at);
}

static void relax_rows(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;

    for (int64_t r = from; r < end; r++)
        relax_at(w, r, w->m->row + hand * w->m->longest);
}

enum { GROUP = 16 }; /* rows or planes, of which the first one waits */

/* The rows of a group, or of a group of planes, but those of the first row or plane; or only
 * those. */
static void relax_groups(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const int64_t plane = w->l->n[2] > 1 ? w->l->n[1] : 1, all = rows_of(w->l);

    for (int64_t u = from; u < end; u++) {
        const int64_t first = u * GROUP * plane, second = first + plane;
        int64_t r = w->is_edge ? first : second;
        for (; r < (w->is_edge ? second : first + GROUP * plane) && r < all; r++)
            relax_at(w, r, w->m->row + hand * w->m->longest);
    }
}

/* Neighbours of one colour have the other one, so that the order of rows does not matter.  But no
 * thread writes a row that another one reads: where rows are shared, the edges of the groups wait
 * until the others are done. */
static void relax(rg_multigrid *m, const rg_multigrid_level *l, int colour, const float *b,
                  float *x)
{
    loop w = {.m = m, .l = l, .colour = colour, .b = b, .x = x};
    const int64_t planes = l->n[2] > 1 ? l->n[2] : l->n[1], groups = (planes + GROUP - 1) / GROUP;

    if (rg_crew_shares(l->ctx, rows_of(l) * l->n[0])) {
        for (int edge = 0; edge < 2; edge++) {
            w.is_edge = edge == 1;
            rg_crew_run(l->ctx, groups, l->size / groups + 1, relax_groups, &w);
        }
    } else {
        relax_rows(&w, 0, 0, rows_of(l));
    }
    wrap(l, x);
}

RG_FOR_ALL_VECTORS
static void residual_row(const row *w, const float *b, const float *x, float *restrict out)
{
    const float *Tx = w->Tx, *Ty = w->Ty, *Tz = w->Tz, *s = w->s;
    const int64_t sy = w->sy, sz = w->sz;
    const int n = w->n;

    if (Tx && Ty && !Tz && !s) {
        for (int i = 0; i < n; i++)
            out[i] = Tx[i] * (x[i] - x[i - 1]) + Tx[i + 1] * (x[i] - x[i + 1])
                     + Ty[i] * (x[i] - x[i - sy]) + Ty[i + sy] * (x[i] - x[i + sy]);
    } else if (Tx && Ty && !Tz) {
        for (int i = 0; i < n; i++)
            out[i] = s[i] * x[i] + (Tx[i] * (x[i] - x[i - 1]) + Tx[i + 1] * (x[i] - x[i + 1]))
                     + (Ty[i] * (x[i] - x[i - sy]) + Ty[i + sy] * (x[i] - x[i + sy]));
    } else if (Tx && Ty && !s) {
        for (int i = 0; i < n; i++)
            out[i] = (Tx[i] * (x[i] - x[i - 1]) + Tx[i + 1] * (x[i] - x[i + 1]))
                     + (Ty[i] * (x[i] - x[i - sy]) + Ty[i + sy] * (x[i] - x[i + sy]))
                     + (Tz[i] * (x[i] - x[i - sz]) + Tz[i + sz] * (x[i] - x[i + sz]));
    } else {
        for (int i = 0; i < n; i++) {
            float sum = s ? s[i] * x[i] : 0.0F;
            if (Tx) sum += Tx[i] * (x[i] - x[i - 1]) + Tx[i + 1] * (x[i] - x[i + 1]);
            if (Ty) sum += Ty[i] * (x[i] - x[i - sy]) + Ty[i + sy] * (x[i] - x[i + sy]);
            if (Tz) sum += Tz[i] * (x[i] - x[i - sz]) + Tz[i + sz] * (x[i] - x[i + sz]);
            out[i] = sum;
        }
    }
    for (int i = 0; i < n; i++)
        out[i] = b[i] - out[i];
}

static void residual_rows(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    int j, k;

    (void)hand;
    for (int64_t r = from; r < end; r++) {
        const int64_t at = row_of(w->l, r, &j, &k);
        const row of = row_at(w->l, at);
        residual_row(&of, w->b + at, w->x + at, w->out + at);
    }
}

/* out = b - A x */
static void residual(const rg_multigrid_level *l, const float *b, float *x, float *out)
{
    wrap(l, x);
    run_rows(l, residual_rows, &(loop){.l = l, .b = b, .x = x, .out = out});
}

/* ---- between levels -------------------------------------------------------------------------- */
/* to[i] from cells 2 i - 1 .. 2 i + 2 of a line along x. */
RG_FOR_ALL_VECTORS
static void down_along(int n, int N, const float *restrict w, const float *restrict r,
                       float *restrict to)
{
    const int pairs = n / 2;

    for (int I = 0; I < pairs; I++) {
        const int i = 2 * I;
        to[I] = w[i - 1] * r[i - 1] + (1.0F - w[i]) * r[i] + (1.0F - w[i + 1]) * r[i + 1]
                + w[i + 2] * r[i + 2];
    }
    if (pairs < N) {
        const int i = 2 * pairs;
        to[pairs] = w[i - 1] * r[i - 1] + r[i] + w[i + 1] * r[i + 1];
    }
}

/* The same for rows that are joined with their neighbours across x. */
RG_FOR_ALL_VECTORS
static void down_rows(int n, int64_t s, bool is_pair, const float *w, const float *r,
                      float *restrict to)
{
    const int64_t next = is_pair ? 2 * s : s;

    for (int i = 0; i < n; i++) {
        float sum = w[i - s] * r[i - s] + (1.0F - w[i]) * r[i] + w[i + next] * r[i + next];
        if (is_pair) sum += (1.0F - w[i + s]) * r[i + s];
        to[i] = sum;
    }
}

/* b of the coarse level = P^T r; what lies beyond the ends of an axis has weight 0 or is a copy. */
static void down_units(void *user, int hand, int64_t first, int64_t end)
{
    const loop *w = user;
    const rg_multigrid_level *f = w->l, *c = w->c;
    const int d = f->axis;
    int j, k;

    (void)hand;
    for (int64_t u = first; u < end; u++) {
        const int64_t to = row_of(c, u, &j, &k),
                      from = rg_multigrid_at(f, 0, d == 1 ? 2 * j : j, d == 2 ? 2 * k : k);
        const int group = d == 1 ? j : k;
        if (d == 0)
            down_along(f->n[0], c->n[0], f->weight + from, w->b + from, c->b + to);
        else
            down_rows(f->n[0], f->stride[d], 2 * group + 1 < f->n[d], f->weight + from, w->b + from,
                      c->b + to);
    }
}

static void go_down(const rg_multigrid_level *f, const rg_multigrid_level *c, const float *r)
{
    run_rows(c, down_units, &(loop){.l = f, .c = c, .b = r});
}

RG_FOR_ALL_VECTORS
static void up_row(int n, const float *w, const float *own, const float *far, float *restrict x,
                   bool adds)
{
    if (adds)
        for (int i = 0; i < n; i++)
            x[i] += own[i] + w[i] * (far[i] - own[i]);
    else
        for (int i = 0; i < n; i++)
            x[i] = own[i] + w[i] * (far[i] - own[i]);
}

/* Both cells of the pairs along x; of an odd number the last one is alone. */
RG_FOR_ALL_VECTORS
static void up_along(int n, const float *restrict w, const float *restrict coarse,
                     float *restrict x, bool adds)
{
    for (int i = 0; i < n && !adds; i++)
        x[i] = 0.0F;
    for (int I = 0; I < n / 2; I++) {
        const float own = coarse[I];
        x[2 * I] += own + w[2 * I] * (coarse[I - 1] - own);
        x[2 * I + 1] += own + w[2 * I + 1] * (coarse[I + 1] - own);
    }
    if (n % 2 == 1) {
        const float own = coarse[n / 2];
        x[n - 1] += own + w[n - 1] * (coarse[n / 2 - 1] - own);
    }
}

static void up_at(const loop *w, int64_t unit)
{
    const rg_multigrid_level *f = w->l, *c = w->c;
    const int d = f->axis;
    int j, k;
    const int64_t to = row_of(f, unit, &j, &k),
                  from = rg_multigrid_at(c, 0, d == 1 ? j / 2 : j, d == 2 ? k / 2 : k);
    const int i = d == 1 ? j : k;

    if (d == 0)
        up_along(f->n[0], f->weight + to, c->x + from, w->x + to, w->adds);
    else
        up_row(f->n[0], f->weight + to, c->x + from,
               c->x + from + (i % 2 == 1 ? c->stride[d] : -c->stride[d]), w->x + to, w->adds);
}

static void up_units(void *user, int hand, int64_t first, int64_t end)
{
    (void)hand;
    for (int64_t u = first; u < end; u++)
        up_at(user, u);
}

static void go_up(const rg_multigrid_level *f, const rg_multigrid_level *c, float *x, bool adds)
{
    wrap(c, c->x);
    run_rows(f, up_units, &(loop){.l = f, .c = c, .x = x, .adds = adds});
}

/* ---- the cycle ------------------------------------------------------------------------------- */
static void solve_coarsest(rg_multigrid *m, const rg_multigrid_level *l, const float *b, float *x)
{
    const int64_t n = (int64_t)l->n[0] * l->n[1] * l->n[2];
    const double *solution = m->packed + n;
    double *right = m->packed;

    for (int k = 0; k < l->n[2]; k++)
        for (int j = 0; j < l->n[1]; j++)
            for (int i = 0; i < l->n[0]; i++)
                *right++ = b[rg_multigrid_at(l, i, j, k)];
    rg_coarsest_solve(n, m->factor, m->packed, m->packed + n);
    for (int k = 0; k < l->n[2]; k++)
        for (int j = 0; j < l->n[1]; j++)
            for (int i = 0; i < l->n[0]; i++)
                x[rg_multigrid_at(l, i, j, k)] = (float)*solution++;
}

static void begin_at(const loop *w, int64_t unit)
{
    int j, k;
    const int64_t at = row_of(w->l, unit, &j, &k);

    begin(w->l->n[0], w->m->pattern + ((j + k) & 1), w->l->inverse + at, w->b + at, w->x + at);
}

static void begin_rows(void *user, int hand, int64_t from, int64_t end)
{
    (void)hand;
    for (int64_t r = from; r < end; r++)
        begin_at(user, r);
}

static void start(rg_multigrid *m, const rg_multigrid_level *l, const float *b, float *x)
{
    run_rows(l, begin_rows, &(loop){.m = m, .l = l, .b = b, .x = x});
    wrap(l, x);
    relax(m, l, 1, b, x);
}

/* ---- one pass where there were several ------------------------------------------------------- */
/* By one thread and without copies beyond the ends, what a sweep does with a row may follow what
 * the sweep before it has done with the rows around: the numbers of a row are then at hand. */
static bool is_one_pass(const rg_multigrid_level *l)
{
    for (int d = 0; d < RG_AXES; d++)
        if (l->periodic[d]) return false;
    return !rg_crew_shares(l->ctx, rows_of(l) * l->n[0]);
}

/* Rows from one to the one behind it across the last axis: all its neighbours lie between. */
static int64_t lag_of(const rg_multigrid_level *l)
{
    return l->n[2] > 1 ? l->n[1] : 1;
}

/* The residual of a row goes down along x at once. */
static void down_at(const loop *w, int64_t unit, float *r)
{
    int j, k;
    const int64_t at = row_of(w->l, unit, &j, &k), to = rg_multigrid_at(w->c, 0, j, k);
    const row of = row_at(w->l, at);

    residual_row(&of, w->b + at, w->x + at, r);
    down_along(of.n, w->c->n[0], w->l->weight + at, r, w->c->b + to);
}

/* x = 0, the first colour, the second one, the residual, its part on the coarser level along x. */
static void pass_down(rg_multigrid *m, const rg_multigrid_level *l, const float *b, float *x)
{
    const loop w = {.m = m, .l = l, .c = l + 1, .colour = 1, .b = b, .x = x};
    const int64_t rows = rows_of(l), lag = lag_of(l);

    for (int64_t u = 0; u < rows + 2 * lag; u++) {
        if (u < rows) begin_at(&w, u);
        if (u >= lag && u - lag < rows) relax_at(&w, u - lag, m->row);
        if (u < 2 * lag) continue;
        m->row[0] = m->row[l->n[0] + 1] = 0.0F; /* beside the ends */
        down_at(&w, u - 2 * lag, m->row + 1);
    }
}

/* The coarse correction, the second colour, the first one. */
static void pass_up(rg_multigrid *m, const rg_multigrid_level *l, const float *b, float *x)
{
    const loop second = {.m = m, .l = l, .c = l + 1, .colour = 1, .b = b, .x = x, .adds = true},
               first = {.m = m, .l = l, .colour = 0, .b = b, .x = x};
    const int64_t rows = rows_of(l), lag = lag_of(l);

    for (int64_t u = 0; u < rows + 2 * lag; u++) {
        if (u < rows) up_at(&second, u);
        if (u >= lag && u - lag < rows) relax_at(&second, u - lag, m->row);
        if (u >= 2 * lag) relax_at(&first, u - 2 * lag, m->row);
    }
}

static void cycle_coarsest(rg_multigrid *m, const rg_multigrid_level *l, const float *b, float *x)
{
    if (m->factor) {
        solve_coarsest(m, l, b, x);
        return;
    }
    start(m, l, b, x);
    relax(m, l, 1, b, x);
    relax(m, l, 0, b, x);
}

void rg_multigrid_cycle(rg_multigrid *m, int level, float *b, float *x)
{
    const rg_multigrid_level *l = &m->level[level], *c = l + 1;
    const bool at_once = l->smooths && is_one_pass(l);
    float *r = l->smooths ? l->r : b; /* without smoothing x = 0 */

    if (level == m->n_levels - 1) {
        cycle_coarsest(m, l, b, x);
        return;
    }
    if (at_once && l->axis == 0) {
        pass_down(m, l, b, x);
    } else {
        if (l->smooths) {
            start(m, l, b, x);
            residual(l, b, x, r);
        }
        wrap(l, r);
        go_down(l, c, r);
    }
    rg_multigrid_cycle(m, level + 1, c->b, c->x);
    if (at_once) {
        pass_up(m, l, b, x);
        return;
    }
    go_up(l, c, x, l->smooths);
    if (!l->smooths) return;
    wrap(l, x);
    relax(m, l, 1, b, x);
    relax(m, l, 0, b, x);
}
