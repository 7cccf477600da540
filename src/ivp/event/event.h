/* Events during a run: when CONDITION { ... } and every DISTANCE { ... } of the model.
 *
 * After each step the switching functions of the conditions are looked at along the dense output.
 * Where a condition becomes true inside the step, that is taken again so that it ends there; then
 * everything that is due at this time is fired, consistent values are computed, and the run begins
 * anew from them.  Times of `every` are ends of steps from the outset. */
#ifndef RG_IVP_EVENT_EVENT_H
#define RG_IVP_EVENT_EVENT_H

#include "base/store.h"
#include "ivp/integrator.h"
#include "problem/problem.h"

enum { RG_EVENTS_TOLD = 1000 }; /* so many are remembered one by one */

typedef struct { /* what has happened */
    int64_t total;
    rg_event_note *note; /* the first ones */
    int64_t n_notes, capacity;
    const char *stop; /* the text of the `stop` that ended the run; NULL: none did */
} rg_event_log;

typedef struct {
    rg_step_sink *sink; /* every accepted step; g->is_at_event: one that ends at an event */
    /* behind an event: the integrator has the values after it; NULL: nobody asks */
    rg_step_sink *after;
    void *user;
} rg_event_sinks;

/* rg_integrate() for all problems; those without events just integrate.  RG_OK behind a `stop`,
 * too: log->stop. */
rg_status rg_event_integrate(rg_integrator *g, const rg_problem *p, const rg_event_sinks *to,
                             rg_event_log *log);
/* The same step by step, where there are events.  One call: an accepted step, which ends at an
 * event at the latest; or, where the run stands at one, that event: g has the values behind it, at
 * the same time.  RG_STOPPED, again and again: a `stop` has ended the run. */
typedef struct rg_watch rg_event_run;
rg_status rg_event_run_create(rg_integrator *g, const rg_problem *p, rg_event_run **out);
rg_status rg_event_run_step(rg_event_run *r, double t_limit);
rg_status rg_event_run_row(rg_event_run *r, double t, double *y, double *yp);
void rg_event_run_destroy(rg_event_run **r);
void rg_event_log_clear(rg_context *ctx, rg_event_log *log);
void rg_event_log_store(rg_event_log *log, const rg_problem *p, rg_store *s);
/* "'bounce' (line 7)" or "line 7" */
int rg_event_name(const rg_problem *p, int event, char *buffer, int size);

#endif
