/* Steps of backward differentiation on the Riccati form of the transfer, for rates that linear
 * Gauss steps would have to resolve.  sweep_riccati.c has the formulas. */
#ifndef RG_BVP_TRANSFER_SWEEP_RICCATI_H
#define RG_BVP_TRANSFER_SWEEP_RICCATI_H

#include "bvp/transfer/sweep_impl.h"

rg_status rg_riccati_create(rg_sweep *s);
void rg_riccati_destroy(rg_sweep *s);
/* From the last node on; nodes from `first` on may be used. */
void rg_riccati_begin(rg_sweep *s, int64_t first);
/* The step and its error as a multiple of what is allowed; RG_RETRY: take a smaller one. */
rg_status rg_riccati_try(rg_sweep *s, double t, double dt, rg_candidate *v, double *error);
/* Order and size of the next step, after one that was accepted or not. */
double rg_riccati_next(rg_sweep *s, double dt, double e, bool is_accepted);
int rg_riccati_order(const rg_sweep *s); /* of the step tried last */
/* u and h between `node` and the next one, a step of this kind; n more vectors (k numbers each)
 * go the way of h where f = 0. */
rg_status rg_riccati_eval(rg_sweep *s, int64_t node, double t, double *u, double *h, int n,
                          double *more);
/* The smallest eigenvalue of the symmetric part of u^T K(t) u sign(dt), at the last node. */
rg_status rg_riccati_decay(rg_sweep *s, double dt, double *mu);

#endif
