/* Implicit Runge-Kutta methods on F(t, y, y') = 0: one engine, driven by the coefficients of
 * linalg/rule.h.
 *
 *     Z_i = Y_i - y_n = h sum_j a_ij Y'_j,      F(t_n + c_i h, Y_i, Y'_i) = 0,    i = 1 .. s
 *     h Y'_i = sum_j (A^-1)_ij Z_j,             y_{n+1} = y_n + b^T A^-1 Z
 *
 * The unknowns are the Z_i: an unknown without a derivative has no Y'_i, and its new value follows
 * all the same, as Y_s where the method is stiffly accurate, otherwise with R(infinity) =
 * 1 - b^T A^-1 1.  Lobatto IIIA has a first row of zeros: Y_1 = y_n, Y'_1 = y'_n, and
 * the equations stand at the stages 2 .. s, with the regular rest of A:
 *
 *     h Y'_i = sum_j (A^-1)_ij (Z_j - h a_j1 y'_n)
 *
 * doc/methods/irk.md. */
#ifndef RG_IVP_IRK_IRK_H
#define RG_IVP_IRK_IRK_H

#include "ivp/aside.h"
#include "ivp/half_explicit/half_explicit.h"
#include "ivp/rates.h"
#include "linalg/matrix.h"
#include "linalg/rule.h"

enum { IRK_MOST = RG_RULE_MOST_ODD, IRK_PAIRS = RG_RULE_PAIRS };

extern const rg_ivp_method rg_gauss_method, rg_radau1a_method, rg_radau2a_method,
    rg_lobatto3a_method, rg_lobatto3c_method, rg_sdirk_method;

typedef struct {
    rg_rule rule;
    rg_rule_blocks blocks;
    int first, m;              /* stages that are known, and unknown */
    bool is_diagonal;          /* SDIRK: one stage after the other */
    bool is_accurate;          /* y_{n+1} = Y_s */
    double end[IRK_MOST];      /* b^T A^-1 */
    double known[IRK_MOST];    /* sum_j (A^-1)_ij a_j1 */
    double gamma;              /* of the real matrix (gamma/h) F_y' + F_y */
    double embedded[IRK_MOST]; /* SDIRK: weights of Y'_i in the error */
    double part;               /* of the tolerance: what a step may take of it */
    int n_points;              /* dense output: polynomial through so many points of the step */
    double point[IRK_MOST + 2];
    rg_pace pace;

    rg_matrix *real, *pair[IRK_PAIRS];
    /* those of side steps: pivots follow the factorization before; NULL: none yet */
    rg_matrix *side_real[RG_ROWS_USERS], *side_pair[RG_ROWS_USERS][IRK_PAIRS];
    double *arena;
    double *Jy, *Jyp;
    double t_jacobian;
    double *Z, *F;  /* m vectors each */
    double *values; /* of the points */
    double *Y, *Yp; /* a stage; the new point */
    double *error;
    double *weight;
    double *before;         /* SDIRK: the point before y_n */
    double *slope;          /* y'_n of the last step */
    uint8_t *is_algebraic;  /* per state: no derivative of it occurs */
    bool has_algebraic;     /* some are */
    rg_rates rates;         /* of variables of index 2 and 3 */
    uint8_t *is_rate;       /* per row: a derivative occurs in it */
    double ahead[IRK_MOST]; /* weights of the stages in their polynomial at the end */
    bool is_projected;      /* --projected on */
    rg_half_explicit half;  /* ... its view and memory */

    double h_factored; /* 0: there are no factors */
    bool is_linear;
    int iterations;
    double rate; /* of the iteration: second change to first one; NaN: one was enough */
} rg_irk;

static inline rg_irk *rg_irk_of(const rg_integrator *g)
{
    return (rg_irk *)g->state;
}

/* create.c: stages or order of the options, coefficients, memory */
void rg_irk_restart(rg_integrator *g, double h);
void rg_irk_destroy(rg_integrator *g);
/* step.c: attempts until one is accepted; rows inside it */
rg_status rg_irk_step(rg_integrator *g);
rg_status rg_irk_rows(rg_integrator *g, int64_t count);
rg_status rg_irk_row(rg_integrator *g, double t, double *y, double *yp);
bool rg_irk_has_rows(const rg_integrator *g);
/* newton.c: Jacobian and factors at t_n; Z from a prediction to the solution; Y, Y' of stage i */
rg_status rg_irk_prepare(rg_integrator *g);
rg_status rg_irk_newton(rg_integrator *g);
rg_status rg_irk_look_ahead(rg_integrator *g);
void rg_irk_stage(const rg_integrator *g, int i, double *Y, double *Yp);
/* dense.c: Y, Y' at the end of the step, the values of the polynomial's points; the polynomial of
 * the step that ends at Y; the error estimate */
void rg_irk_end(rg_integrator *g);
void rg_irk_dense(rg_integrator *g);
double rg_irk_error(rg_integrator *g);

#endif
