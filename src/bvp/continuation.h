/* A way through values of one parameter. */
#ifndef RG_BVP_CONTINUATION_H
#define RG_BVP_CONTINUATION_H

#include "bvp/boundary.h"

typedef struct {
    rg_problem *p; /* as it was given; its study has the model with the value tried last */
    char name[64];
    double from, to;
    bool is_geometric;
    double a, b, t_end;
    const char *path;   /* guess file of the first solve, or "" */
    double constants;   /* factor of the guesses of unknown constants in the first solve; 0: none */
    bool has_constants; /* there are unknown constants */
    rg_collocation_control control;
    rg_boundary *now;             /* for the value tried last */
    rg_collocation_result result; /* the last solution, for `reached` */
    double reached;
    rg_collocation_result earlier; /* the solution before that, for `earlier_at`; or none */
    double earlier_at;
    /* the last solution as it is was the better guess, not what was predicted from two */
    bool is_plain;
    int attempts;
    rg_stats total;
} rg_course;

void rg_course_set(rg_course *c, const char *name, double from, double to);
/* A rough solution for c->from. */
rg_status rg_course_begin(rg_course *c);
/* From there to c->to.  RG_ERR_CONVERGENCE: steps below `least` (of the whole way) or more than so
 * many attempts would be needed, or the tolerance is not met at the end. */
rg_status rg_course_follow(rg_course *c, double least, int attempts);

/* After a failure of Newton's method: looks for a parameter that is small or large, begins with an
 * easier value of it and follows the solution to the one wanted.  *b, *result and the error: as
 * they were, where this does not help.  rescue.c */
rg_status rg_boundary_rescue(rg_problem *p, double t_end, const char *path,
                             const rg_collocation_control *control, rg_boundary **b,
                             rg_collocation_result *result);

/* The guess with waves of `mode` half periods added: a solution of that shape (--guess mode=J), or
 * RG_ERR_CONVERGENCE.  attempts.c */
rg_status rg_boundary_mode(rg_problem *p, const rg_collocation_control *control, rg_boundary *b,
                           int mode, rg_collocation_result *result);
/* wave_unit.c: waves of amplitude 1 become as large in each unknown as makes the equations
 * nonlinear. */
rg_status rg_guess_wave_scale(rg_bvp_form *f, rg_guess *guess, rg_curve *shape);
/* Before that: other guesses than the user's, within a budget of factorizations.  attempts.c */
rg_status rg_boundary_attempt(rg_problem *p, const rg_collocation_control *control, rg_boundary *b,
                              rg_collocation_result *result);

/* Are all unknowns constant, though the guess is not?  trivial.c */
rg_status rg_boundary_is_trivial(const rg_boundary *b, double rtol, const rg_curve *it,
                                 bool *is_trivial);
/* None was found: says so where an unknown constant of the last iterate went to zero.  Returns
 * `status`, or the same with another message. */
rg_status rg_boundary_explain(const rg_boundary *b, const rg_collocation_result *result,
                              rg_status status);
/* The unknown that is a period or an end time and has gone to zero; -1: none.  endtime.c */
rg_status rg_boundary_find_standstill(const rg_boundary *b, const rg_curve *it, int *unknown);
/* The same of an iterate that did not converge: it became small. */
rg_status rg_boundary_find_fading(const rg_boundary *b, const rg_curve *it, int *unknown);
/* Tells of another solution, where Newton's method had a long way to this one.  other.c */
rg_status rg_boundary_look_aside(rg_problem *p, const rg_collocation_control *control,
                                 rg_boundary *b, rg_collocation_result *result);
/* Warns where a period or an end time is negative though its guess is not.  endtime.c */
rg_status rg_boundary_tell_backwards(rg_problem *p, const rg_boundary *b, const rg_curve *it);
/* A solution was found: warns where it is trivial, refuses where an unknown constant went to zero
 * with it, and takes an orbit that is run through several times once. */
rg_status rg_boundary_settle(rg_problem *p, const rg_collocation_control *control, rg_boundary *b,
                             rg_collocation_result *result);

#endif
