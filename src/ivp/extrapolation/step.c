/* A step of an extrapolation method, as an attempt for ivp/pace.h, and rows inside it. */
#include "ivp/extrapolation/extrapolation.h"

#include <math.h>
#include <string.h>

/* The end of a half-explicit scheme: on the constraints, f and multipliers from the hidden one. */
static rg_status finish_half(rg_integrator *g, double t, double *X, double *f, double *y)
{
    rg_extrapolation *x = rg_extrapolation_of(g);
    rg_half_explicit *e = &x->half;

    memcpy(f, e->F, (size_t)e->N * sizeof *f);
    if (e->m > 0) memcpy(y, e->Y, (size_t)e->m * sizeof *y);
    RG_TRY(rg_half_explicit_project(e, t, X, y));
    const rg_status status = rg_half_explicit_hidden(e, t, X, f, y);
    return status == (rg_status)RG_RETRY ? rg_pace_fail(&e->pace, RG_PACE_RANK) : status;
}

static rg_status attempt_half(rg_integrator *g, double t)
{
    rg_extrapolation *x = rg_extrapolation_of(g);
    rg_half_explicit *e = &x->half;

    memcpy(e->x_new, x->T + (x->column - 1) * x->size, (size_t)e->N * sizeof *e->x_new);
    RG_TRY(finish_half(g, t, e->x_new, e->f_new, e->y_new));
    const rg_status status = rg_half_explicit_inner(g);
    return status == (rg_status)RG_RETRY ? rg_pace_fail(&e->pace, RG_PACE_RANK) : status;
}

/* y, y' in result; reduced views: on the hidden constraints. */
static rg_status finish_seulex(rg_integrator *g, double t, const double *result, double *y,
                               double *w)
{
    rg_extrapolation *x = rg_extrapolation_of(g);
    const size_t bytes = (size_t)g->n * sizeof *y;

    memcpy(y, result, bytes);
    memcpy(w, result + g->n, bytes);
    if (!rg_system_projects(g->system)) return RG_OK;
    for (int64_t k = 0; k < g->n; k++)
        x->right[k] = rg_integrator_atol(g, k) + g->options.rtol * fabs(y[k]);
    return rg_pace_project(g, &x->half.pace, t, x->right, y, w);
}

static rg_status attempt(rg_integrator *g, double *error)
{
    rg_extrapolation *x = rg_extrapolation_of(g);
    rg_half_explicit *e = &x->half;
    const double t = rg_pace_end(g, &e->pace);
    const rg_extrapolation_from from = {
        g->t, e->pace.h, t, x->is_half ? e->x : g->y, x->is_half ? e->f : g->yp, e->y};

    RG_TRY(rg_extrapolation_prepare(g));
    if (x->is_half) rg_half_explicit_see(e);
    RG_TRY(rg_extrapolation_table(g, &from));
    *error = x->column > 1 ? x->error[x->column - 1] : 0.0;
    if (!e->pace.is_fixed && !(*error < 1.0)) return RG_OK;
    if (x->is_half) return attempt_half(g, t);
    return finish_seulex(g, t, x->T + (x->column - 1) * x->size, x->y_new, x->w_new);
}

static void accept(rg_integrator *g)
{
    rg_extrapolation *x = rg_extrapolation_of(g);

    if (x->is_half)
        rg_half_explicit_accept(g);
    else
        rg_extrapolation_accept_seulex(g);
    x->row_column = x->column;
    rg_extrapolation_choose(g);
}

rg_status rg_extrapolation_step(rg_integrator *g)
{
    static const rg_pace_calls calls = {attempt, accept};

    return rg_pace_step(g, &rg_extrapolation_of(g)->half.pace, &calls);
}

/* The state before the last step is where accept has left it: x_new, f_before, y_new, and for
 * seulex past, before.  A row is a step from there; where that does not work, the polynomial. */
static rg_status side_step(rg_integrator *g, double t, double *y, double *yp)
{
    rg_extrapolation *x = rg_extrapolation_of(g);
    rg_half_explicit *e = &x->half;
    const rg_extrapolation_from from = {g->t_previous,
                                        t - g->t_previous,
                                        t,
                                        x->is_half ? e->x_new : x->past,
                                        x->is_half ? e->f_before : x->before,
                                        e->y_new};

    RG_TRY(rg_extrapolation_table(g, &from));
    double *end = x->T + (x->column - 1) * x->size;
    if (!x->is_half) return finish_seulex(g, t, end, y, yp);
    RG_TRY(finish_half(g, t, end, x->next, x->last));
    rg_half_explicit_give(e, end, x->last, y);
    rg_half_explicit_give(e, x->next, NULL, yp);
    return RG_OK;
}

static rg_status step_aside(rg_integrator *g, double t, double *y, double *yp)
{
    rg_extrapolation *x = rg_extrapolation_of(g);
    const rg_pace_cause cause = x->half.pace.cause;
    const int column = x->column;

    rg_integrator_eval(g, t, y, yp);
    if (!x->is_half) /* the Jacobian of the step is still there */
        memcpy(x->w_new, yp, (size_t)g->n * sizeof *yp);
    x->column = x->row_column;
    if (!x->is_half) RG_TRY(rg_aside_exchange(&x->matrix, &x->side[g->rows_for], false));
    const rg_status status = x->is_half ? rg_half_explicit_aside(g, &x->half, side_step, t, y, yp)
                                        : side_step(g, t, y, yp);
    if (!x->is_half) rg_aside_exchange(&x->matrix, &x->side[g->rows_for], false);
    x->column = column;
    x->half.pace.cause = cause;
    for (int64_t k = 0; k < g->n && !x->is_half && status == RG_OK; k++)
        if (x->is_algebraic[k]) yp[k] = x->w_new[k];
    return status;
}

/* Half-explicit schemes: only their own steps end on the constraints. */
rg_status rg_extrapolation_rows(rg_integrator *g, int64_t count)
{
    return rg_extrapolation_of(g)->is_half ? RG_OK : rg_aside_rows(g, step_aside, count);
}

rg_status rg_extrapolation_row(rg_integrator *g, double t, double *y, double *yp)
{
    return rg_aside_row(g, step_aside, t, y, yp);
}
