/* Polynomials in powers: evaluation and interpolation. */
#include "linalg/powers.h"

#include "base/vector.h"

#include <stddef.h>

/* Horner's rule, with the derivative; four polynomials at a time, then those that are left. */
RG_FOR_QUADS void rg_powers_eval(int degree, int64_t n, const double *a, double s, double h,
                                 double *y, double *yp)
{
    int64_t i = 0;

    for (; i + RG_LANES <= n; i += RG_LANES) {
        rg_quad p = RG_FOUR(a + degree * n + i), dp = {0.0, 0.0, 0.0, 0.0};
        for (int k = degree - 1; k >= 0; k--) {
            dp = dp * s + p;
            p = p * s + RG_FOUR(a + k * n + i);
        }
        if (y != NULL) *(rg_quad *)(y + i) = p;
        if (yp != NULL) *(rg_quad *)(yp + i) = dp / h;
    }
    for (; i < n; i++) {
        double p = a[degree * n + i], dp = 0.0;
        for (int k = degree - 1; k >= 0; k--) {
            dp = dp * s + p;
            p = p * s + a[k * n + i];
        }
        if (y != NULL) y[i] = p;
        if (yp != NULL) yp[i] = dp / h;
    }
}

/* Newton's divided differences  p = c_0 + (s - s_0)(c_1 + (s - s_1)(c_2 + ...)),  multiplied out
 * from the inside. */
void rg_powers_fit(int points, const double *s, int64_t n, const double *value, double *a)
{
    const int d = points - 1;

    for (int64_t i = 0; i < n; i++) {
        double c[RG_POWERS_MOST] = {0.0}, b[RG_POWERS_MOST] = {0.0};
        for (int k = 0; k <= d; k++)
            c[k] = value[k * n + i];
        for (int level = 1; level <= d; level++)
            for (int k = d; k >= level; k--)
                c[k] = (c[k] - c[k - 1]) / (s[k] - s[k - level]);
        b[0] = c[d];
        for (int k = d - 1; k >= 0; k--) { /* b <- c_k + (s - s_k) b */
            for (int j = d; j > 0; j--)
                b[j] = b[j - 1] - s[k] * b[j];
            b[0] = c[k] - s[k] * b[0];
        }
        for (int k = 0; k <= d; k++)
            a[k * n + i] = b[k];
    }
}

/* l_j = prod (s - s_k)/(s_j - s_k), multiplied out. */
void rg_powers_lagrange(int points, const double *s, int j, double *a)
{
    int degree = 0;

    a[0] = 1.0;
    for (int k = 0; k < points; k++) {
        if (k == j) continue;
        const double factor = 1.0 / (s[j] - s[k]);
        for (int m = ++degree; m >= 0; m--)
            a[m] = factor * ((m > 0 ? a[m - 1] : 0.0) - s[k] * (m < degree ? a[m] : 0.0));
    }
}
