/* Weighted norms. */
#ifndef RG_LINALG_NORM_H
#define RG_LINALG_NORM_H

#include <math.h>
#include <stdint.h>

/* sum_i (x_i / scale_i)^2 */
static inline double rg_scaled_squares(int64_t n, const double *x, const double *scale)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        const double q = x[i] / scale[i];
        sum += q * q;
    }
    return sum;
}

/* sqrt(1/n sum_i (x_i w_i)^2), w = 1/scale */
static inline double rg_wrms_norm(int64_t n, const double *x, const double *weight)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        const double q = x[i] * weight[i];
        sum += q * q;
    }
    return n > 0 ? sqrt(sum / (double)n) : 0.0;
}

#endif
