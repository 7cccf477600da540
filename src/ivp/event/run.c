/* A run with events: its life, events and what is behind them; all at once or step by step. */
#include "base/pieces.h"
#include "ivp/event/tuning.h"
#include "ivp/event/watch.h"
#include "ivp/pause.h"
#include "ivp/tuning.h"

#include <math.h>
#include <string.h>

/* ---- life ------------------------------------------------------------------------------------ */

static rg_status take_memory(rg_watch *w)
{
    const int64_t m = w->n_functions, k = w->n_instances, n = w->g->n;

    return RG_TAKE(
        w->ctx, &w->memory, RG_PIECE(w->now.mode, m), RG_PIECE(w->now.seen, m),
        RG_PIECE(w->now.truth, k), RG_PIECE(w->start.mode, m), RG_PIECE(w->start.seen, m),
        RG_PIECE(w->start.truth, k), RG_PIECE(w->values, m), RG_PIECE(w->band, m),
        RG_PIECE(w->origin, m), RG_PIECE(w->noise, m), RG_PIECE(w->around[0], m),
        RG_PIECE(w->around[1], m), RG_PIECE(w->around[2], m), RG_PIECE(w->around[3], m),
        RG_PIECE(w->point[0], m), RG_PIECE(w->point[1], m), RG_PIECE(w->point[2], m),
        RG_PIECE(w->point[3], m), RG_PIECE(w->point[4], m), RG_PIECE(w->point[5], m),
        RG_PIECE(w->edge, m), RG_PIECE(w->slope, m), RG_PIECE(w->before, k), RG_PIECE(w->y, n),
        RG_PIECE(w->yp, n), RG_PIECE(w->y0, n), RG_PIECE(w->yp0, n), RG_PIECE(w->largest, n),
        RG_PIECE(w->unit, n), RG_PIECE(w->times, RG_EVENT_ACCUMULATE + 1),
        RG_PIECE(w->now.pending, m), RG_PIECE(w->now.visited, m), RG_PIECE(w->start.pending, m),
        RG_PIECE(w->start.visited, m), RG_PIECE(w->hit, m), RG_PIECE(w->algebraic, m),
        RG_PIECE(w->has_rates, m), RG_PIECE(w->due, k), RG_PIECE(w->kept, n));
}

void rg_event_log_clear(rg_context *ctx, rg_event_log *log)
{
    rg_free(ctx, log->note);
    *log = (rg_event_log){0};
}

/* Do conditions ask for unknowns that appear without derivatives? */
static void mark_algebraic(rg_watch *w)
{
    const rg_problem *p = w->p;

    memset(w->kept, 0, (size_t)w->g->n);
    for (int64_t j = 0; j < p->n; j++) {
        const int64_t state = rg_system_state(w->g->system, j, 0);
        if (state < 0 || rg_variable_order(p, j) > 0) continue;
        w->kept[state] = p->n_families > 0 && !rg_variable_is_state(p, j);
    }
    rg_conditions_concerned(w->c, w->kept, w->algebraic);
    for (int64_t k = 0; k < w->n_functions; k++) {
        w->is_algebraic = w->is_algebraic || w->algebraic[k];
        w->has_rates[k] = rg_conditions_has_rates(w->c, k);
    }
    memset(w->kept, 0, (size_t)w->g->n);
}

static rg_status begin(rg_watch *w)
{
    const rg_integrator *g = w->g;

    memcpy(w->y, g->y, (size_t)g->n * sizeof *g->y);
    memcpy(w->yp, g->yp, (size_t)g->n * sizeof *g->yp);
    for (int64_t i = 0; i < g->n; i++)
        w->unit[i] = rg_integrator_unit(g, i);
    RG_TRY(rg_watch_find_known(w));
    mark_algebraic(w);
    RG_TRY(rg_watch_begin(w, g->t, true));
    RG_TRY(rg_conditions_truth(w->c, g->t, w->y, w->yp, w->now.mode, w->now.truth));
    w->is_first = true;
    rg_watch_keep_start(w);
    return RG_OK;
}

/* ---- at an event ----------------------------------------------------------------------------- */

/* A fixed step stays; otherwise a part of the last one, above rounding.  Between events that follow
 * closely steps grow from it to the next event, whatever the tolerance: those of a second run that
 * estimates the error are others. */
static double first_step(const rg_watch *w)
{
    const double part = w->g->first_part > 0.0 ? w->g->first_part : 1.0;
    const double fixed = w->g->options.step, h = part * RG_EVENTS_RESTART * fabs(w->step);

    return fixed > 0.0 ? fixed : fmax(h, 32.0 * rg_integrator_time_rounding(w->g));
}

/* Values before an event lie on the constraints, so that what is assigned from them does. */
static rg_status make_consistent(rg_watch *w, double t)
{
    if (rg_system_drift_levels(w->g->system) == 0) return RG_OK;
    const rg_status status = rg_reset_project(w->reset, t, w->y, w->yp);
    return status == (rg_status)RG_RETRY ? RG_OK : status;
}

/* The run stands at an event; what is due is known, but for known times. */
static rg_status pass_event(rg_watch *w)
{
    rg_integrator *g = w->g;
    const size_t bytes = (size_t)g->n * sizeof *g->y;
    const double t = g->t;
    rg_state now;

    rg_watch_find_timed(w, t);
    RG_TRY(rg_integrator_result(g, &now));
    memcpy(w->y, now.y, bytes);
    memcpy(w->yp, now.yp, bytes);
    rg_integrator_note_switch(g, t);
    rg_log(w->ctx, 2, "event at t = %.10g, %lld looks so far", t, (long long)w->n_looks);
    RG_TRY(make_consistent(w, t));
    RG_TRY(rg_watch_fire(w, t));
    RG_TRY(rg_watch_note_time(w, t));
    const rg_state from = {t, w->y, w->yp};
    RG_TRY(rg_integrator_set_end(g, w->t_final));
    RG_TRY(rg_integrator_restart(g, &from, first_step(w)));
    w->target = NAN;
    w->is_located = false;
    w->is_first = true;
    w->retakes = 0;
    rg_watch_keep_start(w);
    return w->to->after != NULL ? w->to->after(g, w->to->user) : RG_OK;
}

/* Back to the start of the step. */
static rg_status go_back(rg_watch *w)
{
    const rg_state from = {w->t0, w->y0, w->yp0};

    rg_branches_copy(w, &w->start, &w->now);
    RG_TRY(rg_integrator_set_end(w->g, w->t_final));
    const double fixed = w->g->options.step;
    return rg_integrator_restart(w->g, &from, fixed > 0.0 ? fixed : fabs(w->target - w->t0));
}

/* The step was given up: it is taken again, up to the event; or that is where it began. */
static rg_status approach(rg_watch *w)
{
    const double target = w->target;
    const bool at_once = rg_watch_is_near(w->t0, target);

    w->retakes++;
    if (!at_once) {
        RG_TRY(go_back(w));
        w->target = target;
        return RG_OK;
    }
    const rg_state from = {w->t0, w->y0, w->yp0};
    RG_TRY(rg_integrator_set_end(w->g, w->t_final));
    RG_TRY(rg_integrator_restart(w->g, &from, fabs(w->step))); /* branches are behind the event */
    return pass_event(w);
}

/* For a checkpoint: between two steps. */
static rg_status pause_here(rg_watch *w)
{
    rg_store *s = &w->g->pause->events;

    rg_store_empty(s);
    rg_watch_store(w, s);
    RG_TRY(s->status);
    RG_TRY(rg_integrator_set_end(w->g, w->t_final));
    return RG_PAUSED;
}

/* The run goes on behind a pause. */
static rg_status go_on_behind(rg_watch *w)
{
    mark_algebraic(w);
    rg_watch_store(w, &w->g->pause->events);
    rg_watch_keep_start(w);
    return w->g->pause->events.status;
}

/* What the last step asks for; RG_STOPPED: the sink ends the run. */
static rg_status go_on(rg_watch *w)
{
    if (w->is_located) {
        RG_TRY(rg_watch_pass_on(w, true));
        return pass_event(w);
    }
    if (w->is_rough) return rg_watch_take_shorter(w);
    return w->is_given_up ? approach(w) : (rg_status)RG_STOPPED;
}

/* The next steps end there. */
static rg_status aim(rg_watch *w)
{
    w->is_located = w->is_given_up = w->is_rough = false;
    return rg_integrator_set_end(w->g, isnan(w->target) ? rg_watch_next_end(w) : w->target);
}

static rg_status run(rg_watch *w)
{
    rg_integrator *g = w->g;

    while (g->t != w->t_final && w->log->stop == NULL) {
        RG_TRY(aim(w));
        if (g->pause != NULL) g->pause->is_held = !isnan(w->target);
        const rg_status status = rg_integrate(g, rg_watch_take, w);
        if (status == RG_PAUSED) return pause_here(w);
        if (status != RG_OK && status != (rg_status)RG_STOPPED) return status;
        if (status == (rg_status)RG_STOPPED) RG_TRY(go_on(w));
    }
    return RG_OK;
}

/* All but the start of the run. */
static rg_status open_watch(rg_watch *w)
{
    w->target = NAN;
    RG_TRY(rg_conditions_create(w->g->system, &w->c));
    w->n_functions = rg_conditions_functions(w->c);
    w->n_instances = rg_conditions_instances(w->c);
    RG_TRY(take_memory(w));
    return rg_reset_create(w->g->system, w->largest, &w->reset);
}

static void close_watch(rg_watch *w)
{
    rg_stepper_destroy(&w->stepper);
    rg_conditions_destroy(&w->c);
    rg_reset_destroy(&w->reset);
    rg_free(w->ctx, w->memory);
    rg_free(w->ctx, w->known);
    rg_free(w->ctx, w->along);
    rg_event_log_clear(w->ctx, &w->own);
}

rg_status rg_event_integrate(rg_integrator *g, const rg_problem *p, const rg_event_sinks *to,
                             rg_event_log *log)
{
    rg_watch w = {.ctx = g->ctx, .g = g, .p = p, .to = to, .log = log, .t_final = g->t_end};

    if (p->n_events == 0) return rg_integrate(g, to->sink, to->user);
    rg_status status = open_watch(&w);
    const bool goes_on = g->pause != NULL && g->pause->has_state;
    if (status == RG_OK) status = goes_on ? go_on_behind(&w) : begin(&w);
    if (status == RG_OK) status = rg_watch_failed(&w, run(&w));
    close_watch(&w);
    return status;
}

/* ---- step by step ---------------------------------------------------------------------------- */

rg_status rg_event_run_create(rg_integrator *g, const rg_problem *p, rg_event_run **out)
{
    static const rg_event_sinks nobody = {NULL, NULL, NULL};
    rg_watch *w = rg_alloc(g->ctx, 1, sizeof *w);

    *out = w;
    if (w == NULL) return RG_ERR_MEMORY;
    *w = (rg_watch){.ctx = g->ctx, .g = g, .p = p, .to = &nobody, .t_final = g->t_end};
    w->log = &w->own;
    rg_status status = open_watch(w);
    if (status == RG_OK) status = begin(w);
    if (status != RG_OK) rg_event_run_destroy(out);
    return status;
}

void rg_event_run_destroy(rg_event_run **run)
{
    rg_watch *w = *run;

    if (w == NULL) return;
    close_watch(w);
    rg_free(w->ctx, w);
    *run = NULL;
}

/* Another end of the run: conditions on time are looked for up to there. */
static rg_status set_limit(rg_watch *w, double t_limit)
{
    rg_integrator *g = w->g;

    RG_TRY(rg_integrator_set_end(g, t_limit));
    if ((w->target - t_limit) * g->direction > 0.0) w->target = NAN;
    if (t_limit == w->t_final) return RG_OK;
    w->t_final = t_limit;
    w->n_known = 0;
    memcpy(w->y, g->y, (size_t)g->n * sizeof *g->y);
    memcpy(w->yp, g->yp, (size_t)g->n * sizeof *g->yp);
    return rg_watch_find_known(w);
}

static rg_status take_step(rg_watch *w, double t_limit)
{
    rg_integrator *g = w->g;

    RG_TRY(set_limit(w, t_limit));
    while (g->t != w->t_final && w->own.stop == NULL) {
        RG_TRY(aim(w));
        if (w->stepper == NULL) RG_TRY(rg_stepper_create(g, &w->stepper));
        const rg_status status = rg_stepper_step(w->stepper, rg_watch_take, w);
        if (status != (rg_status)RG_STOPPED) return status;
        if (w->is_located) return rg_watch_pass_on(w, true);
        rg_stepper_destroy(&w->stepper); /* the step is taken again */
        RG_TRY(go_on(w));
    }
    return RG_OK;
}

rg_status rg_event_run_row(rg_event_run *w, double t, double *y, double *yp)
{
    return w->stepper != NULL ? rg_stepper_row(w->stepper, t, y, yp)
                              : rg_integrator_row(w->g, t, y, yp);
}

rg_status rg_event_run_step(rg_event_run *w, double t_limit)
{
    if (w->own.stop != NULL) return (rg_status)RG_STOPPED;
    if (w->is_located) rg_stepper_destroy(&w->stepper);
    RG_TRY(rg_watch_failed(w, w->is_located ? pass_event(w) : take_step(w, t_limit)));
    return w->own.stop != NULL ? (rg_status)RG_STOPPED : RG_OK;
}
