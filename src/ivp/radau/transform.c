#include "ivp/radau/transform.h"

#include "ivp/radau/coefficients.h"

/* The lengths are written out: compilers leave short loops as loops. */
static inline double dot(int s, const double *m, const double *v)
{
    double sum = m[0] * v[0];

    if (s >= 3) sum += m[1] * v[1] + m[2] * v[2];
    if (s >= 5) sum += m[3] * v[3] + m[4] * v[4];
    if (s >= 7) sum += m[5] * v[5] + m[6] * v[6];
    return sum;
}

static inline void take(int s, double *const *x, int64_t k, double *v)
{
    v[0] = x[0][k];
    if (s >= 3) v[1] = x[1][k], v[2] = x[2][k];
    if (s >= 5) v[3] = x[3][k], v[4] = x[4][k];
    if (s >= 7) v[5] = x[5][k], v[6] = x[6][k];
}

static inline void transform(int s, const double *M, int64_t n, double *const *x, double *const *y)
{
    double v[RADAU_MOST];

    for (int64_t k = 0; k < n; k++) {
        take(s, x, k, v);
        for (int i = 0; i < s; i++)
            y[i][k] = dot(s, M + i * s, v);
    }
}

static void transform_3(const double *M, int64_t n, double *const *x, double *const *y)
{
    for (int64_t k = 0; k < n; k++) {
        const double a = x[0][k], b = x[1][k], c = x[2][k];
        y[0][k] = M[0] * a + M[1] * b + M[2] * c;
        y[1][k] = M[3] * a + M[4] * b + M[5] * c;
        y[2][k] = M[6] * a + M[7] * b + M[8] * c;
    }
}

void rg_stages_transform(int s, const double *M, int64_t n, double *const *x, double *const *y)
{
    switch (s) {
    case 3:
        transform_3(M, n, x, y);
        break;
    case 5:
        transform(5, M, n, x, y);
        break;
    case 7:
        transform(7, M, n, x, y);
        break;
    default:
        transform(1, M, n, x, y);
    }
}

static inline void combine(int s, const double *m, int64_t n, double *const *x, double *y)
{
    double v[RADAU_MOST];

    for (int64_t k = 0; k < n; k++) {
        take(s, x, k, v);
        y[k] = dot(s, m, v);
    }
}

void rg_stages_combine(int s, const double *m, int64_t n, double *const *x, double *y)
{
    switch (s) {
    case 3:
        combine(3, m, n, x, y);
        break;
    case 5:
        combine(5, m, n, x, y);
        break;
    case 7:
        combine(7, m, n, x, y);
        break;
    default:
        combine(1, m, n, x, y);
    }
}
