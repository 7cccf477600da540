/* Points of a figure inside the steps: smooth where the polynomial is right, straight lines where
 * it goes astray. */
#include "report/samples.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

static rg_solution *solve(rg_context *ctx, const char *text, rg_problem **p)
{
    rg_solution *s = NULL;
    double a, b;

    CHECK(rg_problem_from_text(ctx, text, p) >= 0);
    rg_problem_interval(*p, &a, &b);
    CHECK(rg_solve(*p, b, NULL, &s) >= 0);
    return s;
}

/* Few steps of a high order: the points between them lie on the solution. */
static void test_smooth(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    rg_solution *s = solve(ctx,
                           "var x = 0, v = 1\nx' = v\nv' = -x\nover t = 0 .. 20\n"
                           "output x, energy = x^2 + v^2\n",
                           &p);
    rg_series points;
    double worst = 0.0, drift = 0.0;

    CHECK(rg_solution_rows(s) < 150);
    CHECK(rg_solution_series(s, NULL, 1500, &points, NULL) == RG_OK);
    CHECK(points.n > 10 * rg_solution_rows(s));
    for (int64_t k = 0; k < points.n; k++)
        worst = fmax(worst, fabs(rg_series_column(&points, 0)[k] - sin(points.x[k])));
    for (int64_t k = 0; k < points.n; k++)
        drift = fmax(drift, fabs(rg_series_column(&points, 1)[k] - 1.0));
    CHECK(worst < 1e-4);
    double at_steps = 0.0, values[2];
    for (int64_t k = 0; k < rg_solution_rows(s); k++) {
        CHECK(rg_solution_values(s, k, values) == RG_OK);
        at_steps = fmax(at_steps, fabs(values[1] - 1.0));
    }
    CHECK(drift <= at_steps * (1 + 1e-12)); /* errors between the steps are no drift */
    rg_series_clear(&points);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* A stray polynomial: step 2 of 4, flat at its ends' neighbours. */
static void test_stray(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    rg_solution *s = solve(ctx, "var x = 0\nx' = 1\nover t = 0 .. 4\n", &p);
    rg_solution_step step = {.degree = 2};
    double coefficients[3] = {0.0, 1.0, 0.0}, y = 0.0, yp = 1.0;
    rg_series points;

    s->n_rows = s->n_step = 0;
    CHECK(rg_solution_rewind(s) == RG_OK && rg_solution_start(s, 0.0, &y, &yp) == RG_OK);
    for (int k = 0; k < 4; k++) { /* x = t, and in the second step 100 s (1 - s) more */
        const double bump = k == 1 ? 100.0 : 0.0;
        coefficients[0] = k;
        coefficients[1] = 1.0 + bump;
        coefficients[2] = -bump;
        y = k + 1.0;
        step = (rg_solution_step){
            .t0 = k, .t1 = k + 1.0, .y = &y, .yp = &yp, .degree = 2, .coefficients = coefficients};
        CHECK(rg_solution_accept(s, &step) == RG_OK);
    }
    CHECK(rg_solution_series(s, NULL, 1500, &points, NULL) == RG_OK);
    CHECK(points.n > 50 && points.high[0] <= 4.0 + 1e-12);
    rg_series_clear(&points);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_no_rows(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_from_text(ctx, "var x = 0\nx' = 1\nover t = 0 .. 4\n", &p) >= 0);
    CHECK(rg_solve_with(p, 4.0, NULL, NULL, NULL, &s) >= 0);
    CHECK(rg_report_svg(s, p, NULL, "never.svg") == RG_ERR_ARGUMENT);
    CHECK(rg_last_error(ctx)->remedy[0] != '\0');
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

int main(void)
{
    static const test_case cases[] = {
        {"smooth",  test_smooth },
        {"stray",   test_stray  },
        {"no rows", test_no_rows}
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
