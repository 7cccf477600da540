/* Runs of models with fields through their expansion, by methods for ordinary models. */
#ifndef RG_SOLVE_EXPANDED_H
#define RG_SOLVE_EXPANDED_H

#include "solution/solution.h"

/* The request has been checked.  *out holds what was computed, also after a failure. */
rg_status rg_expanded_solve(const rg_problem *p, double t_end, const rg_options *o,
                            const rg_request *r, rg_solution **out);

#endif
