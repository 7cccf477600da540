/* Ends of the domain of an equation: a tank runs empty, sqrt(h) has an infinite slope there.
 *
 * Where no step is possible any more and a switch is zero within the tolerance, the run goes on
 * with its other branch, as at a switch (sqrt(max(h, 0))).  Where no branch has a step (sign(d)
 * sqrt(abs(d))), implicit Euler is taken, whose damped Newton iteration keeps values defined: as
 * long as nothing changes by more than the tolerance, with steps twice as long each time. */
#include "ivp/switching/switching.h"
#include "ivp/switching/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Switches that the error of the unknowns alone may have on the other side: the largest values that
 * these had do not count, a tank of 1e12 litres runs empty to the last tolerance.  Values are those
 * of rg_switching_sizes() at the same point. */
static rg_status mark_zeros(rg_switching *s, double t, const double *y, const double *yp,
                            uint8_t *crossing, bool *is_any)
{
    const rg_integrator *g = s->g;
    const double tol = RG_REST_ZERO * g->options.rtol;
    double *unit = s->behind.yp; /* not needed here */

    for (int64_t k = 0; k < g->n; k++)
        unit[k] = rg_integrator_unit(g, k);
    const rg_status status =
        rg_system_switch_sizes(g->system, g->work, t, y, yp, unit, s->margins, s->span);
    if (status < 0) return status;
    *is_any = false;
    for (int64_t c = 0; c < s->m; c++) {
        const rg_switch *w = &s->switches[c];
        const double v = fabs(rg_switching_value(s, c));
        const double size = s->margins[w->function] + s->span[w->function];
        crossing[c] = !w->is_whole && !w->is_timed && !w->slides && isfinite(size)
                      && v <= tol * size; /* sqrt(0) has no slope: what it stands in has no size */
        *is_any = *is_any || crossing[c];
    }
    return RG_OK;
}

/* Near rest every branch is that of the value: a held one need not be defined there. */
static void follow_values(rg_switching *s, const uint8_t *crossing)
{
    for (int64_t c = 0; c < s->m; c++) {
        const double v = rg_switching_value(s, c);
        if (!crossing[c] || v == 0.0) continue;
        s->switches[c].branch = v > 0.0 ? 1.0 : -1.0;
        s->switches[c].offset = 0.0;
    }
    rg_switching_hold(s);
}

/* How long it takes until the switches that are nearly zero have passed it, going on as now.  A
 * step behind them that is shorter has values on their old side, where the other branches of a root
 * are not defined. */
static rg_status time_to_pass(rg_switching *s, const uint8_t *crossing, double *most)
{
    rg_integrator *g = s->g;
    const double limit = RG_REST_STEP * fabs(g->t_end - g->t_start);
    const double d = g->direction * fmin(fabs(s->step), limit);
    double *value = s->margins;

    *most = 0.0;
    for (int64_t c = 0; c < s->m; c++)
        value[c] = rg_switching_value(s, c);
    for (int64_t k = 0; k < g->n; k++)
        s->behind.y[k] = s->here.y[k] + d * s->here.yp[k];
    const rg_status status = rg_switching_sizes(s, s->here.t + d, s->behind.y, s->here.yp);
    for (int64_t c = 0; c < s->m && status == RG_OK; c++) {
        const double slope = (rg_switching_value(s, c) - value[c]) / d;
        const double time = -value[c] / (slope * g->direction);
        if (crossing[c] && time > *most) *most = fmin(time, limit);
    }
    if (status < 0) return status;
    return rg_switching_sizes(s, s->here.t, s->here.y, s->here.yp);
}

/* The other branches of the switches that are nearly zero. */
static rg_status try_branches(rg_switching *s, const uint8_t *crossing, bool *is_saved)
{
    double time;

    RG_TRY(time_to_pass(s, crossing, &time));
    time = fmax(time, RG_REST_BEYOND * DBL_EPSILON * fabs(s->here.t));
    const double least = RG_REST_BEYOND * time / RG_BEHIND_STEP;
    if (fabs(s->step) < least) s->step = s->g->direction * least;
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

static void fail_rest(rg_switching *s, const uint8_t *crossing)
{
    char name[128] = "an equation";

    for (int64_t c = s->m - 1; c >= 0; c--)
        if (crossing[c])
            rg_system_switch_name(s->g->system, s->switches[c].function, name, sizeof name);
    rg_clear_error(s->ctx);
    rg_fail(s->ctx, RG_ERR_CONVERGENCE,
            "stopped at t = %.10g: the solution rests where a switch in %s has an infinite slope, "
            "while other unknowns move",
            s->here.t, name);
    rg_fail_time(s->ctx, s->here.t);
    rg_remedy(s->ctx, "give it a finite slope at zero: for example d/sqrt(abs(d) + 1e-6) for "
                      "sign(d)*sqrt(abs(d))");
}

/* Steps by implicit Euler from here on; not again and again. */
static rg_status begin_rest(rg_switching *s, const uint8_t *crossing, bool *is_saved)
{
    rg_integrator *g = s->g;

    RG_TRY(rg_switching_sizes(s, s->here.t, s->here.y, s->here.yp));
    follow_values(s, crossing);
    if (++s->rests > RG_REST_MOST) {
        fail_rest(s, crossing);
        return RG_ERR_CONVERGENCE;
    }
    s->h_rest = RG_REST_STEP * fabs(g->t_end - g->t_start);
    RG_TRY(rg_integrator_restart(g, &(rg_state){s->here.t, s->here.y, s->here.yp}, s->h_rest));
    *is_saved = s->stops < 2;
    return RG_OK;
}

rg_status rg_switching_rescue(rg_switching *s, bool with_branches, bool *is_saved)
{
    uint8_t *crossing = rg_alloc(s->ctx, (size_t)s->m + 1, 1);
    const rg_error error = *rg_last_error(s->ctx);
    bool is_any = false;

    *is_saved = false;
    if (crossing == NULL) return RG_ERR_MEMORY;
    rg_clear_error(s->ctx);
    rg_switching_save(&s->here, rg_switching_active(s));
    rg_status status = rg_switching_sizes(s, s->here.t, s->here.y, s->here.yp);
    if (status == RG_OK)
        status = mark_zeros(s, s->here.t, s->here.y, s->here.yp, crossing, &is_any);
    if (status == RG_OK && is_any) {
        s->stops = s->t_stop == s->here.t ? s->stops + 1 : 0;
        s->t_stop = s->here.t;
        const double moment = RG_REST_MOMENT * fabs(s->g->t_end - s->g->t_start);
        const bool is_new = !(fabs(s->here.t - s->t_saved) <= moment);
        if (s->stops == 0 && with_branches && is_new) status = try_branches(s, crossing, is_saved);
        if (*is_saved) s->t_saved = s->here.t;
        if (status == RG_OK && !*is_saved && !s->is_sliding)
            status = begin_rest(s, crossing, is_saved);
    }
    rg_free(s->ctx, crossing);
    if (status == (rg_status)RG_RETRY) status = RG_OK;
    if (status == RG_OK && !*is_saved) rg_fail_again(s->ctx, &error);
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
    g->is_line = true;
    g->stats.steps++;
    return RG_OK;
}

/* Nothing changes by more than the tolerance. */
static bool is_small(const rg_switching *s)
{
    const rg_integrator *g = s->g;
    bool is_so = true;

    for (int64_t k = 0; k < g->n && is_so; k++)
        is_so =
            fabs(s->Y[k] - g->y[k]) <= rg_integrator_atol(g, k) + g->options.rtol * fabs(g->y[k]);
    return is_so;
}

/* No branch ends in this step, but of switches that are zero within the tolerance. */
static rg_status stays(rg_switching *s, double t, uint8_t *zero, bool *is_so)
{
    bool is_any;

    RG_TRY(rg_switching_sizes(s, t, s->Y, s->Yp));
    RG_TRY(mark_zeros(s, t, s->Y, s->Yp, zero, &is_any));
    RG_TRY(rg_switching_margins(s, t, s->Y, s->Yp, s->margins));
    *is_so = true;
    for (int64_t c = 0; c < s->m; c++)
        if (!s->switches[c].is_timed && !zero[c] && !(s->margins[c] >= 0.0)) *is_so = false;
    return RG_OK;
}

rg_status rg_switching_rest(rg_switching *s, double goal, bool *is_taken)
{
    rg_integrator *g = s->g;
    const double left = fabs(goal - g->t), least = RG_REST_LEAST * fabs(g->t_end - g->t_start);
    uint8_t *zero = rg_alloc(s->ctx, (size_t)s->m + 1, 1);
    rg_status status = zero != NULL ? RG_OK : RG_ERR_MEMORY;

    bool is_any;

    *is_taken = false;
    rg_switching_save(&s->here, g);
    if (status == RG_OK && s->trial == NULL) status = rg_switching_make_trial(s);
    if (status == RG_OK) status = rg_switching_sizes(s, g->t, g->y, g->yp);
    if (status == RG_OK) status = mark_zeros(s, g->t, g->y, g->yp, zero, &is_any);
    if (status == RG_OK) follow_values(s, zero);
    while (status == RG_OK && !*is_taken && s->h_rest >= least) {
        const double h = fmin(s->h_rest, left), t = h == left ? goal : g->t + g->direction * h;
        rg_switching_place_trial(s);
        status = rg_radau_trial(s->trial, 1, t - g->t, s->Y, s->Yp);
        if (status == RG_OK && is_small(s)) status = stays(s, t, zero, is_taken);
        if (status == RG_OK && *is_taken) status = take(s, t);
        if (status == (rg_status)RG_RETRY) status = RG_OK;
        s->h_rest *= *is_taken ? 2.0 : 0.1;
        if (!*is_taken && s->t_stop != g->t) break; /* something moves again */
    }
    rg_free(s->ctx, zero);
    if (status != RG_OK || *is_taken) return status;
    const double h = fmin(RG_REST_STEP * fabs(g->t_end - g->t_start), left);
    s->h_rest = 0.0;
    return rg_integrator_restart(g, &(rg_state){s->here.t, s->here.y, s->here.yp}, h);
}
