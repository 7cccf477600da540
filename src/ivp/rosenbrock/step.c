/* A step of a Rosenbrock method, as an attempt for ivp/pace.h. */
#include "ivp/rosenbrock/rosenbrock.h"

#include "linalg/norm.h"

#include <string.h>

/* x = from + sum_{j<i} a_j u_j */
static void add(int i, const double *a, int64_t n, const double *u, const double *from, double *x)
{
    for (int64_t k = 0; k < n; k++) {
        double sum = from != NULL ? from[k] : 0.0;
        for (int j = 0; j < i; j++)
            sum += a[j] * u[j * n + k];
        x[k] = sum;
    }
}

/* Derivatives at (t_n, y_n), once per point, and factors. */
static rg_status prepare(rg_integrator *g)
{
    rg_rosenbrock *r = rg_rosenbrock_of(g);
    const rg_rate_point at = {g->t, g->y, g->yp, r->Jy, r->pace.h};
    rg_status status = RG_OK;

    if (!r->has_jacobian) {
        g->stats.jacobians++;
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

/* u_i and v_i */
static rg_status stage(rg_integrator *g, int i)
{
    rg_rosenbrock *r = rg_rosenbrock_of(g);
    const rg_rosenbrock_tableau *a = r->tableau;
    const int64_t n = g->n;
    const double h = r->pace.h, t = g->t + a->alpha[i] * h;
    double *u = r->U + i * n, *v = r->V + i * n;

    add(i, a->A[i], n, r->U, g->y, r->Y);
    add(i, a->A[i], n, r->V, g->yp, r->W);
    add(i, a->C[i], n, r->U, NULL, r->sum);
    for (int64_t k = 0; k < n; k++)
        r->sum[k] = r->is_algebraic[k] ? 0.0 : r->W[k] + r->sum[k] / h;
    const rg_status status = rg_integrator_residual(g, t, r->Y, r->W, r->right);
    if (status == (rg_status)RG_RETRY) return rg_pace_fail(&r->pace, RG_PACE_VALUES);
    if (status != RG_OK) return status;
    for (int64_t k = 0; k < n; k++)
        u[k] = -r->right[k] - a->rate[i] * h * r->Ft[k];
    rg_pattern_multiply(rg_system_pattern(g->system), r->Jyp, 1.0, r->sum, u);
    rg_matrix_solve(r->matrix, u, NULL);
    for (int64_t k = 0; k < n; k++)
        v[k] = r->is_algebraic[k] ? 0.0 : u[k] / (h * a->gamma) - r->sum[k];
    return RG_OK;
}

/* The new point on the hidden constraints, in reduced views. */
static rg_status project(rg_integrator *g)
{
    rg_rosenbrock *r = rg_rosenbrock_of(g);

    if (!rg_system_projects(g->system)) return RG_OK;
    for (int64_t k = 0; k < g->n; k++)
        r->right[k] = 1.0 / r->weight[k];
    const double t = rg_pace_end(g, &r->pace);
    const rg_status status = rg_system_project(g->system, g->work, t, r->right, r->Y, r->W);
    return status == (rg_status)RG_RETRY ? rg_pace_fail(&r->pace, RG_PACE_PROJECTION) : status;
}

static rg_status attempt(rg_integrator *g, double *error)
{
    rg_rosenbrock *r = rg_rosenbrock_of(g);
    const rg_rosenbrock_tableau *a = r->tableau;

    RG_TRY(prepare(g));
    for (int i = 0; i < a->s; i++)
        RG_TRY(stage(g, i));
    add(a->s, a->m, g->n, r->U, g->y, r->Y);
    add(a->s, a->m, g->n, r->V, g->yp, r->W);
    add(a->s, a->e, g->n, r->U, NULL, r->error);
    rg_pace_weights(g, g->y, r->Y, r->weight);
    *error = rg_wrms_norm(g->n, r->error, r->weight);
    return r->pace.is_fixed || *error < 1.0 ? project(g) : RG_OK;
}

/* y(s) = y_n + s (y_{n+1} - y_n) + s (1 - s) (p + s q),  p = sum d_0i u_i, q = sum d_1i u_i;  y' of
 * unknowns without a derivative: its slope at the end. */
static void accept(rg_integrator *g)
{
    rg_rosenbrock *r = rg_rosenbrock_of(g);
    const rg_rosenbrock_tableau *t = r->tableau;
    const int64_t n = g->n;
    double *a = g->polynomial;

    g->degree = 3;
    add(t->s, t->d[0], n, r->U, NULL, r->right);
    add(t->s, t->d[1], n, r->U, NULL, r->sum);
    for (int64_t k = 0; k < n; k++) {
        const double d = r->Y[k] - g->y[k], p = r->right[k], q = r->sum[k];
        a[k] = g->y[k];
        a[n + k] = d + p;
        a[2 * n + k] = q - p;
        a[3 * n + k] = -q;
        if (r->is_algebraic[k]) r->W[k] = (d - p - q) / r->pace.h;
    }
    memcpy(g->y, r->Y, (size_t)n * sizeof *g->y);
    memcpy(g->yp, r->W, (size_t)n * sizeof *g->yp);
    r->has_jacobian = false;
}

rg_status rg_rosenbrock_step(rg_integrator *g)
{
    static const rg_pace_calls calls = {attempt, accept};

    return rg_pace_step(g, &rg_rosenbrock_of(g)->pace, &calls);
}
