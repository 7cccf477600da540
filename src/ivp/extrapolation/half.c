/* The half-explicit schemes below an extrapolation. */
#include "ivp/extrapolation/extrapolation.h"
#include "ivp/tuning.h"
#include "newton/iterated.h"

#include <math.h>
#include <string.h>

/* Leapfrog: X_{k+1} = X_{k-1} + 2h f_k, X_1 = X_0 + h f_0, with Y_k from c(X_{k+1}) = 0. */
rg_status rg_extrapolation_midpoint(rg_integrator *g, const rg_extrapolation_from *from, int count,
                                    double *result)
{
    rg_extrapolation *x = rg_extrapolation_of(g);
    rg_half_explicit *e = &x->half;
    const size_t bytes = (size_t)e->N * sizeof *e->X;
    const double h = from->H / count;
    double *f = e->F, *a = f + e->N - e->n;

    memcpy(x->before, from->x, bytes);
    memcpy(e->X, from->x, bytes);
    memcpy(f, from->f, bytes);
    if (e->m > 0) memcpy(e->Y, from->y, (size_t)e->m * sizeof *e->Y);
    for (int k = 0; k < count; k++) {
        const double t = from->t + k * h, step = k == 0 ? h : 2.0 * h;
        const double t_c = k + 1 == count ? from->t_end : from->t + (k + 1) * h;
        if (e->order == 2) memcpy(f, e->X + e->n, (size_t)e->n * sizeof *f);
        for (int i = 0; i < e->N; i++)
            e->Xbar[i] = x->before[i] + step * f[i];
        RG_TRY(rg_half_explicit_multipliers(g, t, t_c, step, a));
        memcpy(x->before, e->X, bytes);
        memcpy(e->X, e->Xbar, bytes);
    }
    memcpy(result, e->X, bytes);
    return RG_OK;
}

/* a and Y with  D(t, q, v, a, Y) = 0,  g(t + h, q + h (v + h a)) = 0,  and constraints on
 * velocities at that point with v + h a;  Xbar: both. */
static rg_status drop(rg_integrator *g, double t, double h, double *a)
{
    rg_half_explicit *e = rg_half_explicit_of(g);
    double size = INFINITY;

    rg_half_explicit_begin(e);
    for (int k = 0; k < RG_HALF_NEWTON; k++) {
        const rg_half_point at = rg_half_explicit_point(e, t, e->X, a, e->Y);
        const rg_half_point end = rg_half_explicit_point(e, t + h, e->Xbar, a, e->Y);
        const double before = size;
        bool is_new;
        g->stats.evaluations++;
        rg_status status = rg_half_dynamics(e->view, &at, e->top);
        if (status == RG_OK) status = rg_half_fall(e->view, &end, h, e->bottom);
        if (status == (rg_status)RG_RETRY) return rg_pace_fail(&e->pace, RG_PACE_VALUES);
        if (status == RG_OK) status = rg_half_factor(e->view, &is_new);
        if (status == (rg_status)RG_RETRY) return rg_pace_fail(&e->pace, RG_PACE_RANK);
        if (status != RG_OK) return status;
        g->stats.factorizations += is_new;
        for (int i = 0; i < e->n; i++)
            e->top[i] = -e->top[i];
        for (int i = 0; i < e->m; i++)
            e->bottom[i] = -e->bottom[i];
        rg_half_solve(e->view, e->top, e->bottom);
        for (int i = 0; i < e->n; i++) {
            a[i] += e->top[i];
            e->Xbar[e->n + i] += h * e->top[i];
            e->Xbar[i] += h * h * e->top[i];
        }
        size = rg_half_explicit_of_x(e, h * h, e->top, e->Xbar, false);
        for (int i = 0; i < e->m; i++)
            e->Y[i] += e->bottom[i];
        if (!isfinite(size)) return rg_pace_fail(&e->pace, RG_PACE_VALUES);
        if (rg_is_iterated(size, before)) return RG_OK;
        if (size >= RG_NOT_HALVED * before) rg_half_explicit_look_closer(e, h, false);
    }
    return rg_pace_fail(&e->pace, RG_PACE_NEWTON);
}

/* v_{k+1} = v_k + h a(q_k, v_k, Y_k), q_{k+1} = q_k + h v_{k+1}, with Y_k from g(q_{k+1}) = 0. */
rg_status rg_extrapolation_euler3(rg_integrator *g, const rg_extrapolation_from *from, int count,
                                  double *result)
{
    rg_extrapolation *x = rg_extrapolation_of(g);
    rg_half_explicit *e = &x->half;
    const size_t bytes = (size_t)e->N * sizeof *e->X;
    const double h = from->H / count;
    double *a = e->F + e->n;

    memcpy(e->X, from->x, bytes);
    memcpy(e->F, from->f, bytes);
    if (e->m > 0) memcpy(e->Y, from->y, (size_t)e->m * sizeof *e->Y);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < e->n; i++) {
            e->Xbar[e->n + i] = e->X[e->n + i] + h * a[i];
            e->Xbar[i] = e->X[i] + h * e->Xbar[e->n + i];
        }
        RG_TRY(drop(g, from->t + k * h, h, a));
        memcpy(e->X, e->Xbar, bytes);
    }
    memcpy(result, e->X, bytes);
    return RG_OK;
}
