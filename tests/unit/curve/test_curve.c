/* Piecewise polynomials: a polynomial of degree s is represented exactly by its derivative in s
 * collocation points, so values, stages, growth and interpolated algebraic values are known. */
#include "base/context.h"
#include "curve/curve.h"
#include "support/test.h"

#include <math.h>

enum { N = 3, NX = 2, NW = 1 };

static const double mesh[N + 1] = {0.0, 0.5, 0.7, 2.0}, ends[2] = {0.0, 2.0};

/* Two polynomials of degree s, and their slopes; w has degree s - 1. */
static double value(int s, int k, double t)
{
    return k == 0 ? pow(t, s) - t : 2.0 * pow(1.0 - t, s);
}

static double slope(int s, int k, double t)
{
    return k == 0 ? s * pow(t, s - 1) - 1.0 : -2.0 * s * pow(1.0 - t, s - 1);
}

static rg_curve *make(rg_context *ctx, rg_rule_kind kind, int s)
{
    rg_rule rule;
    rg_curve *c = NULL;

    rg_rule_init(kind, s, &rule);
    CHECK_INT(rg_curve_create(ctx, &rule, NW, NX, N, mesh, 2, ends, &c), RG_OK);
    for (int i = 0; i <= N; i++)
        for (int k = 0; k < NX; k++)
            c->x[i * NX + k] = value(s, k, mesh[i]);
    for (int64_t point = 0; point < N * s; point++) {
        const double t = rg_curve_time(c, point);
        for (int k = 0; k < NX; k++)
            c->Xp[point * NX + k] = slope(s, k, t);
        c->w[point] = pow(t - 0.3, s - 1);
    }
    return c;
}

static void check_interval(const rg_curve *c, int64_t i)
{
    const int s = c->rule.s;
    double x[NX], xp[NX], w[NW];

    for (int j = 0; j < s; j++) {
        const double t = rg_curve_stage(c, i, j, x);
        CHECK_NEAR(t, rg_curve_time(c, i * s + j), 1e-15);
        for (int k = 0; k < NX; k++)
            CHECK_NEAR(x[k], value(s, k, t), 1e-12);
    }
    for (int q = 0; q <= 4; q++) {
        const double t = mesh[i] + q / 4.0 * (mesh[i + 1] - mesh[i]);
        rg_curve_eval(c, i, t, x, xp, w);
        for (int k = 0; k < NX; k++) {
            CHECK_NEAR(x[k], value(s, k, t), 1e-12);
            CHECK_NEAR(xp[k], slope(s, k, t), 1e-11);
        }
        CHECK_NEAR(w[0], pow(t - 0.3, s - 1), 1e-11);
    }
    for (int k = 0; k < NX; k++)
        CHECK_NEAR(rg_curve_growth(c, i, k), value(s, k, mesh[i + 1]) - value(s, k, mesh[i]),
                   1e-12);
}

static void test_polynomials(void)
{
    static const rg_rule_kind kinds[] = {RG_RULE_GAUSS, RG_RULE_RADAU, RG_RULE_LOBATTO};
    rg_context *ctx = NULL;

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    for (int kind = 0; kind < 3; kind++)
        for (int s = 2; s <= 5; s++) {
            rg_curve *c = make(ctx, kinds[kind], s);
            for (int64_t i = 0; i < N; i++)
                check_interval(c, i);
            rg_curve_destroy(&c);
        }
    rg_context_destroy(&ctx);
}

/* to = from + factor delta in all parts; the intervals of times. */
static void test_arithmetic(void)
{
    rg_context *ctx = NULL;
    rg_curve *sum = NULL;

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    rg_curve *c = make(ctx, RG_RULE_GAUSS, 3);
    CHECK_INT(rg_curve_like(c, &sum), RG_OK);
    c->wn[0] = 5.0;
    rg_curve_add(c, -0.25, c, sum);
    CHECK_NEAR(sum->x[3], 0.75 * c->x[3], 1e-15);
    CHECK_NEAR(sum->Xp[7], 0.75 * c->Xp[7], 1e-15);
    CHECK_NEAR(sum->w[4], 0.75 * c->w[4], 1e-15);
    CHECK_NEAR(sum->wn[0], 3.75, 1e-15);
    CHECK_INT(rg_curve_find(c, 0.1), 0);
    CHECK_INT(rg_curve_find(c, 0.6), 1);
    CHECK_INT(rg_curve_find(c, 2.0), 2);
    rg_curve_destroy(&sum);
    rg_curve_destroy(&c);
    rg_context_destroy(&ctx);
}

int main(void)
{
    static const test_case cases[] = {
        {"polynomials", test_polynomials},
        {"arithmetic",  test_arithmetic }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
