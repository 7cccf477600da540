/* The constraint term -B y as it is added to x' (index 3: x''). */
#include "ivp/srm/core.h"

#include <math.h>

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
