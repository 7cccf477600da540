/* Free oscillations of the linearized equations, and whether a mesh follows them.
 *
 *     x' = M(t) x,
 *     M: rows of K = -Fw^-1 Fx (highest derivatives) and of the identity (the others), condensed.h
 *     phase_i = h_i max |Im mu|,
 *         mu: eigenvalues of M in interval i with |Im mu| > DAMPED |Re mu|
 *
 * Conditions at two points determine a solution only up to what the phase between them says:
 * y'' = -w^2 y, y(0) = y(1) = 0 has one solution or many, depending on w alone.  Data that are zero
 * do not show it: the zero solution has no error on any mesh.  Damped and growing modes do not
 * carry a phase over many waves; they are layers, which need no mesh where the solution has
 * none. */
#ifndef RG_BVP_COLLOCATION_WAVES_H
#define RG_BVP_COLLOCATION_WAVES_H

#include "bvp/collocation/profile.h"
#include "bvp/collocation/tuning.h"

/* phase: N values, in radians.  RG_RETRY: cannot be evaluated somewhere. */
rg_status rg_waves_phase(rg_bvp_form *f, const rg_curve *it, double *phase);
/* The largest phase per interval for which the phase over the whole is right to RG_PHASE_ERROR. */
double rg_waves_limit(int stages, double total);

#endif
