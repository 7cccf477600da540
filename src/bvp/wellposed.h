/* Is the boundary value problem well posed?  Conditions that the (hidden) constraints at their
 * point imply are dropped with a warning; contradictions and wrong counts are refused. */
#ifndef RG_BVP_WELLPOSED_H
#define RG_BVP_WELLPOSED_H

#include "bvp/collocation/profile.h"
#include "bvp/conditions.h"

/* Marks c->is_dropped.  RG_ERR_INCONSISTENT: a condition contradicts the constraints or an earlier
 * one; RG_ERR_STRUCTURE: too many or too few are left. */
rg_status rg_bvp_conditions_check(rg_problem *p, rg_bvp_form *f, rg_bvp_conditions *c,
                                  const rg_profile *guess);

/* A condition that was dropped as implied holds on one branch of the constraints:
 * RG_ERR_CONVERGENCE if the solution is on another. */
rg_status rg_bvp_conditions_hold(rg_bvp_conditions *c, const rg_curve *it, double rtol,
                                 double atol);

/* RG_ERR_STRUCTURE unless as many conditions are left as the model has degrees of freedom. */
rg_status rg_bvp_conditions_check_count(const rg_bvp_form *f, const rg_bvp_conditions *c);

#endif
