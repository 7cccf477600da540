#include "ivp/srm/srm_impl.h"

#include <math.h>

int64_t rg_srm_forces(const rg_integrator *g)
{
    return g->srm != NULL ? g->srm->n_x : 0;
}

int64_t rg_srm_force_state(const rg_integrator *g, int64_t k)
{
    const rg_srm *b = g->srm;

    return rg_srm_state(b, b->order - 1, (int)k);
}

/* From y' and f: By stays bounded where y does not, so y itself is not used. */
rg_status rg_srm_force(const rg_integrator *g, double t, const double *z, double *out)
{
    const rg_srm *b = g->srm;
    double *point = b->stage; /* free between steps */

    for (int r = 0; r < b->order; r++)
        for (int k = 0; k < b->n_x; k++)
            point[r * b->n_x + k] = z[rg_srm_state(b, r, k)];
    rg_semi_values values = b->space.v;
    const rg_status status = rg_semi_eval(b->view, t, point, rg_srm_v(b, point), &values);
    if (status < 0) return status;
    for (int k = 0; k < b->n_x; k++) {
        const double rate = z[g->n + rg_srm_force_state(g, k)];
        out[k] = status == RG_OK ? rate - values.f[k] : NAN;
    }
    return RG_OK;
}
