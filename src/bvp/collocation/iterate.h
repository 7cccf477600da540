/* A piecewise polynomial on a mesh: what collocation looks for, and its Newton corrections.
 *
 *     x(t_i + v h_i) = x_i + h_i sum_j X'_ij int_0^v l_j,     w(t_i + c_j h_i) = w_ij */
#ifndef RG_BVP_COLLOCATION_ITERATE_H
#define RG_BVP_COLLOCATION_ITERATE_H

#include "bvp/collocation/rule.h"
#include "bvp/form.h"

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
} rg_iterate;

/* Copies t; node: the points among the mesh points. */
rg_status rg_iterate_create(rg_context *ctx, const rg_rule *rule, int n, int nx, int64_t N,
                            const double *t, int n_nodes, const double *points, rg_iterate **out);
void rg_iterate_destroy(rg_iterate **it);
/* to = from + factor * delta; all of one shape. */
void rg_iterate_add(const rg_iterate *from, double factor, const rg_iterate *delta, rg_iterate *to);
/* Interval that holds t. */
int64_t rg_iterate_find(const rg_iterate *it, double t);
/* x, x' and w at t, in interval i; w by interpolation of the w_ij. */
void rg_iterate_eval(const rg_iterate *it, int64_t i, double t, double *x, double *xp, double *w);
/* X = x_i + h sum_j a_kj X'_ij */
void rg_iterate_stage(const rg_iterate *it, int64_t i, int k, double *X);

static inline double *rg_stage_slope(const rg_iterate *it, int64_t i, int k)
{
    return it->Xp + (i * it->rule.s + k) * it->nx;
}
static inline double *rg_stage_w(const rg_iterate *it, int64_t i, int k)
{
    return it->w + (i * it->rule.s + k) * it->n;
}

/* h sum_j b_j X'_ij: by how much the polynomial of state k grows over interval i.  At mesh values that were projected
 * x_{i+1} - x_i is a little different. */
double rg_iterate_growth(const rg_iterate *it, int64_t i, int k);

/* Something that has values at every time: a guess, or an earlier solution. */
typedef struct {
    rg_status (*eval)(void *user, double t, double *x, double *xp, double *w);
    void *user;
} rg_profile;
/* Fills it from a profile. */
rg_status rg_iterate_fill(rg_iterate *it, const rg_bvp_form *f, const rg_profile *from);
/* An iterate as a profile (user). */
rg_status rg_iterate_profile(void *user, double t, double *x, double *xp, double *w);

#endif
