/* Passages through places where G B loses rank.
 *
 * p(t), the smallest pivot of G B on the solution over the largest one so far, is sampled at the
 * mesh points, in long steps also between them (L section 5: "we monitor the size of the
 * pivot").  Where three samples have their least value in the middle the minimum is looked for
 * on the dense output, by golden sections: p is V-shaped at a simple zero and like (t - t*)^2 at
 * a double one.  A minimum below RG_SRM_PASSED is a passage; as many pivots as are below it count
 * as lost rank. */
#include "ivp/srm/srm_impl.h"

#include "ivp/passage/tuning.h"
#include "ivp/srm/tuning.h"
#include "linalg/small_lu.h"

#include <math.h>
#include <string.h>

static const double GOLDEN = 0.38196601125010515;

static rg_status report(rg_integrator *g, double t, int lost)
{
    rg_srm *b = rg_srm_of(g);

    if (b->n_passages >= SRM_MAX_PASSAGES) return RG_OK;
    if (b->n_passages > 0
        && fabs(t - b->passage[b->n_passages - 1].t) <= RG_SAME * fabs(g->t_end - g->t_start))
        return RG_OK;
    RG_TRY(rg_grow(g->ctx, &b->passage, b->n_passages, &b->passage_capacity, sizeof *b->passage));
    b->passage[b->n_passages++] = (rg_singular){.t = t, .lost = lost > 0 ? lost : 1};
    rg_log(g->ctx, 2, "singular place passed at t = %.10g", t);
    return RG_OK;
}

/* A state on the dense output of the last step, or of the one before it. */
static double state_at(const rg_integrator *g, int64_t state, double t)
{
    const rg_srm *b = rg_srm_of(g);
    const bool is_old = b->old_degree > 0 && (t - g->t_previous) * g->direction < 0.0;
    const double *a = is_old ? b->old : g->polynomial;
    const double t0 = is_old ? b->old_start : g->t_previous, t1 = is_old ? g->t_previous : g->t;
    const double s = t1 != t0 ? (t - t0) / (t1 - t0) : 0.0;
    const int degree = is_old ? b->old_degree : g->degree;
    double sum = a[degree * g->n + state];

    for (int k = degree - 1; k >= 0; k--)
        sum = sum * s + a[k * g->n + state];
    return sum;
}

rg_status rg_srm_sample_at(rg_integrator *g, double t, srm_sample *out)
{
    rg_srm *b = rg_srm_of(g);
    const int64_t *y = rg_semi_y(b->core->view);
    double *z = b->stage, *multipliers = b->samples;

    for (int r = 0; r < b->core->order; r++)
        for (int k = 0; k < b->core->n_x; k++)
            z[r * b->core->n_x + k] = state_at(g, rg_srm_state(b->core, r, k), t);
    for (int k = 0; k < b->core->n_y; k++)
        multipliers[k] = state_at(g, y[k], t);
    out->t = t;
    return rg_srm_pivot_at(b->core, z, multipliers, RG_SRM_PASSED, out);
}

/* On entry c lies between a and b and has the least p. */
static rg_status find_least(rg_integrator *g, srm_sample a, srm_sample c, srm_sample b)
{
    const double first = c.p, around = fmin(a.p, b.p), t_a = a.t, t_b = b.t;

    for (int k = 0; k < RG_SRM_SECTIONS && c.p > 0.0; k++) {
        if (k == RG_SRM_HOPELESS && c.p > fmax(RG_SRM_FALLING * first, RG_SRM_PASSED)) return RG_OK;
        const bool is_left = fabs(c.t - a.t) > fabs(b.t - c.t);
        srm_sample next;
        const double t = c.t + GOLDEN * ((is_left ? a.t : b.t) - c.t);
        if (t == c.t) break;
        RG_TRY(rg_srm_sample_at(g, t, &next));
        srm_sample *side = is_left ? &a : &b, *other = is_left ? &b : &a;
        if (next.p < c.p) {
            *other = c;
            c = next;
        } else {
            *side = next;
        }
    }
    if (c.p > fmin(RG_SRM_PASSED, RG_SRM_FALLING * around)) return RG_OK; /* small all the way */
    RG_TRY(rg_srm_check_bounded(g, c.t, fabs(t_a - c.t) > fabs(t_b - c.t) ? t_a - c.t : t_b - c.t));
    /* rivals do not pass such places, though they may come out behind them: no claim */
    return rg_srm_of(g)->method->is_sequential ? report(g, c.t, c.lost) : RG_OK;
}

static rg_status push(rg_integrator *g, srm_sample now)
{
    rg_srm *b = rg_srm_of(g);
    srm_sample *q = b->past;

    if (b->n_past == 3) {
        q[0] = q[1];
        q[1] = q[2];
        b->n_past = 2;
    }
    q[b->n_past++] = now;
    if (b->n_past < 3 || !(q[1].p <= RG_SRM_NEAR && q[1].p <= q[0].p && q[1].p < q[2].p))
        return RG_OK;
    return find_least(g, q[0], q[1], q[2]);
}

static void keep_step(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);

    b->old_degree = g->degree <= SRM_MOST_DEGREE && g->t != g->t_previous ? g->degree : 0;
    b->old_start = g->t_previous;
    if (b->old_degree > 0)
        memcpy(b->old, g->polynomial, (size_t)g->n * (size_t)(b->old_degree + 1) * sizeof *b->old);
}

/* On a mesh the last evaluation was that at the mesh point. */
rg_status rg_srm_watch(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);
    const bool is_long = b->scheme.stepping == SRM_RADAU && g->t != g->t_previous;
    const int n = is_long ? RG_PASSAGE_LOOKS : 1;
    srm_sample now = {.t = g->t};

    if (b->core->is_lean) return RG_OK; /* there is no G B */
    for (int i = 1; i <= n; i++) {
        if (b->scheme.stepping == SRM_MESH)
            rg_srm_pivot_now(b->core, RG_SRM_PASSED, &now);
        else
            RG_TRY(rg_srm_sample_at(
                g, i == n ? g->t : g->t_previous + (g->t - g->t_previous) * i / n, &now));
        rg_srm_trace(g, &now);
        RG_TRY(push(g, now));
    }
    keep_step(g);
    return RG_OK;
}
