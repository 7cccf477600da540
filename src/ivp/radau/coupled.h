/* Three-stage Radau IIA by full Newton: all stages coupled, with the Jacobian of every stage at
 * that stage, in every iteration.
 *
 *     F(t_n + c_i h, W_i, W'_i) = 0,    W'_i = (1/h) sum_j D_ij (W_j - w_n),    D = A^-1
 *     blocks (i, j) of the matrix:   delta_ij F_w(i) + (D_ij/h) F_w'(i)
 *
 * For steps past points where equations lose rank (ivp/passage), whose rows change by more than
 * themselves over a step: one Jacobian for a step (newton.c) does not converge there.  Algebraic
 * unknowns are neither extrapolated nor part of any norm.  The caller chooses the steps. */
#ifndef RG_IVP_RADAU_COUPLED_H
#define RG_IVP_RADAU_COUPLED_H

#include "linalg/matrix.h"
#include "linalg/rule.h"

enum { COUPLED_STAGES = 3 };

typedef struct { /* F(t, w, w') = 0 */
    int N;
    const rg_pattern *pattern;      /* of dF/dw and dF/dw' */
    const uint8_t *kinds;           /* per entry of it: 2 set: occurs in dF/dw' */
    const uint8_t *is_differential; /* per unknown: its derivative occurs */
    /* F at a stage, and both matrices unless they are NULL.  RG_RETRY: cannot be evaluated here. */
    rg_status (*eval)(void *user, int stage, double t, const double *w, const double *wp, double *F,
                      double *Jw, double *Jwp);
    void *user;
} rg_coupled_equations;

typedef struct {
    rg_context *ctx;
    rg_coupled_equations equations;
    rg_rule_modes rule;
    double *w, *wp;            /* at t_n */
    double *W, *F;             /* stages, residuals: 3 N */
    double *Wp;                /* the derivative of one stage */
    double *Jw, *Jwp;          /* of the stages, in pattern order */
    double *weight;            /* 1/(atol + rtol |w|), 0 for algebraic unknowns */
    double *polynomial, *last; /* a_0 .. a_3 in s = (t - t_n)/h; of the step before */
    double h_last;             /* the step before; 0: none */
    double noise, most_noise;  /* the tolerance is raised by it: rounding near a point */
    /* Newton keeps its factors while updates shrink by FAST, from one call to the next; whoever
     * changes the step or the equations takes has_factors back */
    bool keeps_factors, has_factors;
    double *memory, *values;       /* all of these; the coupled matrix */
    rg_matrix *matrix, *estimator; /* ... and that of the error estimate */
    rg_matrix *side;               /* ... of steps beside the run; NULL: none yet */
} rg_coupled;

rg_status rg_coupled_create(rg_context *ctx, const rg_coupled_equations *e, rg_coupled **out);
void rg_coupled_destroy(rg_coupled **coupled);
/* Stage values from the last polynomial; then Newton.  RG_RETRY: no convergence. */
void rg_coupled_predict(rg_coupled *c, double h);
rg_status rg_coupled_newton(rg_coupled *c, double t, double h, int64_t *evaluations);
double rg_coupled_error(rg_coupled *c, double h); /* in units of the tolerance */
/* The largest difference of the stages from W, in units of the tolerance. */
double rg_coupled_distance(const rg_coupled *c, const double *W);
void rg_coupled_interpolate(rg_coupled *c);        /* polynomial <- stages */
void rg_coupled_straight(rg_coupled *c, double h); /* polynomial <- w_n + s h w'_n */
/* w and w' (or NULL) on the polynomial at s. */
void rg_coupled_at(const rg_coupled *c, double h, double s, double *w, double *wp);

#endif
