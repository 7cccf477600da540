/* The system Jacobian  J_ij = dF_i / dy_j^(d_j - c_i)  of the offsets, block by block. */
#ifndef RG_STRUCTURE_JACOBIAN_H
#define RG_STRUCTURE_JACOBIAN_H

#include "structure/sampler.h"
#include "structure/signature.h"

/* At the point where s has just been evaluated: is_singular[b] per diagonal block, where it is 1 on
 * entry (blocks that are 0 are not looked at again), and how many are left.  least (2, or NULL)
 * falls to the smallest pivot over the largest one of those that are regular, and of those that are
 * singular (rg_is_regular()). */
rg_status rg_system_jacobian_check(const rg_sampler *s, const rg_transversal *t,
                                   uint8_t *is_singular, int64_t *n_singular, double *least);

#endif
