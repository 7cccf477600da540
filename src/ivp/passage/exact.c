/* Exactness: is the configuration really singular, or only nearly so?
 *
 * Gauss-Newton, least change, from (q, t) at the point found and the left singular vectors U that
 * belong to the lost ranks:
 *
 *     g(q, t) = 0,    G(q, t)^T U = 0,    U^T U = I        (g and the rows of G scaled by the
 *                     largest rows of G, g by |q| as well)
 *
 * An exact singularity is reached to rounding in two or three iterations; otherwise the residual
 * stalls at a value rho that is proportional to the imperfection (doc/methods/passage.md, section
 * 5); where g has a double zero it is halved each time.  Derivatives by q and t are central
 * differences: their errors slow the iteration, but do not change where it ends.  The time is
 * always among the unknowns: where nothing depends on it, the least change leaves it alone. */
#include "ivp/passage/passage.h"

#include "ivp/passage/tuning.h"
#include "linalg/dense.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"

#include <math.h>
#include <string.h>

typedef struct {
    rg_passage *k;
    int m, n_q, lost, n_rows, n_columns; /* unknowns: q, t, U */
    double t, size, *w, *U;              /* size: largest |q| so far */
    double *g, *G, *r, *r_minus, *J, *dx, *work;
} problem;

/* g and G at (q, t), scaled */
static rg_status evaluate(problem *e)
{
    RG_TRY(rg_stable_constraints_eval(e->k->form, e->t, e->w, e->g, e->G));
    for (int i = 0; i < e->m; i++) {
        const double scale = rg_passage_scale(e->k, i);
        e->g[i] /= scale * e->size;
        for (int q = 0; q < e->n_q; q++)
            e->G[q * e->m + i] /= scale;
    }
    return RG_OK;
}

/* r = (g, G^T U, U^T U - I) */
static void combine(const problem *e, double *r)
{
    for (int i = 0; i < e->m; i++)
        *r++ = e->g[i];
    for (int l = 0; l < e->lost; l++)
        for (int q = 0; q < e->n_q; q++) {
            double sum = 0.0;
            for (int i = 0; i < e->m; i++)
                sum += e->G[q * e->m + i] * e->U[l * e->m + i];
            *r++ = sum;
        }
    for (int l = 0; l < e->lost; l++)
        for (int o = 0; o < e->lost; o++) {
            double sum = l == o ? -1.0 : 0.0;
            for (int i = 0; i < e->m; i++)
                sum += e->U[l * e->m + i] * e->U[o * e->m + i];
            *r++ = sum;
        }
}

double rg_passage_difference(double size, double here)
{
    return RG_EXACT_DIFFERENCE * (fmin(1.0, size) + fabs(here));
}

static rg_status residual(problem *e, double *r)
{
    RG_TRY(evaluate(e));
    combine(e, r);
    return RG_OK;
}

/* Column of unknown number x: central differences.  Those of U use g and G as they are, at the
 * point itself. */
static rg_status difference(problem *e, int x, double *column)
{
    double *at = x < e->n_q    ? &e->w[e->k->form->constraints.state[x]]
                 : x == e->n_q ? &e->t
                               : &e->U[x - e->n_q - 1];
    const double here = *at, d = rg_passage_difference(e->size, here);

    rg_status status = RG_OK;

    *at = here + d;
    if (x <= e->n_q) status = evaluate(e);
    combine(e, column);
    *at = here - d;
    if (x <= e->n_q && status == RG_OK) status = evaluate(e);
    combine(e, e->r_minus);
    *at = here;
    for (int i = 0; i < e->n_rows && status == RG_OK; i++)
        column[i] = (column[i] - e->r_minus[i]) / (2.0 * d);
    return status;
}

static double largest(const problem *e)
{
    double most = 0.0;

    for (int i = 0; i < e->n_rows; i++)
        if (!(fabs(e->r[i]) <= most)) most = fabs(e->r[i]);
    return most;
}

static rg_status iterate(problem *e)
{
    rg_qr *qr = NULL;

    for (int x = e->n_columns - 1; x >= 0; x--) /* those of U first */
        RG_TRY(difference(e, x, e->J + (size_t)x * (size_t)e->n_rows));
    RG_TRY(rg_qr_create(e->k->ctx, e->n_rows, e->n_columns, e->J, rg_rank_floor(RG_NOISE_ITERATED),
                        &qr));
    rg_qr_solve(qr, e->r, e->dx, e->work);
    rg_qr_destroy(&qr);
    for (int q = 0; q < e->n_q; q++)
        e->w[e->k->form->constraints.state[q]] -= e->dx[q];
    e->t -= e->dx[e->n_q];
    for (int x = 0; x < e->m * e->lost; x++)
        e->U[x] -= e->dx[e->n_q + 1 + x];
    return residual(e, e->r);
}

static rg_status run(problem *e, double *rho)
{
    RG_TRY(residual(e, e->r));
    *rho = largest(e);
    for (int iteration = 0; iteration < RG_EXACT_ITERATIONS && *rho >= RG_CHECK_EXACT;
         iteration++) {
        RG_TRY(iterate(e));
        const double now = largest(e);
        if (!(now < *rho)) break;
        *rho = now;
    }
    return RG_OK;
}

static rg_status examine(rg_passage *k, rg_nearest *at, int lost, const double *U, double *rho)
{
    const int m = k->form->constraints.m, n_q = k->form->constraints.n_q;
    problem e = {.k = k, .m = m, .n_q = n_q, .lost = lost, .t = at->t};
    rg_status status = RG_ERR_MEMORY;

    e.n_rows = m + lost * n_q + lost * lost;
    e.n_columns = n_q + 1 + m * lost;
    const size_t rows = (size_t)e.n_rows, columns = (size_t)e.n_columns;
    const size_t most = rows > columns ? rows : columns;
    const size_t total = (size_t)k->N + (size_t)m * (size_t)lost + (size_t)m
                         + (size_t)m * (size_t)n_q + 2 * rows + rows * columns + columns + most;
    double *memory = rg_alloc(k->ctx, total, sizeof *memory), *next = memory;
    if (memory != NULL) {
        e.w = next;
        e.U = (next += k->N);
        e.g = (next += m * lost);
        e.G = (next += m);
        e.r = (next += m * n_q);
        e.r_minus = (next += rows);
        e.J = (next += rows);
        e.dx = (next += rows * columns);
        e.work = next + columns;
        memcpy(e.w, at->w, (size_t)k->N * sizeof *e.w);
        e.size = k->q_max > 0.0 ? k->q_max : 1.0;
        memcpy(e.U, U, (size_t)m * (size_t)lost * sizeof *U);
        status = run(&e, rho);
        at->t = e.t;
        memcpy(at->w, e.w, (size_t)k->N * sizeof *e.w);
    }
    rg_free(k->ctx, memory);
    return status;
}

/* Too large for this system: without the vectors among the unknowns (exact_joint.c).  rho NaN:
 * too large even then, which is told. */
rg_status rg_passage_exactness(rg_passage *k, rg_nearest *at, int lost, const double *U,
                               double *rho)
{
    const int m = k->form->constraints.m, n_q = k->form->constraints.n_q;

    if (m + lost * n_q + lost * lost <= RG_EXACT_MOST) return examine(k, at, lost, U, rho);
    if (rg_passage_is_joint(k, lost)) return rg_passage_exactness_joint(k, at, lost, rho);
    *rho = NAN;
    k->is_unexamined = true;
    return RG_OK;
}
