/* Are there values at a point that meet all constraints and conditions there? */
#ifndef RG_BVP_LEAST_SQUARES_H
#define RG_BVP_LEAST_SQUARES_H

#include "bvp/inspection.h"

/* Looks from several places near the guess at the point of s.  The rows of s are then those of
 * the last place. */
rg_status rg_bvp_least_squares(rg_inspection *s, const rg_profile *guess, bool *is_possible);

/* After a failure: RG_ERR_INCONSISTENT where the conditions at some point can hardly be met,
 * whatever happens elsewhere; otherwise RG_OK, with the error as it was. */
rg_status rg_bvp_conditions_blame(rg_problem *p, rg_bvp_form *f, rg_bvp_conditions *c,
                                  const rg_profile *guess);

#endif
