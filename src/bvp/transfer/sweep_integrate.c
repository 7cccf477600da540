/* A sweep by an integrator for initial values: Radau IIA or BDF on (E2), (E3), or (E4).
 *
 * The source integrates with DASSL (Petry, section 6); Remark 4.2 leaves the choice open.  Unlike
 * the linear Gauss steps these keep the invariant only within their tolerance, and control the
 * error per step.  What they may do and Gauss steps may not: long steps where a stiff solution has
 * died away.  Columns are brought back to im A^T when values are asked for: Q u = 0 is an
 * invariant too, and psi = X u sees P u only. */
#include "bvp/transfer/sweep_impl.h"
#include "bvp/transfer/tuning.h"
#include "ivp/bdf/bdf.h"
#include "ivp/method.h"
#include "ivp/radau/radau.h"
#include "views/tuning.h"

#include <math.h>
#include <string.h>

rg_status rg_sweep_track_create(rg_sweep *s)
{
    rg_sweep_track *w = s->track = rg_alloc(s->ctx, 1, sizeof *w);
    const size_t n = (size_t)(s->m + 1) * (size_t)s->k;

    if (w == NULL) return RG_ERR_MEMORY;
    w->z = rg_alloc(s->ctx, n, sizeof *w->z);
    w->zp = rg_alloc(s->ctx, n, sizeof *w->zp);
    w->slope = rg_alloc(s->ctx, n, sizeof *w->slope);
    if (w->z == NULL || w->zp == NULL || w->slope == NULL) return RG_ERR_MEMORY;
    return rg_flow_create(s->field, s->k, s->options.variant, &w->flow);
}

void rg_sweep_track_destroy(rg_sweep *s)
{
    rg_sweep_track *w = s->track;

    if (w == NULL) return;
    rg_flow_destroy(&w->flow);
    rg_free(s->ctx, w->coefficients);
    rg_free(s->ctx, w->first);
    rg_free(s->ctx, w->z);
    rg_free(s->ctx, w->zp);
    rg_free(s->ctx, w->slope);
    rg_free(s->ctx, w);
    s->track = NULL;
}

/* ---- the equations as a problem -------------------------------------------------------------- */

/* A failure with a message of its own, as a place where the index changes, is kept for the end
 * of the integration. */
static int answer(rg_flow *w, rg_status status)
{
    if (status >= 0) return status == RG_OK ? 0 : 1;
    w->failure = status;
    w->error = *rg_last_error(w->ctx);
    return -1;
}

static int right_side(double t, const double *z, double *zp, void *user)
{
    return answer(user, rg_flow_eval(user, t, z, zp));
}

static int jacobian(double t, const double *z, const double *zp, double shift, double *J,
                    void *user)
{
    (void)zp, (void)shift;
    return answer(user, rg_flow_jacobian(user, t, z, J));
}

/* ---- steps ----------------------------------------------------------------------------------- */

static rg_status keep_polynomial(rg_sweep *s, const rg_integrator *g)
{
    rg_sweep_track *w = s->track;
    const int64_t count = (rg_integrator_degree(g) + 1) * (int64_t)(s->m + 1) * s->k;

    if (w->n_steps + 2 > w->steps_capacity) {
        const size_t more = 2 * (size_t)w->steps_capacity + 64;
        int64_t *first = rg_resize(s->ctx, w->first, more, sizeof *first);
        if (first == NULL) return RG_ERR_MEMORY;
        w->first = first;
        w->steps_capacity = (int64_t)more;
    }
    if (w->size + count > w->capacity) {
        const size_t more = 2 * (size_t)w->capacity + 64 * (size_t)count;
        double *grown = rg_resize(s->ctx, w->coefficients, more, sizeof *grown);
        if (grown == NULL) return RG_ERR_MEMORY;
        w->coefficients = grown;
        w->capacity = (int64_t)more;
    }
    memcpy(w->coefficients + w->size, rg_integrator_polynomial(g), (size_t)count * sizeof(double));
    w->first[w->n_steps++] = w->size;
    w->first[w->n_steps] = w->size += count;
    return RG_OK;
}

/* Growth up to the last node, where the flow has just been evaluated.  Integrators damp what grows
 * from below atol: with an amplification of 1/rtol and more, nothing is known of it. */
static rg_status follow_growth(rg_sweep *s)
{
    const double t = s->t[s->n - 1], dt = s->n > 1 ? t - s->t[s->n - 2] : 0.0;

    if (!rg_sweep_grow(s, dt, s->track->flow->V))
        return rg_sweep_fail(s, t, "solutions grow or decay too fast for the steps",
                             "give a smaller --h-max, or take --scheme gauss");
    rg_sweep_mark(s, t);
    if (s->amplification * s->options.rtol < 1.0) return RG_OK;
    return rg_sweep_fail(s, t, "errors grow by more than 1/rtol on the way",
                         "take --scheme gauss, or give conditions where solutions are large");
}

/* Petry (19a), (19b): how far the polynomial of the last step is from the equations, at three
 * places of it. */
static rg_status note_defect(rg_sweep *s, const rg_integrator *g)
{
    static const double place[] = {0.25, 0.5, 0.75};
    rg_sweep_track *w = s->track;
    const rg_state now = rg_integrator_state(g);
    const double t = rg_integrator_step_start(g), dt = now.t - t;
    const int n_u = s->m * s->k;

    for (int p = 0; p < 3; p++) {
        rg_integrator_eval(g, t + place[p] * dt, w->z, w->slope);
        RG_TRY(rg_flow_eval(w->flow, t + place[p] * dt, w->z, w->zp));
        for (int i = 0; i < n_u + s->k; i++) {
            double *const largest = i < n_u ? &s->epsilon : &s->delta;
            *largest = fmax(*largest, fabs(w->slope[i] - w->zp[i]));
        }
    }
    return RG_OK;
}

/* After an accepted step: its polynomial, a node, the invariant, the index. */
static rg_status take_step(rg_sweep *s, const rg_integrator *g)
{
    const rg_state now = rg_integrator_state(g);
    rg_candidate work = rg_sweep_candidate(s, 3);

    RG_TRY(rg_sweep_check_interrupt(s));
    s->steps++;
    RG_TRY(keep_polynomial(s, g));
    RG_TRY(rg_sweep_store(s, now.t, now.y, now.y + s->m * s->k));
    rg_sweep_note(s, now.y, now.y + s->m * s->k, work.T);
    RG_TRY(note_defect(s, g));
    RG_TRY(rg_flow_eval(s->track->flow, now.t, now.y, s->track->zp));
    RG_TRY(follow_growth(s));
    s->track->flow->t = NAN; /* the field is used below */
    return rg_sweep_check_index(s);
}

static rg_status sink(const rg_integrator *g, void *user)
{
    rg_sweep *s = user;
    const rg_status status = take_step(s, g);

    s->track->is_ours = status < 0;
    return status;
}

static rg_options options_of(const rg_sweep *s)
{
    rg_options o = rg_options_default();

    const double share = s->options.is_renormalised ? RG_TRANSFER_SHARE : 1.0;
    o.rtol = fmax(share * s->options.rtol, 1e-14);
    o.atol = share * s->options.atol;
    o.step = s->options.step;
    o.h_first = s->options.h_first;
    o.h_max = rg_sweep_largest_step(s);
    o.max_steps = s->options.max_steps;
    o.stages = s->options.stages;
    return o;
}

/* What the integrator says about its unknowns means nothing to the user: the place and the
 * reason in our words. */
static rg_status explain(const rg_sweep *s, const rg_integrator *g, rg_status status)
{
    const rg_flow *w = s->track->flow;
    const double t = g != NULL ? g->t : s->t[s->n - 1];

    if (status == RG_ERR_CALLBACK && w->failure < 0) {
        rg_clear_error(s->ctx);
        rg_fail(s->ctx, w->failure, "%s", w->error.message);
        if (!isnan(w->error.t)) rg_fail_time(s->ctx, w->error.t);
        return rg_remedy(s->ctx, "%s", w->error.remedy);
    }
    if (status != RG_ERR_CONVERGENCE || s->track->is_ours) return status;
    const bool is_long = g != NULL && g->stats.steps + g->stats.rejected >= s->options.max_steps;
    rg_clear_error(s->ctx);
    return rg_sweep_fail(
        s, t, is_long ? "max_steps reached" : "the integrator found no step that it could accept",
        is_long ? "give a larger --tol or --max-steps" : "take --scheme gauss, or another --tol");
}

/* From the last node to the next break, or to the end. */
static rg_status run_part(rg_sweep *s, const rg_system *system)
{
    rg_sweep_track *w = s->track;
    const rg_options o = options_of(s);
    const double t = s->t[s->n - 1], limit = rg_sweep_limit(s, t);
    const double gap = RG_SAME_MOMENT * s->options.length;
    const size_t size = (size_t)(s->m * s->k), last = (size_t)s->n - 1;
    rg_integrator *g = NULL;

    w->flow->low = fmin(t, limit) + gap;
    w->flow->high = fmax(t, limit) - gap;
    memcpy(w->z, s->u + last * size, size * sizeof *w->z);
    memcpy(w->z + size, s->h + last * (size_t)s->k, (size_t)s->k * sizeof *w->z);
    rg_status status = rg_flow_eval(w->flow, t, w->z, w->zp);
    if (status == RG_RETRY)
        return rg_sweep_fail(s, t, "the coefficients cannot be evaluated",
                             "look for a division by 0 there");
    if (status != RG_OK) return status;
    if (s->n == 1) RG_TRY(follow_growth(s));
    const rg_state from = {t, w->z, w->zp};
    status = rg_integrator_create_with(s->options.scheme == RG_SWEEP_BDF ? &rg_bdf_method
                                                                         : &rg_radau_method,
                                       system, &o, &from, limit, &g);
    if (status == RG_OK) { /* not its own */
        g->pulses = s->options.pulses.list;
        g->n_pulses = s->options.pulses.n;
        status = rg_integrate(g, sink, s);
    }
    if (g != NULL) s->rejected += rg_integrator_stats(g).rejected;
    if (status < 0) status = explain(s, g, status);
    rg_integrator_destroy(&g);
    return status;
}

rg_status rg_sweep_integrate(rg_sweep *s)
{
    rg_study study = {.ctx = s->ctx};
    rg_problem p = {.ctx = s->ctx,
                    .study = &study,
                    .n = (int64_t)(s->m + 1) * s->k,
                    .n_rows = (int64_t)(s->m + 1) * s->k,
                    .max_order = 1,
                    .a = s->from,
                    .b = s->to,
                    .rhs = right_side,
                    .jacobian = jacobian,
                    .user = s->track->flow};
    const rg_analysis *a;
    rg_system *system = NULL;

    RG_TRY(rg_sweep_begin(s));
    s->track->flow->low = fmin(s->from, s->to);
    s->track->flow->high = fmax(s->from, s->to);
    rg_status status = rg_analysis_get(&p, &a);
    if (status == RG_OK) status = rg_system_create(&p, a, RG_VIEW_DIRECT, &system);
    if (status < 0) status = explain(s, NULL, status);
    while (status == RG_OK && s->t[s->n - 1] != s->to)
        status = run_part(s, system);
    rg_system_destroy(&system);
    rg_study_clear(&study);
    return status;
}

/* u <- u (u^T u)^-1/2, nearly: three times u (3 I - u^T u)/2, for columns that have drifted from
 * u^T u = I by the errors of the integrator.  h does not see the length of u where f = 0, so
 * drift would enter y as it is. */
static void renormalise(const rg_sweep *s, double *u)
{
    const int m = s->m, k = s->k;
    rg_candidate room = rg_sweep_candidate(s, 4);

    for (int pass = 0; pass < 3; pass++) {
        rg_multiply_transposed(m, k, k, u, u, room.T);
        memcpy(room.u, u, (size_t)(m * k) * sizeof *u);
        for (int j = 0; j < k; j++)
            for (int i = 0; i < m; i++) {
                double sum = 3.0 * room.u[j * m + i];
                for (int l = 0; l < k; l++)
                    sum -= room.u[l * m + i] * room.T[j * k + l];
                u[j * m + i] = 0.5 * sum;
            }
    }
}

rg_status rg_sweep_interpolate(rg_sweep *s, int64_t node, double t, double *u, double *h)
{
    const rg_sweep_track *w = s->track;
    const int64_t n = (int64_t)(s->m + 1) * s->k;

    if (node == s->n - 1) node--;
    const double *a = w->coefficients + w->first[node];
    const int degree = (int)((w->first[node + 1] - w->first[node]) / n) - 1;
    const double x = (t - s->t[node]) / (s->t[node + 1] - s->t[node]);
    for (int64_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = degree; j >= 0; j--)
            sum = sum * x + a[j * n + i];
        w->z[i] = sum;
    }
    memcpy(u, w->z, (size_t)(s->m * s->k) * sizeof *u);
    memcpy(h, w->z + s->m * s->k, (size_t)s->k * sizeof *h);
    if (s->field->is_varying) RG_TRY(rg_field_at(s->field, t));
    for (int j = 0; j < s->k && s->field->is_varying; j++)
        rg_field_project(s->field, u + j * s->m);
    if (s->options.is_renormalised) renormalise(s, u);
    return RG_OK;
}
