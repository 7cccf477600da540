/* Step sizes of a one-step method: attempts until one is accepted, with a fixed step or with
 *
 *     h_new = r h err^(-1/q),        q: exponent of h in the error estimate, err in the norm of
 *                                    the tolerance,
 *
 * or what the trend of the last two steps says where that is less, HW96 (IV.8.25):
 *
 *     h_new = r h (h/h_old) (err_old/err^2)^(1/q),         r: safety, 0.9 unless a method sets it.
 *
 * A method keeps an rg_pace in its state and gives two functions; everything else of a step (the
 * first one, the last one, rejections, messages) is here. */
#ifndef RG_IVP_PACE_H
#define RG_IVP_PACE_H

#include "ivp/method.h"
#include "linalg/matrix.h"

typedef enum { /* why the last attempt was given up */
               RG_PACE_NONE,
               RG_PACE_NEWTON,
               RG_PACE_ERROR,
               RG_PACE_SINGULAR,
               RG_PACE_VALUES,
               RG_PACE_PROJECTION,
               RG_PACE_RANK
} rg_pace_cause;

typedef struct {
    double h, h_wanted, h_accepted; /* the attempt, signed; the next one; the last one, 0: none */
    double error_accepted;          /* ... and its error */
    bool is_fixed, is_last, was_rejected;
    int failures;
    int order;     /* exponent of h in the error estimate */
    double safety; /* part of the step that the estimate allows */
    double growth; /* of the step behind the first one, at most */
    rg_pace_cause cause;
    int64_t fixed_steps;
    double fixed_start;
    const uint8_t *is_algebraic; /* per state: no derivative of it occurs; NULL: not known */
    double shrink;               /* what an attempt that fails advises, 0: nothing */
    double next;                 /* the next |h| that accept advises, 0: by the error */
    double *seen;                /* fixed steps: sizes of the states so far; NULL: not kept */
    double span; /* 0; of the last step, while a side step is taken inside it (ivp/aside.h) */
} rg_pace;

/* attempt: a step of size h to t_end or t + h; *error is the norm of the estimate, below 1 to be
 * accepted (with a fixed step it is not looked at).  RG_RETRY, with pace->cause: a smaller step.
 * accept: moves g->y, g->yp and g->polynomial there; t and the counts are set behind it. */
typedef rg_status rg_pace_attempt_fn(rg_integrator *g, double *error);
typedef struct {
    rg_pace_attempt_fn *attempt;
    void (*accept)(rg_integrator *g);
} rg_pace_calls;

void rg_pace_init(const rg_integrator *g, rg_pace *p);
void rg_pace_restart(const rg_integrator *g, rg_pace *p, double h);
rg_status rg_pace_step(rg_integrator *g, rg_pace *p, const rg_pace_calls *calls);
/* Is an attempt with this error the end of a step? */
static inline bool rg_pace_is_good(const rg_pace *p, double error)
{
    return p->is_fixed || p->span != 0.0 || error < 1.0;
}
/* The second run of an estimate, where the first one had a single step to t_end: it takes a part of
 * that one, since with all of it, or nearly all, both runs would be the same. */
bool rg_pace_splits(const rg_integrator *g, int64_t fixed_steps, double rest);
/* The time at which the attempt ends. */
double rg_pace_end(const rg_integrator *g, const rg_pace *p);
/* Sets the cause and returns RG_RETRY. */
rg_status rg_pace_fail(rg_pace *p, rg_pace_cause cause);
/* States of which no derivative occurs in any equation: n flags. */
rg_status rg_pace_algebraic(const rg_integrator *g, uint8_t *is_algebraic);
/* Linearly implicit methods with w = y' as an unknown: where w does not follow from the equations
 * (F_y' is singular in the unknowns with a derivative), F_y' must be constant.  RG_ERR_METHOD: it
 * is not. */
rg_status rg_pace_check_mass(rg_integrator *g);
/* A weight per state, 1/(atol + rtol max(|a|, |b|)); b may be NULL. */
void rg_pace_weights(const rg_integrator *g, const double *a, const double *b, double *weight);
/* What rounding errors of F at (t, y, y') make of y, with signs s_i = +1, -1, ...:
 *
 *     matrix x = eps s (|F_y| |y| + |F_y'| |y'|).
 *
 * No step is short enough for a tolerance below it. */
void rg_pace_rounding(const rg_integrator *g, const double *Jy, const double *Jyp,
                      rg_matrix *matrix, double *x);
/* Jacobians and a matrix of the step with its factors; imaginary: NULL with a real one.  x is
 * overwritten. */
typedef struct {
    const double *Jy, *Jyp;
    rg_matrix *matrix;
    double *x, *imaginary;
} rg_pace_linear;
/* Fixed steps, which no tolerance tells what is small: sizes, the largest |y| and |h y'| so far. */
void rg_pace_see(const rg_integrator *g, double h, double *seen);
/* ... for projections: also what slopes make of them over the run.  A speed that begins at 0 is not
 * to be held there, and positions moved in its place: that would cost an order. */
void rg_pace_fixed_sizes(const rg_integrator *g, const double *seen, const double *Y,
                         const double *Yp, double *size);
/* Newton's method goes on to rounding: 1/size, or 1 over what equations with terms that large make
 * of y; 0: no size is known yet. */
void rg_pace_fixed_weights(const rg_integrator *g, const rg_pace_linear *at, const double *seen,
                           double *weight);
/* ... and 1 over changes Z of s stages that are larger: an unknown that is 0 with its slope has a
 * size only there. */
void rg_pace_stage_weights(int64_t n, int s, int64_t stride, const double *Z, double *weight);
/* Y, Y' at t onto the hidden constraints of reduced views, by the least change beside the tolerance
 * in x; with fixed steps beside sizes, written there.  RG_RETRY with its cause. */
rg_status rg_pace_project(const rg_integrator *g, rg_pace *p, double t, double *x, double *Y,
                          double *Yp);
/* Weights by which `times` that rounding, at most, is a small error. */
void rg_pace_round_weights(int64_t n, const double *rounding, double times, double *weight);

#endif
