/* A step of a Rosenbrock method, as an attempt for ivp/pace.h. */
#include "ivp/rosenbrock/rosenbrock.h"

#include "ivp/tuning.h"
#include "ivp/used_up.h"
#include "linalg/norm.h"
#include "linalg/vectors.h"

#include <string.h>

/* Derivatives at (t_n, y_n), once per point, and factors. */
static rg_status prepare(rg_integrator *g)
{
    rg_rosenbrock *r = rg_rosenbrock_of(g);
    const rg_rate_point at = {g->t, g->y, g->yp, r->Jy, r->pace.h};
    rg_status status = RG_OK;

    if (!r->has_jacobian) {
        g->stats.jacobians++;
        if (!rg_used_up_jacobian(g->used_up, g, r->Jy, r->Jyp))
            status = rg_system_jacobian(g->system, g->work, g->t, g->y, g->yp, r->Jy, r->Jyp);
        if (status == RG_OK && !rg_rate_is_zero(r->rate))
            status = rg_rate_eval(r->rate, g->work, &at, r->Ft);
        r->t_jacobian = g->t;
        r->has_jacobian = status == RG_OK;
    }
    if (status == (rg_status)RG_RETRY) return rg_pace_fail(&r->pace, RG_PACE_VALUES);
    if (status != RG_OK) return status;
    g->stats.factorizations++;
    status = rg_matrix_factor(r->matrix, 1.0 / (r->pace.h * r->tableau->gamma), 0.0, r->Jy, r->Jyp);
    return status == (rg_status)RG_RETRY ? rg_pace_fail(&r->pace, RG_PACE_SINGULAR) : status;
}

/* All -u_i */
static rg_status find_stages(rg_integrator *g)
{
    rg_rosenbrock *r = rg_rosenbrock_of(g);
    const rg_rosenbrock_tableau *a = r->tableau;
    const bool has_rate = !rg_rate_is_zero(r->rate);
    double *Y = rg_system_point(g->work), *W = Y + g->n, *u = r->U;

    for (int i = 0; i < a->s; i++, u += r->stride) {
        rg_rosenbrock_point(r, i, g->y, g->yp, Y, W);
        g->stats.evaluations++;
        const rg_status status =
            rg_system_residual_here(g->system, g->work, g->t + a->alpha[i] * r->pace.h, u);
        if (status == (rg_status)RG_RETRY) return rg_pace_fail(&r->pace, RG_PACE_VALUES);
        if (status != RG_OK) return status;
        if (has_rate) rg_add_multiple(g->n, a->rate[i] * r->pace.h, r->Ft, u);
        if (!r->has_mass) {
            rg_rosenbrock_slope(r, i, g->yp);
            rg_pattern_multiply(rg_system_pattern(g->system), r->Jyp, -1.0, r->sum, u);
        }
        rg_matrix_solve(r->matrix, u, NULL);
    }
    return RG_OK;
}

/* The new point on the hidden constraints, in reduced views. */
static rg_status project(rg_integrator *g)
{
    rg_rosenbrock *r = rg_rosenbrock_of(g);

    if (!rg_system_projects(g->system)) return RG_OK;
    for (int64_t k = 0; k < g->n; k++)
        r->right[k] = 1.0 / r->weight[k];
    return rg_pace_project(g, &r->pace, rg_pace_end(g, &r->pace), r->right, r->Y, r->W);
}

/* The error at the end, or within the step where that is larger (HW96 VI.4 has order 3 there): off
 * the slope at its begin the polynomial is wrong, and stiff equations damp the end alone.  That
 * slope is the one that the polynomial before ends with: w has errors of y times a large
 * Jacobian.  A second attempt is not asked: errors that y_n has off the constraints do not become
 * smaller with h. */
static double error_of(rg_integrator *g)
{
    rg_rosenbrock *r = rg_rosenbrock_of(g);

    rg_rosenbrock_end(r, g->y, g->yp);
    rg_pace_weights(g, g->y, r->Y, r->weight);
    const rg_rosenbrock_ends ends = {g->y, r->slope, r->Y, r->pace.h};
    const double jump = RG_PACE_BETWEEN * rg_rosenbrock_jump(g->n, &ends, r->p, r->weight),
                 error = rg_wrms_norm(g->n, r->error, r->weight) / RG_PACE_PART;
    return r->pace.h_accepted != 0.0 && r->pace.failures == 0 && jump > error ? jump : error;
}

static rg_status attempt(rg_integrator *g, double *error)
{
    const rg_rosenbrock *r = rg_rosenbrock_of(g);

    RG_TRY(prepare(g));
    RG_TRY(find_stages(g));
    *error = error_of(g);
    return rg_pace_is_good(&r->pace, *error) ? project(g) : RG_OK;
}

/* y(s) = y_n + s (y_{n+1} - y_n) + s (1 - s) (p + s q),  p = sum d_0i u_i, q = sum d_1i u_i;  y' of
 * unknowns without a derivative: its slope at the end. */
static void accept(rg_integrator *g)
{
    rg_rosenbrock *r = rg_rosenbrock_of(g);
    const int64_t n = g->n;

    g->degree = 3;
    rg_rosenbrock_dense(n, g->y, r->Y, r->p, r->sum, g->polynomial);
    for (int64_t k = 0; k < n; k++) {
        r->slope[k] = (r->Y[k] - g->y[k] - r->p[k] - r->sum[k]) / r->pace.h;
        r->before[k] = g->yp[k];
        g->yp[k] = r->is_algebraic[k] ? r->slope[k] : r->W[k];
        g->y[k] = r->Y[k];
    }
    r->has_jacobian = false;
}

rg_status rg_rosenbrock_step(rg_integrator *g)
{
    static const rg_pace_calls calls = {attempt, accept};

    return rg_pace_step(g, &rg_rosenbrock_of(g)->pace, &calls);
}

/* The Jacobian of the last step is still there. */
static rg_status side_step(rg_integrator *g, double t, double *y, double *yp)
{
    rg_rosenbrock *r = rg_rosenbrock_of(g);

    r->has_jacobian = r->t_jacobian == g->t_previous;
    RG_TRY(rg_aside_exchange(&r->matrix, &r->side[g->rows_for], false));
    const rg_status status = rg_aside_attempt(g, &r->pace, attempt, t, r->before);
    rg_aside_exchange(&r->matrix, &r->side[g->rows_for], false);
    r->has_jacobian = false;
    if (status != RG_OK) return status;
    rg_integrator_eval(g, t, NULL, yp);
    memcpy(y, r->Y, (size_t)g->n * sizeof *y);
    for (int64_t k = 0; k < g->n; k++)
        if (!r->is_algebraic[k]) yp[k] = r->W[k];
    return RG_OK;
}

rg_status rg_rosenbrock_rows(rg_integrator *g, int64_t count)
{
    return rg_aside_rows(g, side_step, count);
}

rg_status rg_rosenbrock_row(rg_integrator *g, double t, double *y, double *yp)
{
    return rg_aside_row(g, side_step, t, y, yp);
}
