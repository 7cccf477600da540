/* The vectors of a Rosenbrock step, four numbers at a time (base/vector.h). */
#include "ivp/rosenbrock/rosenbrock.h"

#include "base/vector.h"

#include <math.h>

/* The number of terms is a constant after inlining, as is the stride of short vectors. */
RG_INLINE void sum_up(int count, int64_t stride, const rg_rosenbrock *r, const double *y,
                      const double *yp, double *Y, double *W)
{
    const double per_h = 1.0 / r->pace.h, part = r->part[count];

    for (int64_t k = stride - RG_LANES; k >= 0; k -= RG_LANES) {
        rg_quad a = {0.0, 0.0, 0.0, 0.0}, b = a;
        RG_UNROLL
        for (int j = 0; j < count; j++) {
            const rg_quad u = RG_FOUR(r->U + j * stride + k);
            a += u * r->stage[count][j][0];
            b += u * r->stage[count][j][1];
        }
        *(rg_quad *)(Y + k) = RG_FOUR(y + k) - a;
        *(rg_quad *)(W + k) = RG_FOUR(yp + k) * part + b * per_h;
    }
}

#define SUM_UP(count)                                                                              \
    case count:                                                                                    \
        if (r->stride == RG_LANES) return sum_up(count, RG_LANES, r, y, yp, Y, W);                 \
        return sum_up(count, r->stride, r, y, yp, Y, W)

RG_FOR_QUADS void rg_rosenbrock_point(const rg_rosenbrock *r, int i, const double *y,
                                      const double *yp, double *Y, double *W)
{
    switch (i) {
        SUM_UP(0);
        SUM_UP(1);
        SUM_UP(2);
        SUM_UP(3);
        SUM_UP(4);
        SUM_UP(5);
    }
}

RG_FOR_QUADS void rg_rosenbrock_slope(const rg_rosenbrock *r, int i, const double *yp)
{
    const double per_h = 1.0 / r->pace.h, *c = r->tableau->C[i];

    for (int64_t k = 0; k < r->stride; k += RG_LANES) {
        rg_quad a = {0.0, 0.0, 0.0, 0.0}, b = a;
        for (int j = 0; j < i; j++) {
            const rg_quad u = RG_FOUR(r->U + j * r->stride + k);
            a += u * r->stage[i][j][1];
            b += u * c[j];
        }
        *(rg_quad *)(r->sum + k) = (RG_FOUR(yp + k) * r->part[i] + a * per_h) - b * per_h;
    }
}

RG_FOR_QUADS void rg_rosenbrock_end(const rg_rosenbrock *r, const double *y, const double *yp)
{
    const double per_h = 1.0 / r->pace.h, part = r->omega[r->tableau->s];

    for (int64_t k = 0; k < r->stride; k += RG_LANES) {
        const double *c = r->end[0], *at = r->U + k;
        rg_quad m = {0.0, 0.0, 0.0, 0.0}, b = m, e = m, p = m, q = m;
        RG_UNROLL
        for (int j = 0; j < RG_ROSENBROCK_MOST; j++, c += 5, at += r->stride) {
            const rg_quad u = RG_FOUR(at);
            m += u * c[0];
            b += u * c[1];
            e += u * c[2];
            p -= u * c[3];
            q -= u * c[4];
        }
        *(rg_quad *)(r->Y + k) = RG_FOUR(y + k) - m;
        *(rg_quad *)(r->W + k) = RG_FOUR(yp + k) * part - b * per_h;
        *(rg_quad *)(r->error + k) = e;
        *(rg_quad *)(r->p + k) = p;
        *(rg_quad *)(r->sum + k) = q;
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
