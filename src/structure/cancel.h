/* Equations replaced by combinations in which leading derivatives cancel.
 *
 * Where the system Jacobian J_ij = dF_i/dy_j^(d_j - c_i) is singular everywhere, w^T J = 0 with
 * factors w that may depend on time and unknowns.  With l the equation of the smallest c_l in the
 * combination,
 *
 *     sum_i w_i F_i^(c_i - c_l) = 0                                                        (1)
 *
 * holds in place of F_l, and y_j^(d_j - c_l) does not occur in it: the sum of the offsets falls.
 * This is repeated until the offsets tell all. */
#ifndef RG_STRUCTURE_CANCEL_H
#define RG_STRUCTURE_CANCEL_H

#include "structure/analysis.h"
#include "structure/tuning.h"

/* The problem with such equations, whose analysis is structural; kept in p->study.  NULL: there is
 * none, or it cannot be written (combinations over loops or sums, more than RG_CANCEL_MOST
 * equations in one, factors that depend on leading derivatives, or vanish at the start). */
rg_status rg_cancel_get(const rg_problem *p, const rg_problem **out);
/* A run on that problem failed: the remedy names the equations that were replaced. */
rg_status rg_cancel_tell(const rg_problem *p);

#endif
