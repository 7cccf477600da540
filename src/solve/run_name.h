/* What makes a run the one that it is: the lines of its checkpoint. */
#ifndef RG_SOLVE_RUN_NAME_H
#define RG_SOLVE_RUN_NAME_H

#include "base/checkpoint.h"
#include "problem/problem.h"

void rg_name_run(rg_run_name *n, const rg_problem *p, double t_end, const rg_options *o,
                 const rg_request *r);

#endif
