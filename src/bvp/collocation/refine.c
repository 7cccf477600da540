/* Finer and coarser meshes by the error, and around singular places. */
#include "bvp/collocation/run.h"
#include "bvp/collocation/tuning.h"

#include <math.h>

/* The interval of a singular place is as long as its error in x allows.  Where no length will
 * do, x has a pole. */
static rg_status shrink_places(rg_bvp_run *r)
{
    const double least = RG_REFINE_LEAST_PLACE * fabs(r->t[r->N] - r->t[0]);

    for (int64_t i = 0; i < r->N; i++) {
        const int inside = rg_places_inside(&r->places, r->t[i], r->t[i + 1]);
        if (inside < 0 || !(r->error[i] > 1.0)) continue;
        const double part = pow(RG_REFINE_TARGET / r->error[i], 1.0 / (r->control->stages + 1));
        r->places.h[inside] *= fmax(part, 1.0 / RG_REFINE_MORE);
        if (r->places.h[inside] < least) return rg_run_fail_place(r, r->places.place[inside].t);
    }
    return RG_OK;
}

/* Resolved layers that the solution does not have spoil its derivatives, by 1/eps times its
 * error: equal intervals again. */
rg_status rg_run_start_again(rg_bvp_run *r)
{
    rg_log(r->f->ctx, 2, "collocation: equal intervals, since points in layers make it worse");
    r->is_graded = false;
    r->n_equal = 1;
    r->failures = r->plan.n_missed = 0;
    r->plan.worst = 0.0;
    r->plan.is_complete = false;
    return rg_run_first_equal(r);
}

/* What the last refinement promised and brought: the aim is lower after a mesh that missed it, and
 * the next mesh may be much larger where the error fell about as its order says.  Returns how
 * much. */
static double look_back(rg_bvp_run *r, double worst)
{
    const double order = r->control->stages + 1.0, before = r->plan.worst;
    const double promised = before * pow((double)r->plan.N / (double)r->N, order);
    const bool is_trusted = before > 0.0 && r->plan.N < r->N && worst <= RG_REFINE_DELAY * promised;

    if (r->plan.target == 0.0)
        r->plan.target = RG_REFINE_TARGET;
    else if (r->plan.is_complete)
        r->plan.target = fmax(RG_REFINE_AGAIN * r->plan.target, RG_REFINE_LEAST);
    r->plan.worst = worst;
    r->plan.N = r->N;
    return is_trusted ? RG_REFINE_TRUSTED : RG_REFINE_GROWTH;
}

static bool is_hardly_better(const rg_bvp_run *r, double worst)
{
    const double growth = (double)r->N / (double)r->plan.N;

    return r->plan.worst > 0.0 && r->plan.N < r->N && worst * growth * growth > r->plan.worst;
}

/* Where the problem enlarges errors much, one interval may have made what is seen in others: a mesh
 * that was refined there and coarsened here is hardly better than the one before.  From then on
 * no interval is made longer, and all are halved. */
static bool is_polluted(const rg_bvp_run *r, double worst)
{
    return r->conditioning[1] > RG_REFINE_POLLUTED && is_hardly_better(r, worst);
}

/* An error made in an interval in which more stages hardly help is carried on to others, which need
 * no points for that.  Where a mesh was hardly better than the one before, every interval counts
 * by what further stages would add in it.  Returns whether that is so. */
static bool find_sources(rg_bvp_run *r, double worst)
{
    int64_t top = 0;

    for (int64_t i = 0; i < r->N && r->has_rough; i++)
        if (r->rough[i].local > r->rough[top].local) top = i;
    if (!r->has_rough || !r->rough[top].is_doubted) return false;
    r->is_local |= is_hardly_better(r, worst);
    for (int64_t i = 0; i < r->N && r->is_local; i++)
        r->error[i] = worst * r->rough[i].local / r->rough[top].local;
    return r->is_local;
}

/* Points in layers did not help: the error of a good solution rose, or does not fall any more, or
 * rounding makes more of the derivatives there than may be. */
static bool is_bad_grading(rg_bvp_run *r, double worst)
{
    const double before = r->plan.worst;
    const bool is_worse = before > 0.0 && worst > RG_REFINE_WORSE * before
                          && before * r->control->rtol < RG_REFINE_DECENT;

    if (r->plan.is_complete && worst > RG_REFINE_AGAIN * before) r->plan.n_missed++;
    const double noise = r->slopes.noise, rtol = r->control->rtol;
    const bool is_stuck = (r->n_stuck > 0 && noise > rtol)
                          || (r->n_stuck > RG_STOP_STUCK && RG_STOP_SLOPES * noise > rtol);
    const bool is_noise = before > 0.0 && is_stuck && rg_run_is_noise(r);
    return r->is_graded && (is_worse || is_noise || r->plan.n_missed >= RG_REFINE_MISSES / 2);
}

/* wanted_i = (e_i/target)^(1/(s+1)), inside bounds; the whole grows by look_back() at most,
 * in the same proportions. */
rg_status rg_run_refine(rg_bvp_run *r)
{
    double total = 0.0, worst = 0.0;
    const int64_t N = r->N;

    for (int64_t i = 0; i < N; i++) {
        if (!isfinite(r->error[i])) r->error[i] = 1e30;
        worst = fmax(worst, r->error[i]);
    }
    if (is_bad_grading(r, worst)) return rg_run_start_again(r);
    if (r->plan.n_missed >= RG_REFINE_MISSES) return RG_RETRY;
    if (r->result->places.n > r->places.n)
        r->places = r->result->places; /* that the guess, or a coarser mesh, did not show */
    RG_TRY(shrink_places(r));
    if (!find_sources(r, worst) && is_polluted(r, worst)) {
        r->keeps = true;
        r->plan.worst = worst;
        r->plan.N = r->N;
        r->plan.is_complete = false;
        return rg_run_halve(r);
    }
    const double most = fmax(look_back(r, worst) * (double)N, RG_REFINE_INTERVALS);
    const bool is_late = r->has_rough && (r->is_local || r->plan.target < RG_REFINE_TARGET);
    r->plan.is_complete = true;
    for (int64_t i = 0; i < N; i++) {
        double w = pow(r->error[i] / r->plan.target, 1.0 / (r->control->stages + 1));
        if (is_late && r->rough[i].ratio > RG_ROUGH_COEFFICIENTS && w > 1.0)
            w = 2.0 * RG_REFINE_MORE; /* its order is lower: as many as there may be */
        r->error[i] = fmin(fmax(w, r->keeps ? 1.0 : RG_REFINE_FEWER), RG_REFINE_MORE);
        r->plan.is_complete &= w <= RG_REFINE_MORE;
        total += r->error[i];
    }
    r->plan.is_complete &= total <= most;
    for (int64_t i = 0; i < N && total > most; i++)
        r->error[i] = fmax(r->error[i] * most / total, r->keeps ? 1.0 : 0.0);
    if (r->has_waves) RG_TRY(rg_run_add_waves(r));
    return rg_run_spread(r, r->error);
}
