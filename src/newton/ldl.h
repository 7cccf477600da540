/* Sparse factors  P K P^T = L D L^T  of quasi-definite matrices  K = [ D1  A^T ; A  -D2 ],  D1,
 * D2 > 0 diagonal.
 *
 * Such a matrix has these factors for every symmetric permutation (Vanderbei 1995), so the ordering
 * looks at the pattern alone (AMD) and no pivoting spoils it. */
#ifndef RG_NEWTON_LDL_H
#define RG_NEWTON_LDL_H

#include "base/base.h"
#include "linalg/pattern.h"

typedef struct rg_ldl rg_ldl;

/* pattern: all of K, symmetric; used during the call only. */
rg_status rg_ldl_create(rg_context *ctx, const rg_pattern *pattern, rg_ldl **out);
void rg_ldl_destroy(rg_ldl **ldl);
/* Values in pattern order.  RG_RETRY: a pivot is 0 or not finite. */
rg_status rg_ldl_factor(rg_ldl *ldl, const double *values);
/* b <- K^-1 b */
void rg_ldl_solve(const rg_ldl *ldl, double *b);

#endif
