/* Runs: all steps of an integrator, up to its end or one by one, with its switches. */
#include "ivp/events.h"
#include "ivp/method.h"
#include "ivp/pause.h"
#include "ivp/switching/switching.h"

struct rg_stepper {
    rg_integrator *g;
    rg_switching *switching;
    rg_events *events;
    double t_end; /* up to which switches of time are known */
};

/* What ends steps at switches; a fixed mesh stays as it is. */
static rg_status open_switches(rg_integrator *g, rg_switching **switching, rg_events **events)
{
    const bool goes_on = g->pause != NULL && g->pause->has_state;

    if (goes_on) g->pause->has_state = false; /* once */
    if (g->options.step > 0.0) return RG_OK;
    RG_TRY(goes_on ? rg_switching_create_again(g, switching) : rg_switching_create(g, switching));
    if (*switching == NULL) RG_TRY(rg_events_create(g, events));
    if (!goes_on) return RG_OK;
    rg_store *s = &g->pause->switching;
    if (*switching != NULL) rg_switching_store(*switching, s);
    if (*events != NULL) rg_events_store(*events, s);
    return s->status;
}

/* RG_PAUSED: it is time for it. */
static rg_status pause_if_due(rg_integrator *g, rg_switching *switching, rg_events *events)
{
    if (!rg_pause_is_due(g) || !rg_switching_is_calm(switching) || rg_integrator_is_done(g))
        return RG_OK;
    rg_store *s = &g->pause->switching;
    rg_store_empty(s);
    if (switching != NULL) rg_switching_store(switching, s);
    if (events != NULL) rg_events_store(events, s);
    return s->status != RG_OK ? s->status : RG_PAUSED;
}

static rg_status take_step(rg_integrator *g, rg_switching *switching, rg_events *events,
                           rg_step_sink *sink, void *user)
{
    if (switching != NULL) return rg_switching_step(switching, sink, user);
    if (events != NULL) return rg_events_step(events, sink, user);
    RG_TRY(rg_integrator_step(g));
    return sink != NULL ? sink(g, user) : RG_OK;
}

rg_status rg_integrate(rg_integrator *g, rg_step_sink *sink, void *user)
{
    rg_switching *switching = NULL;
    rg_events *events = NULL;
    const double t_end = g->t_end; /* steps that end earlier have others in between */
    g->has_result = false;
    rg_status status = open_switches(g, &switching, &events);

    while (status == RG_OK && !rg_integrator_is_done(g)) {
        status = take_step(g, switching, events, sink, user);
        if (status == RG_OK) status = pause_if_due(g, switching, events);
    }
    const bool is_lost = status == (rg_status)RG_RETRY; /* not a result: nobody asks for less */
    if (is_lost || (status == RG_OK && g->t != t_end))
        status = rg_integrator_fail_astray(g, "the run", t_end);
    if (status == RG_OK && switching != NULL) { /* which ends below */
        rg_state end;
        status = rg_integrator_result(g, &end);
        g->has_result = status == RG_OK && g->result != NULL && end.y == g->result;
    }
    rg_switching_destroy(&switching);
    rg_events_destroy(&events);
    return status;
}

/* ---- step by step ---------------------------------------------------------------------------- */

rg_status rg_stepper_create(rg_integrator *g, rg_stepper **out)
{
    rg_stepper *s = *out = rg_alloc(g->ctx, 1, sizeof *s);

    if (s == NULL) return RG_ERR_MEMORY;
    s->g = g;
    s->t_end = g->t_end;
    const rg_status status = open_switches(g, &s->switching, &s->events);
    if (status != RG_OK) rg_stepper_destroy(out);
    return status;
}

void rg_stepper_destroy(rg_stepper **stepper)
{
    rg_stepper *s = *stepper;

    if (s == NULL) return;
    rg_switching_destroy(&s->switching);
    rg_events_destroy(&s->events);
    rg_free(s->g->ctx, s);
    *stepper = NULL;
}

typedef struct { /* the sink of one step */
    rg_step_sink *sink;
    void *user;
    bool is_taken;
    rg_status status;
} one_step;

static rg_status take_one(const rg_integrator *g, void *user)
{
    one_step *o = user;

    o->is_taken = true;
    o->status = o->sink != NULL ? o->sink(g, o->user) : RG_OK;
    return (rg_status)RG_STOPPED;
}

rg_status rg_stepper_step(rg_stepper *s, rg_step_sink *sink, void *user)
{
    rg_integrator *g = s->g;
    one_step o = {.sink = sink, .user = user};
    rg_status status = RG_OK;

    if (s->t_end != g->t_end && s->switching != NULL) RG_TRY(rg_switching_set_end(s->switching));
    s->t_end = g->t_end;
    while (status == RG_OK && !rg_integrator_is_done(g))
        status = take_step(g, s->switching, s->events, take_one, &o);
    if (status == (rg_status)RG_RETRY) return rg_integrator_fail_astray(g, "the run", s->t_end);
    return o.is_taken && status == (rg_status)RG_STOPPED ? o.status : status;
}

rg_status rg_stepper_row(rg_stepper *s, double t, double *y, double *yp)
{
    return s->switching != NULL ? rg_switching_row(s->switching, t, y, yp)
                                : rg_integrator_row(s->g, t, y, yp);
}
