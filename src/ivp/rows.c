/* Output of an integrator: values in the last step as good as its end, with multipliers and highest
 * derivatives that the hidden constraints give. */
#include "ivp/integrator.h"

#include "ivp/method.h"
#include "ivp/switching/switching.h"

#include <float.h>
#include <math.h>
#include <string.h>

rg_status rg_integrator_rows(rg_integrator *g, int64_t count)
{
    rg_integrator *taker = g->taker != NULL ? g->taker : g;

    if (taker->method->rows == NULL || count == 0 || g->is_line) return RG_OK;
    return taker->method->rows(taker, count);
}

rg_status rg_integrator_between(rg_integrator *g, const uint8_t *counts, double *d, int64_t *state)
{
    const bool is_loose = rg_system_switch_count(g->system) > 0 && !rg_system_is_held(g->work);

    *d = 0.0;
    *state = -1;
    if (g->method->between == NULL || g->taker != NULL || g->is_line || is_loose) return RG_OK;
    return g->method->between(g, counts, d, state);
}

/* Branches are held, and may have hidden constraints that the model has not. */
static bool is_branched(const rg_integrator *g)
{
    return g->switching != NULL && g->method->is_radau && rg_system_hidden_levels(g->system) == 0;
}

/* In the reduced view multipliers are as good as states with most methods, where all of them are
 * determined. */
static bool has_recovery(const rg_integrator *g)
{
    const bool is_good = rg_system_hidden_levels(g->system) > 0 && g->method->has_multipliers
                         && rg_system_redundant(g->system) == 0;

    return g->recovery != NULL && !is_good;
}

double rg_integrator_recovery_gain(const rg_integrator *g)
{
    return has_recovery(g) && rg_system_redundant(g->system) > 0 ? rg_recovery_gain(g->recovery)
                                                                 : INFINITY;
}

/* Along a switch the equations of neither side hold. */
static rg_status recover(rg_integrator *g, bool is_rough, double t, double *y, double *yp)
{
    if (g->along != NULL && rg_system_index(g->system) > 1)
        return rg_switching_settle_row(g->along, t, y, yp);
    if (g->recovery == NULL && is_branched(g) && g->along == NULL)
        return rg_switching_recover_row(g->switching, t, y, yp);
    if (!has_recovery(g)) return RG_OK;
    return rg_recovery_run(g->recovery, &g->options, is_rough, t, y, yp, &g->recovered);
}

static rg_status take_row(rg_integrator *g, double t, double *y, double *yp)
{
    const size_t bytes = (size_t)g->n * sizeof *y;
    rg_integrator *x = g->taker;

    RG_TRY(x->method->row(x, t, g->taken, g->taken + x->n));
    memcpy(y, g->taken, bytes);
    memcpy(yp, g->taken + x->n, bytes);
    return RG_OK;
}

/* At a switch, up to rounding, and in the step behind it: the values are known. */
static bool is_behind_switch(const rg_integrator *g, double t)
{
    return g->n_switches > 0 && g->t_switch == g->t_previous
           && fabs(t - g->t_switch) <= 4.0 * DBL_EPSILON * fabs(t);
}

rg_status rg_integrator_row_work(rg_integrator *g, rg_system_work **work)
{
    rg_system_work **own = &g->row_work[g->rows_for];

    if (*own == NULL) RG_TRY(rg_system_work_create(g->system, own));
    *work = *own;
    return RG_OK;
}

rg_status rg_integrator_project_row(rg_integrator *g, double t, double *y, double *yp)
{
    if (!rg_system_projects(g->system) || g->is_line || t == g->t || t == g->t_previous)
        return RG_OK;
    if (g->row == NULL) g->row = rg_alloc(g->ctx, 3 * (size_t)g->n + 1, sizeof *g->row);
    if (g->row == NULL) return RG_ERR_MEMORY;
    rg_system_work *work;
    RG_TRY(rg_integrator_row_work(g, &work));
    rg_system_hold_as(g->system, work, g->work);
    const size_t bytes = (size_t)g->n * sizeof *y;
    double *weight = g->row, *z = weight + g->n, *zp = z + g->n;
    memcpy(z, y, bytes);
    memcpy(zp, yp, bytes);
    for (int64_t k = 0; k < g->n; k++)
        weight[k] = rg_integrator_atol(g, k) + g->options.rtol * fabs(y[k]);
    const rg_status status = rg_system_project(g->system, work, t, weight, z, zp);
    if (status != RG_OK) return status == (rg_status)RG_RETRY ? RG_OK : status;
    memcpy(y, z, bytes);
    memcpy(yp, zp, bytes);
    return RG_OK;
}

/* Multipliers are as the steps have them. */
static rg_status plain_row(rg_integrator *g, double t, double *y, double *yp)
{
    if (g->taker != NULL) return take_row(g, t, y, yp);
    if (rg_integrator_has_rows(g) && !g->is_line) return g->method->row(g, t, y, yp);
    rg_integrator_eval(g, t, y, yp); /* of a method that makes none itself */
    return rg_integrator_project_row(g, t, y, yp);
}

static void set_user(rg_integrator *g, rg_rows_user user)
{
    g->rows_for = user;
    if (g->taker != NULL) g->taker->rows_for = user;
}

rg_status rg_integrator_step_rows(rg_integrator *g, int64_t count)
{
    set_user(g, RG_ROWS_STEPS);
    const rg_status status = rg_integrator_rows(g, count);
    set_user(g, RG_ROWS_OUTPUT);
    return status;
}

rg_status rg_integrator_step_row(rg_integrator *g, double t, double *y, double *yp)
{
    set_user(g, RG_ROWS_STEPS);
    const rg_status status = plain_row(g, t, y, yp);
    set_user(g, RG_ROWS_OUTPUT);
    return status;
}

rg_status rg_integrator_row(rg_integrator *g, double t, double *y, double *yp)
{
    if (is_behind_switch(g, t)) {
        rg_integrator_eval(g, g->t_previous, y, yp);
        return RG_OK;
    }
    RG_TRY(plain_row(g, t, y, yp));
    /* between steps no level of constraints holds as at steps; a stabilized form of index 2 holds
     * one level of them, not all */
    const bool is_between = t != g->t && t != g->t_previous;
    const bool is_rough = is_between || !rg_integrator_has_rows(g) || g->method->passes;
    /* in the reduced view the row has been projected; not by a passage or another integrator */
    const bool is_projected = rg_system_hidden_levels(g->system) > 0 && is_between && !g->is_line
                              && !g->method->passes && g->taker == NULL;
    return recover(g, is_rough && !is_projected, t, y, yp);
}

bool rg_integrator_meets_switch(const rg_integrator *g, double t)
{
    return (g->is_at_switch && t == g->t) || is_behind_switch(g, t);
}

rg_status rg_integrator_slopes(rg_integrator *g, double t, double *y, double *yp)
{
    const bool is_edge = rg_integrator_meets_switch(g, t);

    if (g->recovery == NULL || g->along != NULL || is_edge || t == g->t_start) return RG_OK;
    return rg_recovery_run(g->recovery, &g->options, false, t, y, yp, &g->recovered);
}

rg_status rg_integrator_recovers(rg_integrator *g)
{
    RG_TRY(rg_recovery_create(g->system, &g->recovery));
    if (g->recovery == NULL && rg_system_switch_count(g->system) == 0) return RG_OK;
    g->result = rg_alloc(g->ctx, 2 * (size_t)g->n + 1, sizeof *g->result);
    return g->result != NULL ? RG_OK : RG_ERR_MEMORY;
}

const rg_recovery *rg_integrator_recovery(const rg_integrator *g)
{
    return g->recovery;
}

rg_status rg_integrator_result(rg_integrator *g, rg_state *out)
{
    const size_t bytes = (size_t)g->n * sizeof(double);

    *out = rg_integrator_state(g);
    if (g->has_result) *out = (rg_state){g->t, g->result, g->result + g->n};
    const bool is_given = g->recovery != NULL || (is_branched(g) && g->result != NULL);
    if (g->has_result || !is_given || g->t == g->t_start || g->is_at_switch) return RG_OK;
    if (rg_integrator_is_done(g)) { /* the end is the same whatever rows are kept before it */
        if (g->recovery != NULL) rg_recovery_forget(g->recovery);
        if (g->switching != NULL) rg_switching_forget_rows(g->switching);
    }
    memcpy(g->result, g->y, bytes);
    memcpy(g->result + g->n, g->yp, bytes);
    *out = (rg_state){g->t, g->result, g->result + g->n};
    return recover(g, false, g->t, g->result, g->result + g->n);
}
