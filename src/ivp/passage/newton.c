/* The stages of one step: full Newton on the coupled system, and the error estimate.
 *
 *     Phi(t_n + c_i h, W_i, W'_i) = 0,    W'_i = (1/h) sum_j D_ij (W_j - w_n),    i = 1, 2, 3,    D = A^-1
 *     matrix blocks (i, j):   delta_ij Phi_w(i) + (D_ij/h) Phi_w'(i)       with the Jacobian of every stage at that stage
 *
 * Rows, then columns scaled to largest entry 1, then LU: a row or column that vanishes at the singular point does no harm while
 * no stage lies on it.  Algebraic unknowns are neither extrapolated nor part of any norm.
 * Source: doc/methods/passage.md, section 2; constants chosen by experiment there. */
#include "ivp/passage/passage.h"

#include "linalg/dense.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 12, PATIENCE = 5 };
static const double NEWTON_TOL = 1e-3, QUADRATIC_TOL = 3e-4, QUADRATIC_RATE = 0.1;

void rg_passage_at(const rg_passage *k, double h, double s, double *w, double *wp)
{
    const double *a = k->polynomial;
    const int N = k->N;

    for (int i = 0; i < N; i++) {
        w[i] = a[i] + s * (a[N + i] + s * (a[2 * N + i] + s * a[3 * N + i]));
        if (wp != NULL) wp[i] = (a[N + i] + s * (2 * a[2 * N + i] + s * 3 * a[3 * N + i])) / h;
    }
}

/* Through w_n and the stages: degree 3; of algebraic unknowns through the stages alone: degree 2.  With the other nodes
 * a, b of node c:   s (s^2 - (a + b) s + a b) / (c (c - a)(c - b)),    (s^2 - (a + b) s + a b) / ((c - a)(c - b)). */
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

/* Algebraic unknowns of a stage from  min |Phi(W, W')|,  the least change: never extrapolated. */
static rg_status solve_algebraic(rg_passage *k, double t, double *W)
{
    const int N = k->N;
    int n = 0;
    rg_qr *qr = NULL;
    double *B = rg_alloc(k->ctx, (size_t)N * (size_t)N, sizeof *B);
    double *work = rg_alloc(k->ctx, 3 * (size_t)N, sizeof *work);
    rg_status status = B != NULL && work != NULL ? RG_OK : RG_ERR_MEMORY;

    if (status == RG_OK) status = rg_stable_eval(k->form, t, W, k->Wp, k->F, k->Jw, k->Jwp);
    if (status == RG_OK) {
        for (int j = 0; j < N; j++)
            if (!k->form->is_differential[j])
                memcpy(B + (size_t)n++ * (size_t)N, k->Jw + (size_t)j * (size_t)N,
                       (size_t)N * sizeof *B);
        if (n > 0) status = rg_qr_create(k->ctx, N, n, B, 1e-10, &qr);
    }
    if (qr != NULL) {
        rg_qr_solve(qr, k->F, work, work + N);
        n = 0;
        for (int j = 0; j < N; j++)
            if (!k->form->is_differential[j]) W[j] -= work[n++];
    }
    rg_qr_destroy(&qr);
    rg_free(k->ctx, B);
    rg_free(k->ctx, work);
    return status;
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

/* The last polynomial shifted to pass through w_n, or a straight line; algebraic unknowns by least squares. */
rg_status rg_passage_predict(rg_passage *k, double t, double h)
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
    for (int i = 0; i < 3; i++) {
        stage_slope(k, i, h);
        const rg_status status = solve_algebraic(k, t + k->c[i] * h, k->W[i]);
        if (status < 0) return status;
        for (int e = 0; e < N && status != RG_OK; e++)
            if (!k->form->is_differential[e]) k->W[i][e] = k->w[e];
    }
    return RG_OK;
}

/* Rows to 1, then columns; the right side with the rows. */
static void equilibrate(rg_passage *k, int n)
{
    double *A = k->lu->A;

    for (int i = 0; i < n; i++) {
        double most = 0.0;
        for (int j = 0; j < n; j++)
            most = fmax(most, fabs(A[(size_t)j * (size_t)n + (size_t)i]));
        for (int j = 0; j < n && most > 0.0; j++)
            A[(size_t)j * (size_t)n + (size_t)i] /= most;
        if (most > 0.0) k->F[i] /= most;
    }
    for (int j = 0; j < n; j++) {
        double *column = A + (size_t)j * (size_t)n, most = 0.0;
        for (int i = 0; i < n; i++)
            most = fmax(most, fabs(column[i]));
        k->column_scale[j] = most > 0.0 ? 1.0 / most : 1.0;
        for (int i = 0; i < n; i++)
            column[i] *= k->column_scale[j];
    }
}

/* The coupled matrix and the residuals of all stages; Jw, Jwp stay those of the last stage. */
static rg_status assemble(rg_passage *k, double t, double h)
{
    const int N = k->N, n = 3 * N;
    double *A = k->lu->A;

    memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
    for (int i = 0; i < 3; i++) {
        stage_slope(k, i, h);
        RG_TRY(
            rg_stable_eval(k->form, t + k->c[i] * h, k->W[i], k->Wp, k->F + i * N, k->Jw, k->Jwp));
        for (int j = 0; j < 3; j++)
            for (int e = 0; e < N; e++) {
                double *to = A + (size_t)(j * N + e) * (size_t)n + (size_t)(i * N);
                const double *Jw = k->Jw + (size_t)e * (size_t)N;
                const double *Jwp = k->Jwp + (size_t)e * (size_t)N;
                const double d = k->form->is_differential[e] ? k->D[i][j] / h : 0.0;
                for (int r = 0; r < N; r++)
                    to[r] = d * Jwp[r] + (i == j ? Jw[r] : 0.0);
            }
    }
    return RG_OK;
}

/* W -= matrix^-1 F; returns the weighted norm over differential unknowns. */
static double update(rg_passage *k)
{
    const int N = k->N;
    double sum = 0.0;
    int count = 0;

    rg_lu_solve(k->lu, k->F, NULL);
    for (int i = 0; i < 3; i++)
        for (int e = 0; e < N; e++) {
            const double d = k->F[i * N + e] * k->column_scale[i * N + e];
            k->W[i][e] -= d;
            sum += d * k->weight[e] * d * k->weight[e];
            count += k->form->is_differential[e];
        }
    return count > 0 ? sqrt(sum / count) : 0.0;
}

rg_status rg_passage_newton(rg_passage *k, double t, double h, int64_t *evaluations)
{
    double previous = INFINITY;

    for (int iteration = 1; iteration <= MOST_ITERATIONS; iteration++) {
        *evaluations += 3;
        RG_TRY(assemble(k, t, h));
        equilibrate(k, 3 * k->N);
        RG_TRY(rg_lu_factor(k->lu));
        const double size = update(k);
        if (!isfinite(size)) return (rg_status)RG_RETRY;
        if (size < NEWTON_TOL) return RG_OK;
        if (iteration > 1 && size < QUADRATIC_RATE * previous
            && size * size / previous < QUADRATIC_TOL)
            return RG_OK;
        if (iteration >= PATIENCE && size > 2.0 * previous) return (rg_status)RG_RETRY;
        previous = size;
    }
    return (rg_status)RG_RETRY;
}

/*     (Phi_w'/(h gamma0) + Phi_w) e = Phi_w' (h w'_n + sum DD_i (W_i - w_n))/h,      weighted rms of e
 * with the matrices of the last stage: without the algebraic unknowns, whose rows have the right side 0. */
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
    for (int e = 0; e < N; e++)
        for (int r = 0; r < N; r++) {
            const size_t at = (size_t)e * (size_t)N + (size_t)r;
            b[r] += k->Jwp[at] * k->slope[e];
            k->lu_error->A[at] = k->Jwp[at] / (h * k->gamma0) + k->Jw[at];
        }
    if (rg_lu_factor(k->lu_error) != RG_OK) return INFINITY;
    rg_lu_solve(k->lu_error, b, NULL);
    for (int e = 0; e < N; e++) {
        sum += b[e] * k->weight[e] * b[e] * k->weight[e];
        count += k->form->is_differential[e];
    }
    return count > 0 ? sqrt(sum / count) : 0.0;
}
