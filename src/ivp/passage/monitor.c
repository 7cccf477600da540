/* The rank monitor of the steps of the main method: could the constraints have lost rank on the
 * way?
 *
 * The method's own Jacobian gives the system matrix A at one time of nearly every step, for
 * nothing.  With the signal s (rank.h) at two times and e, the spectral radius of  A_1^-1
 * (A_1 - A_0),  the matrix stays regular on the straight line between them while e < 1:
 *
 *     A = A_1 (I - x A_1^-1 (A_1 - A_0)):
 *     s about  s_1 (1 - x e),   from the other side  s_0 (1 - (1 - x) e),
 *
 * so at least min(s_0, s_1)(1 - e/2).  From A_1 on, e grows with the rate of the last two samples
 * and its growth, RG_MONITOR_AHEAD times that.  Where this does not reach RG_PASSAGE_TRIGGER of the
 * largest signal so far, the end of the step is looked at, then times within it, as many as it
 * takes to be sure.  Chosen by experiment: tests/order/test_passage.c, bench/bench_passage.c. */
#include "ivp/passage/passage.h"
#include "ivp/passage/tuning.h"

#include <math.h>
#include <string.h>

/* A from the Jacobian of the run.  false: something in it is not finite. */
static bool take_matrix(rg_passage *k, const double *Jy, const double *Jyp)
{
    rg_leading_values(k->form->leading, 0, Jy, Jyp, k->rank->A);
    return rg_border_turn(k->form, k->rank->row_largest, k->rank->A) == RG_OK;
}

/* A at a time of the last step.  false: it cannot be evaluated there. */
static bool look(rg_integrator *g, double t)
{
    rg_passage *k = rg_passage_of(g);
    double *y = k->y0 + g->n, *yp = k->yp0 + g->n;

    rg_integrator_eval(g, t, y, yp);
    if (rg_system_jacobian(g->system, g->work, t, y, yp, k->Jy, k->Jyp) != RG_OK) return false;
    g->stats.jacobians++;
    k->jacobians = g->stats.jacobians;
    return take_matrix(k, k->Jy, k->Jyp);
}

/* The rate of change e/(t_1 - t_0) and its growth; without a rate before, as from rest. */
static void note_rate(rg_passage *k, double e, double apart)
{
    const double rate = e / apart;

    k->growth = k->apart > 0.0 ? 2.0 * fabs(rate - k->rate) / (apart + k->apart) : rate / apart;
    k->rate = rate;
    k->apart = apart;
}

/* s of A, which has been factored; before: s of the sample before, becomes that with the scales of
 * today.  Where little has changed, a bound will do as long as it is large. */
static double signal_now(rg_passage *k, double e, double *before)
{
    rg_passage_rank *r = k->rank;

    if (!r->is_rescaled) {
        const double bound = k->s_now * (1.0 - e);
        if (e < RG_MONITOR_LITTLE && bound > RG_MONITOR_SAFE * k->s_ref) return bound;
        return rg_passage_rank_signal(r);
    }
    const double s = rg_passage_rank_signal(r);
    *before = k->has_sample ? rg_passage_rank_measure_before(r) : 0.0;
    k->s_ref = k->s_max = fmax(s, *before);
    r->is_rescaled = false;
    return s;
}

/* The relative change from the last sample to t: the rate holds in the middle between the last
 * two. */
static double expected_change(const rg_passage *k, double t)
{
    const double x = fabs(t - k->t_now);

    return RG_MONITOR_AHEAD * x * (k->rate + 0.5 * k->growth * (k->apart + x));
}

/* Much further away than the last two samples are apart, and with such a change expected, A may
 * have turned twice meanwhile: several turns of a crank that moves freely are one step. */
static bool is_near(const rg_passage *k, double t)
{
    return !(k->apart > 0.0) || fabs(t - k->t_now) <= RG_MONITOR_FAR * k->apart
           || expected_change(k, t) < 1.0;
}

/* One sample more, A at t; it is kept if it is clear that there is nothing between it and the one
 * before, or must_keep. */
static bool add_sample(rg_passage *k, double t, bool must_keep)
{
    rg_passage_rank *r = k->rank;
    const bool is_regular = rg_passage_rank_factor(r);
    const double e = !k->has_sample ? NAN : is_regular ? rg_passage_rank_change(r) : INFINITY;
    double before = k->s_now;
    const double s = is_regular ? signal_now(k, e, &before) : 0.0;

    k->s_ref = fmax(k->s_ref, s);
    const bool is_clear =
        !k->has_sample
        || (e < 1.0 && fmin(before, s) * (1.0 - 0.5 * e) >= RG_PASSAGE_TRIGGER * k->s_ref
            && is_near(k, t));
    if (rg_log_wanted(k->ctx, 3))
        rg_log(k->ctx, 3, "monitor: t = %.10g, signal %.3g of %.3g, change %.3g", t, s, k->s_ref,
               e);
    if (!is_clear && !must_keep) {
        k->s_now = before;
        return false;
    }
    rg_passage_rank_keep(r);
    if (k->has_sample) note_rate(k, e, fabs(t - k->t_now));
    k->s_now = s;
    k->t_now = t;
    k->has_sample = true;
    return is_clear;
}

/* Not known further away than RG_MONITOR_FAR times the distance of the last two samples. */
static double change_ahead(const rg_passage *k, double t)
{
    const bool is_known = k->has_sample && fabs(t - k->t_now) <= RG_MONITOR_FAR * k->apart;

    return is_known ? expected_change(k, t) : INFINITY;
}

static bool is_clear_up_to(const rg_passage *k, double t)
{
    return k->s_now * (1.0 - change_ahead(k, t)) >= RG_PASSAGE_TRIGGER * k->s_ref;
}

/* The smallest signal at times of the last step: so many that nothing is between them, or that
 * they are 1/RG_MONITOR_FINEST of it apart. */
static double sample(rg_integrator *g, double t0)
{
    rg_passage *k = rg_passage_of(g);
    const double h = g->t - t0;
    const double known = k->apart > 0.0 ? RG_MONITOR_FAR * k->apart / fabs(h) : 1.0;
    double least = INFINITY, part = fmax(1.0 / RG_MONITOR_FINEST, fmin(1.0, known)), c = 0.0;

    k->has_sample = false;
    k->apart = 0.0;
    if (look(g, t0)) add_sample(k, t0, true);
    while (c < 1.0) {
        const double next = fmin(1.0, c + part);
        const double t = next == 1.0 ? g->t : t0 + next * h;
        const bool must_keep = part <= 1.0 / RG_MONITOR_FINEST;
        const bool is_there = look(g, t), is_clear = is_there && add_sample(k, t, must_keep);
        if (is_clear || must_keep || !is_there) {
            if (is_there) least = fmin(least, k->s_now);
            c = next;
        }
        part = is_clear ? 2.0 * part : fmax(0.5 * part, 1.0 / RG_MONITOR_FINEST);
    }
    return least;
}

static void note_speed(rg_integrator *g)
{
    rg_passage *k = rg_passage_of(g);
    double sum = 0.0;

    for (int e = 0; e < k->n_speeds; e++) {
        sum += g->yp[k->speed[e]] * g->yp[k->speed[e]];
        k->q_max = fmax(k->q_max, fabs(g->y[k->speed[e]]));
    }
    if (sum > k->v_max * k->v_max) k->v_max = sqrt(sum);
}

static rg_status take_memory(rg_integrator *g)
{
    rg_passage *k = rg_passage_of(g);
    const rg_pattern *p = rg_system_pattern(g->system);
    const size_t entries = (size_t)p->start[p->n_columns] + 1;

    if (k->Jy == NULL) k->Jy = rg_alloc(k->ctx, entries, sizeof *k->Jy);
    if (k->Jyp == NULL) k->Jyp = rg_alloc(k->ctx, entries, sizeof *k->Jyp);
    return k->Jy != NULL && k->Jyp != NULL ? RG_OK : RG_ERR_MEMORY;
}

/* The matrix at the point where the run stands, with these branches; NaN: it has none. */
static bool take_with(rg_integrator *g, const double *branches)
{
    rg_passage *k = rg_passage_of(g);

    rg_system_hold(g->system, g->work, branches);
    const rg_status status =
        rg_system_jacobian(g->system, g->work, g->t, g->y, g->yp, k->Jy, k->Jyp);
    g->stats.jacobians++;
    if (status == RG_OK && take_matrix(k, k->Jy, k->Jyp)) return true;
    for (int64_t e = 0; e < k->rank->entries; e++)
        k->rank->A[e] = NAN;
    return false;
}

/* Most switches change forces and no entry of A: it stays the same, to the last bit, if all
 * branches are moved to values that are none.  `scaled` has it as it is. */
static bool depends(rg_integrator *g, double *branches)
{
    rg_passage *k = rg_passage_of(g);
    const int64_t n = rg_system_switch_count(g->system);

    for (int64_t i = 0; i < n; i++)
        branches[i] -= RG_MONITOR_BRANCH;
    take_with(g, branches);
    for (int64_t i = 0; i < n; i++)
        branches[i] += RG_MONITOR_BRANCH;
    return memcmp(k->rank->A, k->rank->scaled, (size_t)k->rank->entries * sizeof *k->rank->A) != 0;
}

rg_status rg_passage_note_branches(rg_integrator *g)
{
    rg_passage *k = rg_passage_of(g);
    const int64_t n = rg_system_switch_count(g->system);
    double *const old = k->branches, *const now = k->branches + n;
    const size_t bytes = (size_t)n * sizeof *now;
    const bool had = k->has_branches;

    if (n == 0) return RG_OK;
    k->has_branches = rg_system_held(g->system, g->work, now);
    if (!k->has_branches || (had && memcmp(old, now, bytes) == 0)) return RG_OK;
    if (had && k->rank->has_scales && (!k->is_told || k->is_of_branches)) {
        RG_TRY(take_memory(g));
        take_with(g, old);
        memcpy(k->rank->scaled, k->rank->A, (size_t)k->rank->entries * sizeof *k->rank->A);
        if (!k->is_told) k->is_of_branches = depends(g, old);
        k->is_told = true;
        const bool is_there = take_with(g, now);
        if (k->is_of_branches && is_there && rg_passage_rank_turn(k->rank)) {
            k->has_sample = false;
            k->apart = 0.0;
        }
    }
    memcpy(old, now, bytes);
    return RG_OK;
}

rg_status rg_passage_look(rg_integrator *g, double t, double *signal)
{
    RG_TRY(take_memory(g));
    *signal = look(g, t) ? rg_passage_rank_measure(rg_passage_of(g)->rank) : INFINITY;
    return RG_OK;
}

rg_status rg_passage_monitor(rg_integrator *g, double t0, double *least)
{
    rg_passage *k = rg_passage_of(g);
    rg_ivp_jacobian last;
    bool is_clear = true;

    note_speed(g);
    *least = INFINITY;
    if (change_ahead(k, g->t) < RG_MONITOR_LITTLE && is_clear_up_to(k, g->t)) return RG_OK;
    if (k->main->jacobian != NULL && g->stats.jacobians != k->jacobians) {
        k->main->jacobian(g, &last);
        if (!k->has_sample || (last.t - k->t_now) * g->direction > 0.0) {
            k->jacobians = g->stats.jacobians;
            is_clear = take_matrix(k, last.Jy, last.Jyp) && add_sample(k, last.t, !k->has_sample);
        }
    }
    if (is_clear && is_clear_up_to(k, g->t)) return RG_OK;
    RG_TRY(take_memory(g));
    if (is_clear && k->t_now != g->t && look(g, g->t) && add_sample(k, g->t, false)) return RG_OK;
    *least = sample(g, t0);
    return RG_OK;
}
