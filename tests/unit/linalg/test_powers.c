/* Polynomials in powers of s: values, slopes, interpolation, Lagrange polynomials. */
#include "support/test.h"

#include "linalg/powers.h"

#include <math.h>

/* y_0 = 1 - 2 s + 3 s^2, y_1 = 4 s^2: slopes by t = h s. */
static void test_eval(void)
{
    const double a[6] = {1, 0, -2, 0, 3, 4}, s = 0.7, h = 0.25;
    double y[2], yp[2];

    rg_powers_eval(2, 2, a, s, h, y, yp);
    CHECK_NEAR(y[0], 1 - 2 * s + 3 * s * s, 1e-15);
    CHECK_NEAR(y[1], 4 * s * s, 1e-15);
    CHECK_NEAR(yp[0], (-2 + 6 * s) / h, 1e-14);
    CHECK_NEAR(yp[1], 8 * s / h, 1e-14);
    y[0] = yp[0] = 5.0;
    rg_powers_eval(2, 2, a, 0.0, h, NULL, yp);
    CHECK(y[0] == 5.0);
    CHECK_NEAR(yp[0], -8.0, 1e-15);
    rg_powers_eval(2, 2, a, 0.0, h, y, NULL);
    CHECK(y[0] == 1.0);
    CHECK_NEAR(yp[0], -8.0, 1e-15);
}

/* The polynomial goes through its points, and cubic data give back their coefficients. */
static void test_fit(void)
{
    const double s[4] =
        {
            0.0, 0.3, 0.8, 1.0
    },
                 c[2][4] = {{2, -1, 0.5, 3}, {0.1, 7, 0, -2}};
    double value[8], a[8];

    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 2; i++)
            value[2 * k + i] = c[i][0] + s[k] * (c[i][1] + s[k] * (c[i][2] + s[k] * c[i][3]));
    rg_powers_fit(4, s, 2, value, a);
    CHECK(a[0] == value[0] && a[1] == value[1]); /* exactly: s_0 = 0 */
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 2; i++)
            CHECK_NEAR(a[2 * k + i], c[i][k], 1e-13);
}

/* l_j is 1 at its own point and 0 at the others; all of them add up to 1. */
static void test_lagrange(void)
{
    const double s[3] = {0.1, 0.5, 0.9};
    double a[3], sum[3] = {0};

    for (int j = 0; j < 3; j++) {
        rg_powers_lagrange(3, s, j, a);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(a[0] + s[k] * (a[1] + s[k] * a[2]), k == j ? 1.0 : 0.0, 1e-14);
            sum[k] += a[k];
        }
    }
    CHECK_NEAR(sum[0], 1.0, 1e-14);
    CHECK_NEAR(sum[1], 0.0, 1e-14);
    CHECK_NEAR(sum[2], 0.0, 1e-13);
}

static const test_case cases[] = {
    {"values and slopes",    test_eval    },
    {"interpolation",        test_fit     },
    {"Lagrange polynomials", test_lagrange}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
