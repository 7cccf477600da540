/* The views with separate constraints that regularization methods work on, made from the equations
 * as written:
 *
 *     order 1, index 2:   x'  = f(x, t)     - B(x, t) y,      0 = g(x, t)
 *     order 2, index 3:   x'' = f(x, v, t)  - B(x, t) y,      0 = g(x, t),      v = x'
 *
 * Differential equations may have a mass matrix, M x' = ... or M x'' = ..., so that B = M^-1 G^T
 * for a multibody system; an index 3 model may also be written as q' = v, M v' = ...  All
 * quantities come from one assembly of these equations and the derivatives of the constraints, and
 * from its exact Jacobian.  Constraint k is the one that multiplier k enforces: of those whose
 * gradient shares unknowns with column k of B, the one most parallel to it.  g is left minus
 * right side, as residuals are: of 0 = r it is -r. */
#ifndef RG_VIEWS_SEMI_H
#define RG_VIEWS_SEMI_H

#include "views/system.h"

typedef struct rg_semi rg_semi;

/* RG_ERR_METHOD when the model is in neither form: says what is missing and which method to take.
 * `method`: for messages.  The system must outlive the view. */
rg_status rg_semi_create(const rg_system *s, const char *method, rg_semi **out);
/* The same for dynamics x' = f(x, y, t) or x'' = f(x, v, y, t) that need not be linear in y, and
 * for orders up to RG_SEMI_MOST_ORDER:
 *
 *     order nu, index nu + 1:   x^(nu) = f(x, x', ..., x^(nu-1), t) - B(x, t) y,,
 *                               0 = g(x, t)      thesis (2.15)
 *
 * v then stands for x', ..., x^(nu-1) one behind the other, and so do their states. */
enum { RG_SEMI_MOST_ORDER = 8 };
rg_status rg_semi_create_general(const rg_system *s, const char *method, rg_semi **out);
void rg_semi_destroy(rg_semi **v);
/* Name of the method that solves any form, for messages: of boundary or of initial values. */
const char *rg_semi_other_method(const rg_semi *v);
bool rg_semi_is_linear(const rg_semi *v);  /* in y */
int rg_semi_order(const rg_semi *v);       /* 1 or 2; above 2 only from rg_semi_create_general() */
int rg_semi_size(const rg_semi *v);        /* components of x */
int rg_semi_constraints(const rg_semi *v); /* components of g, and of y */
/* States of the system that hold x, v (order 2 only), y. */
const int64_t *rg_semi_x(const rg_semi *v);
const int64_t *rg_semi_v(const rg_semi *v);
const int64_t *rg_semi_y(const rg_semi *v);

/* States of events are constants of this view; it reads them in y, the states of the system, which
 * must live as long. */
void rg_semi_hold(rg_semi *v, const double *y);
int rg_semi_held_count(const rg_semi *v);
const int64_t *rg_semi_held_states(const rg_semi *v);

/* The same as unknowns of the model; and the equation that is constraint k. */
int64_t rg_semi_x_unknown(const rg_semi *v, int k);
int64_t rg_semi_y_unknown(const rg_semi *v, int k);
int64_t rg_semi_equation(const rg_semi *v, int k);
/* Its name, and its place in the text for the last error, whose code is returned. */
void rg_semi_equation_name(const rg_semi *v, int k, char *buffer, int size);
rg_status rg_semi_fail_at(const rg_semi *v, int k);

typedef struct { /* matrices are column-major without gaps */
    double *f;   /* n_x */
    double *B;   /* n_x x n_y; NULL: B and G are not wanted */
    double *g;   /* n_y */
    double *G;   /* n_y x n_x: dg/dx */
    double *g1;  /* n_y; order 1: dg/dt with x' = 0, that is g_t;  order 2: dg/dt = G v + g_t */
    double *g2;  /* n_y; order 2: d2g/dt2 with x'' = 0 */
} rg_semi_values;

/* RG_RETRY: not finite, or the mass matrix is singular here.  v is not read for order 1.  Not
 * for two threads at once. */
rg_status rg_semi_eval(rg_semi *s, double t, const double *x, const double *v, rg_semi_values *out);
/* The same at given multipliers: f is all of the right-hand side there, B = -df/dy. */
rg_status rg_semi_eval_at(rg_semi *s, double t, const double *x, const double *v, const double *y,
                          rg_semi_values *out);
/* At the point evaluated last, of order 1 or 2, by (x, v) at fixed y:
 *     A = df/d(x, v),      gz[r] = d(d^r g/dt^r)/d(x, v),   r = 0 .. order,
 * n_x and n_y rows, order n_x columns.  The mass matrix must not depend on x and v. */
rg_status rg_semi_slopes(rg_semi *s, double *A, double *const *gz);
/* The mass matrix was the same at all points so far. */
bool rg_semi_has_fixed_mass(const rg_semi *s);
/* d^r g/dt^r at the point evaluated last, r = 0 .. order (the last one with x^(order) = 0). */
void rg_semi_level(const rg_semi *s, int r, double *out);
/* y', ..., y^(K) at a point of the solution: out holds K times n_y numbers.  x[0], x[1], ..
 * x[order]: x and its derivatives, x[1] to x[order-1] one behind the other.
 * RG_RETRY: G B is singular there, or something is not finite.  Allocates. */
enum { RG_SEMI_MOST_DERIVATIVES = 2 };
rg_status rg_semi_derivatives(rg_semi *s, double t, const double *const *x, const double *y, int K,
                              double *out);
/* At the point evaluated last, by sparse products and one solution with M, in time linear in the
 * size of a sparse model: w = B u  and  u = G w. */
void rg_semi_force(rg_semi *s, const double *u, double *w);
/* Components of x on which multipliers act at all, by the patterns of M and B; 2 n_x places, the
 * second half is workspace. */
void rg_semi_mark_reached(const rg_semi *s, bool *is_reached);
void rg_semi_gradient(const rg_semi *s, const double *w, double *u);
/* u = d(dg/dt)/dx w there, order 2. */
void rg_semi_rate_gradient(const rg_semi *s, const double *w, double *u);
/* u_i = sum_k |G_ik| w_k, and sum_k G_ik^2, there. */
void rg_semi_gradient_size(const rg_semi *s, const double *w, double *u);
void rg_semi_gradient_squares(const rg_semi *s, double *u);

#endif
