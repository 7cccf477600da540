/* Pauses of a run with checkpoints: after every so many accepted steps, at a time where nothing is
 * going on, the integrator is made anew from what is stored here.  So a run that goes on in another
 * process takes the same steps to the last bit: all that is not stored is forgotten in any case.
 *
 * What is stored is what a run has learnt (largest values and signals, singular places, branches of
 * switches, events, work done) beside (t, y, y') and the step size; Newton matrices, predictors and
 * error histories are made anew, as behind an event. */
#ifndef RG_IVP_PAUSE_H
#define RG_IVP_PAUSE_H

#include "base/store.h"
#include "ivp/method.h"

#define RG_PAUSED ((rg_status)101) /* internal, positive: rg_integrate() can be called again */

struct rg_pause {
    int64_t from;       /* steps, when the integrator was made */
    bool is_held;       /* not now: a step is being shortened up to an event */
    bool has_state;     /* the stores below are to be read */
    rg_store switching; /* what rg_integrate() keeps on its stack */
    rg_store events;    /* ... and rg_event_integrate() */
};

void rg_pause_init(rg_context *ctx, rg_pause *p);
void rg_pause_clear(rg_pause *p);
/* Is it time, and does nothing forbid it? */
bool rg_pause_is_due(const rg_integrator *g);

/* Writes the state of a run behind RG_PAUSED or at its end, or puts it back into an integrator that
 * stands at the start of the run. */
rg_status rg_integrator_store(rg_integrator *g, rg_store *s);

#endif
