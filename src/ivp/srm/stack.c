/* The stacked form: all iterates as one system of differential equations with constant eps,
 *
 *     Z = (z_1, ..., z_m),      z_s' = F(t, z_s, c_{s-1}),      c_s = C(t, z_s, c_{s-1}),
 *
 * F and C as in evaluate.c, c_0 from y_0.  It can be integrated with any step, for nothing is
 * handed over through mesh values. */
#include "ivp/srm/srm_impl.h"

#include <string.h>

rg_status rg_srm_stack_eval(rg_integrator *g, double t, const double *z, double *dz, double *y)
{
    rg_srm *b = rg_srm_of(g);

    for (int s = 0; s < b->m; s++)
        RG_TRY(rg_srm_core_eval(
            b->core, t, z + s * b->core->n_z, s == 0 ? NULL : b->carried + (s - 1) * b->core->n_c,
            dz + s * b->core->n_z, b->carried + s * b->core->n_c, s == b->m - 1 ? y : NULL));
    return RG_OK;
}

/* Component k of the last iterate becomes a state. */
static void take_component(rg_integrator *g, const srm_stack_step *q, int k, int64_t state)
{
    const rg_srm *b = rg_srm_of(g);
    const int64_t N = (int64_t)b->m * b->core->n_z, at = (int64_t)(b->m - 1) * b->core->n_z + k;

    for (int i = 0; i <= g->degree; i++)
        g->polynomial[i * g->n + state] = i <= q->degree ? q->a[i * N + at] : 0.0;
    g->y[state] = q->z[at];
    g->yp[state] = q->dz[at];
}

/* z(t + s h) of all iterates, by Horner's rule. */
static void stack_at(const rg_srm *b, const srm_stack_step *q, double s, double *z)
{
    const int64_t N = (int64_t)b->m * b->core->n_z;

    for (int64_t i = 0; i < N; i++) {
        z[i] = q->a[q->degree * N + i];
        for (int k = q->degree - 1; k >= 0; k--)
            z[i] = z[i] * s + q->a[k * N + i];
    }
}

/* y of the last iterate is E g/eps and more: an error in x shows in it over eps.  The hidden
 * constraint has no such factor, so srm takes the multipliers from there, where G B is there and
 * f - B y is all of f: away from singular times y has the accuracy of x (on a mesh they stay
 * those of the published iteration).  Rivals keep their own. */
static bool recovers(const rg_srm *b)
{
    return b->core->recovers;
}

/* z: all iterates.  RG_RETRY: there are no multipliers here. */
static rg_status multipliers(rg_integrator *g, double t, const double *z, double *y)
{
    rg_srm *b = rg_srm_of(g);

    if (!recovers(b)) return rg_srm_stack_eval(g, t, z, b->slope_new, y);
    return rg_srm_core_multipliers(b->core, t, z + (b->m - 1) * b->core->n_z, y);
}

/* Multipliers at s = k/d of the step, k = 1 .. d; b->y_new has those of the iteration at the
 * end.  Where there are none, close to a singular time, the straight line through the ends. */
static rg_status sample(rg_integrator *g, const srm_stack_step *q)
{
    rg_srm *b = rg_srm_of(g);
    const int d = q->y_degree, m = b->core->n_y;
    const int64_t *y = rg_semi_y(b->core->view);
    double *last = b->samples + d * m;

    rg_status status = recovers(b) ? multipliers(g, q->t_new, q->z, last) : RG_RETRY;
    if (status < 0) return status;
    memcpy(status == RG_OK ? b->y_new : last, status == RG_OK ? last : b->y_new,
           (size_t)m * sizeof *last);
    for (int k = 0; k < m; k++)
        b->samples[k] = g->y[y[k]];
    for (int i = 1; i < d; i++) {
        const double s = (double)i / d, t = g->t + s * (q->t_new - g->t);
        double *here = b->samples + i * m;
        stack_at(b, q, s, b->trial);
        if ((status = multipliers(g, t, b->trial, here)) < 0) return status;
        for (int k = 0; status != RG_OK && k < m; k++)
            here[k] = b->samples[k] + s * (last[k] - b->samples[k]);
    }
    return RG_OK;
}

/* The polynomial through n + 1 values at k/n, in powers of s: divided differences, then Horner's
 * rule for coefficients. */
static void interpolate(int n, const double *values, int stride, double *a)
{
    double d[SRM_MOST_DEGREE + 1];

    for (int k = 0; k <= n; k++)
        d[k] = values[k * stride];
    for (int level = 1; level <= n; level++)
        for (int k = n; k >= level; k--)
            d[k] = (d[k] - d[k - 1]) * n / level;
    memset(a, 0, (size_t)(n + 1) * sizeof *a);
    for (int k = n; k >= 0; k--) { /* a := d_k + (s - k/n) a */
        for (int i = n; i > 0; i--)
            a[i] = a[i - 1] - a[i] * k / n;
        a[0] = d[k] - a[0] * k / n;
    }
}

static void take_multipliers(rg_integrator *g, const srm_stack_step *q)
{
    const rg_srm *b = rg_srm_of(g);
    const int64_t *y = rg_semi_y(b->core->view);
    const int d = q->y_degree;
    double a[SRM_MOST_DEGREE + 1];

    for (int k = 0; k < b->core->n_y; k++) {
        double slope = 0.0;
        interpolate(d, b->samples + k, b->core->n_y, a);
        for (int i = 0; i <= g->degree; i++) {
            g->polynomial[i * g->n + y[k]] = i <= d ? a[i] : 0.0;
            if (i <= d) slope += i * a[i];
        }
        g->y[y[k]] = b->y_new[k];
        g->yp[y[k]] = slope / (q->t_new - g->t);
    }
}

/* On entry the last evaluation was that at the end, with the multipliers in b->y_new. */
rg_status rg_srm_stack_accept(rg_integrator *g, const srm_stack_step *q)
{
    rg_srm *b = rg_srm_of(g);

    RG_TRY(rg_integrator_set_degree(g, q->degree > q->y_degree ? q->degree : q->y_degree));
    RG_TRY(sample(g, q));
    take_multipliers(g, q);
    for (int r = b->core->order - 1; r >= 0; r--)
        for (int k = 0; k < b->core->n_x; k++) {
            take_component(g, q, r * b->core->n_x + k, rg_srm_state(b->core, r, k));
            if (r < b->core->order - 1)
                g->yp[rg_srm_state(b->core, r, k)] = g->y[rg_srm_state(b->core, r + 1, k)];
        }
    g->t_previous = g->t;
    g->t = q->t_new;
    return rg_srm_watch(g);
}
