/* Events at known times: when the next one is, and which are due. */
#include "ivp/event/watch.h"

#include <float.h>
#include <math.h>

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
double rg_watch_next_end(const rg_watch *w)
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
bool rg_watch_find_timed(rg_watch *w, double t)
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
