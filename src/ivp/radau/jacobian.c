/* The Jacobian of a step of Radau IIA: where it is evaluated, when anew, and its factors. */
#include "ivp/radau/radau.h"
#include "ivp/radau/tuning.h"

#include <math.h>

static rg_status ahead(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const double u = fmin(RG_RADAU_AHEAD * r->h / r->h_accepted, RG_RADAU_AHEAD_MOST);

    r->t_jacobian = g->t + u * r->h_accepted;
    rg_integrator_eval(g, r->t_jacobian, r->Y, r->Yp);
    return rg_system_jacobian(g->system, g->work, r->t_jacobian, r->Y, r->Yp, r->Jy, r->Jyp);
}

/* At the linear prediction of the next point. */
static rg_status behind(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);

    for (int64_t i = 0; i < g->n; i++)
        r->Y[i] = g->y[i] + r->h * g->yp[i];
    g->stats.jacobians++;
    r->t_jacobian = g->t + r->h;
    return rg_system_jacobian(g->system, g->work, r->t_jacobian, r->Y, g->yp, r->Jy, r->Jyp);
}

/* (t_n, y_n, y'_n), or behind it where the Jacobian is not finite there (the slope of a root at
 * 0). */
static rg_status here(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);

    r->t_jacobian = g->t;
    const rg_status status =
        rg_system_jacobian(g->system, g->work, g->t, g->y, g->yp, r->Jy, r->Jyp);
    return status != (rg_status)RG_RETRY || r->h == 0.0 ? status : behind(g);
}

/* Ahead while all goes well; when Newton's method has failed, the prediction may be the reason:
 * at t_n. */
rg_status rg_radau_jacobian(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const bool is_ahead =
        r->h_accepted != 0.0 && !r->is_fixed && (r->failures == 0 || r->cause == RADAU_ERROR);
    rg_status status = (rg_status)RG_RETRY;

    r->has_jacobian = r->is_fresh = r->has_rates = false;
    r->h_factored = 0.0;
    g->stats.jacobians++;
    if (is_ahead) status = ahead(g);
    if (status == (rg_status)RG_RETRY) {
        if (is_ahead) g->stats.jacobians++;
        r->is_fresh = true;
        status = here(g);
    }
    if (status != RG_OK) {
        r->is_fresh = false;
        r->cause = RADAU_VALUES;
        return status;
    }
    r->has_jacobian = true;
    r->is_old = false;
    return r->n_pins > 0 ? rg_radau_find_pins(g) : RG_OK;
}

/* (gamma/h) F_y' + F_y  and  ((alpha_k + i beta_k)/h) F_y' + F_y */
rg_status rg_radau_factor(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const rg_rule_modes *m = r->table;
    const double h = r->h;

    rg_matrix_task tasks[RADAU_PAIRS + 1] = {
        {r->real, m->gamma / h, 0.0}
    };
    for (int k = 0; k < m->s / 2; k++)
        tasks[k + 1] = (rg_matrix_task){r->pair[k], m->alpha[k] / h, m->beta[k] / h};
    r->h_factored = 0.0;
    g->stats.factorizations++;
    const rg_status status = rg_matrix_factor_all(m->s / 2 + 1, tasks, r->Jy, r->Jyp);
    if (status == RG_OK)
        r->h_factored = h;
    else
        r->cause = RADAU_SINGULAR;
    return status;
}

rg_status rg_radau_prepare(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);

    if (!r->has_jacobian) RG_TRY(rg_radau_jacobian(g));
    if (r->h_factored == r->h) return RG_OK;
    const rg_status status = rg_radau_factor(g);
    if (status != (rg_status)RG_RETRY || !rg_radau_may_begin(g)) return status;
    r->begins = true; /* t y = sin t from t = 0 */
    r->is_fresh = false;
    RG_TRY(behind(g));
    return rg_radau_factor(g);
}
