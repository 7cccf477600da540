/* The stabilized view of a model of higher index (views/ggl.h), as the steps through singular
 * points use it.
 *
 * The unknowns w are the states of that view: y_j^(r), r < max(d_j, 1), then the multipliers mu;
 * and, where n constraints are redundant, numbers nu, n for each level of them (border.c).  See
 * doc/methods/passage.md. */
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

typedef struct { /* redundant constraints */
    int n;       /* so many; 0: none */
    rg_pattern pattern;
    int64_t *index; /* in it, per entry of the pattern of the view */
    int64_t count;  /* entries of the border */
    struct {
        int32_t row, column, from; /* from: of leading->border */
        int64_t index;
    } * entry;
    double *null; /* left null vectors u, when L and R were made; two vectors of workspace */
    /* of G and B: the largest value so far of the smallest singular value beside the n zeros */
    double regular_sigma[2];
    bool has_vectors;
} rg_border;

typedef struct {
    rg_context *ctx;
    const rg_problem *p;
    const rg_analysis *a;  /* of the problem, or the one below */
    rg_analysis offsets;   /* redundant constraints: with the offsets of the structure; or of: */
    rg_rows *combinations; /* an index from combinations of equations: these; else NULL */
    rg_rows_places places; /* of the equations in them */
    rg_system *system;     /* stabilized; with combinations, the model as written */
    rg_leading *leading;   /* of the view of the run (0) and of this one (1) */
    int plain, size;       /* states of the view; unknowns w */
    int levels;            /* largest c */
    const rg_pattern *pattern;
    rg_border border;
    /* from rg_stable_open on */
    rg_system_work *work;
    uint8_t *kinds;           /* rg_system_entry_kinds */
    uint8_t *is_differential; /* per unknown: its derivative occurs */
    double *zero, *F, *Jy, *Jyp;
    rg_stable_constraints constraints;
} rg_stable;

/* For a run of problem p on the view s.  *out stays NULL, with RG_OK, where the form does not
 * apply: index below 2, an index that comes from combinations of equations with varying factors,
 * callbacks, more than RG_STABLE_MOST unknowns. */
enum { RG_STABLE_MOST = 2000 };
rg_status rg_stable_create(const rg_problem *p, const rg_analysis *a, const rg_system *s,
                           rg_stable **out);
void rg_stable_destroy(rg_stable **form);
/* What evaluating needs; before the first of the functions below. */
rg_status rg_stable_open(rg_stable *v);

/* Residual (size) and, unless they are NULL, the matrices dF/dw, dF/dw' in pattern order.
 * RG_RETRY: cannot be evaluated here. */
rg_status rg_stable_eval(rg_stable *v, double t, const double *w, const double *wp, double *F,
                         double *Jw, double *Jwp);
/* The system Jacobian, in the order of leading->pattern; wp NULL: 0. */
rg_status rg_stable_system_matrix(rg_stable *v, double t, const double *w, const double *wp,
                                  double *A);
/* Residuals g of the constraints and  G = dg/dq  (m x n_q, by columns). */
rg_status rg_stable_constraints_eval(rg_stable *v, double t, const double *w, double *g, double *G);
/* Moves w along M^-1 G^T onto all constraints F_i^(k) = 0, k < c_i. */
rg_status rg_stable_project(rg_stable *v, double t, double *w);

/* ---- redundant constraints; nothing happens where there are none */
rg_status rg_border_init(rg_stable *v);
void rg_border_clear(rg_stable *v);
/* After A has been evaluated: L and R near its null spaces, also in A.  row_largest: entries so far
 * in the rows of A.  RG_RETRY: the first time, and they are not what redundant constraints would
 * have. */
rg_status rg_border_turn(rg_stable *v, const double *row_largest, double *A);
/* The multipliers of least norm at (t, w). */
rg_status rg_border_least(rg_stable *v, double t, double *w);
void rg_border_kinds(const rg_stable *v,
                     uint8_t *kinds); /* of the view, become those of the form */
/* F and the matrices of the view, in the pattern of the view, become those of the form. */
void rg_border_residual(const rg_stable *v, const double *w, double *F);
void rg_border_spread(const rg_stable *v, const double *Jy, const double *Jyp, double *Jw,
                      double *Jwp);

/* w from the states y, y' of the view that the run works on; w' where they tell it, else 0. */
void rg_stable_from_system(const rg_stable *v, const rg_system *s, const double *y,
                           const double *yp, double *w, double *wp);

#endif
