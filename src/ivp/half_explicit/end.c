/* The end of a step of a half-explicit method: both levels of the constraints to rounding,
 * multipliers from the hidden one. */
#include "ivp/half_explicit/half_explicit.h"
#include "ivp/half_explicit/tuning.h"
#include "ivp/tuning.h"
#include "newton/iterated.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef rg_status values_fn(rg_half *h, const rg_half_point *at, double *out);

/* part <- part - change,  D_a change + D_y mu = 0, c_u change = residual:  the least change in the
 * norm of D_a, by the matrix that was factored last; until the residual is rounding, or the next
 * change would be, by the rate of the last two. */
static rg_status move(rg_half_explicit *e, double t, double *X, const double *y, double *part,
                      values_fn *values)
{
    const bool is_top = part != X || e->order == 1;
    double before = INFINITY;

    rg_half_explicit_begin(e);
    for (int k = 0; k < RG_HALF_NEWTON; k++) {
        const rg_half_point at = rg_half_explicit_point(e, t, X, e->zero, y);
        RG_TRY(values(e->view, &at, e->bottom));
        memset(e->top, 0, (size_t)e->n * sizeof *e->top);
        rg_half_solve(e->view, e->top, e->bottom);
        double size = rg_half_explicit_of_x(e, 1.0, e->top, part, is_top);
        if (!isfinite(size)) return (rg_status)RG_RETRY;
        if (size >= RG_NOT_HALVED * before) {
            if (rg_is_nearly_iterated(before)) return RG_OK;
            rg_half_explicit_look_closer(e, 0.0, is_top);
            size = rg_half_explicit_of_x(e, 1.0, e->top, part, is_top);
            return rg_is_nearly_iterated(size) ? RG_OK : (rg_status)RG_RETRY;
        }
        for (int i = 0; i < e->n; i++)
            part[i] -= e->top[i];
        if (size < DBL_EPSILON) return RG_OK;
        if (isfinite(before) && RG_HALF_MARGIN * size * size < DBL_EPSILON * before) return RG_OK;
        before = size;
    }
    return rg_is_nearly_iterated(before) ? RG_OK : (rg_status)RG_RETRY;
}

rg_status rg_half_explicit_project(rg_half_explicit *e, double t, double *X, const double *y)
{
    rg_status status = RG_OK;

    if (e->m == 0) return RG_OK;
    if (rg_half_has_positions(e->view)) status = move(e, t, X, y, X, rg_half_position);
    if (status == RG_OK) status = move(e, t, X, y, X + e->N - e->n, rg_half_velocity);
    return status == (rg_status)RG_RETRY ? rg_pace_fail(&e->pace, RG_PACE_PROJECTION) : status;
}

static rg_status correct(rg_half_explicit *e, double t, const double *X, double *a, double *y)
{
    const rg_half_point at = rg_half_explicit_point(e, t, X, a, y);
    bool is_new;

    e->stats->evaluations++;
    RG_TRY(rg_half_dynamics(e->view, &at, e->top));
    RG_TRY(rg_half_constraint(e->view, &at, e->bottom)); /* its gradient */
    if (e->m > 0) RG_TRY(rg_half_hidden(e->view, &at, e->bottom));
    RG_TRY(rg_half_factor(e->view, &is_new));
    e->stats->factorizations += is_new;
    rg_half_solve(e->view, e->top, e->bottom);
    return RG_OK;
}

/* f where rg_half_is_explicit():  a = -D_a^-1 D(t, X, 0). */
rg_status rg_half_explicit_force(rg_half_explicit *e, double t, const double *X, double *f)
{
    double *a = f + e->N - e->n;
    const rg_half_point at = rg_half_explicit_point(e, t, X, e->zero, NULL);

    if (e->order == 2) memcpy(f, X + e->n, (size_t)e->n * sizeof *f);
    e->stats->evaluations++;
    RG_TRY(rg_half_force(e->view, &at, a));
    rg_half_solve(e->view, a, NULL);
    for (int k = 0; k < e->n; k++)
        a[k] = -a[k];
    return RG_OK;
}

/* Newton for  D(t, X, a, y) = 0, dc/dt(t, X, a) = 0,  from the values in f and y. */
rg_status rg_half_explicit_hidden(rg_half_explicit *e, double t, const double *X, double *f,
                                  double *y)
{
    double *a = f + e->N - e->n, size = INFINITY;

    if (rg_half_is_explicit(e->view)) return rg_half_explicit_force(e, t, X, f);
    if (e->order == 2) memcpy(f, X + e->n, (size_t)e->n * sizeof *f);
    rg_half_explicit_begin(e);
    for (int k = 0; k < RG_HALF_NEWTON; k++) {
        const double before = size;
        RG_TRY(correct(e, t, X, a, y));
        for (int i = 0; i < e->n; i++)
            a[i] -= e->top[i];
        for (int i = 0; i < e->m; i++)
            y[i] -= e->bottom[i];
        size = fmax(rg_half_explicit_of_a(e, e->top, a), rg_half_explicit_of_y(e, e->bottom, y));
        if (!isfinite(size)) return (rg_status)RG_RETRY;
        if (rg_half_is_linear(e->view) || rg_is_iterated(size, before)) return RG_OK;
        if (size >= RG_NOT_HALVED * before) rg_half_explicit_look_closer(e, 0.0, true);
    }
    return rg_is_nearly_iterated(size) ? RG_OK : (rg_status)RG_RETRY;
}
