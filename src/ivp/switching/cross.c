/* A run stands at the end of branches: it goes on with others. */
#include "ivp/switching/switching.h"
#include "ivp/switching/tuning.h"
#include "ivp/tuning.h"
#include "views/tuning.h"

#include <math.h>
#include <string.h>

/* Which branches end here?  The one that was located, and those of time that are others from here
 * on; false: none. */
static bool mark(rg_switching *s, int64_t which, bool is_timed, uint8_t *crossing)
{
    bool is_any = false;

    if (is_timed) rg_switching_look_ahead(s, s->here.t);
    for (int64_t c = 0; c < s->m; c++) {
        const rg_switch *w = &s->switches[c];
        crossing[c] = c == which || (is_timed && w->is_timed && w->next != w->branch);
        is_any = is_any || crossing[c];
    }
    return is_any;
}

/* How far from zero all of those passed lately were since a switch that jumps was passed, in units
 * of their sizes; NaN: none of those passed here jumps. */
static double find_level(rg_switching *s, const uint8_t *crossing)
{
    bool has_jumped = false;
    double level = 0.0;

    s->nearest = INFINITY;

    for (int64_t c = 0; c < s->m; c++)
        has_jumped = has_jumped || (crossing[c] && s->switches[c].jumps);
    if (!has_jumped) return NAN; /* a kink changes nothing here */
    for (int k = 0; k < RG_SWITCH_MANY; k++) {
        const int64_t c = s->last_switch[k];
        if (isnan(s->last[k]) || c < 0 || !s->switches[c].jumps) continue;
        const bool is_other = s->switches[c].is_whole || s->switches[c].is_timed;
        const double now = is_other ? INFINITY : s->switches[c].recent / s->sizes[c];
        level = fmax(level, now);
        if (now > 0.0) s->nearest = fmin(s->nearest, now);
    }
    for (int64_t c = 0; c < s->m; c++)
        s->switches[c].recent = 0.0;
    return level;
}

double rg_switching_many(const rg_switching *s)
{
    double first = s->here.t;

    for (int k = 0; k < RG_SWITCH_MANY; k++)
        if (!isnan(s->last[k]) && (first - s->last[k]) * s->g->direction > 0.0) first = s->last[k];
    return fabs(s->here.t - first);
}

/* A spiral about the surface that becomes narrower for ever, or nearly: the last switches, which
 * all jump, are in a small part of the interval, within the tolerance, and half as far from zero
 * as when it was asked before. */
static bool has_decayed(rg_switching *s)
{
    const double interval = fabs(s->g->t_end - s->g->t_start);
    double most = rg_switching_many(s) <= RG_DECAY_TIME * interval ? 0.0 : INFINITY;

    for (int k = 0; k < RG_SWITCH_MANY; k++)
        most = fmax(most, isnan(s->last[k]) ? INFINITY : s->level[k]);
    const bool is_half =
        most <= fmin(RG_JUMP_TOLERANCES * s->g->options.rtol, RG_SWITCH_DECAYED * s->peak);
    if (is_half || !(most <= s->peak)) s->peak = most;
    return is_half;
}

/* Those that can slide and were passed lately, or are zero here, too; how many. */
static int64_t gather(const rg_switching *s, const uint8_t *crossing, uint8_t *together)
{
    int64_t count = 0;

    for (int64_t c = 0; c < s->m; c++) {
        const rg_switch *w = &s->switches[c];
        const double v = rg_switching_value(s, c), edge = w->is_whole ? v - round(v) : v;
        bool is_near = fabs(edge) <= RG_SWITCH_AT_ZERO * s->sizes[c];
        for (int k = 0; k < RG_SWITCH_MANY; k++)
            is_near = is_near || (!isnan(s->last[k]) && s->last_switch[k] == c);
        together[c] = crossing[c] || (w->slide >= 0 && is_near);
        count += together[c] && w->slide >= 0;
    }
    return count;
}

/* A switch is located behind zero, by the noise N of its margin.  A motion that gets as far as L
 * from zero between switches takes N/(4 L) of the time between them for that, and gains as much:
 * what does not come nearer to zero by half within L/N switches is kept going by this alone. */
static void note_level(rg_switching *s, double level)
{
    const double now = fmax(level, RG_SWITCH_MANY * RG_LOCATE_NOISE);
    const bool is_other =
        now <= RG_SWITCH_DECAYED * s->faint || !(RG_SWITCH_DECAYED * now <= s->faint);

    if (isnan(level)) return;
    s->chatter = is_other ? 0 : s->chatter + 1;
    if (is_other) s->faint = now;
}

static bool is_chatter(const rg_switching *s)
{
    return s->faint > 0.0 && (double)s->chatter >= s->faint / RG_LOCATE_NOISE;
}

/* Remembers the switch.  Many in a moment, or one after the other that only noise keeps from
 * zero: they accumulate. */
static bool note_switch(rg_switching *s, const uint8_t *crossing)
{
    const int64_t at = s->count % RG_SWITCH_MANY;
    const double moment = RG_SWITCH_MOMENT * fabs(s->g->t_end - s->g->t_start);

    const bool is_together = fabs(s->here.t - s->last[at]) <= moment;
    s->last[at] = s->here.t;
    s->last_switch[at] = -1;
    for (int64_t c = 0; c < s->m; c++) /* of several one that can slide */
        if (crossing[c] && (s->last_switch[at] < 0 || s->switches[c].slide >= 0))
            s->last_switch[at] = c;
    const double level = find_level(s, crossing);
    s->level[at] = isnan(level) ? INFINITY : level;
    note_level(s, level);
    return is_together || is_chatter(s);
}

/* Several switches follow each other, and one of them is no farther from zero than the noise of its
 * place: with x' = v that of x is the square of that of v, and v comes no nearer. */
static bool is_second_order(const rg_switching *s)
{
    bool is_full = s->nearest <= RG_SWITCH_MANY * RG_LOCATE_NOISE;

    for (int k = 0; k < RG_SWITCH_MANY; k++)
        is_full = is_full && !isnan(s->last[k]);
    return is_full;
}

/* RG_RETRY: not yet. */
static rg_status come_to_rest(rg_switching *s, const uint8_t *together, rg_switch_case why)
{
    const rg_status status = rg_switching_pass(s, together, why);

    if (status != RG_ERR_CONVERGENCE) return status;
    rg_clear_error(s->ctx);
    memcpy(s->switches, s->old, (size_t)s->m * sizeof *s->old);
    s->has_no_branch = false;
    rg_switching_hold(s);
    return (rg_status)RG_RETRY;
}

static rg_status pass(rg_switching *s, const uint8_t *crossing, uint8_t *together)
{
    s->count++;
    rg_log(s->ctx, 2, "switch at t = %.10g", s->here.t);
    const bool is_many = note_switch(s, crossing);
    const int64_t sliding = gather(s, crossing, together);
    const bool is_together = is_many && sliding > 0, is_decay = has_decayed(s) && sliding > 0;
    rg_status status = (rg_status)RG_RETRY;
    const bool is_noise = is_chatter(s);
    if (is_together)
        status = rg_switching_pass(s, together, is_noise ? RG_SWITCH_FORCED : RG_SWITCH_TOGETHER);
    else if (is_decay)
        status = come_to_rest(s, together, RG_SWITCH_DECAY);
    else if (is_second_order(s) && sliding > 1)
        status = come_to_rest(s, together, RG_SWITCH_FORCED);
    if (status != (rg_status)RG_RETRY) return status;
    status = rg_switching_pass(s, crossing, RG_SWITCH_CROSS);
    if ((!is_together && sliding < 2) || status != RG_ERR_CONVERGENCE) return status;
    /* they cannot be told apart any more, those of a fast spiral before they are many */
    const rg_error error = *rg_last_error(s->ctx);
    const bool has_no_branch = s->has_no_branch;
    rg_clear_error(s->ctx);
    memcpy(s->switches, s->old, (size_t)s->m * sizeof *s->old);
    status = rg_switching_pass(s, together, RG_SWITCH_FORCED);
    if (status == RG_ERR_CONVERGENCE) {
        rg_fail_again(s->ctx, &error);
        s->has_no_branch = has_no_branch;
    }
    return status;
}

/* A zero of a margin within the error of the step may be none: the old branches go on. */
static bool has_changed(const rg_switching *s)
{
    bool is_so = false;

    for (int64_t c = 0; c < s->m && !is_so; c++)
        is_so =
            s->switches[c].branch != s->old[c].branch || s->switches[c].slides != s->old[c].slides;
    return is_so;
}

rg_status rg_switching_go_on(rg_switching *s)
{
    const double h = s->h_behind, t_end = s->g->t_end;

    s->h_behind = 0.0;
    RG_TRY(rg_switching_restart(s, h));
    RG_TRY(rg_integrator_set_end(s->g, t_end));
    return s->is_sliding ? rg_integrator_set_end(s->slider, t_end) : RG_OK;
}

/* The run stands at the end of branches: others from here on. */
rg_status rg_switching_cross(rg_switching *s, int64_t which, bool is_timed, double t_end,
                             rg_step_sink *sink, void *user)
{
    rg_integrator *g = s->g, *a = rg_switching_active(s);
    uint8_t *crossing = rg_alloc(s->ctx, 2 * (size_t)s->m + 1, 1);
    const rg_stats before = s->trial != NULL ? s->trial->stats : (rg_stats){0};
    const bool has_step = a->t != a->t_previous;

    if (crossing == NULL) return RG_ERR_MEMORY;
    rg_switching_save(&s->here, a);
    memcpy(s->old, s->switches, (size_t)s->m * sizeof *s->old);
    rg_status status = rg_switching_sizes(s, a->t, a->y, a->yp);
    if (status == RG_OK && !mark(s, which, is_timed, crossing)) { /* a function touches zero */
        rg_free(s->ctx, crossing);
        RG_TRY(rg_switching_hand_out(s, a, sink, user));
        return rg_integrator_set_end(a, t_end);
    }
    if (status == RG_OK) status = pass(s, crossing, crossing + s->m);
    memcpy(s->passed, s->here.y, (size_t)g->n * sizeof *s->passed);
    if (s->trial != NULL) rg_switching_take_stats(&g->stats, &s->trial->stats, &before);
    rg_free(s->ctx, crossing);
    if (status != RG_OK) {
        bool is_saved = false;
        const rg_status given = has_step ? rg_switching_hand_out_before(s, a, sink, user) : RG_OK;
        for (int64_t c = 0; c < s->m && is_timed; c++)
            if (s->switches[c].is_timed) s->switches[c].branch = s->switches[c].next;
        if (status == RG_ERR_CONVERGENCE && s->has_no_branch && given == RG_OK)
            RG_TRY(rg_switching_rescue(s, false, &is_saved));
        if (is_saved) return rg_integrator_set_end(g, t_end);
        return status < 0 || given == RG_OK ? status : given;
    }
    const bool is_other = has_changed(s), has_jumped = is_other && rg_switching_has_jumped(s);
    s->step *= has_jumped ? RG_SWITCH_JUMP_STEP : RG_SWITCH_KINK_STEP;
    const double h = g->first_part > 0.0 ? rg_switching_second_step(s) : fabs(s->step);
    if (is_other) rg_integrator_note_switch(g, s->here.t);
    memcpy(g->y, s->behind.y, (size_t)g->n * sizeof *g->y);
    memcpy(g->yp, s->behind.yp, (size_t)g->n * sizeof *g->yp);
    if (g->method->settle != NULL && !s->is_sliding)
        RG_TRY(g->method->settle(g, &(rg_state){s->here.t, s->here.y, s->here.yp}));
    s->h_behind = h;
    if (has_step) RG_TRY(rg_switching_hand_out_before(s, a, sink, user));
    return rg_switching_go_on(s);
}

/* Branches that end where the run does: like every value at the time of a switch, the last one is
 * that behind it.  Where nothing is defined behind the end, it stays. */
rg_status rg_switching_end_branches(rg_switching *s, rg_step_sink *sink, void *user)
{
    rg_integrator *g = s->g;
    uint8_t *crossing = rg_alloc(s->ctx, (size_t)s->m + 1, 1);
    bool is_any = false;

    if (crossing == NULL) return RG_ERR_MEMORY;
    rg_switching_save(&s->here, g);
    memcpy(s->old, s->switches, (size_t)s->m * sizeof *s->old);
    rg_status status = rg_switching_sizes(s, g->t, g->y, g->yp);
    if (status == RG_OK) is_any = mark(s, -1, true, crossing);
    if (status == RG_OK && is_any) status = rg_switching_pass(s, crossing, RG_SWITCH_CROSS);
    rg_free(s->ctx, crossing);
    if (status == RG_ERR_MEMORY || status == RG_ERR_INTERRUPTED) return status;
    if (status < 0) rg_clear_error(s->ctx);
    if (status == RG_OK && is_any && has_changed(s)) {
        s->h_behind = RG_SWITCH_JUMP_STEP * fabs(s->step); /* if the run goes on to another end */
        memcpy(g->y, s->behind.y, (size_t)g->n * sizeof *g->y);
        memcpy(g->yp, s->behind.yp, (size_t)g->n * sizeof *g->yp);
    } else {
        memcpy(s->switches, s->old, (size_t)s->m * sizeof *s->old);
        rg_switching_hold(s);
    }
    return rg_switching_hand_out_before(s, g, sink, user);
}
