/* The stabilized view of a model of higher index (views/ggl.h), as the steps through singular points use it.
 *
 * The unknowns w are the states of that view: y_j^(r), r < max(d_j, 1), then the multipliers mu.  See doc/methods/passage.md. */
#ifndef RG_IVP_PASSAGE_FORM_H
#define RG_IVP_PASSAGE_FORM_H

#include "views/leading.h"

typedef struct { /* the constraints with the largest c as they are written, g(q, t) = 0 */
    int m, n_q;
    int32_t *equation; /* m */
    int32_t *row;      /* m: of the view */
    int32_t *state;    /* n_q: the lowest states that they depend on */
    int32_t *number;   /* per row of the view: which constraint, or -1 */
} rg_stable_constraints;

typedef struct {
    rg_context *ctx;
    const rg_problem *p;
    const rg_analysis *a;
    rg_system *system;
    rg_leading *leading; /* of the view of the run (0) and of this one (1) */
    int size, levels;    /* unknowns w; largest c */
    const rg_pattern *pattern;
    /* from rg_stable_open on */
    rg_system_work *work;
    uint8_t *kinds;           /* rg_system_entry_kinds */
    uint8_t *is_differential; /* per unknown: its derivative occurs */
    double *zero, *F, *Jy, *Jyp;
    rg_stable_constraints constraints;
} rg_stable;

/* For a run of problem p on the view s.  *out stays NULL, with RG_OK, where the form does not apply: index below 2, an
 * index that comes from combinations of equations, redundant constraints, callbacks, more than RG_STABLE_MOST unknowns. */
enum { RG_STABLE_MOST = 2000 };
rg_status rg_stable_create(const rg_problem *p, const rg_analysis *a, const rg_system *s,
                           rg_stable **out);
void rg_stable_destroy(rg_stable **form);
/* What evaluating needs; before the first of the functions below. */
rg_status rg_stable_open(rg_stable *v);

/* Residual (size) and the matrices dF/dw, dF/dw' in pattern order.  RG_RETRY: cannot be evaluated here. */
rg_status rg_stable_eval(rg_stable *v, double t, const double *w, const double *wp, double *F,
                         double *Jw, double *Jwp);
/* The system Jacobian, in the order of leading->pattern; wp NULL: 0. */
rg_status rg_stable_system_matrix(rg_stable *v, double t, const double *w, const double *wp,
                                  double *A);
/* Residuals g of the constraints and  G = dg/dq  (m x n_q, by columns). */
rg_status rg_stable_constraints_eval(rg_stable *v, double t, const double *w, double *g, double *G);
/* Moves w along M^-1 G^T onto all constraints F_i^(k) = 0, k < c_i. */
rg_status rg_stable_project(rg_stable *v, double t, double *w);

/* w from the states y, y' of the view that the run works on; w' where they tell it, else 0. */
void rg_stable_from_system(const rg_stable *v, const rg_system *s, const double *y,
                           const double *yp, double *w, double *wp);

#endif
