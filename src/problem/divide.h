/* Equations without the factors that make them 0 where nothing follows from it:
 *
 *     x^5 y = x^5 sin(t),  y^3 = x^3     become     y = sin(t),  y = x
 *
 * Where f (a - b) = 0 and f is not 0 all the time, a continuous solution has a = b also where f
 * passes 0; there the Jacobian of the product is singular, and nearby a - b is not told from
 * rounding.  f is left out where
 *   - f = 0 is no solution of its own: in place of the equation it leaves unknowns without one,
 *     whatever the values (no matching of equations and unknowns is complete), and a = b does not;
 *   - f is not 0 at the start, where it might stay 0;
 *   - a = b has an unknown without derivatives.  Other constraints lose rank where f = 0, and are
 *     passed as singular positions are (ivp/passage/). */
#ifndef RG_PROBLEM_DIVIDE_H
#define RG_PROBLEM_DIVIDE_H

#include "problem/problem.h"

/* Of a problem that is being made; changes its equations. */
rg_status rg_problem_divide(rg_problem *p);

#endif
