/* Collocation coefficients against the order conditions, and their polynomials. */
#include "support/test.h"

#include "linalg/rule.h"

#include <math.h>

/* B(p): sum_j b_j c_j^(k-1) = 1/k, k = 1 .. p;  C(s): sum_j a_ij c_j^(k-1) = c_i^k/k, k = 1 .. s.  HW96 IV.5. */
static void check_rule(rg_rule_kind kind, int s, int order)
{
    rg_rule r;

    rg_rule_init(kind, s, &r);
    for (int k = 1; k <= order; k++) {
        double sum = 0;
        for (int j = 0; j < s; j++)
            sum += r.b[j] * pow(r.c[j], k - 1);
        CHECK_NEAR(sum, 1.0 / k, 1e-14);
    }
    for (int i = 0; i < s; i++)
        for (int k = 1; k <= s; k++) {
            double sum = 0;
            for (int j = 0; j < s; j++)
                sum += r.A[i][j] * pow(r.c[j], k - 1);
            CHECK_NEAR(sum, pow(r.c[i], k) / k, 1e-14);
        }
}

static void test_orders(void)
{
    for (int s = 1; s <= RG_RULE_MOST; s++) {
        check_rule(RG_RULE_GAUSS, s, 2 * s);
        check_rule(RG_RULE_RADAU, s, 2 * s - 1);
        if (s > 1) check_rule(RG_RULE_LOBATTO, s, 2 * s - 2);
    }
}

/* The three-stage methods in closed form. */
static void test_points(void)
{
    rg_rule r;

    rg_rule_init(RG_RULE_GAUSS, 3, &r);
    CHECK_NEAR(r.c[0], 0.5 - sqrt(15.0) / 10.0, 1e-15);
    CHECK_NEAR(r.c[1], 0.5, 1e-15);
    rg_rule_init(RG_RULE_RADAU, 3, &r);
    CHECK_NEAR(r.c[0], (4.0 - sqrt(6.0)) / 10.0, 1e-15);
    CHECK(r.c[2] == 1.0);
    rg_rule_init(RG_RULE_LOBATTO, 3, &r);
    CHECK(r.c[0] == 0.0);
    CHECK_NEAR(r.c[1], 0.5, 1e-15);
}

/* Integrals at the points are the coefficients; Lagrange polynomials are 1 or 0 there. */
static void test_polynomials(void)
{
    rg_rule r;
    double l[RG_RULE_MOST], L[RG_RULE_MOST];

    rg_rule_init(RG_RULE_GAUSS, 7, &r);
    for (int i = 0; i < 7; i++) {
        rg_rule_lagrange(&r, r.c[i], l);
        rg_rule_integral(&r, r.c[i], L);
        for (int j = 0; j < 7; j++) {
            CHECK_NEAR(l[j], i == j ? 1.0 : 0.0, 1e-13);
            CHECK_NEAR(L[j], r.A[i][j], 1e-12);
        }
    }
}

static const test_case cases[] = {
    {"orders",      test_orders     },
    {"points",      test_points     },
    {"polynomials", test_polynomials}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
