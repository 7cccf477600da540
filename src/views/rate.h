/* The partial derivative of a view in time, F_t(t, y, y'), for linearly implicit methods.
 *
 * Exact where the equations are expressions: every row is differentiated once more, and with the
 * derivative of y' put to zero
 *
 *     F_t = dF/dt - F_y y',       d(j, r)/dt = (j, r + 1) where that is a state.
 *
 * Callbacks: a difference quotient. */
#ifndef RG_VIEWS_RATE_H
#define RG_VIEWS_RATE_H

#include "views/system.h"

typedef struct rg_rate rg_rate;

/* Is there a node `t` in an equation, or in a sum below it? */
bool rg_rate_has_time(const rg_body *body);
/* Does time occur in no equation?  Of callbacks nothing is known: false. */
bool rg_rate_is_autonomous(const rg_problem *p);
/* For the direct and the reduced view. */
rg_status rg_rate_create(const rg_system *s, rg_rate **out);
void rg_rate_destroy(rg_rate **r);
/* Does time occur in the equations at all?  If not, F_t is zero and need not be asked for. */
bool rg_rate_is_zero(const rg_rate *r);
/* Jy: dF/dy at the same point, in the order of the view's pattern; span: a length in t for
 * difference quotients.  RG_RETRY: cannot evaluate here. */
typedef struct {
    double t;
    const double *y, *yp, *Jy;
    double span;
} rg_rate_point;
rg_status rg_rate_eval(rg_rate *r, rg_system_work *w, const rg_rate_point *at, double *Ft);

#endif
