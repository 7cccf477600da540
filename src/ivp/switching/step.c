/* Steps with held branches; switches are located by true steps and passed. */
#include "ivp/switching/switching.h"

#include "base/pieces.h"
#include "base/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { POINTS = 14 };

/* ---- life ------------------------------------------------------------------------------------ */

static rg_status take_memory(rg_switching *s)
{
    const int64_t n = s->n, states = s->g->n + n + RG_LANES;
    const int64_t stages = RADAU_TRIAL_STAGES * states;

    RG_TRY(RG_TAKE(s->ctx, &s->memory, RG_PIECE(s->switches, n), RG_PIECE(s->old, n),
                   RG_PIECE(s->taken, 2 * states), RG_PIECE(s->class_of, n), RG_PIECE(s->sign, n),
                   RG_PIECE(s->slides, n), RG_PIECE(s->branch, n), RG_PIECE(s->values, n),
                   RG_PIECE(s->sizes, n), RG_PIECE(s->margins, n), RG_PIECE(s->samples, POINTS * n),
                   RG_PIECE(s->Y, stages), RG_PIECE(s->Yp, stages), RG_PIECE(s->before.y, states),
                   RG_PIECE(s->before.yp, states), RG_PIECE(s->here.y, states),
                   RG_PIECE(s->here.yp, states), RG_PIECE(s->behind.y, states),
                   RG_PIECE(s->behind.yp, states)));
    s->g->taken = s->taken;
    return RG_OK;
}

void rg_switching_save(rg_switch_point *to, const rg_integrator *a)
{
    to->t = a->t;
    memcpy(to->y, a->y, (size_t)a->n * sizeof *a->y);
    memcpy(to->yp, a->yp, (size_t)a->n * sizeof *a->yp);
}

/* The branches of the start: by the values, and where those are zero, or the values are none of the
 * equations, by a trial step. */
static rg_status begin(rg_switching *s, bool is_open)
{
    rg_integrator *g = s->g;
    bool is_in_doubt = is_open;

    rg_system_hold(g->system, g->work, NULL);
    rg_status status = rg_system_switch_values(g->system, g->work, g->t, g->y, g->yp, s->values);
    if (status != RG_OK) return status;
    for (int64_t c = 0; c < s->m; c++) {
        rg_switch *w = &s->switches[c];
        w->branch = rg_system_switch_mode(g->system, w->function, s->values[w->function]);
        if (w->branch == 0.0 && !w->is_whole) w->branch = 1.0;
        w->largest = fabs(s->values[w->function]);
    }
    rg_switching_hold(s);
    RG_TRY(rg_switching_sizes(s, g->t, g->y, g->yp));
    for (int64_t c = 0; c < s->m; c++) {
        const double v = rg_switching_value(s, c);
        const double edge = s->switches[c].is_whole ? v - round(v) : v;
        is_in_doubt = is_in_doubt || fabs(edge) <= RG_SWITCH_AT_ZERO * s->sizes[c];
    }
    if (!is_in_doubt) return RG_OK;
    rg_switching_save(&s->here, g);
    return rg_switching_pass(s, NULL, RG_SWITCH_START);
}

static bool has_jumped(const rg_switching *s)
{
    for (int64_t k = 0; k < s->g->n; k++)
        if (fabs(s->behind.y[k] - s->here.y[k])
            > RG_SWITCH_IS_JUMP * (fabs(s->here.y[k]) + s->unit))
            return true;
    return false;
}

/* The start, or the point behind a switch. */
rg_status rg_switching_restart(rg_switching *s, double h)
{
    rg_integrator *a = rg_switching_active(s);
    const rg_state from = {s->behind.t, s->behind.y, s->behind.yp};

    RG_TRY(rg_integrator_restart(s->g, &from, h));
    return a != s->g ? rg_integrator_restart(a, &from, h) : RG_OK;
}

static rg_status make(rg_integrator *g, rg_switching **out)
{
    rg_switching *s = *out = rg_alloc(g->ctx, 1, sizeof *s);

    if (s == NULL) return RG_ERR_MEMORY;
    s->ctx = g->ctx;
    s->g = g;
    s->n = rg_system_switch_count(g->system);
    s->t_stop = s->t_saved = NAN;
    s->unit = g->options.atol > 0.0 ? g->options.atol / g->options.rtol : 1e-3;
    for (size_t k = 0; k < sizeof s->last / sizeof *s->last; k++)
        s->last[k] = NAN;
    RG_TRY(take_memory(s));
    RG_TRY(rg_switching_join(s));
    return rg_switching_find_times(s);
}

rg_status rg_switching_create(rg_integrator *g, rg_switching **out)
{
    *out = NULL;
    if (g->method != &rg_radau_method || !rg_system_can_hold(g->system)) return RG_OK;
    rg_switching *s = NULL;
    rg_status status = make(g, &s);
    if (status == RG_OK) status = begin(s, false);
    if (status == RG_OK && s->trial != NULL && (s->is_sliding || has_jumped(s)))
        status = rg_switching_restart(s, 0.0);
    if (status == RG_ERR_CONVERGENCE && s->has_no_branch) {
        bool is_saved;
        const rg_status saved = rg_switching_rescue(s, false, &is_saved);
        if (saved != RG_OK || is_saved) status = saved;
    }
    if (status == (rg_status)RG_RETRY) status = RG_OK; /* the first step will tell */
    if (status == RG_OK)
        *out = s;
    else
        rg_switching_destroy(&s);
    return status;
}

rg_status rg_switching_open(rg_integrator *g, bool *is_found)
{
    rg_switching *s = NULL;
    const size_t bytes = (size_t)g->n * sizeof *g->y;

    *is_found = false;
    if (g->method != &rg_radau_method || !rg_system_can_hold(g->system)) return RG_OK;
    rg_status status = make(g, &s);
    if (status == RG_OK) status = begin(s, true);
    *is_found = status == RG_OK;
    if (*is_found) {
        memcpy(g->y, s->behind.y, bytes);
        memcpy(g->yp, s->behind.yp, bytes);
    }
    rg_switching_destroy(&s);
    return status == (rg_status)RG_RETRY ? RG_OK : status;
}

void rg_switching_destroy(rg_switching **switching)
{
    rg_switching *s = *switching;

    if (s == NULL) return;
    rg_system_hold(s->g->system, s->g->work, NULL);
    rg_events_destroy(&s->events);
    rg_integrator_destroy(&s->trial);
    rg_integrator_destroy(&s->slider);
    rg_system_destroy(&s->sliding);
    s->g->taker = NULL;
    s->g->taken = NULL;
    rg_free(s->ctx, s->memory);
    rg_free(s->ctx, s->times);
    rg_free(s->ctx, s);
    *switching = NULL;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* What the sliding integrator has done, in the run's. */
static rg_status copy_step(rg_switching *s)
{
    rg_integrator *g = s->g;
    const rg_integrator *x = s->slider;
    const size_t bytes = (size_t)g->n * sizeof *g->y;

    if (!s->is_sliding) return RG_OK;
    g->t = x->t;
    g->t_previous = x->t_previous;
    memcpy(g->y, x->y, bytes);
    memcpy(g->yp, x->yp, bytes);
    RG_TRY(rg_integrator_set_degree(g, x->degree));
    for (int k = 0; k <= x->degree; k++)
        memcpy(g->polynomial + k * g->n, x->polynomial + k * x->n, bytes);
    return RG_OK;
}

static void take_stats(rg_stats *to, const rg_stats *now, const rg_stats *old)
{
    to->steps += now->steps - old->steps;
    to->rejected += now->rejected - old->rejected;
    to->evaluations += now->evaluations - old->evaluations;
    to->jacobians += now->jacobians - old->jacobians;
    to->factorizations += now->factorizations - old->factorizations;
}

/* The step of `taker` goes to the sink, which may ask for rows in it: whoever took the step
 * answers, with the branches that are held. */
static rg_status hand_out(rg_switching *s, rg_integrator *taker, rg_step_sink *sink, void *user)
{
    rg_integrator *g = s->g;
    const bool is_other = taker != g;
    const rg_stats before = taker->stats;

    if (sink == NULL) return RG_OK;
    g->taker = is_other ? taker : NULL;
    const rg_status status = sink(g, user);
    if (is_other) take_stats(&g->stats, &taker->stats, &before);
    g->taker = NULL;
    g->is_line = false;
    return status;
}

static void exchange(rg_switching *s)
{
    for (int64_t c = 0; c < s->m; c++) {
        const rg_switch w = s->switches[c];
        s->switches[c] = s->old[c];
        s->old[c] = w;
    }
    rg_switching_hold(s);
}

/* The same behind a switch: rows in the step belong to the branches before it, its end to those
 * behind. */
static rg_status hand_out_before(rg_switching *s, rg_integrator *taker, rg_step_sink *sink,
                                 void *user)
{
    s->g->is_at_switch = true;
    exchange(s);
    const rg_status status = hand_out(s, taker, sink, user);
    exchange(s);
    s->g->is_at_switch = false;
    return status;
}

/* The step again, from where it began up to t. */
static rg_status retake(rg_switching *s, rg_integrator *a, double t)
{
    const rg_state before = {s->before.t, s->before.y, s->before.yp};

    RG_TRY(rg_integrator_restart(a, &before, fabs(t - s->before.t)));
    a->stats.steps--;
    a->stats.rejected++;
    RG_TRY(rg_integrator_set_end(a, t));
    return rg_integrator_step(a);
}

static rg_status margin_here(rg_switching *s, const rg_integrator *a, int64_t c, double *g)
{
    RG_TRY(rg_switching_margins(s, a->t, a->y, a->yp, s->margins));
    *g = s->margins[c];
    RG_TRY(rg_switching_sizes(s, a->t, a->y, a->yp));
    return RG_OK;
}

/* dg/dt at the end of the step, from its polynomial. */
static double slope(rg_switching *s, const rg_integrator *a, int64_t c, double g)
{
    const double d = 1e-4 * (a->t - a->t_previous);

    rg_integrator_eval(a, a->t - d, s->here.y, s->here.yp);
    if (rg_switching_margins(s, a->t - d, s->here.y, s->here.yp, s->margins) != RG_OK) return NAN;
    return (g - s->margins[c]) / d;
}

/* True steps up to the zero of margin c, at t by the polynomial: the integrator stands there in the
 * end.  *is_there false: it stopped before, or another branch ends first. */
static rg_status approach(rg_switching *s, rg_integrator *a, double *t, int64_t *c, double t_limit,
                          bool *is_there)
{
    double t_old = NAN, g_old = NAN, best = INFINITY;

    *is_there = true;
    for (int k = 0; k < RG_SWITCH_CORRECTIONS; k++) {
        double g, earlier;
        int64_t other;
        RG_TRY(retake(s, a, *t));
        if (a->t != *t) {
            *is_there = false;
            return RG_OK;
        }
        RG_TRY(rg_switching_find(s, &earlier, &other));
        if (other >= 0 && other != *c
            && fabs(earlier - s->before.t) < fabs(*t - s->before.t) * (1.0 - 1e-9)) {
            *c = other;
            *t = earlier;
            t_old = g_old = NAN;
            best = INFINITY;
            continue;
        }
        RG_TRY(margin_here(s, a, *c, &g));
        const double size = s->switches[*c].slides ? 1e3 : s->sizes[*c];
        if (fabs(g) <= RG_SWITCH_LOCATED * size || (k > 1 && !(fabs(g) < RG_NOT_HALVED * best)))
            return RG_OK;
        best = fmin(best, fabs(g));
        double dg = (g - g_old) / (*t - t_old);
        if (!(fabs(dg) > 0.0)) dg = slope(s, a, *c, g);
        double move = -g / dg;
        if (!isfinite(move)) return RG_OK;
        const double h = *t - s->before.t;
        move = copysign(fmin(fabs(move), RG_SWITCH_MOVE * fabs(h)), move);
        double next = *t + move;
        if ((next - s->before.t) * s->g->direction <= 0.0) next = s->before.t + 0.1 * h;
        if ((next - t_limit) * s->g->direction > 0.0) next = t_limit;
        if (fabs(next - *t) <= 2.0 * DBL_EPSILON * fabs(*t)) return RG_OK;
        t_old = *t;
        g_old = g;
        *t = next;
    }
    return RG_OK;
}

/* Which branches end here?  Those of time whose function is zero, and the one that was located. */
static void mark(rg_switching *s, int64_t which, bool is_timed, uint8_t *crossing)
{
    for (int64_t c = 0; c < s->m; c++) {
        const rg_switch *w = &s->switches[c];
        const double v = rg_switching_value(s, c);
        const double edge = w->is_whole ? v - round(v) : v;
        const bool is_zero =
            fabs(edge)
            <= RG_SWITCH_TIMED * fmax(s->sizes[c], RG_SWITCH_TIMED_PART * fabs(s->here.t));
        crossing[c] = c == which || (is_timed && w->is_timed && is_zero);
    }
}

/* Remembers the switch.  Many in a moment: they accumulate; `crossing` are all of those then. */
static bool note_switch(rg_switching *s, uint8_t *crossing)
{
    const int64_t at = s->count % RG_SWITCH_MANY;
    const double moment = RG_SWITCH_MOMENT * fabs(s->g->t_end - s->g->t_start);
    bool is_any = false;

    const bool is_together = fabs(s->here.t - s->last[at]) <= moment;
    s->last[at] = s->here.t;
    s->last_switch[at] = -1;
    for (int64_t c = 0; c < s->m; c++)
        if (crossing[c]) s->last_switch[at] = c;
    for (int k = 0; k < RG_SWITCH_MANY && is_together; k++) {
        const int64_t c = s->last_switch[k];
        if (c < 0 || s->switches[c].slide < 0) continue;
        crossing[c] = 1;
        is_any = true;
    }
    return is_together && is_any;
}

/* The run stands at the end of branches: others from here on. */
static rg_status cross(rg_switching *s, int64_t which, bool is_timed, double t_end,
                       rg_step_sink *sink, void *user)
{
    rg_integrator *g = s->g, *a = rg_switching_active(s);
    uint8_t *crossing = rg_alloc(s->ctx, (size_t)s->m + 1, 1);
    const rg_stats before = s->trial != NULL ? s->trial->stats : (rg_stats){0};
    const bool has_step = a->t != a->t_previous;

    if (crossing == NULL) return RG_ERR_MEMORY;
    rg_switching_save(&s->here, a);
    memcpy(s->old, s->switches, (size_t)s->m * sizeof *s->old);
    rg_status status = rg_switching_sizes(s, a->t, a->y, a->yp);
    if (status == RG_OK) {
        mark(s, which, is_timed, crossing);
        s->count++;
        rg_log(s->ctx, 2, "switch at t = %.10g", s->here.t);
        const bool is_together = note_switch(s, crossing);
        status = rg_switching_pass(s, crossing, is_together ? RG_SWITCH_TOGETHER : RG_SWITCH_CROSS);
        if (s->trial != NULL) take_stats(&g->stats, &s->trial->stats, &before);
    }
    rg_free(s->ctx, crossing);
    if (status != RG_OK) {
        bool is_saved = false;
        const rg_status given = has_step ? hand_out_before(s, a, sink, user) : RG_OK;
        if (status == RG_ERR_CONVERGENCE && s->has_no_branch && given == RG_OK)
            RG_TRY(rg_switching_rescue(s, false, &is_saved));
        if (is_saved) return rg_integrator_set_end(g, t_end);
        return status < 0 || given == RG_OK ? status : given;
    }
    double h = (has_jumped(s) ? RG_SWITCH_JUMP_STEP : RG_SWITCH_KINK_STEP) * fabs(s->step);
    if (g->first_part > 0.0) h *= g->first_part;
    rg_integrator_note_switch(g, s->here.t);
    memcpy(g->y, s->behind.y, (size_t)g->n * sizeof *g->y);
    memcpy(g->yp, s->behind.yp, (size_t)g->n * sizeof *g->yp);
    if (has_step) RG_TRY(hand_out_before(s, a, sink, user));
    RG_TRY(rg_switching_restart(s, h));
    RG_TRY(rg_integrator_set_end(g, t_end));
    return s->is_sliding ? rg_integrator_set_end(s->slider, t_end) : RG_OK;
}

/* Branches that end where the run does: like every value at the time of a switch, the last one is
 * that behind it.  Where nothing is defined behind the end, it stays. */
static rg_status end_branches(rg_switching *s, rg_step_sink *sink, void *user)
{
    rg_integrator *g = s->g;
    uint8_t *crossing = rg_alloc(s->ctx, (size_t)s->m + 1, 1);
    bool is_any = false, has_changed = false;

    if (crossing == NULL) return RG_ERR_MEMORY;
    rg_switching_save(&s->here, g);
    memcpy(s->old, s->switches, (size_t)s->m * sizeof *s->old);
    rg_status status = rg_switching_sizes(s, g->t, g->y, g->yp);
    if (status == RG_OK) mark(s, -1, true, crossing);
    for (int64_t c = 0; c < s->m; c++)
        is_any = is_any || crossing[c];
    if (status == RG_OK && is_any) status = rg_switching_pass(s, crossing, RG_SWITCH_CROSS);
    rg_free(s->ctx, crossing);
    if (status == RG_ERR_MEMORY || status == RG_ERR_INTERRUPTED) return status;
    for (int64_t c = 0; c < s->m && status == RG_OK && is_any; c++)
        has_changed = has_changed || s->switches[c].branch != s->old[c].branch;
    if (status < 0) rg_clear_error(s->ctx);
    if (has_changed) {
        memcpy(g->y, s->behind.y, (size_t)g->n * sizeof *g->y);
        memcpy(g->yp, s->behind.yp, (size_t)g->n * sizeof *g->yp);
    } else {
        memcpy(s->switches, s->old, (size_t)s->m * sizeof *s->old);
        rg_switching_hold(s);
    }
    return hand_out_before(s, g, sink, user);
}

static double next_end(rg_switching *s, double t_end)
{
    const rg_integrator *g = s->g;

    while (s->next_time < s->n_times && (s->times[s->next_time] - g->t) * g->direction <= 0.0)
        s->next_time++;
    if (s->next_time == s->n_times) return t_end;
    const double t = s->times[s->next_time];
    return (t_end - t) * g->direction < 0.0 ? t_end : t;
}

/* Through singular positions the steps are those of another method on another form of the
 * equations, whose branches follow the values. */
static rg_status step_beside(rg_switching *s, rg_step_sink *sink, void *user)
{
    rg_system_hold(s->g->system, s->g->work, NULL);
    if (s->events == NULL) RG_TRY(rg_events_create(s->g, &s->events));
    RG_TRY(rg_events_step(s->events, sink, user));
    if (s->g->method != &rg_radau_method) return RG_OK;
    rg_events_destroy(&s->events);
    const rg_status status = begin(s, false);
    return status == (rg_status)RG_RETRY ? RG_OK : status;
}

/* A step; where values are not defined again and again, or no step is possible, perhaps another
 * branch.  *is_saved: there is none, but the run can go on. */
static rg_status step_or_rescue(rg_switching *s, rg_integrator *a, bool *is_saved)
{
    rg_radau *r = rg_radau_of(a);

    *is_saved = false;
    r->patience = s->t_stop == a->t ? 0 : RG_SWITCH_PATIENCE;
    rg_status status = rg_integrator_step(a);
    const bool is_impatient = r->patience > 0 && r->failures == r->patience;
    r->patience = 0;
    if (status != RG_ERR_CONVERGENCE) return status;
    const rg_status saved = rg_switching_rescue(s, true, is_saved);
    if (saved != RG_OK) return saved;
    if (*is_saved) return RG_OK;
    if (!is_impatient) return status;
    rg_clear_error(s->ctx);
    status = rg_integrator_step(a);
    if (status != RG_ERR_CONVERGENCE) return status;
    RG_TRY(rg_switching_rescue(s, true, is_saved));
    return *is_saved ? RG_OK : status;
}

rg_status rg_switching_step(rg_switching *s, rg_step_sink *sink, void *user)
{
    rg_integrator *g = s->g, *a = rg_switching_active(s);
    const double t_end = g->t_end, goal = next_end(s, t_end);
    const rg_stats before = a->stats;
    double t;
    int64_t which;
    bool is_there = true;

    if (a->method != &rg_radau_method) return step_beside(s, sink, user);
    if (s->h_rest > 0.0) {
        RG_TRY(rg_switching_rest(s, goal, &is_there));
        if (is_there && g->t == goal && goal != t_end) {
            s->h_rest = 0.0;
            return cross(s, -1, true, t_end, sink, user);
        }
        if (is_there) return hand_out(s, g, sink, user);
    }
    is_there = true;
    rg_switching_save(&s->before, a);
    RG_TRY(rg_integrator_set_end(a, goal));
    bool is_saved = false;
    rg_status status = step_or_rescue(s, a, &is_saved);
    if (a != g) take_stats(&g->stats, &a->stats, &before);
    g->t_end = t_end;
    if (status != RG_OK) return status;
    if (is_saved) return rg_integrator_set_end(rg_switching_active(s), t_end);
    s->step = a->t - s->before.t;
    RG_TRY(rg_switching_find(s, &t, &which));
    if (which >= 0 && a->method != &rg_radau_method) { /* again, by step_beside() */
        const rg_state from = {s->before.t, s->before.y, s->before.yp};
        return rg_integrator_restart(a, &from, s->step);
    }
    if (which >= 0 && fabs(t - s->before.t) <= RG_SWITCH_AT_START * fabs(s->step)) { /* at once */
        const rg_state from = {s->before.t, s->before.y, s->before.yp};
        RG_TRY(rg_integrator_restart(a, &from, 0.0));
        if (a != g) RG_TRY(rg_integrator_restart(g, &from, 0.0));
        return cross(s, which, false, t_end, sink, user);
    }
    if (which >= 0) {
        const rg_stats old = a->stats;
        status = approach(s, a, &t, &which, goal, &is_there);
        if (a != g) take_stats(&g->stats, &a->stats, &old);
        g->t_end = t_end;
        if (status != RG_OK) return status;
    }
    for (int64_t c = 0; c < s->m; c++)
        s->switches[c].is_fresh = false;
    s->t_stop = NAN;
    RG_TRY(copy_step(s));
    const bool is_timed = a->t == goal && goal != t_end;
    if (which >= 0 ? is_there && a->t != t_end : is_timed)
        return cross(s, which, is_timed, t_end, sink, user);
    const bool ends_there = s->n_times > 0 && s->times[s->n_times - 1] == t_end;
    if (a == g && g->t == t_end && ends_there) return end_branches(s, sink, user);
    RG_TRY(hand_out(s, a, sink, user));
    return rg_integrator_set_end(a, t_end);
}
