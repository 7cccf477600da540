/* Makes, begins and destroys the steps with held branches of a run. */
#include "ivp/switching/switching.h"

#include "base/pieces.h"
#include "ivp/growth.h"
#include "ivp/switching/tuning.h"

#include <math.h>
#include <string.h>

enum { POINTS = 15 }; /* samples of a step (locate.c), its ends and those beyond them included */

static rg_status take_memory(rg_switching *s)
{
    const int64_t n = s->n, states = s->g->n + n + RG_LANES;
    const int64_t stages = RADAU_TRIAL_STAGES * states;

    RG_TRY(RG_TAKE(
        s->ctx, &s->memory, RG_PIECE(s->switches, n), RG_PIECE(s->old, n),
        RG_PIECE(s->taken, 2 * states), RG_PIECE(s->class_of, n), RG_PIECE(s->sign, n),
        RG_PIECE(s->slides, n), RG_PIECE(s->branch, n), RG_PIECE(s->along, n),
        RG_PIECE(s->values, n), RG_PIECE(s->sizes, n), RG_PIECE(s->span, n),
        RG_PIECE(s->margins, n), RG_PIECE(s->samples, POINTS * n), RG_PIECE(s->unit, states),
        RG_PIECE(s->passed, states), RG_PIECE(s->Y, stages), RG_PIECE(s->Yp, stages),
        RG_PIECE(s->before.y, states), RG_PIECE(s->before.yp, states), RG_PIECE(s->here.y, states),
        RG_PIECE(s->here.yp, states), RG_PIECE(s->behind.y, states), RG_PIECE(s->behind.yp, states),
        RG_PIECE(s->row, 4 * states), RG_PIECE(s->looked, RG_HIDDEN_SETS * n),
        RG_PIECE(s->is_open, RG_HIDDEN_SETS * states), RG_PIECE(s->rows.looked, RG_HIDDEN_SETS * n),
        RG_PIECE(s->rows.is_open, RG_HIDDEN_SETS * states)));
    s->n_row = states;
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
rg_status rg_switching_begin(rg_switching *s, bool is_open)
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
    rg_switching_look_ahead(s, g->t);
    for (int64_t c = 0; c < s->m; c++) {
        rg_switch *w = &s->switches[c];
        if (!w->is_timed) continue;
        is_in_doubt = is_in_doubt || w->largest == 0.0 || w->branch != w->next;
        w->branch = w->next;
    }
    rg_switching_hold(s);
    RG_TRY(rg_switching_sizes(s, g->t, g->y, g->yp));
    for (int64_t c = 0; c < s->m; c++) {
        const double v = rg_switching_value(s, c);
        const double edge = s->switches[c].is_whole ? v - round(v) : v;
        if (s->switches[c].is_timed) continue;
        is_in_doubt = is_in_doubt || fabs(edge) <= RG_SWITCH_AT_ZERO * s->sizes[c];
    }
    if (!is_in_doubt) return RG_OK;
    rg_switching_save(&s->here, g);
    return rg_switching_pass(s, NULL, RG_SWITCH_START);
}

bool rg_switching_has_jumped(const rg_switching *s)
{
    for (int64_t k = 0; k < s->g->n; k++)
        if (fabs(s->behind.y[k] - s->here.y[k])
            > RG_SWITCH_IS_JUMP * (fabs(s->here.y[k]) + s->unit[k]))
            return true;
    return false;
}

/* The start, or the point behind a switch. */
rg_status rg_switching_restart(rg_switching *s, double h)
{
    rg_integrator *a = rg_switching_active(s);
    const rg_state from = {s->behind.t, s->behind.y, s->behind.yp};

    if (s->joined != NULL) rg_system_join(s->joined->work, false);
    s->joined = NULL;
    RG_TRY(rg_integrator_restart(s->g, &from, h));
    return a != s->g ? rg_integrator_restart(a, &from, h) : RG_OK;
}

/* An absolute tolerance of zero leaves what follows without a size at y = 0. */
static void set_units(rg_switching *s)
{
    for (int64_t k = 0; k < s->g->n; k++) {
        const double unit = rg_integrator_unit(s->g, k);
        s->unit[k] = unit > 0.0 ? unit : 1e-3;
    }
}

static rg_status make(rg_integrator *g, rg_switching **out)
{
    rg_switching *s = *out = rg_alloc(g->ctx, 1, sizeof *s);

    if (s == NULL) return RG_ERR_MEMORY;
    s->ctx = g->ctx;
    s->g = g;
    g->switching = s;
    s->n = rg_system_switch_count(g->system);
    s->t_stop = s->t_saved = NAN;
    for (size_t k = 0; k < sizeof s->last / sizeof *s->last; k++)
        s->last[k] = NAN;
    RG_TRY(take_memory(s));
    set_units(s);
    RG_TRY(rg_switching_join(s));
    return rg_switching_find_times(s);
}

/* What the rounding of t has made of values at a start far from t = 0. */
static rg_status look_at_start(rg_switching *s)
{
    const rg_integrator *g = s->g;

    if (!rg_integrator_is_far(g) || !g->method->is_radau) return RG_OK;
    rg_switching_save(&s->behind, g);
    const rg_status status = rg_switching_recover(s, g->t, s->behind.y, s->behind.yp);
    return status == (rg_status)RG_RETRY ? RG_OK : status;
}

rg_status rg_switching_create(rg_integrator *g, rg_switching **out)
{
    *out = NULL;
    if (!g->method->holds_branches || !rg_system_can_hold(g->system)) return RG_OK;
    rg_switching *s = NULL;
    rg_status status = make(g, &s);
    if (status == RG_OK) status = rg_switching_begin(s, false);
    if (status == RG_OK && s->trial != NULL && (s->is_sliding || rg_switching_has_jumped(s)))
        status = rg_switching_restart(s, 0.0);
    if (status == RG_ERR_CONVERGENCE && s->has_no_branch) {
        bool is_saved;
        const rg_status saved = rg_switching_rescue(s, false, &is_saved);
        if (saved != RG_OK || is_saved) status = saved;
    }
    if (status == (rg_status)RG_RETRY) status = RG_OK; /* the first step will tell */
    if (status == RG_OK) status = look_at_start(s);
    if (status == RG_OK)
        *out = s;
    else
        rg_switching_destroy(&s);
    return status;
}

rg_status rg_switching_create_again(rg_integrator *g, rg_switching **out)
{
    *out = NULL;
    if (!g->method->holds_branches || !rg_system_can_hold(g->system)) return RG_OK;
    const rg_status status = make(g, out);
    if (status != RG_OK) rg_switching_destroy(out);
    return status;
}

rg_status rg_switching_open(rg_integrator *g, bool *is_found)
{
    rg_switching *s = NULL;
    const size_t bytes = (size_t)g->n * sizeof *g->y;

    *is_found = false;
    if (!g->method->holds_branches || !rg_system_can_hold(g->system)) return RG_OK;
    rg_status status = make(g, &s);
    if (status == RG_OK) status = rg_switching_begin(s, true);
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
    rg_integrator_destroy(&s->rows.trial);
    rg_integrator_destroy(&s->slider);
    rg_system_destroy(&s->sliding);
    s->g->taker = NULL;
    s->g->taken = NULL;
    s->g->along = s->g->switching = NULL;
    rg_growth_destroy(&s->growth);
    rg_free(s->ctx, s->memory);
    rg_free(s->ctx, s->times);
    rg_free(s->ctx, s);
    *switching = NULL;
}
