/* The linearized collocation equations of a field on a mesh: stage unknowns condensed per interval,
 * then the chain.
 *
 * A field gives w = phi(t, x), explicitly or implicitly, by its linearization at the collocation
 * points of an iterate,
 *
 *     dw_ij = K dX_ij + r_ij,     X_ij = x_i + h_i sum_k a_jk X'_ik
 *
 * and w has the derivatives of the states that are not states themselves:
 *
 *     stages of interval i (stages.h)      =>  V_i = U_i dx_i + g_i,
 *         V: corrections of the highest derivatives
 *                                          =>  dx_{i+1} = Gamma_i dx_i + gamma_i
 *
 * Ascher, Mattheij, Russell (1995), elimination of local unknowns.  Conditions:  sum_k B_k
 * dx_k = beta  at the nodes. */
#ifndef RG_BVP_COLLOCATION_CONDENSED_H
#define RG_BVP_COLLOCATION_CONDENSED_H

#include "bvp/collocation/chain.h"
#include "bvp/collocation/stages.h"
#include "curve/curve.h"
#include "problem/problem.h"

typedef struct {
    void *user;       /* of the functions */
    rg_chains chains; /* of the states */
    const int *order; /* per state: 0 where it is an unknown, not a derivative of one */
    bool has_w;       /* the curves have w; otherwise it is X' and nothing else */
    int n_given;      /* conditions of the user: the first of the nx ones */
    /* Collocation point q = i s + j of `it`, at (t, X): r (n), and with is_new K (n x nx).  X
     * may be changed on the way. */
    rg_status (*stage)(void *user, const rg_curve *it, int64_t q, double t, double *X, bool is_new,
                       double *K, double *r);
    /* What is done at the end of interval i to Gamma (is_new) and gamma, or NULL. */
    rg_status (*end)(void *user, const rg_curve *it, int64_t i, bool is_new, double *Gamma,
                     double *gamma);
    rg_status (*conditions)(void *user, const rg_curve *it, bool is_new, double *B, double *beta);
} rg_collocation_field;

typedef struct {
    rg_context *ctx;
    rg_collocation_field field;
    int n, nx, s, n_nodes;
    int64_t N;
    double *K, *r; /* per collocation point, then per node: n x nx, n */
    rg_stages stages;
    double *S; /* per interval: factors of its stage equations ... */
    int *stage_pivot;
    double *U, *g; /* ... and their solutions */
    double *gamma, *beta;
    rg_chain *chain;
    double *X, *V;                 /* workspace: nx, one interval */
    bool *is_sized;                /* nx: the iterate tells how large a state is */
    bool has_factors, is_singular; /* of the chain */
    rg_stats *stats;
} rg_condensed;

/* it gives the shape; its node list must stay. */
rg_status rg_condensed_create(const rg_collocation_field *field, const rg_curve *it,
                              rg_stats *stats, rg_condensed **out);
void rg_condensed_destroy(rg_condensed **linear);
/* The Newton correction at `it`, linearized there (is_new) or with the factors at hand.  RG_RETRY:
 * singular, or cannot be evaluated. */
rg_status rg_condensed_correct(rg_condensed *l, const rg_curve *it, bool is_new, rg_curve *delta);
/* Units of the chain that make its blocks balanced, whatever sizes the iterate has: some of these
 * may be rounding. */
void rg_condensed_balance(rg_condensed *l);
/* dw = K dX + r at collocation point or node q. */
void rg_condensed_expand(const rg_condensed *l, int64_t q, const double *dX, double *dw);

/* How strongly the solution answers to its data: the largest change of a state, relative to scale
 * (nx), for a change of one condition relative to  sum_j |B_ij| scale_j.  u: (N + 1) nx, workspace.
 * Infinity: singular; NaN: no factors, since something could not be evaluated. */
double rg_condensed_conditioning(rg_condensed *l, const double *scale, double *u);
/* What rounding makes of the solution, relative to scale; u as before:
 *   RG_ROUNDING_EQUATIONS  in the equations
 *   RG_ROUNDING_FACTORS    in the factors, whose rows are wrong by units of the scale: from 1 on
 *                          the matrix is singular for all we know, and Newton's method leaves some
 *                          of the solution where it was */
typedef enum { RG_ROUNDING_EQUATIONS, RG_ROUNDING_FACTORS } rg_rounding;
double rg_condensed_noise(rg_condensed *l, const rg_curve *it, const double *scale,
                          rg_rounding kind, double *u);
/* What rounding makes of derivatives of the unknowns, relative to these; u as before. */
double rg_condensed_slopes(rg_condensed *l, const rg_curve *it, const double *scale, double *u,
                           int64_t *at);
/* How large the states would be if all equations were wrong by as much as their terms are large:
 * natural (nx).  terms: per stage 2 n, the first n of w; u as before. */
void rg_condensed_natural(rg_condensed *l, const rg_curve *it, const double *terms, double *u,
                          double *natural);
/* natural: not above the integral of such terms, since what conditions leave open is not made of
 * anything. */
void rg_condensed_bound(rg_condensed *l, const rg_curve *it, const double *terms, double *natural);

#endif
