/* Half-explicit Runge-Kutta methods on the view of views/semi/half.h: explicit in x and v, while
 * the multipliers of a stage follow from the constraint at the next one (or at a point of its own).
 *
 *     X_i = x_n + h sum_{j<i} a_ij f_j,    f_i = f(t_i, X_i, Y_i),    X = x, or (x, v), f = (v, a)
 *     0 = c(t_n + d_i h, x_n + h sum_{j<=i} w_ij f_j)  gives  Y_i     w: next row of A, or Abar
 *
 * At the end of a step positions and velocities are moved onto their constraints, and the
 * multipliers come from the hidden constraint.  Without constraints this is an explicit method,
 * the pair of Dormand and Prince.  doc/methods/half-explicit.md. */
#ifndef RG_IVP_HALF_EXPLICIT_HALF_EXPLICIT_H
#define RG_IVP_HALF_EXPLICIT_HALF_EXPLICIT_H

#include "ivp/aside.h"
#include "ivp/irk/theory.h"
#include "ivp/pace.h"
#include "linalg/tableau.h"
#include "views/semi/half.h"

extern const rg_ivp_method rg_half_explicit_method, rg_dopri_method;
rg_order_fn rg_order_half_explicit, rg_order_dopri;

enum { HALF_PAST = 2, HALF_INNER = 2 }; /* multipliers: points before the step, inside it */

typedef struct {
    rg_pace pace;
    rg_half *view;
    rg_stats *stats; /* of the run */
    const rg_tableau *tableau;
    bool is_partitioned;
    double weights[RG_TABLEAU_MOST][4]; /* partitioned: continuous */
    int order, n, m;                    /* of the view: order, n_x, n_y */
    int N;                              /* order n: numbers in X */
    double *arena;
    double *x, *f, *y;             /* at t_n: X, X', multipliers */
    double *x_new, *f_new, *y_new; /* at the end of the attempt */
    double *F;                     /* s stages of f */
    double *Y;                     /* multipliers of the last stage */
    double *X, *Xbar;              /* a stage; the point of its constraint */
    double *top, *bottom, *zero;   /* right-hand sides */
    double *f_before;              /* f at t_{n-1} */
    double *past;                  /* multipliers at HALF_PAST points before t_n */
    double t_past[HALF_PAST];      /* ... their times */
    int n_past;
    double *inner; /* multipliers inside the step */
    double *error, *weight;
    double *size; /* of errors: |X|, the largest up to t_n; ... */
    double fade;  /* ... by this it falls per step, 0: |X| at t_n */
    struct {
        double *x, *a, *y;
    } seen;                                        /* of rounding: sizes since the last restart */
    bool has_rounding;                             /* ... and of rounding, in this iteration */
    double *round_x, *round_a, *round_y, *round_u; /* u: at work */
    double part;   /* of the tolerance: what a step may take of it */
    int n_stiff;   /* steps in a row whose size stability has chosen ... */
    int n_relaxed; /* ... and others since */
} rg_half_explicit;

static inline rg_half_explicit *rg_half_explicit_of(const rg_integrator *g)
{
    return (rg_half_explicit *)g->state;
}

/* stages.c: all stages, x_new on its constraint, Y the multipliers of the last one.  a, and Y, such
 * that D(t, X, a, Y) = 0 and c(t_c, Xbar) = 0, where Xbar moves with hw a: from the values there */
rg_status rg_half_explicit_stages(rg_integrator *g);
rg_status rg_half_explicit_multipliers(rg_integrator *g, double t, double t_c, double hw,
                                       double *a);
/* out = x + sum_{j<count} factor_j f_j */
void rg_half_explicit_add(const rg_half_explicit *e, int count, const double *factor,
                          const double *x, double *out);
/* sizes.c.  see: what is in x, f, y.  Then, after begin(), changes of an iteration relative to
 * sizes: of x (is_top: of v, where there is one) by `by` of them, of a, of y.  look_closer: the
 * iteration stands still; a follows from c with steps h, 0: from dc/dt */
void rg_half_explicit_see(rg_half_explicit *e);
void rg_half_explicit_forget(rg_half_explicit *e);
void rg_half_explicit_begin(rg_half_explicit *e);
double rg_half_explicit_of_x(const rg_half_explicit *e, double by, const double *change,
                             const double *value, bool is_top);
double rg_half_explicit_of_a(const rg_half_explicit *e, const double *change, const double *value);
double rg_half_explicit_of_y(const rg_half_explicit *e, const double *change, const double *value);
void rg_half_explicit_look_closer(rg_half_explicit *e, double h, bool is_top);
/* end.c: positions and velocities of X moved onto their constraints; f and y from the hidden one */
rg_status rg_half_explicit_project(rg_half_explicit *e, double t, double *X, const double *y);
rg_status rg_half_explicit_force(rg_half_explicit *e, double t, const double *X, double *f);
rg_status rg_half_explicit_hidden(rg_half_explicit *e, double t, const double *X, double *f,
                                  double *y);
/* rows.c: a row inside the last step */
rg_status rg_half_explicit_rows(rg_integrator *g, int64_t count);
rg_status rg_half_explicit_row(rg_integrator *g, double t, double *y, double *yp);
rg_status rg_half_explicit_settle(rg_integrator *g, const rg_state *before);
/* What makes values at t inside the last step, with a matrix of its own. */
rg_status rg_half_explicit_aside(rg_integrator *g, rg_half_explicit *e, rg_aside_fn *make, double t,
                                 double *y, double *yp);
/* dense.c: polynomial of the step, from x, f, y to x_new, f_new, y_new */
rg_status rg_half_explicit_inner(rg_integrator *g);
void rg_half_explicit_dense(rg_integrator *g);
/* error.c: norm of the error of the attempt; of any error, beside x and x_new; x is at t_n now */
double rg_half_explicit_error(rg_integrator *g);
double rg_half_explicit_norm(const rg_integrator *g, const double *error, const double *x_new);
void rg_half_explicit_note_size(rg_half_explicit *e);
/* stiff.c: looks at the step that was accepted; has stability chosen the last steps? */
rg_status rg_half_explicit_look(rg_integrator *g);
bool rg_half_explicit_is_stiff(const rg_integrator *g);
/* step.c; accept: from t_n to x_new, f_new, y_new */
rg_status rg_half_explicit_step(rg_integrator *g);
void rg_half_explicit_accept(rg_integrator *g);
/* create.c: memory for s stages, and the start; what a state of this kind owns.  open, close: for
 * methods that need only the projection and the multipliers */
rg_status rg_half_explicit_init(rg_integrator *g, int s);
rg_status rg_half_explicit_open(rg_integrator *g, rg_half_explicit *e, int s);
void rg_half_explicit_close(rg_context *ctx, rg_half_explicit *e);
void rg_half_explicit_restart(rg_integrator *g, double h);
void rg_half_explicit_clear(rg_integrator *g);
/* From states (y, yp) to X, its derivative f and multipliers, and back. */
void rg_half_explicit_read(const rg_half_explicit *e, const double *y, const double *yp, double *X,
                           double *f, double *multipliers);
void rg_half_explicit_give(const rg_half_explicit *e, const double *X, const double *y,
                           double *state);
/* A point of the view at X with accelerations and multipliers. */
rg_half_point rg_half_explicit_point(const rg_half_explicit *e, double t, const double *X,
                                     const double *a, const double *y);

#endif
