/* A curve is a piecewise polynomial on a mesh, together with values in its collocation points.
 * Collocation solutions, their Newton corrections and the iterates of sequential regularization are
 * of this type.
 *
 *     x(t_i + v h_i) = x_i + h_i sum_j X'_ij int_0^v l_j,     w(t_i + c_j h_i) = w_ij
 *
 * t_i: mesh points, h_i = t_{i+1} - t_i;  l_j: Lagrange polynomials on the s points c_j of the
 * rule.  x has nx components; w has n: the highest derivatives and algebraic unknowns of
 * collocation, or what an iterate of sequential regularization carries to the next one.  Some
 * mesh points are nodes, where side conditions are; there w has values of its own, wn. */
#ifndef RG_CURVE_CURVE_H
#define RG_CURVE_CURVE_H

#include "base/base.h"
#include "linalg/rule.h"

typedef struct {
    rg_context *ctx;
    rg_rule rule;
    int n, nx, n_nodes;
    int64_t N;
    double *t;     /* N + 1 */
    int64_t *node; /* mesh points where conditions are; the first is 0, the last N */
    double *x;     /* (N + 1) nx */
    double *Xp;    /* N s nx */
    double *w;     /* N s n */
    double *wn;    /* n_nodes n: w at the nodes */
    bool *is_kink; /* N + 1: mesh points where w may jump; NULL: it does not */
} rg_curve;

/* All values are 0.  Copies t.  points: n_nodes times that are among the mesh points. */
rg_status rg_curve_create(rg_context *ctx, const rg_rule *rule, int n, int nx, int64_t N,
                          const double *t, int n_nodes, const double *points, rg_curve **out);
/* Another one of the same shape, with zeros. */
rg_status rg_curve_like(const rg_curve *c, rg_curve **out);
void rg_curve_destroy(rg_curve **curve);
/* to = from + factor delta;  to = from.  All of one shape. */
void rg_curve_add(const rg_curve *from, double factor, const rg_curve *delta, rg_curve *to);
void rg_curve_copy(const rg_curve *from, rg_curve *to);
/* to = from, every number times 1 + part or 1 - part: signs that look random. */
void rg_curve_perturb(const rg_curve *from, double part, rg_curve *to);

/* Interval that holds t. */
int64_t rg_curve_find(const rg_curve *c, double t);
/* x, x' and w at t, in interval i; w by interpolation of the w_ij.  Each may be NULL. */
void rg_curve_eval(const rg_curve *c, int64_t i, double t, double *x, double *xp, double *w);
/* X = x_i + h sum_k a_jk X'_ik;  returns its time. */
double rg_curve_stage(const rg_curve *c, int64_t i, int j, double *X);
/* h sum_j b_j X'_ij: by how much the polynomial of component k grows over interval i.  At mesh
 * values that were projected x_{i+1} - x_i is a little different. */
double rg_curve_growth(const rg_curve *c, int64_t i, int k);
/* values: n numbers per collocation point.  Where is_good is 0 they are interpolated between the
 * nearest good points on both sides, or taken from the only one. */
void rg_curve_bridge(const rg_curve *c, int n, const uint8_t *is_good, double *values);

/* Collocation points are numbered i s + j. */
static inline double rg_curve_time(const rg_curve *c, int64_t point)
{
    const int64_t i = point / c->rule.s;

    return c->t[i] + c->rule.c[point % c->rule.s] * (c->t[i + 1] - c->t[i]);
}
static inline double *rg_curve_slope(const rg_curve *c, int64_t i, int j)
{
    return c->Xp + (i * c->rule.s + j) * c->nx;
}
static inline double *rg_curve_w(const rg_curve *c, int64_t i, int j)
{
    return c->w + (i * c->rule.s + j) * c->n;
}

#endif
