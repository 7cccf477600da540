/* What the files of the regularization engine share. */
#ifndef RG_IVP_SRM_IMPL_H
#define RG_IVP_SRM_IMPL_H

#include "ivp/srm/srm.h"
#include "views/semi/semi.h"

enum { SRM_STAGES = 4, SRM_MAX_PASSAGES = 1000, SRM_MOST_DEGREE = 8, SRM_PAIR_STAGES = 7 };

/* What the differential equations of an iterate are. */
typedef enum {
    SRM_FIRST,  /* x' = f - B y,  y from g and dg/dt                              N (2.4), (2.5) */
    SRM_SECOND, /* x'' = f - B y,  y from g, dg/dt, d2g/dt2                       N (4.4), (4.5) */
    SRM_STABILIZED, /* x' = v - B E g/eps,  v' = f - B y,  y from dg/dt               N (4.14)-(4.16) */
    SRM_INVARIANT, /* x' = v - G^T zeta_1,  v' = f^ - G^T zeta_2                     N (4.12) */
    SRM_UNDERLYING, /* x' = v - gamma F g,  v' = f^ - gamma F dg/dt,  F = B (GB)^-1   N (4.10), (5.2) */
    SRM_COUPLED, /* x' = f - B y,  eps y' = E (G x' + g_t)                         L (3.5a), (3.7) */
    SRM_DIRECT,  /* x' = f - B y,  eps y' = E g                                    thesis (2.26) */
    SRM_PARAMETERIZED, /* x' = f - B y,  0 = g + eps G x'                                thesis (2.28) */
    SRM_AUGMENTED /* x, y as FIRST or SECOND, y iterated at every evaluation         thesis (2.13), (2.14) */
} srm_kind;

typedef enum { SRM_CARRY_Y, SRM_CARRY_BY, SRM_CARRY_ZETA } srm_carry;
typedef enum { SRM_E_IDENTITY, SRM_E_INVERSE, SRM_E_TRANSPOSE, SRM_E_SHIFTED } srm_E;

typedef struct {
    const char *name, *equations, *text;
    int order; /* of the view: index - 1 */
    srm_kind kind;
    srm_carry carry;
    bool projects; /* By of the iterate before goes through P = B (GB)^-1 G */
    bool only_inverse;
    double alpha[3];
    srm_E E;
    int iterations;    /* 0: as many as the order of the scheme */
    bool is_nonlinear; /* f(x, y, t) is evaluated at y, not f and B apart */
} srm_variant;

/* How steps are chosen: a fixed mesh with one iterate after the other, or local error control with all of them at once. */
typedef enum { SRM_MESH, SRM_PAIR, SRM_RADAU } srm_stepping;

typedef struct {
    const char *name;
    srm_stepping stepping;
    int order, stages;
    int iterations;             /* that suit it: about as many as its order */
    bool is_implicit, is_stiff; /* is_stiff: b is the last row of A, the last stage is the result */
    double limit;               /* of h |lambda| on the negative real axis; 0: none */
    double c[SRM_STAGES], A[SRM_STAGES][SRM_STAGES], b[SRM_STAGES];
} srm_scheme;

typedef struct srm_inner srm_inner; /* stack_radau.c */
typedef struct srm_y0 rg_srm_y0;    /* iterate0.c */

typedef struct { /* of one evaluation */
    rg_semi_values v;
    double *GB, *lu, *S;          /* n_y x n_y: G B; factors of E^-1; the matrix of alpha_1 */
    double *r, *u, *w, *EG, *top; /* n_y, n_y, n_x, n_y, n_x */
    int *pivot, *pivot_S;
} srm_space;

typedef struct { /* of the pivots of G B on the solution */
    double t, p; /* the smallest one over the largest so far */
    int lost;    /* rank */
} srm_sample;

struct rg_srm {
    rg_semi *view;
    srm_variant variant; /* with the options put in */
    const srm_scheme *scheme;
    int n_x, n_y, n_z, n_c, order;
    int m;            /* iterates */
    bool is_lean;     /* neither B, G nor G B as full matrices: E = I, alpha_1 = 0 */
    double sense;     /* of the run: 1 forwards, -1 backwards */
    double eps, sign; /* E = sign I where GB has the other sign */
    double gamma, delta;
    int passes;  /* of post-stabilization */
    int repeats; /* of the augmented Lagrangian method at an evaluation; 0: until nothing changes */
    double h;    /* the fixed step */
    double size_at_start; /* largest of z, at least 1 */
    double origin;        /* mesh: origin + count h */
    int64_t count;
    double *arena;
    double *y0;                    /* n_y: the iterate 0 */
    rg_srm_y0 *y0_of_time;         /* from expressions, or NULL */
    int y0_degree;                 /* above 0: y_0 is a Taylor polynomial from y0_start on */
    double *y0_series, y0_start;   /* 3 n_y: y, y', y'' there */
    double *z, *z_new;             /* m x n_z */
    double *slope, *slope_new;     /* m x n_z: z' */
    double *carried, *carried_new; /* m x n_c: at g->t and at the end of the step */
    double *node,
        *node_new; /* SRM_STAGES x n_c: carried values of the iterate before, and of this one, in the step */
    double *stage, *K; /* SRM_STAGES x n_z */
    double *y, *y_new; /* n_y: multipliers of the last iterate */
    double *jacobian, *matrix, *update;
    int *pivots;
    srm_space space;
    /* the stacked form, N = m n_z numbers */
    double *K7, *trial, *samples; /* 7 N; N; (SRM_MOST_DEGREE + 1) n_y */
    double h_next, error_old;     /* of the pair; h_next = 0: chosen */
    srm_inner *inner;
    /* singular places */
    double largest; /* pivot of GB seen so far */
    bool has_hit;   /* GB could not be inverted */
    srm_sample past[3];
    int n_past;
    double *old, old_start; /* dense output of the step before the last one */
    int old_degree;         /* 0: none */
    rg_singular *passage;
    int64_t n_passages, passage_capacity;
    char choice[256], warning[320];
};

/* Has z the multipliers, behind x and v? */
static inline bool rg_srm_has_y(const srm_variant *v)
{
    return v->kind == SRM_COUPLED || v->kind == SRM_DIRECT;
}

/* The state that is component k of x^(r). */
static inline int64_t rg_srm_state(const rg_srm *b, int r, int k)
{
    return r == 0 ? rg_semi_x(b->view)[k] : rg_semi_v(b->view)[(r - 1) * b->n_x + k];
}
/* x', ..., x^(order-1) in z. */
static inline const double *rg_srm_v(const rg_srm *b, const double *z)
{
    return b->order > 1 ? z + b->n_x : NULL;
}

/* variants.c */
const srm_variant *rg_srm_variant_find(const char *name);
/* rivals.c: the row of a method other than srm, from its options. */
rg_status rg_srm_rival(rg_integrator *g);
const srm_variant *rg_srm_variant_default(int order, bool is_linear);
rg_status rg_srm_variant_fail(rg_context *ctx, const char *name);
rg_status rg_srm_variant_misfit(rg_context *ctx, const srm_variant *v, int order);
rg_status rg_srm_variant_bent(rg_context *ctx, const srm_variant *v);
/* schemes.c */
const srm_scheme *rg_srm_scheme_find(const char *name);
rg_status rg_srm_scheme_fail(rg_context *ctx, const char *name);
/* evaluate.c: z', the value carried to the next iterate and the multipliers at (t, z).  before: what the iterate before
 * carried here; NULL: this is the first one.  carried and y may be NULL.  RG_RETRY: cannot be evaluated; b->has_hit says
 * whether GB is singular. */
rg_status rg_srm_eval(rg_integrator *g, double t, const double *z, const double *before, double *dz,
                      double *carried, double *y);
/* y += A x and y = A x, A m x n column-major */
void rg_srm_add_product(int m, int n, const double *A, const double *x, double *y);
void rg_srm_product(int m, int n, const double *A, const double *x, double *y);
/* r := E r; scratch: n_y */
void rg_srm_apply_E(const rg_srm *b, const srm_space *w, double *r, double *scratch);
/* other.c: right-hand sides that are not y_s = y_{s-1} + E r/eps; the view has been evaluated.  Multipliers in w->u. */
bool rg_srm_is_other(srm_kind kind);
void rg_srm_eval_other(const rg_srm *b, srm_space *w, const double *z, const double *before,
                       double *dz, double *carried);
/* u := the multipliers of thesis (2.14); r: the combination of the constraint.  false: a matrix is singular. */
bool rg_srm_augment(const rg_srm *b, srm_space *w);
/* options.c: variant, scheme, iterations, weights from the options and the form of the model. */
rg_status rg_srm_choose(rg_integrator *g);
void rg_srm_take_alphas(rg_srm *b, const rg_options *o);
/* settle.c: step, eps, gamma from the options and the start of the model. */
rg_status rg_srm_settle(rg_integrator *g);
/* spectrum.c: E = I.  rho: the size of G B at the start; b->sign; RG_ERR_METHOD where sign G B is not positive definite. */
rg_status rg_srm_spectrum(rg_integrator *g, double *rho);
/* collocation.c: one iterate over a step by an implicit scheme. */
rg_status rg_srm_collocate(rg_integrator *g, int s, double h);
/* step.c */
rg_status rg_srm_start(rg_integrator *g);
rg_status rg_srm_step(rg_integrator *g);
/* stack.c: all iterates at a time, z one behind the other: z', the multipliers of the last one (or NULL). */
rg_status rg_srm_stack_eval(rg_integrator *g, double t, const double *z, double *dz, double *y);
/* Hands an accepted step to the integrator: z(t + s h) = sum_k a_k s^k, a_k = a + k N, of degree `degree`; z and z' at its end. */
typedef struct {
    double t_new;
    int degree,
        y_degree; /* y_degree: of the polynomial for the multipliers, from new evaluations */
    const double *a, *z, *dz;
} srm_stack_step;
rg_status rg_srm_stack_accept(rg_integrator *g, const srm_stack_step *step);
/* pair.c, stack_radau.c: one accepted step */
rg_status rg_srm_pair_step(rg_integrator *g);
rg_status rg_srm_radau_create(rg_integrator *g);
rg_status rg_srm_radau_step(rg_integrator *g);
rg_status rg_srm_radau_restart(rg_integrator *g, double h);
void rg_srm_radau_destroy(rg_integrator *g);
/* iterate0.c: b->y0 at t.  RG_RETRY: not finite. */
rg_status rg_srm_y0_eval(rg_srm *b, double t);
int rg_srm_y0_matches(const rg_options *o);  /* derivatives at the start that y_0 is to have */
rg_status rg_srm_y0_match(rg_integrator *g); /* RG_RETRY: there are none */
rg_status rg_srm_fail_match(rg_integrator *g);
void rg_srm_y0_destroy(rg_context *ctx, rg_srm_y0 **y0);
/* evaluate.c: w->GB from w->v */
void rg_srm_form_GB(const rg_srm *b, srm_space *w);
/* pivots.c: the pivots of G B at the last evaluation, and at out->t; p is NaN where they cannot be computed. */
void rg_srm_pivot_now(rg_srm *b, double lost_below, srm_sample *out);
rg_status rg_srm_pivot_at(rg_integrator *g, const double *z, const double *y, double lost_below,
                          srm_sample *out);
/* singular.c: the start, or a step has been accepted. */
rg_status rg_srm_watch(rg_integrator *g);
/* failure.c */
rg_status rg_srm_fail_step(rg_integrator *g, double h);
rg_status rg_srm_fail_singular(rg_integrator *g, double t);
rg_status rg_srm_fail_interrupted(rg_integrator *g);
rg_status rg_srm_fail_steps(rg_integrator *g);

#endif
