/* A first solution of a nonlinear model: quasilinearization of the constrained system, every linear
 * problem in regularized form.  Newton's method for an iterate converges only from within O(eps),
 * since the derivatives of B E are multiplied by g/eps; here g is linearized first and the
 * points of linearization lie on the constraints. */
#ifndef RG_BVP_SRM_PREPARE_H
#define RG_BVP_SRM_PREPARE_H

#include "bvp/srm/sweep.h"

/* Improves z and Z' of s->it, which were taken from the guess (NULL) or `from`, a curve that
 * carries multipliers; pivots of GB below `near` are near a singular place at first.  Where the
 * last step was at most s->near_enough, it->w holds what the iterates begin with.  RG_RETRY: did
 * not converge. */
rg_status rg_bvp_srm_prepare(rg_bvp_srm_sweep *s, const rg_curve *from, double near);

#endif
