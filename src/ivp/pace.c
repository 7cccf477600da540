/* Step sizes of one-step methods: the loop of attempts around a method's own step. */
#include "ivp/pace.h"

#include "ivp/first.h"
#include "ivp/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

void rg_pace_init(const rg_integrator *g, rg_pace *p)
{
    p->is_fixed = g->options.step > 0.0;
    p->safety = RG_PACE_SAFETY;
    p->growth = RG_PACE_GROW;
    p->fixed_start = g->t;
}

void rg_pace_restart(const rg_integrator *g, rg_pace *p, double h)
{
    p->h_wanted = g->direction * h;
    p->h_accepted = 0.0;
    p->fixed_steps = 0;
    p->fixed_start = g->t;
    if (p->seen != NULL) memset(p->seen, 0, (size_t)g->n * sizeof *p->seen);
}

rg_status rg_pace_fail(rg_pace *p, rg_pace_cause cause)
{
    p->cause = cause;
    return (rg_status)RG_RETRY;
}

double rg_pace_end(const rg_integrator *g, const rg_pace *p)
{
    return p->is_last ? g->t_end : g->t + p->h;
}

rg_status rg_pace_algebraic(const rg_integrator *g, uint8_t *is_algebraic)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    uint8_t *kinds = rg_alloc(g->ctx, (size_t)p->start[p->n_columns] + 1, sizeof *kinds);

    if (kinds == NULL) return RG_ERR_MEMORY;
    rg_system_entry_kinds(g->system, kinds);
    for (int64_t j = 0; j < g->n; j++) {
        is_algebraic[j] = 1;
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++)
            if (kinds[k] & 2) is_algebraic[j] = 0;
    }
    rg_free(g->ctx, kinds);
    return RG_OK;
}

void rg_pace_weights(const rg_integrator *g, const double *a, const double *b, double *weight)
{
    const rg_options *o = &g->options;

    for (int64_t k = 0; k < g->n; k++) {
        const double at_a = fabs(a[k]), at_b = b != NULL ? fabs(b[k]) : 0.0;
        const double scale = rg_integrator_atol(g, k) + o->rtol * (at_a > at_b ? at_a : at_b);
        weight[k] = 1.0 / (scale > DBL_MIN ? scale : DBL_MIN);
    }
}

/* sizes: of y */
static void round_rows(const rg_integrator *g, const double *Jy, const double *Jyp,
                       const double *sizes, double *x)
{
    const rg_pattern *p = rg_system_pattern(g->system);

    memset(x, 0, (size_t)g->n * sizeof *x);
    for (int64_t j = 0; j < g->n; j++) {
        const double y = fabs(sizes[j]), yp = fabs(g->yp[j]);
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++)
            x[p->row[k]] += DBL_EPSILON * (fabs(Jy[k]) * y + fabs(Jyp[k]) * yp);
    }
    for (int64_t i = 1; i < g->n; i += 2)
        x[i] = -x[i];
}

void rg_pace_rounding(const rg_integrator *g, const double *Jy, const double *Jyp,
                      rg_matrix *matrix, double *x)
{
    round_rows(g, Jy, Jyp, g->y, x);
    rg_matrix_solve(matrix, x, NULL);
}

void rg_pace_see(const rg_integrator *g, double h, double *seen)
{
    for (int64_t k = 0; k < g->n; k++)
        seen[k] = fmax(seen[k], fmax(fabs(g->y[k]), fabs(h * g->yp[k])));
}

void rg_pace_fixed_sizes(const rg_integrator *g, const double *seen, const double *Y,
                         const double *Yp, double *size)
{
    const double length = fabs(g->t_end - g->t_start);

    for (int64_t k = 0; k < g->n; k++)
        size[k] = fmax(seen[k], fmax(fabs(Y[k]), length * fabs(Yp[k])));
}

void rg_pace_fixed_weights(const rg_integrator *g, const rg_pace_linear *at, const double *seen,
                           double *weight)
{
    round_rows(g, at->Jy, at->Jyp, seen, at->x);
    if (at->imaginary != NULL) memset(at->imaginary, 0, (size_t)g->n * sizeof(double));
    rg_matrix_solve(at->matrix, at->x, at->imaginary);
    for (int64_t k = 0; k < g->n; k++) {
        const double other = at->imaginary != NULL ? at->imaginary[k] : 0.0;
        const double rounding = hypot(at->x[k], other) / DBL_EPSILON;
        const double size = isfinite(rounding) ? fmax(seen[k], rounding) : seen[k];
        weight[k] = size > DBL_MIN ? 1.0 / size : 0.0;
    }
}

void rg_pace_stage_weights(int64_t n, int s, int64_t stride, const double *Z, double *weight)
{
    for (int i = 0; i < s; i++)
        for (int64_t k = 0; k < n; k++) {
            const double size = fabs(Z[i * stride + k]);
            if (size > DBL_MIN && (weight[k] == 0.0 || size * weight[k] > 1.0))
                weight[k] = 1.0 / size;
        }
}

rg_status rg_pace_project(const rg_integrator *g, rg_pace *p, double t, double *x, double *Y,
                          double *Yp)
{
    if (p->is_fixed) rg_pace_fixed_sizes(g, p->seen, Y, Yp, x);
    const rg_status status = rg_system_project(g->system, g->work, t, x, Y, Yp);
    return status == (rg_status)RG_RETRY ? rg_pace_fail(p, RG_PACE_PROJECTION) : status;
}

void rg_pace_round_weights(int64_t n, const double *rounding, double times, double *weight)
{
    for (int64_t i = 0; i < n; i++) {
        const double least = RG_PACE_ROUNDING * times * fabs(rounding[i]);
        if (isfinite(least) && weight[i] * least > 1.0) weight[i] = 1.0 / least;
    }
}

static double guess(const rg_integrator *g, const rg_pace *p)
{
    const rg_options *o = &g->options;
    rg_first f = {0};

    for (int64_t k = 0; k < g->n; k++)
        if (p->is_algebraic == NULL || !p->is_algebraic[k])
            rg_first_add(&f, g->y[k], g->yp[k], rg_integrator_atol(g, k) + o->rtol * fabs(g->y[k]));
    return rg_first_step(g, &f, o->rtol);
}

static void first_step(rg_integrator *g, rg_pace *p)
{
    const rg_options *o = &g->options;
    double h = o->step > 0.0 ? o->step : o->h_first;

    if (h == 0.0) h = guess(g, p);
    if (o->step == 0.0 && o->h_max > 0.0) h = fmin(h, o->h_max);
    p->h_wanted = g->direction * h;
}

bool rg_pace_splits(const rg_integrator *g, int64_t fixed_steps, double rest)
{
    if (!(g->options.step > 0.0 && g->first_part > 0.0 && fixed_steps == 0)) return false;
    return g->options.step * (1.0 + RG_PACE_LAST) >= RG_ESTIMATE_STEP * fabs(rest);
}

/* h as wanted, or what is left of the interval; a rest of less than two steps is halved. */
static void choose_step(const rg_integrator *g, rg_pace *p)
{
    const double rest = g->t_end - g->t;

    p->h = p->h_wanted;
    if (p->is_fixed) {
        const double next = p->fixed_start + (double)(p->fixed_steps + 1) * p->h_wanted - g->t;
        if (!(fabs(next - p->h_wanted) < RG_SAME * fabs(p->h_wanted))) p->h = next;
    }
    p->is_last = fabs(p->h) * (1.0 + RG_PACE_LAST) >= fabs(rest);
    if (rg_pace_splits(g, p->fixed_steps, rest)) {
        p->is_last = false;
        p->h = RG_ESTIMATE_STEP * rest;
    } else if (p->is_last)
        p->h = rest;
    else if (!p->is_fixed && 2.0 * fabs(p->h) > fabs(rest))
        p->h = rest / 2.0;
}

static rg_status give_up(const rg_integrator *g, const rg_pace *p)
{
    static const char *const reasons[] = {
        [RG_PACE_NONE] = "the step is below rounding",
        [RG_PACE_NEWTON] = "Newton's method does not converge",
        [RG_PACE_ERROR] = "the error test fails again and again",
        [RG_PACE_SINGULAR] = "the Newton matrix is singular",
        [RG_PACE_VALUES] = "values are not finite",
        [RG_PACE_PROJECTION] = "the hidden constraints cannot be met",
        [RG_PACE_RANK] = "the constraints lose rank or contradict each other"};

    const bool is_undefined = p->cause == RG_PACE_VALUES;
    if (is_undefined && rg_system_fail_table(g->system, g->t, g->y, g->yp))
        return RG_ERR_CONVERGENCE;
    if (is_undefined && !p->is_fixed && rg_integrator_fail_huge(g)) return RG_ERR_CONVERGENCE;
    rg_fail(g->ctx, RG_ERR_CONVERGENCE, "stopped at t = %.10g with step h = %.3g: %s", g->t, p->h,
            reasons[p->cause]);
    rg_fail_time(g->ctx, g->t);
    if (p->is_fixed) return rg_remedy(g->ctx, "give a smaller --step, or take --method radau");
    return rg_integrator_remedy(g, p->h,
                                "take --method radau, or look at the equations near this time");
}

static rg_status too_many_steps(const rg_integrator *g, const rg_pace *p)
{
    rg_fail(g->ctx, RG_ERR_CONVERGENCE, "max_steps = %lld reached at t = %.10g, with step h = %.3g",
            (long long)g->options.max_steps, g->t, p->h);
    rg_fail_time(g->ctx, g->t);
    return rg_remedy(g->ctx, "give a larger max_steps, a larger tol or a shorter interval");
}

/* x^(1/order) */
static double root(int order, double x)
{
    switch (order) {
    case 2:
        return sqrt(x);
    case 3:
        return cbrt(x);
    case 4:
        return sqrt(sqrt(x));
    case 6:
        return sqrt(cbrt(x));
    default:
        return pow(x, 1.0 / order);
    }
}

/* By which the trend of the errors lets the next step differ from this one; infinity: unknown. */
static double trend(const rg_pace *p, double error)
{
    if (p->h_accepted == 0.0) return INFINITY;
    const double before = fmax(p->error_accepted, RG_PACE_TREND_LEAST);
    return fmax(RG_PACE_SHRINK,
                p->safety * fabs(p->h / p->h_accepted) * root(p->order, before / (error * error)));
}

static double step_factor(const rg_pace *p, double error)
{
    const double most = p->h_accepted == 0.0 ? p->growth : RG_PACE_GROW;

    return fmax(RG_PACE_SHRINK, fmin(most, p->safety / root(p->order, error)));
}

/* One attempt with its error test; RG_RETRY: *factor says how to change h. */
static rg_status try_step(rg_integrator *g, rg_pace *p, const rg_pace_calls *calls, double *error,
                          double *factor)
{
    *factor = p->failures < 5 ? 0.5 : 0.1;
    *error = 0.0;
    p->cause = RG_PACE_NONE;
    p->shrink = p->next = 0.0;
    const rg_status status = calls->attempt(g, error);
    if (status == (rg_status)RG_RETRY && p->shrink > 0.0) *factor = p->shrink;
    if (status != RG_OK || p->is_fixed || *error < 1.0) return status;
    p->cause = isfinite(*error) ? RG_PACE_ERROR : RG_PACE_VALUES;
    if (isfinite(*error)) *factor = p->h_accepted == 0.0 ? 0.1 : step_factor(p, *error);
    return (rg_status)RG_RETRY;
}

static void advance(rg_integrator *g, rg_pace *p, double error)
{
    g->t_previous = g->t;
    g->t = rg_pace_end(g, p);
    g->stats.steps++;
    const double size = fmax(error, RG_PACE_ERROR_LEAST);
    const double change = fmin(step_factor(p, size), trend(p, size));
    p->h_accepted = p->h;
    p->error_accepted = size;
    if (p->is_fixed) {
        p->fixed_steps = p->is_last ? 0 : p->fixed_steps + 1;
        if (p->is_last) p->fixed_start = g->t;
        return;
    }
    double next = p->next > 0.0 ? p->next : fabs(p->h) * change;
    if (p->was_rejected) next = fmin(next, fabs(p->h));
    if (fabs(p->h) < fabs(p->h_wanted)) next = fmax(next, fabs(p->h_wanted)); /* cut by t_end */
    if (g->options.h_max > 0.0) next = fmin(next, g->options.h_max);
    p->h_wanted = g->direction * next;
}

rg_status rg_pace_step(rg_integrator *g, rg_pace *p, const rg_pace_calls *calls)
{
    double error, factor;

    if (p->h_wanted == 0.0) first_step(g, p);
    p->was_rejected = false;
    p->failures = 0;
    for (;;) {
        RG_TRY(rg_integrator_go_on(g));
        if (g->stats.steps + g->stats.rejected >= g->options.max_steps) return too_many_steps(g, p);
        choose_step(g, p);
        if (p->is_fixed && p->seen != NULL) rg_pace_see(g, p->h, p->seen);
        if (0.1 * fabs(p->h) <= rg_integrator_time_rounding(g) && !p->is_last) return give_up(g, p);
        const rg_status status = try_step(g, p, calls, &error, &factor);
        if (status == RG_OK) break;
        if (status < 0) return status;
        g->stats.rejected++;
        if (++p->failures >= (p->is_fixed ? RG_PACE_FAILURES_FIXED : RG_PACE_FAILURES))
            return give_up(g, p);
        if (!p->is_fixed) p->h_wanted = p->h * factor;
        p->was_rejected = true;
    }
    calls->accept(g);
    advance(g, p, error);
    return RG_OK;
}
