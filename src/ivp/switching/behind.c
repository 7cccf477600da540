/* The branches behind a switch.
 *
 * A Radau IIA step needs only E y_n of its start, E = F_y'.  So a short step from the point before
 * the switch with other branches is the consistent restart, for every index: what E holds is kept,
 * everything else takes its new value.  Whether the branches are right is seen in this step: every
 * switching function must move to the side that its branch stands for.  Those that do not object;
 * they are changed, together at first, then one by one (Murty).  A switch to which both sides
 * object slides. */
#include "ivp/switching/search.h"

#include "base/pieces.h"
#include "ivp/switching/tuning.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rg_switch_turn(rg_switch *w, double v)
{
    if (w->is_whole)
        w->branch += v - w->branch > 0.5 ? 1.0 : -1.0;
    else
        w->branch = w->branch != 0.0 ? -w->branch : 1.0;
}

/* Which switches are zero here, and the first candidate. */
static rg_status begin(rg_switch_search *f, const uint8_t *crossing)
{
    rg_switching *s = f->s;

    RG_TRY(rg_switching_sizes(s, s->here.t, s->here.y, s->here.yp));
    for (int64_t c = 0; c < s->m; c++) {
        rg_switch *w = &s->switches[c];
        const double v = rg_switching_value(s, c);
        const double edge = w->is_whole ? v - round(v) : v;
        const bool crosses = crossing != NULL && crossing[c];
        const bool is_zero = crosses || w->slides || fabs(edge) <= RG_SWITCH_AT_ZERO * s->sizes[c];
        f->zero[c] = !is_zero || w->is_timed ? NAN : f->is_start ? v - edge : v;
        f->value[c] = v;
        if (!crosses) continue;
        if (w->is_timed) {
            w->branch = w->next;
        } else if (w->slides) {
            const double mu = s->here.y[s->g->n + w->slide];
            rg_switch_end_slide(w, mu);
        } else {
            rg_switch_turn(w, v);
        }
    }
    memcpy(f->first, s->switches, (size_t)s->m * sizeof *f->first);
    return RG_OK;
}

/* Where all of them together have no solution because the rest on one makes that on the others,
 * x = 0 and v = x' = 0 of a second-order sliding motion: one of them, the others with a branch. */
static rg_status slide_one(rg_switch_search *f, const uint8_t *crossing, bool *is_found)
{
    rg_switching *s = f->s;
    int64_t n;

    for (int64_t c = 0; c < s->m && !*is_found; c++) {
        if (!crossing[c] || s->switches[c].slide < 0) continue;
        memcpy(s->switches, f->old, (size_t)s->m * sizeof *f->old);
        s->switches[c].slides = true;
        s->switches[c].branch = s->switches[c].is_whole ? round(f->value[c]) : 0.0;
        RG_TRY(rg_switch_judge(f, &n, is_found));
        *is_found = *is_found && n == 0;
    }
    return RG_OK;
}

/* All that took part in an accumulation, at rest on all their surfaces. */
static rg_status slide_together(rg_switch_search *f, const uint8_t *crossing, bool *is_found)
{
    rg_switching *s = f->s;
    int64_t n;

    for (int64_t c = 0; c < s->m; c++)
        if (crossing[c] && s->switches[c].slide >= 0) {
            s->switches[c].slides = true;
            s->switches[c].branch = s->switches[c].is_whole ? round(f->value[c]) : 0.0;
        }
    f->h = RG_BEHIND_TOGETHER_STEP * fabs(s->g->t_end - s->g->t_start);
    if (f->is_settled)
        f->h = fmax(f->h, (f->is_forced ? RG_FORCED_STEP : 1.0) * rg_switching_many(s));
    RG_TRY(rg_switch_judge(f, &n, is_found));
    *is_found = *is_found && n == 0;
    return *is_found || n >= 0 || !f->is_settled ? RG_OK : slide_one(f, crossing, is_found);
}

static rg_status fail_together(rg_switching *s, const uint8_t *crossing)
{
    char name[128] = "";

    for (int64_t c = 0; c < s->m && name[0] == '\0'; c++)
        if (crossing[c] && s->switches[c].slide >= 0)
            rg_system_switch_name(s->g->system, s->switches[c].function, name, sizeof name);
    rg_fail(s->ctx, RG_ERR_CONVERGENCE,
            "switches accumulate at t = %.10g, in %s: infinitely many in a finite time, and no "
            "motion along them",
            s->here.t, name);
    rg_fail_time(s->ctx, s->here.t);
    return rg_remedy(s->ctx, "smooth the switches, for example tanh(x/1e-3) for sign(x), with "
                             "--h_max, or give them a hysteresis");
}

/* Where switches accumulate, a trial step beyond that place finds all of them at rest: the states
 * would have to jump to it. */
static rg_status drop_early(rg_switch_search *f, bool *is_found)
{
    rg_switching *s = f->s;
    int64_t row, state;
    double ratio;
    bool slides = false, is_legal;

    for (int64_t c = 0; c < s->m; c++)
        slides = slides || (s->switches[c].slides && !f->old[c].slides);
    if (!slides || f->is_start) return RG_OK;
    rg_switch_take_point(s);
    RG_TRY(rg_switching_check(s, f->h, &is_legal, &row, &state, &ratio));
    *is_found = is_legal;
    return RG_OK;
}

/* Far from t = 0 a trial step that is no rounding of t, nor long beside a time of the motion. */
static double far_from_0(const rg_switching *s, double time)
{
    return sqrt(DBL_EPSILON * fabs(s->here.t) * time);
}

/* The first trial step behind a switch. */
static double after_step(const rg_switching *s)
{
    const double step = fabs(s->step);

    return fmax(RG_BEHIND_STEP * step, fmin(step, RG_BEHIND_FAR * far_from_0(s, step)));
}

/* By trial steps of h, and shorter ones. */
static rg_status find_by_steps(rg_switch_search *f, double h, bool *is_found)
{
    rg_switching *s = f->s;
    const double rounding = RG_BEHIND_ROUNDING * 4.0 * DBL_EPSILON * fabs(s->here.t);
    const double least = fmax(rounding, fmin(h, far_from_0(s, fabs(s->step))));

    f->h = h;
    for (int level = 0; level < RG_BEHIND_LEVELS; level++, f->h *= RG_BEHIND_SHRINK) {
        f->h = fmax(f->h, least);
        memcpy(s->switches, f->first, (size_t)s->m * sizeof *f->first);
        const bool is_last = level == RG_BEHIND_LEVELS - 1;
        RG_TRY(rg_switch_rounds(f, is_last, is_found));
        if (*is_found && !is_last) RG_TRY(drop_early(f, is_found));
        if (*is_found) return RG_OK;
    }
    f->h = h; /* all combinations: another switch may end within the longer trial steps */
    for (int level = 1; level < RG_BEHIND_LEVELS && !*is_found; level++) {
        f->h = fmax(f->h * RG_BEHIND_SHRINK, least);
        RG_TRY(rg_switch_enumerate(f, is_found));
    }
    return RG_OK;
}

static rg_status find_branches(rg_switch_search *f, const uint8_t *crossing, bool *is_found)
{
    rg_switching *s = f->s;
    const double interval = fabs(s->g->t_end - s->g->t_start);
    const double start = rg_system_index(s->g->system) < 3 ? RG_BEHIND_START : RG_BEHIND_START_3;
    const double h = f->is_start ? fmax(start * interval, far_from_0(s, interval)) : after_step(s);

    RG_TRY(begin(f, crossing));
    if (f->is_together) return slide_together(f, crossing, is_found);
    f->is_fine = f->is_start;
    RG_TRY(find_by_steps(f, h, is_found));
    if (*is_found || !f->is_fine) return RG_OK;
    f->is_fine = false; /* rounding of other equations may be larger */
    return find_by_steps(f, h, is_found);
}

/* Motion along a switch that was crossed before. */
static rg_status note_sliding(rg_switch_search *f)
{
    rg_switching *s = f->s;
    rg_integrator *g = s->g;
    char name[128];

    for (int64_t c = 0; c < s->m; c++) {
        if (!s->switches[c].slides || f->old[c].slides) continue;
        if (g->n_sliding++ == 0) g->t_sliding = s->here.t;
        rg_log(s->ctx, 2, "from t = %.10g on the solution slides along a switch", s->here.t);
        if (strcmp(g->options.sliding, "refuse") != 0) continue;
        rg_system_switch_name(g->system, s->switches[c].function, name, sizeof name);
        rg_fail(s->ctx, RG_ERR_CONVERGENCE,
                "at t = %.10g the solution begins to slide along the switch in %s", s->here.t,
                name);
        rg_fail_time(s->ctx, s->here.t);
        return rg_remedy(s->ctx,
                         "leave out --sliding refuse to follow the motion along it, or "
                         "smooth the switch, for example tanh(x/1e-3) for sign(x), with --h_max");
    }
    return RG_OK;
}

/* A switch that is not zero yet, but nearly, or so soon behind the one that is passed that no trial
 * step comes between: it has its next branch from here on. */
static bool ends_soon(const rg_switch_search *f, int64_t c)
{
    const rg_switch *w = &f->s->switches[c];

    return !f->is_start && !w->slides && !w->is_whole && !w->is_timed
           && w->branch * f->value[c] < 0.0;
}

/* Slow spirals are still too far from where their switches accumulate: RG_RETRY. */
static rg_status wait_together(rg_switch_search *f, const uint8_t *crossing)
{
    rg_switching *s = f->s;
    const rg_status status = rg_switch_check_jump(f, crossing);

    if (status != RG_ERR_CONVERGENCE) return status;
    rg_clear_error(s->ctx);
    memcpy(s->switches, f->old, (size_t)s->m * sizeof *f->old);
    rg_switching_hold(s);
    return (rg_status)RG_RETRY;
}

/* Multipliers of index 2 and above are differences divided by the length of the trial step: the
 * drift of the constraints spoils those of short ones.  The branches that a short step told are
 * taken in a longer one, if no state moves by more than the jumps that are allowed. */
static rg_status lengthen(rg_switch_search *f)
{
    rg_switching *s = f->s;
    const double h = f->h, longer = RG_BEHIND_STEP * fabs(s->step);
    int64_t row, state;
    double ratio;
    bool is_legal = false;

    if (f->is_start || f->is_together || h >= longer || rg_system_index(s->g->system) < 2)
        return RG_OK;
    rg_status status = rg_switching_try(s, longer, false);
    if (status < 0) return status;
    if (status == RG_OK) {
        rg_switch_take_point(s);
        RG_TRY(rg_switching_check(s, longer, &is_legal, &row, &state, &ratio));
    }
    if (is_legal) {
        f->h = longer;
        return RG_OK;
    }
    status = rg_switching_try(s, h, false);
    return status < 0 ? status : RG_OK;
}

static rg_status pass(rg_switch_search *f, const uint8_t *crossing)
{
    rg_switching *s = f->s;
    bool is_found = false, has_changed = !f->is_end;

    s->has_no_branch = false;
    if (s->trial == NULL) RG_TRY(rg_switching_make_trial(s));
    memcpy(f->old, s->switches, (size_t)s->m * sizeof *f->old);
    RG_TRY(find_branches(f, crossing, &is_found));
    for (int64_t c = 0; c < s->m && is_found && f->is_end; c++)
        has_changed = has_changed || s->switches[c].branch != f->old[c].branch;
    if (!is_found || !has_changed) {
        memcpy(s->switches, f->old, (size_t)s->m * sizeof *f->old);
        rg_switching_hold(s);
        return f->is_together ? fail_together(s, crossing) : rg_switch_fail_no_branch(s, crossing);
    }
    for (int64_t c = 0; c < s->m; c++) {
        rg_switch *w = &s->switches[c];
        const bool is_early = ends_soon(f, c);
        w->is_fresh = !isnan(f->zero[c]) || is_early;
        if (is_early || (f->is_end && crossing[c] && !w->slides && !w->is_whole))
            w->offset = f->value[c];
    }
    RG_TRY(lengthen(f));
    rg_switch_take_point(s);
    if (f->is_together && !f->is_forced)
        RG_TRY(wait_together(f, crossing));
    else if (!f->is_start)
        RG_TRY(rg_switch_check_jump(f, crossing));
    if (!f->is_start) RG_TRY(rg_switch_check_constraints(f, crossing));
    RG_TRY(note_sliding(f));
    rg_switching_hold(s);
    rg_switch_keep_states(s);
    if (f->is_settled) {
        rg_switch_note_move(s);
        s->step = s->g->direction * f->h / RG_SWITCH_JUMP_STEP;
    }
    RG_TRY(rg_switch_renew(f));
    if (!s->is_sliding || s->slider != NULL) return RG_OK;
    RG_TRY(rg_switching_make_integrator(s, &s->behind, &s->slider));
    s->slider->pulses = s->g->pulses;
    s->slider->n_pulses = s->g->n_pulses;
    rg_switching_hold(s);
    return RG_OK;
}

rg_status rg_switching_pass(rg_switching *s, const uint8_t *crossing, rg_switch_case why)
{
    const size_t m = (size_t)s->m;
    rg_switch_search f = {.s = s,
                          .is_start = why == RG_SWITCH_START,
                          .is_end = why == RG_SWITCH_STOP,
                          .is_together = why >= RG_SWITCH_TOGETHER,
                          .is_forced = why == RG_SWITCH_FORCED,
                          .is_decay = why == RG_SWITCH_DECAY,
                          .is_settled = why >= RG_SWITCH_DECAY};

    void *memory = NULL;
    RG_TRY(RG_TAKE(s->ctx, &memory, RG_PIECE(f.zero, m), RG_PIECE(f.value, m), RG_PIECE(f.side, m),
                   RG_PIECE(f.noise, m), RG_PIECE(f.past, m), RG_PIECE(f.old, m),
                   RG_PIECE(f.first, m), RG_PIECE(f.objects, m),
                   RG_PIECE(f.seen, (RG_BEHIND_ROUNDS + 1) * m)));
    const rg_status status = pass(&f, crossing);
    rg_free(s->ctx, memory);
    return status;
}
