/* Recognition of -eps u'' - b u' + c = 0: kinds of turning points, layers, and models that are
 * of another kind. */
#include "support/test.h"
#include "views/turning/turning.h"

#include <math.h>

static rg_turning *view_of(rg_context *ctx, const char *equation, rg_problem **p)
{
    char text[400];
    rg_turning *v = NULL;

    snprintf(
        text, sizeof text,
        "param eps = 1e-4\nvar u\n%s\nboundary u(-1) = 0.5\nboundary u(1) = 1\nover x = -1 .. 1\n",
        equation);
    if (!CHECK(rg_problem_from_text(ctx, text, p) == RG_OK)) return NULL;
    CHECK(rg_turning_create(*p, -1, 1, &v) == RG_OK);
    return v;
}

typedef struct {
    const char *equation;
    int n;
    struct {
        double t;
        rg_turn_kind kind;
    } point[4];
} expected;

static void test_kinds(void)
{
    static const expected all[] = {
        {"-eps*u'' + x*(1 + u^2)*u' + u = 0", 1, {{0, RG_TURN_REPULSIVE}}                                                               },
        {"eps*u'' + x*(1 + u^2)*u' = x",      1, {{0, RG_TURN_ATTRACTIVE}}                                                              },
        {"u'' = (x - 0.3)*exp(u)*u'/eps + u", 1, {{0.3, RG_TURN_REPULSIVE}}                                                             },
        {"eps*u'' = sin(pi*x*1.4)*u' + u",
         3,                                      {{-1 / 1.4, RG_TURN_ATTRACTIVE}, {0, RG_TURN_REPULSIVE}, {1 / 1.4, RG_TURN_ATTRACTIVE}}},
        {"eps*u'' = (x + 1)*u' + u",          1, {{-1, RG_TURN_BOUNDARY}}                                                               },
        {"eps*u'' = (x - 0.123)^2*u' + u",    1, {{0.123, RG_TURN_DOUBLE}}                                                              },
        {"eps*u'' = u' + u",                  0, {{0, RG_TURN_DOUBLE}}                                                                  }
    };

    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        rg_context *ctx = NULL;
        rg_problem *p = NULL;
        CHECK(rg_context_create(&ctx) == RG_OK);
        rg_turning *v = view_of(ctx, all[k].equation, &p);
        if (v != NULL && CHECK(v->fault == RG_TURNING_IS_FORM)) {
            CHECK_INT(v->facts.n_points, all[k].n);
            for (int i = 0; i < all[k].n && i < v->facts.n_points; i++) {
                CHECK_NEAR(v->facts.point[i].t, all[k].point[i].t, 1e-7);
                CHECK_INT((int)v->facts.point[i].kind, (int)all[k].point[i].kind);
            }
        }
        rg_turning_destroy(&v);
        rg_problem_destroy(&p);
        rg_context_destroy(&ctx);
    }
}

static void test_others(void)
{
    static const struct {
        const char *equation;
        rg_turning_fault fault;
    } all[] = {
        {"eps*u'' = u",                    RG_TURNING_NO_WIND},
        {"eps*(2 + x)*u'' = x*u' + u",     RG_TURNING_NO_EPS },
        {"eps*u''^3 = x*u' + u",           RG_TURNING_NO_FORM},
        {"eps*u'' = x*sqrt(1 + u'^2) + u", RG_TURNING_NO_FORM}
    };

    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        rg_context *ctx = NULL;
        rg_problem *p = NULL;
        CHECK(rg_context_create(&ctx) == RG_OK);
        rg_turning *v = view_of(ctx, all[k].equation, &p);
        if (v != NULL) CHECK_INT((int)v->fault, (int)all[k].fault);
        rg_turning_destroy(&v);
        rg_problem_destroy(&p);
        rg_context_destroy(&ctx);
    }
}

/* b, c and derivatives of  -eps u'' - b u' + c = 0  by hand; integrals of a b that is no
 * polynomial. */
static void test_values(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_turning_values w;
    double f_x;

    CHECK(rg_context_create(&ctx) == RG_OK);
    rg_turning *v = view_of(ctx, "2*eps*u'' + x*x*exp(x*u)*u' = x*u^3 - sin(x)", &p);
    const double x = 0.4, u = 0.7, e = exp(x * u);
    if (v != NULL && CHECK(rg_turning_eval(v, x, u, 2, &w))
        && CHECK(rg_turning_prepare(v) == RG_OK)) {
        CHECK_NEAR(v->eps, 2e-4, 1e-18);
        CHECK_NEAR(w.b, x * x * e, 1e-14);
        CHECK_NEAR(w.c, x * u * u * u - sin(x), 1e-14);
        CHECK_NEAR(w.b_x, (2 * x + x * x * u) * e, 1e-14);
        CHECK_NEAR(w.b_u, x * x * x * e, 1e-14);
        CHECK_NEAR(w.b_xx, (2 + 4 * x * u + x * x * u * u) * e, 1e-13);
        CHECK_NEAR(w.b_xu, (3 * x * x + x * x * x * u) * e, 1e-13);
        CHECK_NEAR(w.c_xx, sin(x), 1e-14);
        CHECK_NEAR(w.c_xu, 3 * u * u, 1e-14);
        CHECK_NEAR(w.c_uu, 6 * x * u, 1e-14);
        CHECK_NEAR(rg_turning_flux(v, x, -3, 9, &f_x), x * (exp(9 * x) - exp(-3 * x)), 1e-10);
        CHECK_NEAR(f_x, exp(9 * x) * (1 + 9 * x) - exp(-3 * x) * (1 - 3 * x), 1e-9);
    }
    rg_turning_destroy(&v);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

int main(void)
{
    static const test_case cases[] = {
        {"kinds",  test_kinds },
        {"others", test_others},
        {"values", test_values}
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
