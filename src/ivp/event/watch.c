/* Looks for events along the dense output of a step. */
#include "ivp/event/watch.h"

#include "ivp/event/tuning.h"
#include "ivp/tuning.h"
#include "linalg/powers.h"
#include "views/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Where in a step the functions are looked at; behind an event closely at first, since what has
 * just been reset may come back soon. */
static const double early[] = {1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-3, 1e-2};
static const double sample[] = {0.0571, 0.1551, 0.2768, 0.42, 0.5836, 0.6449, 0.8602, 1.0};
static const double again[] = {0.42, 0.99, 1.0};
enum {
    EARLY = sizeof early / sizeof *early,
    SAMPLES = sizeof sample / sizeof *sample,
    FEW = sizeof again / sizeof *again
};

void rg_branches_copy(const rg_watch *w, const rg_branches *from, rg_branches *to)
{
    const size_t n = (size_t)w->n_functions;

    memcpy(to->mode, from->mode, n * sizeof *to->mode);
    memcpy(to->pending, from->pending, n);
    memcpy(to->visited, from->visited, n);
    memcpy(to->seen, from->seen, n * sizeof *to->seen);
    memcpy(to->truth, from->truth, (size_t)w->n_instances * sizeof *to->truth);
}

/* Remembers the values. */
static void keep_point(rg_watch *w, double t)
{
    memcpy(w->point[w->next_point], w->values, (size_t)w->n_functions * sizeof *w->values);
    w->point_t[w->next_point] = w->looked = t;
    w->next_point = (w->next_point + 1) % RG_WATCH_POINTS;
    if (w->n_points < RG_WATCH_POINTS) w->n_points++;
}

/* The functions along the last step, where they are linear: then a look takes no evaluation. */
static rg_status find_along(rg_watch *w)
{
    const rg_integrator *g = w->g;
    const int64_t size = (g->degree + 1) * w->n_functions;

    w->is_along = false;
    if (!rg_conditions_is_linear(w->c) || g->t == g->t_previous) return RG_OK;
    if (size > w->along_capacity) {
        rg_free(w->ctx, w->along);
        w->along_capacity = 0;
        w->along = rg_alloc(w->ctx, (size_t)size, sizeof *w->along);
        if (w->along == NULL) return RG_ERR_MEMORY;
        w->along_capacity = size;
    }
    const rg_status status = rg_conditions_along(w->c, g->degree, g->polynomial, w->along);
    w->is_along = status == RG_OK;
    return status < 0 ? status : RG_OK;
}

rg_status rg_watch_look(rg_watch *w, double t)
{
    const rg_integrator *g = w->g;

    if (w->is_along) {
        const double h = g->t - g->t_previous, s = (t - g->t_previous) / h;
        rg_powers_eval(g->degree, w->n_functions, w->along, s, h, w->values, NULL);
    } else {
        rg_integrator_eval(g, t, w->y, w->yp);
        RG_TRY(rg_conditions_values(w->c, t, w->y, w->yp, w->values));
    }
    keep_point(w, t);
    return RG_OK;
}

/* Has function k, with its value now, another branch than is known?  A value that is not defined
 * changes nothing. */
static bool has_changed(const rg_watch *w, int64_t k)
{
    const double value = w->values[k], mode = w->now.mode[k];

    if (isnan(value)) return false;
    if (!w->now.pending[k] && value * mode > 0.0 && !rg_conditions_is_whole(w->c, k)) return false;
    const bool is_other = rg_conditions_mode(w->c, k, value) != mode;
    if (!w->now.pending[k]) return is_other;
    if (is_other || w->now.visited[k] == RG_VISITED_TOWARDS)
        return fabs(value) > w->band[k] && (is_other || w->now.visited[k]);
    return w->now.visited[k] == RG_VISITED && value != 0.0;
}

/* The same in the part of a step that is narrowed: what was on the other side in the band comes
 * back where it is 0. */
bool rg_watch_is_beyond(const rg_watch *w, int64_t k)
{
    const double value = w->values[k];

    if (!w->hit[k] || isnan(value)) return false;
    const bool is_other = rg_conditions_mode(w->c, k, value) != w->now.mode[k];
    if (!w->now.pending[k]) return is_other;
    if (is_other) return fabs(value) > w->band[k];
    return w->now.visited[k];
}

/* What function k has to exceed to have been on the other side: rounding, and where it began, for
 * an event may be located shortly before its edge. */
static double depth(const rg_watch *w, int64_t k)
{
    const double origin = w->origin[k];
    const bool was_other = w->now.mode[k] * origin < 0.0 && !rg_conditions_is_whole(w->c, k);

    return w->noise[k] + (was_other ? fabs(origin) : 0.0);
}

/* No change here: what is seen of functions that are near their edges. */
static void learn(rg_watch *w, double t)
{
    for (int64_t k = 0; k < w->n_functions; k++) {
        if (!w->now.pending[k] || isnan(w->values[k])) continue;
        const bool is_other = rg_conditions_mode(w->c, k, w->values[k]) != w->now.mode[k];
        /* slopes of the polynomial begin elsewhere than those of the equations, by the tolerance */
        const double jump = w->algebraic[k] || w->has_rates[k] ? w->band[k] : 0.0;
        const bool is_early = w->is_first && w->now.visited[k] == RG_VISITED_NOT
                              && w->now.mode[k] * (w->values[k] - w->origin[k]) < -jump;
        if (is_other && fabs(w->values[k]) > depth(w, k)) w->now.visited[k] = RG_VISITED;
        if (is_early && !w->now.visited[k]) w->now.visited[k] = RG_VISITED_TOWARDS;
        if ((is_other || is_early) && w->now.visited[k]) w->now.seen[k] = t;
        if (!is_other && fabs(w->values[k]) > w->band[k]) w->now.pending[k] = 0;
    }
}

static int64_t find_hits(rg_watch *w)
{
    int64_t count = 0;

    for (int64_t k = 0; k < w->n_functions; k++) {
        w->hit[k] = has_changed(w, k);
        count += w->hit[k];
    }
    return count;
}

static int64_t first_hit(const rg_watch *w)
{
    return (const uint8_t *)memchr(w->hit, 1, (size_t)w->n_functions) - w->hit;
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

    if (w->is_along) rg_integrator_eval(w->g, t, w->y, w->yp);
    for (int64_t k = 0; k < w->n_functions; k++) {
        w->hit[k] = rg_watch_is_beyond(w, k) || has_changed(w, k);
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

/* How closely events of the last step are located, as a time. */
static double closeness(const rg_watch *w, double part)
{
    const rg_integrator *g = w->g;
    const double h = fabs(g->t - g->t_previous), rounding = 4.0 * DBL_EPSILON * fabs(g->t);

    return g->direction * fmax(part * h, fmin(rounding, RG_EVENT_END * RG_EVENT_END * h));
}

/* The first change up to `to`, and what changes with it: all values there. */
static rg_status find_change(rg_watch *w, double *left, double to, double *together)
{
    const double near = closeness(w, RG_EVENT_PART);
    double right = to;

    RG_TRY(rg_watch_locate(w, near, left, &right));
    w->found = right;
    *together = rg_watch_together(w, near, right);
    if (to != w->g->t && (to - *together) * near <= 0.0) *together = to;
    if (w->looked == *together) return RG_OK;
    w->n_looks++;
    return rg_watch_look(w, *together);
}

/* The step will be taken again to end at the event of the one function that has changed at `to`: it
 * need not be known as closely, unless that is near an end of the step. */
static bool is_guessed(rg_watch *w, int64_t n_hits, double left, double to)
{
    const rg_integrator *g = w->g;
    const double end = RG_EVENT_END * fabs(g->t - g->t_previous);

    if (n_hits != 1 || g->method->is_dense || w->retakes > 0 || g->taker != NULL || g->is_line
        || rg_conditions_is_timed(w->c, first_hit(w)))
        return false;
    w->found = rg_watch_guess(w, closeness(w, RG_EVENT_ROUGHLY), left, to);
    return fabs(w->found - g->t) > 2.0 * end && fabs(w->found - g->t_previous) > end;
}

/* The one function that has changed at `to`, if what it changes is no event: then it does not
 * matter when that was. */
static rg_status turn_quietly(rg_watch *w, double to, bool *is_quiet)
{
    const size_t bytes = (size_t)w->n_instances * sizeof *w->now.truth;
    const int64_t k = first_hit(w);
    const double mode = w->now.mode[k];
    const uint8_t pending = w->now.pending[k], visited = w->now.visited[k];
    bool is_event;

    *is_quiet = false;
    if (rg_conditions_mode(w->c, k, w->values[k]) == mode) return RG_OK;
    if (!w->is_along) rg_integrator_eval(w->g, to, w->y, w->yp);
    RG_TRY(turn(w, to, &is_event));
    *is_quiet = !is_event;
    if (*is_quiet) return RG_OK;
    memcpy(w->now.truth, w->before, bytes);
    w->now.mode[k] = mode;
    w->now.pending[k] = pending;
    w->now.visited[k] = visited;
    return RG_OK;
}

/* From one place without a change to the next, with the values there (NULL: not known): all
 * changes, or those up to the first event. */
static rg_status go_on(rg_watch *w, double *left, double to, const double *there, bool *is_event)
{
    *is_event = false;
    for (int k = 0; k < RG_CROSSINGS_BETWEEN && !*is_event; k++) {
        double together;
        if (there != NULL && k == 0)
            memcpy(w->values, there, (size_t)w->n_functions * sizeof *there);
        else
            RG_TRY(rg_watch_look(w, to));
        const int64_t n_hits = find_hits(w);
        if (n_hits == 0) break;
        if (is_unresolved(w)) return unresolved(w, w->g->t_previous);
        bool is_quiet = false;
        *left = left_of_hits(w, *left);
        together = to;
        const bool is_guess = is_guessed(w, n_hits, *left, to);
        if (n_hits == 1 && !is_guess && w->retakes == 0) RG_TRY(turn_quietly(w, to, &is_quiet));
        if (is_quiet) break;
        if (!is_guess) RG_TRY(find_change(w, left, to, &together));
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

/* Does the parabola through three values have a minimum in its first or second interval?  D: their
 * differences, r: the ratio of the second interval to the first.  Its slopes at the ends, up to
 * positive factors. */
static bool has_minimum(bool in_first, double D1, double D2, double r)
{
    if (in_first) return D1 * r * (2.0 + r) < D2 && D1 * r * r + D2 > 0.0;
    return D1 * r * r + D2 < 0.0 && D2 * (1.0 + 2.0 * r) > D1 * r * r;
}

/* A function with one sign at both ends of (t[1], t[2]) that may have another between them: its
 * minimum there, NaN: none.  has: which of the four samples there are. */
static double find_dip(const rg_watch *w, const double *t, const bool *has)
{
    const double r[] = {(t[2] - t[1]) / (t[1] - t[0]), (t[3] - t[2]) / (t[2] - t[1])};
    double best = RG_LOCATE_LOW, found = NAN;

    for (int64_t k = 0; k < w->n_functions; k++) {
        const double v[] = {w->around[0][k], w->around[1][k], w->around[2][k], w->around[3][k]};
        const double sign = v[1] > 0.0 ? 1.0 : -1.0;
        if (!(v[1] * v[2] > 0.0)) continue;
        for (int i = 0; i < 2; i++) {
            double value;
            if (!has[i == 0 ? 0 : 3]
                || !has_minimum(i == 1, sign * (v[i + 1] - v[i]), sign * (v[i + 2] - v[i + 1]),
                                r[i])
                || rg_conditions_is_whole(w->c, k))
                continue;
            const double at = extremum(t + i, v + i, &value);
            const bool is_inside = (at - t[1]) * (t[2] - at) > 0.0;
            const double part = sign * value / fmin(fabs(v[1]), fabs(v[2]));
            if (is_inside && part < best) {
                best = part;
                found = at;
            }
        }
    }
    return found;
}

/* Is a function of sample 1 not defined where these values are from? */
static bool is_left(const rg_watch *w, const double *values)
{
    bool is_any = false;

    for (int64_t k = 0; k < w->n_functions && !is_any; k++)
        is_any = !isnan(w->around[1][k]) && isnan(values[k]);
    return is_any;
}

/* From sample 1 to a place with these values.  A function that is not defined there, as the root of
 * what has become negative, has changed what it changes where it was defined last. */
static rg_status pass_to(rg_watch *w, double *left, double from, double to, const double *there,
                         bool *is_event)
{
    const double near = fabs(closeness(w, RG_EVENT_PART));
    double defined = from, beyond = is_left(w, there) ? to : from;

    while (fabs(beyond - defined) > near) {
        const double middle = defined + 0.5 * (beyond - defined);
        if (middle == defined || middle == beyond) break;
        RG_TRY(rg_watch_look(w, middle));
        *(is_left(w, w->values) ? &beyond : &defined) = middle;
    }
    if (defined != from) RG_TRY(go_on(w, left, defined, NULL, is_event));
    return *is_event ? RG_OK : go_on(w, left, to, there, is_event);
}

/* From sample 1 to sample 2, with a look at minima between them. */
static rg_status pass_interval(rg_watch *w, double *left, double *t, bool *has, bool *is_event)
{
    const size_t bytes = (size_t)w->n_functions * sizeof *w->values;

    for (int k = 0; k < RG_EVENT_DIPS && !*is_event; k++) {
        const double at = find_dip(w, t, has);
        if (isnan(at) || at == *left || at == t[2]) break;
        RG_TRY(rg_watch_look(w, at));
        double *low = w->around[0];
        memcpy(low, w->values, bytes);
        RG_TRY(pass_to(w, left, t[1], at, low, is_event));
        w->around[0] = w->around[1];
        w->around[1] = low;
        t[0] = t[1];
        t[1] = at;
        has[0] = true;
    }
    return *is_event ? RG_OK : pass_to(w, left, t[1], t[2], w->around[2], is_event);
}

/* A step that is taken again to end at an event was looked through before: a few samples do, unless
 * a function is near its edge. */
static bool is_known(const rg_watch *w)
{
    return w->retakes > 0 && !w->is_first
           && memchr(w->now.pending, 1, (size_t)w->n_functions) == NULL;
}

static double sample_at(const rg_watch *w, bool is_few, int k)
{
    const double t0 = w->g->t_previous, h = w->g->t - t0;

    if (is_few) return k == FEW - 1 ? w->g->t : t0 + h * again[k];
    return k == SAMPLES - 1 ? w->g->t : t0 + h * (k < 0 ? early[k + EARLY] : sample[k]);
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

static rg_status take_sample(rg_watch *w, double at, double *t, int place)
{
    t[place] = at;
    RG_TRY(rg_watch_look(w, at));
    memcpy(w->around[place], w->values, (size_t)w->n_functions * sizeof *w->values);
    return RG_OK;
}

/* Functions that are straight lines up to the last of the early places, by less than half of their
 * slopes, do not come back before it. */
static bool starts_straight(const rg_watch *w)
{
    const int64_t n = w->n_functions;

    for (int64_t k = 0; k < n && w->is_along; k++) {
        double bend = 0.0, power = 1.0;
        for (int i = 2; i <= w->g->degree; i++) {
            power *= early[EARLY - 1];
            bend += i * power * fabs(w->along[i * n + k]);
        }
        if (!(2.0 * bend <= fabs(w->along[n + k]))) return false;
    }
    return w->is_along;
}

/* The number of the first sample: negative ones are early. */
static int first_sample(const rg_watch *w)
{
    if (!w->is_first) return 0;
    return starts_straight(w) ? -1 : -EARLY;
}

/* Four samples in a row: the interval between the second and the third is passed. */
rg_status rg_watch_step(rg_watch *w, bool *is_event)
{
    const bool is_few = is_known(w);
    const int n = is_few ? FEW : SAMPLES;
    double left = w->g->t_previous, t[4] = {left, left, left, left};

    *is_event = false;
    if (w->n_functions == 0) return RG_OK;
    w->n_points = w->next_point = 0;
    RG_TRY(find_along(w));
    const int first = first_sample(w);
    RG_TRY(take_sample(w, left, t, 1));
    RG_TRY(take_sample(w, sample_at(w, is_few, first), t, 2));
    for (int k = first; k < n && !*is_event; k++) {
        bool has[4] = {k > first, true, true, k + 1 < n};
        if (has[3]) RG_TRY(take_sample(w, sample_at(w, is_few, k + 1), t, 3));
        if (t[2] != left) RG_TRY(pass_interval(w, &left, t, has, is_event));
        shift(w, t);
    }
    return RG_OK;
}

rg_status rg_watch_join(rg_watch *w)
{
    const double t = w->g->t;
    bool is_event;

    if (w->n_functions == 0) return RG_OK;
    memset(w->hit, 0, (size_t)w->n_functions);
    w->is_halved = false;
    const double last = rg_watch_together(w, closeness(w, RG_EVENT_PART), t);
    if (last == t) return RG_OK;
    RG_TRY(rg_watch_look(w, last));
    return find_hits(w) > 0 ? turn(w, last, &is_event) : RG_OK;
}

rg_status rg_watch_is_joined(rg_watch *w, bool *is_joined)
{
    *is_joined = true;
    RG_TRY(rg_watch_look(w, w->g->t));
    for (int64_t k = 0; k < w->n_functions && *is_joined; k++)
        *is_joined = !w->hit[k] || fabs(w->values[k]) <= RG_EVENT_TOGETHER * w->band[k];
    return RG_OK;
}

rg_status rg_watch_beyond(rg_watch *w, double end, bool *is_event)
{
    const double sign = w->g->direction;
    double left = w->g->t, to = left + RG_EVENT_BEYOND * (left - w->g->t_previous);

    *is_event = false;
    if (sign * to > sign * end) to = end;
    if (w->n_functions == 0 || to == left) return RG_OK;
    return go_on(w, &left, to, NULL, is_event);
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
    const double h = RG_EVENTS_RESTART * fabs(w->step), rate = h > 0.0 ? 1.0 / h : 0.0;
    double *sizes = w->band;

    if (!is_start) rg_conditions_concerned(w->c, w->kept, w->hit);
    if (w->n_functions > 0) {
        const rg_status status =
            rg_conditions_sizes(w->c, t, w->y, w->yp, w->unit, rate, sizes, w->noise);
        if (status < 0) return status;
    }
    RG_TRY(rg_conditions_values(w->c, t, w->y, w->yp, w->values));
    for (int64_t k = 0; k < w->n_functions; k++) {
        w->noise[k] = isfinite(w->noise[k]) ? RG_EVENT_ROUNDING * DBL_EPSILON * w->noise[k] : 0.0;
        w->band[k] = isfinite(sizes[k]) ? sizes[k] * o->rtol : 0.0;
        if (w->algebraic[k] || w->has_rates[k])
            w->noise[k] = w->band[k]; /* met to the tolerance, not to rounding */
        w->origin[k] = w->values[k];
        const bool is_near = w->band[k] > 0.0 && fabs(w->values[k]) <= w->band[k];
        w->now.pending[k] = is_near;
        w->now.visited[k] = 0;
        if (!stays(w, k, is_near, is_start))
            w->now.mode[k] = rg_conditions_mode(w->c, k, w->values[k]);
    }
    return RG_OK;
}
