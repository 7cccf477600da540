/* An integrator: takes accepted steps for F(t, y, y') = 0 from a consistent start towards t_end,
 * either direction.
 *
 *     rg_integrator *g = NULL;
 *     const rg_state start = {t0, y, yp};
 *     status = rg_integrator_create(system, &options, &start, t_end, &g);
 *     if (status == RG_OK) status = rg_integrate(g, sink, user);
 *                                   or   while (!rg_integrator_is_done(g)) ..._step(g)
 *     stats = rg_integrator_stats(g);          valid after a failure too, as are t, y, yp
 *     rg_integrator_destroy(&g);
 *
 * Nothing under rg_integrator_step allocates, except sparse factors and what a higher order
 * needs when first used. */
#ifndef RG_IVP_INTEGRATOR_H
#define RG_IVP_INTEGRATOR_H

#include "views/recover.h"
#include "views/system.h"

typedef struct rg_integrator rg_integrator;
typedef struct rg_pause rg_pause;

typedef struct
{ /* a point of a solution; the arrays have rg_system_size() entries and belong to the caller */
    double t;
    const double *y, *yp;
} rg_state;

/* Copies options and start; the system must outlive the integrator.  Options used: rtol, atol,
 * step, h_first, h_max, max_steps, max_newton (rg_options_default() gives valid ones).
 * The first step, unless h_first or step is given, is chosen from y', the tolerance and the
 * interval. */
rg_status rg_integrator_create(const rg_system *system, const rg_options *o, const rg_state *start,
                               double t_end, rg_integrator **out);
void rg_integrator_destroy(rg_integrator **g);

/* One accepted step; it never passes t_end, and the last one ends there exactly.  At t_end already:
 * RG_OK, nothing happens.  RG_ERR_CONVERGENCE, RG_ERR_CALLBACK, RG_ERR_INTERRUPTED,
 * RG_ERR_MEMORY: message, remedy and t are set. */
rg_status rg_integrator_step(rg_integrator *g);
bool rg_integrator_is_done(const rg_integrator *g); /* t == t_end */
/* A new end, ahead of the time reached in the direction of the run; RG_ERR_ARGUMENT if it lies
 * behind. */
rg_status rg_integrator_set_end(rg_integrator *g, double t_end);

/* Looks for pulses of the equations' functions of time from the start to t_end, which no step may
 * pass over from now on.  A fixed mesh stays as it is. */
rg_status rg_integrator_mind_pulses(rg_integrator *g, const rg_problem *p, double t_end);

/* No step changes the sign of a denominator with algebraic unknowns from now on, unless the
 * solution goes on there; a fixed mesh stays as it is. */
rg_status rg_integrator_mind_poles(rg_integrator *g);

/* Goes on from another point as from a start: nothing of the past is used.  h: size of the first
 * step, 0: chosen. */
rg_status rg_integrator_restart(rg_integrator *g, const rg_state *from, double h);

/* How often motion along a switch began, and when for the first time. */
int64_t rg_integrator_sliding(const rg_integrator *g, double *t);
/* How far, by its size, a state was moved at most where switches that follow each other ever more
 * closely were taken for motion along them. */
double rg_integrator_rested(const rg_integrator *g);
/* What the rounding of t made of values, by their size, that follow from slopes of constraints. */
double rg_integrator_rounded(const rg_integrator *g);
/* Behind how many switches a time of the last step lies; *t: the last of these, NaN: none. */
int64_t rg_integrator_switches(const rg_integrator *g, double at, double *t);
/* The time that the last RG_SWITCH_CROWD switches took; INFINITY: there were fewer. */
double rg_integrator_crowd(const rg_integrator *g);
/* A switch at t: tells the integrator. */
void rg_integrator_note_switch(rg_integrator *g, double t);

/* The last accepted point; before the first step, the start.  Pointers are valid until the next
 * step. */
rg_state rg_integrator_state(const rg_integrator *g);
double
rg_integrator_step_start(const rg_integrator *g);     /* the last step went from here to state.t */
rg_stats rg_integrator_stats(const rg_integrator *g); /* seconds: time spent under step */

/* Dense output in the last step, also shortly outside it: y and y' at t; either may be NULL. */
void rg_integrator_eval(const rg_integrator *g, double t, double *y, double *yp);
/* The same as numbers to store:  y(t) = sum_k a_k s^k,  s = (t - step_start)/(state.t -
 * step_start), k = 0 .. degree;  a_k = coefficients + k n.  a_0 is the y at the start of the step.
 * Valid until the next step, as is the degree; before the first one a_0 = y and the rest is 0. */
int rg_integrator_degree(const rg_integrator *g);
const double *rg_integrator_polynomial(const rg_integrator *g);

/* Output in the last step that is as good as its end, where the method can: y and y' at t, in
 * the order of the run.  Before the first of a step, optional: how many there will be. */
rg_status rg_integrator_rows(rg_integrator *g, int64_t count);
rg_status rg_integrator_row(rg_integrator *g, double t, double *y, double *yp);
/* Is a row at this time at a switch?  It has the values behind it, whatever its conditions say. */
bool rg_integrator_meets_switch(const rg_integrator *g, double t);
/* A row: highest derivatives that are as good as its states, and its multipliers, where these have
 * hidden constraints. */
rg_status rg_integrator_slopes(rg_integrator *g, double t, double *y, double *yp);

/* How far dense output in the last step is off in the states that count, in units of the tolerance,
 * and in which of them most; 0 where nobody knows. */
rg_status rg_integrator_between(rg_integrator *g, const uint8_t *counts, double *d, int64_t *state);

/* The last accepted point as it is put out: with multipliers and highest derivatives that the
 * hidden constraints give (views/recover.h), where that was asked for before the first step.
 * rg_integrator_row() does the same.  Steps never use them.  Valid until the next call. */
rg_status rg_integrator_recovers(rg_integrator *g);
/* Where rows get all of them so, whatever steps make of them: rg_recovery_gain().  Otherwise
 * infinite. */
double rg_integrator_recovery_gain(const rg_integrator *g);
/* NULL: states are as the steps have them. */
const rg_recovery *rg_integrator_recovery(const rg_integrator *g);
rg_status rg_integrator_result(rg_integrator *g, rg_state *out);

/* The run begins again from its start, on another form of the equations: whoever keeps its
 * points forgets them. */
typedef rg_status rg_rewind_fn(const rg_state *start, void *user);
/* NULL, as at first: the points stay as they are, also those from before a singular place. */
void rg_integrator_set_rewind(rg_integrator *g, rg_rewind_fn *rewind, void *user);

/* Steps to t_end; calls the sink after each accepted step.  It returns RG_OK to go on, RG_STOPPED
 * to end the run (which is then the result), or a failure, which is passed on.  NULL: no sink. */
typedef rg_status rg_step_sink(const rg_integrator *g, void *user);
rg_status rg_integrate(rg_integrator *g, rg_step_sink *sink, void *user);

/* The same step by step; g->t_end may be moved in between. */
typedef struct rg_stepper rg_stepper;
rg_status rg_stepper_create(rg_integrator *g, rg_stepper **out);
void rg_stepper_destroy(rg_stepper **s); /* before its integrator */
/* One accepted step that the sink sees (NULL: nobody); at a switch it ends with the values behind
 * it.  What the sink says is returned. */
rg_status rg_stepper_step(rg_stepper *s, rg_step_sink *sink, void *user);
/* rg_integrator_row() in this step. */
rg_status rg_stepper_row(rg_stepper *s, double t, double *y, double *yp);

#endif
