/* The values behind a switch, once its branches are known: may they be taken? */
#include "ivp/switching/search.h"
#include "ivp/switching/tuning.h"
#include "ivp/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The stages, extrapolated to the start of the trial step. */
void rg_switch_take_point(rg_switching *s)
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

bool rg_switch_is_held(const rg_switching *s, int64_t j)
{
    const rg_pattern *p = rg_system_pattern(s->trial->system);
    bool is_so = false;
    rg_ivp_jacobian last;

    s->trial->method->jacobian(s->trial, &last);
    for (int64_t e = p->start[j]; e < p->start[j + 1] && !is_so; e++)
        is_so = last.Jyp[e] != 0.0;
    return is_so;
}

/* States that E holds stay where they are, if nothing but the trial step moved them. */
void rg_switch_keep_states(rg_switching *s)
{
    /* at a start the slopes before it are not known */
    const double *yp = s->step == 0.0 ? s->behind.yp : s->here.yp;

    for (int64_t j = 0; j < s->g->n && !s->is_sliding; j++) {
        const double least = RG_BEHIND_KEPT * (fabs(s->here.y[j]) + s->unit[j]);
        const double allowed = fmax(least, rg_switching_moment(s) * fabs(yp[j]));
        if (fabs(s->behind.y[j] - s->here.y[j]) < allowed && rg_switch_is_held(s, j))
            s->behind.y[j] = s->here.y[j];
    }
}

/* How far states were moved onto their switches goes into the estimate. */
void rg_switch_note_move(rg_switching *s)
{
    rg_integrator *g = s->g;

    for (int64_t j = 0; j < g->n; j++) {
        const double move = fabs(s->behind.y[j] - s->here.y[j]);
        if (move == 0.0 || !rg_switch_is_held(s, j)) continue;
        g->rested = fmax(g->rested, move / (rg_integrator_unit(g, j) + fabs(s->here.y[j])));
    }
}

/* Behind a jump the slopes of the trial step have the jump in them.  Methods that need slopes at
 * their start take them from one more step; where a spiral has come to rest, so do the values. */
rg_status rg_switch_renew(rg_switch_search *f)
{
    rg_switching *s = f->s;
    const rg_switch_point here = s->here, behind = s->behind;

    if (!f->is_settled && (s->g->method->is_radau || s->is_sliding || !rg_switching_has_jumped(s)))
        return RG_OK;
    s->here = behind;
    s->behind = here; /* what is there is put back below */
    memcpy(s->before.y, here.y, (size_t)s->g->n * sizeof *here.y);
    memcpy(s->before.yp, here.yp, (size_t)s->g->n * sizeof *here.yp);
    const rg_status status = rg_switching_try(s, f->h, false);
    if (status == RG_OK) {
        const size_t n = (size_t)(f->is_settled ? s->trial->n : s->g->n);
        rg_switch_take_point(s);
        memcpy(behind.yp, s->behind.yp, n * sizeof *behind.yp);
        if (f->is_settled) memcpy(behind.y, s->behind.y, n * sizeof *behind.y);
    }
    s->here = here;
    s->behind = behind;
    memcpy(here.y, s->before.y, (size_t)s->g->n * sizeof *here.y);
    memcpy(here.yp, s->before.yp, (size_t)s->g->n * sizeof *here.yp);
    return status < 0 ? status : RG_OK;
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

/* How far what E holds has come from one switch to the next: switches that only noise keeps from
 * each other may be put together within that. */
static rg_status find_swing(rg_switch_search *f, double *ratio)
{
    rg_switching *s = f->s;
    double *const behind = s->behind.y;
    int64_t row, state;
    bool is_legal;

    *ratio = 0.0;
    if (!f->is_forced || s->count < 2) return RG_OK;
    s->behind.y = s->passed;
    const rg_status status = rg_switching_check(s, f->h, &is_legal, &row, &state, ratio);
    s->behind.y = behind;
    return status;
}

/* Is the change of what E holds an impulse?  Compared with what the old branches do in the same
 * step, and in shorter steps: a fast transient becomes small, an impulse does not. */
rg_status rg_switch_check_jump(rg_switch_search *f, const uint8_t *crossing)
{
    rg_switching *s = f->s;
    const double interval = fabs(s->g->t_end - s->g->t_start);
    const double least = fmax(RG_JUMP_TOLERANCES * s->g->options.rtol, RG_JUMP_LEAST);
    int64_t row = 0, state = 0, row_old, state_old;
    double ratio = 0.0, ratio_old = 0.0, swing;

    RG_TRY(find_swing(f, &swing));
    const double allowed = f->is_forced
                               ? fmax(least / RG_SWITCH_LARGE, swing) /* of the largest |y| */
                           : f->is_decay ? RG_DECAY_TOLERANCES * s->g->options.rtol
                                         : least;
    for (int k = 0; k < RG_BEHIND_SHORTER; k++) {
        bool is_legal;
        RG_TRY(rg_switching_check(s, f->h, &is_legal, &row, &state, &ratio));
        if (ratio <= allowed) return RG_OK;
        if (f->is_decay) break;        /* not yet */
        if (k == 0) {                  /* the old branches */
            rg_switch *now = f->first; /* not needed any more */
            memcpy(now, s->switches, (size_t)s->m * sizeof *now);
            memcpy(s->switches, f->old, (size_t)s->m * sizeof *now);
            rg_status status = rg_switching_try(s, f->h, false);
            if (status == RG_OK) {
                rg_switch_take_point(s);
                status = rg_switching_check(s, f->h, &is_legal, &row_old, &state_old, &ratio_old);
            }
            memcpy(s->switches, now, (size_t)s->m * sizeof *now);
            if (status < 0) return status;
        }
        const bool is_like_old = ratio <= RG_JUMP_LIKE_OLD * ratio_old;
        if (!is_like_old && f->h * RG_BEHIND_SHRINK < RG_BEHIND_SHORTEST * interval) break;
        if (!is_like_old) f->h *= RG_BEHIND_SHRINK;
        const rg_status status = rg_switching_try(s, f->h, false);
        if (status < 0) return status;
        if (status != RG_OK) break;
        rg_switch_take_point(s);
        if (is_like_old) return RG_OK;
    }
    return fail_jump(s, crossing, row, state);
}

/* The constraints of the new branches, where the old ones ended; compared with the drift of the
 * old ones. */
rg_status rg_switch_check_constraints(rg_switch_search *f, const uint8_t *crossing)
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

rg_status rg_switch_fail_no_branch(rg_switching *s, const uint8_t *crossing)
{
    char name[128];

    s->has_no_branch = true;
    if (rg_system_fail_table(s->g->system, s->here.t, s->here.y, s->here.yp))
        return RG_ERR_CONVERGENCE;
    name_switch(s, crossing, name, sizeof name);
    rg_fail(s->ctx, RG_ERR_CONVERGENCE,
            "at t = %.10g no branch of the equations goes on behind the switch in %s", s->here.t,
            name);
    rg_fail_time(s->ctx, s->here.t);
    return rg_remedy(s->ctx, "look at the branches of abs, min, max, sign and if there: none of "
                             "them has a solution; or smooth the switch, for example tanh(x/1e-3) "
                             "for sign(x), with --h_max");
}
