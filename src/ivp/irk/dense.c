/* The end of a step, its polynomial, and the estimate of its error.
 *
 * Polynomial q through y_n and the stages.  Lobatto IIIA and IIIC have one point less than stages:
 * for unknowns with a derivative the slope Y'_s at the end is added, which makes the collocation
 * polynomial of IIIA.  SDIRK stages are good to order 1 only: cubic through both ends with
 * both slopes, or, without a derivative, a parabola through the last three points.
 *
 * Error: the jump of the slope at t_n, filtered as in RADAU5 (HW96 IV.8):
 *     e = ((gamma/h) F_y' + F_y)^-1 F_y' (y'_n - q'(t_n)),   O(h^(degree of q + 1));
 * SDIRK: gamma sum_i (bhat_i - b_i) Y'_i in place of the jump.
 *
 * In stiff directions the filter takes away what a step that is stiffly accurate damps.  Gauss does
 * not: there (h/gamma) (y'_n - q'(t_n)) counts too.  Nor is the polynomial within the step damped:
 * it is off by up to 4/27 h |y'_n - q'(t_n)| (that of a cubic with a wrong slope at one end), which
 * may be a few tolerances (RG_PACE_BETWEEN).  SDIRK takes the slopes of both ends: no jump.
 * Index 2: slopes follow multipliers, errors of which Gauss does not damp, so that no step would
 * do; the filter takes them away.  For the same reason a second attempt is not asked. */
#include "ivp/irk/irk.h"

#include "ivp/tuning.h"
#include "linalg/norm.h"
#include "linalg/powers.h"

#include <math.h>
#include <string.h>

void rg_irk_end(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);
    const int64_t n = g->n;

    if (r->is_accurate) {
        rg_irk_stage(g, r->m - 1, r->Y, r->Yp);
    } else {
        for (int64_t k = 0; k < n; k++) {
            const double *w = r->is_algebraic[k] && !r->pace.is_fixed ? r->ahead : r->end;
            r->Y[k] = g->y[k];
            for (int j = 0; j < r->m; j++)
                r->Y[k] += w[j] * r->Z[j * n + k];
        }
    }
    memcpy(r->values, g->y, (size_t)n * sizeof *r->values);
    for (int i = 0, p = 1; i < r->m && !r->is_diagonal; i++) {
        if (r->rule.c[i + r->first] == 0.0) continue;
        for (int64_t k = 0; k < n; k++)
            r->values[p * n + k] = g->y[k] + r->Z[i * n + k];
        p++;
    }
    if (r->is_diagonal || r->rule.kind == RG_RULE_RADAU_IA)
        memcpy(r->values + (r->n_points - 1) * n, r->Y, (size_t)n * sizeof *r->values);
    if (!r->is_diagonal) rg_powers_fit(r->n_points, r->point, n, r->values, r->values);
    if (r->is_accurate) return;
    for (int64_t k = 0; k < n; k++) { /* the slope of the polynomial at the end */
        r->Yp[k] = 0.0;
        for (int p = 1; p < r->n_points; p++)
            r->Yp[k] += p * r->values[p * n + k] / r->pace.h;
    }
}

static void fit_sdirk(rg_integrator *g)
{
    const rg_irk *r = rg_irk_of(g);
    const int64_t n = g->n;
    double *a = g->polynomial;
    const double x = r->pace.h_accepted != 0.0 ? -r->pace.h_accepted / r->pace.h : 0.0;

    for (int64_t k = 0; k < n; k++) {
        const double d = r->Y[k] - g->y[k], begin = r->pace.h * g->yp[k],
                     end = r->pace.h * r->Yp[k];
        const double e = r->before[k] - g->y[k];
        a[k] = g->y[k];
        if (r->is_algebraic[k]) {
            a[2 * n + k] = x < 0.0 ? (e / x - d) / (x - 1.0) : 0.0;
            a[n + k] = d - a[2 * n + k];
            a[3 * n + k] = 0.0;
        } else {
            a[n + k] = begin;
            a[2 * n + k] = 3.0 * d - 2.0 * begin - end;
            a[3 * n + k] = begin + end - 2.0 * d;
        }
    }
}

/* q + e omega, omega = prod (x - x_k) with omega'(1) = prod_{k < last} (1 - x_k):  slope h Y'_s. */
static void add_slope(rg_integrator *g)
{
    const rg_irk *r = rg_irk_of(g);
    const int64_t n = g->n;
    const int last = r->n_points - 1;
    double omega[IRK_MOST + 3] = {1.0}, slope = 1.0;

    for (int i = 0; i <= last; i++) {
        for (int k = i + 1; k >= 0; k--)
            omega[k] = (k > 0 ? omega[k - 1] : 0.0) - (k <= i ? r->point[i] * omega[k] : 0.0);
        if (i < last) slope *= 1.0 - r->point[i];
    }
    for (int64_t k = 0; k < n; k++) {
        double e = r->pace.h * r->Yp[k];
        for (int p = 1; p <= last; p++)
            e -= p * g->polynomial[p * n + k];
        if (r->is_algebraic[k]) e = 0.0;
        for (int p = 1; p <= last + 1; p++)
            g->polynomial[p * n + k] += e / slope * omega[p];
    }
}

void rg_irk_dense(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);
    const int64_t n = g->n;
    const bool has_slope = r->rule.kind == RG_RULE_LOBATTO || r->rule.kind == RG_RULE_LOBATTO_IIIC;

    g->degree = r->is_diagonal ? 3 : r->n_points - (has_slope ? 0 : 1);
    if (r->is_diagonal) {
        fit_sdirk(g);
    } else {
        memcpy(g->polynomial, r->values, (size_t)(r->n_points * n) * sizeof *r->values);
        if (has_slope) {
            memset(g->polynomial + r->n_points * n, 0, (size_t)n * sizeof *r->values);
            add_slope(g);
        }
    }
    for (int64_t k = 0; k < n; k++) { /* it ends at the new point, also where that was moved */
        double end = 0.0;
        for (int p = 0; p <= g->degree; p++)
            end += g->polynomial[p * n + k];
        g->polynomial[n + k] += r->Y[k] - end;
    }
}

/* error <- ((gamma/h) F_y' + F_y)^-1 F_y' x */
static double filter(rg_integrator *g, const double *x)
{
    rg_irk *r = rg_irk_of(g);

    memset(r->error, 0, (size_t)g->n * sizeof *r->error);
    rg_pattern_multiply(rg_system_pattern(g->system), r->Jyp, 1.0, x, r->error);
    rg_matrix_solve(r->real, r->error, NULL);
    return rg_wrms_norm(g->n, r->error, r->weight);
}

/* f h (y'_n - q'(t_n)) in the norm of the tolerance, of the unknowns with a derivative */
static double jump(rg_integrator *g, double f)
{
    const rg_irk *r = rg_irk_of(g);
    double *x = r->F;

    for (int64_t k = 0; k < g->n; k++)
        x[k] = r->is_algebraic[k] ? 0.0 : f * (r->pace.h * g->yp[k] - r->values[g->n + k]);
    return rg_wrms_norm(g->n, x, r->weight);
}

double rg_irk_error(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);
    const int64_t n = g->n;
    double *x = r->F;

    for (int64_t k = 0; k < n; k++)
        x[k] = r->is_diagonal ? 0.0 : g->yp[k] - r->values[n + k] / r->pace.h;
    for (int i = 0; i < r->m && r->is_diagonal; i++) {
        rg_irk_stage(g, i, r->error, r->F + n);
        for (int64_t k = 0; k < n; k++)
            x[k] += r->gamma * r->embedded[i] * r->F[n + k];
    }
    double size = filter(g, x);
    if (size >= r->part && (r->pace.h_accepted == 0.0 || r->pace.was_rejected)) {
        for (int64_t k = 0; k < n; k++)
            x[k] = r->gamma / r->pace.h * r->error[k];
        size = filter(g, x);
    }
    if (r->is_diagonal) return size / r->part;
    if (r->pace.failures > 0 || !rg_system_is_regular(g->system)) return size;
    return fmax(size, jump(g, r->rule.kind == RG_RULE_GAUSS ? 1.0 / r->gamma : RG_PACE_BETWEEN));
}
