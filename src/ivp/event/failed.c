/* Why a run ends behind events: they accumulate, or the index of the equations changes there. */
#include "ivp/event/tuning.h"
#include "ivp/event/watch.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { RING = RG_EVENT_ACCUMULATE + 1 };

static double event_time(const rg_watch *w, int64_t k)
{
    return w->times[k % RING];
}

/* The limit of geometric distances d, q d, q^2 d, ...  behind the last ones that rounding leaves:
 * t + d q/(1 - q). */
static double limit_of_events(const rg_watch *w)
{
    const int64_t last = w->n_times - 1, first = last - RG_EVENT_ACCUMULATE;

    for (int64_t k = last; k >= 2 && k > first + 1; k--) {
        const double d = event_time(w, k) - event_time(w, k - 1);
        const double before = event_time(w, k - 1) - event_time(w, k - 2), q = d / before;
        if (fabs(d) < RG_EVENT_RESOLVED * fabs(event_time(w, k))) continue;
        return q > 0.0 && q < 1.0 ? event_time(w, k) + d * q / (1.0 - q) : event_time(w, last);
    }
    return event_time(w, last);
}

static rg_status accumulation(rg_watch *w)
{
    rg_fail(w->ctx, RG_ERR_CONVERGENCE,
            "events accumulate at t = %.10g: %lld of them so far, closer and closer together",
            limit_of_events(w), (long long)w->log->total);
    rg_fail_time(w->ctx, w->g->t);
    return rg_remedy(w->ctx,
                     "end it before: stop, or a 'state' for the motion behind it, when what "
                     "happens has become small");
}

/* How many of the last distances of events are not larger than the one before. */
static int64_t count_shrinking(const rg_watch *w)
{
    const int64_t last = w->n_times - 1, first = last - RG_EVENT_ACCUMULATE;
    int64_t k = last;

    for (; k >= 2 && k > first + 1; k--) {
        const double d = fabs(event_time(w, k) - event_time(w, k - 1));
        const double before = fabs(event_time(w, k - 1) - event_time(w, k - 2));
        if (d > before + 8.0 * DBL_EPSILON * fabs(event_time(w, k))) break;
    }
    return last - k;
}

/* The last distances shrink, and all of them are within a small part of the interval. */
rg_status rg_watch_note_time(rg_watch *w, double t)
{
    const int64_t n = w->n_times++;
    const double near = RG_EVENT_ACCUMULATE_PART * fabs(w->t_final - w->g->t_start);

    w->times[n % RING] = t;
    if (n < RG_EVENT_ACCUMULATE || fabs(t - event_time(w, n + 1)) > near) return RG_OK;
    return count_shrinking(w) >= RG_EVENT_ACCUMULATE - 1 ? accumulation(w) : RG_OK;
}

/* A constraint that comes or goes with a state: the equations have another index behind it. */
static rg_status index_changes(rg_watch *w, int64_t row)
{
    char name[128], line[128];

    rg_event_name(w->p, w->last_event, name, sizeof name);
    rg_row_name(w->p, row, 0, line, sizeof line);
    rg_fail(w->ctx, RG_ERR_STRUCTURE,
            "behind the event %s at t = %.10g %s is another kind of equation than at the start: "
            "the index changes, and the run cannot go on",
            name, event_time(w, w->n_times - 1), line);
    if (w->p->source != NULL) rg_fail_at(w->ctx, w->p->source, rg_row_span(w->p, row));
    rg_fail_time(w->ctx, w->g->t);
    return rg_remedy(w->ctx,
                     "write it for the same highest derivatives in all states, as "
                     "if(k > 0.5, x'', lambda), and assign values that meet the constraint");
}

/* ... is told where a run fails behind an event. */
static rg_status explain(rg_watch *w)
{
    const size_t bytes = (size_t)w->g->n * sizeof *w->y;
    const rg_error cause = *rg_last_error(w->ctx);

    memcpy(w->y, w->y0, bytes);
    memcpy(w->yp, w->yp0, bytes);
    const rg_status ready = rg_reset_project(w->reset, w->t0, w->y, w->yp);
    if (ready < 0) return ready;
    const int64_t row = rg_reset_changed(w->reset);
    rg_clear_error(w->ctx);
    return row >= 0 ? index_changes(w, row) : rg_fail_again(w->ctx, &cause);
}

/* A run that fails shortly behind events that come closer and closer fails for that reason. */
rg_status rg_watch_failed(rg_watch *w, rg_status status)
{
    const double near = RG_EVENT_ACCUMULATE_PART * fabs(w->t_final - w->g->t_start);

    if (status == RG_ERR_CONVERGENCE && w->n_times > 0) status = explain(w);
    if (status != RG_ERR_CONVERGENCE || w->n_times < 2
        || fabs(event_time(w, w->n_times - 1) - event_time(w, w->n_times - 2)) > near
        || count_shrinking(w) < RG_EVENT_SHRINKING)
        return status;
    rg_clear_error(w->ctx);
    return accumulation(w);
}
