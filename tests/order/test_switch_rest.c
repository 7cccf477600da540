/* Comparisons and signs of what stays exactly zero for a while: max(y - 1, 0) > 0 is false where
 * y < 1, and sign(max(y - 1, 0)) is 0 there, whatever was before.  Functions of states and of time
 * alone, by every method that takes them. */
#include "regula.h"
#include "support/options.h"
#include "support/rows.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

static rg_context *ctx;

/* x' = expression from x = 0, y = 2 - t, u = t, to t = 3; the times with 1 less those with -1. */
static const struct {
    const char *expression;
    double end;
} models[] = {
    {"sign(max(y - 1, 0))",                         1  },
    {"if(max(y - 1, 0) > 0, 1, 0)",                 1  },
    {"if(max(y - 1, 0) <= 0, 0, 1)",                1  },
    {"if(0 < max(y - 1, 0), 1, 0)",                 1  },
    {"sign(max(1 - t, 0))",                         1  },
    {"if(max(1 - t, 0) > 0, 1, 0)",                 1  },
    {"if(max(1 - t, 0) <= 0, 0, 1)",                1  },
    {"if(min(t - 1, 0) < 0, 1, 0)",                 1  },
    {"if(min(t - 1, 0) >= 0, 0, 1)",                1  },
    {"sign(max(u - 1, 0))",                         2  },
    {"if(max(u - 1, 0) > 0, 1, 0)",                 2  },
    {"sign(min(u, 1) - 1)",                         -1 },
    {"sign(max(t - 1, 0))",                         2  },
    {"if(max(t - 1, 0) > 0, 1, 0)",                 2  },
    {"sign(min(t, 1) - 1)",                         -1 },
    {"if(min(t, 1) < 1, 1, 0)",                     1  },
    {"if(min(u, 1) < 1, 1, 0)",                     1  },
    {"if(min(u, 1) >= 1, 1, 0)",                    2  },
    {"if(min(u, 1) >= 1 and max(y, 0) > 0, 1, 0)",  1  },
    {"sign(max(y - 1, 0)) + 2*sign(max(u - 2, 0))", 3  },
    {"if(abs(t - 1) + t - 1 > 0, 1, 0)",            2  },
    {"if(abs(u - 1) + u - 1 > 0, 1, 0)",            2  },
    {"sign(max(min(u, 2) - 1, 0))*sign(max(y, 0))", 1  },
    {"if(abs(z - 0.5) + z > 0.5, 1, 0)",            2.5},
};

static const char *const methods[] = {"radau",      "gauss", "lobatto3a", "lobatto3c",    "sdirk",
                                      "rosenbrock", "bdf",   "dopri",     "extrapolation"};

static void test_rest(void)
{
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            char text[512];
            if (!options_has_method(methods[m])) continue;
            snprintf(text, sizeof text,
                     "var x = 0, y = 2, u = 0, z = 0\nx' = %s\ny' = -1\nu' = 1\nz' = 1\n"
                     "over t = 0 .. 3\n",
                     models[k].expression);
            const rows_result r = rows_solve(ctx, text, 4, "tol=1e-6 method=%s", methods[m]);
            if (!CHECK_INT(r.status, RG_OK) || !CHECK_NEAR(r.row[3][0], models[k].end, 1e-5))
                printf("%s by %s: %g; %s\n", models[k].expression, methods[m], r.row[3][0],
                       r.message);
        }
}

/* The same where time is rounded to 1e-9 of its unit: y falls to 1/2 at s = log(2), and goes on. */
static void test_late(void)
{
    static const double start[] = {0.0, 1e3, 1e6};

    for (int k = 0; k < 18; k++) {
        const double t0 = start[k % 3], tol = pow(10.0, -4.0 - k / 3);
        char text[512];
        snprintf(text, sizeof text,
                 "var x = 0, y = 1\n1e3*x' = sign(max(y - 1/2, 0))\n1e3*y' = -y\n"
                 "over t = %.17g .. %.17g\n",
                 1e3 * t0, 1e3 * (t0 + 3.0));
        const rows_result r = rows_solve(ctx, text, 4, "tol=%g", tol);
        if (!CHECK_INT(r.status, RG_OK) || !CHECK_NEAR(r.row[3][0], log(2.0), 10.0 * tol))
            printf("from %g, %g: %.10g; %s\n", t0, tol, r.row[3][0], r.message);
    }
}

/* A switch of time that ends where the run begins, on an algebraic unknown: with sign = 0 w is 0,
 * from there on y = 1 - exp(-3 s), w = 3 (1 - y), up to s = pi. */
static void test_start(void)
{
    static const double start[] = {0.0, 1.0, 1e3, 1e6};

    for (int k = 0; k < 8; k++) {
        const double t0 = start[k % 4], T = k < 4 ? 1.0 : 1e-3, end = 1.0 - exp(-9.0);
        char text[512];
        snprintf(text, sizeof text,
                 "let s = (t - %.17g)/%g\nvar y = 0, w ~ 0\nw = 3*(sign(sin(s)) - y)\n%g*y' = w\n"
                 "over t = %.17g .. %.17g\n",
                 T * t0, T, T, T * t0, T * (t0 + 3.0));
        const rows_result r = rows_solve(ctx, text, 4, "tol=1e-6");
        if (!CHECK_INT(r.status, RG_OK) || !CHECK_NEAR(r.row[3][0], end, 1e-5))
            printf("from %g, unit %g: %g; %s\n", t0, T, r.row[3][0], r.message);
    }
}

/* A branch that ends and comes back within a step up to a time of a switch: u = 1 + d - (t - 1)^2
 * is above 1 for 2 sqrt(d), and steps are as long as they may be. */
static void test_back(void)
{
    static const char *const switched[] = {"if(u > 1, 1, 0)", "floor(u)", "max(sign(u - 1), 0)"};

    for (int k = 0; k < 36; k++) {
        const double d = pow(10.0, -0.5 * (k % 6) - 1.0), tol = k < 18 ? 1e-4 : 1e-7;
        char text[512];
        snprintf(text, sizeof text,
                 "var x = 0, u = %.17g\nx' = %s + abs(t - 1.9)\nu' = -2*(t - 1)\n"
                 "over t = 0.05 .. 1.95\n",
                 1.0 + d - 0.95 * 0.95, switched[k / 6 % 3]);
        const rows_result r = rows_solve(ctx, text, 4, "tol=%g", tol);
        const double end = 2.0 * sqrt(d) + 0.5 * (1.85 * 1.85 + 0.05 * 0.05);
        if (!CHECK_INT(r.status, RG_OK) || !CHECK_NEAR(r.row[3][0], end, 100.0 * tol))
            printf("%s, %g, %g: %.10g for %.10g; %s\n", switched[k / 6 % 3], d, tol, r.row[3][0],
                   end, r.message);
    }
}

/* Motion along the step of a table, between its two values, until the forcing is beyond both:
 *
 *     x' = f(x) + 1.5 sin(t),  f = 1 below 0, -1 above:   x = 0 up to sin(t) = 2/3. */
static void test_stairs(void)
{
    static const char *const tables[] = {
        "(-10, 1, 0, -1, 10, -1) steps",
        "(-10, 3, -3, 1, 0, -1, 7, -5, 10, -5) steps",
        "(-1, 1, 0, -1, 1, -1) steps hold",
    };
    const double from = asin(2.0 / 3.0), end = 1.5 * (cos(from) - cos(2.0)) - (2.0 - from);

    for (int k = 0; k < 42; k++) {
        const double tol = pow(10.0, -3.0 - 0.5 * (k / 3));
        char text[512];
        if (tol < 1e-9) continue;
        snprintf(text, sizeof text,
                 "table f(u) = %s\nvar x = 0, y = 0.5, v\nx' = f(x) + 1.5*sin(t)\ny' = v\n"
                 "v = f(y) + 0.5*sin(y)\nover t = 0 .. 2\n",
                 tables[k % 3]);
        const rows_result r = rows_solve(ctx, text, 3, "tol=%g", tol);
        if (!CHECK_INT(r.status, RG_OK) || !CHECK_NEAR(r.row[2][0], end, 100.0 * tol)
            || !CHECK_NEAR(r.row[2][1], 0.0, tol) || !CHECK_NEAR(r.row[2][2], 0.0, tol))
            printf("%s, %g: %.10g for %.10g; %s\n", tables[k % 3], tol, r.row[2][0], end,
                   r.message);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"what stays zero",    test_rest  },
        {"late",               test_late  },
        {"back within a step", test_back  },
        {"at the start",       test_start },
        {"steps of tables",    test_stairs},
    };

    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
