/* Outputs of boundary value problems: their errors are in the estimate, with every method, and
 * where no digit of one is certain the run is a failure. */
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 21, MOST = 8 };
static rg_context *ctx;

typedef struct {
    rg_status status;
    double error, estimate; /* of columns P, truth, P, truth, ... */
    int warnings;
    char warning[512], message[512];
} result;

static double error_of(const rg_solution *s)
{
    double row[MOST], worst = 0.0;

    for (int64_t k = 0; k < ROWS; k++) {
        CHECK_INT(rg_solution_values(s, k, row), RG_OK);
        for (int64_t i = 0; i + 1 < rg_solution_columns(s); i += 2) {
            const double e = fabs(row[i] - row[i + 1]) / (1.0 + fabs(row[i + 1]));
            worst = e <= worst ? worst : e; /* also where it is not a number */
        }
    }
    return worst;
}

static result solve(const char *text, const char *method, const char *tol)
{
    result r = {.status = RG_ERR_ARGUMENT};
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    double times[ROWS];

    CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK);
    CHECK_INT(rg_options_create(ctx, &o), RG_OK);
    CHECK_INT(rg_options_set(o, "method", method), RG_OK);
    CHECK_INT(rg_options_set(o, "tol", tol), RG_OK);
    for (int k = 0; k < ROWS; k++)
        times[k] = k / (ROWS - 1.0);
    const rg_request request = {
        .keep = RG_KEEP_ROWS, .n_times = ROWS, .times = times, .estimate = 1};
    r.status = rg_solve_request(p, 1.0, o, &request, &s);
    snprintf(r.message, sizeof r.message, "%s", rg_last_error(ctx)->message);
    if (s != NULL) {
        r.error = error_of(s);
        r.estimate = rg_solution_estimate(s);
        r.warnings = rg_solution_warning_count(s);
        if (r.warnings > 0) snprintf(r.warning, sizeof r.warning, "%s", rg_solution_warning(s, 0));
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    return r;
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
        const result r = solve(text, method, tols[i]);
        if (r.status != RG_OK) {
            CHECK_INT(r.status, RG_ERR_CONVERGENCE);
            CHECK(strstr(r.message, "the estimated error of the output 'P'") != NULL
                  || strstr(r.message, "the estimated error of the output 'Q'") != NULL);
        } else if (!CHECK(r.error <= 10.0 * r.estimate)) {
            printf("%s, tol %s: error %.2g, estimate %.2g\n", method, tols[i], r.error, r.estimate);
        }
    }
}

static void test_layer(void)
{
    for (double k = 1.0; k < 40.0; k *= 2.0) {
        check(layer(k), "collocation");
        check(layer(k), "transfer");
    }
    const result lost = solve(layer(100.0), "collocation", "1e-6"),
                 right = solve(layer(1.0), "collocation", "1e-6");
    CHECK_INT(lost.status, RG_ERR_CONVERGENCE);
    CHECK(right.status == RG_OK && right.warnings == 0 && right.error <= 1e-5);
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
