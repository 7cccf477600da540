/* The view  A(t) y' + B(t) y = f(t)  of a linear model: first order, states as in views/states.h,
 * dense matrices.
 *
 *     A = dF/dy',   B = dF/dy,   f = -F(t, 0, 0),   A' = d(dF/dt)/dy' - B
 *
 * A second order in the model is taken apart by chain equations (j,r)' = (j,r+1), as in the direct
 * view (views/system.h).  An object serves one thread; its memory and messages are those of the
 * context in the problem it was made from. */
#ifndef RG_VIEWS_LINEAR_LINEAR_H
#define RG_VIEWS_LINEAR_LINEAR_H

#include "views/states.h"

typedef struct { /* what the expressions of a model say about its linearity */
    bool is_linear;
    bool is_varying; /* A depends on t, or may depend on it */
    bool has_kinks;  /* abs, if, ... of t: coefficients may have jumps or kinks */
    int block;       /* where it is not linear: number of the block or condition, and its output */
    int output;
    bool in_condition;
    char term[160]; /* what is not linear, for a message: "the product of terms with 'x' and 'y'" */
} rg_linearity;

/* Equations and boundary conditions of a model from text. */
rg_status rg_linearity_find(const rg_problem *p, rg_linearity *out);
/* RG_ERR_METHOD, naming the term and its line, with this remedy, unless the model is linear. */
rg_status rg_linearity_require(const rg_problem *p, const char *method, const char *remedy,
                               rg_linearity *out);

typedef struct rg_linear rg_linear;

/* With memory and errors of a context of its own, for a thread.  is_varying: as rg_linearity_find()
 * says; then A' is computed too.  Models from text only. */
rg_status rg_linear_create(rg_context *ctx, const rg_problem *p, bool is_varying, rg_linear **out);
void rg_linear_destroy(rg_linear **l);
const rg_states *rg_linear_states(const rg_linear *l);
bool rg_linear_is_varying(const rg_linear *l);
/* Column-major m x m, m states; dA may be NULL, and is 0 when A does not vary.  RG_RETRY: cannot
 * be evaluated here. */
rg_status rg_linear_eval(rg_linear *l, double t, double *A, double *dA, double *B, double *f);
typedef struct { /* a point of a curve: m numbers each */
    const double *y, *yp, *ypp;
} rg_linear_point;
/* The same for the linearization of a model that is not linear, along a curve:  f = A y' + B
 * y - F(t, y, y'). */
rg_status rg_linear_eval_at(rg_linear *l, double t, const rg_linear_point *at, double *A,
                            double *dA, double *B, double *f);
/* Other right-hand sides for the same A and B:  f = A y' + B y - F(t, y, y')  at another point;
 * its y'' is not used. */
rg_status rg_linear_force(rg_linear *l, double t, const rg_linear_point *at, const double *A,
                          const double *B, double *f);

/* y' at a point (t, y) that meets the constraints: also of algebraic unknowns, from dF/dt = 0.  One
 * step of Newton's method from `guess`, which may be NULL (0) where the model is linear.
 * RG_RETRY: not determined there (the index is above 1). */
rg_status rg_linear_slope(rg_linear *l, double t, const double *y, const double *guess, double *yp);

#endif
