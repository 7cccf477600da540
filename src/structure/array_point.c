/* A point on the solution set of the derivative array: Gauss-Newton with steps of least norm.
 *
 *     diag(r) A diag(c) x = -diag(r) F,   |x| least,   z <- z + lambda diag(c) x,
 *
 * A = dF_mu/dz, r and c from equilibration.  A has more columns than rows, and may be rank-deficient. */
#include "linalg/dense.h"
#include "structure/array_impl.h"
#include "structure/rank.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 40, MOST_HALVINGS = 12 };
#define SOLVED     1e-10 /* |F_i| relative to the sizes of its terms */
#define SMALL_STEP 1e-9
#define RANK_TOL   1e-10
#define MOVE       0.05

typedef struct {
    rg_array *a;
    double *step, *b, *work, *z;
} search;

static double scaled_norm(const rg_array *a, const double *F)
{
    double sum = 0.0;

    for (int64_t i = 0; i < a->n_rows; i++)
        sum += a->row[i] * F[i] * (a->row[i] * F[i]);
    return sqrt(sum);
}

/* Largest |F_i| / (sum_j |A_ij z_j| + |A_ij| c_j), all in scaled quantities. */
static double relative_miss(const rg_array *a, const double *z)
{
    double worst = 0.0;

    for (int64_t i = 0; i < a->n_rows; i++) {
        double size = 0.0;
        for (int64_t j = 0; j < a->n_columns; j++)
            size += fabs(a->A[j * a->n_rows + i] * z[j]);
        size += 1e-6 / a->row[i]; /* a scaled row has entries of size 1 */
        worst = fmax(worst, fabs(a->s->F[i]) / size);
    }
    return worst;
}

/* The sampler's values sorted as the array's columns, and back. */
static void copy_point(const rg_array *a, double *z, bool to_sampler)
{
    const int64_t n_orders = a->s->n_orders;

    for (int64_t j = 0; j < a->n; j++)
        for (int r = 0; r < n_orders && r <= a->m[j] + a->mu; r++) {
            double *own = &a->s->z[r * a->n + j], *other = &z[rg_array_column(a, j, r)];
            if (to_sampler)
                *own = *other;
            else
                *other = *own;
        }
}

static rg_status solve_step(search *g, double *length)
{
    rg_array *a = g->a;
    rg_qr *qr = NULL;
    double z_size = 0.0;

    rg_array_load(a);
    rg_array_scale(a);
    for (int64_t i = 0; i < a->n_rows; i++)
        g->b[i] = -a->row[i] * a->s->F[i];
    RG_TRY(rg_qr_create(a->ctx, a->n_rows, a->n_columns, a->scaled, RANK_TOL, &qr));
    rg_qr_solve(qr, g->b, g->step, g->work);
    rg_qr_destroy(&qr);
    *length = 0.0;
    for (int64_t k = 0; k < a->n_columns; k++) {
        *length = fmax(*length, fabs(g->step[k]));
        z_size = fmax(z_size, fabs(g->z[k] / a->column[k]));
        g->step[k] *= a->column[k];
    }
    *length /= 1.0 + z_size;
    return RG_OK;
}

/* Goes the largest of the steps 1, 1/2, 1/4, ... that makes |diag(r) F| smaller. */
static rg_status try_steps(search *g, bool *is_better)
{
    rg_array *a = g->a;
    const double before = scaled_norm(a, a->s->F);
    double lambda = 1.0;

    *is_better = false;
    for (int k = 0; k < MOST_HALVINGS; k++, lambda *= 0.5) {
        for (int64_t j = 0; j < a->n_columns; j++)
            g->work[j] = g->z[j] + lambda * g->step[j];
        copy_point(a, g->work, true);
        const rg_status status = rg_sampler_eval(a->s);
        if (status == (rg_status)RG_RETRY) continue;
        if (status != RG_OK) return status;
        if (!(scaled_norm(a, a->s->F) <= (1.0 - 0.1 * lambda) * before)) continue;
        memcpy(g->z, g->work, (size_t)a->n_columns * sizeof *g->z);
        *is_better = true;
        return RG_OK;
    }
    copy_point(a, g->z, true);
    return rg_sampler_eval(a->s);
}

static rg_status iterate(search *g, rg_point_kind *kind)
{
    rg_array *a = g->a;
    bool is_better = true;
    double length = INFINITY;

    *kind = RG_POINT_GENERIC;
    copy_point(a, g->z, false);
    for (int k = 0; k < MOST_STEPS && is_better; k++) {
        RG_TRY(solve_step(g, &length));
        RG_TRY(try_steps(g, &is_better));
        if (rg_interrupted(a->ctx)) break;
        if (length < SMALL_STEP) break;
    }
    rg_array_load(a);
    rg_array_scale(a);
    if (relative_miss(a, g->z) <= SOLVED)
        *kind = RG_POINT_SOLVED;
    else if (length < SMALL_STEP)
        *kind = RG_POINT_STATIONARY;
    return RG_OK;
}

rg_status rg_array_visit(rg_array *a, int draw, rg_point_kind *kind)
{
    const size_t n_most = (size_t)(a->n_rows > a->n_columns ? a->n_rows : a->n_columns) + 1;
    search g = {.a = a};

    *kind = RG_POINT_GENERIC;
    RG_TRY(rg_sampler_visit(a->s, RG_MOVE_ALL, MOVE, draw));
    if (a->is_frozen || a->p->residual != NULL || a->p->rhs != NULL) {
        rg_array_load(a);
        rg_array_scale(a);
        return RG_OK;
    }
    g.step = rg_alloc(a->ctx, n_most, sizeof *g.step);
    g.b = rg_alloc(a->ctx, n_most, sizeof *g.b);
    g.work = rg_alloc(a->ctx, n_most, sizeof *g.work);
    g.z = rg_alloc(a->ctx, n_most, sizeof *g.z);
    rg_status status = RG_ERR_MEMORY;
    if (g.step != NULL && g.b != NULL && g.work != NULL && g.z != NULL) status = iterate(&g, kind);
    rg_free(a->ctx, g.step);
    rg_free(a->ctx, g.b);
    rg_free(a->ctx, g.work);
    rg_free(a->ctx, g.z);
    return status;
}
