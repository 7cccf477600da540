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

/* Columns j .. j + 3 of C: rows by fours, sums over l in registers. */
RG_INLINE void four_columns(int64_t m, int64_t k, const double *A, const double *B, double *C)
{
    int64_t i = 0;

    for (; i + RG_LANES <= m; i += RG_LANES) {
        rg_quad c[4] = {{0.0}};
        for (int64_t l = 0; l < k; l++) {
            const rg_quad a = RG_FOUR(A + l * m + i);
            RG_UNROLL
            for (int j = 0; j < 4; j++)
                c[j] += a * B[j * k + l];
        }
        RG_UNROLL
        for (int j = 0; j < 4; j++)
            *(rg_quad *)(C + j * m + i) = c[j];
    }
    for (; i < m; i++)
        for (int j = 0; j < 4; j++) {
            double sum = 0.0;
            for (int64_t l = 0; l < k; l++)
                sum += A[l * m + i] * B[j * k + l];
            C[j * m + i] = sum;
        }
}

RG_FOR_QUADS void rg_multiply(int64_t m, int64_t k, int64_t n, const double *A, const double *B,
                              double *C)
{
    int64_t j = 0;

    for (; j + 4 <= n; j += 4)
        four_columns(m, k, A, B + j * k, C + j * m);
    for (; j < n; j++) {
        double *c = C + j * m;
        for (int64_t i = 0; i < m; i++)
            c[i] = 0.0;
        for (int64_t l = 0; l < k; l++)
            for (int64_t i = 0; i < m; i++)
                c[i] += A[l * m + i] * B[j * k + l];
    }
}
