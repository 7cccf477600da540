/* One accepted step through or near a singular point.
 *
 * Step-over: no stage may come near the point c* = (t* - t_n)/h.  Allowed: c* < .07, .240 .. .560,
 * .730 .. .915, > 1.085; otherwise the step is repeated, before the error test, with
 *     c* < .24: h <- c* h/.3      .56 .. .915: h <- c* h/.82      .915 .. 1.085: h <- c* h/1.4
 * (at most 6 times; doc/methods/passage.md, section 3).  A point is never made a point of the mesh:
 * where the run ends on one, the last step goes past it, c* h/.82, and the end comes from its
 * polynomial. */
#include "ivp/passage/passage.h"
#include "ivp/passage/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

void rg_passage_weights(rg_integrator *g)
{
    const rg_coupled *c = rg_passage_of(g)->stages;
    const double rtol = fmin(g->options.rtol * c->noise, RG_PASSAGE_TOL);
    const double *unit = rg_passage_of(g)->unit;
    const double atol = g->options.atol * rtol / g->options.rtol;

    for (int e = 0; e < c->equations.N; e++) {
        const double least = unit != NULL ? rtol * unit[e] : atol;
        const double size = fmax(least + rtol * fabs(c->w[e]), DBL_MIN);
        c->weight[e] = c->equations.is_differential[e] ? 1.0 / size : 0.0;
    }
}

rg_status rg_passage_stages(rg_integrator *g, double h)
{
    rg_coupled *c = rg_passage_of(g)->stages;

    rg_passage_weights(g);
    rg_coupled_predict(c, h);
    g->stats.jacobians++;
    g->stats.factorizations++;
    rg_passage_iteration *q = rg_passage_of(g)->iteration;
    RG_TRY(q != NULL ? q->stages(q, c, g->t, h, &g->stats.evaluations)
                     : rg_coupled_newton(c, g->t, h, &g->stats.evaluations));
    rg_coupled_interpolate(c);
    return RG_OK;
}

rg_status rg_passage_begin(rg_integrator *g, double h)
{
    rg_passage *k = rg_passage_of(g);
    rg_stable *v = k->form;
    const size_t bytes = (size_t)k->N * sizeof(double);

    RG_TRY(rg_passage_take_memory(g));
    rg_coupled *c = k->stages;
    rg_stable_from_system(v, g->system, g->y, g->yp, c->w, c->wp);
    memcpy(k->point, c->w, bytes);
    const rg_status status = rg_stable_project(v, g->t, c->w);
    if (status != RG_OK) memcpy(c->w, k->point, bytes); /* as it is */
    for (int64_t j = 0; j < v->p->n; j++)               /* chains, projected */
        for (int r = 1; rg_system_state(v->system, j, r) >= 0; r++)
            c->wp[rg_system_state(v->system, j, r - 1)] = c->w[rg_system_state(v->system, j, r)];
    c->h_last = 0.0;
    k->was_falling = false; /* there is no step before */
    c->noise = 1.0;
    c->most_noise = RG_PASSAGE_NOISE / g->options.rtol;
    k->h = fabs(h);
    return status < 0 ? status : RG_OK;
}

/* The smallest signal over the step, looked at so often that points as close as the last ones
 * are seen. */
static double smallest_signal(rg_passage *k, double t, double h)
{
    const double wanted = k->pace > 0.0 ? RG_PASSAGE_PER_PACE * fabs(h) / k->pace : 0.0;
    const int n = (int)fmin(fmax(wanted, RG_PASSAGE_LOOKS), RG_PASSAGE_MOST_LOOKS);
    double least = k->s_now;

    for (int e = 1; e <= n; e++) {
        const double c = (double)e / n;
        rg_coupled_at(k->stages, h, c, k->point, k->slope);
        const double s = rg_passage_signal(k, t + c * h, k->point, k->slope);
        if (s >= 0.0) least = fmin(least, s);
    }
    return least;
}

/* The step that keeps the stages away from c; 0: this one does. */
static double step_over(double c, double h, bool is_last)
{
    if (c < 0.07 || (c > 0.24 && c < 0.56) || (c > 0.73 && c < 0.915) || c > 1.085) return 0.0;
    if (c < 0.24) return c * h / 0.3;
    return c * h / (c < 0.915 || is_last ? 0.82 : 1.4);
}

/* Hands w at s of the step over to the integrator: y, y', polynomial in (t - t_n)/(s h). */
static rg_status hand_over(rg_integrator *g, double h, double s)
{
    rg_passage *k = rg_passage_of(g);
    const rg_system *v = k->form->system;

    RG_TRY(rg_integrator_set_degree(g, 3));
    memset(g->polynomial, 0, 4 * (size_t)g->n * sizeof(double));
    rg_coupled_at(k->stages, h, s, k->point, k->slope);
    for (int64_t j = 0; j < k->form->p->n; j++)
        for (int r = 0; rg_system_state(g->system, j, r) >= 0; r++) {
            const int64_t state = rg_system_state(g->system, j, r);
            const int64_t at = rg_system_state(v, j, r), next = rg_system_state(v, j, r + 1);
            double power = 1.0;
            for (int e = 0; e < 4; e++, power *= s)
                g->polynomial[e * g->n + state] = power * k->stages->polynomial[e * k->N + at];
            g->y[state] = k->point[at];
            g->yp[state] = next >= 0 ? k->point[next] : k->slope[at];
        }
    return RG_OK;
}

static void note_speed(rg_passage *k)
{
    double sum = 0.0;

    for (int q = 0; q < k->form->constraints.n_q; q++) {
        const int state = k->form->constraints.state[q];
        sum += k->stages->wp[state] * k->stages->wp[state];
        k->q_max = fmax(k->q_max, fabs(k->stages->w[state]));
    }
    k->v_max = fmax(k->v_max, sqrt(sum));
}

rg_status rg_passage_record(rg_integrator *g, const rg_singular *point)
{
    rg_passage *k = rg_passage_of(g);

    RG_TRY(rg_grow(k->ctx, &k->passed, k->n_passed, &k->passed_capacity, sizeof *k->passed));
    k->pace = fabs(point->t - (k->n_passed > 0 ? k->passed[k->n_passed - 1].t : g->t_start));
    k->passed[k->n_passed++] = *point;
    k->since = k->in_vain = 0;
    return RG_OK;
}

/* Stages, candidates, step-over.  RG_RETRY: again with k->h. */
static rg_status attempt(rg_integrator *g, double *h, rg_passage_candidates *candidates,
                         rg_passage_cause *cause)
{
    rg_passage *k = rg_passage_of(g);
    const bool is_last = fabs(*h) >= (1.0 - 1e-12) * fabs(g->t_end - g->t);

    for (int repeat = 0;; repeat++) {
        const double noise = k->stages->noise;
        const rg_status status = rg_passage_stages(g, *h);
        if (status < 0) return status;
        if (status != RG_OK) {
            *cause = PASSAGE_NEWTON;
            k->h = (k->stages->noise > noise ? 1.0 : 0.4) * fabs(*h);
            return status;
        }
        *candidates = (rg_passage_candidates){0};
        if (smallest_signal(k, g->t, *h) > RG_PASSAGE_TRIGGER * k->s_ref) return RG_OK;
        rg_passage_locate(k, g->t, *h, candidates);
        double other = 0.0;
        for (int e = 0; e < candidates->count && other == 0.0; e++) {
            const rg_passage_candidate *p = &candidates->item[e];
            if (p->is_turn) continue;
            other = step_over(p->c, *h, is_last);
        }
        if (other == 0.0 || repeat == RG_PASSAGE_REPEATS) return RG_OK;
        rg_log(k->ctx, 3, "step over: t = %.10g, h = %.4g -> %.4g", g->t, *h, other);
        *h = other;
    }
}

/* Scales have grown: the reference of before means nothing.  The largest signal over the step,
 * at its ends. */
static void find_reference(rg_passage *k, double t, double h, double s)
{
    rg_coupled_at(k->stages, h, 0.0, k->point, k->slope);
    k->s_ref = k->s_max = fmax(s, rg_passage_signal(k, t - h, k->point, k->slope));
}

/* The signal at the end of the step.  Only here do the scales grow, so that signals within a
 * step compare; the reference follows them. */
static void note_signal(rg_passage *k, double t, double h)
{
    double s = rg_passage_signal(k, t, k->stages->w, k->stages->wp);

    if (s < 0.0) return;
    rg_passage_rank_note_scales(k->rank);
    if (k->rank->is_rescaled) {
        const double before = s;
        s = rg_passage_rank_measure(k->rank);
        if (k->iteration != NULL) {
            find_reference(k, t, h, s);
        } else if (before > 0.0) {
            k->s_ref *= s / before;
            k->s_max *= s / before;
        }
        k->rank->is_rescaled = false;
    }
    k->s_now = s;
    k->s_ref = fmax(k->s_ref, s);
    if (s > RG_PASSAGE_TRIGGER * k->s_ref) k->stages->noise = 1.0;
}

/* Of redundant constraints only the multipliers of least norm have a meaning. */
static rg_status find_least(rg_passage *k, double t, double h)
{
    if (k->form->border.n == 0) return RG_OK;
    for (int i = 0; i < COUPLED_STAGES; i++) {
        const rg_status status =
            rg_border_least(k->form, t + k->stages->rule.c[i] * h, k->stages->W + i * k->N);
        if (status < 0) return status;
    }
    rg_coupled_interpolate(k->stages);
    return RG_OK;
}

rg_status rg_passage_advance(rg_integrator *g, double h, double end)
{
    rg_passage *k = rg_passage_of(g);
    rg_coupled *c = k->stages;
    const bool is_last =
        fabs((g->t_end - g->t) - end * h) <= 4 * DBL_EPSILON * fmax(fabs(g->t_end), fabs(g->t));

    RG_TRY(find_least(k, g->t, h));
    if (k->iteration != NULL)
        RG_TRY(k->iteration->accept(k->iteration, c, g->t, h, &g->stats.evaluations));
    RG_TRY(hand_over(g, h, end));
    memcpy(c->last, c->polynomial, 4 * (size_t)k->N * sizeof *c->last);
    rg_coupled_at(k->stages, h, end, c->w, c->wp);
    c->h_last = end < 1.0 ? 0.0 : h; /* the run ends before */
    g->t_previous = g->t;
    g->t = is_last ? g->t_end : g->t + end * h;
    g->stats.steps++;
    if (k->since++ > 0 && k->n_passed > 0) k->pace *= 2.0; /* they are not as close any more */
    note_speed(k);
    note_signal(k, g->t, end * h);
    const rg_status turned = rg_border_turn(k->form, k->rank->row_largest, k->rank->A);
    return turned < 0 ? turned : RG_OK;
}

/* The step to be tried.  A rest of less than two steps is halved.  When Newton fails in the last
 * step, a stage may lie on a singular point at the end itself: then, once, the step goes past
 * it. */
static double choose_size(rg_integrator *g, bool goes_past)
{
    rg_passage *k = rg_passage_of(g);
    const double left = fabs(g->t_end - g->t);

    if (g->options.h_max > 0.0) k->h = fmin(k->h, g->options.h_max);
    if (k->pace > 0.0) k->h = fmin(k->h, RG_PASSAGE_PACES * k->pace);
    if (goes_past) return left / 0.82;
    return k->h >= left ? left : 2.0 * k->h > left ? left / 2.0 : k->h;
}

/* The stages are there: error test, points, acceptance.  RG_RETRY: again with k->h. */
static rg_status judge(rg_integrator *g, double h, rg_passage_candidates *candidates,
                       rg_passage_cause *cause)
{
    rg_passage *k = rg_passage_of(g);
    const double error = fmax(rg_coupled_error(k->stages, h), rg_passage_error_between(g, h));
    const double end = fmin(1.0, fabs((g->t_end - g->t) / h));

    k->h = fabs(h) * fmin(4.0, fmax(0.2, 0.9 * pow(fmax(error, 1e-10), -0.25)));
    *cause = isfinite(error) ? PASSAGE_ERROR : PASSAGE_VALUES;
    if (!(error <= 1.0)) {
        if (end < 1.0) k->h = fmin(k->h, 0.5 * end * fabs(h)); /* not past the end again */
        return (rg_status)RG_RETRY;
    }
    if (!rg_passage_is_smooth(g, h, candidates)) {
        k->h = 0.3 * fabs(h);
        return (rg_status)RG_RETRY;
    }
    RG_TRY(rg_passage_check_candidates(g, h, end, candidates));
    return rg_passage_advance(g, h, end);
}

rg_status rg_passage_step(rg_integrator *g)
{
    rg_passage *k = rg_passage_of(g);
    rg_passage_candidates candidates;
    rg_passage_cause cause = PASSAGE_NEWTON;
    bool goes_past = false, went_past = false;

    if (g->options.step > 0.0) return rg_passage_fixed_step(g);
    for (int failures = 0;; failures++) {
        RG_TRY(rg_integrator_go_on(g));
        double h = g->direction * choose_size(g, goes_past);
        if (fabs(h) < RG_PASSAGE_SHORTEST * fmax(1.0, fabs(g->t)) || failures > RG_PASSAGE_FAILURES
            || g->stats.steps + g->stats.rejected >= g->options.max_steps) {
            const rg_status undone = rg_passage_undo_repeat(g);
            if (undone == RG_OK) return rg_passage_give_up(g, cause);
            if (undone < 0) return undone;
            failures = 0;
            continue;
        }
        const bool is_last = fabs(h) >= (1.0 - 1e-12) * fabs(g->t_end - g->t);
        rg_status status = attempt(g, &h, &candidates, &cause);
        goes_past = status == (rg_status)RG_RETRY && is_last && !went_past;
        went_past = went_past || goes_past;
        if (status == RG_OK) status = judge(g, h, &candidates, &cause);
        if (status != (rg_status)RG_RETRY) return status;
        g->stats.rejected++;
        rg_log(k->ctx, 3, "passage: t = %.10g, h = %.4g rejected", g->t, h);
    }
}
