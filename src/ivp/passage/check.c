/* May a singular point be passed?  And did a motion that turned back before one really turn?
 *
 * Transversality: U, the left singular vectors of the lost ranks; N, a basis of the kernel of G,
 * both at t* (geometry.h):
 *
 *     W = U^T (dG/dt along the motion) N,    S = |U^T (dG/dq in direction N_k) N| (rms over k),
 *                                            tau = sigma_min(W)/(S v_max)
 *
 * S = 0: driven by time alone, unique; or more than two branches meet (degenerate()).
 * tau < min(.05, sqrt(tol)): the motion arrives too slowly to tell the branches apart, for an error
 * of the size of tol in the state decides between passing and turning back when v^2 < a tol.
 * Source: doc/methods/passage.md, section 4.
 *
 * The same from the other side, where a motion comes near and turns back: with q_s the singular
 * configuration next to the turn (exact.c), d = |q_s - q|, u = (q_s - q)/d and a = -u^T q'', the
 * speed that was missing, squared, is between a d (the force that turns it back vanishes at q_s: a
 * hill) and 2 a d (it is constant).  tau is that of the speed sqrt(a d) along u at q_s; the turn is
 * in doubt for the same tau, so that two motions whose energies are as far above and below the
 * critical one are treated alike.  A motion may also go around q_s, with speed; there d itself
 * must be larger than the tolerance. */
#include "ivp/passage/geometry.h"

#include "ivp/passage/tuning.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct { /* of a step */
    double t, h, c;
} spot;

/* Singular values that vanish at c, but not beside it. */
static rg_status count_lost(rg_geometry *x, const spot *at)
{
    rg_passage *k = x->k;
    int lost = 0;

    rg_coupled_at(k->stages, at->h, at->c, x->point, NULL);
    RG_TRY(rg_geometry_decompose(x, at->t + at->c * at->h, x->point));
    for (int e = 0; e < x->m; e++)
        x->sigma_beside[e] = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        const double c = at->c + side * RG_CHECK_APART;
        rg_coupled_at(k->stages, at->h, c, x->point, NULL);
        RG_TRY(rg_geometry_values(x, at->t + c * at->h, x->point, x->W));
        for (int e = 0; e < x->m; e++)
            x->sigma_beside[e] = fmax(x->sigma_beside[e], x->W[e]);
    }
    const int last = rg_geometry_last(x);
    while (lost <= last && x->sigma[last - lost] < RG_CHECK_LOST * x->sigma_beside[last - lost])
        lost++;
    rg_geometry_lose(x, lost);
    return RG_OK;
}

static rg_status part_redundant(rg_geometry *x, const spot *at)
{
    const double c1 = at->c + RG_CHECK_UNCERTAIN, c0 = at->c - RG_CHECK_UNCERTAIN;

    rg_coupled_at(x->k->stages, at->h, c1, x->point, NULL);
    rg_coupled_at(x->k->stages, at->h, c0, x->other, NULL);
    return rg_geometry_part(x, at->t + c1 * at->h, x->point, at->t + c0 * at->h, x->other);
}

/* tau of the motion there: the smallest within its uncertainty. */
static rg_status speed_across(rg_geometry *x, const spot *at, double S, double *tau)
{
    rg_passage *k = x->k;
    double least = INFINITY;

    for (int side = -1; side <= 1; side++) {
        const double c1 = at->c + (side + 1) * RG_CHECK_UNCERTAIN,
                     c0 = at->c + (side - 1) * RG_CHECK_UNCERTAIN;
        double now;
        rg_coupled_at(k->stages, at->h, c1, x->point, NULL);
        rg_coupled_at(k->stages, at->h, c0, x->other, NULL);
        RG_TRY(rg_geometry_crossing(x, at->t + c1 * at->h, x->point, at->t + c0 * at->h, x->other,
                                    &now));
        least = fmin(least, now / fabs((c1 - c0) * at->h));
    }
    *tau = least / (S * fmax(k->v_max, 1e-300));
    return RG_OK;
}

/* d, u and a of a turn at c; u (all unknowns) is in x->other, its share of the time
 * comes back. */
static double direction(rg_geometry *x, const spot *at, const rg_nearest *to, double *d, double *a)
{
    rg_passage *k = x->k;
    const rg_stable_constraints *s = &k->form->constraints;
    const double dt = to->t - (at->t + at->c * at->h);
    double sum = dt * k->v_max * dt * k->v_max;

    rg_coupled_at(k->stages, at->h, at->c, x->point, NULL);
    memset(x->other, 0, (size_t)k->N * sizeof *x->other);
    for (int q = 0; q < s->n_q; q++) {
        const double e = to->w[s->state[q]] - x->point[s->state[q]];
        x->other[s->state[q]] = e;
        sum += e * e;
    }
    *d = sqrt(sum);
    *a = 0.0;
    const double inverse = *d > 0.0 ? 1.0 / *d : 0.0;
    for (int q = 0; q < s->n_q; q++) {
        const double *a_2 = k->stages->polynomial + 2 * k->N + s->state[q], *a_3 = a_2 + k->N;
        x->other[s->state[q]] *= inverse;
        *a -= x->other[s->state[q]] * (2.0 * *a_2 + 6.0 * *a_3 * at->c) / (at->h * at->h);
    }
    return dt * inverse;
}

/* x->point = to->w + RG_EXACT_DIFFERENCE u,  u = x->other */
static void nudge(rg_geometry *x, const rg_nearest *to)
{
    const rg_stable_constraints *s = &x->k->form->constraints;

    memcpy(x->point, to->w, (size_t)x->k->N * sizeof *x->point);
    for (int q = 0; q < s->n_q; q++)
        x->point[s->state[q]] += RG_EXACT_DIFFERENCE * x->other[s->state[q]];
}

/* sigma_min(W)/S at a configuration for the direction u (x->other) and dt: U and S belong to it. */
static rg_status across(rg_geometry *x, const rg_nearest *to, double dt, double S, double *share)
{
    double change;

    nudge(x, to);
    RG_TRY(
        rg_geometry_crossing(x, to->t + RG_EXACT_DIFFERENCE * dt, x->point, to->t, to->w, &change));
    *share = change / (RG_EXACT_DIFFERENCE * S);
    return RG_OK;
}

/* tau of a motion that came near the configuration and turned back: of the speed that was missing,
 * or of the one it still has.  Where the polynomial shows no force that turns it back, a hill is
 * taken for granted: sqrt(a d)/v_max = d/size.  Infinite: no loss of rank. */
static rg_status turn_speed(rg_geometry *x, const spot *at, const rg_nearest *to, double size,
                            double *d, double *tau)
{
    const double v_max = fmax(x->k->v_max, 1e-300);
    double a, S, share;
    int lost = 0;

    *tau = INFINITY;
    *d = 0.0;
    RG_TRY(rg_geometry_decompose(x, to->t, to->w));
    for (const int last = rg_geometry_last(x); lost <= last; lost++)
        if (!(x->sigma[last - lost] < RG_RANK_DOUBT)) break;
    rg_geometry_lose(x, lost);
    if (lost == 0) return RG_OK;
    double dt = direction(x, at, to, d, &a);
    nudge(x, to);
    RG_TRY(rg_geometry_part(x, to->t + RG_EXACT_DIFFERENCE * dt, x->point, to->t, to->w));
    RG_TRY(rg_geometry_angle(x, to->t, to->w, &S));
    if (S < RG_CHECK_TIME_DRIVEN) return RG_OK;
    dt = direction(x, at, to, d, &a);
    RG_TRY(across(x, to, dt, S, &share));
    *tau = share * (a > 0.0 ? sqrt(a * *d) / v_max : *d / size);
    rg_coupled_at(x->k->stages, at->h, at->c, x->point, x->other);
    for (int e = 0; e < x->k->N; e++)
        x->other[e] /= v_max;
    RG_TRY(across(x, to, 1.0 / v_max, S, &share));
    *tau = fmax(*tau, share);
    return RG_OK;
}

/* The size of q beside the tolerances: atol/rtol + |q| */
static double size_of(const rg_integrator *g)
{
    double unit = g->unit != NULL ? 0.0 : g->options.atol / g->options.rtol;

    for (int64_t i = 0; g->unit != NULL && i < g->n; i++)
        unit = fmax(unit, g->unit[i]);
    return fmax(unit + rg_passage_of(g)->q_max, 1e-300);
}

static double slowest(const rg_integrator *g)
{
    return fmin(RG_CHECK_SLOW, sqrt(g->options.rtol));
}

/* The signal at w + sign * tol (unit + |w|), not in equal parts, which might cancel, brought back
 * onto the constraints; sign 0: at w.  Negative: there is nothing to come back to. */
static double signal_beside(rg_integrator *g, rg_geometry *x, const spot *at, double sign)
{
    rg_passage *k = x->k;
    const double t = at->t + at->c * at->h;

    rg_coupled_at(k->stages, at->h, at->c, x->point, x->other);
    for (int e = 0; e < k->N; e++) {
        const double unit = k->unit != NULL ? k->unit[e] : g->options.atol / g->options.rtol;
        const double move = g->options.rtol * (unit + fabs(x->point[e])) / (1 + e % 3);
        if (k->form->is_differential[e]) x->point[e] += sign * move;
    }
    if (rg_stable_project(k->form, t, x->point) != RG_OK) return -1.0;
    return rg_passage_signal(k, t, x->point, x->other);
}

/* A multiplier may lose its effect on constraints that keep their rank: det(G B) = 0, B the columns
 * of the multipliers.  With x the distance from there, x x' = a (t - t*), x^2 = a (t - t*)^2 + C:
 * the motion with C = 0 goes through, the others turn back or end.  An error of the size of tol
 * in the states changes C by as much, and by A^-1 that of the unknowns that the constraints
 * determine, and with them the signal, by more than itself where C < tol. */
static bool is_error(rg_integrator *g, rg_geometry *x, const spot *at)
{
    const double s = signal_beside(g, x, at, 0.0);
    bool is_one = false;

    if (!(s > 0.0)) return false; /* not on the constraints: nothing can be told */
    for (int sign = -1; sign <= 1; sign += 2) {
        const double beside = signal_beside(g, x, at, sign);
        is_one = is_one || !(beside >= 0.0) || fabs(beside - s) > RG_CHECK_LOST_PARTLY * s;
    }
    return is_one;
}

static rg_status judge_exact(rg_integrator *g, rg_geometry *x, const spot *at, const rg_nearest *to,
                             rg_verdict *out)
{
    const double size = size_of(g);

    RG_TRY(turn_speed(x, at, to, size, &out->distance, &out->tau));
    rg_log(x->k->ctx, 2, "turn at t = %.10g, %.2g before a singular position: tau %.2g",
           out->point.t, out->distance, out->tau);
    if (!isfinite(out->tau)) return RG_OK; /* driven by time alone: nothing to decide */
    if (out->tau < slowest(g) || out->distance < g->options.rtol * size) out->kind = VERDICT_TURN;
    return RG_OK;
}

static rg_status judge_turn(rg_integrator *g, rg_geometry *x, const spot *at, rg_nearest *to,
                            rg_verdict *out)
{
    out->kind = VERDICT_AWAY;
    rg_coupled_at(x->k->stages, at->h, at->c, to->w, NULL);
    RG_TRY(rg_geometry_decompose(x, to->t, to->w));
    if (rg_geometry_last(x) < 0) return RG_OK;
    rg_geometry_lose(x, 1);
    rg_geometry_name(x, out->point.constraints, sizeof out->point.constraints);
    RG_TRY(rg_passage_exactness(x->k, to, x->null, rg_geometry_lost(x), &out->rho));
    if (out->rho < RG_CHECK_EXACT) {
        RG_TRY(judge_exact(g, x, at, to, out));
    } else {
        double a;
        direction(x, at, to, &out->distance, &a);
    }
    if (out->kind == VERDICT_AWAY && is_error(g, x, at)) out->kind = VERDICT_NO_EFFECT;
    return RG_OK;
}

/* S = 0: G does not change with q to first order.  Driven by time alone it does not change at all.
 * Where three or more branches meet, |U^T (G(q + d n) - G(q)) N| = S_p d^p with p = 2 or more,
 * and the same along the motion tells tau^p S_p. */
static rg_status degenerate(rg_integrator *g, rg_geometry *x, const spot *at, const rg_nearest *to,
                            rg_verdict *out)
{
    const double d = RG_CHECK_REACH * (x->k->q_max > 0.0 ? x->k->q_max : 1.0);
    double near, far, least = INFINITY;

    RG_TRY(rg_geometry_reach(x, to->t, to->w, d, &near));
    RG_TRY(rg_geometry_reach(x, to->t, to->w, 2.0 * d, &far));
    const double p = near > 0.0 ? round(log2(far / near)) : 0.0;
    if (far < RG_CHECK_UNCHANGED || p < 2.0 || p > RG_CHECK_ORDER_MOST) return RG_OK;
    for (int side = -1; side <= 1; side += 2) {
        const double c = at->c + side * RG_CHECK_MOVED;
        double now;
        rg_coupled_at(x->k->stages, at->h, c, x->point, NULL);
        RG_TRY(rg_geometry_crossing(x, at->t + c * at->h, x->point, to->t, to->w, &now));
        least = fmin(least, now);
    }
    const double way = 2.0 * d * pow(least / far, 1.0 / p);
    out->tau = way / (RG_CHECK_MOVED * fabs(at->h) * fmax(x->k->v_max, 1e-300));
    rg_log(x->k->ctx, 2, "branches meet at t = %.10g with order %.0f: tau %.2g", out->point.t, p,
           out->tau);
    if (out->tau < slowest(g)) out->kind = VERDICT_SLOW;
    return RG_OK;
}

static rg_status judge_crossing(rg_integrator *g, rg_geometry *x, const spot *at, rg_nearest *to,
                                rg_verdict *out)
{
    double S, tau, d;

    RG_TRY(rg_geometry_angle(x, to->t, to->w, &S));
    if (S < RG_CHECK_TIME_DRIVEN) return degenerate(g, x, at, to, out);
    RG_TRY(speed_across(x, at, S, &out->tau));
    RG_TRY(rg_passage_exactness(x->k, to, x->null, rg_geometry_lost(x), &out->rho));
    rg_log(x->k->ctx, 2, "singular point at t = %.10g: %d lost, tau %.2g, exactness %.2g",
           out->point.t, x->lost, out->tau, out->rho);
    if (out->tau < slowest(g)) {
        out->kind = VERDICT_SLOW;
        if (out->rho >= RG_CHECK_EXACT) return RG_OK;
        RG_TRY(turn_speed(x, at, to, size_of(g), &d, &tau));
        if (!(tau >= slowest(g)) || !isfinite(tau)) return RG_OK;
        out->kind = VERDICT_AWAY; /* it turned before */
        out->tau = tau;
    } else if (out->rho >= RG_CHECK_EXACT) {
        out->kind = out->rho >= RG_PASSAGE_RESOLVED * fmin(g->options.rtol, RG_PASSAGE_TOL)
                        ? VERDICT_FOLLOW
                        : VERDICT_MISS;
    }
    return RG_OK;
}

static rg_status judge_point(rg_integrator *g, rg_geometry *x, const spot *at, rg_nearest *to,
                             rg_verdict *out)
{
    RG_TRY(count_lost(x, at));
    RG_TRY(part_redundant(x, at));
    out->point.lost = x->lost > 0 ? x->lost : 1;
    rg_geometry_name(x, out->point.constraints, sizeof out->point.constraints);
    rg_coupled_at(x->k->stages, at->h, at->c, to->w, NULL);
    if (x->lost > 0) return judge_crossing(g, x, at, to, out);
    const int last = rg_geometry_last(x);
    if (last >= 0 && x->sigma[last] < RG_CHECK_LOST_PARTLY * x->sigma_beside[last])
        return judge_turn(g, x, at, to, out);
    if (x->m > 1)
        out->point.constraints[0] =
            '\0'; /* all constraints keep their rank: a multiplier has no effect */
    return RG_OK;
}

rg_status rg_passage_judge(rg_integrator *g, double t, double h,
                           const rg_passage_candidate *candidate, rg_verdict *out)
{
    rg_passage *k = rg_passage_of(g);
    const spot at = {t, h, candidate->c};
    rg_geometry x;

    *out = (rg_verdict){.kind = VERDICT_PASSED, .point = {.t = t + candidate->c * h}};
    rg_status status = rg_geometry_init(k, &x);
    rg_nearest to = {out->point.t, rg_alloc(k->ctx, (size_t)k->N + 1, sizeof *to.w)};
    if (to.w == NULL) status = RG_ERR_MEMORY;
    if (status == RG_OK)
        status = (candidate->is_turn ? judge_turn : judge_point)(g, &x, &at, &to, out);
    if (status == RG_OK && x.lost == 0 && !candidate->is_turn && candidate->depth > RG_CHECK_DIP)
        out->kind = VERDICT_AWAY; /* no constraint tells, and the signal does not go to zero */
    rg_free(k->ctx, to.w);
    rg_geometry_clear(&x);
    if (status == (rg_status)RG_RETRY) status = RG_OK;
    return status;
}

/* The branches of u w = rho are sqrt(2 rho) away from where they would cross. */
static bool is_near_miss(const rg_integrator *g, const rg_verdict *v)
{
    const double rounding = sqrt(DBL_EPSILON / g->options.rtol);
    const double near = fmax(RG_CHECK_BESIDE * sqrt(v->rho), rounding) * size_of(g);

    return v->kind == VERDICT_AWAY && v->rho >= RG_CHECK_EXACT && v->rho < RG_PASSAGE_TOL
           && v->distance < near;
}

bool rg_passage_is_doubtful_here(rg_integrator *g, rg_verdict *out)
{
    const rg_passage_candidate here = {.is_turn = true};

    rg_coupled_straight(rg_passage_of(g)->stages, 1.0);
    if (rg_passage_judge(g, g->t, 1.0, &here, out) != RG_OK) return false;
    if (is_near_miss(g, out)) {
        out->kind = VERDICT_MISS;
        return true;
    }
    if (out->kind != VERDICT_TURN || !(out->tau < slowest(g))) return false;
    out->kind = VERDICT_SLOW;
    return true;
}
