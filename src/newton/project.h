/* Projection onto invariants: the least change that makes  G(t, z) = 0. */
#ifndef RG_NEWTON_PROJECT_H
#define RG_NEWTON_PROJECT_H

#include "problem/assembly.h"

typedef struct rg_projector rg_projector;

/* Keeps the assembly (with Jacobian). */
rg_status rg_projector_create(rg_context *ctx, const rg_assembly *invariants, rg_projector **out);
void rg_projector_destroy(rg_projector **p);
/* Moves z[0 .. n_movable-1] (the first columns of the assembly; the others stay) so that sum
 * ((dz_j)/weight_j)^2 is smallest; Gauss-Newton to rounding.  Redundant invariants are no
 * contradiction.  RG_RETRY: it did not converge, z is as before. */
rg_status rg_projector_run(rg_projector *p, double t, const double *weight, int64_t n_movable,
                           double *z);
/* The change dz of z[0 .. n_movable-1] becomes one along the invariants: G_z dz = 0, the least
 * change of dz in the same sense.  RG_RETRY: G_z cannot be evaluated at z. */
rg_status rg_projector_tangent(rg_projector *p, double t, const double *weight, int64_t n_movable,
                               const double *z, double *dz);
/* The next run does not depend on those before; NULL is accepted. */
void rg_projector_forget(rg_projector *p);
/* The values G(t, z), valid until the next call.  RG_RETRY: they cannot be evaluated. */
rg_status rg_projector_values(rg_projector *p, double t, const double *z, const double **G);

#endif
