/* The linearized collocation equations: stage unknowns condensed per interval, then the chain.
 *
 * Unknowns X'_ij, w_ij, x_i.  At an iterate, with X_ij = x_i + h_i sum_k a_jk X'_ik,
 *
 *     Fw dw_ij + Fx dX_ij = -F_ij          =>  dw = K dX + r,   K = -Fw^-1 Fx,  r = -Fw^-1 F
 *     stages of interval i (stages.h)      =>  V_i = U_i dx_i + g_i,   V: corrections of the highest derivatives
 *                                          =>  dx_{i+1} = Gamma_i dx_i + gamma_i
 *
 * Ascher, Mattheij, Russell (1995), elimination of local unknowns, written for F(t, x, w) = 0 in place of x' = f.
 * Conditions: at node k,  dw = K dx + r  likewise, so that they become  sum_k B_k dx_k = beta;  the invariants at the
 * first node complete them. */
#ifndef RG_BVP_COLLOCATION_CONDENSED_H
#define RG_BVP_COLLOCATION_CONDENSED_H

#include "bvp/collocation/chain.h"
#include "bvp/collocation/large.h"
#include "bvp/collocation/profile.h"
#include "bvp/collocation/stages.h"
#include "bvp/conditions.h"

typedef struct {
    rg_context *ctx;
    rg_bvp_form *f;
    rg_bvp_conditions *c;
    int n, nx, s, n_nodes;
    int64_t N;
    double *Fw, *K; /* per stage, then per node: factors (n n), n x nx */
    int *pivot;
    double *r; /* per stage and node: n */
    rg_stages stages;
    double *S; /* per interval: factors of its stage equations ... */
    int *stage_pivot;
    double *U, *g; /* ... and their solutions */
    double *gamma, *beta;
    rg_chain *chain;
    double *X, *V;                         /* workspace: nx, one interval */
    double *z, *values, *J, *G, *Gx;       /* conditions */
    double *mesh_Gx, *mesh_P, *mesh_scale; /* per interval, at its end: see project.c */
    double *GG;                            /* n_invariants squared, and one more row */
    int *GG_pivot;
    bool *is_left;                 /* per node: w is not determined there, and not needed */
    bool has_factors, is_singular; /* of the chain */
    rg_stats *stats;
    rg_large *large; /* or NULL: a large model, and none of the above but the shape */
} rg_condensed;

/* it gives the shape; its node list must stay. */
rg_status rg_condensed_create(rg_bvp_form *f, rg_bvp_conditions *c, const rg_curve *it,
                              rg_stats *stats, rg_condensed **out);
void rg_condensed_destroy(rg_condensed **linear);
/* The Newton correction at `it`, linearized there (is_new) or with the factors at hand.  RG_RETRY: singular, or cannot be
 * evaluated. */
rg_status rg_condensed_correct(rg_condensed *l, const rg_curve *it, bool is_new, rg_curve *delta);
/* Puts the end of interval i on the invariants, in the linearized equations.  project.c */
rg_status rg_condensed_project(rg_condensed *l, const rg_curve *it, int64_t i, bool is_new);

/* How strongly the solution answers to its data: the largest change of a state, relative to scale (nx), for a change of one
 * condition relative to  sum_j |B_ij| scale_j.  u: (N + 1) nx, workspace.  Infinity: singular;
 * NaN: no factors, since something could not be evaluated. */
double rg_condensed_conditioning(rg_condensed *l, const double *scale, double *u);
/* What rounding in the equations makes of the unknowns, or of their derivatives too, relative to scale; u as before. */
double rg_condensed_noise(rg_condensed *l, const rg_curve *it, const double *scale,
                          bool has_derivatives, double *u);

#endif
