/* The modes of the linearized equations at a point:
 *
 *     x' = M(t) x,
 *     M: rows of K = -Fw^-1 Fx (highest derivatives) and of the identity (the others), condensed.h
 *
 * and its eigenvalues. */
#ifndef RG_BVP_COLLOCATION_MODES_H
#define RG_BVP_COLLOCATION_MODES_H

#include "bvp/form.h"

typedef struct {
    rg_bvp_form *f;
    double *re, *im; /* nx: eigenvalues */
    double *M;       /* nx x nx */
    double *F, *Fx, *Fw, *work;
    double *known; /* the Jacobian that re and im belong to, if is_known */
    bool is_known;
    int *pivot, n_work;
} rg_modes;

rg_status rg_modes_init(rg_bvp_form *f, rg_modes *out);
void rg_modes_clear(rg_modes *m);
/* At (t, x, w): M is overwritten by its eigenvalues' computation.  Where the Jacobian is that of
 * the call before, as with constant coefficients everywhere, re and im stay as they are.
 * RG_RETRY: cannot be evaluated, or singular. */
rg_status rg_modes_at(rg_modes *m, double t, const double *x, const double *w);

#endif
