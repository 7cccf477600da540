#include "ivp/radau/radau.h"

/* Jacobians at (t_n, y_n, y'_n); where they are not finite (the slope of a root at 0), at the linear prediction of the
 * next point. */
rg_status rg_radau_jacobian(rg_integrator *g)
{
    rg_radau *r = g->radau;

    r->has_jacobian = r->is_fresh = false;
    r->h_factored = 0.0;
    g->stats.jacobians++;
    rg_status status = rg_system_jacobian(g->system, g->work, g->t, g->y, g->yp, r->Jy, r->Jyp);
    if (status == (rg_status)RG_RETRY && r->h != 0.0) {
        for (int64_t i = 0; i < g->n; i++)
            r->Y[i] = g->y[i] + r->h * g->yp[i];
        g->stats.jacobians++;
        status = rg_system_jacobian(g->system, g->work, g->t + r->h, r->Y, g->yp, r->Jy, r->Jyp);
    }
    if (status != RG_OK) {
        r->cause = RADAU_VALUES;
        return status;
    }
    r->has_jacobian = r->is_fresh = true;
    return r->n_pins > 0 && !r->has_pins ? rg_radau_find_pins(g) : RG_OK;
}

/* (gamma/h) F_y' + F_y  and  ((alpha_k + i beta_k)/h) F_y' + F_y */
static rg_status factor(rg_integrator *g)
{
    rg_radau *r = g->radau;
    const rg_radau_table *m = r->table;
    const double h = r->h;

    r->h_factored = 0.0;
    g->stats.factorizations++;
    rg_status status = rg_matrix_factor(r->real, m->gamma / h, 0.0, r->Jy, r->Jyp);
    for (int k = 0; k < m->s / 2 && status == RG_OK; k++)
        status = rg_matrix_factor(r->pair[k], m->alpha[k] / h, m->beta[k] / h, r->Jy, r->Jyp);
    if (status == RG_OK)
        r->h_factored = h;
    else
        r->cause = RADAU_SINGULAR;
    return status;
}

rg_status rg_radau_prepare(rg_integrator *g)
{
    rg_radau *r = g->radau;

    if (!r->has_jacobian) RG_TRY(rg_radau_jacobian(g));
    return r->h_factored == r->h ? RG_OK : factor(g);
}
