/* Meshes: nodes stay mesh points, and points follow the density. */
#include "support/test.h"

#include "bvp/mesh.h"

#include <math.h>

static void test_uniform(void)
{
    rg_context *ctx = NULL;
    const double node[] = {0, 1, 4};
    double *t = NULL;
    int64_t n = 0;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    if (CHECK(rg_mesh_uniform(ctx, 3, node, 8, 1, &n, &t) == RG_OK)) {
        CHECK_INT(n, 8);
        CHECK(t[0] == 0 && t[2] == 1 && t[8] == 4);
        CHECK_NEAR(t[1], 0.5, 1e-15);
    }
    rg_free(ctx, t);
    rg_context_destroy(&ctx);
}

/* The first interval is to become 6, the others together 4; backwards meshes likewise. */
static void check_spread(double sign)
{
    rg_context *ctx = NULL;
    const double node[] = {0, sign * 2, sign * 4};
    const double old[] = {0, sign * 1, sign * 2, sign * 3, sign * 4}, wanted[] = {6, 1, 2, 1};
    double *t = NULL;
    int64_t n = 0;
    int inside = 0;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    if (CHECK(rg_mesh_spread(ctx, 4, old, wanted, 3, node, &n, &t) == RG_OK)) {
        CHECK_INT(n, 10);
        CHECK(t[0] == 0 && t[7] == sign * 2 && t[10] == sign * 4);
        for (int k = 0; k < 10; k++) {
            CHECK(sign * t[k + 1] > sign * t[k]);
            inside += sign * t[k + 1] <= 1.0 + 1e-12;
        }
        CHECK_INT(inside, 6);
    }
    rg_free(ctx, t);
    rg_context_destroy(&ctx);
}

static void test_spread(void)
{
    check_spread(1.0);
    check_spread(-1.0);
}

static const test_case cases[] = {
    {"uniform", test_uniform},
    {"spread",  test_spread }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
