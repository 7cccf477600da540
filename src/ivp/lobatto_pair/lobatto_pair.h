/* The partitioned method of Lobatto IIIA and IIIB for mechanics of index 3, fixed steps:
 *
 *     Q_i = q_n + h sum_j a_ij V_j (IIIA),     V_i = v_n + h sum_j b_ij A_j (IIIB)
 *     D(t_i, Q_i, V_i, A_i, Y_i) = 0,          i = 1 .. s
 *     0 = g(t_i, Q_i),                         i = 2 .. s;  Q_s = q_{n+1}
 *     v_{n+1} = v_n + h sum_j b_j A_j,         0 = dg/dt(t_{n+1}, q_{n+1}, v_{n+1})
 *
 * Symmetric; with two stages this is RATTLE.  HLW06 VII.1, Jay (1996).  The state begins with that
 * of half-explicit methods, whose view, multipliers and dense output are used.
 * doc/methods/lobatto-pair.md. */
#ifndef RG_IVP_LOBATTO_PAIR_LOBATTO_PAIR_H
#define RG_IVP_LOBATTO_PAIR_LOBATTO_PAIR_H

#include "ivp/half_explicit/half_explicit.h"
#include "linalg/rule.h"

extern const rg_ivp_method rg_lobatto_pair_method;
rg_order_fn rg_order_lobatto_pair;

enum { PAIR_MOST = 5 };

typedef struct {
    rg_half_explicit half; /* first; F holds the stages (V_i, A_i) */
    int s;
    rg_rule first, second;            /* IIIA, IIIB */
    double E[PAIR_MOST * PAIR_MOST];  /* inverse of (A B)_ik, i = 2 .. s, k = 1 .. s - 1 */
    double *arena, *Q, *Y, *G, *rows; /* stages X_i; multipliers; g; right-hand sides */
} rg_lobatto_pair;

static inline rg_lobatto_pair *rg_lobatto_pair_of(const rg_integrator *g)
{
    return (rg_lobatto_pair *)g->state;
}

rg_status rg_lobatto_pair_step(rg_integrator *g);

#endif
