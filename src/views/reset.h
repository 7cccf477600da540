/* Consistent values at events of a run: all hidden constraints met, again and again. */
#ifndef RG_VIEWS_RESET_H
#define RG_VIEWS_RESET_H

#include "views/system.h"

typedef struct rg_reset rg_reset;

/* The system must live longer, and so must sizes: per state, the largest value so far.  Beside it
 * rounding is 0.  NULL: none are known. */
rg_status rg_reset_create(const rg_system *s, const double *sizes, rg_reset **out);
void rg_reset_destroy(rg_reset **r);
/* y, y' behind an event.  kept, per state: has been assigned and stays.  Other differentiated
 * unknowns change as little as possible, velocities of mechanical systems by impulses along the
 * gradients of the constraints; the rest follows.  RG_ERR_INCONSISTENT names the equation. */
rg_status rg_reset_run(rg_reset *r, double t, const uint8_t *kept, double *y, double *yp);
/* ... before one: what the tolerance of a method has left is taken off by the least change.
 * RG_RETRY, without a message: it cannot be. */
rg_status rg_reset_project(rg_reset *r, double t, double *y, double *yp);
/* The row of an equation that a state has made another kind of equation than it was where the model
 * was analysed, by the values of the last run; -1: there is none. */
int64_t rg_reset_changed(rg_reset *r);

#endif
