/* Reactions faster than the steps whose scarce partner changes: when x is used up, y begins to
 * stay.  The solution with x < 0 from there on, which methods that damp all fast growth can stay
 * on, is none that any disturbance leaves in place. */
#include "regula.h"
#include "support/options.h"
#include "support/rows.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

static rg_context *ctx;

enum { ROWS = 21 };
static const char *const TOLS[] = {"1e-3", "1e-4", "1e-6", "1e-8"};
static const char *const METHODS[] = {"auto", "radau", "rosenbrock"};

/* Columns x, y with x - y = d: one of both is 0 but for what a reaction of finite rate leaves. */
static void check_rows(const rows_result *r, const char *what)
{
    double worst = 0.0;

    for (int k = 0; k < ROWS; k++)
        worst = fmax(worst, fabs(fmin(r->row[k][0], r->row[k][1])));
    if (!CHECK(worst < 0.01)) printf("    %s: %.3g\n", what, worst);
}

static void check(const char *model)
{
    char what[400];

    for (size_t i = 0; i < sizeof TOLS / sizeof *TOLS; i++)
        for (size_t m = 0; m < sizeof METHODS / sizeof *METHODS; m++) {
            const rows_result r =
                rows_solve(ctx, model, ROWS, "method=%s tol=%s", METHODS[m], TOLS[i]);
            snprintf(what, sizeof what, "%s at %s: %s", METHODS[m], TOLS[i], model);
            if (!CHECK_INT(r.status, RG_OK))
                printf("    %s\n", what);
            else
                check_rows(&r, what);
        }
}

static void check_rate(double k, double t0, double length)
{
    char model[400];

    snprintf(model, sizeof model,
             "param k = %g, a = 0.5, s = %g\nvar x = a, y = 0\nx' = -k*x*y\ny' = s - k*x*y\n"
             "over t = %g .. %g\n",
             k, 1.0 / length, t0, t0 + length);
    check(model);
}

/* A titration, fast and slow. */
static void test_used_up(void)
{
    for (double k = 1e4; k < 1e9; k *= 7.0) {
        check_rate(k, 0.0, 1.0);
        check_rate(k, 0.0, 100.0);
    }
    check_rate(1e6, 5000.0, 300.0);
}

/* Both partners come and go; water that forms ions; a chain; orders of a rate other than one. */
static void test_other_forms(void)
{
    check("param k = 1e6\nvar x = 0.5, y = 0\nx' = 0.02*(1 + cos(t)) - k*x*y\n"
          "y' = 0.03*(1 - cos(t)) - k*x*y\nover t = 0 .. 50\n");
    check("param k = 1e7, w = 1e-9\nvar h = 0.1, o = 1e-8\nh' = k*(w - h*o)\n"
          "o' = k*(w - h*o) + 0.003\nover t = 0 .. 60\n");
    check("param k = 1e5\nvar x = 0.3, y = 0, p = 0, z = 0.1\nx' = -k*x*y\ny' = 0.01 - k*x*y\n"
          "p' = k*x*y - 1e3*p*z\nz' = -1e3*p*z\nover t = 0 .. 60\n");
    check("param k = 1e7\nvar x = 0.4, y = 0\nx' = -2*k*x^2*y\ny' = 0.2 - k*x^2*y\n"
          "over t = 0 .. 2\n");
    check("param k = 1e6\nvar z = -0.5, x, y = 0\nz = -x\n-z' = -k*x*y\ny' = 0.01 - k*x*y\n"
          "output x, y\nover t = 0 .. 100\n");
}

/* What is on a solution that does not grow stays there, and costs no steps. */
static void test_absent(void)
{
    const rows_result r =
        rows_solve(ctx, "var x = 1, y = 0\nx' = -1e-3*x\ny' = 1e9*x*y - y\nover t = 0 .. 1000\n",
                   ROWS, "method=radau tol=1e-6");

    CHECK_INT(r.status, RG_OK);
    CHECK_NEAR(r.row[ROWS - 1][0], exp(-1.0), 1e-6);
    CHECK(r.row[ROWS - 1][1] == 0.0);
}

/* A saturated rate: no step goes over the pole at s = -K to what falls on behind it.  The smallest
 * K may be refused, where a run for the estimate has done so. */
static void test_saturated(void)
{
    static const double K[] = {1e-3, 1e-4, 1e-5, 1e-6};

    for (int k = 0; k < 4; k++)
        for (size_t i = 0; i < sizeof TOLS / sizeof *TOLS; i++) {
            char model[200];
            snprintf(model, sizeof model,
                     "var s = 0.5, p = 0\ns' = -0.01*s/(%g + s)\np' = 0.01*s/(%g + s)\n"
                     "over t = 0 .. 100\n",
                     K[k], K[k]);
            const rows_result r = rows_solve(ctx, model, ROWS, "tol=%s", TOLS[i]);
            if (k == 3 && r.status == RG_ERR_CONVERGENCE) continue;
            if (!CHECK_INT(r.status, RG_OK)) continue;
            CHECK_NEAR(r.row[ROWS - 1][0], 0.0, 1e-3);
            CHECK_NEAR(r.row[ROWS - 1][1], 0.5, 1e-3);
        }
}

static const test_case cases[] = {
    {"used up",     test_used_up    },
    {"other forms", test_other_forms},
    {"absent",      test_absent     },
    {"saturated",   test_saturated  },
};

int main(void)
{
    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int failed = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return failed;
}
