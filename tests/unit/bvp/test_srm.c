/* Parts of sequential regularization for boundary values: displaced meshes, curves, bridges over
 * singular places, the continuation of By through the layer at the start. */
#include "base/options.h"
#include "bvp/srm/srm.h"
#include "support/srm_parts.h"
#include "support/test.h"

#include <math.h>

static rg_context *context(void)
{
    rg_context *ctx = NULL;

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    return ctx;
}

/* The midpoint t = 1/2 of five intervals moves, nodes do not, the order of the points stays. */
static void test_displace(void)
{
    double t[] = {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}, back[] = {1.0, 0.8, 0.6, 0.4, 0.2, 0.0};
    const double node[] = {0.0, 0.8, 1.0}, node_back[] = {1.0, 0.0};

    CHECK(rg_bvp_srm_mesh_displace(5, t, 3, node, 0.5));
    CHECK(t[0] == 0.0 && t[4] == 0.8 && t[5] == 1.0);
    for (int i = 0; i < 5; i++)
        CHECK(t[i + 1] > t[i]);
    CHECK(fabs(0.5 * (t[2] + t[3]) - 0.5) > 0.02);
    CHECK(!rg_bvp_srm_mesh_displace(5, t, 3, node, 0.9)); /* nothing between two nodes can move */
    CHECK(rg_bvp_srm_mesh_displace(5, back, 2, node_back, 0.5));
    CHECK(back[0] == 1.0 && back[5] == 0.0);
    for (int i = 0; i < 5; i++)
        CHECK(back[i + 1] < back[i]);
    CHECK(fabs(0.5 * (back[2] + back[3]) - 0.5) > 0.02);
}

static rg_curve *cubic(rg_context *ctx, int64_t N, const double *t)
{
    const double ends[] = {t[0], t[N]};
    rg_curve *c = NULL;
    rg_rule rule;

    rg_rule_init(RG_RULE_GAUSS, 3, &rule);
    if (!CHECK_INT(rg_curve_create(ctx, &rule, 1, 1, N, t, 2, ends, &c), RG_OK)) return NULL;
    for (int64_t i = 0; i <= N; i++)
        c->x[i] = t[i] * t[i] * t[i];
    for (int64_t a = 0; a < 3 * N; a++)
        c->Xp[a] = 3.0 * rg_curve_time(c, a) * rg_curve_time(c, a);
    return c;
}

/* Three stages hold a cubic: values, stages and slopes are exact. */
static void test_curve(void)
{
    const double t[] = {0.0, 0.5, 2.0};
    rg_context *ctx = context();
    rg_curve *c = cubic(ctx, 2, t), *other = NULL;
    double z, rate;

    if (c != NULL) {
        CHECK_INT((int)c->node[1], 2);
        for (double at = 0.1; at < 2.0; at += 0.3) {
            const int64_t i = rg_curve_find(c, at);
            rg_curve_eval(c, i, at, &z, NULL, NULL);
            rg_curve_eval(c, i, at, NULL, &rate, NULL);
            CHECK(fabs(z - at * at * at) < 1e-14 * 8 && fabs(rate - 3 * at * at) < 1e-13);
        }
        const double stage = rg_curve_stage(c, 1, 2, &z);
        CHECK(fabs(z - stage * stage * stage) < 1e-13 && stage == rg_curve_time(c, 5));
        CHECK_INT(rg_curve_like(c, &other), RG_OK);
        rg_curve_copy(c, other);
        rg_curve_add(c, -1.0, c, other);
        CHECK(other->x[2] == 0.0 && other->Xp[5] == 0.0 && other->node[1] == 2);
    }
    rg_curve_destroy(&other);
    rg_curve_destroy(&c);
    rg_context_destroy(&ctx);
}

/* Linear between good points; constant before the first and behind the last; untouched without any.
 * */
static void test_bridge(void)
{
    const double t[] = {0.0, 0.5, 2.0};
    const uint8_t good[] = {0, 1, 0, 0, 1, 0}, none[6] = {0};
    rg_context *ctx = context();
    rg_curve *c = cubic(ctx, 2, t);
    double v[] = {9, 1, 9, 9, 3, 9};

    if (c != NULL) {
        rg_curve_bridge(c, 1, good, v);
        const double slope = 2.0 / (rg_curve_time(c, 4) - rg_curve_time(c, 1));
        CHECK(v[0] == 1.0 && v[1] == 1.0 && v[4] == 3.0 && v[5] == 3.0);
        for (int a = 2; a < 4; a++)
            CHECK(fabs(v[a] - 1.0 - slope * (rg_curve_time(c, a) - rg_curve_time(c, 1))) < 1e-14);
        rg_curve_bridge(c, 1, none, v);
        CHECK(v[0] == 1.0 && v[5] == 3.0);
    }
    rg_curve_destroy(&c);
    rg_context_destroy(&ctx);
}

/* By of srm-boundary.rg is (0, cos t), and constraints give it at the start: whatever `offset` is
 * behind the layer, the value at the start is that of the constraints. */
static void layer_case(double width, double offset, double tol)
{
    const double start[] = {1.0, 0.0, 0.0};
    rg_context *ctx = context();
    rg_problem *p = NULL;
    srm_parts q = {0};
    rg_options o = rg_options_default();

    o.eps = 1e-3;
    if (!CHECK_INT(rg_problem_from_file(ctx, "examples/srm/srm-boundary.rg", &p), RG_OK)
        || !CHECK_INT(srm_parts_make(p, &o, start, RG_RULE_GAUSS, 3, 40, &q), RG_OK))
        goto done;
    rg_curve *c = q.curve;
    CHECK_INT(c->n, 2);
    c->x[0] = 0.0; /* x2, x1: exact at the start */
    c->x[1] = 1.0;
    for (int64_t a = 0; a < 3 * c->N; a++) { /* a layer of any form in front of what is right */
        const double t = rg_curve_time(c, a), wrong = t < width ? 5.0 + sin(50.0 * t) : 0.0;
        c->w[2 * a] = wrong;
        c->w[2 * a + 1] = cos(t) + offset - wrong;
    }
    CHECK_INT(rg_bvp_srm_layer_fit(q.sweep, width), RG_OK);
    CHECK(fabs(c->w[1] - cos(rg_curve_time(c, 0))) <= tol + 0.5 * offset);
    for (int64_t a = 0; a < 3 * c->N; a++) {
        const double t = rg_curve_time(c, a);
        CHECK(fabs(c->w[2 * a]) <= tol + offset);
        if (offset == 0.0) CHECK(fabs(c->w[2 * a + 1] - cos(t)) <= tol);
        if (t > width) CHECK(c->w[2 * a] == 0.0 && c->w[2 * a + 1] == cos(t) + offset);
    }
done:
    srm_parts_release(ctx, &q);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* The layer is replaced by the smooth function behind it, which is not touched; its width is that
 * of s iterates, in which x^s e^-x, x = t rate/eps, falls below 1e-9. */
static void test_layer(void)
{
    rg_bvp_srm_field field = {.eps = 1e-3, .rate = 2.0};

    layer_case(0.05, 0.0, 1e-13);
    layer_case(0.2, 0.0, 1e-12);
    layer_case(0.05, 1e-3, 1e-12);
    layer_case(0.2, 1e-4, 1e-12);
    for (int s = 1; s <= 4; s++) {
        const double x = rg_bvp_srm_layer_width(&field, s) * field.rate / field.eps;
        CHECK(exp(-x) * pow(x, s) < 1e-9 && x < 40.0);
        CHECK(fabs(rg_bvp_srm_layer_width(&field, s + 1) * field.rate / field.eps - x - 2.5)
              < 1e-12);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"displace", test_displace},
        {"curve",    test_curve   },
        {"bridge",   test_bridge  },
        {"layer",    test_layer   }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
