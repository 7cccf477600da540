/* The rank of G B on the solution: elimination with complete pivoting, which reveals it where
 * partial pivoting does not.  Pivots of redundant constraints, the last ones, are always lost. */
#include "ivp/srm/core.h"

#include "linalg/rank.h"

#include <math.h>
#include <string.h>

/* w->GB is that of the point; w->S is free. */
void rg_srm_pivot_now(rg_srm_core *c, double lost_below, srm_sample *out)
{
    srm_space *w = &c->space;
    const int m = c->n_y;

    memcpy(w->S, w->GB, (size_t)m * (size_t)m * sizeof *w->S);
    rg_srm_scale(c, w->S);
    out->p = INFINITY;
    out->lost = 0;
    for (int k = 0; k < m - c->n_redundant; k++) {
        const double pivot = rg_eliminate(m, k, w->S, NULL, NULL, NULL);
        if (k == 0 && !c->is_aside) c->largest = fmax(c->largest, pivot);
        out->p = fmin(out->p, pivot / c->largest);
        if (!(pivot > lost_below * c->largest)) out->lost++;
    }
}

rg_status rg_srm_pivot_at(rg_srm_core *c, const double *z, const double *y, double lost_below,
                          srm_sample *out)
{
    srm_space *w = &c->space;

    c->evaluations++;
    out->p = NAN; /* of no use */
    out->lost = 0;
    const rg_status status = rg_semi_eval_at(c->view, out->t, z, rg_srm_v(c, z),
                                             c->variant.is_nonlinear ? y : NULL, &w->v);
    if (status != RG_OK) return status == RG_RETRY ? RG_OK : status;
    rg_srm_form_GB(c, w);
    rg_srm_pivot_now(c, lost_below, out);
    return RG_OK;
}
