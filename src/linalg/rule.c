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
 * HW96 IV.5.  The nodes of Radau IA are those of IIA from the other end. */
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

/* Newton's method from at most 0.1 of the distance of the zeros away: errors relative to that
 * 1e-1, 1e-2, 1e-4, 1e-8, 1e-16, 1e-32. */
static long double polish(rg_rule_kind kind, int s, long double u)
{
    for (int k = 0; k < 6; k++)
        u -= nodal(kind, s, u) / nodal_slope(kind, s, u);
    return u;
}

/* Zeros of P_s: near  -cos(pi (k + 3/4)/(s + 1/2)). */
static void find_gauss_points(int s, long double *c)
{
    const double pi = 3.14159265358979323846;

    for (int k = 0; k < s; k++)
        c[k] = 0.5 * (1.0 + polish(RG_RULE_GAUSS, s, -cos(pi * (k + 0.75) / (s + 0.5))));
}

/* Zeros inside (-1, 1) by changes of sign; the ends are put there by hand. */
static void find_points(rg_rule_kind kind, int s, long double *c)
{
    const int scan = 10 + 2 * s * s; /* neighbouring zeros are 5/s^2 apart at least */
    const long double edge = 1e-6L,
                      step = (2.0 - 2.0 * edge) / scan; /* a zero at an end is not looked for */
    bool was_up = nodal(kind, s, -1.0 + edge) > 0.0;
    int n = 0;

    if (kind == RG_RULE_LOBATTO) c[n++] = 0.0;
    for (int k = 0; k < scan; k++) {
        const long double high = -1.0 + edge + step * (k + 1);
        const bool is_up = nodal(kind, s, high) > 0.0;
        if (is_up != was_up && n < s) c[n++] = 0.5 * (1.0 + polish(kind, s, high - 0.5 * step));
        was_up = is_up;
    }
    c[s - 1] = 1.0;
}

void rg_rule_points(rg_rule_kind kind, int s, long double *c)
{
    long double mirrored[RG_RULE_MOST] = {0};

    if (kind == RG_RULE_LOBATTO_IIIB || kind == RG_RULE_LOBATTO_IIIC) kind = RG_RULE_LOBATTO;
    if (kind == RG_RULE_GAUSS) {
        find_gauss_points(s, c);
        return;
    }
    if (kind != RG_RULE_RADAU_IA) {
        find_points(kind, s, c);
        return;
    }
    find_points(RG_RULE_RADAU, s, mirrored);
    for (int i = 0; i < s; i++)
        c[i] = 1.0L - mirrored[s - 1 - i];
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

/* SDIRK methods, stiffly accurate, c_i = sum_j a_ij, gamma on the diagonal.
 *     s = 2, order 2:  gamma = 1 - 1/sqrt 2
 *     s = 3, order 3:  gamma^3 - 3 gamma^2 + 3/2 gamma - 1/6 = 0;  Alexander (1977)
 *     s = 5, order 4:  gamma = 1/4;  HW96 (IV.6.16) */
static void set_sdirk(int s, long double *c, long double A[RG_RULE_MOST][RG_RULE_MOST])
{
    static const long double fifth[] = {
        0.25L,         0.5L,           0.25L,       17.0L / 50, -1.0L / 25, 0.25L,
        371.0L / 1360, -137.0L / 2720, 15.0L / 544, 0.25L,      25.0L / 24, -49.0L / 48,
        125.0L / 16,   -85.0L / 12,    0.25L}; /* rows up to the diagonal */
    long double g = s == 2 ? 1.0L - sqrtl(0.5L) : 0.4358665215L;

    for (int k = 0; s == 3 && k < 3; k++)
        g -= (((g - 3.0L) * g + 1.5L) * g - 1.0L / 6) / ((3.0L * g - 6.0L) * g + 1.5L);
    for (int i = 0; i < s; i++)
        for (int j = 0; j <= i; j++)
            A[i][j] = s == 5 ? fifth[i * (i + 1) / 2 + j] : g;
    if (s == 2) A[1][0] = 1.0L - g;
    if (s == 3) {
        A[1][0] = (1.0L - g) / 2;
        A[2][0] = -((6 * g - 16) * g + 1) / 4;
        A[2][1] = ((6 * g - 20) * g + 5) / 4;
    }
    for (int i = 0; i < s; i++)
        for (int j = 0; j <= i; j++)
            c[i] += A[i][j];
}

/* L[i][j] = int_0^{c_i} l_j, L[s][j] = int_0^1 l_j */
static void set_integrals(int s, const long double *c, long double L[][RG_RULE_MOST], rg_rule *out)
{
    long double power[RG_RULE_MOST + 1] = {0};

    for (int j = 0; j < s; j++) {
        expand(s, c, j, power);
        for (int i = 0; i <= s; i++)
            L[i][j] = horner(s, power, i < s ? c[i] : 1.0L);
        for (int k = 1; k <= s; k++)
            out->power[j][k] = (double)power[k];
    }
}

/* C(s-1) with a_i1 = b_1; l_j on the nodes 2 .. s (degree s - 2):
 *     a_ij = int_0^{c_i} l_j - b_1 l_j(0) */
static void set_IIIC(int s, const long double *c, long double b_1,
                     long double A[RG_RULE_MOST][RG_RULE_MOST])
{
    for (int j = 1; j < s; j++) {
        long double power[RG_RULE_MOST + 1] = {0};
        expand(s - 1, c + 1, j - 1, power);
        for (int i = 0; i < s; i++)
            A[i][j] = horner(s - 1, power, c[i]) - b_1 * power[1];
    }
    for (int i = 0; i < s; i++)
        A[i][0] = b_1;
}

/* b_j = int_0^1 l_j, and the matrix:
 *     collocation, C(s):       a_ij = int_0^{c_i} l_j
 *     Radau IA, IIIB, D(s):    b_i a_ij = b_j int_{c_j}^1 l_i
 * The sums lose four digits of nineteen with eight stages. */
void rg_rule_init(rg_rule_kind kind, int s, rg_rule *out)
{
    long double c[RG_RULE_MOST] = {0}, L[RG_RULE_MOST + 1][RG_RULE_MOST],
                A[RG_RULE_MOST][RG_RULE_MOST] = {{0}};
    const long double *b = L[s];
    const bool is_sdirk = kind == RG_RULE_SDIRK;

    *out = (rg_rule){.kind = kind, .s = s};
    if (is_sdirk)
        set_sdirk(s, c, A);
    else
        rg_rule_points(kind, s, c);
    set_integrals(s, c, L, out);
    if (is_sdirk) b = A[s - 1];
    if (kind == RG_RULE_LOBATTO_IIIC) set_IIIC(s, c, b[0], A);
    for (int j = 0; j < s; j++) {
        out->c[j] = (double)c[j];
        out->b[j] = (double)b[j];
        for (int i = 0; i < s; i++) {
            if (kind == RG_RULE_RADAU_IA || kind == RG_RULE_LOBATTO_IIIB)
                A[i][j] = b[j] * (1.0L - L[j][i] / b[i]);
            else if (kind <= RG_RULE_LOBATTO)
                A[i][j] = L[i][j];
            out->A[i][j] = (double)A[i][j];
        }
    }
    if (kind == RG_RULE_LOBATTO_IIIC) /* stiffly accurate, to the last bit */
        memcpy(out->A[s - 1], out->b, sizeof out->b);
}
