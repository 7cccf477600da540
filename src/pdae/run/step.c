/* Integrates a model with fields from output time to output time: the length of steps, their error,
 * steady states. */
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"
#include "pdae/run/tuning.h"
#include "pdae/tuning.h"

#include <float.h>
#include <limits.h>
#include <math.h>

/* The largest step that stability allows from here; scalars that diffuse fast take more stages
 * instead of short steps, and begin with *first. */
static rg_status stable_step(rg_run_grid *r, double *limit, double *first)
{
    double two_stages = INFINITY;

    r->decay = 0.0;
    for (int k = 0; k < r->n_parts; k++) {
        rg_run_part *p = &r->part[k];
        if (p->fluid)
            *limit = fmin(*limit, rg_fluid_limit(p->fluid, r->options.cfl, RG_GRID_DIFFUSIVE));
        if (p->is_carried) RG_TRY(rg_run_carry_limit(p, r->t, &two_stages, limit, &r->decay));
    }
    r->is_staged = two_stages < RG_GRID_STAGED * *limit && rg_run_may_stage(r);
    *limit = fmin(*limit, r->is_staged ? RG_GRID_STAGES_USED * rg_run_stages_reach() / r->decay
                                       : two_stages);
    *first = r->is_staged && !rg_run_has_fluid(r) ? two_stages : INFINITY;
    return RG_OK;
}

/* What data that change in time will make of a velocity: it has just begun to move. */
static double pushed_size(const rg_run_part *p)
{
    const rg_run_options *o = &p->run->options;

    return p->is_timed ? rg_fluid_change(p->fluid) * o->duration / RG_GRID_LOOKS : 0.0;
}

/* One step; *error is the largest estimate in units of the tolerance. */
static rg_status try_step(rg_run_grid *r, double k, double *error)
{
    *error = 0.0;
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        double local;
        if (p->fluid == NULL) continue;
        RG_TRY(rg_fluid_step(p->fluid, r->t, k, &local));
        p->size = fmax(p->size, rg_fluid_size(p->fluid));
        const double allowed = r->options.tol * fmax(p->size, pushed_size(p));
        if (local > allowed)
            local -= rg_fluid_noise(p->fluid, fmax(k, r->options.duration / RG_GRID_LOOKS));
        if (local > 0.0 && allowed > 0.0) *error = fmax(*error, local / allowed);
        RG_TRY(rg_run_push_error(p, r->t, k, &local));
        *error = fmax(*error, local);
        if (!isfinite(rg_fluid_change(p->fluid))) *error = INFINITY;
    }
    return rg_run_carry(r, r->t, k, error);
}

static void undo_step(rg_run_grid *r)
{
    for (int m = 0; m < r->n_parts; m++)
        if (r->part[m].fluid) rg_fluid_undo(r->part[m].fluid);
    rg_run_carry_undo(r);
    r->stats.rejected++;
}

static rg_status finish_step(rg_run_grid *r, double k)
{
    for (int m = 0; m < r->n_parts; m++)
        if (r->part[m].fluid) rg_fluid_accept(r->part[m].fluid, k);
    RG_TRY(rg_run_carry_accept(r, k));
    for (int m = 0; m < r->n_parts; m++)
        rg_run_keep_change(&r->part[m]);
    r->t += k;
    r->stats.steps++;
    RG_TRY(rg_run_determine(r, r->t));
    for (int m = 0; m < r->n_parts; m++)
        if (r->part[m].fluid) RG_TRY(rg_run_check_flow(&r->part[m], r->t, false));
    return RG_OK;
}

/* Is nothing changing any more? */
static bool is_steady(const rg_run_grid *r, double k)
{
    double change = 0.0;

    if (r->options.steady <= 0.0 || r->is_timed) return false; /* data may begin to change later */
    for (int m = 0; m < r->n_parts; m++) {
        const rg_run_part *p = &r->part[m];
        if (p->fluid) change = fmax(change, rg_fluid_change(p->fluid));
        for (int64_t at = 0; p->is_carried && at < r->grid->size; at++)
            change = fmax(change, fabs(p->c[at] - p->old[at]) / k);
    }
    rg_grid_most(r->grid, 1, &change);
    return change <= r->options.steady;
}

/* A number of six digits that is not above x > 0: who types it stays within. */
static double round_down(double x)
{
    const double unit = pow(10.0, floor(log10(x)) - 5.0);

    return floor(x / unit) * unit;
}

/* A given step beyond the stable one would grow without end. */
static rg_status check_step(rg_run_grid *r, double k)
{
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        double limit = p->fluid ? rg_fluid_explicit_limit(p->fluid) : INFINITY;
        double carried = INFINITY, decay = 0.0;
        if (p->is_carried && !r->options.implicit)
            RG_TRY(rg_run_carry_limit(p, r->t, &limit, &carried, &decay));
        if (k <= limit * (1.0 + RG_GRID_STEP_SLACK)) continue;
        rg_fail(r->ctx, RG_ERR_CONVERGENCE,
                "a step of %.6g is not stable for '%s', which allows %.6g", k, p->field->name,
                round_down(limit));
        rg_remedy(r->ctx, "take that --step or a smaller one, none at all, or --scheme %s",
                  p->fluid ? "cn" : "implicit");
        return rg_fail_time(r->ctx, r->t);
    }
    return RG_OK;
}

/* Stability asks for steps that do not get on: a coefficient vanishes or grows without bound. */
static rg_status too_short(rg_run_grid *r, double k)
{
    rg_fail(r->ctx, RG_ERR_CONVERGENCE, "only steps of %.2g are stable", k);
    rg_remedy(r->ctx, "a coefficient vanishes or a velocity grows here: end the run before");
    return rg_fail_time(r->ctx, r->t);
}

/* Times closer than this are the same. */
static double rounding(const rg_run_grid *r, double to)
{
    return 4.0 * DBL_EPSILON * fmax(fabs(r->t), fabs(to));
}

/* The step that the flow allows as the step k has left it: a wall or a force that begins to move it
 * is not seen before.  The first step is small beside that. */
static double allowed_behind(const rg_run_grid *r, double k)
{
    double limit = INFINITY;

    for (int m = 0; m < r->n_parts; m++) {
        const rg_fluid *f = r->part[m].fluid;
        if (f == NULL || rg_fluid_change(f) * k < RG_GRID_FASTER * rg_fluid_size(f)) continue;
        limit = fmin(limit, rg_fluid_limit(f, r->options.cfl, RG_GRID_DIFFUSIVE));
    }
    return r->wanted > 0.0 ? limit : RG_GRID_FIRST_STEP * limit;
}

/* A step is rejected where its error in time exceeds twice the tolerance, or it has become twice as
 * long as it may be. */
static rg_status next_step(rg_run_grid *r, double to)
{
    const double left = to - r->t;
    double k = left, error = 0.0, first = 0.0;

    if (r->options.step > 0.0) {
        k = fmin(r->options.step * r->options.step_scale, left);
        RG_TRY(check_step(r, k));
    } else {
        RG_TRY(stable_step(r, &k, &first));
        k = fmin(k, rg_run_timed_limit(r));
        if (rg_run_has_fluid(r) || r->is_staged
            || rg_run_carry_has_error(r)) /* nothing limits a step yet: begin small */
            k = fmin(k, r->wanted > 0.0   ? r->wanted
                        : isfinite(first) ? first
                                          : RG_GRID_FIRST_STEP * k);
    }
    if (r->options.h_max > 0.0) k = fmin(k, r->options.h_max * r->options.step_scale);
    const double blur = rounding(r, to);
    if (k < left) k = left / ceil((left - blur) / k * (1.0 - RG_GRID_SAME)); /* equal steps */
    if (k < left && k < fmax(blur, RG_GRID_SAME * r->options.duration)) return too_short(r, k);
    for (int tries = 0;; tries++) {
        RG_TRY(try_step(r, k, &error));
        const double allowed = r->options.step > 0.0 ? INFINITY : allowed_behind(r, k);
        const bool is_long = k > RG_GRID_REJECT * allowed;
        if (r->options.step > 0.0 || (error <= RG_GRID_REJECT && !is_long)) break;
        if (tries == RG_GRID_TRIES) {
            rg_fail(r->ctx, RG_ERR_CONVERGENCE, "%s cannot be followed with small steps",
                    rg_run_has_fluid(r) ? "the flow" : "a source");
            rg_remedy(r->ctx, rg_run_has_fluid(r)
                                  ? "use a finer grid, more viscosity, or --convection upwind"
                                  : "a value may grow beyond all bounds here: end the run before");
            return rg_fail_time(r->ctx, r->t);
        }
        undo_step(r);
        RG_TRY(rg_run_determine_scalars(r, r->t));
        k = fmin(RG_GRID_SHRINK * k, fmax(allowed, RG_GRID_SAME * k));
    }
    if (isinf(error) && rg_run_has_fluid(r)) {
        rg_fail(r->ctx, RG_ERR_CONVERGENCE, "the velocity grows without bound");
        rg_remedy(r->ctx, "take a smaller --step");
        return rg_fail_time(r->ctx, r->t);
    }
    RG_TRY(finish_step(r, k));
    r->k = k;
    const double grow = error > 0.0 ? 0.9 * cbrt(1.0 / error) : RG_GRID_GROW;
    r->wanted = k * fmin(RG_GRID_GROW, fmax(RG_GRID_SHRINK, grow));
    r->stats.is_steady = is_steady(r, k);
    return RG_OK;
}

/* Is the divergence of flow what a given eps makes of it, and not rounding? */
static bool may_lose(const rg_run_grid *r)
{
    return r->options.eps > 0.0 || r->options.method == RG_FLUID_PENALTY
           || r->options.method == RG_FLUID_COMPRESSIBILITY;
}

/* Pressure and drift of the time that was reached. */
static rg_status arrive(rg_run_grid *r)
{
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        double drift = p->darcy ? rg_darcy_defect(p->darcy) : 0.0;
        if (p->fluid) {
            RG_TRY(rg_fluid_drift(p->fluid, r->t, &drift));
            if (may_lose(r)) /* what dies away is rounding */
                p->speed = fmax(p->speed, rg_fluid_speed(p->fluid));
            if (may_lose(r) && p->speed > 0.0)
                r->stats.loss = fmax(r->stats.loss, drift / p->speed);
            if (r->options.scheme != RG_FLUID_CN) RG_TRY(rg_fluid_update_pressure(p->fluid, r->t));
        }
        r->stats.drift = fmax(r->stats.drift, drift);
    }
    return RG_OK;
}

static rg_status step_towards(rg_run_grid *r, double to)
{
    if (rg_grid_any(r->grid, rg_interrupted(r->ctx))) {
        rg_fail(r->ctx, RG_ERR_INTERRUPTED, "interrupted at t = %.10g", r->t);
        return rg_fail_time(r->ctx, r->t);
    }
    if (r->stats.steps + r->stats.rejected >= r->options.max_steps) {
        rg_fail(r->ctx, RG_ERR_CONVERGENCE, "max_steps = %lld reached at t = %.10g",
                (long long)r->options.max_steps, r->t);
        rg_remedy(r->ctx, "give a larger max_steps, a larger tol, or fewer cells");
        return rg_fail_time(r->ctx, r->t);
    }
    RG_TRY(next_step(r, to));
    if (to - r->t <= rounding(r, to)) r->t = to;
    return RG_OK;
}

/* Momentum equations without a time derivative: the steady state of those with one, from the start
 * values on.  The slowest change decays like viscosity over length squared. */
rg_status rg_run_march_to_rest(rg_run_grid *r)
{
    const double t = r->t, kept = r->options.steady;
    rg_run_part *p = NULL;
    const double length = rg_grid_longest(r->grid);

    for (int m = 0; m < r->n_parts; m++)
        if (r->part[m].is_marched) p = &r->part[m];
    if (p == NULL) return r->form->is_steady ? arrive(r) : RG_OK;
    const double rate = rg_fluid_viscosity(p->fluid) / (length * length);
    if (!(rate > 0.0)) {
        rg_fail(r->ctx, RG_ERR_STRUCTURE, "'%s' has neither a time derivative nor a viscosity",
                p->field->name);
        rg_fail_at(r->ctx, r->form->source, p->eq->span);
        return rg_remedy(r->ctx, "add %s' to its equation", p->field->name);
    }
    while (!r->stats.is_steady) {
        r->options.steady = kept > 0.0 ? kept : RG_GRID_STEADY * rate * fmax(p->size, DBL_MIN);
        RG_TRY(step_towards(r, r->t + 1.0 / rate));
        if (r->t - t < RG_GRID_STEADY_TIME / rate) continue;
        rg_fail(r->ctx, RG_ERR_CONVERGENCE, "no steady state of '%s' is reached", p->field->name);
        rg_fail_at(r->ctx, r->form->source, p->eq->span);
        return rg_remedy(r->ctx, "the flow may be unsteady: add %s' to its equation and look",
                         p->field->name);
    }
    r->options.steady = kept;
    r->t = t;
    return arrive(r);
}

rg_status rg_run_grid_step(rg_run_grid *r, double to)
{
    RG_TRY(step_towards(r, to));
    return arrive(r);
}

rg_status rg_run_grid_approach(rg_run_grid *r, double to, int steps, bool *is_there)
{
    for (int k = 0; k < steps && r->t < to && !r->stats.is_steady; k++)
        RG_TRY(step_towards(r, to));
    *is_there = !(r->t < to) || r->stats.is_steady;
    return *is_there ? arrive(r) : RG_OK;
}

rg_status rg_run_grid_advance(rg_run_grid *r, double to)
{
    bool is_there = false;

    while (!is_there)
        RG_TRY(rg_run_grid_approach(r, to, INT_MAX, &is_there));
    return RG_OK;
}
