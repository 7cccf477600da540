/* The linearized collocation equations of one iterate: stages condensed per interval, then the chain.
 *
 *     Z'_ij = F(t_ij, Z_ij; c_ij),   Z_ij = z_i + h_i sum_k a_jk Z'_ik,   z_{i+1} = z_i + h_i sum_j b_j Z'_ij
 *     (I - h (a_jk M_ij)) dZ'_i = M_i dz_i + m_i,     M_ij = dF/dz,     m_ij = F_ij - Z'_ij
 *     dz_{i+1} = Gamma_i dz_i + gamma_i
 *
 * As in bvp/collocation/condensed.h, for an explicit right-hand side.  L section 4.1: one such system per iterate; for a linear
 * model the matrix is the same for all iterates. */
#ifndef RG_BVP_SRM_LINEAR_H
#define RG_BVP_SRM_LINEAR_H

#include "bvp/collocation/chain.h"
#include "bvp/srm/nodes.h"
#include "curve/curve.h"

typedef struct {       /* a linear field in the collocation points: z' = F + M (z - X) */
    double *X, *F, *M; /* N s n, N s n, N s n n */
} rg_srm_model;

typedef struct {
    rg_context *ctx;
    rg_srm_field *field;
    rg_srm_nodes *nodes;
    int n, s;
    int64_t N;
    double *S; /* per interval: factors (s n)^2 */
    int *pivots;
    double *U, *g;             /* per interval: s n x n, s n */
    double *gamma, *beta;      /* N n, n */
    double *M, *Z, *F, *z;     /* workspace; z: at the nodes */
    const rg_srm_model *model; /* NULL: the field itself; not owned */
    rg_chain *chain;
    bool has_factors, is_singular; /* is_singular: the last attempt to factor found no solution */
    rg_stats *stats;
} rg_srm_linear;

/* shape: gives mesh and nodes; must stay. */
rg_status rg_srm_linear_create(rg_srm_field *f, rg_srm_nodes *nodes, const rg_curve *shape,
                               rg_stats *stats, rg_srm_linear **out);
void rg_srm_linear_destroy(rg_srm_linear **linear);
/* The Newton correction at `it`, with new factors or the old ones.  before: carried values of the iterate before in all
 * collocation points, or NULL.  RG_RETRY: singular, or cannot be evaluated. */
rg_status rg_srm_linear_solve(rg_srm_linear *l, const rg_curve *it, const double *before,
                              const double *scale, bool is_new, rg_curve *delta);

/* How strongly z answers to its conditions: the largest change of an x, relative to scale, for a change of one condition
 * relative to what it is made of (bvp/collocation/conditioning.c).  u: (N + 1) n.  Infinity: singular; NaN: no factors. */
double rg_srm_linear_conditioning(rg_srm_linear *l, const double *scale, double *u);

#endif
