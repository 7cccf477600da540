/* Gram-Schmidt with a second pass; see orthonormal.h. */
#include "linalg/orthonormal.h"

#include <math.h>
#include <string.h>

static double dot(int m, const double *x, const double *y)
{
    double sum = 0.0;

    for (int i = 0; i < m; i++)
        sum += x[i] * y[i];
    return sum;
}

double rg_orthonormalize(int m, int k, double *phi, double *T)
{
    double least = 1.0;

    memset(T, 0, (size_t)k * (size_t)k * sizeof *T);
    for (int j = 0; j < k; j++) {
        double *x = phi + j * m;
        const double before = sqrt(dot(m, x, x));
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < j; i++) {
                const double r = dot(m, phi + i * m, x);
                T[j * k + i] += r;
                for (int l = 0; l < m; l++)
                    x[l] -= r * phi[i * m + l];
            }
        const double length = sqrt(dot(m, x, x));
        if (!(length > 0.0) || !isfinite(length)) return 0.0;
        least = fmin(least, length / before);
        T[j * k + j] = length;
        for (int l = 0; l < m; l++)
            x[l] /= length;
    }
    return least;
}

void rg_solve_transposed(int k, const double *T, double *x)
{
    for (int j = 0; j < k; j++) {
        for (int i = 0; i < j; i++)
            x[j] -= T[j * k + i] * x[i];
        x[j] /= T[j * k + j];
    }
}
