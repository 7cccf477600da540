/* A step is not to pass over the place where what was damped begins to drive itself.
 *
 *     x' = -k x y,   y' = s - k x y,   x(0) > 0
 *
 * goes on with x near 0 when x is used up.  With x < 0 and y near 0 the same equations have another
 * slow solution, from which all others flee.  Implicit methods damp growth that is faster than
 * their steps, and stay on it. */
#ifndef RG_IVP_USED_UP_H
#define RG_IVP_USED_UP_H

#include "base/store.h"
#include "ivp/integrator.h"

typedef struct rg_used_up rg_used_up;

/* *out is NULL where there is nothing to watch: linear models, hidden constraints, given steps,
 * explicit methods. */
rg_status rg_used_up_create(const rg_integrator *g, rg_used_up **out);
void rg_used_up_destroy(rg_used_up **watch);
void rg_used_up_store(rg_used_up *d, int64_t n, rg_store *s);
/* After a step.  RG_RETRY: it has passed over such a place; g stands at its start again, and is to
 * take a shorter one. */
rg_status rg_used_up_look(rg_used_up *d, rg_integrator *g);
/* The Jacobian where g stands, if it was looked at there. */
bool rg_used_up_jacobian(const rg_used_up *d, const rg_integrator *g, double *Jy, double *Jyp);

#endif
