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

/* At the linear prediction of the next point; `moves`: by r->error instead. */
static rg_status behind(rg_integrator *g, bool moves)
{
    rg_radau *r = rg_radau_of(g);

    for (int64_t i = 0; i < g->n; i++)
        r->Y[i] = g->y[i] + (moves ? r->error[i] : r->h * g->yp[i]);
    g->stats.jacobians++;
    r->t_jacobian = g->t + r->h;
    return rg_system_jacobian(g->system, g->work, r->t_jacobian, r->Y, g->yp, r->Jy, r->Jyp);
}

/* The linear prediction of what is differentiated, into r->error; slopes of algebraic unknowns may
 * be noise behind a restart. */
static void take_moves(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const rg_pattern *p = rg_system_pattern(g->system);

    for (int64_t j = 0; j < g->n; j++) {
        r->error[j] = 0.0;
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            if (r->Jyp[e] != 0.0) r->error[j] = r->h * g->yp[j];
    }
}

/* told: (F_y dy)_i; claimed: |F_y|_i |dy|, or 0 where that is not many times |F_y'|_i |y'|, that is
 * where the step is not longer than the times that the Jacobian tells.  Are there any? */
static bool find_claims(const rg_integrator *g, double *told, double *claimed)
{
    const rg_radau *r = rg_radau_of(g);
    const rg_pattern *p = rg_system_pattern(g->system);
    bool is_any = false;

    for (int64_t i = 0; i < g->n; i++)
        told[i] = claimed[i] = r->F[i] = 0.0;
    for (int64_t j = 0; j < g->n; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            const double part = r->Jy[e] * r->error[j];
            told[p->row[e]] += part;
            claimed[p->row[e]] += fabs(part);
            r->F[p->row[e]] += fabs(r->Jyp[e] * g->yp[j]);
        }
    for (int64_t i = 0; i < g->n; i++) {
        if (!(r->F[i] > 0.0 && claimed[i] > RG_RADAU_CLAIMED * r->F[i])) claimed[i] = 0.0;
        is_any = is_any || claimed[i] > 0.0;
    }
    return is_any;
}

/* Does the Jacobian at t_n tell what F does along the linear prediction of the first step?  It
 * need not where the slope of a root at nearly 0 stands in it: h' = 0.5 - sqrt(h) from h = 1e-30.
 * Newton's method takes any prediction for the solution then, and all errors are damped away.
 * Where F does more than it claims, exp(v/0.026) for 2 V, the Jacobian ahead is the one that does
 * this: a shorter step is needed then. */
rg_status rg_radau_jacobian_tells(rg_integrator *g, bool *is_so)
{
    rg_radau *r = rg_radau_of(g);
    double *const told = r->W, *const claimed = r->W + r->blocks * RG_LANES, *const F = r->F;
    double *const F_ahead = r->F + r->blocks * RG_LANES, t = g->t + r->h;

    *is_so = true;
    if (r->is_linear || r->is_fixed || r->highest > 1 || r->table->s == 1) return RG_OK;
    take_moves(g);
    if (!find_claims(g, told, claimed)) return RG_OK;
    for (int64_t i = 0; i < g->n; i++)
        r->Y[i] = g->y[i] + r->error[i];
    g->stats.evaluations += 2;
    rg_status status = rg_system_residual(g->system, g->work, t, r->Y, g->yp, F_ahead);
    if (status == RG_OK) status = rg_system_residual(g->system, g->work, t, g->y, g->yp, F);
    for (int64_t i = 0; i < g->n && status == RG_OK; i++) {
        const double change = F_ahead[i] - F[i], off = fabs(change - told[i]);
        if (fabs(change) < claimed[i] && off > RG_RADAU_UNTRUE * claimed[i]) *is_so = false;
    }
    return status < 0 ? status : RG_OK;
}

/* The same where the Jacobian is not finite there either, since an unknown does not move yet, the
 * second of two tanks that fill: it is moved by its tolerance. */
static rg_status beside(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);

    for (int64_t i = 0; i < g->n; i++) {
        r->error[i] = r->h * g->yp[i];
        if (r->error[i] == 0.0) r->error[i] = rg_integrator_atol(g, i);
    }
    return behind(g, true);
}

/* (t_n, y_n, y'_n), or behind it where the Jacobian is not finite there (the slope of a root at
 * 0), or says nothing of the step. */
static rg_status here(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    bool is_true = true;

    r->t_jacobian = g->t;
    rg_status status = rg_system_jacobian(g->system, g->work, g->t, g->y, g->yp, r->Jy, r->Jyp);
    if (status == RG_OK && r->h_accepted == 0.0 && r->h != 0.0)
        RG_TRY(rg_radau_jacobian_tells(g, &is_true));
    if (!is_true) status = behind(g, true);
    if (!is_true && status == (rg_status)RG_RETRY) {
        r->t_jacobian = g->t;
        return rg_system_jacobian(g->system, g->work, g->t, g->y, g->yp, r->Jy, r->Jyp);
    }
    if (status != (rg_status)RG_RETRY || r->h == 0.0) return status;
    status = behind(g, false);
    return status != (rg_status)RG_RETRY ? status : beside(g);
}

/* Ahead while all goes well, and in the shorter step behind a failure of Newton's method, where it
 * is nearer to all stages than t_n, too; when it fails again the prediction may be the reason: at
 * t_n. */
rg_status rg_radau_jacobian(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const bool is_expected = r->failures <= 1 || r->cause == RADAU_ERROR;
    const bool is_ahead = r->h_accepted != 0.0 && !r->is_fixed && is_expected;
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
    RG_TRY(behind(g, false));
    return rg_radau_factor(g);
}
