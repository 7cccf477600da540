/* The stabilized form of a model of higher index (Gear, Gupta, Leimkuhler): index 2, all constraints as equations.
 *
 * With the offsets c_i, d_j of the structural analysis and the states (j, r) = y_j^(r), r < max(d_j, 1):
 *
 *     F_i = 0                                       c_i = 0
 *     F_i^(k) = 0,      k = 0 .. c_i - 1            c_i > 0: the constraint and its derivatives, without the last
 *     (j, r)' = (j, r+1) + sum_ik  dF_i^(k)/dy_j^(r) mu_ik,   k <= c_i - 2,  r = k + d_j - c_i      r < d_j - 1
 *
 * For mechanics: q' = v + G^T mu, M v' = f - G^T lambda, 0 = g(q), 0 = G v.  mu is 0 on solutions.
 * The unknowns w are the states, then mu.  See doc/methods/passage.md. */
#ifndef RG_IVP_PASSAGE_FORM_H
#define RG_IVP_PASSAGE_FORM_H

#include "views/states.h"

typedef struct {
    rg_context *ctx;
    const rg_problem *p;
    const rg_analysis *a;
    rg_states layout;
    rg_assembly *rows; /* over z = (states, derivatives) */
    rg_assembly_work *work;
    int n, n_states, n_mu, size; /* equations of the model; size = n_states + n_mu */
    int n_rows, levels;          /* rows of the assembly; largest c */
    int32_t **row;               /* [level][equation]: row of the assembly, or -1 */
    int32_t *mu_equation, *mu_level;
    uint8_t *is_differential; /* per unknown: its derivative occurs */
    int32_t *target;          /* per entry of the pattern: place in the system matrix, or -1 */
    double *z, *values, *F;   /* to work with */
} rg_stable;

/* For a run of problem p on the view s.  *out stays NULL, with RG_OK, where the form does not apply: index below 2, an
 * index that comes from combinations of equations, redundant constraints, callbacks, more than RG_STABLE_MOST unknowns. */
enum { RG_STABLE_MOST = 400 };
rg_status rg_stable_create(const rg_problem *p, const rg_analysis *a, const rg_system *s,
                           rg_stable **out);
void rg_stable_destroy(rg_stable **form);

/* Residual (size) and, unless NULL, the matrices dF/dw, dF/dw' (size x size, by columns).  The second derivatives that
 * belong to mu are left out: mu is of the size of the errors.  RG_RETRY: cannot be evaluated here. */
rg_status rg_stable_eval(rg_stable *v, double t, const double *w, const double *wp, double *F,
                         double *Jw, double *Jwp);
/* The system Jacobian  A_ij = dF_i/dy_j^(d_j - c_i)  (n x n, by columns): singular where constraints lose rank. */
rg_status rg_stable_system_matrix(rg_stable *v, double t, const double *w, const double *wp,
                                  double *A);
/* The constraints with the largest c as they are written: how many, their equations, residual g and  G = dg/dq  (m x n_q, by
 * columns) in the lowest states q they depend on. */
typedef struct {
    int m, n_q;
    int32_t *equation; /* m */
    int32_t *state;    /* n_q: place in w */
} rg_stable_constraints;
rg_status rg_stable_constraints_init(const rg_stable *v, rg_stable_constraints *out);
void rg_stable_constraints_clear(const rg_stable *v, rg_stable_constraints *c);
rg_status rg_stable_constraints_eval(rg_stable *v, const rg_stable_constraints *c, double t,
                                     const double *w, double *g, double *G);
/* Moves w along M^-1 G^T (see form_eval.c) onto all constraints F_i^(k) = 0, k < c_i. */
rg_status rg_stable_project(rg_stable *v, double t, double *w);

/* To and from the states y, y' of the view the run works on. */
void rg_stable_from_system(const rg_stable *v, const rg_system *s, const double *y,
                           const double *yp, double *w);

#endif
