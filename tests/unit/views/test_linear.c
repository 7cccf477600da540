/* y' of a linear model of index 1 at a point of its solution: units of equations and unknowns do
 * not matter. */
#include "support/test.h"

#include "views/linear/linear.h"

#include <math.h>
#include <stdio.h>

/* x = u sin(t), v = U cos(t), z = sin(t) + cos(t) with u = 1e-7, U = 1e5. */
static void check(const char *equations)
{
    const double unit[] = {1e-7, 1e5, 1.0};
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_linear *l = NULL;
    char text[400];

    snprintf(text, sizeof text, "var x, v, z\n%sover t = 0 .. 2\n", equations);
    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    if (CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK)
        && CHECK_INT(rg_linear_create(ctx, p, false, &l), RG_OK))
        for (double t = 0.0; t <= 2.0; t += 0.25) {
            const double s = sin(t), c = cos(t), slope[] = {c, -s, c - s};
            const double y[] = {unit[0] * s, unit[1] * c, s + c};
            double yp[3];
            if (!CHECK_INT(rg_linear_slope(l, t, y, NULL, yp), RG_OK)) break;
            for (int j = 0; j < 3; j++)
                CHECK_NEAR(yp[j] / unit[j], slope[j], 1e-12);
        }
    rg_linear_destroy(&l);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* Rows of A are 1e20 apart, and one of them is 0, or follows from the others. */
static void test_slope(void)
{
    check("x' = 1e-12*v\nv' = -1e12*x\nz = 1e7*x + 1e-5*v\n");
    check("1e9*x' = 1e-3*v\n1e-11*v' = -1e1*x\n1e9*z = 1e16*x + 1e4*v\n");
    check("1e9*x' = 1e-3*v\n1e-11*v' = 1e-11*v - 1e-6*z\n1e-5*z = 1e2*x + 1e-10*v\n");
    check("1e9*x' = 1e-3*v\n1e-11*v' = -1e1*x\n1e4*x' = 1e-8*v + 1e2*(z - 1e7*x - 1e-5*v)\n");
    check("1e9*x' + 1e-3*v' = 1e-3*v - 1e9*x\n1e-11*v' = -1e1*x\n"
          "1e4*x' - 2e-8*v' = 1e-8*v + 2e4*x + 1e2*(z - 1e7*x - 1e-5*v)\n");
}

static const test_case cases[] = {
    {"slopes in any units", test_slope}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
