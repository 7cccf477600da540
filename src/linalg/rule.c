/* Nodes and coefficients of collocation methods, and the polynomials on the nodes. */
#include "linalg/rule.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Legendre polynomials on [-1, 1]:  (k+1) P_{k+1} = (2k+1) u P_k - k P_{k-1}. */
static long double legendre(int s, long double u)
{
    long double before = 0.0, now = 1.0;

    for (int k = 0; k < s; k++) {
        const long double next = ((2 * k + 1) * u * now - k * before) / (k + 1);
        before = now;
        now = next;
    }
    return now;
}

/* Gauss: P_s;  Radau IIA: P_s - P_{s-1} (zero at 1);  Lobatto: P_s - P_{s-2} (zeros at -1, 1).
 * HW96 IV.5. */
static long double nodal(rg_rule_kind kind, int s, long double u)
{
    if (kind == RG_RULE_GAUSS) return legendre(s, u);
    return legendre(s, u) - legendre(s - (kind == RG_RULE_RADAU ? 1 : 2), u);
}

/* P_s' = s (P_{s-1} - u P_s)/(1 - u^2) */
static long double legendre_slope(int s, long double u)
{
    return s > 0 ? s * (legendre(s - 1, u) - u * legendre(s, u)) / (1.0 - u * u) : 0.0;
}

static long double nodal_slope(rg_rule_kind kind, int s, long double u)
{
    if (kind == RG_RULE_GAUSS) return legendre_slope(s, u);
    return legendre_slope(s, u) - legendre_slope(s - (kind == RG_RULE_RADAU ? 1 : 2), u);
}

/* Newton's method from the middle of a bracket of length 0.01: errors 5e-3, 3e-5, 1e-9, 1e-18,
 * 1e-36. */
static long double polish(rg_rule_kind kind, int s, long double u)
{
    for (int k = 0; k < 5; k++)
        u -= nodal(kind, s, u) / nodal_slope(kind, s, u);
    return u;
}

/* Zeros inside (-1, 1) by changes of sign; the ends are put there by hand. */
void rg_rule_points(rg_rule_kind kind, int s, long double *c)
{
    enum { SCAN = 199 }; /* neighbouring zeros are 0.04 apart at least, up to eleven points */
    const long double edge = 1e-6L,
                      step = (2.0 - 2.0 * edge) / SCAN; /* a zero at an end is not looked for */
    bool was_up = nodal(kind, s, -1.0 + edge) > 0.0;
    int n = 0;

    if (kind == RG_RULE_LOBATTO) c[n++] = 0.0;
    for (int k = 0; k < SCAN; k++) {
        const long double high = -1.0 + edge + step * (k + 1);
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

/* l_j = prod (v - c_k)/(c_j - c_k), multiplied out and integrated: int_0^v l_j = sum_k power[k]
 * v^k. */
static void expand(int s, const long double *c, int j, long double *power)
{
    long double p[RG_RULE_MOST + 1] = {1.0L};
    int degree = 0;

    for (int k = 0; k < s; k++) {
        if (k == j) continue;
        const long double factor = 1.0L / (c[j] - c[k]);
        for (int m = ++degree; m >= 0; m--)
            p[m] = factor * ((m > 0 ? p[m - 1] : 0.0L) - c[k] * (m < degree ? p[m] : 0.0L));
    }
    for (int m = 0; m < s; m++)
        power[m + 1] = p[m] / (m + 1);
}

static long double horner(int s, const long double *power, long double v)
{
    long double sum = 0.0L;

    for (int k = s; k > 0; k--)
        sum = (sum + power[k]) * v;
    return sum;
}

/* a_ij = int_0^{c_i} l_j,  b_j = int_0^1 l_j.  The sums lose four digits of nineteen with eight
 * stages. */
void rg_rule_init(rg_rule_kind kind, int s, rg_rule *out)
{
    long double c[RG_RULE_MOST] = {0}, power[RG_RULE_MOST + 1] = {0};

    *out = (rg_rule){.kind = kind, .s = s};
    rg_rule_points(kind, s, c);
    for (int j = 0; j < s; j++) {
        expand(s, c, j, power);
        out->c[j] = (double)c[j];
        out->b[j] = (double)horner(s, power, 1.0L);
        for (int i = 0; i < s; i++)
            out->A[i][j] = (double)horner(s, power, c[i]);
        for (int k = 1; k <= s; k++)
            out->power[j][k] = (double)power[k];
    }
}
