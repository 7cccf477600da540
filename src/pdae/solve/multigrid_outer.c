/* Conjugate gradients around the cycles of multigrid have double numbers: the product with the
 * finest matrix, and what goes to the single numbers of the cycles and comes back.  Loops go by
 * rows, the sums of which are added in order whoever makes them. */
#include "base/vector.h"
#include "pdae/solve/multigrid_rows.h"

#include <math.h>

typedef struct {
    rg_multigrid *m;
    const double *b;
    double *x, *p, *out;
    double by, step;
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

void rg_multigrid_fill(rg_multigrid *m)
{
    const rg_elliptic_matrix *A = &m->e->A;
    rg_multigrid_level *l = &m->level[0];
    double most = A->s ? largest_of(l->size, A->s, 0.0) : 0.0;

    for (int d = 0; d < RG_AXES; d++)
        if (l->T[d]) most = largest_of(l->size, A->T[d], most);
    const double scale = most > 0.0 ? 1.0 / most : 1.0;
    for (int d = 0; d < RG_AXES; d++)
        if (l->T[d]) rg_multigrid_shorten(l->size, A->T[d], scale, l->T[d]);
    if (A->s) rg_multigrid_shorten(l->size, A->s, scale, l->s);
}

/* z is x of the finest level, up to a factor, which conjugate gradients do not notice; with it z.r
 * has the digits of single numbers, as z has. */
static double apply(void *state, const double *r)
{
    rg_multigrid *m = state;
    const double by = 1.0 / sqrt(m->outer.left);

    return rg_multigrid_cycle(m, r, by) / by;
}

/* ---- products -------------------------------------------------------------------------------- */
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

/* x += step p, p <- z + beta p; in the first step nothing of before is read. */
RG_FOR_ALL_VECTORS
static void turn(int n, const float *restrict z, double mean, double step, double *restrict x,
                 double beta, double *restrict p)
{
    if (step == 0.0 && beta == 0.0)
        for (int i = 0; i < n; i++)
            p[i] = (double)z[i] - mean;
    else
        for (int i = 0; i < n; i++) {
            x[i] += step * p[i];
            p[i] = ((double)z[i] - mean) + beta * p[i];
        }
}

static void turn_rows(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const rg_multigrid_level *l = &w->m->level[0];

    (void)hand;
    for (int64_t u = from; u < end; u++) {
        const int64_t at = row_at(w->m, u);
        turn(l->n[0], l->x + at, w->m->mean, w->step, w->x + at, w->by, w->p + at);
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

/* The product of a row as soon as its neighbours have turned. */
static double follow_at_once(loop *w)
{
    const int64_t rows = rows_of(w->m), lag = rg_multigrid_lag(&w->m->level[0]);
    double sum = 0.0, of[RG_CREW_SUMS];

    for (int64_t u = 0; u < rows + lag; u++) {
        if (u < rows) turn_rows(w, 0, u, u + 1);
        if (u < lag) continue;
        product_row(w, u - lag, of);
        sum += of[0];
    }
    return sum;
}

static double follow(void *state, double step, double *x, double beta, double *p, double *q)
{
    rg_multigrid *m = state;
    loop w = {.m = m, .step = step, .x = x, .by = beta, .p = p, .out = q};
    double all[RG_CREW_SUMS];

    if (rg_multigrid_is_one_pass(&m->level[0])) return follow_at_once(&w);
    run_rows(turn_rows, &w);
    rg_multigrid_wrap(&m->level[0], p, sizeof(double));
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

    rg_multigrid_wrap(&((rg_multigrid *)state)->level[0], x, sizeof(double));
    sum_rows(residual_row, &(loop){.m = state, .b = b, .x = x, .out = r}, all);
    return all[0];
}

rg_status rg_multigrid_outer(rg_multigrid *m)
{
    m->outer.of = m;
    m->outer.apply = apply;
    m->outer.follow = follow;
    m->outer.begin = begin;
    m->outer.diagonal = m->diagonal;
    return rg_gradients_create(m->e->ctx, m->level[0].size, &m->outer);
}
