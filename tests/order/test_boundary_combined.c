/* Boundary value models whose index comes from combinations of equations: petry-6-2 against its exact solution, the same
 * answer as a model that is written without combinations, and the ones that must be refused.  Run from the top folder. */
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TIMES = 201 };

static rg_status solve(rg_problem *p, const char *method, double tol, rg_solution **out)
{
    double times[TIMES], a, b;
    rg_options o = rg_options_default();

    rg_problem_interval(p, &a, &b);
    for (int k = 0; k < TIMES; k++)
        times[k] = k + 1 < TIMES ? a + (b - a) * k / (TIMES - 1) : b;
    o.rtol = o.atol = tol;
    strcpy(o.method, method);
    return rg_solve_at(p, b, &o, TIMES, times, out);
}

/* Errors at 201 points within the tolerance, and the estimate not below a tenth of them. */
static void test_petry(void)
{
    rg_context *ctx = NULL;
    const double tols[] = {1e-4, 1e-6, 1e-8, 1e-10};

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof tols / sizeof *tols; k++) {
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        double error = 0;
        CHECK(rg_problem_from_file(ctx, "examples/transfer/petry-6-2.rg", &p) >= 0);
        if (CHECK(solve(p, "collocation", tols[k], &s) >= 0)) {
            for (int64_t i = 0; i < rg_problem_size(p); i++)
                error = fmax(error, rg_solution_error(s, i));
            const double estimate = rg_solution_estimate(s);
            printf("  petry-6-2 tol %.0e: error %.1e, estimate %.1e\n", tols[k], error, estimate);
            CHECK(rg_solution_has_exact(s) && error <= 3 * tols[k]);
            CHECK(estimate >= 0.1 * error - 1e-12 && estimate <= tols[k]);
        } else {
            rg_error_print(rg_last_error(ctx), stdout);
        }
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

static void test_sensitivity(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    double amplification = 0;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    CHECK(rg_problem_from_file(ctx, "examples/transfer/petry-6-2.rg", &p) >= 0);
    CHECK(rg_conditioning(p, NULL, &amplification) >= 0);
    CHECK(amplification > 1 && amplification < 100);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* Pendulum, index 3: the constraint as it is, and hidden behind an equation that is added to it. */
#define PENDULUM                                                                                   \
    "var x ~ 0.6, y ~ -0.8, l ~ 1, u, v\nx' = u\ny' = v\nu' = -l*x\nv' = -l*y - 1\n"               \
    "over t = 0 .. 1\nboundary x(0) = 0.6\nboundary x(1) = 0.2\n"
static const char plain[] = PENDULUM "x^2 + y^2 = 1\n";
static const char hidden[] = PENDULUM "x^2 + y^2 + u' = 1 - l*x\n";

static void test_same(void)
{
    const char *const texts[] = {plain, hidden};
    rg_context *ctx = NULL;
    rg_problem *p[2] = {NULL};
    rg_solution *s[2] = {NULL};
    double y[2][5] = {{0}};

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (int k = 0; k < 2; k++) {
        CHECK(rg_problem_from_text(ctx, texts[k], &p[k]) >= 0);
        if (!CHECK(solve(p[k], "collocation", 1e-9, &s[k]) >= 0))
            rg_error_print(rg_last_error(ctx), stdout);
    }
    for (int q = 0; q <= 10 && s[0] != NULL && s[1] != NULL; q++) {
        for (int k = 0; k < 2; k++)
            CHECK(rg_solution_eval(s[k], q / 10.0, y[k], NULL) >= 0);
        for (int i = 0; i < 5; i++)
            CHECK(fabs(y[0][i] - y[1][i]) < 1e-8);
    }
    for (int k = 0; k < 2; k++) {
        rg_solution_destroy(&s[k]);
        rg_problem_destroy(&p[k]);
    }
    rg_context_destroy(&ctx);
}

static void check_refused(const char *text, const char *method, const char *words)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    CHECK(rg_problem_from_text(ctx, text, &p) >= 0);
    CHECK(solve(p, method, 1e-6, &s) == RG_ERR_METHOD);
    const rg_error *e = rg_last_error(ctx);
    if (!CHECK(strstr(e->message, words) != NULL)) rg_error_print(e, stdout);
    CHECK(e->remedy[0] != '\0');
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

#define TWO(second)                                                                                \
    "var x ~ 1, y ~ 1\nx' + y' = y - x\n" second "\nover t = 0 .. 1\nboundary x(1) = 1\n"

/* Factors that depend on t or on the solution; that change on the way; redundant equations; a method that needs offsets. */
static void test_refused(void)
{
    check_refused(TWO("(2 + t)*(x' + y') = x - 2*y"), "collocation",
                  "whose factors are not constant");
    check_refused(TWO("(1 + x^2)*(x' + y') = x - 2*y"), "collocation",
                  "not found with constant factors");
    check_refused(TWO("if(t > 0.5, 2, 1)*(x' + y') = x - 2*y"), "collocation",
                  "those found do not hold at t = ");
    check_refused(TWO("2*x' + 2*y' = 2*y - 2*x"), "collocation",
                  "some equations follow from the others");
    check_refused(hidden, "srm", "combinations of equations");
}

static const test_case cases[] = {
    {"petry",       test_petry      },
    {"sensitivity", test_sensitivity},
    {"same",        test_same       },
    {"refused",     test_refused    }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
