/* Linear boundary value problems by the Abramov transfer, behind rg_solve(). */
#ifndef RG_API_TRANSFER_H
#define RG_API_TRANSFER_H

#include "bvp/transfer/transfer.h"
#include "solution/solution.h"

/* Solves, hands values at the nodes and at chosen times to a new solution; with r->estimate a second run estimates the error. */
rg_status rg_transfer_solve(rg_problem *p, double t_end, const rg_options *o, const rg_request *r,
                            rg_solution **out);

#endif
