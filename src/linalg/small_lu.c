#include "linalg/small_lu.h"

#include <math.h>

static void swap(double *a, double *b)
{
    const double c = *a;
    *a = *b;
    *b = c;
}

static int find_pivot(int n, int k, const double *a)
{
    int p = k;
    double largest = fabs(a[k]);

    for (int i = k + 1; i < n; i++)
        if (fabs(a[i]) > largest) largest = fabs(a[p = i]);
    return p;
}

bool rg_small_lu_factor(int n, double *A, int *pivot)
{
    for (int k = 0; k < n; k++) {
        double *restrict l = A + (long)k * n;
        const int p = pivot[k] = find_pivot(n, k, l);
        if (p != k) swap(l + k, l + p);
        const double inverse = 1.0 / l[k];
        if (!(fabs(inverse) < INFINITY)) return false;
        l[k] = inverse;
        for (int i = k + 1; i < n; i++)
            l[i] *= inverse;
        for (int j = k + 1; j < n; j++) {
            double *restrict a = A + (long)j * n;
            if (p != k) swap(a + k, a + p);
            const double u = a[k];
            if (u == 0.0) continue;
            for (int i = k + 1; i < n; i++)
                a[i] -= l[i] * u;
        }
    }
    return true;
}

void rg_small_lu_solve(int n, const double *A, const int *pivot, double *restrict b)
{
    for (int k = 0; k < n; k++) { /* b = L^-1 P b */
        const double *restrict l = A + (long)k * n;
        if (pivot[k] != k) swap(b + k, b + pivot[k]);
        const double x = b[k];
        if (x == 0.0) continue;
        for (int i = k + 1; i < n; i++)
            b[i] -= l[i] * x;
    }
    for (int k = n - 1; k >= 0; k--) { /* b = U^-1 b */
        const double *restrict u = A + (long)k * n;
        const double x = b[k] *= u[k];
        for (int i = 0; i < k; i++)
            b[i] -= u[i] * x;
    }
}

static int find_complex_pivot(int n, int k, const double *re, const double *im)
{
    int p = k;
    double largest = fabs(re[k]) + fabs(im[k]);

    for (int i = k + 1; i < n; i++) {
        const double size = fabs(re[i]) + fabs(im[i]);
        if (size > largest) {
            largest = size;
            p = i;
        }
    }
    return p;
}

/* Column k: swap, invert the pivot, divide by it. */
static bool scale_column(int n, int k, int p, double *restrict re, double *restrict im)
{
    if (p != k) {
        swap(re + k, re + p);
        swap(im + k, im + p);
    }
    const double size =
        fmax(fabs(re[k]), fabs(im[k])); /* keeps |pivot|^2 from under- and overflow */
    const double r = re[k] / size, s = im[k] / size, d = size * (r * r + s * s);
    const double ir = r / d, ii = -s / d;
    if (!(fabs(ir) + fabs(ii) < INFINITY)) return false;
    re[k] = ir;
    im[k] = ii;
    for (int i = k + 1; i < n; i++) {
        const double a = re[i], b = im[i];
        re[i] = a * ir - b * ii;
        im[i] = a * ii + b * ir;
    }
    return true;
}

/* (a, b) -= (c, d) (x + iy) for entries from .. to-1 */
static inline void subtract(int from, int to, const double *restrict c, const double *restrict d,
                            double x, double y, double *restrict a, double *restrict b)
{
    for (int i = from; i < to; i++) {
        a[i] -= c[i] * x - d[i] * y;
        b[i] -= c[i] * y + d[i] * x;
    }
}

bool rg_small_zlu_factor(int n, double *re, double *im, int *pivot)
{
    for (int k = 0; k < n; k++) {
        double *c = re + (long)k * n, *d = im + (long)k * n;
        const int p = pivot[k] = find_complex_pivot(n, k, c, d);
        if (!scale_column(n, k, p, c, d)) return false;
        for (int j = k + 1; j < n; j++) {
            double *a = re + (long)j * n, *b = im + (long)j * n;
            if (p != k) {
                swap(a + k, a + p);
                swap(b + k, b + p);
            }
            if (a[k] == 0.0 && b[k] == 0.0) continue;
            subtract(k + 1, n, c, d, a[k], b[k], a, b);
        }
    }
    return true;
}

void rg_small_zlu_solve(int n, const double *re, const double *im, const int *pivot, double *b_re,
                        double *b_im)
{
    for (int k = 0; k < n; k++) { /* b = L^-1 P b */
        const int p = pivot[k];
        if (p != k) {
            swap(b_re + k, b_re + p);
            swap(b_im + k, b_im + p);
        }
        subtract(k + 1, n, re + (long)k * n, im + (long)k * n, b_re[k], b_im[k], b_re, b_im);
    }
    for (int k = n - 1; k >= 0; k--) { /* b = U^-1 b */
        const double *u = re + (long)k * n, *v = im + (long)k * n;
        const double x = b_re[k] * u[k] - b_im[k] * v[k], y = b_re[k] * v[k] + b_im[k] * u[k];
        b_re[k] = x;
        b_im[k] = y;
        subtract(0, k, u, v, x, y, b_re, b_im);
    }
}
