/* A warning for runs that nobody watches (ivp/passage/passage.h). */
#ifndef RG_SOLVE_UNWATCHED_H
#define RG_SOLVE_UNWATCHED_H

#include "solve/solver.h"

/* Once the start is known; again once there is an integrator.  Constraints with constant
 * coefficients lose no rank: no warning. */
rg_status rg_warn_unwatched(rg_solver *s, const rg_analysis *a);

#endif
