/* A solver is the chosen view of a problem and its integrator. */
#ifndef RG_SOLVE_SOLVER_H
#define RG_SOLVE_SOLVER_H

#include "ivp/event/event.h"
#include "ivp/passage/passage.h"
#include "ivp/pause.h"
#include "problem/units.h"
#include "solution/layout.h"
#include "solve/choose.h"

struct rg_solver {
    rg_context *ctx;
    const rg_problem *base; /* its study knows analysis and start values */
    rg_problem *shared;     /* base, where that belongs to the solver */
    rg_problem *problem;    /* the handle of the run */
    bool is_combined;       /* ... with combinations in place of equations (structure/cancel.h) */
    bool may_vanish;        /* ... or those of `like`: their factors may vanish */
    rg_options options;
    rg_units *units; /* atol of single unknowns; NULL: none */
    bool has_sizes;  /* ... by their sizes in a run before */
    rg_choice choice;
    rg_structure structure;
    rg_system *system;
    rg_system_work *work;      /* for the drift */
    int64_t n;                 /* states */
    double *y, *yp;            /* start; also a place for dense output */
    double *level_max;         /* drift now, per level */
    rg_stable *form;           /* for passing them, until the integrator takes it */
    bool is_relay;             /* ... another method begins (ivp/relay/relay.h) */
    rg_integrator *integrator; /* NULL until the first end is known */
    rg_stepper *stepper;       /* for steps by hand, without events; else NULL */
    rg_event_run *events;      /* stepped by hand; NULL: there are none, or not yet */
    rg_pause *pause;           /* of a run with checkpoints, owned; NULL: there are none */
    double *start;             /* ... y, y' at its start */
};

/* What rg_solver_create() does, without clearing the error. */
rg_status rg_solver_prepare(const rg_problem *p, const rg_options *o, rg_solver **out);
/* The same for another handle of the problem of `like`, which must live longer: on its view, with
 * the equations that are compiled for it.  NULL: with nobody. */
rg_status rg_solver_prepare_like(const rg_solver *like, const rg_problem *p, const rg_options *o,
                                 rg_solver **out);
/* Makes the integrator, towards t_end. */
rg_status rg_solver_begin(rg_solver *s, double t_end);
/* The form for passing singular points, for methods that can. */
rg_status rg_solver_watch(rg_solver *s, const rg_analysis *a);
/* For a run with checkpoints, before rg_solver_begin(): it pauses (RG_PAUSED). */
rg_status rg_solver_pauses(rg_solver *s);
/* At a pause, or at the end: the state of the run is written. */
void rg_solver_save(rg_solver *s, rg_store *to);
/* The integrator is made anew, as at the start of the run, and put where it was. */
rg_status rg_solver_renew(rg_solver *s, double t_end, rg_store *from);
/* What the method has chosen, and columns of its own, for the solution. */
rg_status rg_solver_attach(rg_solver *s, rg_solution *solution);
/* Before the first step, once the integrator has its copy: y' of the start becomes NaN where
 * the equations do not fix it (algebraic unknowns of the highest order). */
void rg_solver_mark_unknown(rg_solver *s);

#endif
