/* An integration is a solver on its way to the end, from pause to pause where there are
 * checkpoints.  A run and the second run of its estimate are two of them. */
#ifndef RG_SOLVE_INTEGRATION_H
#define RG_SOLVE_INTEGRATION_H

#include "ivp/event/event.h"
#include "solve/keeper.h"
#include "solve/solver.h"

typedef struct {
    rg_solver *solver;
    double t_end;
    rg_event_log events;
    rg_event_sinks sinks;                   /* sinks.user: for the functions below, too */
    rg_keeper *keeper;                      /* NULL: no checkpoints */
    rg_stage stage;                         /* whose store is used */
    void (*store)(void *user, rg_store *s); /* what the run has beside its solver */
    rg_status (*renewed)(void *user); /* the solver has another integrator; NULL: nobody asks */
} rg_integration;

/* At the end, or stopped by an event. */
bool rg_integration_is_over(const rg_integration *i);
rg_status rg_integration_run(rg_integration *i);
/* The state goes into the store of its stage, is_end: and into the file; comes back from there. */
rg_status rg_integration_put_down(rg_integration *i, bool is_end);
rg_status rg_integration_take_up(rg_integration *i);

#endif
