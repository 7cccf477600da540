/* Looks for events along the dense output of a step. */
#include "ivp/event/watch.h"

#include "ivp/event/tuning.h"
#include "ivp/tuning.h"
#include "views/crossings.h"
#include "views/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Where in a step the functions are looked at; behind an event closely at first, since what has
 * just been reset may come back soon. */
static const double early[] = {1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-3, 1e-2};
static const double sample[] = {0.0571, 0.1551, 0.2768, 0.42, 0.5836, 0.6449, 0.8602, 1.0};
enum { EARLY = sizeof early / sizeof *early, SAMPLES = sizeof sample / sizeof *sample };

void rg_branches_copy(const rg_watch *w, const rg_branches *from, rg_branches *to)
{
    const size_t n = (size_t)w->n_functions;

    memcpy(to->mode, from->mode, n * sizeof *to->mode);
    memcpy(to->pending, from->pending, n);
    memcpy(to->visited, from->visited, n);
    memcpy(to->seen, from->seen, n * sizeof *to->seen);
    memcpy(to->truth, from->truth, (size_t)w->n_instances * sizeof *to->truth);
}

static rg_status look(rg_watch *w, double t)
{
    rg_integrator_eval(w->g, t, w->y, w->yp);
    return rg_conditions_values(w->c, t, w->y, w->yp, w->values);
}

/* Has function k, with its value now, another branch than is known?  A value that is not defined
 * changes nothing. */
static bool has_changed(const rg_watch *w, int64_t k)
{
    const double value = w->values[k];

    if (isnan(value)) return false;
    const bool is_other = rg_conditions_mode(w->c, k, value) != w->now.mode[k];
    if (!w->now.pending[k]) return is_other;
    if (is_other || w->now.visited[k] == RG_VISITED_TOWARDS)
        return fabs(value) > w->band[k] && (is_other || w->now.visited[k]);
    return w->now.visited[k] == RG_VISITED && value != 0.0;
}

/* The same in the part of a step that is narrowed: what was on the other side in the band comes
 * back where it is 0. */
static bool is_beyond(const rg_watch *w, int64_t k)
{
    const double value = w->values[k];

    if (!w->hit[k] || isnan(value)) return false;
    const bool is_other = rg_conditions_mode(w->c, k, value) != w->now.mode[k];
    if (!w->now.pending[k]) return is_other;
    if (is_other) return fabs(value) > w->band[k];
    return w->now.visited[k];
}

/* No change here: what is seen of functions that are near their edges. */
static void learn(rg_watch *w, double t)
{
    for (int64_t k = 0; k < w->n_functions; k++) {
        if (!w->now.pending[k] || isnan(w->values[k])) continue;
        const bool is_other = rg_conditions_mode(w->c, k, w->values[k]) != w->now.mode[k];
        const bool is_early = w->is_first && w->now.visited[k] == RG_VISITED_NOT
                              && w->now.mode[k] * (w->values[k] - w->origin[k]) < 0.0;
        if (is_other && fabs(w->values[k]) > w->noise[k]) w->now.visited[k] = RG_VISITED;
        if (is_early && !w->now.visited[k]) w->now.visited[k] = RG_VISITED_TOWARDS;
        if ((is_other || is_early) && w->now.visited[k]) w->now.seen[k] = t;
        if (!is_other && fabs(w->values[k]) > w->band[k]) w->now.pending[k] = 0;
    }
}

static rg_status crossed(void *user, double t, bool *is_before)
{
    rg_watch *w = user;

    *is_before = false;
    RG_TRY(look(w, t));
    for (int64_t k = 0; k < w->n_functions && !*is_before; k++)
        *is_before = is_beyond(w, k);
    return RG_OK;
}

static bool find_hits(rg_watch *w)
{
    bool any = false;

    for (int64_t k = 0; k < w->n_functions; k++) {
        w->hit[k] = has_changed(w, k);
        any = any || w->hit[k];
    }
    return any;
}

/* What came back did so behind the time at which it was seen on the other side. */
static double left_of_hits(const rg_watch *w, double left)
{
    const double sign = w->g->direction;

    for (int64_t k = 0; k < w->n_functions; k++)
        if (w->hit[k] && w->now.pending[k] && w->now.visited[k]
            && sign * w->now.seen[k] < sign * left)
            left = w->now.seen[k];
    return sign * left < sign * w->g->t_previous ? w->g->t_previous : left;
}

/* Takes over the branches of all functions that have changed at the place looked at. */
static rg_status turn(rg_watch *w, double t, bool *is_event)
{
    bool came_back = false;

    for (int64_t k = 0; k < w->n_functions; k++) {
        w->hit[k] = is_beyond(w, k) || has_changed(w, k);
        if (!w->hit[k]) continue;
        const double mode = rg_conditions_mode(w->c, k, w->values[k]);
        const bool is_same = mode == w->now.mode[k]; /* it was on the other side meanwhile */
        came_back = came_back || is_same;
        if (is_same) w->now.mode[k] = -mode;
        w->now.pending[k] = w->now.visited[k] = 0;
    }
    if (came_back) RG_TRY(rg_conditions_truth(w->c, t, w->y, w->yp, w->now.mode, w->now.truth));
    for (int64_t k = 0; k < w->n_functions; k++)
        if (w->hit[k]) w->now.mode[k] = rg_conditions_mode(w->c, k, w->values[k]);
    memcpy(w->before, w->now.truth, (size_t)w->n_instances * sizeof *w->before);
    RG_TRY(rg_conditions_truth(w->c, t, w->y, w->yp, w->now.mode, w->now.truth));
    *is_event = false;
    for (int64_t k = 0; k < w->n_instances; k++) {
        w->due[k] = w->now.truth[k] > w->before[k];
        *is_event = *is_event || w->due[k];
    }
    return RG_OK;
}

/* A function that came back, but was never seen on its other side. */
static bool is_unresolved(const rg_watch *w)
{
    bool is_any = false;

    for (int64_t k = 0; k < w->n_functions && !is_any; k++)
        is_any = w->hit[k] && w->now.pending[k] && w->now.visited[k] == RG_VISITED_TOWARDS
                 && rg_conditions_mode(w->c, k, w->values[k]) == w->now.mode[k];
    return is_any;
}

static rg_status unresolved(const rg_watch *w, double t)
{
    rg_fail(w->ctx, RG_ERR_CONVERGENCE,
            "events near t = %.10g follow each other too closely to be told apart", t);
    rg_fail_time(w->ctx, t);
    return rg_remedy(w->ctx, "end them before: stop, or a 'state' for the motion behind them, when "
                             "what happens has become small");
}

/* From one place without a change to the next, with the values there (NULL: not known): all
 * changes, or those up to the first event. */
static rg_status go_on(rg_watch *w, double *left, double to, const double *there, bool *is_event)
{
    const double near = RG_EVENT_PART * fabs(w->g->t - w->g->t_previous) * w->g->direction;

    *is_event = false;
    for (int k = 0; k < RG_CROSSINGS_BETWEEN && !*is_event; k++) {
        double right = to;
        if (there != NULL && k == 0)
            memcpy(w->values, there, (size_t)w->n_functions * sizeof *there);
        else
            RG_TRY(look(w, to));
        if (!find_hits(w)) break;
        if (is_unresolved(w)) return unresolved(w, w->g->t_previous);
        *left = left_of_hits(w, *left);
        RG_TRY(rg_crossing_narrow(crossed, w, left, &right));
        w->found = right;
        /* what changes at the same time but for rounding changes together */
        const double together = fabs(to - right) > fabs(near) ? right + near : to;
        RG_TRY(look(w, together));
        RG_TRY(turn(w, together, is_event));
        *left = together;
    }
    if (!*is_event) learn(w, to);
    *left = to;
    return RG_OK;
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Where a parabola through three values has its extremum, and which; NaN: nowhere. */
static double extremum(const double *t, const double *v, double *value)
{
    const double d1 = (v[1] - v[0]) / (t[1] - t[0]), d2 = (v[2] - v[1]) / (t[2] - t[1]);
    const double c = (d2 - d1) / (t[2] - t[0]);
    const double at = 0.5 * (t[0] + t[1] - d1 / c);

    *value = v[0] + (at - t[0]) * (d1 + c * (at - t[1]));
    return isfinite(at) && isfinite(*value) ? at : NAN;
}

/* A function with one sign at both ends of (t[1], t[2]) that may have another between them: its
 * minimum there, NaN: none.  has: which of the four samples there are. */
static double find_dip(const rg_watch *w, const double *t, const bool *has)
{
    double best = RG_LOCATE_LOW, found = NAN;

    for (int64_t k = 0; k < w->n_functions; k++) {
        const double v[] = {w->around[0][k], w->around[1][k], w->around[2][k], w->around[3][k]};
        const double least = fmin(fabs(v[1]), fabs(v[2]));
        if (!(v[1] * v[2] > 0.0) || rg_conditions_is_whole(w->c, k)) continue;
        for (int i = 0; i < 2; i++) {
            double value;
            if (!has[i == 0 ? 0 : 3] || isnan(v[i == 0 ? 0 : 3])) continue;
            const double at = extremum(t + i, v + i, &value);
            const bool is_inside = (at - t[1]) * (t[2] - at) > 0.0;
            const double part = v[1] > 0.0 ? value / least : -value / least;
            if (is_inside && part < best) {
                best = part;
                found = at;
            }
        }
    }
    return found;
}

/* From sample 1 to sample 2, with a look at minima between them. */
static rg_status pass_interval(rg_watch *w, double *left, double *t, bool *has, bool *is_event)
{
    const size_t bytes = (size_t)w->n_functions * sizeof *w->values;

    for (int k = 0; k < RG_EVENT_DIPS && !*is_event; k++) {
        const double at = find_dip(w, t, has);
        if (isnan(at) || at == *left || at == t[2]) break;
        RG_TRY(look(w, at));
        memcpy(w->around[0], w->around[1], bytes);
        memcpy(w->around[1], w->values, bytes);
        t[0] = t[1];
        t[1] = at;
        has[0] = true;
        RG_TRY(go_on(w, left, at, w->around[1], is_event));
    }
    return *is_event ? RG_OK : go_on(w, left, t[2], w->around[2], is_event);
}

static double sample_at(const rg_watch *w, int k)
{
    const double t0 = w->g->t_previous, t1 = w->g->t;

    return k == SAMPLES - 1 ? t1 : t0 + (t1 - t0) * (k < 0 ? early[k + EARLY] : sample[k]);
}

static void shift(rg_watch *w, double *t)
{
    double *first = w->around[0];

    for (int k = 0; k < 3; k++) {
        w->around[k] = w->around[k + 1];
        t[k] = t[k + 1];
    }
    w->around[3] = first;
}

static rg_status take_sample(rg_watch *w, int k, double *t, int place)
{
    t[place] = sample_at(w, k);
    RG_TRY(look(w, t[place]));
    memcpy(w->around[place], w->values, (size_t)w->n_functions * sizeof *w->values);
    return RG_OK;
}

/* Four samples in a row: the interval between the second and the third is passed. */
rg_status rg_watch_step(rg_watch *w, bool *is_event)
{
    const int first = w->is_first ? -EARLY : 0;
    double left = w->g->t_previous, t[4] = {left, left, left, left};

    *is_event = false;
    if (w->n_functions == 0) return RG_OK;
    RG_TRY(look(w, left));
    memcpy(w->around[1], w->values, (size_t)w->n_functions * sizeof *w->values);
    RG_TRY(take_sample(w, first, t, 2));
    for (int k = first; k < SAMPLES && !*is_event; k++) {
        bool has[4] = {k > first, true, true, k + 1 < SAMPLES};
        if (has[3]) RG_TRY(take_sample(w, k + 1, t, 3));
        if (t[2] != left) RG_TRY(pass_interval(w, &left, t, has, is_event));
        shift(w, t);
    }
    return RG_OK;
}

rg_status rg_watch_beyond(rg_watch *w, bool *is_event)
{
    double left = w->g->t;

    *is_event = false;
    if (w->n_functions == 0) return RG_OK;
    return go_on(w, &left, left + RG_EVENT_BEYOND * (w->g->t - w->g->t_previous), NULL, is_event);
}

/* What lies near its edge stays as it was, unless the assignments have put it there exactly: then
 * the comparison says what it is. */
static bool stays(const rg_watch *w, int64_t k, bool is_near, bool is_start)
{
    if (isnan(w->values[k])) return true;
    return is_near && !is_start && !(w->values[k] == 0.0 && w->hit[k]);
}

/* At the start all functions have the branches of their values; behind an event w->kept marks what
 * was assigned. */
rg_status rg_watch_begin(rg_watch *w, double t, bool is_start)
{
    const rg_options *o = &w->g->options;
    double *sizes = w->band;

    if (!is_start) rg_conditions_concerned(w->c, w->kept, w->hit);
    if (w->n_functions > 0) {
        const rg_status status =
            rg_conditions_sizes(w->c, t, w->y, w->yp, o->atol / o->rtol, sizes, w->noise);
        if (status < 0) return status;
    }
    RG_TRY(rg_conditions_values(w->c, t, w->y, w->yp, w->values));
    for (int64_t k = 0; k < w->n_functions; k++) {
        w->noise[k] = isfinite(w->noise[k]) ? RG_EVENT_ROUNDING * DBL_EPSILON * w->noise[k] : 0.0;
        w->band[k] = isfinite(sizes[k]) ? sizes[k] * o->rtol : 0.0;
        if (w->algebraic[k]) w->noise[k] = w->band[k]; /* met to the tolerance, not to rounding */
        w->origin[k] = w->values[k];
        const bool is_near = w->band[k] > 0.0 && fabs(w->values[k]) <= w->band[k];
        w->now.pending[k] = is_near;
        w->now.visited[k] = 0;
        if (!stays(w, k, is_near, is_start))
            w->now.mode[k] = rg_conditions_mode(w->c, k, w->values[k]);
    }
    return RG_OK;
}
