/* The fixed numbers spread evenly, and sequences have nothing to do with each other. */
#include "base/random.h"
#include "support/test.h"

enum { COUNT = 10000 };

/* Means of u, u^2 and of products of neighbours and of two sequences; 5 standard deviations. */
static void test_spread(void)
{
    double mean = 0.0, square = 0.0, next = 0.0, other = 0.0;

    for (uint64_t k = 0; k < COUNT; k++) {
        const double u = rg_random(3, k), v = rg_random(3, k + 1), w = rg_random(4, k);
        CHECK(u >= 0.0 && u < 1.0);
        mean += u / COUNT;
        square += u * u / COUNT;
        next += (u - 0.5) * (v - 0.5) / COUNT;
        other += (u - 0.5) * (w - 0.5) / COUNT;
    }
    CHECK_NEAR(mean, 0.5, 0.015);
    CHECK_NEAR(square, 1.0 / 3.0, 0.015);
    CHECK_NEAR(next, 0.0, 0.0042);
    CHECK_NEAR(other, 0.0, 0.0042);
    CHECK(rg_random(3, 7) == rg_random(3, 7) && rg_random(3, 7) != rg_random(7, 3));
}

static const test_case cases[] = {
    {"spread", test_spread}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
