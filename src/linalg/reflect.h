/* Householder reflectors I - beta v v^T with v = (1, x): lengths, making and applying.  Golub, Van
 * Loan, Matrix Computations (1996), 5.1. */
#ifndef RG_LINALG_REFLECT_H
#define RG_LINALG_REFLECT_H

#include "linalg/vectors.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

/* |x|; scaled where squares would leave the range of the numbers. */
static inline double rg_length(int64_t n, const double *x)
{
    double sum, most = 0.0;

    sum = rg_dot(n, x, x);
    if (sum > DBL_MIN / DBL_EPSILON && sum < DBL_MAX) return sqrt(sum);
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    if (!(most > 0.0) || !isfinite(most)) return most;
    sum = 0.0;
    for (int64_t i = 0; i < n; i++)
        sum += (x[i] / most) * (x[i] / most);
    return most * sqrt(sum);
}

/* Turns (alpha, x) of this length into (-sign(alpha) length, 0): v = (1, x/(alpha - new)), returns
 * beta.  *alpha: the new one, *scale: of x. */
static inline double rg_reflector(double length, double *alpha, double *scale)
{
    const double old = *alpha, now = old > 0.0 ? -length : length;

    *alpha = now;
    *scale = 1.0 / (old - now);
    return (now - old) / now;
}

/* b <- (I - beta v v^T) b with v = (1, x), both of n entries; x[0] is not read. */
static inline void rg_reflect(int64_t n, const double *x, double beta, double *b)
{
    const double sum = beta * (b[0] + rg_dot(n - 1, x + 1, b + 1));

    b[0] -= sum;
    rg_add_multiple(n - 1, -sum, x + 1, b + 1);
}

/* y <- Z^T y, y of n entries: r reflectors, the first row first, with v = (1 in place k, row k of A
 * from column r on); A has ld rows. */
static inline void rg_reflect_rows(int64_t n, int64_t r, const double *A, int64_t ld,
                                   const double *zeta, double *y)
{
    for (int64_t k = 0; k < r && r < n; k++) {
        double sum = y[k];
        for (int64_t j = r; j < n; j++)
            sum += A[j * ld + k] * y[j];
        sum *= zeta[k];
        y[k] -= sum;
        for (int64_t j = r; j < n; j++)
            y[j] -= sum * A[j * ld + k];
    }
}

#endif
