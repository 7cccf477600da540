/* The vectors of a Rosenbrock step, four numbers at a time (base/vector.h). */
#include "ivp/rosenbrock/rosenbrock.h"

#include "base/vector.h"

#include <math.h>

RG_FOR_QUADS void rg_rosenbrock_sums(const rg_rosenbrock_sum *p, const rg_rosenbrock_sum *q,
                                     int count, int64_t stride, const double *U)
{
    const double *a = p->c, *b = q->c;

    for (int64_t k = stride - RG_LANES; k >= 0; k -= RG_LANES) {
        const double *u = U + k;
        rg_quad x = {0.0, 0.0, 0.0, 0.0}, y = x;
        for (int j = 0; j < count; j++, u += stride) {
            x += *(const rg_quad *)u * a[j];
            y += *(const rg_quad *)u * b[j];
        }
        *(rg_quad *)(p->x + k) = *(const rg_quad *)(p->from + k) * p->part + x * p->factor;
        *(rg_quad *)(q->x + k) = *(const rg_quad *)(q->from + k) * q->part + y * q->factor;
    }
}

/* sqrt(1/n sum (f w (h y' - (end - y + p)))^2) */
RG_FOR_QUADS double rg_rosenbrock_jump(int64_t n, const rg_rosenbrock_ends *e, const double *p,
                                       const double *weight)
{
    rg_quad sum = {0.0, 0.0, 0.0, 0.0};

    for (int64_t k = 0; k < n; k += RG_LANES) {
        const rg_quad x = (*(const rg_quad *)(e->yp + k) * e->h - *(const rg_quad *)(e->end + k)
                           + *(const rg_quad *)(e->y + k) - *(const rg_quad *)(p + k))
                          * *(const rg_quad *)(weight + k);
        sum += x * x;
    }
    return sqrt(((sum[0] + sum[1]) + (sum[2] + sum[3])) / (double)(n > 0 ? n : 1));
}

RG_FOR_QUADS void rg_rosenbrock_dense(int64_t n, const double *y, const double *end,
                                      const double *p, const double *q, double *a)
{
    for (int64_t k = 0; k < n; k += RG_LANES)
        *(rg_quad *)(a + k) = *(const rg_quad *)(y + k);
    for (int64_t k = 0; k < n; k += RG_LANES)
        *(rg_quad *)(a + n + k) =
            *(const rg_quad *)(end + k) - *(const rg_quad *)(y + k) + *(const rg_quad *)(p + k);
    for (int64_t k = 0; k < n; k += RG_LANES)
        *(rg_quad *)(a + 2 * n + k) = *(const rg_quad *)(q + k) - *(const rg_quad *)(p + k);
    for (int64_t k = 0; k < n; k += RG_LANES)
        *(rg_quad *)(a + 3 * n + k) = -*(const rg_quad *)(q + k);
}
