/* Exactness (exact.c) of many lost ranks at once, without the left singular vectors among the
 * unknowns: Newton's method for a multiple singular value 0.  With U, N the left and right singular
 * vectors of G = G(q, t) that belong to the n lost ranks, and to them and the kernel,
 *
 *     r = ( g,  S ),   S = U^T G N (n x kernel: the lost singular values),      dr = ( dg,  U^T dG
 *               N ),
 *
 * to first order, for where S = 0 the vectors need not be differentiated (known from inverse
 * eigenvalue problems).  Steps of least change in (q, t), decomposition anew after each;
 * unknowns n_q + 1 instead of n_q + 1 + m n.  Derivatives by central differences: unknowns that
 * share no constraint are moved at once, which is true of most in a large mechanism. */
#include "ivp/passage/passage.h"

#include "base/pieces.h"
#include "ivp/passage/tuning.h"
#include "linalg/dense.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"
#include "linalg/vectors.h"

#include <math.h>
#include <string.h>

static const int64_t MOST_ENTRIES = 20000000; /* of the matrix: some seconds */

typedef struct {
    rg_passage *k;
    rg_nearest *at;
    int m, n_q, lost, kernel;
    int64_t n_rows;
    double size, *scale, *g, *G, *g_minus, *G_minus, *sigma, *U, *V, *left, *r, *J, *dx, *work;
    double *here, *round; /* n_q + 1: unknowns, t; in which round one is moved, 0: not yet */
    double *is_hit;       /* m: constraints that contain one that is moved */
} problem;

/* Constraints, by number, that contain unknown x. */
typedef struct {
    const int32_t *row, *end, *number;
} rows_of;

static rows_of rows_with(const problem *e, int x)
{
    const rg_stable_constraints *c = &e->k->form->constraints;
    const rg_pattern *p = rg_system_pattern(e->k->form->system);

    return (rows_of){p->row + p->start[c->state[x]], p->row + p->start[c->state[x] + 1], c->number};
}

bool rg_passage_is_joint(const rg_passage *k, int lost)
{
    const int64_t m = k->form->constraints.m, n_q = k->form->constraints.n_q;

    return (m + lost * (n_q - m + lost)) * (n_q + 1) <= MOST_ENTRIES;
}

static rg_status evaluate(problem *e, double *g, double *G)
{
    RG_TRY(rg_stable_constraints_eval(e->k->form, e->at->t, e->at->w, g, G));
    for (int i = 0; i < e->m; i++)
        g[i] /= e->scale[i] * e->size;
    for (int q = 0; q < e->n_q; q++, G += e->m)
        for (int i = 0; i < e->m; i++)
            if (G[i] != 0.0) G[i] /= e->scale[i];
    return RG_OK;
}

/* Fills r; *rho = |r|: least squares spread an imperfection over all rows, so the largest entry
 * would be too small a measure. */
static rg_status residual(problem *e, double *rho)
{
    const int first = e->m - e->lost, values = e->m < e->n_q ? e->m : e->n_q;

    RG_TRY(evaluate(e, e->g, e->G));
    RG_TRY(rg_svd(e->k->ctx, e->m, e->n_q, e->G, e->sigma, e->U, e->V));
    memset(e->r, 0, (size_t)e->n_rows * sizeof *e->r);
    memcpy(e->r, e->g, (size_t)e->m * sizeof *e->r);
    for (int l = 0; l < e->lost && first + l < values; l++)
        e->r[e->m + l * e->lost + l] = e->sigma[first + l];
    double sum = 0.0;
    for (int64_t i = 0; i < e->n_rows; i++)
        sum += e->r[i] * e->r[i];
    *rho = sqrt(sum);
    return RG_OK;
}

/* T <- U^T dG in column q, rows of the constraints that are hit; false: nothing changes there. */
static bool change_of(const problem *e, double d, int q, double *T)
{
    const double *plus = e->G + q * e->m, *minus = e->G_minus + q * e->m;
    bool has_any = false;

    for (int i = 0; i < e->m; i++) {
        if (plus[i] == minus[i] || e->is_hit[i] == 0.0) continue;
        if (!has_any) memset(T, 0, (size_t)e->lost * sizeof *T);
        has_any = true;
        rg_add_multiple(e->lost, (plus[i] - minus[i]) / d, e->left + i * e->lost, T);
    }
    return has_any;
}

/* column <- (dg, U^T dG N) of the constraints that are hit; dG has few entries. */
static void project(const problem *e, double d, double *column)
{
    const int first = e->m - e->lost;
    double *S = column + e->m;

    for (int i = 0; i < e->m; i++)
        column[i] = e->is_hit[i] != 0.0 ? (e->g[i] - e->g_minus[i]) / d : 0.0;
    memset(S, 0, (size_t)e->lost * (size_t)e->kernel * sizeof *S);
    for (int q = 0; q < e->n_q; q++) {
        if (!change_of(e, d, q, e->work)) continue;
        for (int c = 0; c < e->kernel; c++)
            rg_add_multiple(e->lost, e->V[(first + c) * e->n_q + q], e->work, S + c * e->lost);
    }
}

/* The left singular vectors of the lost ranks, those of a row side by side. */
static void turn_left(const problem *e)
{
    const double *U = e->U + (e->m - e->lost) * e->m;

    for (int l = 0; l < e->lost; l++)
        for (int i = 0; i < e->m; i++)
            e->left[i * e->lost + l] = U[l * e->m + i];
}

static double *unknown(const problem *e, int x)
{
    return x < e->n_q ? &e->at->w[e->k->form->constraints.state[x]] : &e->at->t;
}

static double distance(const problem *e, int x)
{
    return rg_passage_difference(e->size, e->here[x]);
}

/* Sets the constraints with unknown x to `mark`; false: one of them had another one already. */
static bool hit(problem *e, int x, double mark)
{
    const rows_of c = rows_with(e, x);

    for (const int32_t *row = c.row; row < c.end; row++)
        if (c.number[*row] >= 0 && mark != 0.0 && e->is_hit[c.number[*row]] != 0.0) return false;
    for (const int32_t *row = c.row; row < c.end; row++)
        if (c.number[*row] >= 0) e->is_hit[c.number[*row]] = mark;
    return true;
}

/* Unknowns from x on that share no constraint get the number of this round; combinations of
 * equations, which have constraints of their own, one at a time. */
static void choose(problem *e, int x, double round)
{
    const bool is_alone = e->k->form->combinations != NULL;

    memset(e->is_hit, 0, (size_t)e->m * sizeof *e->is_hit);
    for (int first = x; x < e->n_q; x++)
        if (e->round[x] == 0.0 && (x == first || !is_alone) && (is_alone || hit(e, x, 1.0)))
            e->round[x] = round;
}

/* What the unknowns first .. last - 1 of this round do, at once. */
static rg_status differentiate_round(problem *e, int first, int last, double round)
{
    rg_status status = RG_OK;

    for (int side = 1; side >= -1 && status == RG_OK; side -= 2) {
        for (int x = first; x < last; x++)
            if (e->round[x] == round) *unknown(e, x) = e->here[x] + side * distance(e, x);
        status = evaluate(e, side > 0 ? e->g : e->g_minus, side > 0 ? e->G : e->G_minus);
    }
    for (int x = first; x < last; x++)
        if (e->round[x] == round) *unknown(e, x) = e->here[x];
    return status;
}

static void fill_columns(problem *e, int first, int last, double round, bool is_alone)
{
    for (int i = 0; i < e->m; i++)
        e->is_hit[i] = is_alone;
    for (int x = first; x < last; x++) {
        if (e->round[x] != round) continue;
        if (!is_alone) hit(e, x, 1.0);
        project(e, 2.0 * distance(e, x), e->J + x * e->n_rows);
        if (!is_alone) hit(e, x, 0.0);
    }
}

static rg_status differentiate(problem *e)
{
    const bool is_alone = e->k->form->combinations != NULL;
    double round = 1.0;

    turn_left(e);
    for (int x = 0; x <= e->n_q; x++) {
        e->here[x] = *unknown(e, x);
        e->round[x] = 0.0;
    }
    for (int x = 0; x < e->n_q; x++) {
        if (e->round[x] != 0.0) continue;
        choose(e, x, round);
        RG_TRY(differentiate_round(e, x, e->n_q, round));
        fill_columns(e, x, e->n_q, round, is_alone);
        round++;
    }
    e->round[e->n_q] = round;
    RG_TRY(differentiate_round(e, e->n_q, e->n_q + 1, round)); /* t is in all of them */
    fill_columns(e, e->n_q, e->n_q + 1, round, true);
    return RG_OK;
}

static rg_status iterate(problem *e, double *rho)
{
    rg_qr *qr = NULL;

    RG_TRY(differentiate(e));
    RG_TRY(rg_qr_create(e->k->ctx, e->n_rows, e->n_q + 1, e->J, rg_rank_floor(RG_NOISE_ITERATED),
                        &qr));
    rg_qr_solve(qr, e->r, e->dx, e->work);
    rg_qr_destroy(&qr);
    for (int q = 0; q < e->n_q; q++)
        e->at->w[e->k->form->constraints.state[q]] -= e->dx[q];
    e->at->t -= e->dx[e->n_q];
    return residual(e, rho);
}

static rg_status run(problem *e, double *rho)
{
    double now;

    RG_TRY(residual(e, rho));
    for (int iteration = 0; iteration < RG_EXACT_ITERATIONS && *rho >= RG_CHECK_EXACT;
         iteration++) {
        RG_TRY(iterate(e, &now));
        if (!(now < *rho)) break;
        *rho = now;
    }
    return RG_OK;
}

rg_status rg_passage_exactness_joint(rg_passage *k, rg_nearest *at, int lost, double *rho)
{
    const int64_t m = k->form->constraints.m, n = k->form->constraints.n_q;
    problem e = {.k = k, .at = at, .m = (int)m, .n_q = (int)n, .lost = lost};
    double *arena;

    e.kernel = e.n_q - e.m + lost;
    e.n_rows = m + (int64_t)lost * e.kernel;
    e.size = k->q_max > 0.0 ? k->q_max : 1.0;
    const int64_t most = e.n_rows > n + 1 ? e.n_rows : n + 1;
    RG_TRY(RG_TAKE(k->ctx, &arena, RG_PIECE(e.scale, m), RG_PIECE(e.g, m), RG_PIECE(e.g_minus, m),
                   RG_PIECE(e.G, m * n), RG_PIECE(e.G_minus, m * n), RG_PIECE(e.sigma, m + n),
                   RG_PIECE(e.U, m * m), RG_PIECE(e.V, n * n), RG_PIECE(e.left, m * lost),
                   RG_PIECE(e.r, e.n_rows), RG_PIECE(e.J, e.n_rows * (n + 1)),
                   RG_PIECE(e.dx, n + 1), RG_PIECE(e.work, most), RG_PIECE(e.here, n + 1),
                   RG_PIECE(e.is_hit, m), RG_PIECE(e.round, n + 1)));
    for (int i = 0; i < e.m; i++)
        e.scale[i] = rg_passage_scale(k, i);
    const rg_status status = run(&e, rho);
    rg_free(k->ctx, arena);
    return status;
}
