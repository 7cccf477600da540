/* The view of half-explicit methods: dynamics and constraints apart, with the constraints at the
 * level where they have index 2.
 *
 *     order 1:   D(t, x, a, y) = 0, a = x',            0 = g(t, x)
 *     order 2:   D(t, x, v, a, y) = 0, v = x', a = v',  0 = c(t, x, v):  dg/dt of a geometric
 *                                                      constraint g(t, x), or a kinematic one
 *
 * D need not be linear in a and y.  Both kinds of constraints may occur together (HLR89 (1.15),
 * (1.16)).  A model without constraints is one of index 0.  Hidden constraint: dc/dt, which
 * contains a.  One matrix serves stages, projections and multipliers, with D and c taken at points
 * of their own,
 *
 *     ( D_a  D_y )
 *     ( c_u   0  ),      u = x (order 1) or v (order 2);
 *
 * dense where it is small, sparse otherwise. */
#ifndef RG_VIEWS_SEMI_HALF_H
#define RG_VIEWS_SEMI_HALF_H

#include "views/system.h"

typedef struct rg_half rg_half;

typedef struct { /* a point: n_x numbers each, n_y in y; v is not read for order 1 */
    double t;
    const double *x, *v, *a, *y;
} rg_half_point;

/* RG_ERR_METHOD when the model is not of this form: says what is missing and what to take.  The
 * system (direct view) must outlive the view. */
rg_status rg_half_create(const rg_system *s, const char *method, rg_half **out);
void rg_half_destroy(rg_half **h);
/* States of events: as rg_semi_hold(). */
void rg_half_hold(rg_half *h, const double *y);
/* Branches of switches: those that the workspace holds (rg_system_hold()), which outlives h; else,
 * and without this, they follow the values. */
void rg_half_hold_as(rg_half *h, const rg_system_work *w);
int rg_half_order(const rg_half *h);       /* 1 or 2 */
int rg_half_size(const rg_half *h);        /* n_x */
int rg_half_constraints(const rg_half *h); /* n_y */
bool rg_half_is_linear(const rg_half *h);  /* D in a and y, c in u: one Newton step is enough */
bool rg_half_is_linear_in_y(const rg_half *h);
/* No constraints, and a constant D_a: rg_half_force() and the factors that there are give a. */
bool rg_half_is_explicit(const rg_half *h);
bool rg_half_has_positions(const rg_half *h); /* order 2, with geometric constraints */
int rg_half_kinematic(const rg_half *h);      /* constraints on velocities */
/* States of the system that hold x, v (order 2), y. */
const int64_t *rg_half_x(const rg_half *h);
const int64_t *rg_half_v(const rg_half *h);
const int64_t *rg_half_y(const rg_half *h);

/* RG_RETRY: not finite.  D and its part of the matrix; c and its part. */
rg_status rg_half_dynamics(rg_half *h, const rg_half_point *at, double *D);
rg_status rg_half_constraint(rg_half *h, const rg_half_point *at, double *c);
/* c and its part of the matrix; the values are what a step of size d changes by d^2 a in positions
 * and d a in velocities: g/d^2 of the geometric constraints, c/d of the others. */
rg_status rg_half_fall(rg_half *h, const rg_half_point *at, double d, double *out);
/* Values alone: D; c; g of the geometric constraints, 0 for the others; dc/dt. */
rg_status rg_half_force(rg_half *h, const rg_half_point *at, double *D);
rg_status rg_half_velocity(rg_half *h, const rg_half_point *at, double *c);
rg_status rg_half_position(rg_half *h, const rg_half_point *at, double *g);
rg_status rg_half_hidden(rg_half *h, const rg_half_point *at, double *c);
/* Factors the matrix as it was filled last, unless it is the same as before (*is_new, may be NULL).
 * near: it was factored before, at a point near this one.  RG_RETRY: singular.  Then (top, bottom)
 * <- matrix^-1 (top, bottom). */
rg_status rg_half_factor(rg_half *h, bool *is_new);
rg_status rg_half_factor_near(rg_half *h, bool *is_new);
void rg_half_solve(rg_half *h, double *top, double *bottom);
/* Rows between steps have a matrix of their own, not factored at first: what the next step begins
 * with does not depend on them. */
rg_status rg_half_go_aside(rg_half *h);
void rg_half_come_back(rg_half *h);
/* Sizes of a and y that equations with terms of these sizes have to tell apart, by the same
 * factors: what rounding leaves of them is that, times DBL_EPSILON.  a or NULL, y: in D; u: in c.
 */
void rg_half_rounding(rg_half *h, const double *a, const double *y, const double *u, double *top,
                      double *bottom);

#endif
