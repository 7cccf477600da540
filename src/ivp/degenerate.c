/* The determinant of K and denominators are looked at in parts of every step.  Where one
 * changes its sign, or comes near 0 and turns back, the place t* is found on the polynomial of
 * the step, by halving or as a minimum.  At 0 the rates of (1) at two distances behind t* tell
 * lambda; near 0, with the width w = sqrt(2 D/D'') of the minimum, the step is taken again
 * where its polynomial p does not follow the equations there: w |p' - f(p)| above the
 * tolerance, or a rate of growth above 1/(10 w) with a slope that is not f. */
#include "ivp/degenerate.h"

#include "base/pieces.h"
#include "ivp/determinants.h"
#include "ivp/exponents.h"
#include "ivp/tuning.h"
#include "views/poles.h"
#include "views/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct {
    double t, value;
} sample;

struct rg_degenerate {
    rg_context *ctx;
    rg_growth *growth;
    rg_poles *poles; /* NULL: none */
    int64_t n_poles;
    rg_determinants *determinants; /* NULL: none */
    int64_t n; /* functions: the poles, and the determinants of the blocks of K */
    void *memory;
    double *y, *yp;        /* a point */
    double *value;         /* of all functions there; NaN: cannot be told */
    double *now;           /* ... at the end of a part of the step */
    sample *before, *last; /* per function, of the samples up to now; 0: not known */
    double first;          /* the first step that was taken again lately; 0: none */
};

typedef struct {
    double t, width; /* 0: a zero of the function */
    int64_t function;
} place;

/* ---- life ------------------------------------------------------------------------------------ */

void rg_degenerate_destroy(rg_degenerate **degenerate)
{
    rg_degenerate *d = *degenerate;

    if (d == NULL) return;
    rg_growth_destroy(&d->growth);
    rg_determinants_destroy(&d->determinants);
    rg_poles_destroy(&d->poles);
    rg_free(d->ctx, d->memory);
    rg_free(d->ctx, d);
    *degenerate = NULL;
}

void rg_degenerate_store(rg_degenerate *d, rg_store *s)
{
    RG_STORE(s, d->first);
    for (int64_t k = 0; k < d->n; k++) {
        RG_STORE(s, d->before[k]); /* a removable place may lie behind */
        RG_STORE(s, d->last[k]);
    }
    if (d->determinants != NULL) rg_determinants_store(d->determinants, s);
}

/* All functions at t in the last step; at its end no polynomial is needed. */
static rg_status evaluate(rg_degenerate *d, rg_integrator *g, double t)
{
    rg_state at = {t, d->y, d->yp};
    rg_status status = RG_OK;

    if (t == g->t)
        at = rg_integrator_state(g);
    else
        rg_integrator_eval(g, t, d->y, d->yp);
    if (d->poles != NULL) {
        status = rg_poles_values(d->poles, t, at.y, at.yp, d->value);
        for (int64_t k = 0; k < d->n_poles && status != RG_OK; k++)
            d->value[k] = NAN;
    }
    if (status < 0 || d->determinants == NULL) return status < 0 ? status : RG_OK;
    return rg_determinants_at(d->determinants, g, &at, d->value + d->n_poles);
}

/* The last value that is known, not 0. */
static void remember(rg_degenerate *d, int64_t k, const sample *now)
{
    if (!isfinite(now->value) || now->value == 0.0) return;
    d->before[k] = d->last[k];
    d->last[k] = *now;
}

static rg_status fill(rg_integrator *g, rg_degenerate *d)
{
    const bool has_mass = rg_system_has_mass(g->system) || rg_system_projects(g->system);

    if (!has_mass) RG_TRY(rg_determinants_create(g, RG_DETERMINANTS_SLOPES, &d->determinants));
    if (g->options.step == 0.0) RG_TRY(rg_poles_create(g->system, RG_POLES_ALL, &d->poles));
    d->n_poles = d->poles != NULL ? rg_poles_count(d->poles) : 0;
    d->n = d->n_poles + (d->determinants != NULL ? rg_determinants_count(d->determinants) : 0);
    if (d->n == 0) return RG_OK;
    RG_TRY(rg_growth_create(g, &d->growth));
    RG_TRY(RG_TAKE(g->ctx, &d->memory, RG_PIECE(d->y, g->n), RG_PIECE(d->yp, g->n),
                   RG_PIECE(d->value, d->n), RG_PIECE(d->now, d->n), RG_PIECE(d->before, d->n),
                   RG_PIECE(d->last, d->n)));
    RG_TRY(evaluate(d, g, g->t));
    for (int64_t k = 0; k < d->n; k++)
        remember(d, k, &(sample){g->t, d->value[k]});
    return RG_OK;
}

rg_status rg_degenerate_create(rg_integrator *g, rg_degenerate **out)
{
    *out = NULL;
    if (g->n == 0 || g->n > RG_DEGENERATE_MOST || rg_system_is_linear(g->system)
        || !rg_system_is_regular(g->system))
        return RG_OK;
    rg_degenerate *d = rg_alloc(g->ctx, 1, sizeof *d);
    if (d == NULL) return RG_ERR_MEMORY;
    d->ctx = g->ctx;
    const rg_status status = fill(g, d);
    if (status == RG_OK && d->n > 0)
        *out = d;
    else
        rg_degenerate_destroy(&d);
    return status;
}

/* ---- the place ------------------------------------------------------------------------------- */

static rg_status value_at(rg_degenerate *d, rg_integrator *g, int64_t k, double t, double *v)
{
    RG_TRY(evaluate(d, g, t));
    *v = d->value[k];
    return RG_OK;
}

/* Between low, where the sign is that of `value`, and high, where it is another one. */
static rg_status find_zero(rg_degenerate *d, rg_integrator *g, int64_t k, double low, double high,
                           double value, double *zero)
{
    double v = 1.0;

    for (;;) {
        const double middle = low + 0.5 * (high - low);
        if (middle == low || middle == high || v == 0.0) break;
        RG_TRY(value_at(d, g, k, middle, &v));
        if (v * value > 0.0)
            low = middle;
        else
            high = middle;
    }
    *zero = high;
    return RG_OK;
}

/* The smallest magnitude between two times, by the golden section. */
static rg_status find_least(rg_degenerate *d, rg_integrator *g, int64_t k, double low, double high,
                            sample *least)
{
    const double golden = 0.5 * (sqrt(5.0) - 1.0);
    sample s[2] = {
        {high - golden * (high - low), 0.0},
        {low + golden * (high - low),  0.0}
    };

    for (int i = 0; i < 2; i++) {
        RG_TRY(value_at(d, g, k, s[i].t, &s[i].value));
    }
    for (int i = 0; i < RG_DEGENERATE_GOLDEN; i++) {
        const bool is_left = fabs(s[0].value) < fabs(s[1].value);
        if (is_left) {
            high = s[1].t;
            s[1] = s[0];
            s[0].t = high - golden * (high - low);
        } else {
            low = s[0].t;
            s[0] = s[1];
            s[1].t = low + golden * (high - low);
        }
        RG_TRY(value_at(d, g, k, s[!is_left].t, &s[!is_left].value));
    }
    *least = fabs(s[0].value) < fabs(s[1].value) ? s[0] : s[1];
    return RG_OK;
}

/* Function k has its least magnitude near the middle one of three samples: is it near 0 there? */
static rg_status find_dip(rg_degenerate *d, rg_integrator *g, const sample *left,
                          const sample *right, place *at)
{
    const sample *low = fabs(left->value) < fabs(right->value) ? left : right;
    const double edge = fabs(low->value), most = fmax(fabs(left->value), fabs(right->value));
    sample least;

    RG_TRY(find_least(d, g, at->function, left->t, right->t, &least));
    at->t = least.t;
    at->width = sqrt(fabs(least.value) / edge) * fabs(low->t - least.t);
    const bool is_peak = at->function < d->n_poles && rg_poles_is_peak(d->poles, at->function);
    if (fabs(least.value) <= RG_ROUNDING_PART * edge && !is_peak) at->width = 0.0;
    if (!(fabs(least.value) < RG_DEGENERATE_DIP * most)) at->t = NAN;
    return RG_OK;
}

/* In the part of the step that ends at t, with d->now there; at->t is NaN: nowhere. */
static rg_status find_place(rg_degenerate *d, rg_integrator *g, double t, place *at)
{
    const int64_t k = at->function;
    const sample now = {t, d->now[k]};
    const sample last = d->last[k], before = d->before[k];

    at->t = NAN;
    at->width = 0.0;
    remember(d, k, &now);
    if (now.value == 0.0 || isnan(now.value) || last.value == 0.0) return RG_OK;
    if (now.value * last.value < 0.0) {
        const double low = (last.t - g->t_previous) * g->direction < 0.0 ? g->t_previous : last.t;
        return find_zero(d, g, k, low, t, last.value, &at->t);
    }
    if (before.value * now.value > 0.0 && fabs(last.value) < fabs(before.value)
        && fabs(last.value) <= fabs(now.value) && (before.t - g->t_previous) * g->direction >= 0.0)
        return find_dip(d, g, &before, &now, at);
    return RG_OK;
}

/* ---- what it means --------------------------------------------------------------------------- */

/* Is function k a power of the distance from its zero, by two of its values, or rounding? */
static bool is_resolved(double near, double far)
{
    const double power = log(far / near) / -log(RG_DEGENERATE_NEARER);

    return near != 0.0 && fabs(power - round(power)) < RG_DEGENERATE_POWER;
}

/* Where the function vanishes by rounding all around the place that shows farther away. */
static rg_status is_open_behind(rg_degenerate *d, rg_integrator *g, const place *at, bool *is_open,
                                int *state)
{
    const double rounding = RG_TIME_DIGITS * rg_integrator_time_rounding(g), t = at->t;
    const double step = fabs(g->t - g->t_previous);
    double far = fmax(RG_DEGENERATE_FAR * step, rounding), most;

    *is_open = false;
    do {
        const double near = RG_DEGENERATE_NEARER * far;
        double values[2];
        RG_TRY(rg_exponents_open(d->growth, g, t, near, far, is_open, state));
        RG_TRY(value_at(d, g, at->function, t + g->direction * near, &values[0]));
        RG_TRY(value_at(d, g, at->function, t + g->direction * far, &values[1]));
        most = is_resolved(values[0], values[1]) ? RG_DEGENERATE_NEARER * step : step;
        far /= RG_DEGENERATE_NEARER;
    } while (!*is_open && far <= most);
    return RG_OK;
}

/* How far the polynomial is from the equations at t: the largest part of a slope that is wrong, and
 * with it, over the width of a place, that of the tolerance. */
static rg_status find_defect(rg_degenerate *d, const rg_integrator *g, double t, double width,
                             double *of_slope, double *of_tol)
{
    const double *yp, *f;
    const rg_status status = rg_growth_slopes(d->growth, g, t, &yp, &f);

    if (status != RG_OK) return status < 0 ? status : RG_OK;
    for (int64_t j = 0; j < g->n; j++) {
        const double defect = fabs(yp[j] - f[j]), slope = fmax(fabs(yp[j]), fabs(f[j]));
        const double tol = rg_integrator_atol(g, j) + g->options.rtol * fabs(g->y[j]);
        *of_tol = fmax(*of_tol, width * defect / tol);
        if (slope > 0.0) *of_slope = fmax(*of_slope, defect / slope);
    }
    return RG_OK;
}

/* Does the polynomial leave out what a denominator near 0 does? */
static rg_status is_missed(rg_degenerate *d, const rg_integrator *g, const place *at, bool *missed)
{
    double of_slope = 0.0, of_tol = 0.0, most = 0.0;

    for (int k = -1; k <= 1; k++) {
        const double t = at->t + k * at->width;
        double rate;
        RG_TRY(find_defect(d, g, t, at->width, &of_slope, &of_tol));
        RG_TRY(rg_growth_rate(d->growth, g, t, &rate));
        most = fmax(most, at->width * rate);
    }
    *missed = of_tol > 1.0 || (of_slope > RG_DEGENERATE_DIP && most > RG_DEGENERATE_DIP);
    return RG_OK;
}

/* Beside a zero of a denominator that the solution goes through its slope is that of the equations;
 * that of a step over a pole, s' = -s/(1e-5 + s) from s > 0 to s < -1e-5, is not.  Nothing can be
 * told where rounding of t is as much as the step, or at its ends. */
static rg_status is_jumped(rg_degenerate *d, const rg_integrator *g, const place *at, bool *jumped)
{
    const double near = RG_TIME_DIGITS * rg_integrator_time_rounding(g);
    const double low = fmin(g->t_previous, g->t) + near, high = fmax(g->t_previous, g->t) - near;
    double of_slope = 0.0, of_tol = 0.0;

    if (at->function >= d->n_poles || rg_poles_is_peak(d->poles, at->function)) return RG_OK;
    if (!(at->t > low && at->t < high)) return RG_OK;
    RG_TRY(find_defect(d, g, at->t - near, near, &of_slope, &of_tol));
    RG_TRY(find_defect(d, g, at->t + near, near, &of_slope, &of_tol));
    *jumped = of_slope > RG_DEGENERATE_DIP;
    return RG_OK;
}

/* ---- what is done ---------------------------------------------------------------------------- */

static rg_status fail(rg_degenerate *d, rg_integrator *g, const place *at, int state)
{
    const bool is_det = at->function >= d->n_poles, is_start = at->t == g->t_start;
    char row[128] = "an equation", unknown[128] = "an unknown";
    int k = -1;

    if (is_det) RG_TRY(rg_growth_name(d->growth, g, at->t, &k, &state));
    if (k >= 0) rg_system_row_name(g->system, k, row, sizeof row);
    if (!is_det) rg_poles_name(d->poles, at->function, row, sizeof row);
    if (state >= 0) rg_system_state_name(g->system, state, unknown, sizeof unknown);
    rg_integrator_cut(g, at->t);
    rg_fail(g->ctx, RG_ERR_CONVERGENCE,
            is_det ? "stopped at t = %.10g: behind it '%s' is not determined: the factor of its "
                     "derivative in %s vanishes there, and many solutions go on from the same value"
                   : "stopped at t = %.10g: behind it '%s' is not determined: a denominator in %s "
                     "vanishes there, and many solutions go on from the same value",
            at->t, unknown, row);
    rg_fail_time(g->ctx, at->t);
    if (is_start)
        return rg_remedy(g->ctx,
                         "begin the run behind t = %.10g, with the value there of '%s' on the "
                         "solution that is meant; --accept-doubt goes on with any of them",
                         at->t, unknown);
    return rg_remedy(g->ctx,
                     "end the run there with --to %.10g, or begin a new one behind it with "
                     "a value of '%s'",
                     at->t, unknown);
}

/* The step again, shorter: RG_RETRY. */
static rg_status take_again(rg_degenerate *d, rg_integrator *g)
{
    const double t0 = g->t_previous, h = fabs(g->t - t0);

    if (d->first == 0.0) d->first = h;
    if (h <= RG_BRANCH_LEAST * d->first) return RG_OK;
    rg_integrator_eval(g, t0, d->y, d->yp);
    const rg_state from = {t0, d->y, d->yp};
    RG_TRY(rg_integrator_restart(g, &from, h / 4.0));
    g->stats.steps--;
    g->stats.rejected++;
    RG_TRY(evaluate(d, g, t0));
    for (int64_t k = 0; k < d->n; k++)
        d->last[k] = d->before[k] = (sample){t0, isfinite(d->value[k]) ? d->value[k] : 0.0};
    return RG_RETRY;
}

static rg_status look_at(rg_degenerate *d, rg_integrator *g, const place *at)
{
    bool is_so = false;
    int state = -1;

    if (at->width == 0.0) {
        RG_TRY(is_open_behind(d, g, at, &is_so, &state));
        if (is_so) return fail(d, g, at, state);
        if (g->options.step == 0.0) RG_TRY(is_jumped(d, g, at, &is_so));
        return is_so ? take_again(d, g) : RG_OK;
    }
    if (g->options.step == 0.0) RG_TRY(is_missed(d, g, at, &is_so));
    return is_so ? take_again(d, g) : RG_OK;
}

/* After the first step: functions that are 0 where the run begins, within the rounding of t. */
static rg_status look_at_start(rg_degenerate *d, rg_integrator *g)
{
    const double t = g->t_start, far = RG_DEGENERATE_FAR * (g->t - t);
    const double rounding = DBL_EPSILON * fmax(fabs(t), fabs(g->t_end - t));
    place at = {.t = t};

    RG_TRY(evaluate(d, g, t));
    memcpy(d->now, d->value, (size_t)d->n * sizeof *d->now);
    for (at.function = 0; at.function < d->n; at.function++) {
        double value;
        RG_TRY(value_at(d, g, at.function, t + far, &value));
        if (fabs(d->now[at.function] * far) <= rounding * fabs(value)) RG_TRY(look_at(d, g, &at));
    }
    return RG_OK;
}

/* Where the functions are looked at: the parts of a step, and next to its ends, so that no minimum
 * is between the last two samples of one step and the first two of the next. */
static double part_end(int k)
{
    const double near = 1e-3 / RG_DEGENERATE_PARTS;

    if (k == 1) return near;
    if (k == RG_DEGENERATE_PARTS + 1) return 1.0 - near;
    return (double)(k - 1 - (k > RG_DEGENERATE_PARTS)) / RG_DEGENERATE_PARTS;
}

/* A first look at few points: no function changes so much within the step that it might be 0. */
static rg_status is_calm(rg_degenerate *d, rg_integrator *g, bool *is_so)
{
    const double h = g->t - g->t_previous;

    *is_so = true;
    for (int i = RG_DEGENERATE_FIRST; i >= 1 && *is_so; i--) {
        RG_TRY(evaluate(d, g, g->t - (i - 1) * h / RG_DEGENERATE_FIRST));
        for (int64_t k = 0; k < d->n; k++) {
            const double ratio = d->value[k] / d->last[k].value;
            if (!(ratio * RG_DEGENERATE_CALM >= 1.0 && ratio <= RG_DEGENERATE_CALM)) *is_so = false;
        }
    }
    for (int64_t k = 0; k < d->n && *is_so; k++)
        remember(d, k, &(sample){g->t, d->value[k]});
    return RG_OK;
}

rg_status rg_degenerate_look(rg_degenerate *d, rg_integrator *g)
{
    const double from = g->t_previous, h = g->t - from;
    const int parts = RG_DEGENERATE_PARTS + 2;
    bool is_over = h == 0.0;

    if (!is_over && from == g->t_start && !g->options.accept_doubt) RG_TRY(look_at_start(d, g));
    if (fabs(h) > d->first) d->first = 0.0; /* away from a place again */
    if (!is_over) RG_TRY(is_calm(d, g, &is_over));
    for (int i = 1; i <= parts && !is_over; i++) {
        const double t = i < parts ? from + part_end(i) * h : g->t;
        RG_TRY(evaluate(d, g, t));
        memcpy(d->now, d->value, (size_t)d->n * sizeof *d->now);
        for (place at = {.function = 0}; at.function < d->n; at.function++) {
            RG_TRY(find_place(d, g, t, &at));
            if (!isnan(at.t)) RG_TRY(look_at(d, g, &at));
        }
    }
    return RG_OK;
}
