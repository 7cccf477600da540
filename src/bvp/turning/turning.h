/* Methods for  -eps u'' - b(x, u) u' + c(x, u) = 0  with one turning point x*, b(x*, u) = 0, and u
 * given at both ends.  Lin's thesis, chapter 6.1; formulas and corrections: doc/methods/turning.md.
 *
 *     sweep         repulsive: one explicit sweep per half, (6.19), error M (h + eps)
 *     two-pass      repulsive: second order sweep, then once more with a better right-hand side
 *     conservative  attractive: (6.35) on a mesh that is dense at x*
 *     upwind        upwind differences on a uniform mesh, for comparison
 *     shishkin      upwind differences on a mesh with fine parts in the layers, for comparison */
#ifndef RG_BVP_TURNING_TURNING_H
#define RG_BVP_TURNING_TURNING_H

#include "bvp/method.h"
#include "views/turning/turning.h"

/* The method of the table.  method.c */
rg_bvp_solve_fn rg_turning_point_solve;
/* Its variants, for 'regula methods turning-point'. */
int rg_turning_variant_count(const char *method);
rg_variant_info rg_turning_variant_at(const char *method, int k);

typedef enum {
    RG_TURN_SWEEP,
    RG_TURN_TWO_PASS,
    RG_TURN_CONSERVATIVE,
    RG_TURN_UPWIND,
    RG_TURN_SHISHKIN
} rg_turn_variant;

/* ---- reduced.c: b v' = c, without eps ------------------------------------------------------- */
typedef struct {
    double v, vp;   /* the reduced solution and its slope */
    double v1, v1p; /* repulsive, with the next term: u = v + eps v1 + ... */
} rg_reduced_values;

typedef struct rg_reduced rg_reduced;
/* Repulsive: from c(x*, v) = 0 at the turning point outwards; attractive: from both ends inwards,
 * b v' = c - c(x*, v).  has_next: with v1.  RG_ERR_METHOD where there is none. */
rg_status rg_reduced_create(rg_turning *view, bool has_next, double tol, rg_reduced **out);
void rg_reduced_destroy(rg_reduced **r);
/* side: -1 left of x*, 1 right of it (at x* itself both exist). */
rg_reduced_values rg_reduced_at(const rg_reduced *r, double x, int side);
double rg_reduced_value(const rg_reduced *r, double x, int side); /* v alone, at no evaluation */
rg_reduced_values rg_reduced_center(const rg_reduced *r);         /* repulsive: at x* */
double rg_reduced_low(const rg_reduced *r); /* range of v and the boundary values */
double rg_reduced_high(const rg_reduced *r);
int64_t rg_reduced_steps(const rg_reduced *r);

/* ---- a solution on a mesh ------------------------------------------------------------------- */
typedef struct { /* one half of the interval, seen from the turning point: x = x* + side s */
    int side;
    double length;
    double m1; /* bound of |b|/s;                  the sweep divides by it         */
    double b0; /* lower bound of |b|/s;            width of an inner layer         */
    double m;  /* lower bound of |b| at the end;   width of the layer at the end   */
    double e;  /* eps/(m length), without a unit */
} rg_turn_half;

typedef struct {
    rg_context *ctx;
    rg_turning *view;
    const rg_reduced *reduced;
    rg_turn_variant variant;
    bool drops_K; /* as printed, for comparison */
    double x0;    /* x* */
    int n;        /* intervals, even; x[n/2] = x* */
    rg_turn_half half[2];
    double *x, *u, *up;     /* n + 1: mesh, solution, slope */
    double *e_low, *e_high; /* n: sweeps: e at both ends of an interval, near and far from x* */
    double K[2];            /* sweeps: eps u'(x*), with the sign of the half */
    bool *is_layer;         /* n: values inside follow the layer function */
    int64_t iterations;     /* of Newton's method */
    rg_rule rule;           /* Gauss, for integrals in s */
} rg_turn_solution;

/* Memory, bounds, mesh; then solved by rg_turn_solve(). */
rg_status rg_turn_create(rg_turning *view, const rg_reduced *reduced, rg_turn_variant variant,
                         int n, rg_turn_solution **out);
void rg_turn_destroy(rg_turn_solution **s);
/* RG_ERR_CONVERGENCE where Newton's method finds nothing. */
rg_status rg_turn_solve(rg_turn_solution *s);
/* u and u' anywhere in the interval; up may be NULL. */
void rg_turn_eval(const rg_turn_solution *s, double x, double *u, double *up);
/* The same where the interval i of the mesh is known. */
void rg_turn_eval_in(const rg_turn_solution *s, int i, double x, double *u, double *up);

/* mesh.c */
void rg_turn_mesh(rg_turn_solution *s);
/* sweep.c */
rg_status rg_turn_sweep(rg_turn_solution *s);
double rg_turn_layer_integral(const rg_rule *rule, double q, double from, double to);
/* What the layers do to E(x), which the sweep takes along v, and by how much that moves y: max
 * |I|/m. */
double rg_turn_layer_error(const rg_turn_solution *s);
/* difference.c */
rg_status rg_turn_difference(rg_turn_solution *s);

#endif
