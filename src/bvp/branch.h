/* Equations that are products, and the factor of them that a guess is meant to make vanish.
 *
 *     0 = A(t, y, y') B(t, y, y')      is      A = 0  or  B = 0
 *
 * On A = 0 the derivatives of the product are B times those of A: where A holds algebraic unknowns less often than B, all of
 * dF/dw that the product contributes vanishes along that branch, its index is another one, and no method for the product as
 * written can hold it.  The branch is the model with A in place of the product. */
#ifndef RG_BVP_BRANCH_H
#define RG_BVP_BRANCH_H

#include "bvp/guess.h"

/* Are there products of several factors with unknowns, or powers of one? */
bool rg_branch_has_products(const rg_problem *p);
/* Where dF/dw is singular all along the guess and exactly one factor of a product vanishes there, that factor takes the
 * place of the product, with a warning.  *is_changed: the problem is another one now; everything made from it is stale. */
rg_status rg_branch_choose(rg_problem *p, rg_bvp_form *f, const rg_guess *guess, double a, double b,
                           bool *is_changed);
/* Tells which factor of every product vanishes along a solution. */
rg_status rg_branch_tell(rg_problem *p, rg_bvp_form *f, const rg_curve *solution);
/* All products as they were written.  False: nothing had been replaced. */
bool rg_branch_restore(rg_problem *p);

#endif
