/* The row at a singular start: multipliers that the equations do not determine there are what the
 * rows behind tend to, or have no value; never the 0 that the start values have in their place. */
#include "regula.h"
#include "support/rows.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 5 };
static rg_context *ctx;

typedef rows_result result;

static result solve(const char *text, const char *method, const char *tol)
{
    return rows_solve(ctx, text, ROWS, "method=%s tol=%s", method, tol);
}

static void check(const char *text, const char *method, int column, double value)
{
    static const char *const tols[] = {"1e-4", "1e-6", "1e-8"};

    for (int k = 0; k < 3; k++) {
        const result r = solve(text, method, tols[k]);
        const double e = fabs(r.row[0][column] - value) / (1.0 + fabs(value));
        if (!CHECK(r.status == RG_OK && e <= 10.0 * r.estimate && e <= 1e-2))
            printf("%s, tol %s: %.8g for %.8g, estimate %.2g\n", method, tols[k], r.row[0][column],
                   value, r.estimate);
        CHECK(r.warnings >= 1 && strstr(r.warning, "do not determine '") != NULL);
    }
}

/* t - 1/4 vanishes at the start, exactly or but for rounding. */
static void test_limit(void)
{
    check("var x = 0, v = 0.5, lam\nx' = v\nv' = -x + 3*(t - 0.25) - (t - 0.25)*lam\n"
          "0 = (t - 0.25)*(x - 0.5*sin(t - 0.25))\nover t = 0.25 .. 2\n",
          "radau", 2, 3.0);
    check("let s = sin(t - 0.25), e = exp(t - 0.25) - 1\nvar x1 = 0, x2 = 0, y\n"
          "x1' = cos(t - 0.25) + s*exp(t) + (x2 - e) - x1*y\n"
          "x2' = exp(t - 0.25) + e*exp(t) - (x1 - s) + (x1 - s)*(x2 - e) - x2*y\n"
          "0 = (x1^2 + x2^2 - s^2 - e^2)/2\nover t = 0.25 .. 0.75\n",
          "radau", 2, exp(0.25));
    check("var x = 0, v = 0.5, lam\nx' = v\nv' = -x + 3*(t - 0.3) - (t - 0.1*3)*lam\n"
          "0 = (t - 0.1*3)*(x - 0.5*sin(t - 0.3))\nover t = 0.3 .. 2\n",
          "srm", 2, 3.0);
    check("param c = 0.1*3\nlet s = sin(t - c), e = exp(t - c) - 1\n"
          "var x1 = sin(0.3 - c), x2 = exp(0.3 - c) - 1, y\n"
          "x1' = cos(t - c) + s*3 + (x2 - e) - x1*y\n"
          "x2' = exp(t - c) + e*3 - (x1 - s) + (x1 - s)*(x2 - e) - x2*y\n"
          "0 = (x1^2 + x2^2 - s^2 - e^2)/2\nover t = 0.3 .. 0.8\n",
          "srm", 2, 3.0);
}

/* y = -cos(t)/cos(pi t) behind t = 1/2 */
static void test_unbounded(void)
{
    const result r = solve("var x1 = 0, x2 = sin(0.5), y\n"
                           "x1' = -x1 + x2 - sin(t) + cos(pi*t) - pi*sin(pi*t)\nx2' = -x1*y\n"
                           "0 = x1*(x1 + x2 - sin(t) - cos(pi*t))\nover t = 0.5 .. 1\n",
                           "radau", "1e-6");

    CHECK(r.status == RG_OK && isnan(r.row[0][2]));
    CHECK(strstr(r.warning, "the values behind it tend to none") != NULL);
    CHECK(fabs(r.row[ROWS - 1][2] - cos(1.0)) <= 1e-4);
}

/* A start that is regular stays as it is, also where algebraic unknowns move quickly. */
static void test_regular(void)
{
    const result a = solve("var p = 1, q = 0, u = 0, v = 0, lam\np' = u\nq' = v\nu' = -p*lam\n"
                           "v' = -q*lam - 9.81\n0 = p^2 + q^2 - 1\nover t = 0 .. 1\n",
                           "auto", "1e-6"),
                 b = solve("var x = 0, y, z\nx' = y\n0 = x - sin(40*t)\nz = cos(300*t) + y\n"
                           "over t = 0 .. 1\n",
                           "auto", "1e-6");

    CHECK(a.status == RG_OK && a.warnings == 0 && a.row[0][4] == 0.0);
    CHECK(b.status == RG_OK && b.warnings == 0 && fabs(b.row[0][1] - 40.0) <= 1e-9);
    CHECK(fabs(b.row[0][2] - 41.0) <= 1e-9);
}

int main(void)
{
    static const test_case cases[] = {
        {"limit",     test_limit    },
        {"unbounded", test_unbounded},
        {"regular",   test_regular  },
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
