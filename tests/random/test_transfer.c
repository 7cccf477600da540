/* Random linear boundary value problems with known solutions, by the transfer: solved, with an
 * error that the estimate tells, whatever the rates and the units of unknowns, conditions and time
 * are. */
#include "random/boundary.h"
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 100, RANDOM_PROBLEMS = 200 };

static boundary_model model;

typedef struct {
    int runs, good; /* good: estimate within [1/10, 100] of the error */
    int misses;     /* errors above 3 tol */
    int told;       /* of these, with an estimate above it: rounding allows no less */
} tally;

/* Denser at the ends. */
static void choose_times(double *times)
{
    for (int k = 0; k <= POINTS; k++) {
        const double z = (double)k / POINTS;
        times[k] = model.t0 + model.T * (z - 0.15 * sin(6.283185307179586 * z));
    }
    times[0] = model.t0;
    times[POINTS] = model.t0 + model.T;
}

static double find_error(const rg_solution *s)
{
    double worst = 0.0, values[2 * BOUNDARY_MOST];

    CHECK_INT(rg_solution_columns(s), model.n * model.order);
    for (int i = 0; i < model.n * model.order; i++) {
        double size = 0.0, most = 0.0;
        for (int64_t k = 0; k < rg_solution_rows(s); k++) {
            const double exact =
                boundary_model_exact(&model, i % model.n, i / model.n, rg_solution_time(s, k));
            CHECK(rg_solution_values(s, k, values) >= 0);
            size = fmax(size, fabs(exact));
            most = fmax(most, fabs(values[i] - exact));
        }
        worst = fmax(worst, most / size);
    }
    return worst;
}

static void run(const boundary_request *r, const char *tol, tally *w)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    double times[POINTS + 1];

    boundary_model_make(r, &model);
    choose_times(times);
    CHECK(rg_context_create(&ctx) >= 0);
    const bool is_solved =
        rg_problem_from_text(ctx, model.text, &p) >= 0 && rg_options_create(ctx, &o) >= 0
        && rg_options_set(o, "tol", tol) >= 0 && rg_options_set(o, "method", "transfer") >= 0
        && rg_solve_rows(p, model.t0 + model.T, o, RG_KEEP_ROWS, POINTS + 1, times, 1, &s) >= 0;
    w->runs++;
    if (!CHECK(is_solved)) {
        printf("  kind %d, seed %d: %s\n", (int)r->kind, (int)r->seed, rg_last_error(ctx)->message);
    } else {
        const double error = find_error(s), estimate = rg_solution_estimate(s);
        const bool is_good = error <= 10.0 * estimate && error >= 0.01 * estimate;
        w->good += is_good;
        w->misses += error > 3.0 * strtod(tol, NULL);
        w->told += error > 3.0 * strtod(tol, NULL) && estimate > 3.0 * strtod(tol, NULL);
        if (!is_good || error > 3.0 * strtod(tol, NULL))
            printf("  kind %d, seed %d, rate %g, tol %s, units %g, time %g: error %.2g, estimate "
                   "%.2g\n",
                   (int)r->kind, (int)r->seed, r->rate, tol, r->units, r->time, error, estimate);
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_all(void)
{
    static const char *const TOLERANCES[] = {"1e-4", "1e-6", "1e-8", "1e-10"};
    static const double RATES[] = {3.0, 30.0, 100.0, 300.0, 3e4};
    static const double TIMES[] = {1.0, 1e-9, 1e9, 1e3};
    tally w = {0};

    for (int k = 0; k < RANDOM_PROBLEMS; k++) {
        const boundary_request r = {
            (boundary_kind)(k % 3),  700 + (uint64_t)k, RATES[k / 3 % 5],
            k % 2 == 0 ? 1.0 : 1e12, TIMES[k / 7 % 4],  k % 5 == 0 ? 3.0 * TIMES[k / 7 % 4] : 0.0};
        run(&r, TOLERANCES[k / 12 % 4], &w);
    }
    printf("  %d of %d estimates within [1/100, 10], %d errors above 3 tol\n", w.good, w.runs,
           w.misses);
    CHECK(w.good >= 0.95 * w.runs);
    CHECK_INT(w.misses, w.told);
    CHECK(w.told <= 1);
}

/* A solution that grows and one that decays at the rate k, both turning, with layers. */
static double turning_error(double k, const rg_solution *s)
{
    double worst = 0.0;

    for (int64_t row = 0; row < rg_solution_rows(s); row++) {
        const double t = rg_solution_time(s, row), c = cos(3 * t), d = sin(3 * t);
        const double left = 0.7 * exp(-k * t), right = 0.4 * exp(-0.6 * k * (1 - t));
        double y[2];
        CHECK(rg_solution_values(s, row, y) >= 0);
        worst = fmax(worst, fabs(y[0] - sin(2 * t) - c * left + d * right));
        worst = fmax(worst, fabs(y[1] - cos(t) - d * left - c * right));
    }
    return worst;
}

static void check_rate(double k)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    char text[2048];

    snprintf(text, sizeof text,
             "param k = %g\nvar y, z\n"
             "y' = 2*cos(2*t) + k*(0.6*sin(3*t)^2 - cos(3*t)^2)*(y - sin(2*t))"
             " - (1.6*k*sin(3*t)*cos(3*t) + 3)*(z - cos(t))\n"
             "z' = -sin(t) - (1.6*k*sin(3*t)*cos(3*t) - 3)*(y - sin(2*t))"
             " + k*(0.6*cos(3*t)^2 - sin(3*t)^2)*(z - cos(t))\n"
             "over t = 0 .. 1\nboundary y(0) = 0.7\n"
             "boundary -sin(3)*y(1) + cos(3)*z(1) = -sin(3)*sin(2) + cos(3)*cos(1) + 0.4\n",
             k);
    CHECK(rg_context_create(&ctx) >= 0);
    if (CHECK(rg_problem_from_text(ctx, text, &p) >= 0 && rg_options_create(ctx, &o) >= 0
              && rg_options_set(o, "method", "transfer") >= 0
              && rg_solve_rows(p, 1, o, RG_KEEP_ROWS, 0, NULL, 1, &s) >= 0)) {
        const double error = turning_error(k, s), estimate = rg_solution_estimate(s);
        CHECK(error <= 3e-6);
        CHECK(error <= 10 * estimate && error >= 0.01 * estimate);
        CHECK(rg_solution_stats(s).steps <= 600);
    } else {
        printf("%s\n", rg_last_error(ctx)->message);
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_rates(void)
{
    check_rate(1e2);
    check_rate(1e4);
    check_rate(1e6);
}

/* Units that only the conditions tell: p of size 1e9 and q of size 1e-9 meet nowhere else.  The run
 * that finds the sizes has conditions that are singular to rounding, and goes on. */
static void test_unit_of_conditions(void)
{
    static const char text[] = "param P = 1e9, Q = 1e-9\nvar p, q\np' = -9*(p - P*(1 + t)) + P\n"
                               "q' = 8*(q - Q*(2 - t)) - Q\nover t = 0 .. 1\n"
                               "boundary p(0)/P + 0.14*q(0)/Q = 1.28\n"
                               "boundary -0.04*p(1)/P + q(1)/Q = 0.92\n";
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;

    CHECK(rg_context_create(&ctx) >= 0);
    if (CHECK(rg_problem_from_text(ctx, text, &p) >= 0 && rg_options_create(ctx, &o) >= 0
              && rg_options_set(o, "method", "transfer") >= 0
              && rg_solve_rows(p, 1, o, RG_KEEP_ROWS, 0, NULL, 1, &s) >= 0)) {
        for (int64_t k = 0; k < rg_solution_rows(s); k++) {
            double y[2];
            CHECK(rg_solution_values(s, k, y) >= 0);
            CHECK_NEAR(y[0] / 1e9, 1 + rg_solution_time(s, k), 1e-6);
            CHECK_NEAR(y[1] / 1e-9, 2 - rg_solution_time(s, k), 1e-6);
        }
        CHECK(rg_solution_estimate(s) <= 1e-6);
    } else {
        printf("  %s\n", rg_last_error(ctx)->message);
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

int main(void)
{
    static const test_case cases[] = {
        {"units of conditions", test_unit_of_conditions},
        {"estimate and units",  test_all               },
        {"rates",               test_rates             }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
