/* A solution between mesh points: the collocation polynomial, and algebraic unknowns with full
 * accuracy at the mesh points.
 *
 * x: as in iterate.h, plus a line that carries the corrections of the mesh values (projection on
 * the invariants).  w at mesh points solves F(t, x, w) = 0 there; in between, algebraic unknowns
 * are interpolated at 0, c_1 .. c_s, 1. */
#ifndef RG_BVP_COLLOCATION_DENSE_H
#define RG_BVP_COLLOCATION_DENSE_H

#include "bvp/collocation/profile.h"

enum { RG_DENSE_MOST = RG_RULE_MOST + 2 };

typedef struct {
    rg_context *ctx;
    const rg_curve *it; /* not owned */
    int n_points;       /* interpolation points of w */
    double v[RG_DENSE_MOST];
    int stage[RG_DENSE_MOST];                   /* of a point; -1: left end, -2: right end */
    double power[RG_DENSE_MOST][RG_DENSE_MOST]; /* l_j = sum_k power[j][k] v^k */
    double *x, *w; /* at mesh points: (N + 1) nx, (N + 1) 2 n, before and after */
} rg_collocation_dense;

/* for_output: mesh values are moved onto the invariants by the least change.  Otherwise w at mesh
 * points is not known where the model has no algebraic unknowns. */
rg_status rg_collocation_dense_create(rg_bvp_form *f, const rg_curve *it, bool for_output,
                                      rg_collocation_dense **out);
void rg_collocation_dense_destroy(rg_collocation_dense **dense);
int rg_collocation_dense_degree(const rg_collocation_dense *d);

/* Values at t_i + v h_i, for many intervals and one v:
 *     x = (1 - v) x_i + v x_{i+1} + h sum_j slope_j X'_ij,   slope_j = int_0^v l_j - v b_j;
 *         w = sum_j point_j w_j */
typedef struct {
    double v, slope[RG_RULE_MOST], point[RG_DENSE_MOST];
} rg_collocation_dense_weights;
void rg_collocation_dense_weigh(const rg_collocation_dense *d, double v,
                                rg_collocation_dense_weights *out);
void rg_collocation_dense_states(const rg_collocation_dense *d, int64_t i,
                                 const rg_collocation_dense_weights *at, double *x);
double rg_collocation_dense_unknown(const rg_collocation_dense *d, int64_t i,
                                    const rg_collocation_dense_weights *at, int k);

/* Power coefficients of all states (numbering of f->states) in interval i: (degree + 1)
 * n_states. */
void rg_collocation_dense_powers(const rg_collocation_dense *d, const rg_bvp_form *f, int64_t i,
                                 double *a);

#endif
