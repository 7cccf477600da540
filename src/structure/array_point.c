/* A point on the solution set of the derivative array: Gauss-Newton with steps of least norm.
 *
 *     diag(r) A diag(c) x = -diag(r) F,   |x| least,   z <- z + lambda diag(c) x,
 *
 * A = dF_mu/dz, r and c from equilibration.  A has more columns than rows, and may be
 * rank-deficient.
 *
 * Rows come in stages: F_i^(k) belongs to stage k - c_i, y_j^(r) to stage r - d_j (as in Pryce01:
 * constraints first, then their derivatives, then the equations of motion).  First each stage is
 * solved for its own unknowns, mostly a linear problem; where that fails, all stages so far for all
 * unknowns.  Redundant equations lose rank on the solution set only: at a distance the smallest
 * singular values are as large as the residual, and mean nothing.  So in nonlinear stages
 * directions below a tolerance of that size are left out at first. */
#include "linalg/dense.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"
#include "structure/array_impl.h"
#include "structure/magnitudes.h"
#include "structure/tuning.h"

#include <math.h>
#include <string.h>

#define RANK_TOL rg_rank_floor(RG_NOISE_ITERATED)

typedef struct {
    rg_array *a;
    int64_t n_active, n_moving; /* rows and columns in use */
    int32_t *active, *moving;
    double *W, *row, *column; /* their part of A, scaled; the scaling */
    double *unit;             /* of the columns in use */
    double *step, *b, *trial, *z;
} search;

static double scaled_norm(const search *g)
{
    double sum = 0.0;

    for (int64_t k = 0; k < g->n_active; k++) {
        const double f = g->row[k] * g->a->s->F[g->active[k]];
        sum += f * f;
    }
    return sqrt(sum);
}

/* Largest |F_i| / sum_j |A_ij z_j|; those below RG_RANK_DOUBT of a scaled row count as this. */
static double relative_miss(const search *g)
{
    const rg_array *a = g->a;
    double worst = 0.0;

    for (int64_t k = 0; k < g->n_active; k++) {
        const int64_t i = g->active[k];
        double size = RG_RANK_DOUBT / g->row[k];
        for (int64_t j = 0; j < a->n_columns; j++)
            size += fabs(a->A[j * a->n_rows + i] * g->z[j]);
        worst = fmax(worst, fabs(a->s->F[i]) / size);
    }
    return worst;
}

/* The part of A in use at the current point, scaled. */
static void linearize(search *g)
{
    rg_array *a = g->a;

    rg_array_load(a, NULL, NULL);
    for (int64_t q = 0; q < g->n_moving; q++)
        g->unit[q] = a->unit[g->moving[q]];
    for (int64_t q = 0; q < g->n_moving; q++)
        for (int64_t k = 0; k < g->n_active; k++)
            g->W[q * g->n_active + k] = a->A[g->moving[q] * a->n_rows + g->active[k]];
    rg_magnitudes_equilibrate(g->n_active, g->n_moving, g->unit, g->W, g->row, g->column);
}

/* The step, its length relative to z, and what it promises: |F| before minus after, if F were
 * linear. */
typedef struct {
    double length, gain;
} promise;

static rg_status solve_step(search *g, double tol, promise *out)
{
    rg_array *a = g->a;
    rg_qr *qr = NULL;
    double z_size = 0.0, left = 0.0;

    for (int64_t k = 0; k < g->n_active; k++)
        g->b[k] = -g->row[k] * a->s->F[g->active[k]];
    RG_TRY(rg_qr_create(a->ctx, g->n_active, g->n_moving, g->W, tol, &qr));
    rg_qr_solve(qr, g->b, g->step, g->trial);
    rg_qr_destroy(&qr);
    out->length = 0.0;
    for (int64_t q = 0; q < g->n_moving; q++) {
        for (int64_t k = 0; k < g->n_active; k++)
            g->b[k] -= g->W[q * g->n_active + k] * g->step[q];
        out->length = fmax(out->length, fabs(g->step[q]));
        z_size = fmax(z_size, fabs(g->z[g->moving[q]] / g->column[q]));
        g->step[q] *= g->column[q];
    }
    for (int64_t k = 0; k < g->n_active; k++)
        left += g->b[k] * g->b[k];
    out->length /= 1.0 + z_size;
    out->gain = scaled_norm(g) - sqrt(left);
    return RG_OK;
}

/* Goes the largest of the steps 1, 1/2, 1/4, ... that keeps a tenth of what it promises. */
static rg_status try_steps(search *g, double gain, bool *is_better)
{
    rg_array *a = g->a;
    const double before = scaled_norm(g);
    double lambda = 1.0;

    *is_better = false;
    for (int k = 0; k < RG_ARRAY_HALVINGS && gain > RG_ARRAY_SMALL_GAIN * before;
         k++, lambda *= 0.5) {
        memcpy(g->trial, g->z, (size_t)a->n_columns * sizeof *g->z);
        for (int64_t q = 0; q < g->n_moving; q++)
            g->trial[g->moving[q]] += lambda * g->step[q];
        rg_array_take(a, g->trial);
        const rg_status status = rg_sampler_eval(a->s);
        if (status == (rg_status)RG_RETRY) continue;
        if (status != RG_OK) return status;
        if (!(scaled_norm(g) <= before - RG_ARRAY_KEPT * lambda * gain)) continue;
        memcpy(g->z, g->trial, (size_t)a->n_columns * sizeof *g->z);
        *is_better = true;
        return RG_OK;
    }
    rg_array_take(a, g->z);
    return rg_sampler_eval(a->s);
}

/* The rows in use for the columns in use. */
static rg_status iterate(search *g, double coarse_tol, rg_point_kind *kind)
{
    promise step = {.length = INFINITY};
    bool is_better = true;

    for (int k = 0; k < RG_ARRAY_STEPS && is_better && step.length >= RG_ARRAY_SMALL_STEP; k++) {
        linearize(g);
        RG_TRY(solve_step(g, fmax(fmin(coarse_tol, scaled_norm(g)), RANK_TOL), &step));
        RG_TRY(try_steps(g, step.gain, &is_better));
        if (is_better || coarse_tol <= RANK_TOL || rg_interrupted(g->a->ctx)) continue;
        RG_TRY(solve_step(g, RANK_TOL, &step));
        RG_TRY(try_steps(g, step.gain, &is_better));
    }
    linearize(g);
    *kind = RG_POINT_GENERIC;
    const double miss = relative_miss(g);
    const bool is_stationary = step.gain <= RG_ARRAY_SMALL_GAIN * scaled_norm(g);
    if (miss <= RANK_TOL || (is_stationary && miss <= RG_ARRAY_CONTRADICTS))
        *kind = RG_POINT_SOLVED; /* data with few digits: the tolerance of a run decides */
    else if (is_stationary)
        *kind = RG_POINT_STATIONARY;
    return RG_OK;
}

/* Columns of stages low .. high. */
static void choose_columns(search *g, const rg_transversal *t, int low, int high)
{
    const rg_array *a = g->a;

    g->n_moving = 0;
    for (int64_t j = 0; j < a->n; j++)
        for (int r = 0; r < a->s->n_orders && r <= a->m[j] + a->mu; r++)
            if (r - t->d[j] >= low && r - t->d[j] <= high)
                g->moving[g->n_moving++] = a->place[r * a->n + j];
}

static void choose_rows(search *g, const rg_transversal *t, int low, int high)
{
    const rg_array *a = g->a;

    g->n_active = 0;
    for (int level = 0; level <= a->mu; level++)
        for (int64_t i = 0; i < a->n; i++)
            if (level - t->c[i] >= low && level - t->c[i] <= high)
                g->active[g->n_active++] = (int32_t)(level * a->n + i);
}

static rg_status solve_stages(search *g, const rg_transversal *t, rg_point_kind *kind)
{
    int first = 0;
    bool is_open = false; /* those solved for together last contradict each other */

    for (int64_t i = 0; i < g->a->n; i++)
        if (-t->c[i] < first) first = -t->c[i];
    rg_array_point(g->a, g->z);
    for (int stage = first; stage <= g->a->mu; stage++) {
        choose_rows(g, t, stage, stage);
        choose_columns(g, t, stage == first ? INT16_MIN : stage, stage);
        if (g->n_active == 0) continue;
        RG_TRY(iterate(g, stage == first ? RG_ARRAY_COARSE : RANK_TOL, kind));
        if (*kind == RG_POINT_SOLVED) continue;
        choose_rows(g, t, first, stage);
        choose_columns(g, t, INT16_MIN, stage);
        RG_TRY(iterate(g, RG_ARRAY_COARSE, kind));
        is_open = *kind == RG_POINT_STATIONARY;
    }
    if (is_open) *kind = RG_POINT_STATIONARY;
    return RG_OK;
}

static rg_status find_point(rg_array *a, const rg_transversal *t, rg_point_kind *kind)
{
    const size_t n_rows = (size_t)a->n_rows, n_columns = (size_t)a->n_columns;
    const size_t n_most = (n_rows > n_columns ? n_rows : n_columns) + 1;
    double *vectors = rg_alloc(a->ctx, 7 * n_most, sizeof *vectors);
    search g = {.a = a, .W = rg_alloc(a->ctx, n_rows * n_columns + 1, sizeof *g.W)};
    rg_status status = RG_ERR_MEMORY;

    g.active = rg_alloc(a->ctx, n_rows + 1, sizeof *g.active);
    g.moving = rg_alloc(a->ctx, n_columns + 1, sizeof *g.moving);
    if (vectors != NULL && g.W != NULL && g.active != NULL && g.moving != NULL) {
        double **const parts[] = {&g.row, &g.column, &g.unit, &g.step, &g.b, &g.trial, &g.z};
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            *parts[k] = vectors + k * n_most;
        status = solve_stages(&g, t, kind);
    }
    rg_free(a->ctx, g.active);
    rg_free(a->ctx, g.moving);
    rg_free(a->ctx, g.W);
    rg_free(a->ctx, vectors);
    return status;
}

rg_status rg_array_visit(rg_array *a, const rg_transversal *t, int draw, rg_point_kind *kind)
{
    const bool is_callback = a->p->residual != NULL || a->p->rhs != NULL;

    *kind = RG_POINT_GENERIC;
    RG_TRY(rg_sampler_visit(a->s, RG_MOVE_ALL, RG_ARRAY_MOVE, draw));
    if (!is_callback) return find_point(a, t, kind);
    rg_array_load(a, NULL, NULL);
    return RG_OK;
}
