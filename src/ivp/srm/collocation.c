/* One iterate over one step by collocation:
 *
 *     Z_i = z_n + h sum_j a_ij F(t_n + c_j h, Z_j),
 *     z_{n+1} = z_n + h sum_j b_j F(t_n + c_j h, Z_j)
 *
 * by Newton's method; F is the right-hand side of the iterate, with the values that the iterate
 * before carried at the same points (L section 4: (3.3) and (3.8) hold at the collocation
 * points). */
#include "ivp/srm/srm_impl.h"

#include "ivp/srm/tuning.h"
#include "ivp/tuning.h"
#include "linalg/small_lu.h"
#include "newton/iterated.h"
#include "newton/tuning.h"

#include <math.h>
#include <string.h>

static const double *before_at(const rg_srm *b, int s, int stage)
{
    return s == 0 ? NULL : b->node + stage * b->core->n_c;
}

static rg_status differentiate(rg_integrator *g, int s, int stage, double t)
{
    rg_srm *b = rg_srm_of(g);
    const int n = b->core->n_z;

    RG_TRY(rg_srm_core_jacobian(b->core, t, b->stage + stage * n, before_at(b, s, stage), NULL,
                                b->K + stage * n, b->jacobian + stage * n * n));
    g->stats.jacobians++;
    return RG_OK;
}

/* I - h A x J */
static rg_status factor(rg_integrator *g, double h)
{
    rg_srm *b = rg_srm_of(g);
    const int n = b->core->n_z, k = b->scheme.stages, N = n * k;

    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            for (int c = 0; c < n; c++)
                for (int r = 0; r < n; r++)
                    b->matrix[(j * n + c) * N + i * n + r] =
                        (i == j && r == c)
                        - h * b->scheme.A[i][j] * b->jacobian[j * n * n + c * n + r];
    g->stats.factorizations++;
    return rg_small_lu_factor(N, b->matrix, b->pivots) ? RG_OK : RG_RETRY;
}

static rg_status evaluate_stages(rg_integrator *g, int s, double h)
{
    rg_srm *b = rg_srm_of(g);

    for (int i = 0; i < b->scheme.stages; i++)
        RG_TRY(rg_srm_core_eval(b->core, g->t + b->scheme.c[i] * h, b->stage + i * b->core->n_z,
                                before_at(b, s, i), b->K + i * b->core->n_z,
                                b->node_new + i * b->core->n_c, NULL));
    return RG_OK;
}

/* One Newton update; its size relative to 1 + |Z|. */
static double update(rg_integrator *g, int s, double h)
{
    rg_srm *b = rg_srm_of(g);
    const int n = b->core->n_z, k = b->scheme.stages;
    const double *z = b->z + s * n;
    double size = 0.0;

    for (int i = 0; i < k; i++)
        for (int r = 0; r < n; r++) {
            double sum = z[r] - b->stage[i * n + r];
            for (int j = 0; j < k; j++)
                sum += h * b->scheme.A[i][j] * b->K[j * n + r];
            b->update[i * n + r] = sum;
        }
    rg_small_lu_solve(n * k, b->matrix, b->pivots, b->update);
    for (int r = 0; r < n * k; r++) {
        b->stage[r] += b->update[r];
        const double e = fabs(b->update[r]) / (1.0 + fabs(b->stage[r]));
        if (!(e <= size)) size = e; /* also takes NaN */
    }
    return size;
}

static rg_status solve_stages(rg_integrator *g, int s, double h)
{
    rg_srm *b = rg_srm_of(g);
    double previous = INFINITY;
    bool is_old = true;

    RG_TRY(evaluate_stages(g, s, h));
    for (int k = 0; k < RG_SRM_NEWTON_MOST; k++) {
        if (is_old) {
            for (int i = 0; i < b->scheme.stages; i++)
                RG_TRY(differentiate(g, s, i, g->t + b->scheme.c[i] * h));
            RG_TRY(factor(g, h));
        }
        const double size = update(g, s, h);
        if (!isfinite(size)) return RG_RETRY;
        RG_TRY(evaluate_stages(g, s, h));
        if (rg_is_iterated(size, previous)) return RG_OK;
        is_old = size > RG_NEWTON_SIMPLE * previous;
        previous = size;
    }
    return RG_RETRY;
}

rg_status rg_srm_collocate(rg_integrator *g, int s, double h)
{
    rg_srm *b = rg_srm_of(g);
    const int n = b->core->n_z, k = b->scheme.stages;
    const double *z = b->z + s * n, *slope = b->slope + s * n;
    double *z_new = b->z_new + s * n;

    for (int i = 0; i < k;
         i++) /* the slope at the start is steep where eps is small: for a guess only */
        for (int r = 0; r < n; r++)
            b->stage[i * n + r] = z[r] + b->scheme.c[i] * h * slope[r];
    RG_TRY(solve_stages(g, s, h));
    for (int r = 0; r < n; r++) {
        z_new[r] = b->scheme.is_stiff ? b->stage[(k - 1) * n + r] : z[r];
        for (int j = 0; !b->scheme.is_stiff && j < k; j++)
            z_new[r] += h * b->scheme.b[j] * b->K[j * n + r];
    }
    return RG_OK;
}
