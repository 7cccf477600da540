/* Boundary value problems behind rg_solve(). */
#ifndef RG_SOLVE_BOUNDARY_H
#define RG_SOLVE_BOUNDARY_H

#include "solution/solution.h"

/* What rg_solve_request() does for boundary value problems, after the request has been checked. */
rg_status rg_boundary_solve(const rg_problem *p, double t_end, const rg_options *o,
                            const rg_request *r, rg_solution **out);

#endif
