/* Embedded error estimate.  HW96 section IV.8, for M y' = f:
 *
 *     err = ((gamma/h) M - J)^-1 ( f(t_n, y_n) + (1/h) M (e_1 Z_1 + ... + e_s Z_s) ),
 *                                                                                       gamma0 =
 *                                                                                       1/gamma,
 *
 * s = 3: e = (-13 - 7 sqrt 6, -13 + 7 sqrt 6, -1)/3.  The estimate belongs to the quadrature
 * formula with nodes 0, c_1, .., c_s, weight gamma0 at 0 and order s.  Applied to p', of degree
 * s - 1, it is exact: so -(e_1 Z_1 + ... + e_s Z_s) is a_1, the first coefficient of the
 * collocation polynomial p through y_n, for any s.  With f = M y'_n this reads, for F(t, y, y') = 0
 * and linear in the small difference of two derivatives at t_n,
 *
 *     ((gamma/h) F_y' + F_y) e = F_y' (y'_n - a_1/h).
 *
 * We differ from RADAU5 in taking y'_n = Y'_s of the step before instead of a new evaluation of f.
 * In the first step and after a rejection RADAU5 filters a large estimate once more, by f(t_n,
 * y_n + e) in place of f(t_n, y_n); linearized:
 *
 *     ((gamma/h) F_y' + F_y) e2 = F_y' (gamma/h) e. */
#include "ivp/radau/radau.h"

#include "ivp/pace.h"
#include "ivp/radau/tuning.h"
#include "ivp/tuning.h"
#include "linalg/norm.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What a start far from 0 makes of a value of slope 1, 16 times. */
static double rounding_of_time(const rg_integrator *g)
{
    return 16.0 * DBL_EPSILON * fabs(g->t_start);
}

static void by_tolerance(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);

    for (int64_t i = 0; i < g->n; i++) {
        double scale = r->rtol * rg_integrator_unit(g, i) + r->rtol * fabs(g->y[i]);
        scale = fmax(scale, rounding_of_time(g) * fabs(g->yp[i]));
        if (scale == 0.0) scale = r->rtol * fabs(r->h * g->yp[i]); /* atol = 0 and y = 0 */
        r->inverse[i] = 1.0 / (scale > RG_WEIGHT_LEAST ? scale : RG_WEIGHT_LEAST);
    }
}

/* Fixed steps, with the factors. */
static void by_sizes(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const rg_pace_linear at = {r->Jy, r->Jyp, r->real, r->error, NULL};

    rg_pace_see(g, r->h, r->seen);
    rg_pace_fixed_weights(g, &at, r->seen, r->inverse);
}

/* weight_i = min(1, h rate_i)^(index_i - 1) / (atol + rtol |y_i|): an error in a variable of index
 * 2 (3) enters the others with a factor h (h^2), HLR89 sections 7 and 8, times rates of the model
 * (ivp/rates.h), without which the norm would depend on the unit of time.  At most 1: no variable
 * is held more strictly than asked. */
void rg_radau_weights(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const rg_rates rates = rg_radau_rates(r);

    if (r->is_fixed)
        by_sizes(g);
    else if (!r->has_weights)
        by_tolerance(g);
    r->has_weights = true;
    if (r->index != NULL && !r->has_rates) rg_radau_find_rates(g);
    for (int64_t i = 0; i < g->n; i++) {
        const double part = r->index == NULL ? 1.0 : rg_rates_part(&rates, i, r->h);
        r->weight[i] = r->inverse[i] * part;
    }
}

double rg_radau_filter(rg_integrator *g, const double *x)
{
    rg_radau *r = rg_radau_of(g);

    memset(r->error, 0, (size_t)g->n * sizeof *r->error);
    rg_pattern_multiply(rg_system_pattern(g->system), r->Jyp, 1.0, x, r->error);
    rg_matrix_solve(r->real, r->error, NULL);
    const double size = rg_wrms_norm(g->n, r->error, r->weight);
    return size < RG_PACE_ERROR_LEAST ? RG_PACE_ERROR_LEAST : size; /* NaN stays NaN */
}

/* At a start the slopes of algebraic unknowns are not known: those of the step count.  A first run
 * with atol as it is given fails instead, so that the next one has atol by sizes (solve/repeat.c).
 */
static void allow_slopes(rg_integrator *g, const double *a_1)
{
    rg_radau *r = rg_radau_of(g);
    const bool is_sized = g->unit != NULL || g->options.atol_is_auto, is_second = g->first_part > 0;

    if (r->is_fixed || g->t_start == 0.0 || !(is_sized || is_second)) return;
    for (int64_t i = 0; i < g->n; i++) {
        const double least = rounding_of_time(g) * fabs(a_1[i] / r->h);
        if (least * r->inverse[i] > 1.0) r->inverse[i] = 1.0 / least;
    }
    rg_radau_weights(g);
}

/* A constraint that depends on time, u = e(t), is met at times that are rounded: what follows from
 * its derivative, as the current of a capacitor at a source, is off by that over h.  Shorter steps
 * would make it worse.  F_t of such rows is -F_y y'.  Into r->error: per unit of time. */
void rg_radau_find_times(rg_integrator *g, const double *yp)
{
    rg_radau *r = rg_radau_of(g);

    memset(r->error, 0, (size_t)g->n * sizeof *r->error);
    rg_pattern_multiply(rg_system_pattern(g->system), r->Jy, 1.0, yp, r->error);
    rg_matrix_solve(r->real, r->error, NULL);
}

void rg_radau_allow_times(rg_integrator *g, double *scale)
{
    rg_radau *r = rg_radau_of(g);

    rg_radau_find_times(g, g->yp);
    for (int64_t i = 0; i < g->n; i++) {
        const double least = rounding_of_time(g) * fabs(r->error[i]);
        if (least * scale[i] > 1.0 && isfinite(least)) scale[i] = 1.0 / least;
    }
}

/* Is the rounding of t above the tolerance of what is divided by the step, or the step refused? */
static bool may_be_times(const rg_integrator *g, double size)
{
    const rg_radau *r = rg_radau_of(g);

    if (r->is_fixed || !rg_integrator_is_far(g)) return false;
    return size >= 1.0 || rounding_of_time(g) > r->rtol * fabs(r->h);
}

static double estimate(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    rg_stages_combine(r->table->s, r->table->P, r->blocks, r->Z, r->blocks * RG_LANES,
                      r->Y); /* a_1 */
    if (r->h_accepted == 0.0) allow_slopes(g, r->Y);
    for (int64_t i = 0; i < g->n; i++)
        r->Yp[i] = g->yp[i] - r->Y[i] / r->h;
    double size = rg_radau_filter(g, r->Yp);
    if (may_be_times(g, size)) {
        rg_radau_allow_times(g, r->inverse);
        rg_radau_weights(g);
        size = rg_radau_filter(g, r->Yp);
    }
    if (size >= 1.0 && (r->h_accepted == 0.0 || r->was_rejected)) {
        for (int64_t i = 0; i < g->n; i++)
            r->Yp[i] = r->table->gamma / r->h * r->error[i];
        size = rg_radau_filter(g, r->Yp);
    }
    return size;
}

/* What F_y takes away from the error of a state is as true as F_y is: which was evaluated at a
 * prediction, and the diode that conducts there need not do so in the solution.  Does it take very
 * much?  Behind estimate(). */
static bool is_doubtful(const rg_integrator *g, double size)
{
    const rg_radau *r = rg_radau_of(g);
    const rg_pattern *p = rg_system_pattern(g->system);
    const double most = fmax(RG_RADAU_DOUBT, RG_RADAU_TAKEN * size) * r->table->gamma;

    for (int64_t i = 0; i < g->n; i++) {
        bool is_state = false;
        if (!(fabs(r->h * g->yp[i] - r->Y[i]) * r->weight[i] > most)) continue;
        for (int64_t e = p->start[i]; e < p->start[i + 1]; e++)
            is_state = is_state || r->Jyp[e] != 0.0;
        if (is_state) return true;
    }
    return false;
}

double rg_radau_error(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const double size = estimate(g);

    if (!(size < 1.0) || r->n_pins > 0 || !is_doubtful(g, size)) return size;
    rg_radau_last_stage(g);
    g->stats.jacobians++;
    r->is_fresh = false;
    r->theta = r->convergence = 1.0; /* the rates of the other F_y say nothing about this one */
    r->t_jacobian = rg_radau_time(g, 1.0);
    const rg_status status =
        rg_system_jacobian(g->system, g->work, r->t_jacobian, r->Y, r->Yp, r->Jy, r->Jyp);
    if (status != RG_OK || rg_radau_factor(g) != RG_OK) return NAN;
    const double again = estimate(g);
    return again < size ? size : again;
}
