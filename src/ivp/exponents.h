/* Where the matrix M of x' = M x (ivp/growth.h) has a pole, at the distance tau = 0: do solutions
 * other than x = 0 begin there with 0?
 *
 * With entries M_ij ~ tau^-k_ij, and the least p >= 0 that fulfils p_j - p_i >= k_ij - 1,
 *
 *     x_i = tau^p_i z_i,     tau dz/dtau = C z,     C ~ tau M - diag(p)   bounded:             (1)
 *
 * an eigenvalue nu of C belongs to solutions x_i ~ tau^(p_i + nu), of which all are 0 at tau = 0
 * where Re nu > -p_i in the unknowns i that take part.  (Bessel's equation, x = (y, y'), has p =
 * (1, 0) and nu = n - 1, -n - 1: with n = 1 there is no such solution, as y' is given, with n = 2
 * there is.)  Without such a p, where the pole is no regular one, p = 0. */
#ifndef RG_IVP_EXPONENTS_H
#define RG_IVP_EXPONENTS_H

#include "ivp/growth.h"

/* Looks at M at two distances from t, in the direction of the run. */
rg_status rg_exponents_open(rg_growth *w, const rg_integrator *g, double t, double near, double far,
                            bool *is_open, int *state);

#endif
