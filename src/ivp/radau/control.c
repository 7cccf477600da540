/* Step size control: HW96 section IV.8, with the constants of RADAU5; q = s + 1, s stages.
 *
 *     h_new = fac h err^(-1/q),   fac = 0.9 (2 k_max + 1)/(2 k_max + k),  k the Newton iterations,
 *     Gustafsson:  h_pred = 0.9 h (h/h_old) (err_old/err^2)^(1/q),        h_new <- min(h_new,
 *                  h_pred);
 *
 * 1/5 <= h_new/h <= 8.  Jacobian kept while theta < 0.001; factors too while 1 <= h_new/h <= 1.2;
 * longer where factors are expensive. */
#include "ivp/radau/radau.h"

#include "ivp/pace.h"
#include "ivp/radau/tuning.h"
#include "ivp/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The attempt: h as wanted, or what is left of the interval.  A rest of less than two steps is
 * halved: a very short last step spoils multipliers, which are good to about (error of the
 * positions)/h^2 (pendulum, 1e-8: 5e-6 instead of 1e-3). */
static void choose_step(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const double rest = g->t_end - g->t - r->t_low;

    if (r->is_fixed) {
        const double next = r->fixed_start + (double)(r->fixed_steps + 1) * r->h_wanted;
        r->h = next - g->t;
        if (fabs(r->h - r->h_wanted) < RG_SAME * fabs(r->h_wanted)) r->h = r->h_wanted;
    } else {
        r->h = r->h_wanted;
    }
    r->is_last = fabs(r->h) * (1.0 + RG_PACE_LAST) >= fabs(rest);
    if (rg_pace_splits(g, r->fixed_steps, rest)) {
        r->is_last = false;
        r->h = RG_ESTIMATE_STEP * rest;
    } else if (r->is_last)
        r->h = rest;
    else if (!r->is_fixed && 2.0 * fabs(r->h) > fabs(rest))
        r->h = rest / 2.0;
}

/* Steps are exact, but those who see them know their ends only as rounded. */
static bool is_below_rounding(const rg_integrator *g)
{
    return 0.5 * fabs(rg_radau_of(g)->h) <= rg_integrator_time_rounding(g)
           && !rg_radau_of(g)->is_last;
}

/* t and t_low at the end of a step */
static void advance_time(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const double t = g->t, h = r->t_low + r->h;

    g->t_previous = t;
    g->t = r->is_last ? g->t_end : t + h;
    r->t_low = r->is_last || r->is_fixed ? 0.0
               : fabs(t) > fabs(h)       ? h - (g->t - t)
                                         : t - (g->t - h);
}

/* y_{n+1} = y_n + Z_s,  y'_{n+1} = Y'_s; onto the hidden constraints in reduced views.  The
 * polynomial then ends at the projected point. */
static rg_status new_point(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const double t = r->is_last ? g->t_end : rg_radau_time(g, 1.0);

    rg_radau_last_stage(g);
    if (!rg_system_projects(g->system)) return RG_OK;
    const rg_status status = rg_radau_project(g, t);
    if (status != RG_OK) {
        r->cause = RADAU_PROJECTION;
        return status;
    }
    double *Zs = rg_radau_stage(r, r->Z, r->table->s - 1);
    for (int64_t i = 0; i < g->n; i++)
        Zs[i] = r->Y[i] - g->y[i];
    return RG_OK;
}

/* h/h_new from the error of this step alone. */
static double step_quotient(const rg_radau *r, double error)
{
    const double k_max = r->max_newton;
    const double fac =
        RG_RADAU_SAFETY * fmin(1.0, (1.0 + 2.0 * k_max) / (r->iterations + 2.0 * k_max));

    return fmax(RG_RADAU_GROW, fmin(RG_RADAU_SHRINK, rg_radau_root(r->table->s, error) / fac));
}

/* One attempt with r->h.  RG_RETRY: *h_factor says how to change h. */
static rg_status attempt(rg_integrator *g, double *error, double *h_factor)
{
    rg_radau *r = rg_radau_of(g);

    *h_factor = 0.0;
    *error = 0.0;
    RG_TRY(rg_radau_prepare(g));
    rg_radau_weights(g);
    rg_status status = rg_radau_full(g);
    if (status == (rg_status)RG_RETRY) {
        rg_radau_predict(g);
        status = rg_radau_newton(g, h_factor);
    }
    RG_TRY(status);
    if (!r->is_fixed) {
        *error = rg_radau_error(g);
        if (!(*error < 1.0)) { /* also catches NaN */
            r->cause = isfinite(*error) ? RADAU_ERROR : RADAU_VALUES;
            if (isfinite(*error))
                *h_factor = r->h_accepted == 0.0 ? 0.1 : 1.0 / step_quotient(r, *error);
            return (rg_status)RG_RETRY;
        }
    }
    if (r->has_pins) RG_TRY(rg_radau_least_norm(g));
    return new_point(g);
}

/* How much longer may it become for Newton's method, whose rate grows with the step?  Where
 * factors are kept, an old Jacobian may be the reason of a rate. */
static double newton_growth(const rg_radau *r, bool is_thrifty)
{
    if (r->theta == 0.0 || r->is_at_rounding || is_thrifty) return INFINITY; /* not known */
    return fmax(RG_RADAU_SURE_GROWTH, RG_RADAU_GROWN_RATE / r->theta);
}

/* The step after an accepted one. */
static void choose_next(rg_integrator *g, double error)
{
    rg_radau *r = rg_radau_of(g);
    const double h = r->h;
    double quotient = step_quotient(r, error);

    if (r->error_accepted > 0.0) {
        const double predicted = (r->h_accepted / h)
                                 * rg_radau_root(r->table->s, error * error / r->error_accepted)
                                 / RG_RADAU_SAFETY;
        quotient = fmax(quotient, fmax(RG_RADAU_GROW, fmin(RG_RADAU_SHRINK, predicted)));
    }
    r->error_accepted = fmax(1e-2, error);
    double next = fabs(h) / quotient;
    if (r->was_rejected) next = fmin(next, fabs(h));
    if (fabs(h) < fabs(r->h_wanted)) next = fmax(next, fabs(r->h_wanted)); /* cut by t_end only */
    const bool is_thrifty = rg_radau_is_thrifty(g);
    next = fmin(next, newton_growth(r, is_thrifty) * fabs(h));
    if (g->options.h_max > 0.0) next = fmin(next, g->options.h_max);
    const double growth = next / fabs(h);
    const bool keeps = r->theta <= (is_thrifty ? RG_RADAU_THRIFTY_RATE : RG_RADAU_KEEP_RATE);
    const bool stays = keeps && growth >= 1.0
                       && growth <= (is_thrifty ? RG_RADAU_THRIFTY_STEP : RG_RADAU_KEEP_STEP);
    r->has_jacobian = is_thrifty ? stays : keeps; /* with new factors also a new Jacobian */
    r->h_wanted = stays ? h : g->direction * next;
}

static rg_status accept(rg_integrator *g, double error)
{
    rg_radau *r = rg_radau_of(g);
    const size_t bytes = (size_t)g->n * sizeof(double);

    if (r->begins) rg_radau_begin(g);
    r->begins = false;
    rg_radau_dense(g);
    memcpy(g->y, r->Y, bytes);
    memcpy(g->yp, r->Yp, bytes);
    advance_time(g);
    g->stats.steps++;
    if (r->is_fixed) {
        r->has_jacobian = false;
        r->fixed_steps = r->is_last ? 0 : r->fixed_steps + 1;
        if (r->is_last) r->fixed_start = g->t;
    } else {
        choose_next(g, error);
    }
    r->h_accepted = r->h;
    r->is_fresh = false;
    r->is_old = true;
    if (r->failures == 0) r->stuck = r->stuck >= RG_RADAU_STUCK ? r->stuck - 1 : 0;
    return r->varies ? rg_radau_choose_order(g) : RG_OK;
}

/* Halves the step, or takes the factor that was found; after many failures in a row tenths of
 * it. */
static rg_status reduce(rg_integrator *g, double h_factor)
{
    rg_radau *r = rg_radau_of(g);

    r->failures++;
    if (r->cause == RADAU_NEWTON) r->stuck++;
    g->stats.rejected++;
    const bool is_impatient = r->cause == RADAU_VALUES && r->patience > 0;
    const int most = is_impatient  ? r->patience
                     : r->is_fixed ? RG_PACE_FAILURES_FIXED
                                   : RG_PACE_FAILURES;
    if (r->failures >= most) return rg_radau_give_up(g);
    if (r->is_fixed) return RG_OK;               /* again, from another prediction */
    if (r->is_old && r->cause == RADAU_NEWTON) { /* the old Jacobian may be the reason */
        r->has_jacobian = false;
        r->is_old = false;
        return RG_OK;
    }
    if (h_factor == 0.0) h_factor = r->failures <= 5 ? 0.5 : 0.1;
    r->h_wanted = r->h * h_factor;
    r->was_rejected = true;
    if (!r->is_fresh) r->has_jacobian = false;
    return rg_radau_lower_order(g);
}

/* Trace of one attempt. */
static void trace(const rg_integrator *g, rg_status status, double error)
{
    static const char *const reason[] = {
        "accepted", "Newton", "error test", "singular matrix", "values not finite", "projection"};
    const rg_radau *r = rg_radau_of(g);

    if (!rg_log_wanted(g->ctx, 3)) return;
    rg_log(g->ctx, 3, "t = %.10g, h = %.4g: %s, error %.3g, %d iterations, theta %.2g, %d stages",
           g->t, r->h, reason[status == RG_OK ? RADAU_NONE : r->cause], error, r->iterations,
           r->theta, r->table->s);
}

rg_status rg_radau_step(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    double error, h_factor;

    if (r->h_wanted == 0.0) RG_TRY(rg_radau_first_step(g));
    r->was_rejected = false;
    r->failures = 0;
    r->has_weights = false;
    r->cause = RADAU_NONE;
    for (;;) {
        RG_TRY(rg_integrator_go_on(g));
        if (g->stats.steps + g->stats.rejected >= g->options.max_steps)
            return rg_radau_too_many_steps(g);
        choose_step(g);
        if (is_below_rounding(g)) return rg_radau_give_up(g);
        const rg_status status = attempt(g, &error, &h_factor);
        trace(g, status, error);
        if (status == RG_OK) break;
        if (status < 0) return status;
        RG_TRY(reduce(g, h_factor));
    }
    return accept(g, error);
}
