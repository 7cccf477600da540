/* The invariants of both transformations: u^T u (Petry (14a)), or u^T u + h h^T (Petry (16a),
 * (16b)). */
#include "bvp/transfer/sweep_impl.h"

#include <math.h>
#include <string.h>

void rg_sweep_invariant(const rg_sweep *s, const double *u, const double *h, double *N)
{
    rg_multiply_transposed(s->m, s->k, s->k, u, u, N);
    for (int j = 0; j < s->k && s->options.variant == 16; j++)
        for (int i = 0; i < s->k; i++)
            N[j * s->k + i] += h[i] * h[j];
}

void rg_sweep_note(rg_sweep *s, const double *u, const double *h, double *N)
{
    double size = 0.0;

    rg_sweep_invariant(s, u, h, N);
    for (int k = 0; k < s->k * s->k; k++)
        size = fmax(size, fabs(s->start[k]));
    for (int k = 0; k < s->k * s->k; k++)
        s->deviation = fmax(s->deviation, fabs(N[k] - s->start[k]) / size);
}

/* Lower factor L of a symmetric positive matrix N = L L^T, in place of its lower half. */
static bool cholesky(int k, double *N)
{
    for (int j = 0; j < k; j++) {
        for (int l = 0; l < j; l++)
            for (int i = j; i < k; i++)
                N[j * k + i] -= N[l * k + i] * N[l * k + j];
        if (!(N[j * k + j] > 0.0) || !isfinite(N[j * k + j])) return false;
        const double root = sqrt(N[j * k + j]);
        for (int i = j; i < k; i++)
            N[j * k + i] /= root;
    }
    return true;
}

/* x <- L_0 L^-1 x, for k numbers so far apart. */
static void apply_M(int k, const double *L, const double *L_0, double *x, int stride, double *row)
{
    for (int i = 0; i < k; i++) {
        row[i] = x[i * stride];
        for (int l = 0; l < i; l++)
            row[i] -= L[l * k + i] * row[l];
        row[i] /= L[i * k + i];
    }
    for (int i = 0; i < k; i++) {
        x[i * stride] = 0.0;
        for (int l = 0; l <= i; l++)
            x[i * stride] += L_0[l * k + i] * row[l];
    }
}

/* From orthonormal columns to the normalisation of the start:  u <- u M^T, h <- M h  with  M N
 * M^T = N_0,  N = the invariant of the orthonormal pair (I, or I + h h^T), so M = L_0 L^-1 of
 * the Cholesky factors.  Where both are I, nothing is to be done. */
bool rg_sweep_restore(rg_sweep *s, rg_candidate *v, rg_candidate *work)
{
    const int k = s->k, m = s->m;
    double *N = work->T, *N_0 = work->u, *row = work->h;

    if (s->options.is_normalised && s->options.variant == 14) return true;
    rg_sweep_invariant(s, v->u, v->h, N);
    memcpy(N_0, s->start, (size_t)k * (size_t)k * sizeof *N_0);
    if (!cholesky(k, N) || !cholesky(k, N_0)) return false;
    for (int i = 0; i < k; i++) /* the next T has M in it */
        s->growth[i] -= log(N_0[i * k + i] / N[i * k + i]);
    for (int r = 0; r < m; r++)
        apply_M(k, N, N_0, v->u + r, m, row);
    apply_M(k, N, N_0, v->h, 1, row);
    for (int c = 0; c < s->n_marks * k; c++)
        apply_M(k, N, N_0, s->E + c * k, 1, row);
    return true;
}
