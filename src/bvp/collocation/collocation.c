/* The mesh loop of collocation: solves on a mesh, estimates the error, makes the next mesh. */
#include "bvp/collocation/run.h"
#include "bvp/collocation/tuning.h"
#include "solution/tuning.h"

#include <math.h>
#include <string.h>

/* Mesh points where the equations change branch. */
static rg_status mark_kinks(const rg_bvp_run *r, rg_curve *it)
{
    const rg_kinks *kinks = &r->kinks;
    const double gap = rg_breaks_gap(it->t[0], it->t[it->N]);
    int64_t j = 0;

    if (kinks->n == 0) return RG_OK;
    it->is_kink = rg_alloc(it->ctx, (size_t)it->N + 1, sizeof *it->is_kink);
    if (it->is_kink == NULL) return RG_ERR_MEMORY;
    for (int64_t q = 0; q <= it->N; q++) {
        while (j + 1 < kinks->n && fabs(kinks->t[j + 1] - it->t[q]) <= fabs(kinks->t[j] - it->t[q]))
            j++;
        it->is_kink[q] = fabs(kinks->t[j] - it->t[q]) <= gap;
    }
    return RG_OK;
}

static rg_status solve_with(rg_bvp_run *r, const rg_rule *rule, const rg_profile *from,
                            rg_curve **out, rg_newton_outcome *outcome)
{
    rg_bvp_form *f = r->f;
    rg_curve *it = NULL;

    RG_TRY(
        rg_curve_create(f->ctx, rule, f->n, f->nx, r->N, r->t, r->c->n_points, r->c->point, &it));
    rg_status status = mark_kinks(r, it);
    if (status == RG_OK) status = rg_profile_fill(it, f, from);
    r->newton.is_regular = r->now != NULL;
    for (int64_t k = 0; k < (it->N + 1) * f->nx && status == RG_OK; k++)
        r->past[k % f->nx] = fmax(r->past[k % f->nx], fabs(it->x[k]));
    if (status == RG_OK) status = rg_collocate(f, r->c, &r->newton, it, &r->result->stats, outcome);
    if (status == (rg_status)RG_RETRY && r->now == NULL) rg_run_note_failure(r, it);
    if (status == RG_OK) {
        *out = it;
        return RG_OK;
    }
    rg_curve_destroy(&r->result->last);
    r->result->last = it;
    return status;
}

/* One mesh: s stages from what is known, s + 1 stages from there.  *worst: largest error in units
 * of the tolerance, infinity where the second solve failed.  RG_RETRY: no solution on this mesh. */
static rg_status solve_mesh(rg_bvp_run *r, double *worst)
{
    rg_profile from = {rg_profile_of_curve, r->now};
    rg_curve *low = NULL, *high = NULL;
    rg_newton_outcome outcome = {0}, second_outcome = {.natural = r->size};

    *worst = INFINITY;
    if (r->now == NULL) RG_TRY(rg_run_start_at_zero(r, &from));
    const rg_status status = solve_with(r, &r->low, &from, &low, &outcome);
    rg_log(r->f->ctx, 2, "collocation: %lld intervals, %d stages: %s after %d iterations",
           (long long)r->N, r->low.s, status == RG_OK ? "solved" : "not solved",
           outcome.n_iterations);
    r->is_singular = status != RG_OK && outcome.conditioning > RG_CONDITIONING_LIMIT;
    r->conditioning[0] = r->conditioning[1] = outcome.conditioning;
    r->rounding = outcome.rounding;
    r->rounded = outcome.rounded;
    if (status != RG_OK) r->n_singular = r->now != NULL && r->is_singular ? r->n_singular + 1 : 0;
    if (status != RG_OK) return status;
    if (r->result->n_newton == 0) r->result->n_newton = outcome.n_iterations;
    rg_run_drop(r);
    r->now = low;
    r->result->estimate = NAN;
    const rg_profile better = {rg_profile_of_curve, low};
    r->result->places = r->places;
    RG_TRY(rg_places_find(r->f, &better, r->N, r->t, &r->result->places));
    RG_TRY(rg_kinks_find(&r->kinks, &better, r->N, r->t));
    rg_status second = solve_with(r, &r->high, &better, &high, &second_outcome);
    if (second == RG_OK)
        second = rg_collocation_compare(r->f, r->control, &r->places, low, high, r->past, r->error,
                                        r->size);
    if (second == RG_OK) second = rg_run_judge_ends(r, low, high);
    if (second == RG_OK) rg_run_look_rough(r, high);
    r->result->conditioning = r->conditioning[1] = second_outcome.conditioning;
    r->n_singular = rg_run_is_above_limit(r) ? r->n_singular + 1 : 0;
    if (!(second_outcome.noise <= r->noise)) /* of all meshes: by chance one may not show it */
        r->noise = second_outcome.noise;
    r->doubt = second_outcome.doubt;
    if (second_outcome.rounding > r->rounding) {
        r->rounding = second_outcome.rounding;
        r->rounded = second_outcome.rounded;
    }
    rg_log(r->f->ctx, 2,
           "collocation: conditioning %.2g and %.2g, rounding %.2g, %.2g of derivatives",
           r->conditioning[0], r->conditioning[1], r->noise, second_outcome.slopes);
    rg_curve_destroy(&r->result->second);
    r->result->second = high;
    if (second < 0) return second;
    if (second != RG_OK) return RG_OK; /* the worst is unknown: refine */
    *worst = 0.0;
    for (int64_t i = 0; i < r->N; i++)
        if (!(r->error[i] <= *worst)) {
            *worst = r->error[i];
            r->worst_t = r->t[i];
        }
    r->result->estimate = *worst * r->control->rtol;
    rg_run_note(r, *worst, &second_outcome);
    rg_log(r->f->ctx, 2, "collocation: estimated error %.3g of the tolerance", *worst);
    return RG_OK;
}

/* Newton's method failed.  A first mesh with points in layers has many of them to begin with. */
static bool is_last_failure(rg_bvp_run *r)
{
    r->failures++;
    return r->control->step > 0.0 || r->failures > RG_COLLOCATION_FAILURES
           || (r->now == NULL && r->N >= RG_COLLOCATION_FAILED);
}

static rg_status adapt(rg_bvp_run *r)
{
    double worst = INFINITY, known = INFINITY;

    for (int k = 0; k < RG_COLLOCATION_MESHES; k++) {
        r->result->stats.steps = r->N;
        r->result->stats.rejected = k;
        rg_status status = solve_mesh(r, &worst);
        if (status < 0) return status;
        r->n_equal += r->n_equal > 0;
        if (isfinite(worst)) known = worst;
        const bool is_failed = status != RG_OK || isinf(worst);
        r->result->n_failed += is_failed;
        r->result->error = worst;
        if (status == RG_OK && r->control->step > 0.0) return RG_OK;
        if (!is_failed && worst <= 1.0 && r->control->is_rough) return RG_OK;
        if (status == RG_OK && worst <= 1.0) {
            rg_status settled = rg_run_accept(r);
            if (settled == RG_OK) settled = rg_run_look_at_ends(r);
            if (settled != (rg_status)RG_RETRY) return settled;
            continue;
        }
        if (rg_run_is_rounding(r) || rg_run_is_floor(r) || rg_run_is_pole(r)) break;
        if (rg_run_is_steep(r)) break;
        RG_TRY(rg_run_look_for_waves(r));
        if (r->waves.count > 0.0) break;
        if (r->has_waves && r->n_singular > 1)
            break; /* without waves: layers that are not found yet */
        if (r->f->is_unchecked && r->is_singular && r->failures > 0)
            break; /* conditions that follow from each other were not looked for */
        if (is_failed && is_last_failure(r)) break;
        if (r->control->is_rough && r->result->n_failed > RG_COLLOCATION_ROUGH_FAILURES) break;
        if (r->N > r->control->max_intervals) break;
        if (rg_run_gives_up_ends(r, worst)) break;
        if (is_failed && r->is_graded && rg_run_is_thin(r))
            status = rg_run_start_again(r); /* its points do not resolve the layers */
        else
            status = is_failed ? rg_run_halve(r) : rg_run_refine(r);
        if (status < 0) return status;
        if (status != RG_OK) break;
    }
    if (r->ends.is_on) {
        rg_run_leave_ends(r);
        return RG_OK;
    }
    rg_run_settle(r, false);
    return rg_run_fail(r, r->now == r->best && r->best != NULL ? r->best_error : known);
}

/* An error that is above the tolerance is no success, however it comes about: data have a relative
 * error of a unit in the last place, which the conditioning enlarges.  Equal intervals that were
 * asked for are as wrong as they are. */
static rg_status judge(rg_bvp_run *r)
{
    rg_collocation_result *result = r->result;

    if (r->control->is_rough || r->control->step > 0.0 || result->is_unresolved) return RG_OK;
    if (result->estimate <= r->control->rtol) return RG_OK;
    return rg_run_fail_floor(r); /* also without an estimate */
}

rg_status rg_collocation_run(rg_bvp_form *f, rg_bvp_conditions *c,
                             const rg_collocation_control *control, const rg_profile *guess,
                             const rg_curve *first, rg_collocation_result *result)
{
    rg_bvp_run r = {.f = f, .c = c, .control = control, .guess = guess, .result = result};

    memset(result, 0, sizeof *result);
    result->estimate = NAN;
    result->small = -1;
    rg_rule_init(control->kind, control->stages, &r.low);
    rg_rule_init(control->kind, control->stages + 1, &r.high);
    r.newton = (rg_newton_control){
        .floor = control->atol > 0.0 ? control->atol / control->rtol : 1.0,
        .local = fmax(RG_COLLOCATION_LOCAL_TOL * control->rtol, RG_COLLOCATION_NEWTON_LEAST),
        .tol = fmax(RG_COLLOCATION_NEWTON_TOL * control->rtol, RG_COLLOCATION_NEWTON_LEAST),
        .most = control->max_newton > 0 ? control->max_newton : RG_COLLOCATION_NEWTON};
    rg_status status = rg_kinks_init(f, c->point[0], c->point[c->n_points - 1], &r.kinks);
    if (status == RG_OK && !control->is_rough) status = rg_run_check_kinks(&r);
    if (status == RG_OK)
        status = rg_bvp_pulses_find(f->p, c->point[0], c->point[c->n_points - 1], &r.pulses);
    if (status == RG_OK && !control->is_rough) status = rg_run_check_pulses(&r);
    r.size = rg_alloc(f->ctx, (size_t)(2 * f->nz + f->nx) + 1, sizeof *r.size);
    if (r.size == NULL)
        status = RG_ERR_MEMORY;
    else
        r.past = r.size + 2 * f->nz;
    if (status == RG_OK) status = rg_run_first_mesh(&r, first);
    if (status == RG_OK) status = adapt(&r);
    rg_run_settle(&r, true);
    if (isfinite(result->conditioning) && isfinite(result->estimate))
        result->estimate = fmax(result->estimate, 0x1p-53 * result->conditioning);
    if (status == RG_OK) status = judge(&r);
    result->solution = r.now;
    rg_curve_destroy(&r.ends.accepted.second);
    result->is_thin = rg_run_is_thin(&r);
    result->amplification = rg_run_amplification(&r);
    rg_kinks_clear(&r.kinks);
    rg_bvp_pulses_clear(f->ctx, &r.pulses);
    rg_free(f->ctx, r.t);
    rg_free(f->ctx, r.error);
    rg_free(f->ctx, r.rough);
    rg_free(f->ctx, r.size);
    return status;
}

void rg_collocation_clear(rg_collocation_result *result)
{
    rg_curve_destroy(&result->solution);
    rg_curve_destroy(&result->second);
    rg_curve_destroy(&result->along);
    rg_curve_destroy(&result->last);
}
