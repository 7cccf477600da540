/* Sequential regularization for boundary values behind rg_solve(). */
#ifndef RG_SOLVE_BOUNDARY_SRM_H
#define RG_SOLVE_BOUNDARY_SRM_H

#include "bvp/boundary.h"
#include "bvp/srm/srm.h"

/* Hands the result to a solution as points and steps.  boundary_srm_output.c */
rg_status rg_boundary_srm_write(rg_problem *p, rg_srm_result *result, const rg_request *r,
                                rg_solution **out);

#endif
