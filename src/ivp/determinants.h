/* The leading matrix of a model of index 0 or 1 and the determinants of its parts.
 *
 *     K = (F_y' in the columns of differentiated unknowns, F_y in the others)
 *
 * is singular where and only where a block of its block triangular form is.  Blocks whose
 * derivatives have constant factors are left out, so that little is left to compute: x' = v is a
 * block of its own. */
#ifndef RG_IVP_DETERMINANTS_H
#define RG_IVP_DETERMINANTS_H

#include "ivp/method.h"

typedef struct rg_determinants rg_determinants;

/* *out is NULL where every block has constant factors of derivatives. */
rg_status rg_determinants_create(const rg_integrator *g, rg_determinants **out);
void rg_determinants_destroy(rg_determinants **determinants);
void rg_determinants_store(rg_determinants *l, rg_store *s);
int rg_determinants_count(const rg_determinants *l);
/* Per block, in units of its first size, at t on the polynomial of the last step; one Jacobian.
 * NaN: cannot be told. */
rg_status rg_determinants_at(rg_determinants *l, rg_integrator *g, double t, double *out);

#endif
