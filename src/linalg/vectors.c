/* Products and combinations of vectors; see vectors.h. */
#include "linalg/vectors.h"

#include "base/vector.h"

RG_FOR_QUADS double rg_dot(int64_t n, const double *x, const double *y)
{
    rg_quad sums = {0.0, 0.0, 0.0, 0.0};
    double rest = 0.0;
    int64_t i = 0;

    for (; i + RG_LANES <= n; i += RG_LANES)
        sums += *(const rg_quad *)(x + i) * *(const rg_quad *)(y + i);
    for (; i < n; i++)
        rest += x[i] * y[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest;
}

RG_FOR_QUADS void rg_add_multiple(int64_t n, double a, const double *x, double *y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

RG_FOR_QUADS void rg_rotate(int64_t n, double c, double s, double *x, double *y)
{
    for (int64_t i = 0; i < n; i++) {
        const double a = x[i], b = y[i];
        x[i] = c * a - s * b;
        y[i] = s * a + c * b;
    }
}
