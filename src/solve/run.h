/* A run from the start of the interval to its end, behind rg_solve(). */
#ifndef RG_SOLVE_RUN_H
#define RG_SOLVE_RUN_H

#include "solution/solution.h"

/* An initial value problem; the request has been checked.  *out is NULL before, and holds what was
 * computed afterwards, also after a failure. */
rg_status rg_run_solve(const rg_problem *p, double t_end, const rg_options *o, const rg_request *r,
                       rg_solution **out);

#endif
