/* Rows inside the last step of a half-explicit method, as good as its end. */
#include "ivp/half_explicit/half_explicit.h"

#include "ivp/aside.h"

#include <string.h>

/* The same method from t_n to the row.  Behind an accepted step x_new, f_before and y_new hold X,
 * X' and multipliers at t_n; the stages and the error are not needed any more. */
static rg_status take_step(rg_integrator *g, double t, double *y, double *yp)
{
    rg_half_explicit *e = rg_half_explicit_of(g);
    const rg_half_explicit kept = *e;
    const double now = g->t;

    e->x = kept.x_new;
    e->f = kept.f_before;
    e->y = kept.y_new;
    e->x_new = kept.error;
    e->pace.h = t - g->t_previous;
    e->pace.is_last = false;
    g->t = g->t_previous;
    rg_status status = rg_half_explicit_stages(g);
    g->t = now;
    if (status == RG_OK) status = rg_half_explicit_project(e, t, e->x_new, e->Y);
    if (status == RG_OK) {
        memcpy(e->f_new, e->F + (e->tableau->s - 1) * e->N, (size_t)e->N * sizeof *e->f_new);
        status = rg_half_explicit_hidden(e, t, e->x_new, e->f_new, e->Y);
    }
    const double *x = e->x_new, *f = e->f_new;
    *e = kept;
    if (status != RG_OK) return status;
    rg_integrator_eval(g, t, y, yp); /* what is no unknown of the view: states of events */
    rg_half_explicit_give(e, x, e->Y, y);
    rg_half_explicit_give(e, f, NULL, yp);
    return RG_OK;
}

rg_status rg_half_explicit_aside(rg_integrator *g, rg_half_explicit *e, rg_aside_fn *make, double t,
                                 double *y, double *yp)
{
    if (rg_half_is_explicit(e->view)) return make(g, t, y, yp); /* its matrix never changes */
    RG_TRY(rg_half_go_aside(e->view));
    const rg_status status = make(g, t, y, yp);
    rg_half_come_back(e->view);
    return status;
}

static rg_status step_aside(rg_integrator *g, double t, double *y, double *yp)
{
    return rg_half_explicit_aside(g, rg_half_explicit_of(g), take_step, t, y, yp);
}

/* Of order 2 the polynomials are as good as the steps. */
static bool has_side_steps(const rg_half_explicit *e)
{
    return e->is_partitioned && (e->order == 1 || e->m == 0);
}

rg_status rg_half_explicit_rows(rg_integrator *g, int64_t count)
{
    return has_side_steps(rg_half_explicit_of(g)) ? rg_aside_rows(g, step_aside, count) : RG_OK;
}

/* y, y' at t moved onto the constraints, multipliers from the hidden one; where that does not work
 * they stay. */
static rg_status settle(rg_integrator *g, double t, double *y, double *yp)
{
    rg_half_explicit *e = rg_half_explicit_of(g);
    const rg_pace_cause cause = e->pace.cause;

    rg_half_explicit_read(e, y, yp, e->X, e->Xbar, e->Y);
    rg_status status = rg_half_explicit_hidden(e, t, e->X, e->Xbar, e->Y); /* the matrix there */
    if (status == RG_OK) status = rg_half_explicit_project(e, t, e->X, e->Y);
    if (status == RG_OK) status = rg_half_explicit_hidden(e, t, e->X, e->Xbar, e->Y);
    e->pace.cause = cause;
    if (status == (rg_status)RG_RETRY) return RG_OK;
    if (status != RG_OK) return status;
    rg_half_explicit_give(e, e->X, e->Y, y);
    rg_half_explicit_give(e, e->Xbar, NULL, yp);
    return RG_OK;
}

rg_status rg_half_explicit_row(rg_integrator *g, double t, double *y, double *yp)
{
    rg_half_explicit *e = rg_half_explicit_of(g);

    if (yp == NULL) yp = e->weight;
    if (has_side_steps(e))
        RG_TRY(rg_aside_row(g, step_aside, t, y, yp));
    else
        rg_integrator_eval(g, t, y, yp);
    if (t == g->t || t == g->t_previous || e->m == 0) return RG_OK;
    return rg_half_explicit_aside(g, e, settle, t, y, yp);
}

/* Multipliers of a trial step with positions as constraints are what these have drifted, divided by
 * the square of its length; here they come from the hidden constraint. */
rg_status rg_half_explicit_settle(rg_integrator *g, const rg_state *before)
{
    rg_half_explicit *e = rg_half_explicit_of(g);

    if (e->m == 0) return RG_OK;
    rg_half_explicit_read(e, before->y, before->yp, e->X, e->Xbar, e->Y);
    const rg_status status = rg_half_explicit_hidden(e, before->t, e->X, e->Xbar, e->Y);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    rg_half_explicit_give(e, e->X, e->Y, g->y);
    rg_half_explicit_give(e, e->Xbar, NULL, g->yp);
    return RG_OK;
}
