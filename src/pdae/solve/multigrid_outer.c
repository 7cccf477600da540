/* Conjugate gradients around the cycles of multigrid have double numbers: the product with the
 * finest matrix, and what goes to the single numbers of the cycles and comes back.  Loops go by
 * rows, the sums of which are added in order whoever makes them. */
#include "base/vector.h"
#include "pdae/solve/multigrid.h"

#include <math.h>

typedef struct {
    rg_multigrid *m;
    const double *b, *r, *q; /* right-hand side, residual, A p  */
    double *x, *p, *out;
    double by;
} loop;

static int64_t rows_of(const rg_multigrid *m)
{
    return (int64_t)m->level[0].n[1] * m->level[0].n[2];
}

static int64_t row_at(const rg_multigrid *m, int64_t unit)
{
    const rg_multigrid_level *l = &m->level[0];

    return rg_multigrid_at(l, 0, (int)(unit % l->n[1]), (int)(unit / l->n[1]));
}

static void run_rows(rg_crew_work *work, loop *w)
{
    rg_crew_run(w->m->e->ctx, rows_of(w->m), w->m->level[0].n[0], work, w);
}

static void sum_rows(rg_crew_part *part, loop *w, double all[RG_CREW_SUMS])
{
    rg_crew_sum(w->m->e->ctx, rows_of(w->m), w->m->level[0].n[0], part, w, all);
}

/* ---- to single numbers ----------------------------------------------------------------------- */
RG_FOR_ALL_VECTORS
static double largest_of(int64_t n, const double *a, double most)
{
    for (int64_t i = 0; i < n; i++)
        most = a[i] > most ? a[i] : most;
    return most;
}

RG_FOR_ALL_VECTORS
static void shorten(int64_t n, const double *restrict from, double scale, float *restrict to)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (float)(scale * from[i]);
}

void rg_multigrid_fill(rg_multigrid *m)
{
    const rg_elliptic_matrix *A = &m->e->A;
    rg_multigrid_level *l = &m->level[0];
    double most = A->s ? largest_of(l->size, A->s, 0.0) : 0.0;

    for (int d = 0; d < RG_AXES; d++)
        if (l->T[d]) most = largest_of(l->size, A->T[d], most);
    const double scale = most > 0.0 ? 1.0 / most : 1.0;
    for (int d = 0; d < RG_AXES; d++)
        if (l->T[d]) shorten(l->size, A->T[d], scale, l->T[d]);
    if (A->s) shorten(l->size, A->s, scale, l->s);
}

static void shorten_rows(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;

    (void)hand;
    for (int64_t u = from; u < end; u++) {
        const int64_t at = row_at(w->m, u);
        shorten(w->m->level[0].n[0], w->r + at, w->by, w->m->level[0].b + at);
    }
}

static void sum_row(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    const loop *w = user;
    const float *x = w->m->level[0].x + row_at(w->m, unit);

    out[0] = out[1] = out[2] = 0.0;
    for (int i = 0; i < w->m->level[0].n[0]; i++)
        out[0] += x[i];
}

/* z is x of the finest level, up to a factor, which conjugate gradients do not notice. */
static void precondition(void *state, double *r, double *z)
{
    rg_multigrid *m = state;
    loop w = {.m = m, .r = r, .by = 1.0 / sqrt(m->outer.left)};
    double all[RG_CREW_SUMS];

    (void)z;
    run_rows(shorten_rows, &w);
    rg_multigrid_cycle(m, 0, m->level[0].b, m->level[0].x);
    if (!m->e->singular) return;
    sum_rows(sum_row, &w, all);
    m->mean = all[0] / (double)m->e->n;
}

/* ---- products -------------------------------------------------------------------------------- */
/* z.r and z.q, z = x - mean, of a row; four sums side by side. */
RG_FOR_ALL_VECTORS
static void dots_of(int n, const float *restrict x, double mean, const double *restrict r,
                    const double *restrict q, double out[RG_CREW_SUMS])
{
    double zr[RG_LANES] = {0.0}, zq[RG_LANES] = {0.0};
    int i = 0;

    for (; i + RG_LANES <= n; i += RG_LANES)
        for (int k = 0; k < RG_LANES; k++) {
            const double z = (double)x[i + k] - mean;
            zr[k] += z * r[i + k];
            zq[k] += z * q[i + k];
        }
    for (int k = 0; i < n; i++, k++) {
        zr[k] += ((double)x[i] - mean) * r[i];
        zq[k] += ((double)x[i] - mean) * q[i];
    }
    out[0] = (zr[0] + zr[1]) + (zr[2] + zr[3]);
    out[1] = (zq[0] + zq[1]) + (zq[2] + zq[3]);
    out[2] = 0.0;
}

static void dots_row(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    const loop *w = user;
    const int64_t at = row_at(w->m, unit);

    dots_of(w->m->level[0].n[0], w->m->level[0].x + at, w->m->mean, w->r + at, w->q + at, out);
}

static void dots(void *state, const double *r, const double *q, double *zr, double *zq)
{
    double all[RG_CREW_SUMS];

    sum_rows(dots_row, &(loop){.m = state, .r = r, .q = q}, all);
    *zr = all[0];
    *zq = all[1];
}

/* A x of a row; an axis without neighbours has a distance of 0 to them. */
RG_FOR_ALL_VECTORS
static void product_of(const rg_multigrid *m, int64_t at, const double *x, double *restrict out)
{
    const rg_multigrid_level *l = &m->level[0];
    const double *const *T = m->e->A.T, *s = m->e->A.s ? m->e->A.s + at : NULL;
    const double *Tx = l->T[0] ? T[0] + at : NULL, *Ty = l->T[1] ? T[1] + at : NULL,
                 *Tz = l->T[2] ? T[2] + at : NULL;
    const int64_t sy = l->stride[1], sz = l->stride[2];
    const int n = l->n[0];

    if (Tx && Ty && !Tz && !s) {
        for (int i = 0; i < n; i++)
            out[i] = Tx[i] * (x[i] - x[i - 1]) + Tx[i + 1] * (x[i] - x[i + 1])
                     + Ty[i] * (x[i] - x[i - sy]) + Ty[i + sy] * (x[i] - x[i + sy]);
        return;
    }
    for (int i = 0; i < n; i++)
        out[i] = s ? s[i] * x[i] : 0.0;
    for (int i = 0; Tx && i < n; i++)
        out[i] += Tx[i] * (x[i] - x[i - 1]) + Tx[i + 1] * (x[i] - x[i + 1]);
    for (int i = 0; Ty && i < n; i++)
        out[i] += Ty[i] * (x[i] - x[i - sy]) + Ty[i + sy] * (x[i] - x[i + sy]);
    for (int i = 0; Tz && i < n; i++)
        out[i] += Tz[i] * (x[i] - x[i - sz]) + Tz[i + sz] * (x[i] - x[i + sz]);
}

/* Copies the cells beside the ends of periodic axes. */
static void wrap(const rg_multigrid_level *l, double *x)
{
    for (int d = 0; d < RG_AXES; d++) {
        const int e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES;
        const int64_t n = l->n[d], s = l->stride[d];
        if (!l->periodic[d] || l->T[d] == NULL) continue;
        for (int b = 0; b < l->n[e2]; b++)
            for (int a = 0; a < l->n[e1]; a++) {
                double *line = x + l->origin + a * l->stride[e1] + b * l->stride[e2];
                line[-s] = line[(n - 1) * s];
                line[n * s] = line[0];
            }
    }
}

/* p <- z + beta p; nothing of before is read where beta = 0. */
RG_FOR_ALL_VECTORS
static void turn(int n, const float *restrict x, double mean, double beta, double *restrict p)
{
    if (beta == 0.0)
        for (int i = 0; i < n; i++)
            p[i] = (double)x[i] - mean;
    else
        for (int i = 0; i < n; i++)
            p[i] = ((double)x[i] - mean) + beta * p[i];
}

static void turn_rows(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const rg_multigrid_level *l = &w->m->level[0];

    (void)hand;
    for (int64_t u = from; u < end; u++) {
        const int64_t at = row_at(w->m, u);
        turn(l->n[0], l->x + at, w->m->mean, w->by, w->p + at);
    }
}

/* q = A p of a row, and p.q. */
static void product_row(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    const loop *w = user;
    const int64_t at = row_at(w->m, unit);

    product_of(w->m, at, w->p + at, w->out + at);
    out[0] = rg_gradients_dot_of(w->m->level[0].n[0], w->p + at, w->out + at);
    out[1] = out[2] = 0.0;
}

static double follow(void *state, double beta, double *p, double *q)
{
    rg_multigrid *m = state;
    loop w = {.m = m, .by = beta, .p = p, .out = q};
    double all[RG_CREW_SUMS];

    run_rows(turn_rows, &w);
    wrap(&m->level[0], p);
    sum_rows(product_row, &w, all);
    return all[0];
}

/* ---- the beginning --------------------------------------------------------------------------- */
/* b - A x of a row, and the square of b. */
static void residual_row(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    const loop *w = user;
    const int64_t at = row_at(w->m, unit);
    const double *b = w->b + at;
    double *r = w->out + at;

    product_of(w->m, at, w->x + at, r);
    for (int i = 0; i < w->m->level[0].n[0]; i++)
        r[i] = b[i] - r[i];
    out[0] = rg_gradients_dot_of(w->m->level[0].n[0], b, b);
    out[1] = out[2] = 0.0;
}

/* Nothing is read beside the cells of b. */
static double begin(void *state, const double *b, double *x, double *r)
{
    double all[RG_CREW_SUMS];

    wrap(&((rg_multigrid *)state)->level[0], x);
    sum_rows(residual_row, &(loop){.m = state, .b = b, .x = x, .out = r}, all);
    return all[0];
}

rg_status rg_multigrid_outer(rg_multigrid *m)
{
    m->outer.of = m;
    m->outer.precondition = precondition;
    m->outer.dots = dots;
    m->outer.follow = follow;
    m->outer.begin = begin;
    m->outer.diagonal = m->diagonal;
    return rg_gradients_create(m->e->ctx, m->level[0].size, &m->outer);
}
