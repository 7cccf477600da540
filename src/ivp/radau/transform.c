/* Products of small matrices with stage vectors: the change to the variables in which the Newton
 * system of Radau IIA falls into blocks, and back. */
#include "ivp/radau/transform.h"

#include "base/vector.h"
#include "linalg/rule.h"

#include <float.h>

/* Calls f with a constant number of stages: its loops are written out, since compilers leave
 * short loops as loops. */
#define FOR_STAGES(s, f, ...)                                                                      \
    switch (s) {                                                                                   \
    case 3:                                                                                        \
        return f(3, __VA_ARGS__);                                                                  \
    case 5:                                                                                        \
        return f(5, __VA_ARGS__);                                                                  \
    case 7:                                                                                        \
        return f(7, __VA_ARGS__);                                                                  \
    case 9:                                                                                        \
        return f(9, __VA_ARGS__);                                                                  \
    case 11:                                                                                       \
        return f(11, __VA_ARGS__);                                                                 \
    default:                                                                                       \
        return f(1, __VA_ARGS__);                                                                  \
    }

void rg_stages_widen(int count, const double *M, double *wide)
{
    for (int k = 0; k < count; k++)
        for (int lane = 0; lane < RG_LANES; lane++)
            *wide++ = M[k];
}

/* Block k of y <- M v */
RG_INLINE void multiply(int s, const rg_quad *M, const rg_quad *v, int64_t blocks, rg_quad *y)
{
    RG_UNROLL
    for (int i = 0; i < s; i++) {
        rg_quad sum = M[i * s] * v[0];
        RG_UNROLL
        for (int j = 1; j < s; j++)
            sum += M[i * s + j] * v[j];
        y[i * blocks] = sum;
    }
}

RG_INLINE void transform(int s, const rg_quad *M, int64_t blocks, const rg_quad *x, rg_quad *y)
{
    rg_quad v[RG_RULE_MOST_ODD];

    for (int64_t k = 0; k < blocks; k++) {
        RG_UNROLL
        for (int j = 0; j < s; j++)
            v[j] = x[j * blocks + k];
        multiply(s, M, v, blocks, y + k);
    }
}

RG_FOR_QUADS void rg_stages_transform(int s, const double *M, int64_t blocks, const double *x,
                                      double *y){
    FOR_STAGES(s, transform, (const rg_quad *)M, blocks, (const rg_quad *)x, (rg_quad *)y)}

RG_FOR_QUADS void rg_stages_add(int s, int count, const double *a, int64_t blocks, double *const *v,
                                double *Z)
{
    for (int i = 0; i < s; i++, a += count) {
        rg_quad *z = (rg_quad *)Z + i * blocks;
        for (int j = 0; j < count; j++) {
            const rg_quad *x = (const rg_quad *)v[j];
            const double f = a[j];
            for (int64_t k = 0; k < blocks; k++)
                z[k] += x[k] * f;
        }
    }
}

RG_INLINE void combine(int s, const double *m, int64_t blocks, const double *x, int64_t stride,
                       rg_quad *y)
{
    double c[RG_RULE_MOST_ODD];

    RG_UNROLL
    for (int j = 0; j < s; j++)
        c[j] = m[j];
    for (int64_t k = 0; k < blocks; k++, x += RG_LANES) {
        rg_quad sum = *(const rg_quad *)x * c[0];
        RG_UNROLL
        for (int j = 1; j < s; j++)
            sum += *(const rg_quad *)(x + j * stride) * c[j];
        y[k] = sum;
    }
}

RG_FOR_QUADS void rg_stages_combine(int s, const double *m, int64_t blocks, const double *x,
                                    int64_t stride, double *y){
    FOR_STAGES(s, combine, m, blocks, x, stride, (rg_quad *)y)}

RG_INLINE double advance(int s, const rg_quad *T, int64_t blocks, const rg_quad *d,
                         const rg_quad *weight, rg_quad *W, rg_quad *Z)
{
    rg_quad sum = {0.0, 0.0, 0.0, 0.0}, v[RG_RULE_MOST_ODD];

    for (int64_t k = 0; k < blocks; k++) {
        const rg_quad w = weight[k];
        RG_UNROLL
        for (int j = 0; j < s; j++) {
            const rg_quad step = d[j * blocks + k], scaled = step * w;
            sum += scaled * scaled;
            v[j] = W[j * blocks + k] -= step;
        }
        multiply(s, T, v, blocks, Z + k);
    }
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

RG_FOR_QUADS double rg_stages_advance(int s, const double *T, int64_t blocks, const double *d,
                                      const double *weight, double *W, double *Z){
    FOR_STAGES(s, advance, (const rg_quad *)T, blocks, (const rg_quad *)d, (const rg_quad *)weight,
               (rg_quad *)W, (rg_quad *)Z)}

RG_FOR_QUADS void rg_stage_point(int64_t n, const double *x, const double *y, double f,
                                 const double *z, double *a, double *b)
{
    for (int64_t k = 0; k < n; k += RG_LANES)
        *(rg_quad *)(a + k) = *(const rg_quad *)(x + k) + *(const rg_quad *)(y + k);
    for (int64_t k = 0; k < n; k += RG_LANES)
        *(rg_quad *)(b + k) = *(const rg_quad *)(z + k) * f;
}

typedef int64_t bits __attribute__((vector_size(32), aligned(8), may_alias));

/* |x|: all bits but the sign; a macro, for functions of quads have no ABI everywhere */
#define MAGNITUDE(x) ((rg_quad)((bits)(x) & (bits){INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}))

RG_FOR_QUADS void rg_stage_change(int64_t blocks, const double *before, const double *now,
                                  double *change)
{
    for (int64_t k = 0; k < blocks * RG_LANES; k += RG_LANES)
        *(rg_quad *)(change + k) = MAGNITUDE(RG_FOUR(now + k) - RG_FOUR(before + k));
}

RG_FOR_QUADS rg_stage_distance rg_stage_near(int64_t blocks, const rg_stage_bounds *b,
                                             const double *before, const double *now,
                                             const double *weight, double *change)
{
    const double nearer = b->part * b->allowed;
    bits far = {0, 0, 0, 0}, further = {0, 0, 0, 0};

    for (int64_t k = 0; k < blocks * RG_LANES; k += RG_LANES) {
        const rg_quad d = MAGNITUDE(RG_FOUR(now + k) - RG_FOUR(before + k));
        const rg_quad gone = RG_FOUR(change + k) - d, least = d / b->slowest + DBL_MIN;
        const rg_quad size = d * RG_FOUR(weight + k), own = d * size;
        *(rg_quad *)(change + k) = d;
        far |= ~(bits)(b->rate * size <= b->allowed);
        further |= ~(bits)(b->rate * size <= nearer);
        if (b->has_own) {
            far |= ~((bits)(own <= b->allowed * gone) | (bits)(own <= b->allowed * least));
            further |= ~((bits)(own <= nearer * gone) | (bits)(own <= nearer * least));
        }
    }
    if ((far[0] | far[1] | far[2] | far[3]) != 0) return RG_STAGE_FAR;
    return (further[0] | further[1] | further[2] | further[3]) != 0 ? RG_STAGE_NEAR
                                                                    : RG_STAGE_NEARER;
}
