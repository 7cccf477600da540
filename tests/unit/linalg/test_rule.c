/* Collocation methods against their simplifying assumptions, and what is made of them. */
#include "support/test.h"

#include "linalg/rule.h"
#include "linalg/small_lu.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- nodes, weights, matrix: HW96 IV.5 ------------------------------------------------------- */

static const double rounding = 4e-15; /* of the sums here: coefficients below 1, eight terms */

/* B(p): sum_j b_j c_j^(k-1) = 1/k, k = 1 .. p */
static void check_B(const rg_rule *r, int p)
{
    for (int k = 1; k <= p; k++) {
        double sum = 0.0;
        for (int j = 0; j < r->s; j++)
            sum += r->b[j] * pow(r->c[j], k - 1);
        CHECK_NEAR(sum, 1.0 / k, rounding);
    }
}

/* C(q): sum_j a_ij c_j^(k-1) = c_i^k/k, k = 1 .. q */
static void check_C(const rg_rule *r, int q)
{
    for (int i = 0; i < r->s; i++)
        for (int k = 1; k <= q; k++) {
            double sum = 0.0;
            for (int j = 0; j < r->s; j++)
                sum += r->A[i][j] * pow(r->c[j], k - 1);
            CHECK_NEAR(sum, pow(r->c[i], k) / k, rounding);
        }
}

/* D(q): sum_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k)/k, k = 1 .. q */
static void check_D(const rg_rule *r, int q)
{
    for (int j = 0; j < r->s; j++)
        for (int k = 1; k <= q; k++) {
            double sum = 0.0;
            for (int i = 0; i < r->s; i++)
                sum += r->b[i] * pow(r->c[i], k - 1) * r->A[i][j];
            CHECK_NEAR(sum, r->b[j] * (1.0 - pow(r->c[j], k)) / k, rounding);
        }
}

/* B(p), C(s), D(p - s): with them the order is p (Butcher; HW96 theorem IV.5.1). */
static void check_rule(rg_rule_kind kind, int s, int order)
{
    rg_rule r;

    rg_rule_init(kind, s, &r);
    CHECK(r.kind == kind && r.s == s);
    check_B(&r, order);
    check_C(&r, s);
    check_D(&r, order - s);
    for (int j = 0; j < s && kind != RG_RULE_GAUSS; j++)
        CHECK(r.b[j] == r.A[s - 1][j]); /* stiffly accurate, to the last bit */
}

static void test_orders(void)
{
    for (int s = 1; s <= RG_RULE_MOST; s++) {
        check_rule(RG_RULE_GAUSS, s, 2 * s);
        check_rule(RG_RULE_RADAU, s, 2 * s - 1);
        if (s > 1) check_rule(RG_RULE_LOBATTO, s, 2 * s - 2);
    }
}

/* The other families, by the assumptions that name them.  Radau IA: B(2s-1), C(s-1), D(s);
 * IIIB: B(2s-2), C(s-2), D(s); IIIC: B(2s-2), C(s-1), D(s-1).  HW96 table IV.5.13. */
static void test_families(void)
{
    rg_rule r;

    for (int s = 1; s < RG_RULE_MOST; s++) {
        rg_rule_init(RG_RULE_RADAU_IA, s, &r);
        CHECK(r.c[0] == 0.0);
        check_B(&r, 2 * s - 1);
        check_C(&r, s - 1);
        check_D(&r, s);
        if (s == 1) continue;
        rg_rule_init(RG_RULE_LOBATTO_IIIB, s, &r);
        check_B(&r, 2 * s - 2);
        check_C(&r, s - 2);
        check_D(&r, s);
        for (int i = 0; i < s; i++)
            CHECK(fabs(r.A[i][0] - r.b[0]) < rounding && fabs(r.A[i][s - 1]) < rounding);
        rg_rule_init(RG_RULE_LOBATTO_IIIC, s, &r);
        check_B(&r, 2 * s - 2);
        check_C(&r, s - 1);
        check_D(&r, s - 1);
        for (int j = 0; j < s; j++)
            CHECK(r.b[j] == r.A[s - 1][j] && r.A[j][0] == r.b[0]);
    }
}

/* Order conditions of the trees up to order 4: HNW II.2. */
static void test_sdirk(void)
{
    rg_rule r;
    enum { S = RG_RULE_MOST };

    for (int p = 2; p <= 4; p++) {
        const int s = p < 4 ? p : 5;
        double Ac[S] = {0}, Acc[S] = {0}, AAc[S] = {0}, sum[5] = {0};
        rg_rule_init(RG_RULE_SDIRK, s, &r);
        for (int i = 0; i < s; i++)
            for (int j = 0; j < s; j++) {
                CHECK(j <= i ? r.A[i][i] == r.A[0][0] : r.A[i][j] == 0.0);
                Ac[i] += r.A[i][j] * r.c[j];
                Acc[i] += r.A[i][j] * r.c[j] * r.c[j];
            }
        for (int i = 0; i < s; i++)
            for (int j = 0; j < s; j++)
                AAc[i] += r.A[i][j] * Ac[j];
        check_C(&r, 1);
        check_B(&r, p);
        for (int i = 0; i < s; i++) {
            CHECK(r.b[i] == r.A[s - 1][i]);
            sum[0] += r.b[i] * Ac[i];
            sum[1] += r.b[i] * r.c[i] * Ac[i];
            sum[2] += r.b[i] * Acc[i];
            sum[3] += r.b[i] * AAc[i];
        }
        if (p >= 3) CHECK_NEAR(sum[0], 1.0 / 6.0, rounding);
        if (p < 4) continue;
        CHECK_NEAR(sum[1], 1.0 / 8.0, rounding);
        CHECK_NEAR(sum[2], 1.0 / 12.0, rounding);
        CHECK_NEAR(sum[3], 1.0 / 24.0, rounding);
    }
}

/* The three-stage methods in closed form. */
static void test_points(void)
{
    rg_rule r;

    rg_rule_init(RG_RULE_GAUSS, 3, &r);
    CHECK_NEAR(r.c[0], 0.5 - sqrt(15.0) / 10.0, 1e-16);
    CHECK(r.c[1] == 0.5);
    CHECK_NEAR(r.A[0][1], 2.0 / 9.0 - sqrt(15.0) / 15.0, 1e-16);
    rg_rule_init(RG_RULE_RADAU, 3, &r);
    CHECK_NEAR(r.c[0], (4.0 - sqrt(6.0)) / 10.0, 1e-16);
    CHECK(r.c[2] == 1.0);
    CHECK_NEAR(r.A[1][2], (-2.0 - 3.0 * sqrt(6.0)) / 225.0, 1e-16);
    rg_rule_init(RG_RULE_LOBATTO, 3, &r);
    CHECK(r.c[0] == 0.0 && r.c[1] == 0.5 && r.c[2] == 1.0);
    CHECK_NEAR(r.A[1][0], 5.0 / 24.0, 1e-16);
}

/* Integrals at the points are the coefficients; Lagrange polynomials are 1 or 0 there. */
static void test_polynomials(void)
{
    rg_rule r;
    double l[RG_RULE_MOST], L[RG_RULE_MOST], both[RG_RULE_MOST], Both[RG_RULE_MOST];

    rg_rule_init(RG_RULE_GAUSS, 7, &r);
    for (int i = 0; i < 7; i++) {
        rg_rule_lagrange(&r, r.c[i], l);
        rg_rule_integral(&r, r.c[i], L);
        rg_rule_both(&r, r.c[i], both, Both);
        for (int j = 0; j < 7; j++) {
            CHECK_NEAR(l[j], i == j ? 1.0 : 0.0, 1e-13);
            CHECK_NEAR(L[j], r.A[i][j], 1e-12);
            CHECK_NEAR(both[j], l[j], 1e-11);
            CHECK_NEAR(Both[j], L[j], 1e-12);
        }
    }
}

/* ---- the inverse of A and its blocks --------------------------------------------------------- */

enum { MOST = RG_RULE_MOST_ODD };

/* Entries grow with s (P: 16, 400, 3e4, 1e6, 1e8), and so do the rounding errors of the sums
 * below. */
static double modes_rounding(int s)
{
    return s <= 3 ? 2e-14 : s == 5 ? 2e-13 : s == 7 ? 5e-12 : s == 9 ? 5e-11 : 2e-9;
}

static void multiply(int s, const double *X, const double *Y, double *Z)
{
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            Z[i * s + j] = 0.0;
            for (int k = 0; k < s; k++)
                Z[i * s + j] += X[i * s + k] * Y[k * s + j];
        }
}

/* T^-1 T = I,  T^-1 A^-1 T = Lambda */
static void check_transformation(const rg_rule_modes *m)
{
    const int s = m->s;
    double X[MOST * MOST], Y[MOST * MOST], Lambda[MOST * MOST] = {m->gamma};

    for (int k = 0; k < s / 2; k++) {
        const int i = 2 * k + 1;
        Lambda[i * s + i] = Lambda[(i + 1) * s + i + 1] = m->alpha[k];
        Lambda[i * s + i + 1] = -m->beta[k];
        Lambda[(i + 1) * s + i] = m->beta[k];
        CHECK(m->T[(s - 1) * s + i] == 1.0 && m->T[(s - 1) * s + i + 1] == 0.0);
    }
    multiply(s, m->T_inverse, m->T, X);
    for (int i = 0; i < s * s; i++)
        CHECK_NEAR(X[i], i % (s + 1) == 0, modes_rounding(s));
    multiply(s, m->T_inverse, m->inverse, X);
    multiply(s, X, m->T, Y);
    for (int i = 0; i < s * s; i++)
        CHECK_NEAR(Y[i], Lambda[i], modes_rounding(s));
}

/* sum_k P[k-1][j] c_i^k = delta_ij */
static void check_polynomial(const rg_rule_modes *m)
{
    const int s = m->s;

    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            double sum = 0.0;
            for (int k = 0; k < s; k++)
                sum += m->P[k * s + j] * pow(m->c[i], k + 1);
            CHECK_NEAR(sum, i == j, modes_rounding(s));
        }
}

/* A^-1 A = I for the matrix of rg_rule_init */
static void check_inverse(const rg_rule_modes *m)
{
    const int s = m->s;
    rg_rule r;
    double A[MOST * MOST], X[MOST * MOST];

    rg_rule_init(RG_RULE_RADAU, s, &r);
    for (int i = 0; i < s * s; i++)
        A[i] = r.A[i / s][i % s];
    multiply(s, m->inverse, A, X);
    for (int i = 0; i < s * s; i++)
        CHECK_NEAR(X[i], i % (s + 1) == 0, 2e-14);
}

/* What is known in closed form for three stages.  The error estimate's weights are -P[0]:  HW96
 * IV.8, gamma0 = 1/gamma. */
static void test_three(void)
{
    rg_rule_modes r;
    const rg_rule_modes *m = &r;

    rg_rule_modes_init(RG_RULE_RADAU, 3, &r);
    CHECK_NEAR(m->c[0], (4.0 - sqrt(6.0)) / 10.0, 1e-16);
    CHECK_NEAR(m->P[0], (13.0 + 7.0 * sqrt(6.0)) / 3.0, 2e-14);
    CHECK_NEAR(m->P[1], (13.0 - 7.0 * sqrt(6.0)) / 3.0, 2e-14);
    CHECK_NEAR(m->P[2], 1.0 / 3.0, 2e-14);
    const double root = cbrt(9.0); /* gamma0 = (6 + 9^(2/3) - 9^(1/3))/30 */
    CHECK_NEAR(1.0 / m->gamma, (6.0 + root * (root - 1.0)) / 30.0, 2e-14);
}

/* The quadrature formula behind the error estimate has nodes 0, c_1 .. c_s, weight gamma0 at 0 and
 * order s: its weights b-hat follow from  gamma0 0^(k-1) + sum_j b-hat_j c_j^(k-1) = 1/k.  Then
 * gamma0 (f_0 - a_1) = gamma0 f_0 + sum (b-hat - b) f. */
static void check_estimate(const rg_rule_modes *m)
{
    const int s = m->s;
    rg_rule r;
    double V[MOST * MOST], hat[MOST];
    int pivot[MOST];

    rg_rule_init(RG_RULE_RADAU, s, &r);
    for (int j = 0; j < s; j++)
        for (int k = 0; k < s; k++)
            V[j * s + k] = pow(m->c[j], k);
    for (int k = 0; k < s; k++)
        hat[k] = 1.0 / (k + 1) - (k == 0 ? 1.0 / m->gamma : 0.0);
    CHECK(rg_small_lu_factor(s, V, pivot));
    rg_small_lu_solve(s, V, pivot, hat);
    for (int j = 0; j < s; j++) { /* f_j = 1, others 0:  Z = column j of A, a_1 = sum_i P_1i a_ij */
        double a_1 = 0.0;
        for (int i = 0; i < s; i++)
            a_1 += m->P[i] * r.A[i][j];
        CHECK_NEAR(-a_1 / m->gamma, hat[j] - r.b[j], modes_rounding(s));
    }
}

static void test_modes(void)
{
    rg_rule_modes m;

    for (int s = 1; s <= MOST; s += 2) {
        rg_rule_modes_init(RG_RULE_RADAU, s, &m);
        CHECK_INT(m.s, s);
        check_transformation(&m);
        check_polynomial(&m);
        if (s > RG_RULE_MOST) continue; /* rg_rule_init() has no more */
        check_inverse(&m);
        check_estimate(&m);
    }
}

/* A^-1 A = I and T^-1 A^-1 T = Lambda, for A or what is regular of it. */
static void check_blocks(rg_rule_kind kind, int s)
{
    const int first = kind == RG_RULE_LOBATTO, m = s - first;
    rg_rule r;
    rg_rule_blocks b;
    double A[MOST * MOST] = {0}, X[MOST * MOST], Y[MOST * MOST], Lambda[MOST * MOST] = {0};

    rg_rule_init(kind, s, &r);
    rg_rule_blocks_init(&r, first, &b);
    CHECK_INT(b.m, m);
    for (int i = 0; i < m * m; i++)
        A[i] = r.A[i / m + first][i % m + first];
    multiply(m, b.inverse, A, X);
    for (int i = 0; i < m * m; i++)
        CHECK_NEAR(X[i], i % (m + 1) == 0, 1e-13);
    if (m % 2 == 1) Lambda[0] = b.gamma;
    for (int k = 0; k < m / 2; k++) {
        const int i = 2 * k + m % 2;
        CHECK(b.beta[k] > 0.0);
        Lambda[i * m + i] = Lambda[(i + 1) * m + i + 1] = b.alpha[k];
        Lambda[i * m + i + 1] = -b.beta[k];
        Lambda[(i + 1) * m + i] = b.beta[k];
    }
    multiply(m, b.T_inverse, b.inverse, X);
    multiply(m, X, b.T, Y);
    for (int i = 0; i < m * m; i++)
        CHECK_NEAR(Y[i], Lambda[i], 1e-10);
}

static void test_blocks(void)
{
    for (int s = 1; s < RG_RULE_MOST; s++) {
        check_blocks(RG_RULE_GAUSS, s);
        check_blocks(RG_RULE_RADAU, s);
        check_blocks(RG_RULE_RADAU_IA, s);
        if (s < 2) continue;
        check_blocks(RG_RULE_LOBATTO, s);
        check_blocks(RG_RULE_LOBATTO_IIIC, s);
    }
}

/* HW99, RADAU with seven stages: the eigenvalues to all digits, from 60-digit arithmetic. */
static void test_seven(void)
{
    rg_rule_modes m;

    rg_rule_modes_init(RG_RULE_RADAU, 7, &m);
    CHECK_NEAR(m.gamma, 8.936832788405216337302, 2e-15);
    CHECK_NEAR(m.alpha[2], 4.378693561506806002523, 1e-15);
    CHECK_NEAR(m.beta[0], 3.281013624325058830036, 1e-15);
    CHECK_NEAR(m.T[8], -0.0000666663533939633818176, 1e-18);
    CHECK_NEAR(m.T_inverse[7], -299.1862480282520966786, 1e-12);
    CHECK_NEAR(m.P[42], 2735.414199050747696535, 1e-12);
}

static void check_same(int n, const double *written, const double *found)
{
    for (int i = 0; i < n; i++)
        CHECK_NEAR(written[i], found[i], 4.0 * DBL_EPSILON * fabs(found[i]));
}

/* The numbers that are written down are those of the definition. */
static void test_written(void)
{
    rg_rule_modes m;

    for (int s = 1; s <= 7; s += 2) {
        const rg_rule_modes *w = rg_rule_radau(s);
        CHECK(w != NULL && w->s == s);
        rg_rule_modes_init(RG_RULE_RADAU, s, &m);
        check_same(1, &w->gamma, &m.gamma);
        check_same(s / 2, w->alpha, m.alpha);
        check_same(s / 2, w->beta, m.beta);
        check_same(s, w->c, m.c);
        check_same(s * s, w->inverse, m.inverse);
        check_same(s * s, w->T, m.T);
        check_same(s * s, w->T_inverse, m.T_inverse);
        check_same(s * s, w->P, m.P);
    }
    CHECK(rg_rule_radau(9) == NULL && rg_rule_radau(2) == NULL);
}

static const test_case cases[] = {
    {"orders",       test_orders     },
    {"families",     test_families   },
    {"sdirk",        test_sdirk      },
    {"blocks",       test_blocks     },
    {"points",       test_points     },
    {"polynomials",  test_polynomials},
    {"modes",        test_modes      },
    {"three stages", test_three      },
    {"seven stages", test_seven      },
    {"written",      test_written    }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
