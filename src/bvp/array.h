/* The derivative array of a model whose offsets do not tell all, as an ODE with invariants.
 *
 * With x = (y_j^(r), r < m_j), m_j the highest derivative written, W = (y_j^(m_j), y_j^(m_j + 1),
 * ..., y_j^(m_j + mu)) and
 *
 *     F_mu(t, x, W) = (F, F', ..., F^(mu)) = 0,     M = dF_mu/dW,   N = dF_mu/dx                (1)
 *
 * (KM06, as in structure/array.h), rank M = rho on the solutions:
 *
 *     w = phi(t, x):  the first n entries of W with  (I - Pi) F_mu = 0,   dphi/dx = -M^+ N      (2)
 *     G(t, x) = rows of Pi F_mu,  Gx = rows of Pi N,   Pi = I - M M^+                           (3)
 *
 * mu is large enough when the first n entries of the null space of M vanish, and when Pi N has the
 * rank  sum m_j - degrees of freedom.  So no factors of combinations are looked for: Pi has them at
 * every point, whatever they depend on.  Redundant equations are rows of Pi F_mu that vanish with
 * the others.  Unknowns without a derivative may then have a part in the null space: w has the
 * least norm.  M^+ is that of rank rho (linalg/cod.h). */
#ifndef RG_BVP_ARRAY_H
#define RG_BVP_ARRAY_H

#include "problem/assembly.h"
#include "structure/analysis.h"

typedef struct rg_form_array rg_form_array;

/* x: unknown after unknown, orders 0 .. m_j - 1.  *out NULL and RG_OK: there is no such form, or
 * it is too large. */
rg_status rg_form_array_create(const rg_problem *p, const rg_analysis *a, rg_form_array **out);
void rg_form_array_destroy(rg_form_array **array);
int rg_form_array_invariants(const rg_form_array *a);
/* How far M is from losing rank at the last point, about 1 .. 1e-11; 0: it has lost it. */
double rg_form_array_pivot(const rg_form_array *a);
/* x = 0, W = 0: where solving for W starts. */
void rg_form_array_rest(rg_form_array *a);
/* (2).  w (n): a start for Newton's method, then phi; phi_x: n x nx, or NULL.  RG_RETRY: cannot
 * be evaluated, or M loses rank. */
rg_status rg_form_array_slope(rg_form_array *a, double t, const double *x, double *w,
                              double *phi_x);
/* (3); zeros where M loses rank */
rg_status rg_form_array_constrain(rg_form_array *a, double t, const double *x, double *G,
                                  double *Gx);

#endif
