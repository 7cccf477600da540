/* Ends of the domain of an equation: a tank runs empty, sqrt(h) has an infinite slope there.
 *
 * Where no step is possible any more and a switch is zero within the tolerance, the run goes on
 * with its other branch, as at a switch (sqrt(max(h, 0))).  Where no branch has a step (sign(d)
 * sqrt(abs(d))), implicit Euler is taken, whose damped Newton iteration keeps values defined: as
 * long as nothing changes by more than the tolerance, with steps twice as long each time. */
#include "ivp/switching/switching.h"

#include <math.h>
#include <string.h>

static const double NEAR_ZERO = 0.1;  /* of the tolerance, times S + unit */
static const double REST_STEP = 1e-6; /* of the interval: the first step near rest */

static bool mark_zeros(rg_switching *s, uint8_t *crossing)
{
    const double tol = NEAR_ZERO * s->g->options.rtol;
    bool is_any = false;

    for (int64_t c = 0; c < s->m; c++) {
        const rg_switch *w = &s->switches[c];
        const double v = fabs(rg_switching_value(s, c));
        crossing[c] =
            !w->is_whole && !w->is_timed && !w->slides && v <= tol * (s->sizes[c] + s->unit);
        is_any = is_any || crossing[c];
    }
    return is_any;
}

/* The other branches of the switches that are nearly zero. */
static rg_status try_branches(rg_switching *s, const uint8_t *crossing, bool *is_saved)
{
    const rg_status status = rg_switching_pass(s, crossing, RG_SWITCH_STOP);

    *is_saved = status == RG_OK;
    if (status == RG_ERR_CONVERGENCE) {
        rg_clear_error(s->ctx);
        rg_switching_hold(s);
        return RG_OK;
    }
    if (status != RG_OK) return status;
    s->count++;
    return rg_switching_restart(s, 0.1 * fabs(s->step));
}

rg_status rg_switching_rescue(rg_switching *s, bool *is_saved)
{
    const rg_integrator *a = rg_switching_active(s);
    uint8_t *crossing = rg_alloc(s->ctx, (size_t)s->m + 1, 1);
    const rg_error error = *rg_last_error(s->ctx);

    *is_saved = false;
    if (crossing == NULL) return RG_ERR_MEMORY;
    rg_clear_error(s->ctx);
    rg_switching_save(&s->here, a);
    rg_status status = rg_switching_sizes(s, a->t, a->y, a->yp);
    if (status == RG_OK && mark_zeros(s, crossing)) {
        const bool is_again = s->t_stop == a->t;
        s->t_stop = a->t;
        if (!is_again) status = try_branches(s, crossing, is_saved);
        if (status == RG_OK && !*is_saved && !s->is_sliding) {
            s->h_rest = REST_STEP * fabs(s->g->t_end - s->g->t_start);
            status = rg_integrator_restart(s->g, &(rg_state){s->here.t, s->here.y, s->here.yp},
                                           s->h_rest);
            *is_saved = status == RG_OK && !is_again;
        }
    }
    rg_free(s->ctx, crossing);
    if (status == (rg_status)RG_RETRY) status = RG_OK;
    if (status == RG_OK && !*is_saved) { /* as it was */
        rg_clear_error(s->ctx);
        rg_fail(s->ctx, error.code, "%s", error.message);
        rg_fail_time(s->ctx, error.t);
        rg_remedy(s->ctx, "%s", error.remedy);
    }
    return status;
}

/* A step of the run's integrator with a straight line for its polynomial. */
static rg_status take(rg_switching *s, double t)
{
    rg_integrator *g = s->g;

    RG_TRY(rg_integrator_set_degree(g, 1));
    g->t_previous = g->t;
    for (int64_t k = 0; k < g->n; k++) {
        g->polynomial[k] = g->y[k];
        g->polynomial[g->n + k] = s->Y[k] - g->y[k];
        g->y[k] = s->Y[k];
        g->yp[k] = s->Yp[k];
    }
    g->t = t;
    g->stats.steps++;
    return RG_OK;
}

rg_status rg_switching_rest(rg_switching *s, bool *is_taken)
{
    rg_integrator *g = s->g;
    const double left = fabs(g->t_end - g->t), h = fmin(s->h_rest, left);
    const double t = h == left ? g->t_end : g->t + g->direction * h;
    bool is_small = true;

    *is_taken = false;
    rg_switching_save(&s->here, g);
    if (s->slider == NULL) RG_TRY(rg_switching_make_slider(s));
    rg_switching_hold(s);
    rg_switching_place_slider(s);
    const rg_status status = rg_radau_trial(s->slider, 1, t - g->t, s->Y, s->Yp);
    if (status < 0) return status;
    for (int64_t k = 0; k < g->n && status == RG_OK; k++)
        is_small = is_small
                   && fabs(s->Y[k] - g->y[k]) <= g->options.atol + g->options.rtol * fabs(g->y[k]);
    if (status != RG_OK || !is_small) {
        s->h_rest = 0.0;
        return rg_integrator_restart(g, &(rg_state){g->t, g->y, g->yp}, h);
    }
    RG_TRY(take(s, t));
    s->h_rest *= 2.0;
    *is_taken = true;
    return RG_OK;
}
