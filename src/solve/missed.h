/* Growth that a run did not follow.
 *
 * In  y' = a(t) y  a state may decay to 1e-22 and come back.  A method that is stable at infinity
 * damps what grows as well, h a >> 1: below atol it takes long steps, and y stays there for good.
 * No comparison of two runs shows that, since both do so.  The states in question are those that
 * are 0 together by themselves (solve/closed.h); close to 0 they follow
 *
 *     u' = M u,                                                                               (1)
 *
 * M as in ivp/growth.h, whatever their values are, and (1) is solved along the points of the run
 * (solve/trail.h) from the last one at which they have digits.  Where u leaves y far behind and
 * comes to values that count, the run has missed it. */
#ifndef RG_SOLVE_MISSED_H
#define RG_SOLVE_MISSED_H

#include "solve/closed.h"
#include "solve/trail.h"

typedef struct {
    double least, t_least; /* of u; least is NaN: nothing was missed */
} rg_missed;

/* small: per state, the value below which digits are missing.  missed: n. */
rg_status rg_missed_find(rg_trail *x, const rg_solver *s, const double *small, rg_missed *missed);

#endif
