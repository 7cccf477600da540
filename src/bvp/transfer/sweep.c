/* A sweep from its first node to its last, and values in between. */
#include "bvp/transfer/sweep_riccati.h"
#include "bvp/transfer/tuning.h"
#include "bvp/tuning.h"
#include "views/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

rg_candidate rg_sweep_candidate(const rg_sweep *s, int number)
{
    double *place = s->work + number * (s->m + 1 + s->k) * s->k;

    return (rg_candidate){place, place + s->m * s->k, place + (s->m + 1) * s->k};
}

rg_status rg_sweep_create(rg_field *field, const rg_sweep_options *o, double from, double to, int k,
                          const double *u, const double *h, rg_sweep **out)
{
    rg_sweep *s = rg_alloc(field->ctx, 1, sizeof *s);
    enum { FIRST_CAPACITY = 64 };
    const size_t size = (size_t)field->m * (size_t)k;
    rg_status status;

    *out = NULL;
    if (s == NULL) return RG_ERR_MEMORY;
    s->ctx = field->ctx;
    s->field = field;
    s->options = *o;
    s->m = field->m;
    s->k = k;
    s->from = from;
    s->to = to;
    s->n = 1;
    s->capacity = FIRST_CAPACITY;
    s->t = rg_alloc(s->ctx, FIRST_CAPACITY, sizeof *s->t);
    s->u = rg_alloc(s->ctx, FIRST_CAPACITY * size, sizeof *s->u);
    s->h = rg_alloc(s->ctx, FIRST_CAPACITY * (size_t)k, sizeof *s->h);
    s->start = rg_alloc(s->ctx, (size_t)k * (size_t)k, sizeof *s->start);
    s->first_factor = rg_alloc(s->ctx, (size_t)k * (size_t)k, sizeof *s->first_factor);
    s->work =
        rg_alloc(s->ctx, RG_SWEEP_CANDIDATES * (size_t)(s->m + 1 + k) * (size_t)k, sizeof *s->work);
    s->order = rg_alloc(s->ctx, FIRST_CAPACITY, sizeof *s->order);
    s->local.du = rg_alloc(s->ctx, size + (size_t)k, sizeof *s->local.du);
    s->local.dh = s->local.du != NULL ? s->local.du + size : NULL;
    status = o->scheme == RG_SWEEP_GAUSS ? rg_gauss_work_create(field, o->stages, k, &s->gauss)
                                         : rg_sweep_track_create(s);
    if (status == RG_OK
        && (s->t == NULL || s->u == NULL || s->h == NULL || s->start == NULL
            || s->first_factor == NULL || s->work == NULL || s->order == NULL
            || s->local.du == NULL))
        status = RG_ERR_MEMORY;
    if (status == RG_OK) status = rg_sweep_growth_create(s);
    if (status == RG_OK) status = rg_sweep_judge_room(s, FIRST_CAPACITY);
    if (status == RG_OK && o->may_be_riccati) status = rg_riccati_create(s);
    if (status != RG_OK) {
        rg_sweep_destroy(&s);
        return status;
    }
    s->t[0] = from;
    memcpy(s->u, u, size * sizeof *u);
    memcpy(s->h, h, (size_t)k * sizeof *h);
    *out = s;
    return RG_OK;
}

void rg_sweep_destroy(rg_sweep **sweep)
{
    rg_sweep *s = *sweep;

    if (s == NULL) return;
    rg_gauss_work_destroy(&s->gauss);
    rg_sweep_track_destroy(s);
    rg_riccati_destroy(s);
    rg_free(s->ctx, s->order);
    rg_free(s->ctx, s->local.du);
    rg_free(s->ctx, s->judged);
    rg_free(s->ctx, s->residual);
    rg_free(s->ctx, s->t);
    rg_free(s->ctx, s->u);
    rg_free(s->ctx, s->h);
    rg_free(s->ctx, s->start);
    rg_free(s->ctx, s->growth);
    rg_free(s->ctx, s->E);
    rg_free(s->ctx, s->record);
    rg_free(s->ctx, s->first_factor);
    rg_free(s->ctx, s->frame);
    rg_free(s->ctx, s->work);
    rg_free(s->ctx, s);
    *sweep = NULL;
}

rg_status rg_sweep_store(rg_sweep *s, double t, const double *u, const double *h)
{
    const size_t size = (size_t)s->m * (size_t)s->k, k = (size_t)s->k;

    if (s->n == s->capacity) {
        const size_t more = 2 * (size_t)s->capacity;
        double *p;
        if ((p = rg_resize(s->ctx, s->t, more, sizeof *p)) == NULL) return RG_ERR_MEMORY;
        s->t = p;
        if ((p = rg_resize(s->ctx, s->u, more * size, sizeof *p)) == NULL) return RG_ERR_MEMORY;
        s->u = p;
        if ((p = rg_resize(s->ctx, s->h, more * k, sizeof *p)) == NULL) return RG_ERR_MEMORY;
        s->h = p;
        int *order = rg_resize(s->ctx, s->order, more, sizeof *order);
        if (order == NULL) return RG_ERR_MEMORY;
        s->order = order;
        RG_TRY(rg_sweep_judge_room(s, more));
        s->capacity = (int64_t)more;
    }
    s->t[s->n] = t;
    s->order[s->n] = 0;
    memcpy(s->u + (size_t)s->n * size, u, size * sizeof *u);
    memcpy(s->h + (size_t)s->n * k, h, k * sizeof *h);
    s->n++;
    return RG_OK;
}

rg_status rg_sweep_fail(const rg_sweep *s, double t, const char *reason, const char *remedy)
{
    char number[32];

    rg_fail(s->ctx, RG_ERR_CONVERGENCE, "the transfer stopped at %s: %s", rg_real_text(t, number),
            reason);
    rg_fail_time(s->ctx, t);
    return rg_remedy(s->ctx, "%s", remedy);
}

rg_status rg_sweep_check_index(rg_sweep *s)
{
    const double t = s->t[s->n - 1];

    RG_TRY(rg_field_check_index(s->field, t));
    if (s->field->sign == s->sign) return RG_OK;
    return rg_field_locate(s->field, s->t[s->n - 2], t);
}

static rg_status accept(rg_sweep *s, double t, int order, rg_candidate *v)
{
    rg_candidate work = rg_sweep_candidate(s, 3);

    s->stretch = 0.0;
    for (int i = 0; i < s->k; i++) {
        const double stretch = log(v->T[i * s->k + i]);
        s->growth[i] += stretch;
        s->stretch = fmax(s->stretch, stretch);
    }
    rg_sweep_spread(s, v->T);
    if (!rg_sweep_restore(s, v, &work))
        return rg_sweep_fail(
            s, t, "values grow beyond what numbers can hold",
            "scale the unknowns; conditions at the end from which the solution decays help");
    rg_sweep_note_spread(s);
    rg_sweep_mark(s, t);
    s->epsilon = fmax(s->epsilon, s->trial_epsilon);
    s->delta = fmax(s->delta, s->trial_delta);
    rg_sweep_note(s, v->u, v->h, work.T);
    s->steps++;
    RG_TRY(rg_sweep_store(s, t, v->u, v->h));
    s->order[s->n - 1] = order;
    rg_sweep_judge_step(s, v->T);
    return rg_sweep_check_index(s);
}

rg_status rg_sweep_check_interrupt(const rg_sweep *s)
{
    const atomic_bool *is_stopped = s->options.is_stopped;

    if (!rg_interrupted(s->options.parent) && (is_stopped == NULL || !atomic_load(is_stopped)))
        return RG_OK;
    rg_fail(s->ctx, RG_ERR_INTERRUPTED, "interrupted");
    return rg_remedy(s->ctx, "a larger --tol or a shorter interval takes less time");
}

static rg_status check_going(const rg_sweep *s, double t, double dt)
{
    RG_TRY(rg_sweep_check_interrupt(s));
    if (s->steps + s->rejected >= s->options.max_steps)
        return rg_sweep_fail(s, t, "max_steps reached", "give a larger --tol or --max-steps");
    if (fabs(dt) >= 16.0 * DBL_EPSILON * fmax(fabs(t), s->options.length)) return RG_OK;
    RG_TRY(rg_field_check_index(s->field, t));
    return rg_sweep_fail(s, t, "the step is below rounding",
                         "coefficients have a pole or a jump there, or --tol is too small");
}

double rg_sweep_largest_step(const rg_sweep *s)
{
    return s->options.h_max > 0.0 ? s->options.h_max
                                  : RG_TRANSFER_STEP_LARGEST_STEP * s->options.length;
}

/* New step from the error e as a multiple of what is allowed:  dt min(5, max(0.2, 0.9
 * e^(-1/2s))). */
static double next_step(const rg_sweep *s, double dt, double e)
{
    const double order = 2.0 * s->options.stages;
    const double factor = isfinite(e) && e > 0.0 ? RG_TRANSFER_STEP_SAFETY * pow(e, -1.0 / order)
                          : e == 0.0             ? RG_TRANSFER_STEP_FASTEST
                                                 : RG_TRANSFER_STEP_SLOWEST;

    dt *= fmin(RG_TRANSFER_STEP_FASTEST, fmax(RG_TRANSFER_STEP_SLOWEST, factor));
    const double most = rg_sweep_largest_step(s);
    if (fabs(dt) > most) dt = copysign(most, dt);
    return dt;
}

/* The first node: normalised, or as the conditions stand. */
rg_status rg_sweep_begin(rg_sweep *s)
{
    const int k = s->k;
    rg_candidate v = rg_sweep_candidate(s, 2), work = rg_sweep_candidate(s, 3);

    RG_TRY(rg_field_decouple(s->field, s->from));
    s->sign = s->field->sign;
    memcpy(v.u, s->u, (size_t)(s->m * k) * sizeof *v.u);
    memcpy(v.h, s->h, (size_t)k * sizeof *v.h);
    if (!rg_normalise(s->m, k, v.u, v.h, v.T))
        return rg_sweep_fail(s, s->from, "the conditions there depend on each other",
                             "give independent conditions");
    memcpy(s->first_factor, v.T, (size_t)(k * k) * sizeof *v.T);
    rg_sweep_invariant(s, s->u, s->h, s->start);
    if (!s->options.is_normalised) {
        rg_sweep_mark(s, s->from);
        return RG_OK;
    }
    memset(s->start, 0, (size_t)(k * k) * sizeof *s->start);
    for (int i = 0; i < k; i++)
        s->start[i * k + i] = 1.0;
    if (!rg_sweep_restore(s, &v, &work))
        return rg_sweep_fail(s, s->from, "the conditions there are too large",
                             "scale the conditions");
    memcpy(s->u, v.u, (size_t)(s->m * k) * sizeof *v.u);
    memcpy(s->h, v.h, (size_t)k * sizeof *v.h);
    memset(s->growth, 0, (size_t)k * sizeof *s->growth);
    rg_sweep_mark(s, s->from);
    return RG_OK;
}

/* How far a step from t may go: to the next break, or to the end. */
double rg_sweep_limit(const rg_sweep *s, double t)
{
    const double sign = s->to > s->from ? 1.0 : -1.0, gap = 1e-12 * s->options.length;
    double limit = s->to;

    for (int64_t k = 0; k < s->options.n_breaks; k++) {
        const double at = s->options.breaks[k];
        if (sign * (at - t) > gap && sign * (limit - at) > gap) limit = at;
    }
    return limit;
}

/* The first of n cells, in the direction of the sweep, that is not passed at t; NULL: none. */
static const double *next_cell(const rg_sweep *s, int64_t n, const double *cells, double t)
{
    const bool is_forward = s->to > s->from;
    int64_t low = 0, high = n;

    while (low < high) {
        const int64_t middle = (low + high) / 2, k = is_forward ? middle : n - 1 - middle;
        const double ahead = is_forward ? cells[2 * k + 1] - t : t - cells[2 * k];
        if (ahead > RG_SAME_MOMENT * s->options.length)
            high = middle;
        else
            low = middle + 1;
    }
    return low < n ? cells + 2 * (is_forward ? low : n - 1 - low) : NULL;
}

/* The step from t, no longer than up to the next pulse or cell, or what is short there. */
static double shorten(rg_sweep *s, double t, double dt)
{
    const rg_sweep_options *o = &s->options;
    const double *cell = next_cell(s, o->n_cells, o->cells, t);
    const double *tail = next_cell(s, o->n_tails, o->tails, t);

    s->share = o->length;
    s->is_held = false;
    if (o->pulses.n > 0) {
        s->share = rg_bvp_pulses_share(&o->pulses, t, dt, o->length);
        const double most = rg_bvp_pulses_step(&o->pulses, RG_BVP_PULSE_STEP, t, dt);
        s->is_held = most < fabs(dt);
        dt = copysign(fmin(fabs(dt), most), dt);
    }
    if (cell != NULL) {
        const double away = dt > 0.0 ? cell[0] - t : t - cell[1];
        const double most = fmax(away, RG_TRANSFER_FEATURE_STEP * (cell[1] - cell[0]));
        dt = copysign(fmin(fabs(dt), most), dt);
    }
    s->is_in_tail =
        s->share < o->length || (tail != NULL && fabs(dt) > (dt > 0.0 ? tail[0] - t : t - tail[1]));
    return dt;
}

/* Steps of backward differentiation (order 5) for this tolerance, relative to those for 1e-6. */
static double more_steps(const rg_sweep *s)
{
    return pow(1e-6 / s->options.rtol, RG_TRANSFER_RICCATI_GAIN_TOL);
}

/* Whether backward differentiation takes over: phi has grown much in the last Gauss steps, there
 * are
 * many more of them to come, and nothing grows in the direction of the sweep that they would have
 * to resolve as well. */
static rg_status consider_riccati(rg_sweep *s, double t, double dt, bool *is_riccati)
{
    const rg_sweep_options *o = &s->options;
    double mu;

    s->n_stiff = s->stretch > RG_TRANSFER_RICCATI_STRETCH ? s->n_stiff + 1 : 0;
    if (!o->may_be_riccati || s->riccati == NULL || s->n_stiff < RG_TRANSFER_RICCATI_AFTER
        || fabs(s->to - t) < RG_TRANSFER_RICCATI_GAIN * more_steps(s) * fabs(dt))
        return RG_OK;
    const rg_status status = rg_riccati_decay(s, dt, &mu);
    if (status < 0) return status;
    *is_riccati = status == RG_OK && mu * fabs(dt) > -1.0;
    s->n_stiff = 0;
    s->n_riccati = 1;
    s->riccati_t = t;
    s->riccati_dt = fabs(dt);
    return RG_OK;
}

/* Whether it goes on: its steps have become longer than Gauss steps were (turning subspaces have
 * to be followed by both).  Otherwise never again in this sweep. */
static bool is_worth_it(rg_sweep *s, double t)
{
    const int64_t trial = (int64_t)(RG_TRANSFER_RICCATI_TRIAL * more_steps(s));

    if (++s->n_riccati != trial) return true;
    s->options.may_be_riccati = fabs(t - s->riccati_t) > s->riccati_dt * (double)trial;
    return s->options.may_be_riccati;
}

/* RG_RETRY: backward differentiation has damped what grows again later, and Gauss steps, which
 * resolve such a valley, are to be taken from the start. */
static rg_status run_steps(rg_sweep *s)
{
    const double whole = s->to - s->from;
    double t = s->from, dt = RG_TRANSFER_STEP_FIRST_STEP * whole;
    rg_candidate v = rg_sweep_candidate(s, 2);
    bool is_riccati = false;
    int64_t smooth = 0; /* node from which on the coefficients are */

    if (s->options.h_first > 0.0) dt = copysign(fmin(s->options.h_first, fabs(whole)), whole);
    if (s->options.step > 0.0) dt = whole / ceil(fabs(whole) / s->options.step - 1e-9);
    RG_TRY(rg_sweep_begin(s));
    while (t != s->to) {
        double e = INFINITY;
        RG_TRY(check_going(s, t, dt));
        const double limit = rg_sweep_limit(s, t), wish = dt;
        if (s->options.step == 0.0) dt = shorten(s, t, dt);
        const bool is_last = fabs(limit - t) <= fabs(dt) * (1.0 + 1e-9);
        if (is_last) dt = limit - t;
        const rg_status status =
            is_riccati ? rg_riccati_try(s, t, dt, &v, &e) : rg_sweep_try(s, t, dt, &v, &e);
        if (status < 0) return status;
        if (status != RG_OK) e = INFINITY;
        if (!(e <= 1.0)) {
            s->rejected++;
            if (s->options.step > 0.0)
                return rg_sweep_fail(s, t, "the step cannot be made", "give a smaller --step");
            dt = is_riccati ? rg_riccati_next(s, dt, e, false) : next_step(s, dt, e);
            continue;
        }
        t = is_last ? limit : t + dt;
        RG_TRY(accept(s, t, is_riccati ? rg_riccati_order(s) : 0, &v));
        if (s->n_riccati > 0 && s->amplification > RG_TRANSFER_RICCATI_AMPLIFIED) return RG_RETRY;
        if (s->options.step > 0.0) {
            dt = wish;
            continue;
        }
        dt = is_riccati ? rg_riccati_next(s, dt, e, true) : next_step(s, dt, e);
        if (is_last && fabs(dt) < fabs(wish)) dt = wish;
        if (is_last) {
            is_riccati = false;
            smooth = s->n - 1;
            s->n_stiff = 0;
        }
        if (s->is_held || (is_riccati && is_worth_it(s, t))) continue; /* pulses: no trial of it */
        if (is_riccati) dt = copysign(s->riccati_dt, dt);
        is_riccati = false;
        RG_TRY(consider_riccati(s, t, dt, &is_riccati));
        if (is_riccati) rg_riccati_begin(s, smooth);
    }
    return RG_OK;
}

rg_status rg_sweep_run(rg_sweep *s)
{
    if (s->options.scheme != RG_SWEEP_GAUSS) return rg_sweep_integrate(s);
    const rg_status status = run_steps(s);
    if (status != RG_RETRY) return status;
    s->options.may_be_riccati = false;
    s->n = 1;
    s->n_marks = 0;
    s->n_riccati = 0;
    s->amplification = 1.0;
    s->epsilon = s->delta = s->deviation = 0.0;
    return run_steps(s);
}

/* The node before t in the direction of the sweep. */
int64_t rg_sweep_find(const rg_sweep *s, double t)
{
    const double sign = s->to > s->from ? 1.0 : -1.0;
    int64_t low = 0, high = s->n - 1;

    while (low < high) {
        const int64_t middle = (low + high + 1) / 2;
        if (sign * s->t[middle] <= sign * t)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

rg_status rg_sweep_eval(rg_sweep *s, double t, double *u, double *h, double *residual)
{
    const int m = s->m, k = s->k, n = residual != NULL ? RG_SWEEP_TRIALS + 1 : 0;
    int64_t node = rg_sweep_find(s, t);
    const double gap = RG_SAME_MOMENT * s->options.length;
    if (node + 1 < s->n && fabs(t - s->t[node + 1]) <= gap) node++;
    const double *u_n = s->u + node * m * k, *h_n = s->h + node * k;
    rg_candidate v = rg_sweep_candidate(s, 2), half = rg_sweep_candidate(s, 1);
    const double dt = t - s->t[node];
    const bool is_fixed = s->options.step > 0.0;

    if (s->options.scheme != RG_SWEEP_GAUSS) return rg_sweep_interpolate(s, node, t, u, h);
    memcpy(u, u_n, (size_t)(m * k) * sizeof *u);
    memcpy(h, h_n, (size_t)k * sizeof *h);
    if (n > 0) memcpy(residual, s->residual + node * n * k, (size_t)(n * k) * sizeof *residual);
    if (fabs(dt) <= gap) return RG_OK;
    if (node + 1 < s->n && s->order[node + 1] > 0)
        return rg_riccati_eval(s, node, t, u, h, n, residual);
    if (is_fixed) RG_TRY(rg_sweep_step(s, s->t[node], dt, u_n, h_n, &v));
    if (!is_fixed) RG_TRY(rg_sweep_step(s, s->t[node], 0.5 * dt, u_n, h_n, &half));
    if (!is_fixed) RG_TRY(rg_sweep_step(s, s->t[node] + 0.5 * dt, 0.5 * dt, half.u, half.h, &v));
    memcpy(u, v.u, (size_t)(m * k) * sizeof *u);
    memcpy(h, v.h, (size_t)k * sizeof *h);
    for (int c = 0; c < n; c++) {
        if (!is_fixed) rg_solve_transposed(k, half.T, residual + c * k);
        rg_solve_transposed(k, v.T, residual + c * k);
    }
    return RG_OK;
}
