/* Steps of an implicit Runge-Kutta method: fixed, or  h_new = 0.9 h err^(-1/q)  with the error
 * estimate of order q (dense.c). */
#include "ivp/irk/irk.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double SAFETY = 0.9, SHRINK = 0.2, GROW = 5.0;
static const double FIRST_CHANGE = 0.01, FIRST_LONGEST = 1e-3; /* as in radau/start.c */
static const double LAST_STRETCH = 1e-6; /* a rest this much longer than h is one step */
static const int MAX_FAILURES = 40, MAX_FAILURES_FIXED = 3;

/* A change of one hundredth, at most a thousandth of the interval. */
static void first_step(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);
    const rg_options *o = &g->options;
    const double longest = FIRST_LONGEST * fabs(g->t_end - g->t);
    double h = o->step > 0.0 ? o->step : o->h_first, y = 0.0, yp = 0.0;

    if (h == 0.0) {
        for (int64_t k = 0; k < g->n; k++) {
            const double scale = o->atol + o->rtol * fabs(g->y[k]);
            if (scale <= 0.0 || r->is_algebraic[k]) continue;
            y += (g->y[k] / scale) * (g->y[k] / scale);
            yp += (g->yp[k] / scale) * (g->yp[k] / scale);
        }
        h = yp > 0.0 ? fmin(longest, FIRST_CHANGE * fmax(sqrt(y), 1.0) / sqrt(yp)) : longest;
    }
    if (o->step == 0.0 && o->h_max > 0.0) h = fmin(h, o->h_max);
    r->h_wanted = g->direction * h;
}

/* h as wanted, or what is left of the interval; a rest of less than two steps is halved. */
static void choose_step(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);
    const double rest = g->t_end - g->t;

    r->h = r->h_wanted;
    if (r->is_fixed) {
        const double next = r->fixed_start + (double)(r->fixed_steps + 1) * r->h_wanted - g->t;
        if (!(fabs(next - r->h_wanted) < 1e-9 * fabs(r->h_wanted))) r->h = next;
    }
    r->is_last = fabs(r->h) * (1.0 + LAST_STRETCH) >= fabs(rest);
    if (r->is_last)
        r->h = rest;
    else if (!r->is_fixed && 2.0 * fabs(r->h) > fabs(rest))
        r->h = rest / 2.0;
}

/* 1/(atol + rtol |y_n|), times h^(index - 1); fixed step: 1/(1 + |y_n|). */
static void set_weights(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);
    const rg_options *o = &g->options;
    const int *index = rg_system_variable_index(g->system);

    for (int64_t k = 0; k < g->n; k++) {
        const double scale = r->is_fixed ? 1.0 + fabs(g->y[k]) : o->atol + o->rtol * fabs(g->y[k]);
        r->weight[k] = 1.0 / fmax(scale, DBL_MIN);
        for (int j = 1; j < index[k] && j < 3 && !r->is_fixed; j++)
            r->weight[k] *= fabs(r->h);
    }
}

/* The new point, in reduced views on the hidden constraints.  The stabilized view has its levels as
 * equations; methods that are not stiffly accurate meet them up to their order, which a
 * projection by the least change would lower (Gauss, 3 stages: 3 in place of 4). */
static rg_status new_point(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);
    const rg_options *o = &g->options;
    const double t = r->is_last ? g->t_end : g->t + r->h;

    if (!rg_system_projects(g->system)) return RG_OK;
    if (!r->is_accurate && rg_system_hidden_levels(g->system) == 0) return RG_OK;
    for (int64_t k = 0; k < g->n; k++)
        r->error[k] = o->atol + o->rtol * fabs(g->y[k]);
    const rg_status status = rg_system_project(g->system, g->work, t, r->error, r->Y, r->Yp);
    if (status != RG_OK) r->cause = IRK_PROJECTION;
    return status;
}

static double step_factor(const rg_irk *r, double error)
{
    return fmax(SHRINK, fmin(GROW, SAFETY * pow(error, -1.0 / r->order)));
}

/* RG_RETRY: *factor says how to change h. */
static rg_status attempt(rg_integrator *g, double *error, double *factor)
{
    rg_irk *r = rg_irk_of(g);

    *factor = r->failures < 5 ? 0.5 : 0.1;
    *error = 0.0;
    set_weights(g);
    RG_TRY(rg_irk_prepare(g));
    RG_TRY(rg_irk_newton(g));
    rg_irk_end(g);
    if (!r->is_fixed) {
        *error = rg_irk_error(g);
        if (!(*error < 1.0)) {
            r->cause = isfinite(*error) ? IRK_ERROR : IRK_VALUES;
            if (isfinite(*error)) *factor = r->h_accepted == 0.0 ? 0.1 : step_factor(r, *error);
            return (rg_status)RG_RETRY;
        }
    }
    return new_point(g);
}

static void accept(rg_integrator *g, double error)
{
    rg_irk *r = rg_irk_of(g);
    const size_t bytes = (size_t)g->n * sizeof(double);

    rg_irk_dense(g);
    memcpy(r->before, g->y, bytes);
    memcpy(g->y, r->Y, bytes);
    for (int64_t k = 0; k < g->n; k++) /* without a derivative: the slope of the polynomial */
        for (int p = 0; r->is_algebraic[k] && p <= g->degree; p++)
            r->Yp[k] = (p > 0 ? r->Yp[k] : 0.0) + p * g->polynomial[p * g->n + k] / r->h;
    memcpy(g->yp, r->Yp, bytes);
    g->t_previous = g->t;
    g->t = r->is_last ? g->t_end : g->t + r->h;
    g->stats.steps++;
    r->h_accepted = r->h;
    if (r->is_fixed) {
        r->fixed_steps = r->is_last ? 0 : r->fixed_steps + 1;
        if (r->is_last) r->fixed_start = g->t;
        return;
    }
    double next = fabs(r->h) * step_factor(r, error);
    if (r->was_rejected) next = fmin(next, fabs(r->h));
    if (fabs(r->h) < fabs(r->h_wanted)) next = fmax(next, fabs(r->h_wanted)); /* cut by t_end */
    if (g->options.h_max > 0.0) next = fmin(next, g->options.h_max);
    r->h_wanted = g->direction * next;
}

rg_status rg_irk_step(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);
    double error, factor;

    if (r->h_wanted == 0.0) first_step(g);
    r->was_rejected = false;
    r->failures = 0;
    for (;;) {
        if (rg_interrupted(g->ctx)) {
            rg_fail(g->ctx, RG_ERR_INTERRUPTED, "interrupted at t = %g", g->t);
            rg_fail_time(g->ctx, g->t);
            return rg_remedy(g->ctx, "run again, or shorten the interval with --to");
        }
        if (g->stats.steps + g->stats.rejected >= g->options.max_steps)
            return rg_irk_too_many_steps(g);
        choose_step(g);
        r->cause = IRK_NONE;
        if (0.1 * fabs(r->h) <= fabs(g->t) * DBL_EPSILON && !r->is_last) return rg_irk_give_up(g);
        const rg_status status = attempt(g, &error, &factor);
        if (status == RG_OK) break;
        if (status < 0) return status;
        g->stats.rejected++;
        if (++r->failures >= (r->is_fixed ? MAX_FAILURES_FIXED : MAX_FAILURES))
            return rg_irk_give_up(g);
        if (!r->is_fixed) r->h_wanted = r->h * factor;
        r->was_rejected = true;
    }
    accept(g, error);
    return RG_OK;
}
