/* The constraint term -B y as it is added to x' (index 3: x''), and the multipliers in it. */
#include "ivp/srm/core.h"

#include <math.h>
#include <string.h>

/* From y' and f: By stays bounded where y does not, so y itself is not used. */
rg_status rg_srm_core_force(rg_srm_core *c, double t, const double *y, const double *yp,
                            double *out)
{
    double *x = c->point;

    for (int r = 0; r < c->order; r++)
        for (int k = 0; k < c->n_x; k++)
            x[r * c->n_x + k] = y[rg_srm_state(c, r, k)];
    const rg_status status = rg_semi_eval(c->view, t, x, rg_srm_v(c, x), &c->space.v);
    if (status < 0) return status;
    for (int k = 0; k < c->n_x; k++)
        out[k] = status == RG_OK ? yp[rg_srm_state(c, c->order - 1, k)] - c->space.v.f[k] : NAN;
    return RG_OK;
}

/* With alpha = (1, 2 gamma, gamma^2) and gamma = 1/h, g = O(h^2) at a stage makes 2 gamma dg/dt +
 * gamma^2 g = O(1): that drives x back, and is no part of the multipliers. */
void rg_srm_hidden(rg_srm_core *c, srm_space *w, double *y)
{
    const int m = c->n_y;

    memcpy(w->S, w->GB, (size_t)(m * m) * sizeof *w->S);
    if (!rg_srm_inverse_factor(c, w->S, w->pivot_S)) return;
    memcpy(y, c->order == 1 ? w->v.g1 : w->v.g2, (size_t)m * sizeof *y);
    rg_srm_add_product(m, c->n_x, w->v.G, w->v.f, y);
    rg_srm_inverse_solve(c, w->S, w->pivot_S, y);
}

/* (G B) y = G f + d^nu g/dt^nu,      nu the order, the derivative taken at x^(nu) = 0. */
rg_status rg_srm_core_multipliers(rg_srm_core *c, double t, const double *z, double *y)
{
    srm_space *w = &c->space;
    const int n = c->n_x, m = c->n_y;

    c->evaluations++;
    RG_TRY(rg_semi_eval(c->view, t, z, rg_srm_v(c, z), &w->v));
    rg_srm_form_GB(c, w);
    memcpy(w->S, w->GB, (size_t)m * (size_t)m * sizeof *w->S);
    if (!rg_srm_inverse_factor(c, w->S, w->pivot_S)) return RG_RETRY;
    rg_semi_level(c->view, c->order, y);
    rg_srm_add_product(m, n, w->v.G, w->v.f, y);
    rg_srm_inverse_solve(c, w->S, w->pivot_S, y);
    for (int k = 0; k < m; k++)
        if (!isfinite(y[k])) return RG_RETRY;
    return RG_OK;
}
