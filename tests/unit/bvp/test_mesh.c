/* Meshes: nodes stay mesh points, points follow the density, and singular places lie well. */
#include "support/test.h"

#include "bvp/collocation/places.h"
#include "curve/mesh.h"

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

/* Points stay; no interval is more than 4 times as long as its neighbour. */
static void check_grade(double sign)
{
    rg_context *ctx = NULL;
    const double old[] = {0, 1, 1 + 1e-6, 2, 2.5, 5};
    int64_t n = 5;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    double *t = rg_alloc(ctx, 6, sizeof *t);
    for (int k = 0; k < 6; k++)
        t[k] = sign * old[k];
    if (CHECK(rg_mesh_grade(ctx, 4.0, &n, &t) == RG_OK)) {
        int found = 0;
        for (int64_t i = 0; i <= n; i++)
            for (int k = 0; k < 6; k++)
                found += t[i] == sign * old[k];
        CHECK_INT(found, 6);
        CHECK(n > 20 && n < 60);
        for (int64_t i = 0; i + 1 < n; i++) {
            const double a = sign * (t[i + 1] - t[i]), b = sign * (t[i + 2] - t[i + 1]);
            CHECK(a > 0 && b > 0 && a <= 4 * b * (1 + 1e-9) && b <= 4 * a * (1 + 1e-9));
        }
    }
    rg_free(ctx, t);
    rg_context_destroy(&ctx);
}

static void test_grade(void)
{
    check_grade(1.0);
    check_grade(-1.0);
}

/* How well a singular place lies at v: far from the stages, and with  int_0^v prod (u - c_j) du
 * far from 0, beside its largest value. */
static double quality(const rg_rule *rule, double v)
{
    enum { PARTS = 1000 };
    double sum = 0.0, most = 0.0, at = 0.0, least = 1.0;

    for (int k = 0; k < PARTS; k++) {
        const double u = (k + 0.5) / PARTS;
        double product = 1.0 / PARTS;
        for (int j = 0; j < rule->s; j++)
            product *= u - rule->c[j];
        sum += product;
        most = fmax(most, fabs(sum));
        if (u < v) at = fabs(sum);
    }
    for (int j = 0; j < rule->s; j++)
        least = fmin(least, rule->s * fabs(v - rule->c[j]));
    return fmin(at / most, least);
}

static void test_offset(void)
{
    for (int s = 1; s <= 5; s++) {
        rg_rule low, high;
        double best = 0.0;
        rg_rule_init(RG_RULE_GAUSS, s, &low);
        rg_rule_init(RG_RULE_GAUSS, s + 1, &high);
        for (double v = 0.005; v < 1.0; v += 0.005)
            best = fmax(best, fmin(quality(&low, v), quality(&high, v)));
        const double v = rg_places_offset(&low, &high);
        CHECK(fmin(quality(&low, v), quality(&high, v)) > 0.95 * best);
    }
}

static const test_case cases[] = {
    {"uniform", test_uniform},
    {"spread",  test_spread },
    {"grade",   test_grade  },
    {"offset",  test_offset }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
