/* The form of a model that boundary value methods work on: an implicit ODE in the states x, with
 * the highest derivatives w solved for point by point.
 *
 *     0 = F(t, x, w),   F = {d^c_i/dt^c_i of equation i},   x = (y_j^(r), r < d_j),
 *         w_j = y_j^(d_j)
 *     0 = G(t, x),      G = {d^k/dt^k of equation i, k < c_i}: the (hidden) constraints
 *
 * c and d are the offsets of the structure analysis, for which dF/dw is regular.  Then x' = phi(t,
 * x), with sum d_j degrees of freedom; the invariants G, imposed at one point, and the user's
 * conditions fix them.
 *
 * Where the offsets of the written equations do not tell all, x = (y_j^(r), r < highest derivative
 * written),  F = w - phi(t, x), and phi and G come from the derivative array at every point
 * (bvp/array.h).  Models that are too large for it: F and G are made from combinations of the
 * equations with constant factors (structure/combine.h), in which the derivatives that hide the
 * constraints cancel. */
#ifndef RG_BVP_FORM_H
#define RG_BVP_FORM_H

#include "bvp/array.h"
#include "linalg/sparse.h"
#include "structure/combine_rows.h"
#include "views/drift.h"

typedef struct {           /* rows of F or G */
    rg_assembly *assembly; /* written equations and derivatives of them; NULL: no rows */
    rg_assembly_work *work;
    int n_rows;
    int n_written; /* rows of the assembly */
    /* NULL: written row q is row q.  Otherwise it is part of rows to[start[q]..start[q+1]-1] ... */
    int32_t *start;
    int32_t *to;
    double *factor; /* ... with these factors */
    int n_known;    /* columns of z from here on cancel in all rows */
    double *F, *J;  /* workspace: of the assembly; */
    double *sum;    /* 2 n_rows */
} rg_form_rows;

typedef struct {
    rg_context *ctx;
    const rg_problem *p;
    const rg_analysis *a;
    const int32_t *c,
        *d; /* offsets: of the analysis, or of the combinations; array: 0 and the highest written */
    rg_form_array *array;     /* NULL: there are offsets */
    int32_t *offsets;         /* c and d of an array */
    rg_rows *combinations;    /* NULL: the equations as they are written */
    rg_transversal *combined; /* their structure */
    int n, nx, nz;            /* unknowns = equations; states x; nz = nx + n, z = (x, w) */
    int n_algebraic;          /* unknowns with d_j = 0 */
    int n_orders;             /* max d + 1 */
    int *first;               /* per unknown: x number of y_j, where d_j > 0 */
    int *unknown;             /* per x: the unknown ... */
    int *order;               /* ... and the order of the derivative */
    int *next;                /* per x: the x that is its derivative, or -1: w of its unknown */
    bool *is_constant;        /* per unknown: an equation y' = 0 keeps it where it is */
    int32_t **place;          /* [order][unknown]: place in z, or -1 */
    rg_states states; /* the same as a first order system, for output: y = (x and algebraic w) */
    rg_drift drift;
    rg_form_rows equations, invariants;
    int n_invariants;
    /* Equations and conditions are linear, and there are no constraints: rounding shows in the
     * chain of a mesh (bvp/collocation/condensed.h). */
    bool is_linear;
    bool is_large; /* many unknowns and a sparse Jacobian: bvp/form_large.h; sparse factors */
    /* ... so many that nothing is looked at that needs full matrices: conditions, modes,
     * singular places */
    bool is_unchecked;
    rg_sparse *Fw; /* ... dF/dw */
    double *step;  /* ... n */
    double *z;     /* workspace */
} rg_bvp_form;

/* RG_ERR_METHOD where there is no such form. */
rg_status rg_bvp_form_create(const rg_problem *p, const rg_analysis *a, rg_bvp_form **out);
/* RG_ERR_METHOD unless the offsets of the written equations tell all: for methods that cannot
 * use combinations. */
rg_status rg_bvp_form_check_written(const rg_problem *p, const rg_analysis *a);
void rg_bvp_form_destroy(rg_bvp_form **form);
/* Is it an unknown constant (param NAME ~ guess, or y' = 0)? */
bool rg_bvp_form_is_constant(const rg_bvp_form *f, int unknown);
/* F (n) at (t, x, w).  RG_RETRY: cannot be evaluated. */
rg_status rg_bvp_form_residual(rg_bvp_form *f, double t, const double *x, const double *w,
                               double *F);
/* F and the dense Jacobians Fx (n x nx), Fw (n x n), column-major. */
rg_status rg_bvp_form_jacobian(rg_bvp_form *f, double t, const double *x, const double *w,
                               double *F, double *Fx, double *Fw);
/* G (n_invariants) and Gx (n_invariants x nx), column-major. */
rg_status rg_bvp_form_invariants(rg_bvp_form *f, double t, const double *x, double *G, double *Gx);
/* w from x by Newton's method, starting from w.  RG_RETRY: did not converge; w is as before.
 * work: rg_bvp_form_work() numbers, pivot: n */
size_t rg_bvp_form_work(const rg_bvp_form *f);
rg_status rg_bvp_form_solve(rg_bvp_form *f, double t, const double *x, double *w, double *work,
                            int *pivot);
/* Splits a first order point: y = (x, algebraic w), y' = derivatives, in the numbering of
 * f->states. */
void rg_bvp_form_point(const rg_bvp_form *f, const double *x, const double *w, double *y,
                       double *yp);

#endif
