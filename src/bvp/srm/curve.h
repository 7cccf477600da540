/* An iterate on a mesh: the collocation polynomial of z and what it carries to the next iterate in the collocation points.
 *
 *     z(t_i + v h_i) = z_i + h_i sum_j Z'_ij int_0^v l_j,     c_ij at t_i + c_j h_i */
#ifndef RG_BVP_SRM_CURVE_H
#define RG_BVP_SRM_CURVE_H

#include "base/base.h"
#include "bvp/collocation/rule.h"

typedef struct {
    rg_context *ctx;
    rg_rule rule;
    int n_z, n_c, n_nodes;
    int64_t N;
    double *t;     /* N + 1 */
    int64_t *node; /* mesh points where conditions are; the first is 0, the last N */
    double *z;     /* (N + 1) n_z */
    double *Zp;    /* N s n_z */
    double *c;     /* N s n_c */
} rg_srm_curve;

/* Copies t.  points: n_nodes times that are among the mesh points. */
rg_status rg_srm_curve_create(rg_context *ctx, const rg_rule *rule, int n_z, int n_c, int64_t N,
                              const double *t, int n_nodes, const double *points,
                              rg_srm_curve **out);
/* Another one of the same shape, with zeros. */
rg_status rg_srm_curve_like(const rg_srm_curve *c, rg_srm_curve **out);
void rg_srm_curve_destroy(rg_srm_curve **curve);
void rg_srm_curve_copy(const rg_srm_curve *from, rg_srm_curve *to);
/* to = from + factor delta, in z and Z' */
void rg_srm_curve_add(const rg_srm_curve *from, double factor, const rg_srm_curve *delta,
                      rg_srm_curve *to);
int64_t rg_srm_curve_find(const rg_srm_curve *c, double t); /* interval that holds t */
void rg_srm_curve_eval(const rg_srm_curve *c, int64_t i, double t, double *z);
void rg_srm_curve_rate(const rg_srm_curve *c, int64_t i, double t, double *zp); /* z' */
/* Stage value Z_ij = z_i + h sum_k a_jk Z'_ik and its time. */
double rg_srm_curve_stage(const rg_srm_curve *c, int64_t i, int j, double *Z);

/* values: n numbers per collocation point.  Where is_good is 0 they are interpolated between the nearest good points on
 * both sides, or taken from the only one. */
void rg_srm_curve_bridge(const rg_srm_curve *c, int n, const uint8_t *is_good, double *values);
static inline double rg_srm_time(const rg_srm_curve *c, int64_t point)
{
    const int64_t i = point / c->rule.s;

    return c->t[i] + c->rule.c[point % c->rule.s] * (c->t[i + 1] - c->t[i]);
}
static inline double *rg_srm_slope(const rg_srm_curve *c, int64_t i, int j)
{
    return c->Zp + (i * c->rule.s + j) * c->n_z;
}
static inline double *rg_srm_carried(const rg_srm_curve *c, int64_t i, int j)
{
    return c->c + (i * c->rule.s + j) * c->n_c;
}

#endif
