/* Simplified Newton iteration for the stages, HW96 section IV.8, carried over from M y' = f to
 * F(t, y, y') = 0.  With W = T^-1 Z the matrix falls into
 *
 *     (gamma/h) F_y' + F_y   and   ((alpha_k + i beta_k)/h) F_y' + F_y;
 *
 * with SDIRK methods every stage has the first one alone, factored once per step. */
#include "ivp/irk/irk.h"
#include "ivp/irk/tuning.h"
#include "ivp/tuning.h"
#include "linalg/powers.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Y_i = y_n + Z_i,  Y'_i = (1/h) sum_j (A^-1)_ij Z_j - known_i y'_n */
void rg_irk_stage(const rg_integrator *g, int i, double *Y, double *Yp)
{
    const rg_irk *r = rg_irk_of(g);
    const double *inverse = r->blocks.inverse + i * r->m, *Z = r->Z;
    const int64_t n = g->n;
    const int last = r->is_diagonal ? i : r->m - 1;

    for (int64_t k = 0; k < n; k++) {
        double sum = 0.0;
        for (int j = 0; j <= last; j++)
            sum += inverse[j] * Z[j * n + k];
        Y[k] = g->y[k] + Z[i * n + k];
        Yp[k] = sum / r->pace.h - (r->first > 0 ? r->known[i] * g->yp[k] : 0.0);
    }
}

static rg_status fail(rg_irk *r, rg_pace_cause cause)
{
    r->pace.cause = cause;
    r->h_factored = 0.0;
    if (cause == RG_PACE_VALUES) r->t_jacobian = NAN;
    return (rg_status)RG_RETRY;
}

/* The real matrix is there for odd numbers of stages, and for the error estimate. */
static rg_status factor(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);
    rg_matrix_task task[IRK_PAIRS + 1];
    int count = 0;

    if (r->m % 2 == 1 || r->is_diagonal || !r->pace.is_fixed)
        task[count++] = (rg_matrix_task){r->real, r->gamma / r->pace.h, 0.0};
    for (int k = 0; k < r->m / 2 && !r->is_diagonal; k++)
        task[count++] = (rg_matrix_task){r->pair[k], r->blocks.alpha[k] / r->pace.h,
                                         r->blocks.beta[k] / r->pace.h};
    g->stats.factorizations += count;
    const rg_status status = rg_matrix_factor_all(count, task, r->Jy, r->Jyp);
    if (status == (rg_status)RG_RETRY) return fail(r, RG_PACE_SINGULAR);
    r->h_factored = r->pace.h;
    return status;
}

static rg_status take_jacobian(rg_integrator *g, double t, const double *y, const double *yp)
{
    rg_irk *r = rg_irk_of(g);

    g->stats.jacobians++;
    r->t_jacobian = t;
    const rg_status status = rg_system_jacobian(g->system, g->work, t, y, yp, r->Jy, r->Jyp);
    if (status == (rg_status)RG_RETRY) return fail(r, RG_PACE_VALUES);
    return status != RG_OK ? status : factor(g);
}

/* The Jacobian at the new point, and the real matrix with it: the next step has the same one. */
rg_status rg_irk_look_ahead(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);
    const double t = rg_pace_end(g, &r->pace);

    g->stats.jacobians++;
    g->stats.factorizations++;
    r->h_factored = 0.0;
    r->t_jacobian = t;
    const rg_status status = rg_system_jacobian(g->system, g->work, t, r->Y, r->Yp, r->Jy, r->Jyp);
    if (status == (rg_status)RG_RETRY) return fail(r, RG_PACE_VALUES);
    if (status != RG_OK) return status;
    return rg_matrix_factor(r->real, r->gamma / r->pace.h, 0.0, r->Jy, r->Jyp) == RG_OK
               ? RG_OK
               : fail(r, RG_PACE_SINGULAR);
}

/* At (t_n, y_n), once; where that does not work, at the linear prediction of the next point. */
rg_status rg_irk_prepare(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);

    if (r->is_linear && r->h_factored == r->pace.h) return RG_OK;
    if (!r->pace.is_fixed && r->t_jacobian == g->t) return factor(g);
    const rg_status status = take_jacobian(g, g->t, g->y, g->yp);
    if (status != (rg_status)RG_RETRY || r->pace.cause != RG_PACE_VALUES) return status;
    for (int64_t k = 0; k < g->n; k++)
        r->Y[k] = g->y[k] + r->pace.h * g->yp[k];
    return take_jacobian(g, g->t + r->pace.h, r->Y, g->yp);
}

/* Z from the polynomial of the last step, in which a side step is; in the first one, and when a
 * fixed step is tried again, Z_i = c_i h y'_n; the third time Z_i = 0. */
static void predict(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);
    const double span = r->pace.span != 0.0 ? r->pace.span : g->t - g->t_previous;
    const double from = r->pace.span != 0.0 ? 0.0 : 1.0;
    const bool continues = r->pace.h_accepted != 0.0 && r->pace.failures == 0 && span != 0.0;

    for (int i = 0; i < r->m; i++) {
        const double c = r->rule.c[i + r->first];
        double *Z = r->Z + i * g->n;
        if (continues)
            rg_powers_eval(g->degree, g->n, g->polynomial, from + c * r->pace.h / span, span, Z,
                           NULL);
        for (int64_t k = 0; k < g->n; k++)
            Z[k] = continues                                  ? Z[k] - g->y[k]
                   : r->pace.is_fixed && r->pace.failures > 1 ? 0.0
                                                              : c * r->pace.h * g->yp[k];
    }
}

/* F_i at the stages from .. to - 1 */
static rg_status residuals(rg_integrator *g, int from, int to)
{
    rg_irk *r = rg_irk_of(g);

    for (int i = from; i < to; i++) {
        rg_irk_stage(g, i, r->Y, r->Yp);
        RG_TRY(rg_integrator_residual(g, g->t + r->rule.c[i + r->first] * r->pace.h, r->Y, r->Yp,
                                      r->F + i * g->n));
    }
    return RG_OK;
}

/* m vectors x <- (M x I) x */
static void transform(int m, const double *M, int64_t n, double *x)
{
    for (int64_t k = 0; k < n; k++) {
        double v[IRK_MOST];
        for (int j = 0; j < m; j++)
            v[j] = x[j * n + k];
        for (int i = 0; i < m; i++) {
            double sum = 0.0;
            for (int j = 0; j < m; j++)
                sum += M[i * m + j] * v[j];
            x[i * n + k] = sum;
        }
    }
}

/* Z <- Z - (matrix)^-1 F; returns the norm of the change. */
static double update(rg_integrator *g, int from, int to)
{
    rg_irk *r = rg_irk_of(g);
    const int64_t n = g->n;
    double sum = 0.0;

    if (r->is_diagonal) {
        rg_matrix_solve(r->real, r->F + from * n, NULL);
    } else {
        transform(r->m, r->blocks.T_inverse, n, r->F);
        if (r->m % 2 == 1) rg_matrix_solve(r->real, r->F, NULL);
        for (int k = r->m % 2; k < r->m; k += 2)
            rg_matrix_solve(r->pair[k / 2], r->F + k * n, r->F + (k + 1) * n);
        transform(r->m, r->blocks.T, n, r->F);
    }
    for (int i = from; i < to; i++)
        for (int64_t k = 0; k < n; k++)
            r->Z[i * n + k] -= r->F[i * n + k];
    if (r->pace.is_fixed) rg_pace_stage_weights(n, to - from, n, r->Z + from * n, r->weight);
    for (int i = from; i < to; i++)
        for (int64_t k = 0; k < n; k++) {
            const double scaled = r->F[i * n + k] * r->weight[k];
            sum += scaled * scaled;
        }
    return sqrt(sum / ((double)(to - from) * (double)(n > 0 ? n : 1)));
}

/* Stages from .. to - 1 together.  Fixed step: to rounding.  There, and in a side step, which can
 * not be shorter, an iteration that is slow gets a Jacobian at the last stage. */
static rg_status iterate(rg_integrator *g, int from, int to)
{
    rg_irk *r = rg_irk_of(g);
    const bool is_side = r->pace.span != 0.0;
    const int most = g->options.max_newton > 0 ? g->options.max_newton
                     : r->pace.is_fixed        ? RG_FIXED_NEWTON
                     : is_side                 ? 3 * RG_IRK_ITERATIONS
                                               : RG_IRK_ITERATIONS;
    double previous = INFINITY, best = INFINITY;
    int idle = 0;

    for (int k = 1; k <= most; k++) {
        rg_status status = residuals(g, from, to);
        const bool diverges = r->pace.is_fixed && idle > 0;
        if (status == (rg_status)RG_RETRY)
            return fail(r, diverges ? RG_PACE_NEWTON : RG_PACE_VALUES);
        if (status != RG_OK) return status;
        const double size = update(g, from, to), rate = size / previous;
        if (!isfinite(size)) return fail(r, RG_PACE_NEWTON);
        r->iterations = k;
        if (k <= 2) r->rate = k == 2 ? rate : NAN;
        idle = size > RG_FIXED_SLOW * best ? idle + 1 : 0;
        best = fmin(best, size);
        if (r->pace.is_fixed) {
            if (size <= 4.0 * DBL_EPSILON || (size < RG_FIXED_ROUNDING && idle >= RG_FIXED_IDLE))
                return RG_OK;
        } else {
            const double theta = fmin(rate, 0.99);
            if (size == 0.0 || (k > 1 && theta / (1.0 - theta) * size <= RG_IRK_NEWTON)
                || (r->is_linear && k > 1))
                return RG_OK;
            if (k > 3 && rate >= 1.0) return fail(r, RG_PACE_NEWTON);
        }
        const bool renews = r->pace.is_fixed || is_side;
        if (renews && k % RG_IRK_REFRESH == 0 && size > RG_FIXED_ROUNDING) {
            rg_irk_stage(g, to - 1, r->Y, r->Yp);
            const double t = g->t + r->rule.c[to - 1 + r->first] * r->pace.h;
            status = take_jacobian(g, t, r->Y, r->Yp);
            if (status == (rg_status)RG_RETRY && idle > 0) return fail(r, RG_PACE_NEWTON);
            if (status != RG_OK) return status;
        }
        previous = fmax(size, DBL_EPSILON);
    }
    return fail(r, RG_PACE_NEWTON);
}

rg_status rg_irk_newton(rg_integrator *g)
{
    const rg_irk *r = rg_irk_of(g);

    predict(g);
    if (!r->is_diagonal) return iterate(g, 0, r->m);
    for (int i = 0; i < r->m; i++)
        RG_TRY(iterate(g, i, i + 1));
    return RG_OK;
}
