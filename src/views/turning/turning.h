/* The view  -eps u'' - b(x, u) u' + c(x, u) = 0,  u given at both ends, of a boundary value model
 * in any algebraic arrangement, also as a pair u' = w, eps w' = ....
 *
 * With the equation as F(x, u, u', u'') = 0, left side minus right side:
 *
 *     A = dF/du'',   B = dF/du',   C = F(x, u, 0, 0),   F = A u'' + B u' + C
 *     eps = |A|,     b = sign(A) B,   c = -sign(A) C
 *
 * A must be a number, B and C must not depend on u' and u''.  Of a pair, w = k u' takes the place
 * of w:  A = k dF/dw',  B = dF/du' + k dF/dw.  Lin's thesis, (6.3).
 *
 * Turning points are zeros of b that do not move with u (6.6a); the kind is that of b_x there. */
#ifndef RG_VIEWS_TURNING_TURNING_H
#define RG_VIEWS_TURNING_TURNING_H

#include "linalg/rule.h"
#include "problem/problem.h"
#include "problem/turning.h"

typedef struct {
    double b, c;                         /* level 0 */
    double b_x, b_u, c_x, c_u;           /* level 1 */
    double b_xx, b_xu, c_xx, c_xu, c_uu; /* level 2 */
} rg_turning_values;

typedef enum { /* why a model has no such view, or is beyond its methods */
               RG_TURNING_IS_FORM,
               RG_TURNING_NO_FORM,       /* not one second order equation linear in u'' and u' */
               RG_TURNING_NO_EPS,        /* the coefficient of u'' is 0 or not a number        */
               RG_TURNING_NO_CONDITIONS, /* not u at both ends                               */
               RG_TURNING_NO_WIND        /* b is 0 everywhere                                  */
} rg_turning_fault;

typedef struct { /* some of the values as a function of x and u */
    rg_tape *tape;
    int n_inputs, n_outputs;
    double *inputs; /* at u = 0; data, and 0 for everything else */
    bool *is_u;     /* the inputs that u takes the place of */
} rg_turning_tape;

typedef struct rg_turning {
    rg_context *ctx;
    const rg_problem *p;
    rg_turning_fault fault;
    char reason[240]; /* of the fault, for a message */
    rg_span span;     /* the text that it is about; end = 0: none */
    int64_t unknown;  /* u */
    int64_t slope;    /* of a pair: w = factor u'; -1: there is none */
    double factor;
    double eps, low, high; /* low < high whichever way the model runs */
    double value[2];       /* u at low, at high */
    bool is_moving;        /* b has zeros that move with u */
    rg_turning_facts facts;
    /* the view's own */
    rg_graph *graph;
    rg_node F, B;       /* the equation, dF/du' */
    rg_rule rule;       /* for integrals of b over u, exact where b is a polynomial in u */
    bool is_polynomial; /* of low degree */
    const rg_body *body;
    int64_t iteration;
    double sign;
    rg_turning_tape tape[4]; /* b alone; then levels 0, 1, 2 */
    double *work;
    int64_t evaluations;
} rg_turning;

/* Reads the model on the interval from a to b.  RG_OK also where there is no such view: `fault`
 * says why.  Cheap where the model is of another kind. */
rg_status rg_turning_create(const rg_problem *p, double a, double b, rg_turning **out);
void rg_turning_destroy(rg_turning **view);
/* b and c with their derivatives up to a level; false: not finite. */
bool rg_turning_eval(rg_turning *v, double x, double u, int level, rg_turning_values *out);
double rg_turning_b(rg_turning *v, double x, double u); /* NaN: cannot be evaluated */
/* Before integrals are asked for. */
rg_status rg_turning_prepare(rg_turning *v);
/* int b(x, s) ds and int b_x(x, s) ds, s from `from` to `to`; flux_x may be
 * NULL. */
double rg_turning_flux(rg_turning *v, double x, double from, double to, double *flux_x);
/* A negative parameter to which eps is proportional: its number, or -1. */
rg_status rg_turning_parameter(const rg_turning *v, int *number);

/* Finds turning points and layers of the problem once, for its study; nothing where the model is
 * of another kind.  study.c */
rg_status rg_turning_study(rg_problem *p, double t_end);
/* The same by a view that is there already. */
rg_status rg_turning_tell(rg_problem *p, const rg_turning *v);
/* The zeros of b, their kinds, and the layers.  points.c */
rg_status rg_turning_find_points(rg_turning *v);

#endif
