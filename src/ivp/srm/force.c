#include "ivp/srm/srm_impl.h"

#include <math.h>

int64_t rg_srm_forces(const rg_integrator *g)
{
    return g->srm != NULL ? g->srm->n_x : 0;
}

int64_t rg_srm_force_state(const rg_integrator *g, int64_t k)
{
    const rg_srm *b = g->srm;

    return b->order == 1 ? rg_semi_x(b->view)[k] : rg_semi_v(b->view)[k];
}

/* From y' and f: By stays bounded where y does not, so y itself is not used. */
rg_status rg_srm_force(const rg_integrator *g, double t, const double *z, double *out)
{
    const rg_srm *b = g->srm;
    const int64_t *x = rg_semi_x(b->view), *v = rg_semi_v(b->view);
    double *position = b->stage, *speed = b->stage + b->n_x; /* free between steps */

    for (int k = 0; k < b->n_x; k++) {
        position[k] = z[x[k]];
        if (b->order == 2) speed[k] = z[v[k]];
    }
    rg_semi_values values = b->space.v;
    const rg_status status = rg_semi_eval(b->view, t, position, speed, &values);
    if (status < 0) return status;
    for (int k = 0; k < b->n_x; k++) {
        const double rate = z[g->n + (b->order == 1 ? x[k] : v[k])];
        out[k] = status == RG_OK ? rate - values.f[k] : NAN;
    }
    return RG_OK;
}
