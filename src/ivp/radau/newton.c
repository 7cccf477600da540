/* Simplified Newton iteration for the stage equations, HW96 section IV.8 and HLR89 section 7, carried over from M y' = f to
 * F(t, y, y') = 0:
 *
 *     W = T^-1 Z,   Y_i = y_n + Z_i,   Y'_i = (1/h) sum_j (A^-1)_ij Z_j,   R = -T^-1 F
 *     ((gamma/h) F_y' + F_y) dW_1 = R_1,    (((alpha + i beta)/h) F_y' + F_y) (dW_2 + i dW_3) = R_2 + i R_3
 *
 * theta_k = |dW_k|/|dW_{k-1}| (geometric mean with the one before); the error after iteration k is about
 * eta |dW_k|, eta = theta/(1 - theta), and must be below newton_tol. */
#include "ivp/radau/radau.h"

#include <float.h>
#include <math.h>

/* We differ from RADAU5: the first rate is not judged.  Where algebraic variables are multiplied with others, or F is not
 * linear in y', their second update may be as large as the first and the third very small.  Pendulum, projected, 1e-6:
 * 354 + 9 steps instead of 981 + 1098; transistor amplifier, 1e-7: 1472 + 106 instead of 1543 + 214. */
enum { FIRST_RATES = 2 };
static const double THETA_MAX = 0.99;      /* RADAU5: no convergence beyond                 */
static const double FIXED_TOL = 1e-15;     /* fixed step: |dW| relative to 1 + |y|          */
static const double FIXED_ROUNDING = 1e-7; /* ... or no progress any more, once below this  */

/* W <- T^-1 Z */
static void to_transformed(rg_radau *r, int64_t n)
{
    const double(*S)[RADAU_STAGES] = rg_radau_T_inverse;

    for (int64_t k = 0; k < n; k++) {
        const double z1 = r->Z[0][k], z2 = r->Z[1][k], z3 = r->Z[2][k];
        r->W[0][k] = S[0][0] * z1 + S[0][1] * z2 + S[0][2] * z3;
        r->W[1][k] = S[1][0] * z1 + S[1][1] * z2 + S[1][2] * z3;
        r->W[2][k] = S[2][0] * z1 + S[2][1] * z2 + S[2][2] * z3;
    }
}

/* Z from the last collocation polynomial p(s), s = 1 + u at the new stages: Z_i = p(1 + u_i) - p(1), u_i = c_i h/h_old,
 *     p(1 + u) - p(1) = u (b_1 + u (b_2 + u b_3)),   b_3 = a_3, b_2 = a_2 + 3 a_3, b_1 = a_1 + 2 a_2 + 3 a_3.
 * In the first step, and when a fixed step is tried again, Z_i = c_i h y'_n; the third time Z_i = 0. */
void rg_radau_predict(rg_integrator *g)
{
    rg_radau *r = g->radau;
    const int64_t n = g->n;
    const bool continues = r->h_accepted != 0.0 && !(r->is_fixed && r->failures > 0);
    const double *a = g->polynomial, ratio = continues ? r->h / r->h_accepted : 0.0;
    const double slope = r->is_fixed && r->failures > 1 ? 0.0 : r->h;

    for (int64_t k = 0; k < n; k++) {
        const double b3 = a[3 * n + k], b2 = a[2 * n + k] + 3.0 * b3;
        const double b1 = a[n + k] + 2.0 * b2 - 3.0 * b3;
        for (int i = 0; i < RADAU_STAGES; i++) {
            const double u = ratio * rg_radau_c[i];
            r->Z[i][k] =
                ratio != 0.0 ? u * (b1 + u * (b2 + u * b3)) : rg_radau_c[i] * slope * g->yp[k];
        }
    }
    for (int k = 0; k < r->n_pins; k++)
        for (int i = 0; i < RADAU_STAGES; i++)
            r->Z[i][r->pins[r->n_pins + k]] = 0.0; /* held constant */
    to_transformed(r, n);
}

/* F_i = F(t_n + c_i h, Y_i, Y'_i) */
static rg_status stage_residuals(rg_integrator *g)
{
    rg_radau *r = g->radau;
    const double *Z1 = r->Z[0], *Z2 = r->Z[1], *Z3 = r->Z[2];

    for (int i = 0; i < RADAU_STAGES; i++) {
        const double *row = rg_radau_inverse[i], *Zi = r->Z[i];
        const double a1 = row[0] / r->h, a2 = row[1] / r->h, a3 = row[2] / r->h;
        for (int64_t k = 0; k < g->n; k++) {
            r->Y[k] = g->y[k] + Zi[k];
            r->Yp[k] = a1 * Z1[k] + a2 * Z2[k] + a3 * Z3[k];
        }
        const double t = i == 2 && r->is_last ? g->t_end : g->t + rg_radau_c[i] * r->h;
        RG_TRY(rg_integrator_residual(g, t, r->Y, r->Yp, r->F[i]));
    }
    return RG_OK;
}

/* F <- dW, W <- W + dW, Z <- T W; returns the scaled norm of dW. */
static double update(rg_integrator *g)
{
    rg_radau *r = g->radau;
    const double(*S)[RADAU_STAGES] = rg_radau_T_inverse, (*T)[RADAU_STAGES] = rg_radau_T;
    double *F1 = r->F[0], *F2 = r->F[1], *F3 = r->F[2], sum = 0.0;

    for (int64_t k = 0; k < g->n; k++) {
        const double f1 = F1[k], f2 = F2[k], f3 = F3[k];
        F1[k] = -(S[0][0] * f1 + S[0][1] * f2 + S[0][2] * f3);
        F2[k] = -(S[1][0] * f1 + S[1][1] * f2 + S[1][2] * f3);
        F3[k] = -(S[2][0] * f1 + S[2][1] * f2 + S[2][2] * f3);
    }
    rg_matrix_solve(r->real, F1, NULL);
    rg_matrix_solve(r->complex, F2, F3);
    for (int64_t k = 0; k < g->n; k++) {
        const double d1 = F1[k] * r->weight[k], d2 = F2[k] * r->weight[k],
                     d3 = F3[k] * r->weight[k];
        sum += d1 * d1 + d2 * d2 + d3 * d3;
        const double w1 = r->W[0][k] += F1[k], w2 = r->W[1][k] += F2[k], w3 = r->W[2][k] += F3[k];
        r->Z[0][k] = T[0][0] * w1 + T[0][1] * w2 + T[0][2] * w3;
        r->Z[1][k] = T[1][0] * w1 + T[1][1] * w2 + T[1][2] * w3;
        r->Z[2][k] = T[2][0] * w1 + w2; /* T_32 = 1, T_33 = 0 */
    }
    return sqrt(sum / (3.0 * (double)(g->n > 0 ? g->n : 1)));
}

static rg_status fail(rg_radau *r, rg_radau_cause cause)
{
    r->cause = cause;
    return (rg_status)RG_RETRY;
}

/* Will the remaining iterations suffice?  If not, *h_factor is the step that would have made it, RADAU5's estimate. */
static bool is_hopeless(const rg_radau *r, int k, double size, double *h_factor)
{
    const int left = r->max_newton - 1 - k;
    double end =
        r->convergence * size / r->newton_tol; /* error left, in units of what is allowed */

    for (int i = 0; i < left && end >= 1.0; i++)
        end *= r->theta;
    if (end < 1.0) return false;
    *h_factor = 0.8 * pow(fmax(1e-4, fmin(20.0, end)), -1.0 / (4.0 + left));
    return true;
}

/* Fixed step: no progress any more, at the level of rounding errors. */
static bool has_settled(double size, double previous)
{
    return size <= FIXED_TOL || (size < FIXED_ROUNDING && size > 0.3 * previous);
}

/* eta for the first iteration: the last one to the power 0.8 (RADAU5), and grown with the step, by as much as the distance
 * of the Jacobian grows times the step itself.  Without that, a first step far below what the tolerance allows makes the
 * next ones stop after a single iteration, and leaves a drift ten times the tolerance (pendulum of index 1). */
static double first_convergence(const rg_radau *r)
{
    const double ratio = r->h_accepted != 0.0 ? fmax(1.0, r->h / r->h_accepted) : 1.0;

    return pow(fmax(r->convergence, DBL_EPSILON), 0.8) * ratio * ratio;
}

rg_status rg_radau_newton(rg_integrator *g, double *h_factor)
{
    rg_radau *r = g->radau;
    double previous = INFINITY, previous_rate = 0.0;

    r->convergence = first_convergence(r);
    r->theta = 0.0;
    for (int k = 1; k <= r->max_newton; k++) {
        const rg_status status = stage_residuals(g);
        if (status == (rg_status)RG_RETRY) return fail(r, RADAU_VALUES);
        if (status != RG_OK) return status;
        const double size = update(g);
        if (!isfinite(size)) return fail(r, RADAU_NEWTON);
        r->iterations = k;
        if (r->is_fixed && has_settled(size, previous)) return RG_OK;
        if (k > 1 && !r->is_fixed) {
            const double rate = size / previous;
            r->theta = k == 2 ? rate : sqrt(rate * previous_rate);
            previous_rate = rate;
            const double theta = fmin(r->theta, THETA_MAX);
            r->convergence = theta / (1.0 - theta);
            if (k > FIRST_RATES && (r->theta >= THETA_MAX || is_hopeless(r, k, size, h_factor)))
                return fail(r, RADAU_NEWTON);
        }
        previous = fmax(size, DBL_EPSILON);
        if (!r->is_fixed && r->convergence * size <= r->newton_tol) return RG_OK;
    }
    return fail(r, RADAU_NEWTON);
}
