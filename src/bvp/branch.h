/* The factor of a product that a guess is meant to make vanish.
 *
 *     0 = A(t, y, y') B(t, y, y')      is      A = 0  or  B = 0
 *
 * On A = 0 the derivatives of the product are B times those of A: where A holds algebraic unknowns
 * less often than B, all of dF/dw that the product contributes vanishes along that branch, its
 * index is another one, and no method for the product as written can hold it.  The branch is the
 * problem with A in place of the product (problem/products.h). */
#ifndef RG_BVP_BRANCH_H
#define RG_BVP_BRANCH_H

#include "bvp/guess.h"

/* Where dF/dw is singular all along the guess and exactly one factor of a product vanishes there:
 * the problem with that factor in place of the product, with a warning for p.  *out is NULL where
 * the problem as written will do. */
rg_status rg_branch_choose(const rg_problem *p, rg_bvp_form *f, const rg_guess *guess, double a,
                           double b, rg_problem **out);
/* Tells, as a warning for p, which factor of every product of f->p vanishes along a solution. */
rg_status rg_branch_tell(const rg_problem *p, rg_bvp_form *f, const rg_curve *solution);

#endif
