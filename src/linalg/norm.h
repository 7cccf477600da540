/* Weighted norms. */
#ifndef RG_LINALG_NORM_H
#define RG_LINALG_NORM_H

#include <math.h>
#include <stdint.h>

/* sqrt(1/n sum_i (w_i x_i)^2) */
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
