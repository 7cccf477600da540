/* Leading coefficients and denominators that vanish on the way, or where it begins:
 *
 *     (t - a) y' = ... ,   E(t, y) y' = f(t, y),   y' = y/(t - a).
 *
 * Where det K (ivp/determinants.h) or a denominator is 0, at t*, solutions may differ by powers
 * (t - t*)^lambda (ivp/exponents.h).  With lambda > 0 behind t* these all begin there with 0:
 * the solution that arrives does not determine what follows.  With lambda = 0 the place is
 * removable, and with lambda < 0 at most one solution goes on.
 *
 * A denominator that only comes near 0 may do so between the stages of a step, unseen. */
#ifndef RG_IVP_DEGENERATE_H
#define RG_IVP_DEGENERATE_H

#include "ivp/method.h"

/* For a run from where g stands.  *out is NULL where there is nothing to watch: no denominators,
 * and derivatives with constant factors or a higher index (ivp/passage/ watches there); many
 * unknowns. */
rg_status rg_degenerate_create(rg_integrator *g, rg_degenerate **out);
void rg_degenerate_destroy(rg_degenerate **d);
void rg_degenerate_store(rg_degenerate *d, rg_store *s);
/* After a step.  RG_ERR_CONVERGENCE: behind a place in it the solution is not determined; the step
 * ends there then.  RG_RETRY: it has gone over a place unseen; g stands at its start again, and is
 * to take a shorter one. */
rg_status rg_degenerate_look(rg_degenerate *d, rg_integrator *g);

#endif
