/* Outputs of boundary value problems: their errors are in the estimate, with every method, and
 * where no digit of one is certain the run is a failure. */
#include "regula.h"
#include "support/rows.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
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
    char words[128];

    snprintf(words, sizeof words, "method=%s tol=%s", method, tol);
    return rows_solve(ctx, text, ROWS, words);
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
    check(text, "srm");
}

int main(void)
{
    static const test_case cases[] = {
        {"layer",      test_layer     },
        {"constraint", test_constraint},
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
