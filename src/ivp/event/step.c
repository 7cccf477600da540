/* A step of a run with events: is it handed on, does it end at an event, is it taken again? */
#include "ivp/event/tuning.h"
#include "ivp/event/watch.h"
#include "ivp/radau/radau.h"
#include "ivp/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The next step begins where the run stands. */
void rg_watch_keep_start(rg_watch *w)
{
    const rg_integrator *g = w->g;

    w->t0 = g->t;
    memcpy(w->y0, g->y, (size_t)g->n * sizeof *g->y);
    memcpy(w->yp0, g->yp, (size_t)g->n * sizeof *g->yp);
    rg_branches_copy(w, &w->now, &w->start);
}

/* A step in the order of the run: to the sink, and the next one begins. */
rg_status rg_watch_pass_on(rg_watch *w, bool is_at_event)
{
    rg_integrator *g = w->g;

    for (int64_t i = 0; i < g->n; i++)
        w->largest[i] = fmax(w->largest[i], fabs(g->y[i]));
    g->is_at_event = is_at_event;
    const rg_status status = w->to->sink != NULL ? w->to->sink(g, w->to->user) : RG_OK;
    g->is_at_event = false;
    w->is_first = false;
    w->retakes = w->shorter = 0;
    rg_watch_keep_start(w);
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

/* Dense output that is as good as the steps: the step simply ends at the event.  So it is near the
 * end of every step, where the error of the polynomial goes to 0; for what is algebraic slowly. */
static bool can_cut(const rg_watch *w)
{
    const rg_integrator *g = w->g;
    const bool is_end = !w->is_algebraic && memchr(w->has_rates, 1, (size_t)w->n_functions) == NULL
                        && fabs(w->found - g->t) <= RG_EVENT_END * fabs(g->t - g->t_previous);

    return (g->method->is_dense || is_end) && g->taker == NULL && !g->is_line
           && !rg_watch_is_near(w->t0, w->found);
}

/* An event in the last step.  At its end: the run stands at it.  Otherwise the step is given up. */
static rg_status seen(rg_watch *w)
{
    rg_integrator *g = w->g;
    const double h = g->t - g->t_previous;
    const double near = fmax(RG_EVENT_PART * fabs(h), 16.0 * DBL_EPSILON * fabs(g->t));

    w->is_located = fabs(w->found - g->t) <= near || w->retakes >= RG_EVENTS_RETAKES;
    if (!w->is_located && isnan(w->target) && rg_watch_find_timed(w, g->t))
        RG_TRY(rg_watch_is_joined(w, &w->is_located));
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
rg_status rg_watch_take_shorter(rg_watch *w)
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

rg_status rg_watch_take(const rg_integrator *now, void *user)
{
    rg_watch *w = user;
    rg_integrator *g = w->g;
    bool is_event = false;

    (void)now;
    RG_TRY(resolve(w));
    if (w->is_rough) return (rg_status)RG_STOPPED;
    RG_TRY(rg_watch_step(w, &is_event));
    const bool is_at_target = !isnan(w->target) && rg_watch_is_near(g->t, w->target);
    if (!is_event && is_at_target) RG_TRY(rg_watch_beyond(w, rg_watch_next_end(w), &is_event));
    if (is_event) return seen(w);
    if (isnan(w->target)) w->step = g->t - g->t_previous;
    memset(w->due, 0, (size_t)w->n_instances);
    if (rg_integrator_is_done(g) && isnan(w->target) && rg_watch_find_timed(w, g->t)) {
        RG_TRY(rg_watch_join(w));
        w->is_located = true;
        return (rg_status)RG_STOPPED;
    }
    const bool was_none = is_at_target;
    if (was_none) w->target = NAN; /* the run goes on */
    RG_TRY(rg_watch_pass_on(w, false));
    const rg_state from = {w->t0, w->y0, w->yp0};
    const bool was_shortened = was_none && g->options.step > 0.0;
    return was_shortened ? rg_integrator_restart(g, &from, g->options.step) : RG_OK;
}
