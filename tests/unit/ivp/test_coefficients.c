/* The coefficients of the Radau IIA methods with 1, 3, 5 and 7 stages against their order conditions. */
#include "ivp/radau/coefficients.h"
#include "linalg/small_lu.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

enum { MOST = RADAU_MOST };
static const int stages[] = {1, 3, 5, 7};
/* Entries grow with s (P: 16, 400, 3e4), and so do the rounding errors of the sums below. */
static double rounding(int s)
{
    return s <= 3 ? 2e-14 : s == 5 ? 2e-13 : 5e-12;
}

/* A = (A^-1)^-1 by columns */
static void make_A(const rg_radau_table *m, double *A)
{
    const int s = m->s;
    double lu[MOST * MOST];
    int pivot[MOST];

    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            lu[j * s + i] = m->inverse[i * s + j];
    CHECK(rg_small_lu_factor(s, lu, pivot));
    memset(A, 0, (size_t)(s * s) * sizeof *A);
    for (int j = 0; j < s; j++) {
        A[j * s + j] = 1.0;
        rg_small_lu_solve(s, lu, pivot, A + j * s);
    }
}

/* B(2s-1): sum_j b_j c_j^(k-1) = 1/k.   C(s): sum_j a_ij c_j^(k-1) = c_i^k / k.
 * D(s-1): sum_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k) / k.   b = last row of A. */
static void check_order_conditions(const rg_radau_table *m)
{
    const int s = m->s;
    const double *c = m->c;
    double A[MOST * MOST];

    make_A(m, A);
    for (int k = 1; k <= 2 * s - 1; k++) {
        double sum = 0.0;
        for (int j = 0; j < s; j++)
            sum += A[j * s + s - 1] * pow(c[j], k - 1);
        CHECK_NEAR(sum, 1.0 / k, 2e-14);
    }
    for (int i = 0; i < s; i++)
        for (int k = 1; k <= s; k++) {
            double sum = 0.0;
            for (int j = 0; j < s; j++)
                sum += A[j * s + i] * pow(c[j], k - 1);
            CHECK_NEAR(sum, pow(c[i], k) / k, 2e-14);
        }
    for (int j = 0; j < s; j++)
        for (int k = 1; k <= s - 1; k++) {
            double sum = 0.0;
            for (int i = 0; i < s; i++)
                sum += A[i * s + s - 1] * pow(c[i], k - 1) * A[j * s + i];
            CHECK_NEAR(sum, A[j * s + s - 1] * (1.0 - pow(c[j], k)) / k, 2e-14);
        }
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
static void check_transformation(const rg_radau_table *m)
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
        CHECK_NEAR(X[i], i % (s + 1) == 0, rounding(s));
    multiply(s, m->T_inverse, m->inverse, X);
    multiply(s, X, m->T, Y);
    for (int i = 0; i < s * s; i++)
        CHECK_NEAR(Y[i], Lambda[i], rounding(s));
}

/* sum_k P[k-1][j] c_i^k = delta_ij */
static void check_polynomial(const rg_radau_table *m)
{
    const int s = m->s;

    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            double sum = 0.0;
            for (int k = 0; k < s; k++)
                sum += m->P[k * s + j] * pow(m->c[i], k + 1);
            CHECK_NEAR(sum, i == j, rounding(s));
        }
}

static void for_all(void (*check)(const rg_radau_table *m))
{
    for (size_t k = 0; k < sizeof stages / sizeof *stages; k++) {
        const rg_radau_table *m = rg_radau_table_for(stages[k]);
        if (CHECK(m != NULL) && CHECK_INT(m->s, stages[k])) check(m);
    }
}

static void test_order_conditions(void)
{
    for_all(check_order_conditions);
    CHECK(rg_radau_table_for(2) == NULL && rg_radau_table_for(0) == NULL);
}

static void test_transformation(void)
{
    for_all(check_transformation);
}

static void test_polynomial(void)
{
    for_all(check_polynomial);
}

/* What is known in closed form for three stages.  The error estimate's weights are -P[0]:  HW96 IV.8, gamma0 = 1/gamma. */
static void test_three(void)
{
    const rg_radau_table *m = &rg_radau_table_3;

    CHECK_NEAR(m->c[0], (4.0 - sqrt(6.0)) / 10.0, 1e-16);
    CHECK_NEAR(m->P[0], (13.0 + 7.0 * sqrt(6.0)) / 3.0, 2e-14);
    CHECK_NEAR(m->P[1], (13.0 - 7.0 * sqrt(6.0)) / 3.0, 2e-14);
    CHECK_NEAR(m->P[2], 1.0 / 3.0, 2e-14);
    const double root = cbrt(9.0); /* gamma0 = (6 + 9^(2/3) - 9^(1/3))/30 */
    CHECK_NEAR(1.0 / m->gamma, (6.0 + root * (root - 1.0)) / 30.0, 2e-14);
}

/* The quadrature formula behind the error estimate has nodes 0, c_1 .. c_s, weight gamma0 at 0 and order s: its weights
 * b-hat follow from  gamma0 0^(k-1) + sum_j b-hat_j c_j^(k-1) = 1/k.  Then  gamma0 (f_0 - a_1) = gamma0 f_0 + sum (b-hat - b) f. */
static void check_estimate(const rg_radau_table *m)
{
    const int s = m->s;
    double A[MOST * MOST], V[MOST * MOST], hat[MOST];
    int pivot[MOST];

    make_A(m, A);
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
            a_1 += m->P[i] * A[j * s + i];
        CHECK_NEAR(-a_1 / m->gamma, hat[j] - A[j * s + s - 1], rounding(s));
    }
}

static void test_estimate(void)
{
    for_all(check_estimate);
}

static const test_case cases[] = {
    {"order conditions", test_order_conditions},
    {"transformation",   test_transformation  },
    {"polynomial",       test_polynomial      },
    {"three stages",     test_three           },
    {"error estimate",   test_estimate        },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
