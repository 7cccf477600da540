/* The integrator around a method: options, start, steps, dense output, restart. */
#include "ivp/integrator.h"

#include "base/vector.h"
#include "ivp/aside.h"
#include "ivp/branch.h"
#include "ivp/degenerate.h"
#include "ivp/method.h"
#include "ivp/open.h"
#include "ivp/pause.h"
#include "ivp/radau/radau.h"
#include "ivp/switching/switching.h"
#include "ivp/tuning.h"
#include "ivp/used_up.h"
#include "linalg/powers.h"

#include <float.h>
#include <math.h>
#include <string.h>

static rg_status check_options(rg_context *ctx, const rg_options *o)
{
    if (!(o->rtol > 0.0 && o->rtol < 1.0 && o->atol >= 0.0 && isfinite(o->atol))) {
        rg_fail(ctx, RG_ERR_ARGUMENT, "rtol = %g, atol = %g cannot be used", o->rtol, o->atol);
        return rg_remedy(ctx, "give rtol between 0 and 1, and atol at least 0");
    }
    if (!(o->step >= 0.0 && o->h_first >= 0.0 && o->h_max >= 0.0)) {
        rg_fail(ctx, RG_ERR_ARGUMENT, "step = %g, h_first = %g, h_max = %g cannot be used", o->step,
                o->h_first, o->h_max);
        return rg_remedy(ctx, "give step sizes of at least 0; 0 leaves the choice to the solver");
    }
    return RG_OK;
}

static rg_status check_start(rg_context *ctx, int64_t n, const rg_state *start, double t_end)
{
    bool finite = isfinite(start->t) && isfinite(t_end);

    for (int64_t i = 0; finite && i < n; i++)
        finite = isfinite(start->y[i]) && isfinite(start->yp[i]);
    if (finite) return RG_OK;
    rg_fail(ctx, RG_ERR_ARGUMENT, "the start values or the interval %g .. %g are not finite",
            start->t, t_end);
    return rg_remedy(ctx, "give finite start values and a finite interval");
}

rg_status rg_integrator_set_degree(rg_integrator *g, int degree)
{
    const size_t n = (size_t)g->n;

    if (degree > g->most_degree || g->polynomial == NULL) {
        const size_t count = n * (size_t)(degree + 1) + RG_LANES;
        double *grown = rg_resize(g->ctx, g->polynomial, count, sizeof *grown);
        if (grown == NULL) return RG_ERR_MEMORY;
        if (g->polynomial == NULL) memset(grown, 0, count * sizeof *grown);
        g->polynomial = grown;
        g->most_degree = degree;
    }
    for (int k = g->degree + 1; k <= degree; k++)
        memset(g->polynomial + (size_t)k * n, 0, n * sizeof *g->polynomial);
    g->degree = degree;
    return RG_OK;
}

static rg_status take_units(rg_integrator *g)
{
    g->unit = rg_alloc(g->ctx, (size_t)g->n + 1, sizeof *g->unit);
    if (g->unit == NULL) return RG_ERR_MEMORY;
    if (rg_system_units(g->system, &g->options, g->unit)) return RG_OK;
    rg_free(g->ctx, g->unit);
    g->unit = NULL;
    return RG_OK;
}

static rg_status fill(rg_integrator *g, const rg_state *start)
{
    const size_t n = (size_t)g->n, bytes = n * sizeof(double);

    g->y = rg_alloc(g->ctx, n + RG_LANES, sizeof *g->y);
    g->yp = rg_alloc(g->ctx, n + RG_LANES, sizeof *g->yp);
    if (g->y == NULL || g->yp == NULL) return RG_ERR_MEMORY;
    if (g->options.units != NULL) RG_TRY(take_units(g));
    RG_TRY(rg_integrator_set_degree(g, g->method->degree));
    memcpy(g->y, start->y, bytes);
    memcpy(g->yp, start->yp, bytes);
    memcpy(g->polynomial, start->y, bytes);
    RG_TRY(rg_system_work_create(g->system, &g->work));
    if ((g->state = rg_alloc(g->ctx, 1, g->method->state_size)) == NULL) return RG_ERR_MEMORY;
    return g->method->create(g);
}

rg_status rg_integrator_create_with(const rg_ivp_method *method, const rg_system *system,
                                    const rg_options *o, const rg_state *start, double t_end,
                                    rg_integrator **out)
{
    rg_context *ctx = rg_system_context(system);

    *out = NULL;
    RG_TRY(check_options(ctx, o));
    RG_TRY(check_start(ctx, rg_system_size(system), start, t_end));
    rg_integrator *g = rg_alloc(ctx, 1, sizeof *g);
    if (g == NULL) return RG_ERR_MEMORY;
    g->ctx = ctx;
    g->system = system;
    g->options = *o;
    g->method = method;
    g->n = rg_system_size(system);
    g->t = g->t_previous = g->t_start = start->t;
    g->t_pulse = g->t_meet = NAN;
    g->t_end = t_end;
    g->direction = t_end < start->t ? -1.0 : 1.0;
    const rg_status status = fill(g, start);
    if (status == RG_OK)
        *out = g;
    else
        rg_integrator_destroy(&g);
    return status;
}

rg_status rg_integrator_create(const rg_system *system, const rg_options *o, const rg_state *start,
                               double t_end, rg_integrator **out)
{
    return rg_integrator_create_with(&rg_radau_method, system, o, start, t_end, out);
}

void rg_integrator_destroy(rg_integrator **integrator)
{
    rg_integrator *g = *integrator;

    if (g == NULL) return;
    if (g->supervisor != NULL) g->supervisor->detach(g);
    if (g->state != NULL) g->method->destroy(g);
    rg_free(g->ctx, g->state);
    rg_system_work_destroy(&g->work);
    rg_free(g->ctx, g->y);
    rg_free(g->ctx, g->yp);
    rg_free(g->ctx, g->unit);
    rg_free(g->ctx, g->polynomial);
    rg_recovery_destroy(&g->recovery);
    rg_branch_destroy(&g->branch);
    rg_degenerate_destroy(&g->degenerate);
    rg_used_up_destroy(&g->used_up);
    rg_free(g->ctx, g->result);
    rg_free(g->ctx, g->row);
    rg_aside_destroy(g->ctx, &g->aside);
    for (int k = 0; k < RG_ROWS_USERS; k++)
        rg_system_work_destroy(&g->row_work[k]);
    if (g->has_pulses) rg_free(g->ctx, g->pulses);
    rg_free(g->ctx, g);
    *integrator = NULL;
}

rg_status rg_integrator_mind_poles(rg_integrator *g)
{
    return rg_branch_create(g, &g->branch);
}

static rg_status take_any_step(rg_integrator *g)
{
    return g->supervisor != NULL ? g->supervisor->step(g) : g->method->step(g);
}

static rg_status take_step(rg_integrator *g)
{
    const rg_status status =
        g->branch != NULL ? rg_branch_step(g->branch, take_any_step) : take_any_step(g);

    return status < 0 ? rg_open_explain(g, status) : status;
}

/* A step ends where a pulse begins; within it steps are short, from the first one on. */
static rg_status step_among_pulses(rg_integrator *g)
{
    const rg_pulse *p = rg_integrator_next_pulse(g);
    const double t_end = g->t_end, h_max = g->options.h_max;

    if (p == NULL) return take_step(g);
    const double begin = rg_integrator_pulse_begin(g, p);
    if ((begin - g->t) * g->direction > 0.0) {
        if ((t_end - begin) * g->direction > 0.0) g->t_end = begin;
    } else {
        const double part = g->first_part > 0.0 ? RG_ESTIMATE_STEP : 1.0; /* the second run */
        const double longest = part * RG_PULSE_STEP * p->width;
        if (h_max == 0.0 || h_max > longest) g->options.h_max = longest;
        const double last = fabs(g->t - g->t_previous);
        double end = t_end;
        const bool goes_on = rg_integrator_pulse_goes_on(g, p, &end);
        if ((t_end - end) * g->direction > 0.0) g->t_end = end;
        if (g->t_pulse != begin && !goes_on && last > RG_RADAU_GROW * g->options.h_max)
            RG_TRY(rg_integrator_restart(g, &(rg_state){g->t, g->y, g->yp},
                                         fmin(g->options.h_max, last)));
        g->t_pulse = begin;
    }
    const rg_status status = take_step(g);
    g->t_end = t_end;
    g->options.h_max = h_max;
    return status;
}

rg_status rg_integrator_remedy(const rg_integrator *g, double h, const char *text)
{
    const double rounding = DBL_EPSILON * fabs(g->t);

    if (!rg_integrator_is_far(g) || !(fabs(h) <= RG_TIME_STEP * rounding))
        return rg_remedy(g->ctx, "%s", text);
    return rg_remedy(g->ctx,
                     "the step is of the size of the rounding of t, %.2g: count the time from the "
                     "start, t - %.10g, or give a larger tol",
                     rounding, g->t_start);
}

bool rg_integrator_fail_huge(const rg_integrator *g)
{
    char name[128];
    int64_t most = 0;

    for (int64_t j = 1; j < g->n; j++)
        if (fabs(g->y[j]) > fabs(g->y[most])) most = j;
    if (g->n == 0 || !(fabs(g->y[most]) > sqrt(DBL_MAX))) return false;
    rg_system_state_name(g->system, most, name, sizeof name);
    rg_fail(g->ctx, RG_ERR_CONVERGENCE,
            "stopped at t = %.10g: '%s' = %.2g has grown beyond the range of numbers", g->t, name,
            g->y[most]);
    rg_fail_time(g->ctx, g->t);
    rg_remedy(g->ctx, "look at the signs and units of what '%s' grows by, or end the run before",
              name);
    return true;
}

/* A step, or a run, that is none: nobody is to take it for one. */
rg_status rg_integrator_fail_astray(const rg_integrator *g, const char *what, double t)
{
    rg_fail(g->ctx, RG_ERR_CONVERGENCE, "%s ended at t = %.10g, on the way from %.10g to %.10g",
            what, g->t, g->t_start, t);
    rg_fail_time(g->ctx, g->t);
    return rg_remedy(g->ctx, "this is a mistake of the solver: take another --method");
}

/* Has the step led on, and no further than to the end? */
static bool is_ahead(const rg_integrator *g)
{
    return (g->t - g->t_previous) * g->direction > 0.0 && (g->t_end - g->t) * g->direction >= 0.0;
}

/* ... and where the other run has a row. */
static rg_status step_to_meet(rg_integrator *g)
{
    const double t_end = g->t_end, sign = g->direction;
    const bool meets = sign * g->t_meet > sign * g->t && sign * g->t_meet < sign * t_end;

    if (meets) g->t_end = g->t_meet;
    const rg_status status = g->n_pulses > 0 ? step_among_pulses(g) : take_step(g);
    if (meets) g->t_end = t_end; /* a method that has changed it is told */
    return status;
}

rg_status rg_integrator_step(rg_integrator *g)
{
    if (rg_integrator_is_done(g)) return RG_OK;
    rg_status status;
    do {
        status = step_to_meet(g);
        if (status == RG_OK && g->degenerate != NULL) status = rg_degenerate_look(g->degenerate, g);
        if (status == RG_OK && g->used_up != NULL) status = rg_used_up_look(g->used_up, g);
    } while (status == (rg_status)RG_RETRY);
    return status == RG_OK && !is_ahead(g) ? rg_integrator_fail_astray(g, "a step", g->t_end)
                                           : status;
}

rg_status rg_integrator_go_on(const rg_integrator *g)
{
    if (!rg_interrupted(g->ctx)) return RG_OK;
    rg_fail(g->ctx, RG_ERR_INTERRUPTED, "interrupted at t = %.10g", g->t);
    rg_fail_time(g->ctx, g->t);
    return rg_remedy(g->ctx, "run again, or shorten the interval with --to");
}

bool rg_integrator_is_done(const rg_integrator *g)
{
    return g->t == g->t_end;
}

bool rg_integrator_is_far(const rg_integrator *g)
{
    return fabs(g->t_start) > RG_TIME_FAR * fabs(g->t_end - g->t_start);
}

rg_status rg_integrator_set_end(rg_integrator *g, double t_end)
{
    if (g->t == g->t_start) g->direction = t_end < g->t ? -1.0 : 1.0;
    if (isfinite(t_end) && (t_end - g->t) * g->direction >= 0.0) {
        g->t_end = t_end;
        return RG_OK;
    }
    rg_fail(g->ctx, RG_ERR_ARGUMENT, "the end %g lies behind the time %g that was reached", t_end,
            g->t);
    return rg_remedy(g->ctx, "give an end ahead of it");
}

rg_status rg_integrator_restart(rg_integrator *g, const rg_state *from, double h)
{
    const size_t bytes = (size_t)g->n * sizeof(double);

    RG_TRY(check_start(g->ctx, g->n, from, g->t_end));
    memmove(g->y, from->y, bytes);
    memmove(g->yp, from->yp, bytes);
    memset(g->polynomial, 0, bytes * (size_t)(g->degree + 1));
    memcpy(g->polynomial, g->y, bytes);
    g->t = g->t_previous = from->t;
    g->t_pulse = NAN;
    g->has_result = false;
    g->method->restart(g, fabs(h));
    return RG_OK;
}

void rg_integrator_set_rewind(rg_integrator *g, rg_rewind_fn *rewind, void *user)
{
    g->rewind = rewind;
    g->rewind_user = user;
}

rg_state rg_integrator_state(const rg_integrator *g)
{
    return (rg_state){g->t, g->y, g->yp};
}

int64_t rg_integrator_sliding(const rg_integrator *g, double *t)
{
    *t = g->t_sliding;
    return g->n_sliding;
}

double rg_integrator_crowd(const rg_integrator *g)
{
    if (g->n_switches < RG_SWITCH_CROWD) return INFINITY;
    return fabs(g->t_switch - g->t_switches[g->n_switches % RG_SWITCH_CROWD]);
}

double rg_integrator_rested(const rg_integrator *g)
{
    return g->rested;
}

double rg_integrator_rounded(const rg_integrator *g)
{
    return g->rounded;
}

int64_t rg_integrator_switches(const rg_integrator *g, double at, double *t)
{
    const double rounding = 4.0 * DBL_EPSILON * fabs(g->t_switch);
    const bool is_before = g->n_switches > 0 && g->direction * (at - g->t_switch) < -rounding;

    const int64_t count = g->n_switches - is_before;

    *t = count > 0 ? g->t_switches[(count - 1) % RG_SWITCH_CROWD] : NAN;
    return count;
}

void rg_integrator_note_switch(rg_integrator *g, double t)
{
    g->t_switches[g->n_switches++ % RG_SWITCH_CROWD] = t;
    g->t_switch = t;
}

double rg_integrator_step_start(const rg_integrator *g)
{
    return g->t_previous;
}

rg_stats rg_integrator_stats(const rg_integrator *g)
{
    rg_stats all = g->stats;

    all.evaluations += g->recovered.evaluations;
    all.jacobians += g->recovered.jacobians;
    all.factorizations += g->recovered.factorizations;
    return all;
}

int rg_integrator_degree(const rg_integrator *g)
{
    return g->degree;
}

const double *rg_integrator_polynomial(const rg_integrator *g)
{
    return g->polynomial;
}

void rg_integrator_eval(const rg_integrator *g, double t, double *y, double *yp)
{
    const double h = g->t - g->t_previous, s = h != 0.0 ? (t - g->t_previous) / h : 0.0;

    rg_powers_eval(g->degree, g->n, g->polynomial, s, h, y, h != 0.0 ? yp : NULL);
    if (h == 0.0 && yp != NULL) memcpy(yp, g->yp, (size_t)g->n * sizeof *yp);
}

/* s = theta s':  a_k becomes a_k theta^k. */
void rg_integrator_cut(rg_integrator *g, double t)
{
    const double theta = (t - g->t_previous) / (g->t - g->t_previous);
    double power = 1.0;

    if (t == g->t) return;
    rg_integrator_eval(g, t, g->y, g->yp);
    for (int k = 0; k <= g->degree; k++, power *= theta)
        for (int64_t i = 0; i < g->n; i++)
            g->polynomial[k * g->n + i] *= power;
    g->t = t;
}

rg_status rg_integrator_residual(rg_integrator *g, double t, const double *y, const double *yp,
                                 double *F)
{
    g->stats.evaluations++;
    return rg_system_residual(g->system, g->work, t, y, yp, F);
}

int64_t rg_integrator_worst(const rg_integrator *g, const double *F, double *residual)
{
    int64_t row = 0;

    for (int64_t i = 0; i < g->n && isfinite(F[row]); i++)
        if (!(fabs(F[i]) <= fabs(F[row]))) row = i;
    *residual = isnan(F[row]) ? NAN : F[row]; /* no -nan */
    return row;
}
