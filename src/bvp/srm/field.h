/* One iterate of sequential regularization as an ordinary differential equation, for methods
 * that solve it over the whole interval at once:
 *
 *     z' = F(t, z; c),    z = x (index 2) or (x, v) (index 3),
 *                         c: what the iterate before carries at t
 *
 * Formulas, variants and the choice among them are those of the core that the initial value
 * method has, too (ivp/srm/core.h). Sources, as there: L, Ascher and Lin (1993); N, Ascher and
 * Lin (1995). */
#ifndef RG_BVP_SRM_FIELD_H
#define RG_BVP_SRM_FIELD_H

#include "ivp/srm/core.h"
#include "linalg/rule.h"

typedef struct {
    rg_context *ctx;
    const rg_problem *p;
    rg_system *system;
    const srm_method *method; /* srm, or Baumgarte's */
    rg_srm_core *core;
    int n_x, n_y, n_z, n_c, order;
    rg_rule_kind kind; /* collocation points ... */
    int stages;        /* ... that --scheme asks for */
    bool is_scheme_auto;
    bool is_linear;   /* the model, in all unknowns */
    double eps, rate; /* drift decays like exp(-rate t/eps): rate = |GBE| alpha_2 at the start */
    bool carries_y,
        has_layer; /* has_layer: x_s and y_s differ near the start where y_0 does (L Theorem 3.1) */
    double direction;                  /* of the interval: 1 or -1 */
    double hit;                        /* NaN, or the time where GB could not be inverted */
    double *values, *columns, *slopes; /* workspace */
    double *y, *target;                /* not linear in y: the y found last, else NULL; n_x */
    int *pivot;
} rg_bvp_srm_field;

/* Takes *system, the model as written.  start: x, v at the start of the interval, as states of
 * the system (a guess will do).  RG_ERR_METHOD: model or options do not fit. */
rg_status rg_bvp_srm_field_create(const rg_problem *p, const rg_options *o, rg_system **system,
                                  const double *start, double t_end, rg_bvp_srm_field **out);
void rg_bvp_srm_field_destroy(rg_bvp_srm_field **field);
/* eps, and whether the drift decays towards the end (1) or, shooting back, towards the start
 * (-1). */
void rg_bvp_srm_field_set(rg_bvp_srm_field *f, double eps, double sense);
/* Pivots of GB are measured by the largest seen from here on; f->hit becomes NaN. */
void rg_bvp_srm_field_forget(rg_bvp_srm_field *f);
/* z' and what is carried to the next iterate (NULL: not wanted).  before: NULL for y_0.
 * RG_RETRY: cannot be evaluated; f->hit tells whether GB is singular. */
rg_status rg_bvp_srm_field_eval(rg_bvp_srm_field *f, double t, const double *z,
                                const double *before, double *dz, double *carried);
/* dF/dz (n_z x n_z, column-major), from the graphs or by differences over `scale`; dz: F there. */
rg_status rg_bvp_srm_field_jacobian(rg_bvp_srm_field *f, double t, double *z, const double *before,
                                    const double *scale, double *dz, double *J);

typedef struct {  /* what the view gives at a point */
    double *f;    /* n_x: x' or v' without the constraint term, that is for y = 0 */
    double *By;   /* n_x */
    double *y;    /* n_y */
    double pivot; /* smallest pivot of GB over the largest seen so far */
    int lost;     /* pivots that are as small */
} rg_bvp_srm_point;

/* The multipliers that (hidden) constraints give:  GB y = G f + g_t  (index 3: g_2).  RG_RETRY:
 * GB singular. */
rg_status rg_bvp_srm_field_exact(rg_bvp_srm_field *f, double t, const double *z,
                                 rg_bvp_srm_point *out);
/* f, and y = (GB)^-1 G By from the given By.  Where GB is singular y is NaN; no failure. */
rg_status rg_bvp_srm_field_recover(rg_bvp_srm_field *f, double t, const double *z,
                                   rg_bvp_srm_point *out);
/* The constrained system linearized at z, its constraints taken through the regularization, with
 * y fixed, L (2.1), (4.1):
 *     H = (v,) f - B y,   C = g (index 3: and dg/dt),   E = (GB)^-1,
 *     z' = H - B E C/eps,   slope  H_z - B E C_z/eps
 * Unlike dF/dz of an iterate this has no derivatives of B E, which are as large as g/eps far
 * from the constraints.  is_balanced: y moves by (GB)^-1 (G f + g_t), index 3: g_2, one step of
 * Newton's method towards what the hidden constraint gives, and F with it to first order.  at: the
 * pivots, and By where f is linear in y.  RG_RETRY: cannot be evaluated, or GB singular. */
rg_status rg_bvp_srm_field_linearize(rg_bvp_srm_field *f, double t, double *z, const double *scale,
                                     double *y, bool is_balanced, double *F, double *M,
                                     rg_bvp_srm_point *at);
/* slope.c: dF/dz of an iterate at the point evaluated last, with (before) or without a last
 * iterate; H_z and C_z of the above, columns of `size`.  RG_RETRY: not from the graphs. */
size_t rg_bvp_srm_slopes_size(const rg_bvp_srm_field *f);
rg_status rg_bvp_srm_field_slope(rg_bvp_srm_field *f, double t, const double *z, bool has_before,
                                 double *J);
rg_status rg_bvp_srm_field_system_slopes(rg_bvp_srm_field *f, int size, double *columns);
/* By := B (GB)^-1 G By */
rg_status rg_bvp_srm_field_project(rg_bvp_srm_field *f, double t, const double *z, double *By);

#endif
