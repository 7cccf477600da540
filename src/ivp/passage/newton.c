/* The stages of one step: full Newton on the coupled system, and the error estimate.
 *
 *     Phi(t_n + c_i h, W_i, W'_i) = 0,    W'_i = (1/h) sum_j D_ij (W_j - w_n),
 *     i = 1, 2, 3,    D = A^-1
 *
 * The matrix: coupled.h.  Algebraic unknowns are neither extrapolated nor part of any norm.
 * Source: doc/methods/passage.md, section 2; constants chosen by experiment there. */
#include "ivp/passage/passage.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 12, PATIENCE = 5, NOISY = 3 };
static const double NEWTON_TOL = 1e-3, QUADRATIC_TOL = 3e-4, QUADRATIC_RATE = 0.1;
static const double SHRINKING = 0.3, NOISE = 1.0;

void rg_passage_at(const rg_passage *k, double h, double s, double *w, double *wp)
{
    const double *a = k->polynomial;
    const int N = k->N;

    for (int i = 0; i < N; i++) {
        w[i] = a[i] + s * (a[N + i] + s * (a[2 * N + i] + s * a[3 * N + i]));
        if (wp != NULL) wp[i] = (a[N + i] + s * (2 * a[2 * N + i] + s * 3 * a[3 * N + i])) / h;
    }
}

/* Through w_n and the stages: degree 3; of algebraic unknowns through the stages alone: degree 2.
 * With the other nodes a, b of node c:   s (s^2 - (a + b) s + a b) / (c (c - a)(c - b)),
 * (s^2 - (a + b) s + a b) / ((c - a)(c - b)). */
void rg_passage_interpolate(rg_passage *k)
{
    const int N = k->N;

    memset(k->polynomial, 0, 4 * (size_t)N * sizeof(double));
    for (int j = 0; j < 3; j++) {
        const double a = k->c[(j + 1) % 3], b = k->c[(j + 2) % 3], c = k->c[j];
        const double f = 1.0 / ((c - a) * (c - b));
        const double q[3] = {f * a * b, -f * (a + b), f};
        for (int i = 0; i < N; i++) {
            const int up = k->form->is_differential[i] ? 1 : 0;
            const double z = up ? (k->W[j][i] - k->w[i]) / c : k->W[j][i];
            for (int e = 0; e < 3; e++)
                k->polynomial[(e + up) * N + i] += q[e] * z;
        }
    }
    for (int i = 0; i < N; i++)
        if (k->form->is_differential[i]) k->polynomial[i] = k->w[i];
}

/* W'_i of differential unknowns */
static void stage_slope(rg_passage *k, int i, double h)
{
    for (int e = 0; e < k->N; e++) {
        double sum = 0.0;
        for (int j = 0; j < 3 && k->form->is_differential[e]; j++)
            sum += k->D[i][j] * (k->W[j][e] - k->w[e]);
        k->Wp[e] = sum / h;
    }
}

/* The last polynomial shifted to pass through w_n, or a straight line.  Algebraic unknowns start
 * from their last values: they occur linearly, so the first iteration finds them. */
void rg_passage_predict(rg_passage *k, double h)
{
    const int N = k->N;
    const double *a = k->last;

    for (int i = 0; i < 3; i++) {
        const double u = k->c[i] * h, x = k->h_last != 0.0 ? 1.0 + u / k->h_last : 0.0;
        for (int e = 0; e < N; e++) {
            double z = u * k->wp[e];
            if (k->h_last != 0.0)
                z = (x - 1) * a[N + e] + (x * x - 1) * a[2 * N + e]
                    + (x * x * x - 1) * a[3 * N + e];
            k->W[i][e] = k->form->is_differential[e] ? k->w[e] + z : k->w[e];
        }
    }
}

/* The coupled matrix and the residuals of all stages. */
static rg_status assemble(rg_passage *k, double t, double h)
{
    for (int i = 0; i < 3; i++) {
        stage_slope(k, i, h);
        RG_TRY(rg_stable_eval(k->form, t + k->c[i] * h, k->W[i], k->Wp, k->F + i * k->N, k->Jw[i],
                              k->Jwp[i]));
    }
    return rg_coupled_factor(k->coupled, h, (const double(*)[3])k->D, k->Jw, k->Jwp);
}

/* W -= matrix^-1 F; returns the weighted norm over differential unknowns. */
static double update(rg_passage *k)
{
    const int N = k->N;
    double sum = 0.0;
    int count = 0;

    rg_coupled_solve(k->coupled, k->F);
    for (int i = 0; i < 3; i++)
        for (int e = 0; e < N; e++) {
            const double d = k->F[i * N + e];
            k->W[i][e] -= d;
            sum += d * k->weight[e] * d * k->weight[e];
            count += k->form->is_differential[e];
        }
    return count > 0 ? sqrt(sum / count) : 0.0;
}

/* Beside a point rounding is magnified, the more the shorter the step: updates that no longer
 * shrink are nothing else.  Below the tolerance they do no harm.  Above it, up to most_noise,
 * the tolerance of the steps here is raised to them: RG_RETRY, with the same step. */
static bool is_noise(rg_passage *k, int stalled, double size, rg_status *status)
{
    if (stalled < NOISY || size * k->noise > k->most_noise) return false;
    *status = size < NOISE ? RG_OK : (rg_status)RG_RETRY;
    if (size >= NOISE) k->noise *= 4.0 * size;
    return true;
}

rg_status rg_passage_newton(rg_passage *k, double t, double h, int64_t *evaluations)
{
    double previous = INFINITY;
    int stalled = 0;
    rg_status status;

    for (int iteration = 1; iteration <= MOST_ITERATIONS; iteration++) {
        *evaluations += 3;
        RG_TRY(assemble(k, t, h));
        const double size = update(k);
        if (!isfinite(size)) return (rg_status)RG_RETRY;
        if (size < NEWTON_TOL) return RG_OK;
        if (iteration > 1 && size < QUADRATIC_RATE * previous
            && size * size / previous < QUADRATIC_TOL)
            return RG_OK;
        stalled = size > SHRINKING * previous ? stalled + 1 : 0;
        if (is_noise(k, stalled, fmax(size, previous), &status)) return status;
        if (iteration >= PATIENCE && size > 2.0 * previous) return (rg_status)RG_RETRY;
        previous = size;
    }
    return (rg_status)RG_RETRY;
}

/*     (Phi_w'/(h gamma0) + Phi_w) e = Phi_w' (h w'_n + sum DD_i (W_i - w_n))/h,      weighted rms
 *                                                                                    of e
 * with the matrices of the last stage: without the algebraic unknowns, whose rows have the right
 * side 0. */
double rg_passage_error(rg_passage *k, double h)
{
    const int N = k->N;
    double *b = k->F, sum = 0.0;
    int count = 0;

    for (int e = 0; e < N; e++) {
        double z = h * k->wp[e];
        for (int i = 0; i < 3; i++)
            z += k->DD[i] * (k->W[i][e] - k->w[e]);
        k->slope[e] = k->form->is_differential[e] ? z / h : 0.0;
    }
    memset(b, 0, (size_t)N * sizeof *b);
    rg_pattern_multiply(k->form->pattern, k->Jwp[2], 1.0, k->slope, b);
    if (rg_matrix_factor(k->error_matrix, 1.0 / (h * k->gamma0), 0.0, k->Jw[2], k->Jwp[2]) != RG_OK)
        return INFINITY;
    rg_matrix_solve(k->error_matrix, b, NULL);
    for (int e = 0; e < N; e++) {
        sum += b[e] * k->weight[e] * b[e] * k->weight[e];
        count += k->form->is_differential[e];
    }
    return count > 0 ? sqrt(sum / count) : 0.0;
}
