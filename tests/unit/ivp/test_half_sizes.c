/* Changes beside the sizes of unknowns (ivp/half_explicit/sizes.c). */
#include "ivp/half_explicit/half_explicit.h"
#include "support/test.h"

#include <math.h>

static void test_not_finite(void)
{
    double seen[4] = {1.0, 1.0, 2.0, 2.0}, value[2] = {1.0, 1.0};
    rg_half_explicit e = {.N = 4, .n = 2, .m = 2};

    e.seen.x = e.seen.a = e.seen.y = seen;
    CHECK_NEAR(rg_half_explicit_of_x(&e, 2.0, (double[]){1e-3, 0.0}, value, true), 1e-3, 1e-18);
    CHECK_NEAR(rg_half_explicit_of_x(&e, 2.0, (double[]){1e-3, 0.0}, value, false), 2e-3, 1e-18);
    CHECK(rg_half_explicit_of_y(&e, (double[]){0.0, 8.0}, value) == 1.0);
    for (int k = 0; k < 2; k++) { /* wherever it stands, and though the other one is finite */
        double change[2] = {1e-3, 1e-3};
        change[k] = NAN;
        CHECK(!isfinite(rg_half_explicit_of_a(&e, change, value)));
        change[k] = INFINITY;
        CHECK(!isfinite(fmax(rg_half_explicit_of_a(&e, change, value), 1.0)));
    }
}

static const test_case cases[] = {
    {"not_finite", test_not_finite},
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
