/* The state of a run with Radau IIA methods on F(t, y, y') = 0.
 *
 * Stages: Z_i = Y_i - y_n,  h Y'_i = sum_j (A^-1)_ij Z_j,  F(t_n + c_i h, y_n + Z_i, Y'_i) = 0;
 * y_{n+1} = y_n + Z_s.  With W = T^-1 Z the Newton matrix falls apart into  (gamma/h) F_y' + F_y
 * and  ((alpha_k + i beta_k)/h) F_y' + F_y. */
#ifndef RG_IVP_RADAU_RADAU_H
#define RG_IVP_RADAU_RADAU_H

#include "base/vector.h"
#include "ivp/method.h"
#include "ivp/radau/coupled.h"
#include "ivp/radau/transform.h"
#include "ivp/rates.h"
#include "linalg/matrix.h"
#include "linalg/rule.h"

/* Stages of a step; of the collocation for output between the steps, rows.c: RG_RULE_MOST_ODD. */
enum { RADAU_MOST = 7, RADAU_PAIRS = RG_RULE_PAIRS };

extern const rg_ivp_method rg_radau_method;
typedef struct rg_radau_rows rg_radau_rows;

typedef enum { /* why the last attempt was given up */
               RADAU_NONE,
               RADAU_NEWTON,    /* iteration does not converge           */
               RADAU_ERROR,     /* error test                            */
               RADAU_SINGULAR,  /* a Newton matrix cannot be factored    */
               RADAU_VALUES,    /* F or its Jacobian is not finite       */
               RADAU_PROJECTION /* hidden constraints could not be met   */
} rg_radau_cause;

typedef struct {
    const rg_rule_modes *table; /* the method of the next step */
    rg_rule_modes *more;        /* those of 9, 11 stages; s = 0: not yet computed */
    int most;                   /* stages that there is memory for */
    rg_matrix *real, *pair[RADAU_PAIRS];
    double *arena, *stages;
    double *Jy, *Jyp;                            /* dF/dy, dF/dy' in pattern order */
    double t_jacobian;                           /* where they were taken */
    int64_t blocks;                              /* of four numbers: rg_padded(n) */
    double *Z, *W, *F;                           /* s padded vectors each, in stages */
    const double *T, *T_inverse, *inverse_A, *P; /* of the table, wide */
    double *wide[RADAU_PAIRS + 1]; /* where they are: for 1, 3, 5, .. stages; NULL: not yet used */
    double *Y, *Yp;                /* a stage; the new point */
    double *error;                 /* e, and right-hand sides on the way to it */
    double *inverse;               /* 1/(atol + rtol |y_n|); fixed steps: 1/size */
    double *seen;                  /* fixed steps: sizes so far */
    double *end, *end_update;      /* Z_s before an update, and |change| by the last one */
    double *weight;                /* inverse * min(1, h rate)^(index - 1) */
    double *rate;                  /* per state, of index 2 and 3; NULL: all of index 1 */
    int *index;                    /* per state, for the norms; NULL: all 1 */
    int highest;                   /* in the system */
    double rtol, newton_tol;
    double rtol_of[RADAU_PAIRS + 1];   /* rtol' with 1, 3, 5, .. stages */
    double unit_step[RADAU_PAIRS + 1]; /* length of a step of a solution that changes at rate 1 */
    int max_newton;
    bool is_fixed;      /* fixed step */
    bool is_linear;     /* the Jacobian is the same everywhere: one iteration is exact */
    bool has_algebraic; /* an equation without derivatives */
    bool looks_at_end; /* ... and no switch, whose branches depend on what Newton's method leaves */

    /* order.c */
    bool varies;                         /* the order is chosen from step to step */
    int since;                           /* accepted steps with this order */
    int wait, pause;                     /* steps before more stages are tried: now, next time */
    double cost[RADAU_PAIRS + 1];        /* mean per step with 1, 3, 5, .. stages; 0: not known */
    double gain;                         /* mean logarithm of the gain over two stages less */
    int64_t evaluations, factorizations; /* of the last accepted step */
    int64_t evaluations_before, factorizations_before; /* up to it */

    double h;              /* the next attempt, signed */
    double t_low;          /* t_n is t + t_low: what rounding takes from a sum of steps */
    double h_wanted;       /* what it would be without t_end */
    double h_factored;     /* step of the factored matrices; 0: none */
    double h_accepted;     /* last accepted step; 0: none yet */
    double error_accepted; /* 0: none with this method */
    double theta;          /* rate of convergence of the last Newton iteration */
    double convergence;    /* theta/(1 - theta), carried on */
    double h_measured;     /* step in which theta was measured; 0: none */
    int iterations;        /* of the last Newton iteration */
    bool is_last;          /* the attempt ends at t_end */
    bool has_weights;      /* weight belongs to y_n and the tolerances */
    bool has_rates;        /* rate belongs to Jy, Jyp */
    bool is_at_rounding;   /* Newton's method has ended there: its rate says nothing */
    bool has_jacobian;     /* Jy, Jyp may be used */
    bool is_fresh;         /* ... and belong to t_n */
    bool is_old;           /* ... and were used in the step before */
    bool was_rejected;     /* this step was tried before */
    int failures;          /* attempts of this step given up */
    int patience;          /* failures by values that are not finite; 0: as many as of others */
    rg_radau_cause cause;
    int n_pins; /* redundant equations, and as many unknowns that nothing determines */
    int *pins;  /* rows, then columns, once found */
    bool has_pins;
    double *pin_entries;  /* largest so far of the matrix they are found from */
    double pin_factor;    /* x of the matrix that is theirs */
    rg_matrix *gauge;     /* x F_y' + F_y at a stage */
    double *gauge_memory; /* its Jacobians, null vectors */
    int64_t fixed_steps;  /* taken from fixed_start */
    double fixed_start;
    rg_radau_rows *rows[RG_ROWS_USERS]; /* rows.c; NULL: none was asked for */

    /* full.c */
    int stuck;        /* failures of Newton's method since the last step without any */
    bool begins;      /* the equations are singular at the start: stages lie beside it */
    rg_coupled *full; /* NULL: not used so far */
    uint8_t *kinds;   /* of entries, then unknowns */
} rg_radau;

static inline rg_radau *rg_radau_of(const rg_integrator *g)
{
    return (rg_radau *)g->state;
}

static inline rg_rates rg_radau_rates(const rg_radau *r)
{
    return (rg_rates){r->index, r->highest, r->Jy, r->Jyp, r->inverse, r->rate};
}

/* t_n + x h: the step is exact also where t is 1e9 seconds */
static inline double rg_radau_time(const rg_integrator *g, double x)
{
    const rg_radau *r = rg_radau_of(g);

    return g->t + (r->t_low + x * r->h);
}

/* Z_i, W_i, F_i: i = 0 .. s-1 */
static inline double *rg_radau_stage(const rg_radau *r, double *vectors, int i)
{
    return vectors + i * r->blocks * RG_LANES;
}

/* create.c */
rg_status rg_radau_create(rg_integrator *g);
void rg_radau_restart(rg_integrator *g, double h);
void rg_radau_store(rg_integrator *g, rg_store *s, double h);
void rg_radau_destroy(rg_integrator *g);
/* stages.c: the next step has this number of stages; allocates when it was never so high.  Y and
 * Y' of the last stage */
rg_status rg_radau_set_stages(rg_integrator *g, int stages);
/* Matrices with the order and the pivots of another state of the method, instead of its own. */
rg_status rg_radau_share(rg_integrator *g, const rg_radau *with);
void rg_radau_find_tolerances(rg_integrator *g); /* for all numbers of stages */
double rg_radau_root(int stages, double x);      /* x^(1/(s+1)) */
rg_status rg_radau_table_for(rg_integrator *g, int stages, const rg_rule_modes **table);
void rg_radau_last_stage(rg_integrator *g);
/* scaling.c: algebraic variables of index 2 that enter other than linearly count as index 1 in
 * the norms */
rg_status rg_radau_find_scaling(rg_integrator *g);
/* ... and at which rates the others enter: r->rate */
void rg_radau_find_rates(rg_integrator *g);
/* the norm of updates that are rounding errors of one F, and how many times that those of all
 * stages may be */
double rg_radau_rounding(rg_integrator *g, double *stages);
/* start.c: the first step size */
rg_status rg_radau_first_step(rg_integrator *g);
/* control.c: attempts until one is accepted */
rg_status rg_radau_step(rg_integrator *g);
/* trial.c: the stages Y_i and slopes Y'_i of a step of length h that is not taken and not tested:
 * full Newton iteration, shortened where values are not defined.  RG_RETRY: there is no solution.
 */
enum { RADAU_TRIAL_STAGES = 3 };
rg_status rg_radau_trial(rg_integrator *g, int stages, double h, double *Y, double *Yp);
/* jacobian.c: Jacobian and factors, as far as they are needed for r->h */
rg_status rg_radau_factor(rg_integrator *g);
rg_status rg_radau_prepare(rg_integrator *g);
rg_status rg_radau_jacobian(rg_integrator *g);
/* Does the Jacobian at t_n tell what F does along the first step? */
rg_status rg_radau_jacobian_tells(rg_integrator *g, bool *is_so);
/* redundant.c: undetermined unknowns: which; the values of least norm */
rg_status rg_radau_find_pins(rg_integrator *g);
rg_status rg_radau_least_norm(rg_integrator *g);
/* predict.c: Z; and the residuals there, from another prediction where they have no value */
void rg_radau_predict(rg_integrator *g);
rg_status rg_radau_begin_newton(rg_integrator *g);
/* newton.c: Z from its prediction to the solution of the stage equations */
rg_status rg_radau_newton(rg_integrator *g, double *h_factor);
rg_status rg_radau_residuals(rg_integrator *g); /* F at all stages */
double rg_radau_update(rg_integrator *g);       /* one iteration: F <- -dW, W, Z; the norm of dW */
/* full.c: the same where that has failed, by full Newton.  RG_RETRY: not here, or no convergence */
rg_status rg_radau_full(rg_integrator *g);
bool rg_radau_may_begin(const rg_integrator *g); /* where the equations are singular */
void rg_radau_begin(rg_integrator *g);           /* the values there that the first step tells */
/* project.c: Y, Y' at t onto the hidden constraints */
rg_status rg_radau_project(rg_integrator *g, double t);
/* error.c */
void rg_radau_weights(rg_integrator *g); /* fixed steps: with the factors */
double rg_radau_error(rg_integrator *g);
/* With the factors of the step: what a moment makes of the unknowns where constraints move with the
 * slopes yp, into r->error; weights that are not larger than the rounding of t allows. */
void rg_radau_find_times(rg_integrator *g, const double *yp);
void rg_radau_allow_times(rg_integrator *g, double *scale);
/* Norm of  error <- ((gamma/h) F_y' + F_y)^-1 F_y' x */
double rg_radau_filter(rg_integrator *g, const double *x);
/* order.c: the order after an accepted step, after failures, at a start */
rg_status rg_radau_choose_order(rg_integrator *g);
rg_status rg_radau_lower_order(rg_integrator *g);
void rg_radau_forget_order(rg_integrator *g);
bool rg_radau_is_thrifty(const rg_integrator *g);
/* dense.c: y_n, Z -> coefficients */
void rg_radau_dense(rg_integrator *g);
/* rows.c: values between the steps, as good as those at steps */
rg_status rg_radau_rows_begin(rg_integrator *g, int64_t count);
rg_status rg_radau_row(rg_integrator *g, double t, double *y, double *yp);
/* Rows of the last step are the ends of steps to them: its equations hold there. */
rg_status rg_radau_side_rows(rg_integrator *g);
void rg_radau_rows_destroy(rg_integrator *g);
/* (1) of rows.c: how far the polynomial of the last step is off, in units of the tolerance; and,
 * as it is, that of the states from `first` on, whatever their index */
rg_status rg_radau_roughness(rg_integrator *g, int64_t first, double *d, double *off);
rg_status rg_radau_between(rg_integrator *g, const uint8_t *counts, double *d, int64_t *state);
/* failure.c: the message when nothing more is tried */
rg_status rg_radau_give_up(rg_integrator *g);
rg_status rg_radau_too_many_steps(rg_integrator *g);

#endif
