#include "linalg/rule.h"

#include "linalg/powers.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Legendre polynomials on [-1, 1]:  (k+1) P_{k+1} = (2k+1) u P_k - k P_{k-1}. */
static double legendre(int s, double u)
{
    double before = 0.0, now = 1.0;

    for (int k = 0; k < s; k++) {
        const double next = ((2 * k + 1) * u * now - k * before) / (k + 1);
        before = now;
        now = next;
    }
    return now;
}

/* Gauss: P_s;  Radau IIA: P_s - P_{s-1} (zero at 1);  Lobatto: P_s - P_{s-2} (zeros at -1, 1).  HW96 IV.5. */
static double nodal(rg_rule_kind kind, int s, double u)
{
    if (kind == RG_RULE_GAUSS) return legendre(s, u);
    return legendre(s, u) - legendre(s - (kind == RG_RULE_RADAU ? 1 : 2), u);
}

/* P_s' = s (P_{s-1} - u P_s)/(1 - u^2) */
static double legendre_slope(int s, double u)
{
    return s > 0 ? s * (legendre(s - 1, u) - u * legendre(s, u)) / (1.0 - u * u) : 0.0;
}

static double nodal_slope(rg_rule_kind kind, int s, double u)
{
    if (kind == RG_RULE_GAUSS) return legendre_slope(s, u);
    return legendre_slope(s, u) - legendre_slope(s - (kind == RG_RULE_RADAU ? 1 : 2), u);
}

/* Newton's method from the middle of a bracket of length 0.02: errors 1e-2, 1e-4, 1e-8, 1e-16, and one more. */
static double polish(rg_rule_kind kind, int s, double u)
{
    for (int k = 0; k < 5; k++)
        u -= nodal(kind, s, u) / nodal_slope(kind, s, u);
    return u;
}

/* Zeros inside (-1, 1) by changes of sign; the ends are put there by hand. */
static void find_points(rg_rule_kind kind, int s, double *c)
{
    enum { SCAN = 99 }; /* neighbouring zeros are 0.07 apart at least, up to RG_RULE_MOST points */
    const double edge = 1e-6,
                 step = (2.0 - 2.0 * edge) / SCAN; /* a zero at an end is not looked for */
    bool was_up = nodal(kind, s, -1.0 + edge) > 0.0;
    int n = 0;

    if (kind == RG_RULE_LOBATTO) c[n++] = 0.0;
    for (int k = 0; k < SCAN; k++) {
        const double high = -1.0 + edge + step * (k + 1);
        const bool is_up = nodal(kind, s, high) > 0.0;
        if (is_up != was_up && n < s) c[n++] = 0.5 * (1.0 + polish(kind, s, high - 0.5 * step));
        was_up = is_up;
    }
    if (kind != RG_RULE_GAUSS) c[s - 1] = 1.0;
}

void rg_rule_lagrange(const rg_rule *r, double v, double *out)
{
    for (int j = 0; j < r->s; j++) {
        out[j] = 1.0;
        for (int k = 0; k < r->s; k++)
            if (k != j) out[j] *= (v - r->c[k]) / (r->c[j] - r->c[k]);
    }
}

/* By Gauss quadrature on [0, v], exact for the degree s - 1. */
static void integrate(const rg_rule *r, const double *point, const double *weight, double v,
                      double *out)
{
    double l[RG_RULE_MOST];

    memset(out, 0, (size_t)r->s * sizeof *out);
    for (int q = 0; q < r->s; q++) {
        rg_rule_lagrange(r, v * point[q], l);
        for (int j = 0; j < r->s; j++)
            out[j] += v * weight[q] * l[j];
    }
}

/* Weights on [0, 1]:  1/((1 - u^2) P_s'(u)^2). */
static void gauss(int s, double *point, double *weight)
{
    find_points(RG_RULE_GAUSS, s, point);
    for (int q = 0; q < s; q++) {
        const double u = 2.0 * point[q] - 1.0;
        const double slope = legendre_slope(s, u);
        weight[q] = 1.0 / ((1.0 - u * u) * slope * slope);
    }
}

void rg_rule_both(const rg_rule *r, double v, double *value, double *integral)
{
    const int s = r->s;

    for (int j = 0; j < s; j++) { /* Horner, with the derivative */
        const double *p = r->power[j];
        double sum = p[s], slope = p[s];
        for (int k = s - 1; k > 0; k--) {
            sum = sum * v + p[k];
            slope = slope * v + sum;
        }
        integral[j] = sum * v; /* p[0] = 0 */
        value[j] = slope;
    }
}

void rg_rule_integral(const rg_rule *r, double v, double *out)
{
    for (int j = 0; j < r->s; j++) { /* Horner */
        double sum = r->power[j][r->s];
        for (int k = r->s - 1; k >= 0; k--)
            sum = sum * v + r->power[j][k];
        out[j] = sum;
    }
}

/* l_j in powers, integrated. */
static void expand(rg_rule *r, int j)
{
    double p[RG_RULE_MOST];

    rg_powers_lagrange(r->s, r->c, j, p);
    for (int m = 0; m < r->s; m++)
        r->power[j][m + 1] = p[m] / (m + 1);
}

/* a_ij = int_0^{c_i} l_j,  b_j = int_0^1 l_j.  */
void rg_rule_init(rg_rule_kind kind, int s, rg_rule *out)
{
    double point[RG_RULE_MOST] = {0}, weight[RG_RULE_MOST] = {0};

    memset(out, 0, sizeof *out);
    out->kind = kind;
    out->s = s;
    gauss(s, point, weight);
    if (kind == RG_RULE_GAUSS)
        memcpy(out->c, point, sizeof out->c);
    else
        find_points(kind, s, out->c);
    for (int i = 0; i < s; i++)
        integrate(out, point, weight, out->c[i], out->A[i]);
    integrate(out, point, weight, 1.0, out->b);
    for (int j = 0; j < s; j++)
        expand(out, j);
}
