/* One level of (6.63), tridiagonal in u = u^j:
 *
 *     gamma_1 (u - 2 u^{j-1} + u^{j-2})/k^2 - gamma_2 (u_{i+1} - 2 u_i +
 * u_{i-1})/h^2
 *         + a (u - u^{j-1})/k + b (u_i - u_{i-1})/h + c u_i = f
 *
 * all x-differences at level j.  The text prints u_{t t bar}; with the backward
 * second difference gamma_1 is exact for exp(-a t/eps).  Starts: u^0 = phi, u^1
 * = phi + k psi. */
#include "pdae/fitted/fitted.h"

#include <math.h>

enum { MOST_EXPONENT = 700 }; /* exp of it is still a number */

/* z eps/expm1(z), z = coefficient step/eps. */
static double fitting(const rg_fitted_grid *g, double coefficient, double step)
{
    if (g->kind != RG_FITTED) return g->eps;
    return coefficient * step / expm1(fmin(coefficient * step / g->eps, MOST_EXPONENT));
}

bool rg_fitted_factor(const rg_fitted_grid *g, const rg_fitted_coefficients *at, rg_tridiagonal *t)
{
    const double h = g->h, k = g->k;

    for (int i = 1; i < g->n; i++) {
        const double g1 = fitting(g, at->a[i], k), g2 = fitting(g, at->b[i], h), b = at->b[i];
        const bool is_central = g->kind == RG_FITTED_CENTRAL;
        const double low = -g2 / (h * h) - (is_central ? 0.5 * b / h : b / h);
        const double high = -g2 / (h * h) + (is_central ? 0.5 * b / h : 0.0);
        t->diagonal[i - 1] = g1 / (k * k) + 2.0 * g2 / (h * h) + at->a[i] / k
                             + (is_central ? 0.0 : b / h) + at->c[i];
        if (i > 1) t->lower[i - 2] = low;
        if (i < g->n - 1) t->upper[i - 1] = high;
    }
    return rg_tridiagonal_factor(t);
}

void rg_fitted_level(const rg_fitted_grid *g, const rg_fitted_coefficients *at,
                     const rg_tridiagonal *t, const double *before, const double *last, double *u)
{
    const double k = g->k;
    double g1 = 0.0;

    for (int i = 1; i < g->n; i++) {
        if (i == 1 || at->a[i] != at->a[i - 1]) g1 = fitting(g, at->a[i], k);
        u[i] = at->f[i] + g1 * (2.0 * last[i] - before[i]) / (k * k) + at->a[i] * last[i] / k;
    }
    u[0] = u[g->n] = 0.0;
    rg_tridiagonal_solve(t, u + 1);
}
