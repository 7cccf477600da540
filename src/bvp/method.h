/* A boundary value method as the table of methods sees it: one function that solves, as the options
 * want it, and hands its result to a solution (curve/writer.h). */
#ifndef RG_BVP_METHOD_H
#define RG_BVP_METHOD_H

#include "solution/solution.h"

/* o: complete and checked; r: what to keep and to write.  A failure leaves in *out what there is,
 * or NULL. */
typedef rg_status rg_bvp_solve_fn(rg_problem *p, double t_end, const rg_options *o,
                                  const rg_request *r, rg_solution **out);

#endif
