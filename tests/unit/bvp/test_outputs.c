/* Outputs of boundary value problems: their errors are in the estimate, with every method, and
 * where no digit of one is certain the run is a failure. */
#include "regula.h"
#include "support/rows.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 21 };
static rg_context *ctx;

/* Of columns P, truth, P, truth, ... */
static double error_of(const rows_result *r)
{
    double worst = 0.0;

    for (int k = 0; k < r->n_rows; k++)
        for (int64_t i = 0; i + 1 < r->n_columns; i += 2) {
            const double truth = r->row[k][i + 1],
                         e = fabs(r->row[k][i] - truth) / (1.0 + fabs(truth));
            worst = e <= worst ? worst : e; /* also where it is not a number */
        }
    return worst;
}

static rows_result solve(const char *text, const char *method, const char *tol)
{
    return rows_solve(ctx, text, ROWS, "method=%s tol=%s", method, tol);
}

/* y = exp(-k x) */
static const char *layer(double k)
{
    static char text[512];

    snprintf(text, sizeof text,
             "param k = %g\nvar y ~ 1\ny'' = k^2*y\n"
             "boundary y(0) = 1\nboundary y(1) = exp(-k)\nover x = 0 .. 1\n"
             "output P = log(y), truth = -k*x, Q = y'/y, slope = -k + 0*x\n",
             k);
    return text;
}

static void check(const char *text, const char *method)
{
    static const char *const tols[] = {"1e-4", "1e-6", "1e-8"};

    for (int i = 0; i < 3; i++) {
        const rows_result r = solve(text, method, tols[i]);
        if (r.status != RG_OK) {
            CHECK_INT(r.status, RG_ERR_CONVERGENCE);
            CHECK(strstr(r.message, "the estimated error of the output 'P'") != NULL
                  || strstr(r.message, "the estimated error of the output 'Q'") != NULL);
        } else if (!CHECK(error_of(&r) <= 10.0 * r.estimate)) {
            printf("%s, tol %s: error %.2g, estimate %.2g\n", method, tols[i], error_of(&r),
                   r.estimate);
        }
    }
}

static void test_layer(void)
{
    for (double k = 1.0; k < 40.0; k *= 2.0) {
        check(layer(k), "collocation");
        check(layer(k), "transfer");
    }
    const rows_result lost = solve(layer(100.0), "collocation", "1e-6"),
                      right = solve(layer(1.0), "collocation", "1e-6");
    CHECK_INT(lost.status, RG_ERR_CONVERGENCE);
    CHECK(right.status == RG_OK && right.warnings == 0 && error_of(&right) <= 1e-5);
}

/* Index 2, by the methods that take it. */
static void test_constraint(void)
{
    static const char text[] = "param k = 12\nvar x1 ~ 1, x2 ~ 1, y\n"
                               "x1' = -k*x2 - y\nx2' = -k*x1\nx1 + x2 = 2*exp(-k*t)\n"
                               "boundary x2(1) = exp(-k)\nover t = 0 .. 1\n"
                               "output P = log(abs(x1)), truth = -k*t, Q = 1/x2, q = exp(k*t)\n";

    check(text, "collocation");
    if (test_takes(1)) check(text, "srm");
}

/* Differences and multiples: the solution is made as accurate as they ask for. */
static void test_refined(void)
{
    static const char *const texts[] = {
        "var y, z\ny'' = 900*y\nz'' = 400*z + 500*1000*cosh(30*x)/cosh(30)\n"
        "boundary y(0) = 1000/cosh(30)\nboundary y(1) = 1000\n"
        "boundary z(0) = 1000/cosh(30)\nboundary z(1) = 1000\n"
        "over x = 0 .. 1\noutput P = y - z + x, truth = x\n",
        "var y ~ 1\ny'' = 2*y^3\nboundary y(0) = 1\nboundary y(40) = 1/41\nover x = 0 .. 40\n"
        "output P = 1e3*(y - 1/41), truth = 1e3*(1/(1 + x) - 1/41)\n",
        "var y ~ 1\ny'' = 2*y^3\nboundary y(0) = 1\nboundary y(40) = 1/41\nover x = 0 .. 40\n"
        "output P = 500*(y' + 1), truth = 500*(1 - 1/(1 + x)^2)\n",
        "param u = 1e-9\nvar y ~ u\nu^2*y'' = 2*y^3\nboundary y(0) = u\nboundary y(40) = u/41\n"
        "over x = 0 .. 40\noutput P = y/u + 1e3*(y/u - 1/(1 + x)), truth = 1/(1 + x)\n",
    };
    static const char *const tols[] = {"1e-4", "1e-6", "1e-8"};

    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (int i = 0; i < 3; i++) {
            const rows_result r = solve(texts[k], "collocation", tols[i]);
            const double tol = atof(tols[i]);
            if (!CHECK(r.status == RG_OK && r.warnings == 0) || !CHECK(error_of(&r) <= 10.0 * tol)
                || !CHECK(error_of(&r) <= 10.0 * r.estimate + 1e-13))
                printf("%d, tol %s: error %.2g, estimate %.2g\n", (int)k, tols[i], error_of(&r),
                       r.estimate);
        }
}

/* Written derivatives that are no states: they magnify errors by the rate k. */
static void test_derivatives(void)
{
    static const char *const methods[] = {"collocation", "transfer"};
    static const char *const tols[] = {"1e-4", "1e-6", "1e-8"};

    for (double k = 20.0; k < 1e4; k *= 10.0)
        for (int i = 0; i < 6; i++) {
            char text[512];
            snprintf(text, sizeof text,
                     "param k = %g\nvar x, w, z\nx' = -k*(x - sin(5*t)) + 5*cos(5*t)\n"
                     "w' = x\nz = x + cos(t)\nboundary x(0) = 1\nboundary w(1) = 0\n"
                     "over t = 0 .. 1\noutput x', a = 5*cos(5*t) - k*exp(-k*t),"
                     " z', b = 5*cos(5*t) - k*exp(-k*t) - sin(t)\n",
                     k);
            const rows_result r = solve(text, methods[i / 3], tols[i % 3]);
            if (!CHECK(r.status == RG_OK) || !CHECK(error_of(&r) <= 10.0 * r.estimate)
                || !CHECK(error_of(&r) <= 1e-2 * k * atof(tols[i % 3]) * 1e2))
                printf("%s, k %g, tol %s: error %.2g, estimate %.2g\n", methods[i / 3], k,
                       tols[i % 3], error_of(&r), r.estimate);
        }
}

int main(void)
{
    static const test_case cases[] = {
        {"refined",    test_refined    },
        {"layer",      test_layer      },
        {"derivative", test_derivatives},
        {"constraint", test_constraint },
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
