/* The implicit equations 0 = F(t, x, w) of a boundary value form (bvp/form.h) on a mesh, linearized
 * at an iterate:
 *
 *     Fw dw_ij + Fx dX_ij = -F_ij          =>  dw = K dX + r,   K = -Fw^-1 Fx,  r = -Fw^-1 F
 *
 * which condensed.h takes from there.  Conditions: at node k,  dw = K dx + r  likewise, so that
 * they become sum_k B_k dx_k = beta;  the invariants at the first node complete them.  Large
 * models: large.h in place of all that. */
#ifndef RG_BVP_COLLOCATION_IMPLICIT_H
#define RG_BVP_COLLOCATION_IMPLICIT_H

#include "bvp/collocation/condensed.h"
#include "bvp/collocation/large.h"
#include "bvp/conditions.h"

typedef struct {
    rg_bvp_form *f;
    rg_bvp_conditions *c;
    rg_condensed *linear;
    rg_large *large; /* or NULL: a large model, and nothing else here */
    int n, nx, n_nodes;
    int64_t n_stages; /* of the whole mesh */
    double *Fw;       /* per stage, then per node: factors (n n) */
    int *pivot;
    /* per stage 2 n: what w is made of, with Fw^-1 and without; 2 n: workspace */
    double *terms, *size;
    double *z, *values, *J, *G, *Gx; /* conditions */
    double *mesh_U, *mesh_T;         /* per interval, at its end: see project.c */
    bool *is_projected;              /* there */
    bool *is_left;                   /* per node: w is not determined there, and not needed */
    rg_stats *stats;
} rg_implicit;

/* it gives the shape; its node list must stay. */
rg_status rg_implicit_create(rg_bvp_form *f, rg_bvp_conditions *c, const rg_curve *it,
                             rg_stats *stats, rg_implicit **out);
void rg_implicit_destroy(rg_implicit **equations);
/* Correction, conditioning and noise as in condensed.h, by full or sparse matrices. */
rg_status rg_implicit_correct(rg_implicit *l, const rg_curve *it, bool is_new, rg_curve *delta);
double rg_implicit_conditioning(rg_implicit *l, const double *scale, double *u);
double rg_implicit_noise(rg_implicit *l, const rg_curve *it, const double *scale, rg_rounding kind,
                         double *u);
double rg_implicit_slopes(rg_implicit *l, const rg_curve *it, const double *scale, double *u,
                          int64_t *at);
/* How large states and w (nx + n) would be if nothing cancelled; twice: with the inverse of the
 * equations, as rounding in their terms makes itself felt, and from the terms of the best equation
 * of each alone, which no ill-conditioned equations enlarge. */
void rg_implicit_natural(rg_implicit *l, const rg_curve *it, double *u, double *natural);

/* Puts the end of interval i on the invariants, in the linearized equations.  project.c */
rg_status rg_implicit_project(void *user, const rg_curve *it, int64_t i, bool is_new, double *Gamma,
                              double *gamma);

#endif
