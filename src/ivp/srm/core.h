/* The core of sequential regularization and of the methods it is compared with: one iterate as
 * an ordinary differential equation,
 *
 *     z' = F(t, z; c),      c: what the iterate before carries at t,
 *
 * z = (x, x', ..., x^(order-1)), and y for some methods,
 *
 * with the multipliers and what this iterate carries to the next one.  It knows nothing of steps
 * and meshes: initial value methods (ivp/srm) and boundary value methods (bvp/srm) integrate it.
 *
 *     rg_srm_core *core = NULL;
 *     status = rg_srm_core_create(system, method, options, &core);   variant, E, weights
 *     status = rg_srm_core_start(core, "auto", false, t, y, yp, z);  z, y_0 from states
 *     status = rg_srm_core_measure(core, t, z, &rho);                sign of E, size of G B E
 *     core->eps = rg_srm_core_eps(core, rtol, step, rho);            also sense, gamma
 *     status = rg_srm_core_eval(core, t, z, NULL, dz, carried, y);
 *
 * Sources: see srm.h. */
#ifndef RG_IVP_SRM_CORE_H
#define RG_IVP_SRM_CORE_H

#include "linalg/cod.h"
#include "views/semi/semi.h"

/* What the differential equations of an iterate are. */
typedef enum {
    /* x' = f - B y,  y from g and dg/dt                               N (2.4), (2.5) */
    SRM_FIRST,
    /* x'' = f - B y,  y from g, dg/dt, d2g/dt2                        N (4.4), (4.5) */
    SRM_SECOND,
    /* x' = v - B E g/eps,  v' = f - B y,  y from dg/dt                N (4.14)-(4.16) */
    SRM_STABILIZED,
    /* x' = v - G^T zeta_1,  v' = f^ - G^T zeta_2                      N (4.12) */
    SRM_INVARIANT,
    /* x' = v - gamma F g,  v' = f^ - gamma F dg/dt,  F = B (GB)^-1    N (4.10), (5.2) */
    SRM_UNDERLYING,
    /* z' = f^ - gamma D (HD)^-1 h,  h = (g, dg/dt),  H = h_z          N (4.10) */
    SRM_UNDERLYING_FULL,
    /* z' = f^ - D zeta,  the same D, zeta from (HD)^-1 h/eps          N (4.11), (2.5) */
    SRM_INVARIANT_FULL,
    /* x' = f - B y,  eps y' = E (G x' + g_t)                          L (3.5a), (3.7) */
    SRM_COUPLED,
    /* x' = f - B y,  eps y' = E g                                     thesis (2.26) */
    SRM_DIRECT,
    /* x' = f - B y,  0 = g + eps G x'                                 thesis (2.28) */
    SRM_PARAMETERIZED,
    /* x, y as FIRST or SECOND, y iterated at every evaluation         thesis (2.13), (2.14) */
    SRM_AUGMENTED
} srm_kind;

typedef enum { SRM_CARRY_Y, SRM_CARRY_BY, SRM_CARRY_ZETA } srm_carry;
typedef enum { SRM_E_IDENTITY, SRM_E_INVERSE, SRM_E_TRANSPOSE, SRM_E_SHIFTED } srm_E;

/* D of N (4.10), (4.11): diag(B, B); diag(G^T, G^T); H^T, H the derivative of h = (g, dg/dt) by
 * z. */
typedef enum { SRM_D_FORCE, SRM_D_GRADIENT, SRM_D_JACOBIAN } srm_D;

typedef struct {
    const char *name, *equations, *text;
    int order; /* of the view: index - 1; 0: 1 and 2 */
    srm_kind kind;
    srm_carry carry;
    bool projects; /* By of the iterate before goes through P = B (GB)^-1 G */
    bool only_inverse;
    double alpha[3];
    srm_E E;
    int iterations;    /* 0: as many as the order of the scheme */
    bool is_nonlinear; /* f(x, y, t) is evaluated at y, not f and B apart */
    int passes;        /* corrections of a mesh point, N (5.2); 0: none */
    srm_D D;
} srm_variant;

/* A method: what makes it differ from the others with the same core. */
typedef struct {
    const char *name;
    const srm_variant *variants; /* the first one is taken where --variant is not given ... */
    int n_variants;
    bool is_sequential; /* ... except here: srm itself, --iterations of iterates, any form of f */
    bool has_E;         /* --E is free; else as published */
    bool is_from_zero;  /* y_0 = 0 always, and alpha = (0, 1, gamma) */
    bool has_no_eps;    /* the limit eps = 0 */
    bool has_gamma;     /* alpha = (1, gamma) or (1, 2 gamma, gamma^2), or below */
    bool repeats;       /* --iterations counts the repetitions of one evaluation */
    int passes;         /* corrections of a mesh point, where --passes is not given; 0: none */
    unsigned shown;     /* what a run says of itself: SRM_SHOWS_... */
} srm_method;
enum {
    SRM_SHOWS_VARIANT = 1,
    SRM_SHOWS_EPS = 2,
    SRM_SHOWS_ITERATIONS = 4,
    SRM_SHOWS_GAMMA = 8,
    SRM_SHOWS_PASSES = 16,
    SRM_SHOWS_E = 32
};
const srm_method *rg_srm_method_find(const char *name); /* methods.c */

typedef struct srm_y0 rg_srm_y0; /* iterate0.c */

typedef struct { /* of one evaluation */
    rg_semi_values v;
    double *GB, *lu, *S;          /* n_y x n_y: G B; factors of E^-1; the matrix of alpha_1 */
    double *r, *u, *w, *EG, *top; /* n_y, n_y, n_x, n_y, n_x */
    int *pivot, *pivot_S;
} srm_space;

typedef struct {
    rg_context *ctx;
    const rg_system *system;
    rg_semi *view;
    srm_variant variant; /* with the options put in */
    int n_x, n_y, n_z, n_c, order;
    bool is_lean; /* neither B, G nor G B as full matrices: E = I, alpha_1 = 0 */
    /* inverse.c, unless is_lean: constraints that follow from the others; the largest entries of
     * G B so far, and factors that make its rows and columns about 1 */
    int n_redundant;
    double *largest_GB, *row, *column;
    rg_cod *cod;   /* redundant constraints only */
    double *spare; /* n_redundant + 1 vectors */
    /* other.c, D not diag(B, B): H D and its pivots, K = d(dg/dt)/dx, zeta, D zeta */
    double *HD, *K, *zeta, *Dz;
    int *pivot_HD;
    /* may be set between evaluations */
    double sense;     /* the drift decays forwards in time, 1, or backwards, -1 */
    double eps, sign; /* E = sign I where GB has the other sign */
    double gamma, delta;
    bool has_gamma; /* a large gamma: what stabilizes is no part of y */
    bool recovers;  /* forces of a run come from the hidden constraint, where it gives them */
    int repeats; /* of the augmented Lagrangian method at an evaluation; 0: until nothing changes */
    double *point; /* order n_x: workspace */
    double *near;  /* n_y: multipliers near by, where these repetitions begin */
    double *y0;    /* n_y: the iterate 0 */
    /* y_0 as a function of time */
    rg_srm_y0 *y0_of_time;       /* from expressions, or NULL */
    int y0_degree;               /* above 0: y_0 is a Taylor polynomial from y0_start on */
    double *y0_series, y0_start; /* 3 n_y: y, y', y'' there */
    /* a linear model: where this point is kept (record.c); NULL: it is evaluated */
    double *record;
    uint8_t *is_recorded; /* of this point */
    /* weak.c, E = I: workspace, NULL: none; found by it */
    double *weak, largest_weak, size_x, size_y;
    /* found by evaluations */
    int64_t evaluations;
    bool is_aside;  /* units and sizes stay: what is evaluated now is no part of the run */
    double largest; /* pivot of GB, scaled, seen so far */
    bool has_hit;   /* GB could not be inverted */
    srm_space space;
    double *arena;
    int *pivots;
} rg_srm_core;

/* Chooses the variant, E and the weights by the options and the form of the model.
 * RG_ERR_METHOD: they do not fit.  eps, gamma and y_0 are 0, sign and sense 1.  The system must
 * outlive the core. */
rg_status rg_srm_core_create(const rg_system *system, const srm_method *method, const rg_options *o,
                             rg_srm_core **out);
void rg_srm_core_destroy(rg_srm_core **core);

/* z', the value carried to the next iterate and the multipliers at (t, z).  before: what the
 * iterate before carried here; NULL: this is the first one.  carried and y may be NULL.
 * RG_RETRY: cannot be evaluated; has_hit says whether GB is singular. */
rg_status rg_srm_core_eval(rg_srm_core *c, double t, const double *z, const double *before,
                           double *dz, double *carried, double *y);
/* record.c: numbers of a record; whether the variant can use it; the view's values from one, which
 * is made at the first time. */
size_t rg_srm_record_size(const rg_srm_core *c);
bool rg_srm_can_record(const rg_srm_core *c);
rg_status rg_srm_recall(rg_srm_core *c, double t, const double *z);
/* dF/dz (n_z x n_z, column-major) by differences, for F contains inverses of matrices of the
 * model.  F: z' at (t, z); scale: sizes of the components, NULL: those of z.  z is moved on the
 * way and comes back as it was. */
rg_status rg_srm_core_jacobian(rg_srm_core *c, double t, double *z, const double *before,
                               const double *scale, const double *F, double *J);
/* spectrum.c: the size of G B E at (t, z), and c->sign.  RG_RETRY: cannot be evaluated;
 * RG_ERR_METHOD: E = I, but sign G B is not positive definite. */
rg_status rg_srm_core_measure(rg_srm_core *c, double t, const double *z, double *rho);
/* eps where none is given; tau: the step, or what stands for it. */
double rg_srm_core_eps(const rg_srm_core *c, double rtol, double tau, double rho);
/* variants.c: E as the user writes it; weights that the options give. */
const char *rg_srm_E_name(const srm_variant *v);
void rg_srm_take_alphas(srm_variant *v, const rg_options *o);

/* iterate0.c: y_0 from expressions of time, the equations u_k = expression of *y0, one for all
 * multipliers or one for each; `text` is what the user wrote, t the start.  Takes *y0. */
rg_status rg_srm_core_set_y0(rg_srm_core *c, const char *text, double t, rg_problem **y0);
/* z and the iterate 0 at a point (y, y') of the system; yp NULL: not known.  y0: the option;
 * auto means 0 where is_zero, else y. RG_ERR_METHOD: derivatives of y are asked for where there
 * are none. */
rg_status rg_srm_core_start(rg_srm_core *c, const char *y0, bool is_zero, double t, const double *y,
                            const double *yp, double *z);
rg_status rg_srm_y0_eval(rg_srm_core *c, double t); /* c->y0 at t.  RG_RETRY: not finite. */
void rg_srm_y0_destroy(rg_context *ctx, rg_srm_y0 **y0);

/* pivots.c: the pivots of G B, by elimination with complete pivoting. */
typedef struct {
    double t,
        p;    /* the smallest one over the largest so far; p is NaN where they cannot be computed */
    int lost; /* rank: pivots below lost_below */
} srm_sample;
void rg_srm_pivot_now(rg_srm_core *c, double lost_below,
                      srm_sample *out); /* at the last evaluation */
rg_status rg_srm_pivot_at(rg_srm_core *c, const double *z, const double *y, double lost_below,
                          srm_sample *out); /* at out->t */
/* other.c: one correction of z towards the constraints, E = inverse.  RG_RETRY: as above. */
rg_status rg_srm_core_project(rg_srm_core *c, double t, double *z);
/* force.c: the multipliers that the hidden constraint gives, f linear in y.  RG_RETRY: there are
 * none here.  Not where is_lean. */
rg_status rg_srm_core_multipliers(rg_srm_core *c, double t, const double *z, double *y);
/* The constraint term -B y at a point (y, y') of the system: n_x values y' - f, number k
 * belonging to the derivative of rg_srm_state(c, c->order - 1, k); NaN where f cannot be
 * evaluated. */
rg_status rg_srm_core_force(rg_srm_core *c, double t, const double *y, const double *yp,
                            double *out);
/* The same from the hidden constraint; `out` stays where G B is nearly singular. */
rg_status rg_srm_hidden_force(rg_srm_core *c, double t, const double *y, double *out);
/* failure.c: GB is singular at the start. */
rg_status rg_srm_core_fail_start(const rg_srm_core *c, double t);

/* Has z the multipliers, behind x and v? */
static inline bool rg_srm_has_y(const srm_variant *v)
{
    return v->kind == SRM_COUPLED || v->kind == SRM_DIRECT;
}
/* The state that is component k of x^(r). */
static inline int64_t rg_srm_state(const rg_srm_core *c, int r, int k)
{
    return r == 0 ? rg_semi_x(c->view)[k] : rg_semi_v(c->view)[(r - 1) * c->n_x + k];
}
/* x', ..., x^(order-1) in z. */
static inline const double *rg_srm_v(const rg_srm_core *c, const double *z)
{
    return c->order > 1 ? z + c->n_x : NULL;
}

/* Cuts pieces off one arena; with base NULL it only counts. */
typedef struct {
    double *base;
    size_t used;
} srm_arena;
static inline double *rg_srm_cut(srm_arena *a, size_t n)
{
    a->used += n;
    return a->base != NULL ? a->base + a->used - n : NULL;
}

/* Shared by the files of the core.  y += A x and y = A x, A m x n column-major */
void rg_srm_add_product(int m, int n, const double *A, const double *x, double *y);
void rg_srm_product(int m, int n, const double *A, const double *x, double *y);
void rg_srm_form_GB(rg_srm_core *c, srm_space *w); /* w->GB from w->v */
/* c->space at (t, z), y NULL: f and B apart; with the factors of E.  RG_RETRY: as
 * rg_srm_core_eval(). */
rg_status rg_srm_core_look(rg_srm_core *c, double t, const double *z, const double *y);
/* inverse.c: what redundant constraints need; units of G B; A in these units; A, G B on entry, is
 * factored, false: it is singular; r := (G B)^-1 r. */
rg_status rg_srm_inverse_init(rg_srm_core *c);
void rg_srm_inverse_clear(rg_srm_core *c);
void rg_srm_note_units(rg_srm_core *c, const double *GB);
void rg_srm_scale(const rg_srm_core *c, double *A);
bool rg_srm_inverse_factor(rg_srm_core *c, double *A, int *pivot);
/* y, if there is an inverse: of all multipliers with the same G B y those of least norm; those of
 * the hidden constraint (force.c).  w->S, w->EG are workspace. */
void rg_srm_least(rg_srm_core *c, srm_space *w, double *y);
void rg_srm_hidden(rg_srm_core *c, srm_space *w, double *y);
/* Is the smallest pivot above rounding? */
bool rg_srm_inverse_is_regular(rg_srm_core *c, const double *A);
void rg_srm_inverse_solve(const rg_srm_core *c, const double *A, const int *pivot, double *r);
/* weak.c, E = I: are x, up to this part of its size, and y those that the constraints say?  z, y at
 * t, outside of an initial layer.  RG_ERR_CONVERGENCE: no. */
rg_status rg_srm_weak_init(rg_srm_core *c);
rg_status rg_srm_weak_check(rg_srm_core *c, double t, const double *z, const double *y,
                            double allowed);
/* r := E r; scratch: n_y */
void rg_srm_apply_E(const rg_srm_core *c, const srm_space *w, double *r, double *scratch);
/* variants.c: what --variant, --E and the weights say. */
rg_status rg_srm_variant_choose(rg_context *ctx, const srm_method *method, const rg_semi *view,
                                const rg_options *o, srm_variant *out);
/* other.c: right-hand sides that are not y_s = y_{s-1} + E r/eps; the view has been evaluated.
 * Multipliers in w->u. */
bool rg_srm_is_other(srm_kind kind);
void rg_srm_eval_other(const rg_srm_core *c, srm_space *w, const double *z, const double *before,
                       double *dz, double *carried);
/* u := the multipliers of thesis (2.14); r: the combination of the constraint.  false: a matrix
 * is singular. */
bool rg_srm_augment(const rg_srm_core *c, srm_space *w);

#endif
