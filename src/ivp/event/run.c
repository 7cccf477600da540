/* A run with events: steps, ends of steps at events, the run behind them. */
#include "base/pieces.h"
#include "ivp/event/tuning.h"
#include "ivp/event/watch.h"
#include "ivp/pause.h"
#include "ivp/radau/radau.h"
#include "ivp/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- life ------------------------------------------------------------------------------------ */

static rg_status take_memory(rg_watch *w)
{
    const int64_t m = w->n_functions, k = w->n_instances, n = w->g->n;

    return RG_TAKE(w->ctx, &w->memory, RG_PIECE(w->now.mode, m), RG_PIECE(w->now.seen, m),
                   RG_PIECE(w->now.truth, k), RG_PIECE(w->start.mode, m),
                   RG_PIECE(w->start.seen, m), RG_PIECE(w->start.truth, k), RG_PIECE(w->values, m),
                   RG_PIECE(w->band, m), RG_PIECE(w->origin, m), RG_PIECE(w->noise, m),
                   RG_PIECE(w->around[0], m), RG_PIECE(w->around[1], m), RG_PIECE(w->around[2], m),
                   RG_PIECE(w->around[3], m), RG_PIECE(w->point[0], m), RG_PIECE(w->point[1], m),
                   RG_PIECE(w->point[2], m), RG_PIECE(w->point[3], m), RG_PIECE(w->point[4], m),
                   RG_PIECE(w->point[5], m), RG_PIECE(w->edge, m), RG_PIECE(w->slope, m),
                   RG_PIECE(w->before, k), RG_PIECE(w->y, n), RG_PIECE(w->yp, n),
                   RG_PIECE(w->y0, n), RG_PIECE(w->yp0, n), RG_PIECE(w->largest, n),
                   RG_PIECE(w->times, RG_EVENT_ACCUMULATE + 1), RG_PIECE(w->now.pending, m),
                   RG_PIECE(w->now.visited, m), RG_PIECE(w->start.pending, m),
                   RG_PIECE(w->start.visited, m), RG_PIECE(w->hit, m), RG_PIECE(w->algebraic, m),
                   RG_PIECE(w->has_rates, m), RG_PIECE(w->due, k), RG_PIECE(w->kept, n));
}

void rg_event_log_clear(rg_context *ctx, rg_event_log *log)
{
    rg_free(ctx, log->note);
    *log = (rg_event_log){0};
}

/* The next step begins where the run stands. */
static void keep_start(rg_watch *w)
{
    const rg_integrator *g = w->g;

    w->t0 = g->t;
    memcpy(w->y0, g->y, (size_t)g->n * sizeof *g->y);
    memcpy(w->yp0, g->yp, (size_t)g->n * sizeof *g->yp);
    rg_branches_copy(w, &w->now, &w->start);
}

/* Do conditions ask for unknowns that appear without derivatives? */
static void mark_algebraic(rg_watch *w)
{
    const rg_problem *p = w->p;

    memset(w->kept, 0, (size_t)w->g->n);
    for (int f = 0; f < p->n_families; f++)
        for (int64_t k = 0; k < p->families[f].count && p->families[f].order == 0; k++) {
            const int64_t state = rg_system_state(w->g->system, p->families[f].first + k, 0);
            if (state >= 0) w->kept[state] = !p->families[f].is_state;
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
    RG_TRY(rg_watch_find_known(w));
    mark_algebraic(w);
    RG_TRY(rg_watch_begin(w, g->t, true));
    RG_TRY(rg_conditions_truth(w->c, g->t, w->y, w->yp, w->now.mode, w->now.truth));
    w->is_first = true;
    keep_start(w);
    return RG_OK;
}

/* ---- known times ----------------------------------------------------------------------------- */

static bool is_same_time(double a, double b)
{
    return fabs(a - b) <= 8.0 * DBL_EPSILON * fmax(fabs(a), fabs(b));
}

static double start_of(const rg_watch *w, const rg_event *e)
{
    return isnan(e->from) ? w->p->a : e->from;
}

/* The first time of the event behind t, in the direction of the run. */
static double next_time(const rg_watch *w, const rg_event *e, double t)
{
    const double h = e->every * w->g->direction;
    const double from = start_of(w, e);
    double k = fmax(ceil((t - from) / h), 0.0);

    while ((from + k * h - t) * w->g->direction <= 0.0 || is_same_time(from + k * h, t))
        k += 1.0;
    return from + k * h;
}

/* The end of the steps to come: a known time, or that of the run. */
static double next_end(const rg_watch *w)
{
    const double sign = w->g->direction;
    double end = w->t_final;

    for (int k = 0; k < w->p->n_events; k++) {
        if (!(w->p->events[k].every > 0.0)) continue;
        const double t = next_time(w, &w->p->events[k], w->g->t);
        if (sign * t < sign * end && !is_same_time(t, w->t_final)) end = t;
    }
    for (int64_t k = 0; k < w->n_known; k++)
        if (sign * w->known[k] > sign * w->g->t && sign * w->known[k] < sign * end)
            end = w->known[k];
    return end;
}

/* Events at known times that are due at t; true: there are some. */
static bool find_timed(rg_watch *w, double t)
{
    bool is_any = false;

    for (int64_t k = 0; k < w->n_instances; k++) {
        const rg_event *e = &w->p->events[rg_conditions_instance(w->c, k).event];
        if (!(e->every > 0.0)) continue;
        const double from = start_of(w, e), h = e->every * w->g->direction;
        const double number = round((t - from) / h), at = from + number * h;
        w->due[k] = number >= 0.0 && is_same_time(at, t) && !is_same_time(t, w->g->t_start);
        is_any = is_any || w->due[k];
    }
    return is_any;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* A step in the order of the run: to the sink, and the next one begins. */
static rg_status pass_on(rg_watch *w, bool is_at_event)
{
    rg_integrator *g = w->g;

    for (int64_t i = 0; i < g->n; i++)
        w->largest[i] = fmax(w->largest[i], fabs(g->y[i]));
    g->is_at_event = is_at_event;
    const rg_status status = w->to->sink != NULL ? w->to->sink(g, w->to->user) : RG_OK;
    g->is_at_event = false;
    w->is_first = false;
    w->retakes = w->shorter = 0;
    keep_start(w);
    return status;
}

/* The start of the step in which an event was seen: where a restart lies between the steps the
 * values are those of the polynomial. */
static void correct_start(rg_watch *w)
{
    const rg_integrator *g = w->g;
    const size_t bytes = (size_t)g->n * sizeof *g->y;

    if (w->t0 == g->t_previous && memcmp(w->y0, g->polynomial, bytes) == 0) return;
    w->t0 = g->t_previous;
    rg_integrator_eval(g, w->t0, w->y0, w->yp0);
}

/* No step goes from one to the other. */
static bool is_near(double a, double b)
{
    return fabs(a - b) <= 16.0 * DBL_EPSILON * fmax(fabs(a), fabs(b));
}

/* Dense output that is as good as the steps: the step simply ends at the event.  So it is near the
 * end of every step, where the error of the polynomial goes to 0; for what is algebraic slowly. */
static bool can_cut(const rg_watch *w)
{
    const rg_integrator *g = w->g;
    const bool is_end = !w->is_algebraic && memchr(w->has_rates, 1, (size_t)w->n_functions) == NULL
                        && fabs(w->found - g->t) <= RG_EVENT_END * fabs(g->t - g->t_previous);

    return (g->method->is_dense || is_end) && g->taker == NULL && !g->is_line
           && !is_near(w->t0, w->found);
}

/* An event in the last step.  At its end: the run stands at it.  Otherwise the step is given up. */
static rg_status seen(rg_watch *w)
{
    rg_integrator *g = w->g;
    const double h = g->t - g->t_previous;
    const double near = fmax(RG_EVENT_PART * fabs(h), 16.0 * DBL_EPSILON * fabs(g->t));

    w->is_located = fabs(w->found - g->t) <= near || w->retakes >= RG_EVENTS_RETAKES;
    if (isnan(w->target)) w->step = h;
    const bool is_behind = (w->found - g->t) * g->direction > 0.0; /* where the condition is true */
    if ((!w->is_located || is_behind) && can_cut(w)) {
        rg_integrator_cut(g, w->found);
        w->is_located = true;
    }
    if (w->is_located) return (rg_status)RG_STOPPED;
    w->target = w->found;
    w->is_given_up = true;
    correct_start(w);
    g->stats.steps--;
    g->stats.rejected++;
    return (rg_status)RG_STOPPED;
}

/* How far the functions are off on the polynomial at t, in parts of the sizes of what they compare:
 * beside those of consistent values. */
static rg_status find_off(rg_watch *w, double t, double *off)
{
    rg_integrator_eval(w->g, t, w->y, w->yp);
    RG_TRY(rg_conditions_values(w->c, t, w->y, w->yp, w->around[0]));
    const rg_status status = rg_reset_project(w->reset, t, w->y, w->yp);
    if (status != RG_OK) return status == (rg_status)RG_RETRY ? RG_OK : status;
    RG_TRY(rg_conditions_values(w->c, t, w->y, w->yp, w->values));
    for (int64_t k = 0; k < w->n_functions; k++) {
        const double size = w->band[k] / w->g->options.rtol;
        const double e = fabs(w->values[k] - w->around[0][k]) / size;
        if (w->algebraic[k] && e > *off) *off = e;
    }
    return RG_OK;
}

/* What is algebraic is in no error test: on the polynomial of a step that is too long for it events
 * would be missed (as in ivp/switching/step.c). */
static rg_status resolve(rg_watch *w)
{
    rg_integrator *g = w->g;
    const double h = g->t - g->t_previous;
    double d = 0.0, off = 0.0;

    w->is_rough = false;
    if (!w->is_algebraic || g->taker != NULL || g->is_line || g->options.step > 0.0
        || w->shorter == RG_SWITCH_SHORTER)
        return RG_OK;
    if (g->method->is_radau) {
        RG_TRY(rg_radau_roughness(g, g->n, &d, &off));
        off = d * g->options.rtol;
    } else {
        RG_TRY(find_off(w, g->t_previous + 0.3 * h, &off));
        RG_TRY(find_off(w, g->t_previous + 0.7 * h, &off));
    }
    const double error = off / RG_SWITCH_ROUGH;
    if (error > 0.0) w->part = RG_RADAU_SAFETY / pow(error, 1.0 / (g->degree + 1.0));
    w->is_rough = error > 0.0 && w->part < RG_SWITCH_RESOLVED;
    if (w->is_rough) correct_start(w);
    return RG_OK;
}

/* ... it is taken again. */
static rg_status take_shorter(rg_watch *w)
{
    rg_integrator *g = w->g;
    const rg_state from = {w->t0, w->y0, w->yp0};
    const double h = fmax(w->part, RG_SWITCH_SHORTEST) * fabs(g->t - g->t_previous);

    g->stats.steps--;
    g->stats.rejected++;
    w->shorter++;
    w->target = NAN;
    RG_TRY(rg_integrator_set_end(g, w->t_final));
    return rg_integrator_restart(g, &from, h);
}

static rg_status watch_step(const rg_integrator *now, void *user)
{
    rg_watch *w = user;
    rg_integrator *g = w->g;
    bool is_event = false;

    (void)now;
    RG_TRY(resolve(w));
    if (w->is_rough) return (rg_status)RG_STOPPED;
    RG_TRY(rg_watch_step(w, &is_event));
    const bool is_at_target = !isnan(w->target) && is_near(g->t, w->target);
    if (!is_event && is_at_target) RG_TRY(rg_watch_beyond(w, next_end(w), &is_event));
    if (is_event) return seen(w);
    if (isnan(w->target)) w->step = g->t - g->t_previous;
    memset(w->due, 0, (size_t)w->n_instances);
    if (rg_integrator_is_done(g) && isnan(w->target) && find_timed(w, g->t)) {
        w->is_located = true;
        return (rg_status)RG_STOPPED;
    }
    const bool was_none = is_at_target;
    if (was_none) w->target = NAN; /* the run goes on */
    RG_TRY(pass_on(w, false));
    const rg_state from = {w->t0, w->y0, w->yp0};
    const bool was_shortened = was_none && g->options.step > 0.0;
    return was_shortened ? rg_integrator_restart(g, &from, g->options.step) : RG_OK;
}

/* ---- at an event ----------------------------------------------------------------------------- */

/* A fixed step stays; otherwise a part of the last one, above rounding. */
static double first_step(const rg_watch *w)
{
    const double fixed = w->g->options.step, h = RG_EVENTS_RESTART * fabs(w->step);

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

    find_timed(w, t);
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
    keep_start(w);
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
    const bool at_once = is_near(w->t0, target);

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
    keep_start(w);
    return w->g->pause->events.status;
}

/* What the last step asks for; RG_STOPPED: the sink ends the run. */
static rg_status go_on(rg_watch *w)
{
    if (w->is_located) {
        RG_TRY(pass_on(w, true));
        return pass_event(w);
    }
    if (w->is_rough) return take_shorter(w);
    return w->is_given_up ? approach(w) : (rg_status)RG_STOPPED;
}

/* The next steps end there. */
static rg_status aim(rg_watch *w)
{
    w->is_located = w->is_given_up = w->is_rough = false;
    return rg_integrator_set_end(w->g, isnan(w->target) ? next_end(w) : w->target);
}

static rg_status run(rg_watch *w)
{
    rg_integrator *g = w->g;

    while (g->t != w->t_final && w->log->stop == NULL) {
        RG_TRY(aim(w));
        if (g->pause != NULL) g->pause->is_held = !isnan(w->target);
        const rg_status status = rg_integrate(g, watch_step, w);
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
        RG_TRY(rg_integrator_step(g));
        const rg_status status = watch_step(g, w);
        if (status != (rg_status)RG_STOPPED) return status;
        if (w->is_located) return pass_on(w, true);
        RG_TRY(go_on(w));
    }
    return RG_OK;
}

rg_status rg_event_run_step(rg_event_run *w, double t_limit)
{
    if (w->own.stop != NULL) return (rg_status)RG_STOPPED;
    RG_TRY(rg_watch_failed(w, w->is_located ? pass_event(w) : take_step(w, t_limit)));
    return w->own.stop != NULL ? (rg_status)RG_STOPPED : RG_OK;
}
