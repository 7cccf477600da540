/* Trial steps behind a switch: a short Radau IIA step from the point before it, with other
 * branches, some of which may slide. */
#include "ivp/switching/search.h"
#include "ivp/switching/tuning.h"

#include <math.h>
#include <string.h>

rg_status rg_switching_make_integrator(rg_switching *s, const rg_switch_point *at,
                                       rg_integrator **out)
{
    rg_options o = s->g->options;
    const rg_state start = {at->t, at->y, at->yp};

    o.step = 0.0;
    o.stages = o.order = 0;
    return rg_integrator_create_with(&rg_radau_method, s->sliding, &o, &start, s->g->t_end, out);
}

static rg_status make_view(rg_switching *s)
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
    return status;
}

rg_status rg_switching_make_trial(rg_switching *s)
{
    if (s->sliding == NULL) RG_TRY(make_view(s));
    return rg_switching_make_integrator(s, &s->here, &s->trial);
}

/* Pivots of sparse matrices are those of the trial steps before. */
void rg_switching_exchange_rows(rg_switching *s)
{
    const rg_switch_rows rows = s->rows;

    s->rows = (rg_switch_rows){s->trial, s->looked, s->is_open, s->n_looked};
    s->trial = rows.trial;
    s->looked = rows.looked;
    s->is_open = rows.is_open;
    s->n_looked = rows.n_looked;
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

rg_status rg_switching_try(rg_switching *s, double h, bool is_relaxed)
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

rg_status rg_switching_settle_row(rg_switching *s, double t, double *y, double *yp)
{
    rg_integrator *g = s->g;
    const rg_switch_point here = s->here, behind = s->behind;
    const size_t bytes = (size_t)g->n * sizeof *y;
    double *own = s->row;

    s->here = (rg_switch_point){t, own, own + s->n_row};
    s->behind = (rg_switch_point){t, own + 2 * s->n_row, own + 3 * s->n_row};
    memcpy(s->here.y, y, bytes);
    memcpy(s->here.yp, yp, bytes);
    rg_switching_exchange_rows(s);
    rg_status status = s->trial == NULL ? rg_switching_make_trial(s) : RG_OK;
    const rg_stats before = s->trial != NULL ? s->trial->stats : (rg_stats){0};
    if (status == RG_OK) status = rg_switching_try(s, RG_BEHIND_STEP * fabs(s->step), false);
    if (status == RG_OK) {
        rg_switch_take_point(s);
        for (int64_t j = 0; j < g->n; j++)
            if (!rg_switch_is_held(s, j)) y[j] = s->behind.y[j];
        memcpy(yp, s->behind.yp, bytes);
    }
    if (s->trial != NULL) rg_switching_take_stats(&g->recovered, &s->trial->stats, &before);
    rg_switching_exchange_rows(s);
    s->here = here;
    s->behind = behind;
    return status < 0 ? status : RG_OK;
}
