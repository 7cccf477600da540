/* Steps with held branches, up to the end of a branch. */
#include "ivp/switching/switching.h"
#include "ivp/switching/tuning.h"
#include "ivp/tuning.h"
#include "views/tuning.h"

#include <math.h>
#include <string.h>

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

void rg_switching_take_stats(rg_stats *to, const rg_stats *now, const rg_stats *old)
{
    to->steps += now->steps - old->steps;
    to->rejected += now->rejected - old->rejected;
    to->evaluations += now->evaluations - old->evaluations;
    to->jacobians += now->jacobians - old->jacobians;
    to->factorizations += now->factorizations - old->factorizations;
}

/* The step of `taker` goes to the sink, which may ask for rows in it: whoever took the step
 * answers, with the branches that are held. */
rg_status rg_switching_hand_out(rg_switching *s, rg_integrator *taker, rg_step_sink *sink,
                                void *user)
{
    rg_integrator *g = s->g;
    const bool is_other = taker != g;
    const rg_stats before = taker->stats;

    s->giver = taker;
    if (sink == NULL) return RG_OK;
    g->taker = is_other ? taker : NULL;
    const rg_status status = sink(g, user);
    if (is_other) rg_switching_take_stats(&g->stats, &taker->stats, &before);
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
rg_status rg_switching_hand_out_before(rg_switching *s, rg_integrator *taker, rg_step_sink *sink,
                                       void *user)
{
    s->g->is_at_switch = true;
    exchange(s);
    const rg_status status = rg_switching_hand_out(s, taker, sink, user);
    exchange(s);
    s->g->is_at_switch = false;
    return status;
}

typedef struct {
    double t, *y, *yp;
} wanted;

static rg_status give_row(const rg_integrator *g, void *user)
{
    const wanted *w = user;

    return rg_integrator_row((rg_integrator *)g, w->t, w->y, w->yp);
}

rg_status rg_switching_row(rg_switching *s, double t, double *y, double *yp)
{
    wanted w = {t, y, yp};

    if (s->giver == NULL) return rg_integrator_row(s->g, t, y, yp);
    return s->h_behind > 0.0 ? rg_switching_hand_out_before(s, s->giver, give_row, &w)
                             : rg_switching_hand_out(s, s->giver, give_row, &w);
}

rg_status rg_switching_set_end(rg_switching *s)
{
    s->n_times = s->next_time = 0;
    const rg_status status = rg_switching_find_times(s);
    rg_switching_hold(s);
    return status;
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
    if (!s->g->method->holds_branches) return RG_OK;
    rg_events_destroy(&s->events);
    const rg_status status = rg_switching_begin(s, false);
    return status == (rg_status)RG_RETRY ? RG_OK : status;
}

/* No step is possible up to the end of a branch behind which the equations have no values, as at a
 * sqrt(max(x, 0)) that goes to zero: steps that lead behind it show where it is. */
static rg_status step_joined(rg_switching *s, rg_integrator *a, rg_status status)
{
    const rg_error error = *rg_last_error(s->ctx);
    const rg_state from = {s->before.t, s->before.y, s->before.yp};

    if (status != RG_ERR_CONVERGENCE || s->joined != NULL || a != s->g) return status;
    rg_clear_error(s->ctx);
    rg_system_join(a->work, true);
    RG_TRY(rg_integrator_restart(a, &from, fabs(s->step)));
    const rg_status joined = rg_integrator_step(a);
    s->joined = joined == RG_OK ? a : NULL;
    if (joined == RG_OK) return RG_OK;
    rg_system_join(a->work, false);
    return joined == RG_ERR_CONVERGENCE ? rg_fail_again(s->ctx, &error) : joined;
}

/* A step; where values are not defined again and again, or no step is possible, perhaps another
 * branch.  *is_saved: there is none, but the run can go on. */
static rg_status step_plain(rg_switching *s, rg_integrator *a, bool *is_saved)
{
    rg_radau none = {0}, *const r = a->method->is_radau ? rg_radau_of(a) : &none;

    *is_saved = false;
    r->patience = s->t_stop == a->t ? 0 : RG_SWITCH_PATIENCE;
    rg_status status = rg_integrator_step(a);
    const bool is_impatient = r->patience > 0 && r->cause == RADAU_VALUES;
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

static rg_status step_or_rescue(rg_switching *s, rg_integrator *a, bool *is_saved)
{
    return step_joined(s, a, step_plain(s, a, is_saved));
}

/* The same; again with a shorter step as long as the ends of branches could be missed in it. */
static rg_status step_resolved(rg_switching *s, rg_integrator *a, bool *is_saved)
{
    const rg_state from = {s->before.t, s->before.y, s->before.yp};
    double part, h;

    for (int k = 0;; k++) {
        RG_TRY(step_or_rescue(s, a, is_saved));
        if (*is_saved || !a->method->holds_branches) return RG_OK;
        RG_TRY(rg_switching_resolve(s, &part));
        h = fabs(a->t - a->t_previous);
        if (part >= RG_SWITCH_RESOLVED || k == RG_SWITCH_SHORTER) break;
        RG_TRY(rg_integrator_restart(a, &from, fmax(part, RG_SWITCH_SHORTEST) * h));
        a->stats.steps--;
        a->stats.rejected++;
    }
    if (!a->method->is_radau) return RG_OK;
    rg_radau *r = rg_radau_of(a);
    r->h_wanted = a->direction * fmin(fabs(r->h_wanted), part * h);
    return RG_OK;
}

static rg_status fail_slow(const rg_switching *s, double t)
{
    rg_fail(s->ctx, RG_ERR_CONVERGENCE,
            "at t = %.10g the run hardly gets on: its steps stay short near a switch", t);
    rg_fail_time(s->ctx, t);
    return rg_remedy(s->ctx, "take --method radau, or smooth the switch, for example tanh(x/1e-3) "
                             "for sign(x), with --h_max");
}

/* A run that hardly gets on may have come to rest, which methods but Radau IIA do not see. */
static rg_status look_after(rg_switching *s, const rg_integrator *a, double t_end, bool *is_saved)
{
    const double part = rg_progress_note(&s->progress, a, s->step, t_end);

    if (part > RG_SWITCH_SLOW) return RG_OK;
    RG_TRY(rg_switching_rescue(s, false, is_saved));
    return *is_saved || part > RG_EVENTS_STUCK_PART ? RG_OK : fail_slow(s, a->t);
}

/* The run stands at the time of a switch: have other branches ended on the way, the first one at t,
 * so shortly before and by so little that their functions count as zero here? */
static rg_status ends_together(rg_switching *s, const rg_integrator *a, double t, bool *is_so)
{
    const double moment = sqrt(RG_SWITCH_AT_ZERO) * fabs(a->t - a->t_previous); /* of a parabola */
    const rg_status status = rg_switching_margins(s, a->t, a->y, a->yp, s->margins);

    *is_so = status == RG_OK && fabs(a->t - t) <= moment;
    for (int64_t c = 0; c < s->m && *is_so; c++) {
        const rg_switch *w = &s->switches[c];
        const double least = w->slides ? RG_LOCATE_NOISE_SLIDE : RG_SWITCH_AT_ZERO * s->sizes[c];
        *is_so = w->is_timed || s->margins[c] >= -least;
    }
    return status < 0 ? status : RG_OK;
}

/* A step of the integrator that is active, to `goal` at most; its work since `before` counts as the
 * run's. */
static rg_status advance(rg_switching *s, rg_integrator *a, double goal, const rg_stats *before,
                         bool *is_saved)
{
    rg_integrator *g = s->g;
    const double t_end = g->t_end;

    rg_switching_save(&s->before, a);
    RG_TRY(rg_integrator_set_end(a, goal));
    const rg_status status = step_resolved(s, a, is_saved);
    if (a != g) rg_switching_take_stats(&g->stats, &a->stats, before);
    g->t_end = t_end;
    if (status != RG_OK || *is_saved) return status;
    const double taken = a->t - s->before.t;
    if (a->t != goal || fabs(taken) > fabs(s->step)) s->step = taken;
    return RG_OK;
}

/* Does nothing change by more than the tolerance up to t, inside the step? */
static bool is_still(const rg_switching *s, const rg_integrator *a, double t)
{
    bool is_so = true;

    rg_integrator_eval(a, t, s->here.y, NULL);
    for (int64_t k = 0; k < a->n && is_so; k++) {
        const double y = s->before.y[k];
        is_so = fabs(s->here.y[k] - y) <= rg_integrator_atol(a, k) + a->options.rtol * fabs(y);
    }
    return is_so;
}

/* A branch ended at t in the step: the run goes back to that time, unless it stands at the time of
 * a switch that is the same moment.  *is_once: no step is as short as that (multipliers are
 * differences divided by it), and it makes no difference. */
static rg_status go_to_switch(rg_switching *s, rg_integrator *a, double goal, double t,
                              int64_t *which, bool *is_there, bool *is_once)
{
    rg_integrator *g = s->g;
    const double t_end = g->t_end;
    const rg_stats old = a->stats;
    bool is_same = false;

    if (a->t == goal && goal != t_end) RG_TRY(ends_together(s, a, t, &is_same));
    if (is_same) return RG_OK;
    const bool may_leave_out = is_still(s, a, t);
    const rg_status status = rg_switching_approach(s, a, &t, which, goal, is_there);
    if (a != g) rg_switching_take_stats(&g->stats, &a->stats, &old);
    g->t_end = t_end;
    *is_once = status == RG_ERR_CONVERGENCE && may_leave_out;
    if (!*is_once) return status;
    rg_clear_error(s->ctx);
    return RG_OK;
}

/* The step is accepted and ends inside its branches, or at the end of the run. */
static rg_status end_step(rg_switching *s, rg_integrator *a, rg_step_sink *sink, void *user)
{
    const double t_end = s->g->t_end;
    const bool ends_there = s->n_times > 0 && s->times[s->n_times - 1] == t_end;

    if (a == s->g && a->t == t_end && ends_there) return rg_switching_end_branches(s, sink, user);
    RG_TRY(rg_switching_check_redundant(s, a));
    RG_TRY(rg_switching_hand_out(s, a, sink, user));
    return rg_integrator_set_end(a, t_end);
}

/* The run rests.  *is_there: so it did for this step. */
static rg_status step_at_rest(rg_switching *s, double goal, bool *is_there, rg_step_sink *sink,
                              void *user)
{
    rg_integrator *g = s->g;

    RG_TRY(rg_switching_rest(s, goal, is_there));
    if (!*is_there) return RG_OK;
    if (g->t != goal || goal == g->t_end) return rg_switching_hand_out(s, g, sink, user);
    s->h_rest = 0.0;
    return rg_switching_cross(s, -1, true, g->t_end, sink, user);
}

rg_status rg_switching_step(rg_switching *s, rg_step_sink *sink, void *user)
{
    if (s->h_behind > 0.0) RG_TRY(rg_switching_go_on(s)); /* the sink stopped before */

    rg_integrator *g = s->g, *a = rg_switching_active(s);
    const double t_end = g->t_end, goal = next_end(s, t_end);
    const rg_stats before = a->stats;
    double t;
    int64_t which;
    bool is_there = s->h_rest > 0.0, is_saved = false;

    if (!a->method->holds_branches) return step_beside(s, sink, user);
    if (is_there) {
        const rg_status rested = step_at_rest(s, goal, &is_there, sink, user);
        if (rested != RG_OK || is_there) return rested;
    }
    if (!a->method->is_radau) RG_TRY(look_after(s, a, t_end, &is_saved));
    if (!is_saved) RG_TRY(advance(s, a, goal, &before, &is_saved));
    if (is_saved) return rg_integrator_set_end(rg_switching_active(s), t_end);
    RG_TRY(rg_switching_find(s, &t, &which));
    RG_TRY(rg_switching_graze(s, t, which));
    const rg_state from = {s->before.t, s->before.y, s->before.yp};
    if (which >= 0 && !a->method->holds_branches) /* again, by step_beside() */
        return rg_integrator_restart(a, &from, s->step);
    bool is_once = which >= 0 && fabs(t - from.t) <= RG_SAME_MOMENT * fabs(s->step);
    is_there = true;
    if (which >= 0 && !is_once) RG_TRY(go_to_switch(s, a, goal, t, &which, &is_there, &is_once));
    if (is_once) {
        RG_TRY(rg_integrator_restart(a, &from, 0.0));
        if (a != g) RG_TRY(rg_integrator_restart(g, &from, 0.0));
        return rg_switching_cross(s, which, false, t_end, sink, user);
    }
    RG_TRY(rg_switching_note_levels(s));
    for (int64_t c = 0; c < s->m; c++)
        s->switches[c].is_fresh = false;
    if (which < 0 || is_there) s->misses = 0;
    s->t_stop = NAN;
    RG_TRY(copy_step(s));
    const bool is_timed = a->t == goal && goal != t_end; /* whatever else was seen and is none */
    const bool has_ended = which >= 0 && is_there && a->t != t_end;
    if (has_ended || is_timed)
        return rg_switching_cross(s, has_ended ? which : -1, is_timed, t_end, sink, user);
    return end_step(s, a, sink, user);
}
