/* What happens at an event: assignments, consistent values, and events that follow from them. */
#include "ivp/event/tuning.h"
#include "ivp/event/watch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int rg_event_name(const rg_problem *p, int event, char *buffer, int size)
{
    const rg_event *e = &p->events[event];

    if (e->line == 0) return snprintf(buffer, (size_t)size, "'%s'", e->name);
    if (e->name[0] == '\0') return snprintf(buffer, (size_t)size, "line %d", e->line);
    return snprintf(buffer, (size_t)size, "'%s' (line %d)", e->name, e->line);
}

/* ---- one event ------------------------------------------------------------------------------- */

static rg_status not_finite(rg_watch *w, double t, int event, const rg_assigned *a)
{
    char name[128], what[128];

    rg_variable_name(w->p, a->unknown, a->order, what, sizeof what);
    rg_event_name(w->p, event, name, sizeof name);
    rg_fail(w->ctx, RG_ERR_CONVERGENCE,
            "at t = %.10g the event %s gives %s a value that is not "
            "finite",
            t, name, what);
    if (w->p->source != NULL) rg_fail_at(w->ctx, w->p->source, a->span);
    rg_fail_time(w->ctx, t);
    return rg_remedy(w->ctx, "look for a division by zero or a function outside its domain");
}

static rg_status not_a_state(rg_watch *w, const rg_assigned *a)
{
    char what[128];

    rg_variable_name(w->p, a->unknown, a->order, what, sizeof what);
    rg_fail(w->ctx, RG_ERR_STRUCTURE, "%s follows from the equations at every time", what);
    if (w->p->source != NULL) rg_fail_at(w->ctx, w->p->source, a->span);
    return rg_remedy(w->ctx, "assign an unknown that is differentiated, or a 'state'");
}

static rg_status too_many(rg_watch *w, double t)
{
    rg_fail(w->ctx, RG_ERR_CONVERGENCE, "at t = %.10g there have been %lld events", t,
            (long long)w->log->total);
    rg_fail_time(w->ctx, t);
    return rg_remedy(w->ctx, "allow more with --max_events, if so many are right");
}

static rg_status note(rg_watch *w, double t, int event)
{
    rg_event_log *log = w->log;

    if (log->total >= w->g->options.max_events) return too_many(w, t);
    log->total++;
    if (log->n_notes >= RG_EVENTS_TOLD) return RG_OK;
    RG_TRY(rg_grow(w->ctx, &log->note, log->n_notes, &log->capacity, sizeof *log->note));
    log->note[log->n_notes++] = (rg_event_note){t, event};
    return RG_OK;
}

/* All values are taken with what is there before, then assigned together. */
static rg_status fire_one(rg_watch *w, double t, int64_t instance, bool *has_assigned)
{
    const int event = rg_conditions_instance(w->c, instance).event;
    const int most = rg_conditions_assigned_most(w->c, instance);
    rg_assigned *list = rg_alloc(w->ctx, (size_t)most + 1, sizeof *list);
    bool stops = false;
    int n = 0;
    rg_status status = list != NULL ? note(w, t, event) : RG_ERR_MEMORY;

    if (status == RG_OK)
        status = rg_conditions_assigned(w->c, instance, t, w->y, w->yp, list, &n, &stops);
    for (int k = 0; k < n && status == RG_OK; k++) {
        const int64_t state = rg_system_state(w->g->system, list[k].unknown, list[k].order);
        if (state < 0)
            status = not_a_state(w, &list[k]);
        else if (!isfinite(list[k].value))
            status = not_finite(w, t, event, &list[k]);
    }
    for (int k = 0; k < n && status == RG_OK; k++) {
        const int64_t state = rg_system_state(w->g->system, list[k].unknown, list[k].order);
        w->y[state] = list[k].value;
        w->kept[state] = 1;
        *has_assigned = true;
    }
    const rg_event *e = &w->p->events[event];
    if (status == RG_OK && w->log->stop == NULL) w->log->stop = stops ? e->name : e->stop;
    rg_free(w->ctx, list);
    return status;
}

/* ---- consistent values ----------------------------------------------------------------------- */

/* Can a state of the system have no other value at the event than it had before?  z, zp: room. */
static rg_status is_determined(rg_watch *w, double t, int64_t state, double *z, double *zp,
                               bool *answer)
{
    const rg_integrator *g = w->g;
    const size_t bytes = (size_t)g->n * sizeof *z;

    *answer = true;
    for (int sign = -1; sign <= 1 && *answer; sign += 2) {
        memcpy(z, g->y, bytes);
        memcpy(zp, g->yp, bytes);
        const rg_status ready = rg_reset_project(w->reset, t, z, zp);
        if (ready < 0) return ready;
        memset(w->kept, 0, (size_t)g->n);
        w->kept[state] = 1;
        z[state] += sign * RG_EVENT_MOVED * fmax(w->largest[state], fabs(z[state]));
        const rg_status status = rg_reset_run(w->reset, t, w->kept, z, zp);
        if (status == RG_ERR_MEMORY || status == RG_ERR_INTERRUPTED) return status;
        rg_clear_error(w->ctx);
        *answer = status != RG_OK;
    }
    return RG_OK;
}

/* Of what was assigned at t, something that the constraints determine: told; RG_OK: nothing. */
static rg_status find_determined(rg_watch *w, double t)
{
    rg_context *ctx = w->ctx;
    double *z = rg_alloc(ctx, 2 * (size_t)w->g->n + 1, sizeof *z);
    rg_status status = z != NULL ? RG_OK : RG_ERR_MEMORY;

    for (int64_t k = 0; k < w->n_instances && status == RG_OK; k++) {
        const rg_event *e = &w->p->events[rg_conditions_instance(w->c, k).event];
        for (int i = 0; w->due[k] && i < e->n_assignments && status == RG_OK; i++) {
            const int64_t iteration = rg_conditions_instance(w->c, k).iteration;
            const rg_assignment *a = &e->assignments[i];
            const rg_assigned one = {rg_map_at(&e->body->slots[a->slot].map, iteration), a->order,
                                     0.0, a->span};
            bool is_fixed = false;
            if (rg_variable_is_state(w->p, one.unknown)) continue;
            const int64_t state = rg_system_state(w->g->system, one.unknown, one.order);
            status = is_determined(w, t, state, z, z + w->g->n, &is_fixed);
            if (status == RG_OK && is_fixed) status = not_a_state(w, &one);
        }
    }
    rg_free(ctx, z);
    return status;
}

/* The values that were assigned contradict the constraints: which event, which constraint. */
static rg_status contradiction(rg_watch *w, double t, int event, rg_status status)
{
    char name[128];
    const rg_error cause = *rg_last_error(w->ctx);

    if (status == RG_ERR_MEMORY || status == RG_ERR_INTERRUPTED) return status;
    rg_event_name(w->p, event, name, sizeof name);
    rg_clear_error(w->ctx);
    RG_TRY(find_determined(w, t));
    rg_fail(w->ctx, RG_ERR_CONVERGENCE,
            "at t = %.10g there are no consistent values behind the event %s: %s", t, name,
            cause.message);
    if (w->p->source != NULL) rg_fail_at(w->ctx, w->p->source, w->p->events[event].span);
    rg_fail_time(w->ctx, t);
    return rg_remedy(w->ctx, "assign values that the constraints allow, or fewer of them");
}

static rg_status settle(rg_watch *w, double t, int event)
{
    const rg_status status = rg_reset_run(w->reset, t, w->kept, w->y, w->yp);

    return status == RG_OK ? RG_OK : contradiction(w, t, event, status);
}

/* ---- all of one time ------------------------------------------------------------------------- */

static rg_status no_rest(rg_watch *w, double t, int event)
{
    char name[128];

    rg_event_name(w->p, event, name, sizeof name);
    rg_fail(w->ctx, RG_ERR_CONVERGENCE,
            "events at t = %.10g do not come to rest: %s fires again "
            "and again",
            t, name);
    if (w->p->source != NULL) rg_fail_at(w->ctx, w->p->source, w->p->events[event].span);
    rg_fail_time(w->ctx, t);
    return rg_remedy(w->ctx, "let what is assigned make the condition false for good");
}

/* Fires what is due in the order of the text; *last: the last of them, -1: there was none. */
static rg_status fire_round(rg_watch *w, double t, int *last, bool *has_assigned)
{
    *last = -1;
    *has_assigned = false;
    memset(w->kept, 0, (size_t)w->g->n);
    for (int64_t k = 0; k < w->n_instances; k++) {
        if (!w->due[k]) continue;
        *last = rg_conditions_instance(w->c, k).event;
        RG_TRY(fire_one(w, t, k, has_assigned));
    }
    return RG_OK;
}

/* Conditions that have become true by what was assigned. */
static rg_status find_following(rg_watch *w, double t, bool *is_any)
{
    memcpy(w->before, w->now.truth, (size_t)w->n_instances * sizeof *w->before);
    RG_TRY(rg_watch_begin(w, t, false));
    RG_TRY(rg_conditions_truth(w->c, t, w->y, w->yp, w->now.mode, w->now.truth));
    *is_any = false;
    for (int64_t k = 0; k < w->n_instances; k++) {
        w->due[k] = w->now.truth[k] > w->before[k];
        *is_any = *is_any || w->due[k];
    }
    return RG_OK;
}

rg_status rg_watch_fire(rg_watch *w, double t)
{
    bool is_any = true, has_assigned;
    int last = -1;

    for (int round = 0; is_any; round++) {
        if (round == RG_EVENT_CASCADE) return no_rest(w, t, last);
        RG_TRY(fire_round(w, t, &last, &has_assigned));
        if (last < 0) return RG_OK;
        w->last_event = last;
        if (has_assigned) RG_TRY(settle(w, t, last));
        if (w->log->stop != NULL) return RG_OK;
        RG_TRY(find_following(w, t, &is_any));
    }
    return RG_OK;
}
