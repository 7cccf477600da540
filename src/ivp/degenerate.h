/* Leading coefficients that vanish on the way:  (t - a) y' = ... , or E(t, y) y' = f(t, y).
 *
 * In a model of index 0 or 1 small changes x of a solution follow
 *
 *     x' = M x,     M = -(K^-1 F_y)   in the differentiated unknowns,                         (1)
 *
 * K having the columns F_y' of the differentiated unknowns and F_y of the others.  Where det K
 * changes its sign, at t*, eigenvalues mu of M may grow like lambda/(t - t*).  With lambda > 0
 * behind t* the changes |t - t*|^lambda all begin there with 0: the solution that arrives does not
 * determine what follows.  With lambda = 0 the place is removable, and with lambda < 0 at most one
 * solution goes on. */
#ifndef RG_IVP_DEGENERATE_H
#define RG_IVP_DEGENERATE_H

#include "ivp/method.h"

/* For a run from where g stands.  *out is NULL where there is nothing to watch: derivatives with
 * constant factors, a higher index (ivp/passage/ watches there), many unknowns. */
rg_status rg_degenerate_create(const rg_integrator *g, rg_degenerate **out);
void rg_degenerate_destroy(rg_degenerate **d);
/* After a step.  RG_ERR_CONVERGENCE: behind a place in it the solution is not determined; the step
 * ends there then. */
rg_status rg_degenerate_look(rg_degenerate *d, rg_integrator *g);

#endif
