/* Newton's method (newton/newton.h) for curves on a mesh: collocation equations and the iterates of
 * sequential regularization.  Corrections are measured by their largest entry relative to the
 * largest value of its component: mesh values, and those of w that count. */
#ifndef RG_BVP_NEWTON_H
#define RG_BVP_NEWTON_H

#include "curve/curve.h"
#include "newton/newton.h"

typedef struct {
    double floor; /* values below this count as this large in the norm: atol/rtol */
    double tol;   /* of the last correction, relative to the largest value of every component */
    double local; /* the same of x, relative to the size of the state alone; 0: not asked */
    int most;     /* iterations with new factors */
    /* a solution was found before, on another mesh or with another rule: the matrix is regular,
     * and of linear equations the first correction will do */
    bool is_regular;
} rg_newton_control;

typedef struct {
    /* set by the caller: */
    rg_newton_control control;
    void *user; /* of the functions */
    rg_status (*correct)(void *user, const rg_curve *at, bool is_new, rg_curve *delta);
    /* With the new factors at `at`: how large x and w would be if nothing cancelled, twice nx + n;
     * u: (N + 1) nx, workspace.  Or NULL. */
    void (*find_natural)(void *user, const rg_curve *at, double *u, double *natural);
    /* For linear equations, or NULL: what rounding in the factors at `at` makes of a solution,
     * relative to `scale`; u as above.  Only asked where the matrix is regular. */
    double (*find_rounding)(void *user, const rg_curve *at, const double *scale, double *u);
    const int *depth; /* nx: 0 where a state is an unknown, not a derivative of one; or NULL */
    const int *order; /* n: w_k counts in the norm where this is 0; NULL: none does */
    /* made by rg_bvp_newton_init: */
    rg_context *ctx;
    double *size;  /* nx, then n: the largest values */
    double *scale; /* the same, at least `floor` where the units are usual ones */
    /* nx, then n: how large they would be if nothing cancelled; twice, see rg_implicit_natural */
    double *natural;
    double *work;             /* (N + 1) nx */
    rg_curve *trial, *D, *Db; /* between solves: workspace of anybody */
    int n_iterations;         /* of the last solve */
    double rounding;          /* likewise; see rg_newton */
    int rounded;              /* the component that it changes most: of x, then of w */
} rg_bvp_newton;

rg_status rg_bvp_newton_init(rg_bvp_newton *n, const rg_curve *shape);
void rg_bvp_newton_clear(rg_bvp_newton *n); /* also after a failure */
/* Takes `scale` from a curve, and, if there is one, from a correction where that is larger: what
 * is zero so far has the size of its correction, and what stays zero one beside which rounding in
 * what it is made of is below the tolerance. */
void rg_bvp_newton_scale(const rg_bvp_newton *n, const rg_curve *it, const rg_curve *delta);
/* own (nx): `scale`, but the size of the state itself where `scale` is larger for what the state is
 * made of, unless it is zero beside that: the size in which errors are told. */
void rg_bvp_newton_own_scale(const rg_bvp_newton *n, const rg_curve *it, double *own);
/* Improves x, X' and w of `it` in place.  has_factors: of a matrix that may do.  RG_RETRY: no
 * solution found; `it` may have moved. */
rg_status rg_bvp_newton_solve(rg_bvp_newton *n, bool has_factors, rg_curve *it);

#endif
