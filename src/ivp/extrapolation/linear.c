/* The linearly implicit Euler method below an extrapolation, on F(t, y, y') = 0.
 *
 *     (F_y'/h + F_y) d = -F(t_{k+1}, y_k, w_k) + F_y' w_k,      y_{k+1} = y_k + d,  w_{k+1} = d/h
 *
 * is the method for y' = w, 0 = F(t, y, w) with w eliminated; F_y', F_y at the start of the step.
 * Where F = M y' - f with constant M, w_k cancels.  HW96 (VI.5.2). */
#include "ivp/extrapolation/extrapolation.h"

#include <string.h>

rg_status rg_extrapolation_prepare(rg_integrator *g)
{
    rg_extrapolation *x = rg_extrapolation_of(g);
    rg_status status = RG_OK;

    if (x->is_half || x->has_jacobian) return RG_OK;
    g->stats.jacobians++;
    status = rg_system_jacobian(g->system, g->work, g->t, g->y, g->yp, x->Jy, x->Jyp);
    x->t_jacobian = g->t;
    x->has_jacobian = status == RG_OK;
    return status == (rg_status)RG_RETRY ? rg_pace_fail(&x->half.pace, RG_PACE_VALUES) : status;
}

/* result: y, then w. */
rg_status rg_extrapolation_seulex(rg_integrator *g, const rg_extrapolation_from *from, int count,
                                  double *result)
{
    rg_extrapolation *x = rg_extrapolation_of(g);
    const int64_t n = g->n;
    const double h = from->H / count;
    double *y = result, *w = result + n;

    g->stats.factorizations++;
    rg_status status = rg_matrix_factor(x->matrix, 1.0 / h, 0.0, x->Jy, x->Jyp);
    if (status == (rg_status)RG_RETRY) return rg_pace_fail(&x->half.pace, RG_PACE_SINGULAR);
    if (status != RG_OK) return status;
    memcpy(y, from->x, (size_t)n * sizeof *y);
    memcpy(w, from->f, (size_t)n * sizeof *w);
    for (int64_t i = 0; i < n; i++)
        if (x->is_algebraic[i]) w[i] = 0.0;
    for (int k = 0; k < count; k++) {
        const double t = k + 1 == count ? from->t_end : from->t + (k + 1) * h;
        status = rg_integrator_residual(g, t, y, w, x->right);
        if (status == (rg_status)RG_RETRY) return rg_pace_fail(&x->half.pace, RG_PACE_VALUES);
        if (status != RG_OK) return status;
        for (int64_t i = 0; i < n; i++)
            x->right[i] = -x->right[i];
        rg_pattern_multiply(rg_system_pattern(g->system), x->Jyp, 1.0, w, x->right);
        rg_matrix_solve(x->matrix, x->right, NULL);
        for (int64_t i = 0; i < n; i++) {
            y[i] += x->right[i];
            w[i] = x->is_algebraic[i] ? 0.0 : x->right[i] / h;
        }
    }
    return RG_OK;
}

/* Between the steps: cubic through both ends with both slopes; without a derivative a parabola
 * through the last three points. */
void rg_extrapolation_accept_seulex(rg_integrator *g)
{
    rg_extrapolation *x = rg_extrapolation_of(g);
    const int64_t n = g->n;
    const double h = x->half.pace.h, s = x->h_past != 0.0 ? -x->h_past / h : 0.0;
    double *a = g->polynomial;

    g->degree = 3;
    for (int64_t k = 0; k < n; k++) {
        const double d = x->y_new[k] - g->y[k], e = x->past[k] - g->y[k];
        const double begin = h * g->yp[k], end = h * x->w_new[k];
        a[k] = g->y[k];
        if (x->is_algebraic[k]) {
            a[2 * n + k] = s < 0.0 ? (e / s - d) / (s - 1.0) : 0.0;
            a[n + k] = d - a[2 * n + k];
            a[3 * n + k] = 0.0;
            x->w_new[k] = (a[n + k] + 2.0 * a[2 * n + k]) / h;
        } else {
            a[n + k] = begin;
            a[2 * n + k] = 3.0 * d - 2.0 * begin - end;
            a[3 * n + k] = begin + end - 2.0 * d;
        }
        x->past[k] = g->y[k];
        x->before[k] = g->yp[k];
        g->y[k] = x->y_new[k];
        g->yp[k] = x->w_new[k];
    }
    x->h_past = h;
    x->has_jacobian = false;
}
