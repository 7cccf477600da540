/* Phases of free oscillations: the error of Gauss collocation on y' = i w y, and what a mesh has to
 * follow. */
#include "support/test.h"

#include "bvp/collocation/waves.h"
#include "linalg/rule.h"

#include <complex.h>
#include <math.h>

/* x_1 = R(i p) x_0 by solving the stage equations  X'_j = i p (1 + sum_k a_jk X'_k). */
static double complex amplify(int s, double p)
{
    rg_rule rule;
    double complex A[RG_RULE_MOST][RG_RULE_MOST + 1], sum = 1;

    rg_rule_init(RG_RULE_GAUSS, s, &rule);
    for (int j = 0; j < s; j++) {
        for (int k = 0; k < s; k++)
            A[j][k] = (j == k) - I * p * rule.A[j][k];
        A[j][s] = I * p;
    }
    for (int k = 0; k < s; k++) /* Gauss-Jordan: the matrix is near the identity */
        for (int j = 0; j < s; j++) {
            if (j == k) continue;
            const double complex factor = A[j][k] / A[k][k];
            for (int m = k; m <= s; m++)
                A[j][m] -= factor * A[k][m];
        }
    for (int j = 0; j < s; j++)
        sum += rule.b[j] * A[j][s] / A[j][j];
    return sum;
}

/* N intervals of the largest phase that is allowed: the phase over all of them is wrong by at most
 * the bound, and the bound is used. */
static void test_limit(void)
{
    for (int s = 1; s <= 5; s++) {
        const double total = s == 1 ? 10.0 : 1000.0, p = rg_waves_limit(s, total);
        const double error = fabs(carg(amplify(s, p) * cexp(-I * p))) * total / p;
        CHECK(error <= RG_PHASE_ERROR * 1.05);
        if (p < 2.9 && !CHECK(error >= 0.5 * RG_PHASE_ERROR))
            printf("    s = %d: phase %g per interval, error %g\n", s, p, error);
    }
    CHECK(rg_waves_limit(7, 1e-3) <= 3.0);
    CHECK(rg_waves_limit(4, 0.0) > 0.0);
}

static const test_case cases[] = {
    {"limit", test_limit}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
