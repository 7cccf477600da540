/* The coefficients of the three-stage Radau IIA method against their order conditions. */
#include "ivp/radau/coefficients.h"
#include "linalg/small_lu.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

enum { S = RADAU_STAGES };
static const double ROUNDING = 2e-14;

/* A = (A^-1)^-1 */
static void make_A(double A[S][S])
{
    double lu[S * S], e[S];
    int pivot[S];

    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++)
            lu[j * S + i] = rg_radau_inverse[i][j];
    CHECK(rg_small_lu_factor(S, lu, pivot));
    for (int j = 0; j < S; j++) {
        memset(e, 0, sizeof e);
        e[j] = 1.0;
        rg_small_lu_solve(S, lu, pivot, e);
        for (int i = 0; i < S; i++)
            A[i][j] = e[i];
    }
}

/* B(5): sum_j b_j c_j^(k-1) = 1/k.   C(3): sum_j a_ij c_j^(k-1) = c_i^k / k.
 * D(2): sum_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k) / k.   b = last row of A. */
static void test_order_conditions(void)
{
    const double *c = rg_radau_c;
    double A[S][S];

    make_A(A);
    for (int k = 1; k <= 5; k++) {
        double sum = 0.0;
        for (int j = 0; j < S; j++)
            sum += A[2][j] * pow(c[j], k - 1);
        CHECK_NEAR(sum, 1.0 / k, ROUNDING);
    }
    for (int i = 0; i < S; i++)
        for (int k = 1; k <= 3; k++) {
            double sum = 0.0;
            for (int j = 0; j < S; j++)
                sum += A[i][j] * pow(c[j], k - 1);
            CHECK_NEAR(sum, pow(c[i], k) / k, ROUNDING);
        }
    for (int j = 0; j < S; j++)
        for (int k = 1; k <= 2; k++) {
            double sum = 0.0;
            for (int i = 0; i < S; i++)
                sum += A[2][i] * pow(c[i], k - 1) * A[i][j];
            CHECK_NEAR(sum, A[2][j] * (1.0 - pow(c[j], k)) / k, ROUNDING);
        }
}

static void multiply(const double X[S][S], const double Y[S][S], double Z[S][S])
{
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++) {
            Z[i][j] = 0.0;
            for (int k = 0; k < S; k++)
                Z[i][j] += X[i][k] * Y[k][j];
        }
}

/* T^-1 T = I,  T^-1 A^-1 T = Lambda */
static void test_transformation(void)
{
    const double Lambda[S][S] = {
        {RADAU_GAMMA, 0.0,         0.0        },
        {0.0,         RADAU_ALPHA, -RADAU_BETA},
        {0.0,         RADAU_BETA,  RADAU_ALPHA},
    };
    double X[S][S], Y[S][S];

    multiply(rg_radau_T_inverse, rg_radau_T, X);
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++)
            CHECK_NEAR(X[i][j], i == j, ROUNDING);
    multiply(rg_radau_T_inverse, rg_radau_inverse, X);
    multiply(X, rg_radau_T, Y);
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++)
            CHECK_NEAR(Y[i][j], Lambda[i][j], ROUNDING);
}

/* sum_k P[k-1][j] c_i^k = delta_ij;  the error estimate's weights are -P[0]:  HW96 IV.8, gamma0 = 1/gamma. */
static void test_polynomial(void)
{
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++) {
            double sum = 0.0;
            for (int k = 0; k < S; k++)
                sum += rg_radau_P[k][j] * pow(rg_radau_c[i], k + 1);
            CHECK_NEAR(sum, i == j, ROUNDING);
        }
    CHECK_NEAR(rg_radau_P[0][0], (13.0 + 7.0 * sqrt(6.0)) / 3.0, ROUNDING);
    CHECK_NEAR(rg_radau_P[0][1], (13.0 - 7.0 * sqrt(6.0)) / 3.0, ROUNDING);
    CHECK_NEAR(rg_radau_P[0][2], 1.0 / 3.0, ROUNDING);
    const double root = cbrt(9.0); /* gamma0 = (6 + 9^(2/3) - 9^(1/3))/30 */
    CHECK_NEAR(1.0 / RADAU_GAMMA, (6.0 + root * (root - 1.0)) / 30.0, ROUNDING);
}

static const test_case cases[] = {
    {"order conditions", test_order_conditions},
    {"transformation",   test_transformation  },
    {"polynomial",       test_polynomial      },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
