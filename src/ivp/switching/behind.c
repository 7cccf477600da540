/* The branches behind a switch.
 *
 * A Radau IIA step needs only E y_n of its start, E = F_y'.  So a short step from the point before
 * the switch with other branches is the consistent restart, for every index: what E holds is kept,
 * everything else takes its new value.  Whether the branches are right is seen in this step: every
 * switching function must move to the side that its branch stands for.  Those that do not object;
 * they are changed, together at first, then one by one (Murty).  A switch to which both sides
 * object slides. */
#include "ivp/switching/switching.h"

#include "base/tuning.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECTED_UP = 1, OBJECTED_DOWN = 2, TOOK_PART = 4 };

typedef struct {
    rg_switching *s;
    bool is_start, is_end, is_together;
    double h;
    double *zero;   /* values at the switch; NaN: not zero there */
    uint8_t *past;  /* OBJECTED_.., TOOK_PART */
    rg_switch *old; /* before */
    rg_switch *first;
    uint8_t *objects;
    double *seen; /* branches that were tried */
    int n_seen;
} search;

/* ---- the trial step -------------------------------------------------------------------------- */

static rg_status make_integrator(rg_switching *s, const rg_switch_point *at, rg_integrator **out)
{
    rg_options o = s->g->options;
    const rg_state start = {at->t, at->y, at->yp};

    o.step = 0.0;
    return rg_integrator_create_with(&rg_radau_method, s->sliding, &o, &start, s->g->t_end, out);
}

rg_status rg_switching_make_trial(rg_switching *s)
{
    const rg_integrator *g = s->g;
    int64_t *function = rg_alloc(s->ctx, (size_t)s->n_slide + 1, sizeof *function);
    int32_t *branch = rg_alloc(s->ctx, (size_t)s->n + 1, sizeof *branch);
    rg_status status = function && branch ? RG_OK : RG_ERR_MEMORY;

    if (status == RG_OK) {
        for (int64_t c = 0; c < s->m; c++)
            if (s->switches[c].slide >= 0) function[s->switches[c].slide] = s->switches[c].function;
        for (int64_t k = 0; k < s->n; k++)
            branch[k] = (int32_t)s->switches[s->class_of[k]].slide;
        const rg_sliding sliding = {s->n_slide, function, branch, s->sign};
        status = rg_system_slide_create(g->system, &sliding, &s->sliding);
    }
    rg_free(s->ctx, function);
    rg_free(s->ctx, branch);
    return status == RG_OK ? make_integrator(s, &s->here, &s->trial) : status;
}

/* The integrator of trial steps stands at s->here. */
void rg_switching_place_trial(rg_switching *s)
{
    rg_integrator *x = s->trial;
    const size_t bytes = (size_t)s->g->n * sizeof *x->y;

    x->t = x->t_previous = s->here.t;
    memcpy(x->y, s->here.y, bytes);
    memcpy(x->yp, s->here.yp, bytes);
    for (int64_t c = 0; c < s->m; c++) {
        const rg_switch *w = &s->switches[c];
        if (w->slide < 0) continue;
        x->y[s->g->n + w->slide] = w->slides ? 0.0 : w->branch;
        x->yp[s->g->n + w->slide] = 0.0;
    }
}

static rg_status trial(rg_switching *s, double h, bool is_relaxed)
{
    const rg_integrator *g = s->g;

    rg_switching_hold(s);
    for (int64_t k = 0; k < s->n && is_relaxed; k++) {
        const rg_switch *w = &s->switches[s->class_of[k]];
        if (!w->jumps && !w->is_whole) s->branch[k] *= RG_SWITCH_RELAXED;
    }
    rg_switching_place_trial(s);
    rg_system_slide_hold(s->trial->work, s->slides, s->branch);
    const rg_status status =
        rg_radau_trial(s->trial, RADAU_TRIAL_STAGES, g->direction * h, s->Y, s->Yp);
    rg_log(s->ctx, 3, "trial step of %.3g behind t = %.10g: %s", h, s->here.t,
           status == RG_OK ? "solved" : "no solution");
    return status;
}

/* ---- objections ------------------------------------------------------------------------------ */

static double *stage_values(const rg_switching *s, int i)
{
    return s->samples + i * s->m;
}

static rg_status take_values(rg_switching *s, double h)
{
    const rg_radau *r = rg_radau_of(s->trial);

    for (int i = 0; i < RADAU_TRIAL_STAGES; i++) {
        const double t = s->here.t + s->g->direction * r->table->c[i] * h;
        const int64_t at = i * s->trial->n;
        RG_TRY(rg_switching_margins(s, t, s->Y + at, s->Yp + at, s->margins));
        for (int64_t c = 0; c < s->m; c++)
            stage_values(s, i)[c] = rg_switching_value(s, c);
    }
    return RG_OK;
}

static double sliding_branch(const rg_switching *s, int64_t c)
{
    const int64_t last = (RADAU_TRIAL_STAGES - 1) * s->trial->n;

    return s->Y[last + s->g->n + s->switches[c].slide];
}

/* -1: the function is on the lower side of where its branch is valid, 1: on the upper side, 0: no
 * objection. */
static int objection(const search *f, int64_t c)
{
    const rg_switching *s = f->s;
    const rg_switch *w = &s->switches[c];
    const bool is_zero = !isnan(f->zero[c]);

    if (w->slides) {
        const double mu = sliding_branch(s, c);
        return mu > 1.0 + RG_SLIDE_BEYOND ? 1 : mu < -1.0 - RG_SLIDE_BEYOND ? -1 : 0;
    }
    for (int i = 0; i < RADAU_TRIAL_STAGES; i++) {
        const double v = stage_values(s, i)[c], d = is_zero ? v - f->zero[c] : v;
        if (w->is_whole) {
            const bool is_low = is_zero && fabs(f->zero[c] - w->branch) < 0.5;
            const double edge = is_zero ? f->zero[c] : is_low ? w->branch : w->branch + 1.0;
            if (is_zero && fabs(v - edge) <= RG_SWITCH_UNMOVED * s->sizes[c]) continue;
            if (is_zero) return is_low ? (v < edge ? -1 : 0) : (v > edge ? 1 : 0);
            return v < w->branch ? -1 : v > w->branch + 1.0 ? 1 : 0;
        }
        if (fabs(d) <= RG_SWITCH_UNMOVED * s->sizes[c]) continue;
        return (d > 0.0) == (w->branch > 0.0) ? 0 : d > 0.0 ? 1 : -1;
    }
    return 0;
}

static void change(search *f, int64_t c, int side)
{
    rg_switch *w = &f->s->switches[c];

    f->past[c] |= TOOK_PART;
    if (w->slides) {
        w->slides = false;
        w->branch = side;
    } else if (w->is_whole) {
        w->branch += side;
    } else {
        f->past[c] |= w->branch > 0.0 ? OBJECTED_UP : OBJECTED_DOWN;
        const bool by_both = (f->past[c] & (OBJECTED_UP | OBJECTED_DOWN)) == 3;
        if (by_both && w->slide >= 0) {
            w->slides = true;
            w->branch = 0.0;
        } else {
            w->branch = -w->branch;
        }
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static bool was_tried(search *f)
{
    const rg_switching *s = f->s;
    double *now = f->seen + f->n_seen * s->m;

    for (int64_t c = 0; c < s->m; c++)
        now[c] = s->switches[c].slides ? 0.25 : s->switches[c].branch;
    for (int k = 0; k < f->n_seen; k++)
        if (memcmp(f->seen + k * s->m, now, (size_t)s->m * sizeof *now) == 0) return true;
    if (f->n_seen < RG_BEHIND_ROUNDS) f->n_seen++;
    return false;
}

/* One candidate: *n objections, -1: it has no solution.  RG_RETRY does not come out of here. */
static rg_status judge(search *f, int64_t *n, bool *is_solved)
{
    rg_switching *s = f->s;
    rg_status status = trial(s, f->h, false);

    *is_solved = status == RG_OK;
    *n = -1;
    if (status == (rg_status)RG_RETRY) status = trial(s, f->h, true);
    if (status == RG_OK) status = take_values(s, f->h);
    if (status < 0) return status;
    if (status != RG_OK) {
        *is_solved = false;
        return RG_OK;
    }
    *n = 0;
    for (int64_t c = 0; c < s->m; c++) {
        f->objects[c] = (uint8_t)(objection(f, c) + 1);
        if (f->objects[c] != 1) ++*n;
    }
    return RG_OK;
}

static bool is_distant(const search *f, int64_t c)
{
    return isnan(f->zero[c]) && !f->s->switches[c].slides;
}

/* Candidates on one level.  *is_found: the branches of s are right. */
static rg_status rounds(search *f, bool is_last, bool *is_found)
{
    rg_switching *s = f->s;
    int64_t n;
    bool is_solved;

    *is_found = false;
    f->n_seen = 0;
    memset(f->past, 0, (size_t)s->m);
    for (int64_t c = 0; c < s->m; c++)
        if (f->first[c].branch != f->old[c].branch || f->first[c].slides != f->old[c].slides)
            f->past[c] = TOOK_PART;
    for (int round = 0; round < RG_BEHIND_ROUNDS; round++) {
        if (was_tried(f)) return RG_OK;
        RG_TRY(judge(f, &n, &is_solved));
        if (n == 0) *is_found = is_solved;
        if (n <= 0) return RG_OK;
        for (int64_t c = 0; c < s->m; c++)
            if (f->objects[c] != 1 && is_distant(f, c) && !is_last && is_solved) return RG_OK;
        for (int64_t c = 0; c < s->m; c++) {
            if (f->objects[c] == 1) continue;
            change(f, c, f->objects[c] - 1);
            if (round >= RG_BEHIND_TOGETHER) break;
        }
    }
    return RG_OK;
}

/* ---- all combinations ------------------------------------------------------------------------ */

typedef struct {
    int code, order;
} combination;

static int by_order(const void *a, const void *b)
{
    const combination *x = a, *y = b;

    return x->order != y->order ? x->order - y->order : x->code - y->code;
}

/* The switches that took part in all combinations: fewest that slide first, then fewest changes. */
static rg_status enumerate(search *f, bool *is_found)
{
    enum { ALL = 2187 };
    rg_switching *s = f->s;
    int64_t part[RG_BEHIND_TRIED];
    int n = 0, total = 1;
    combination *list = rg_alloc(s->ctx, ALL, sizeof *list);
    rg_status status = list != NULL ? RG_OK : RG_ERR_MEMORY;

    *is_found = false;
    for (int64_t c = 0; c < s->m && n < RG_BEHIND_TRIED; c++)
        if ((f->past[c] & TOOK_PART || !isnan(f->zero[c])) && !s->switches[c].is_whole
            && !s->switches[c].is_timed)
            part[n++] = c;
    for (int k = 0; k < n; k++)
        total *= 3;
    int count = 0;
    for (int code = 0; code < total && list != NULL; code++) {
        int order = 0, rest = code;
        bool is_possible = true;
        for (int k = 0; k < n; k++, rest /= 3) {
            const rg_switch *w = &f->old[part[k]];
            if (rest % 3 == 2) is_possible = is_possible && s->switches[part[k]].slide >= 0;
            order += rest % 3 == 2 ? 100 : (rest % 3 == 1 ? -1.0 : 1.0) != w->branch;
        }
        if (is_possible) list[count++] = (combination){code, order};
    }
    if (list != NULL) qsort(list, (size_t)count, sizeof *list, by_order);
    for (int i = 0; i < count && status == RG_OK && !*is_found; i++) {
        int64_t objections;
        bool is_solved;
        int rest = list[i].code;
        memcpy(s->switches, f->first, (size_t)s->m * sizeof *s->switches);
        for (int k = 0; k < n; k++, rest /= 3) {
            rg_switch *w = &s->switches[part[k]];
            w->slides = rest % 3 == 2;
            w->branch = rest % 3 == 2 ? 0.0 : rest % 3 == 1 ? -1.0 : 1.0;
        }
        status = judge(f, &objections, &is_solved);
        *is_found = status == RG_OK && is_solved && objections == 0;
    }
    rg_free(s->ctx, list);
    return status;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The stages, extrapolated to the start of the trial step. */
static void take_point(rg_switching *s)
{
    const rg_integrator *x = s->trial;
    rg_rule rule;
    double l[RADAU_TRIAL_STAGES];

    rg_rule_init(RG_RULE_RADAU, RADAU_TRIAL_STAGES, &rule);
    rg_rule_lagrange(&rule, 0.0, l);
    s->behind.t = s->here.t;
    for (int64_t k = 0; k < x->n; k++) {
        s->behind.y[k] = s->behind.yp[k] = 0.0;
        for (int i = 0; i < RADAU_TRIAL_STAGES; i++) {
            s->behind.y[k] += l[i] * s->Y[i * x->n + k];
            s->behind.yp[k] += l[i] * s->Yp[i * x->n + k];
        }
    }
}

/* States that E holds stay where they are, if nothing but the trial step moved them. */
static void keep_states(rg_switching *s)
{
    const rg_pattern *p = rg_system_pattern(s->trial->system);
    rg_ivp_jacobian last;

    s->trial->method->jacobian(s->trial, &last);
    for (int64_t j = 0; j < s->g->n && !s->is_sliding; j++) {
        const double size = fabs(s->here.y[j]) + s->unit;
        bool is_held = false;
        for (int64_t e = p->start[j]; e < p->start[j + 1] && !is_held; e++)
            is_held = last.Jyp[e] != 0.0;
        if (is_held && fabs(s->behind.y[j] - s->here.y[j]) < RG_BEHIND_KEPT * size)
            s->behind.y[j] = s->here.y[j];
    }
}

/* The equation of the first switch that ends here. */
static void name_switch(const rg_switching *s, const uint8_t *crossing, char *name, int size)
{
    name[0] = '\0';
    for (int64_t c = 0; c < s->m && name[0] == '\0'; c++)
        if (crossing == NULL || crossing[c])
            rg_system_switch_name(s->g->system, s->switches[c].function, name, size);
    if (name[0] == '\0') snprintf(name, (size_t)size, "an equation");
}

static rg_status fail_jump(rg_switching *s, const uint8_t *crossing, int64_t row, int64_t state)
{
    char name[128], equation[128], changed[128];

    rg_system_state_name(s->g->system, state, name, sizeof name);
    rg_system_row_name(s->g->system, row, equation, sizeof equation);
    name_switch(s, crossing, changed, sizeof changed);
    rg_fail(s->ctx, RG_ERR_CONVERGENCE,
            "at t = %.10g %s would have to jump, because %s changes: %s does not allow it",
            s->here.t, name, changed, equation);
    rg_fail_time(s->ctx, s->here.t);
    return rg_remedy(s->ctx, "a constraint or source that jumps needs an impulse: let it change "
                             "continuously, or describe the impact in equations");
}

/* Is the change of what E holds an impulse?  Compared with what the old branches do in the same
 * step, and in shorter steps: a fast transient becomes small, an impulse does not. */
static rg_status check_jump(search *f, const uint8_t *crossing)
{
    rg_switching *s = f->s;
    const double interval = fabs(s->g->t_end - s->g->t_start);
    const double allowed = fmax(RG_JUMP_TOLERANCES * s->g->options.rtol, RG_JUMP_LEAST);
    int64_t row = 0, state = 0, row_old, state_old;
    double ratio = 0.0, ratio_old = 0.0;

    for (int k = 0; k < RG_BEHIND_SHORTER; k++) {
        bool is_legal;
        RG_TRY(rg_switching_check(s, f->h, &is_legal, &row, &state, &ratio));
        if (ratio <= allowed) return RG_OK;
        if (k == 0) {                  /* the old branches */
            rg_switch *now = f->first; /* not needed any more */
            memcpy(now, s->switches, (size_t)s->m * sizeof *now);
            memcpy(s->switches, f->old, (size_t)s->m * sizeof *now);
            rg_status status = trial(s, f->h, false);
            if (status == RG_OK) {
                take_point(s);
                status = rg_switching_check(s, f->h, &is_legal, &row_old, &state_old, &ratio_old);
            }
            memcpy(s->switches, now, (size_t)s->m * sizeof *now);
            if (status < 0) return status;
        }
        const bool is_like_old = ratio <= RG_JUMP_LIKE_OLD * ratio_old;
        if (!is_like_old && f->h * RG_BEHIND_SHRINK < RG_BEHIND_SHORTEST * interval) break;
        if (!is_like_old) f->h *= RG_BEHIND_SHRINK;
        const rg_status status = trial(s, f->h, false);
        if (status < 0) return status;
        if (status != RG_OK) break;
        take_point(s);
        if (is_like_old) return RG_OK;
    }
    return fail_jump(s, crossing, row, state);
}

/* The constraints of the new branches, where the old ones ended; compared with the drift of the
 * old ones. */
static rg_status check_constraints(search *f, const uint8_t *crossing)
{
    rg_switching *s = f->s;
    rg_switch *now = f->first; /* not needed any more */
    const double allowed = fmax(RG_JUMP_TOLERANCES * s->g->options.rtol, RG_JUMP_LEAST);
    int64_t row, state, row_old, state_old;
    double ratio, ratio_old;

    rg_switching_hold(s);
    RG_TRY(rg_switching_check_constraints(s, &ratio, &row, &state));
    if (ratio <= allowed) return RG_OK;
    memcpy(now, s->switches, (size_t)s->m * sizeof *now);
    memcpy(s->switches, f->old, (size_t)s->m * sizeof *now);
    rg_switching_hold(s);
    const rg_status status = rg_switching_check_constraints(s, &ratio_old, &row_old, &state_old);
    memcpy(s->switches, now, (size_t)s->m * sizeof *now);
    rg_switching_hold(s);
    if (status != RG_OK) return status;
    return ratio <= RG_JUMP_LIKE_OLD * ratio_old ? RG_OK : fail_jump(s, crossing, row, state);
}

static rg_status fail_no_branch(rg_switching *s, const uint8_t *crossing)
{
    char name[128];

    s->has_no_branch = true;
    name_switch(s, crossing, name, sizeof name);
    rg_fail(s->ctx, RG_ERR_CONVERGENCE,
            "at t = %.10g no branch of the equations goes on behind the switch in %s", s->here.t,
            name);
    rg_fail_time(s->ctx, s->here.t);
    return rg_remedy(s->ctx, "look at the branches of abs, min, max, sign and if there: none of "
                             "them has a solution; or smooth the switch, for example tanh(x/1e-3) "
                             "for sign(x), with --h_max");
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Which switches are zero here, and the first candidate. */
static rg_status begin(search *f, const uint8_t *crossing)
{
    rg_switching *s = f->s;

    RG_TRY(rg_switching_sizes(s, s->here.t, s->here.y, s->here.yp));
    for (int64_t c = 0; c < s->m; c++) {
        rg_switch *w = &s->switches[c];
        const double v = rg_switching_value(s, c);
        const double edge = w->is_whole ? v - round(v) : v;
        const bool crosses = crossing != NULL && crossing[c];
        const bool is_zero = crosses || w->slides || fabs(edge) <= RG_SWITCH_AT_ZERO * s->sizes[c];
        f->zero[c] = !is_zero ? NAN : f->is_start ? v - edge : v;
        if (!crosses) continue;
        if (w->slides) {
            const double mu = s->here.y[s->g->n + w->slide];
            w->slides = false;
            w->branch = mu > 0.0 ? 1.0 : -1.0;
        } else if (w->is_whole) {
            w->branch += v - w->branch > 0.5 ? 1.0 : -1.0;
        } else {
            w->branch = -w->branch;
        }
    }
    memcpy(f->first, s->switches, (size_t)s->m * sizeof *f->first);
    return RG_OK;
}

/* All that took part in an accumulation, at rest on all their surfaces. */
static rg_status slide_together(search *f, const uint8_t *crossing, bool *is_found)
{
    rg_switching *s = f->s;
    int64_t n;

    for (int64_t c = 0; c < s->m; c++)
        if (crossing[c] && s->switches[c].slide >= 0) {
            s->switches[c].slides = true;
            s->switches[c].branch = 0.0;
        }
    f->h = RG_BEHIND_TOGETHER_STEP * fabs(s->g->t_end - s->g->t_start);
    RG_TRY(judge(f, &n, is_found));
    *is_found = *is_found && n == 0;
    return RG_OK;
}

static rg_status fail_together(rg_switching *s)
{
    rg_fail(s->ctx, RG_ERR_CONVERGENCE,
            "switches accumulate at t = %.10g: infinitely many in a finite time, and no motion "
            "along them",
            s->here.t);
    rg_fail_time(s->ctx, s->here.t);
    return rg_remedy(s->ctx, "smooth the switches, for example tanh(x/1e-3) for sign(x), with "
                             "--h_max, or give them a hysteresis");
}

static rg_status find_branches(search *f, const uint8_t *crossing, bool *is_found)
{
    rg_switching *s = f->s;
    const double interval = fabs(s->g->t_end - s->g->t_start);
    const double h = f->is_start ? RG_BEHIND_START * interval : RG_BEHIND_STEP * fabs(s->step);
    const double least = 4.0 * DBL_EPSILON * fabs(s->here.t);

    RG_TRY(begin(f, crossing));
    if (f->is_together) return slide_together(f, crossing, is_found);
    f->h = h;
    for (int level = 0; level < RG_BEHIND_LEVELS; level++, f->h *= RG_BEHIND_SHRINK) {
        f->h = fmax(f->h, RG_BEHIND_ROUNDING * least);
        memcpy(s->switches, f->first, (size_t)s->m * sizeof *f->first);
        RG_TRY(rounds(f, level == RG_BEHIND_LEVELS - 1, is_found));
        if (*is_found) return RG_OK;
    }
    f->h = h * RG_BEHIND_SHRINK;
    return enumerate(f, is_found);
}

/* Motion along a switch that was crossed before. */
static rg_status note_sliding(search *f)
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

static rg_status pass(search *f, const uint8_t *crossing)
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
        return f->is_together ? fail_together(s) : fail_no_branch(s, crossing);
    }
    for (int64_t c = 0; c < s->m; c++) {
        rg_switch *w = &s->switches[c];
        w->is_fresh = !isnan(f->zero[c]);
        if (f->is_end && crossing[c] && !w->slides && !w->is_whole) w->offset = f->zero[c];
    }
    RG_TRY(note_sliding(f));
    take_point(s);
    if (!f->is_start) RG_TRY(check_jump(f, crossing));
    if (!f->is_start) RG_TRY(check_constraints(f, crossing));
    rg_switching_hold(s);
    keep_states(s);
    if (!s->is_sliding || s->slider != NULL) return RG_OK;
    RG_TRY(make_integrator(s, &s->behind, &s->slider));
    rg_switching_hold(s);
    return RG_OK;
}

rg_status rg_switching_pass(rg_switching *s, const uint8_t *crossing, rg_switch_case why)
{
    const size_t m = (size_t)s->m;
    search f = {.s = s,
                .is_start = why == RG_SWITCH_START,
                .is_end = why == RG_SWITCH_STOP,
                .is_together = why == RG_SWITCH_TOGETHER};

    f.zero = rg_alloc(s->ctx, m + 1, sizeof *f.zero);
    f.past = rg_alloc(s->ctx, m + 1, sizeof *f.past);
    f.old = rg_alloc(s->ctx, m + 1, sizeof *f.old);
    f.first = rg_alloc(s->ctx, m + 1, sizeof *f.first);
    f.objects = rg_alloc(s->ctx, m + 1, sizeof *f.objects);
    f.seen = rg_alloc(s->ctx, (RG_BEHIND_ROUNDS + 1) * m + 1, sizeof *f.seen);
    rg_status status = RG_ERR_MEMORY;
    if (f.zero && f.past && f.old && f.first && f.objects && f.seen) status = pass(&f, crossing);
    rg_free(s->ctx, f.zero);
    rg_free(s->ctx, f.past);
    rg_free(s->ctx, f.old);
    rg_free(s->ctx, f.first);
    rg_free(s->ctx, f.objects);
    rg_free(s->ctx, f.seen);
    return status;
}
