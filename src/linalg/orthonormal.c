/* Gram-Schmidt with a second pass; see orthonormal.h. */
#include "linalg/orthonormal.h"

#include "linalg/vectors.h"

#include <math.h>
#include <string.h>

double rg_orthogonalize(int64_t m, int64_t k, const double *u, double *x, double *r)
{
    const double before = sqrt(rg_dot(m, x, x));

    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < k; i++) {
            const double part = rg_dot(m, u + i * m, x);
            if (r != NULL) r[i] = pass == 0 ? part : r[i] + part;
            rg_add_multiple(m, -part, u + i * m, x);
        }
    const double length = sqrt(rg_dot(m, x, x));
    if (!(length > 0.0) || !isfinite(length)) return 0.0;
    if (r != NULL) r[k] = length;
    for (int64_t l = 0; l < m; l++)
        x[l] /= length;
    return length / before;
}

double rg_orthonormalize(int64_t m, int64_t k, double *phi, double *T)
{
    double least = 1.0;

    memset(T, 0, (size_t)(k * k) * sizeof *T);
    for (int64_t j = 0; j < k && least > 0.0; j++)
        least = fmin(least, rg_orthogonalize(m, j, phi, phi + j * m, T + j * k));
    return least;
}

void rg_solve_transposed(int64_t k, const double *T, double *x)
{
    for (int64_t j = 0; j < k; j++) {
        for (int64_t i = 0; i < j; i++)
            x[j] -= T[j * k + i] * x[i];
        x[j] /= T[j * k + j];
    }
}

void rg_invert_transposed(int64_t k, const double *T, double *S)
{
    for (int64_t c = 0; c < k; c++) {
        double *s = S + c * k;
        memset(s, 0, (size_t)c * sizeof *s);
        s[c] = 1.0 / T[c * k + c];
        for (int64_t j = c + 1; j < k; j++)
            s[j] = -rg_dot(j - c, T + j * k + c, s + c) / T[j * k + j];
    }
}
