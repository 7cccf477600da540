/* Switches during a run: no accepted step straddles a place where an equation changes branch.
 *
 * After each step the modes of all switching functions are looked at along the dense output.  If
 * one has changed, the step is taken again so that it ends just before the change; the run restarts
 * just behind it, with consistent values of the new branch. */
#ifndef RG_IVP_EVENTS_H
#define RG_IVP_EVENTS_H

#include "base/store.h"
#include "ivp/integrator.h"

typedef struct rg_events rg_events;

typedef struct {   /* does a run with switches get on? */
    double anchor; /* where it stood RG_EVENTS_STUCK steps ago or less */
    double anchor_step;
    int since; /* steps since then */
} rg_progress;

/* Behind a step; `step` is the last one that no switch cut.  How far the run has got in the last
 * RG_EVENTS_STUCK steps, part of the interval; INFINITY: not to be said now, or steps grow. */
double rg_progress_note(rg_progress *p, const rg_integrator *g, double step, double t_end);

/* *out stays NULL for a system without switches. */
rg_status rg_events_create(rg_integrator *g, rg_events **out);
void rg_events_destroy(rg_events **events);
/* For checkpoints: the branches, and what has been seen of them. */
void rg_events_store(rg_events *e, rg_store *s);
/* One accepted step, or one up to a switch and the restart behind it; the sink sees every
 * accepted step. */
rg_status rg_events_step(rg_events *e, rg_step_sink *sink, void *user);
int64_t rg_events_count(const rg_events *e); /* switches passed so far */

#endif
