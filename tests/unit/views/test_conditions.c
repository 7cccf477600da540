/* Conditions of events along a polynomial: which of them are linear, and their values. */
#include "views/conditions.h"

#include "linalg/powers.h"
#include "structure/analysis.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

enum { STATES = 3, DEGREE = 3, MOST = 4 };
/* x, y and the state k */
static const double a[(DEGREE + 1) * STATES] = {0.3, -0.2, 2.0, 1.5,  0.7,  0.0,
                                                -2., 0.4,  0.0, 0.25, -1.1, 0.0};

static void compare(rg_conditions *c)
{
    const int64_t m = rg_conditions_functions(c);
    double out[(DEGREE + 1) * MOST], y[STATES], yp[STATES], value[MOST], along[MOST];

    CHECK_INT(rg_conditions_along(c, DEGREE, a, out), RG_OK);
    for (double s = 0.0; s <= 1.0; s += 0.125) {
        rg_powers_eval(DEGREE, STATES, a, s, 1.0, y, yp);
        rg_powers_eval(DEGREE, m, out, s, 1.0, along, NULL);
        CHECK_INT(rg_conditions_values(c, 0.7, y, yp, value), RG_OK);
        for (int64_t k = 0; k < m; k++)
            CHECK_NEAR(along[k], value[k], 1e-14);
    }
}

/* A model with the condition: are its functions linear in y alone? */
static void check_condition(const char *condition, int n, bool is_linear)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    const rg_analysis *analysis = NULL;
    rg_system *s = NULL;
    rg_conditions *c = NULL;
    char text[512];

    snprintf(text, sizeof text,
             "param q = 3\ntable f(x) = (0, 1, 1, 2, 9, 4) steps hold\nvar x = 0, y = 0\n"
             "state k = 2\nx' = 1\ny' = x\nwhen %s { k = 3 }\nover t = 0 .. 1\n",
             condition);
    CHECK_INT(rg_context_create(&ctx), RG_OK);
    CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK);
    CHECK_INT(rg_analysis_get(p, &analysis), RG_OK);
    CHECK_INT(rg_system_create(p, analysis, RG_VIEW_DIRECT, &s), RG_OK);
    CHECK_INT(rg_conditions_create(s, &c), RG_OK);
    CHECK_INT(rg_conditions_functions(c), n);
    CHECK_INT(rg_conditions_is_linear(c), is_linear);
    if (rg_conditions_is_linear(c)) compare(c);
    rg_conditions_destroy(&c);
    rg_system_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_linear(void)
{
    check_condition("x > 1", 1, true);
    check_condition("2*(x - y)/q > k - 5*x", 1, true);
    check_condition("x > 1 and y < 2 or not x + y < k", 3, true);
}

/* The Jacobian of some of these is constant. */
static void test_not_linear(void)
{
    check_condition("x > sin(t)", 1, false);
    check_condition("x > 2*t", 1, false);
    check_condition("x*y > 1", 1, false);
    check_condition("x > 1 and x^2 < 2", 2, false);
    check_condition("x' > 1", 1, false);
    check_condition("f(x) > 1.5", 2, false);
    check_condition("x > if(y > 0, 1, 2)", 2, false);
    check_condition("abs(x) > 1", 2, false);
    check_condition("x + t*0 > 1", 1, true);
}

static const test_case cases[] = {
    {"linear",     test_linear    },
    {"not_linear", test_not_linear},
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
