/* Keeps a run on its branch: no step may change the sign of a denominator with algebraic unknowns
 * (views/poles), or that of the determinant of a block of algebraic equations (ivp/determinants):
 * behind either Newton's method finds another solution of the same equations. */
#ifndef RG_IVP_BRANCH_H
#define RG_IVP_BRANCH_H

#include "base/store.h"
#include "ivp/integrator.h"

typedef struct rg_branch rg_branch;

/* NULL: nothing to watch. */
rg_status rg_branch_create(rg_integrator *g, rg_branch **out);
void rg_branch_destroy(rg_branch **branch);
/* One accepted step by step(g), shorter ones until no sign changes.  Where one changes all the
 * same, continuously (the numerator vanishes too), that denominator is not watched any more; where
 * it jumps, or where a determinant changes its sign, the run ends, unless doubts are accepted. */
rg_status rg_branch_step(rg_branch *b, rg_status (*step)(rg_integrator *g));
void rg_branch_store(rg_branch *b, rg_store *s);
/* Did the run go over to another solution (doubts are accepted), and when? */
bool rg_branch_has_jumped(const rg_branch *b, double *t);

#endif
