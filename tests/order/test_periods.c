/* What repeats hundreds or thousands of times in a run, and what no step integrates: switches of
 * time, conditions of events on time alone, smooth pulses with quiet parts between them.  The
 * number of all of them is known, and so is what they leave in x. */
#include "regula.h"
#include "support/end.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

static rg_context *ctx;

/* x at the end, and *estimate of the run.  No number where it fails. */
static double end_of(const char *text, double tol, double *estimate)
{
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    double a, b, x = NAN;
    char tolerance[32];
    const rg_request request = {.keep = RG_KEEP_LAST, .estimate = 1};

    snprintf(tolerance, sizeof tolerance, "%g", tol);
    if (CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)
        && CHECK(rg_options_create(ctx, &o) == RG_OK)
        && CHECK(rg_options_set(o, "tol", tolerance) == RG_OK)) {
        rg_problem_interval(p, &a, &b);
        if (rg_solve_request(p, b, o, &request, &s) == RG_OK) {
            x = end_value(s, "x");
            *estimate = rg_solution_estimate(s);
        } else {
            printf("%s\n", rg_last_error(ctx)->message);
        }
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    return x;
}

typedef struct {
    const char *f;
    double mean; /* of f over its period 1 */
} wave;

static const wave waves[] = {
    {"if(mod(t, 1) < 0.3, 1, 0)",                              0.3      },
    {"1 + sign(sin(2*pi*t) - 0.5)",                            2.0 / 3.0},
    {"abs(mod(t, 1) - 0.5)",                                   0.25     },
    {"if(sin(2*pi*t) > 0 and cos(2*pi*t) > 0, 1, 0)",          0.25     },
    {"if(abs(2*mod(t, 1) - 1) < 0.3, 1, 0)",                   0.3      },
    {"if(sin(2*pi*t) > cos(0.05*pi), 20, 0)",                  1.0      },
    {"if(t - floor(t) < 0.01, 100, 0)",                        1.0      },
    {"if(sin(2*pi*t)^2 + cos(2*pi*t)^2 > 1.5, 1, 2)",          2.0      },
    {"min(1, 2*heaviside(sin(2*pi*t) - cos(0.001*pi))/0.001)", 0.001    },
};

/* 300 periods meet 4000 equal samples at the zeros of sin(2 pi t) - cos(0.05 pi); from 2000 on
 * equal samples see every wave at one place. */
static void test_switches(void)
{
    static const int periods[] = {300, 2000, 3000};

    for (size_t k = 0; k < sizeof waves / sizeof *waves; k++)
        for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
            char text[256];
            double estimate = NAN;
            snprintf(text, sizeof text, "var x = 0\nx' = %s\nover t = 0 .. %d\n", waves[k].f,
                     periods[i]);
            const double x = end_of(text, 1e-6, &estimate);
            if (!CHECK_NEAR(x, waves[k].mean * periods[i], 1e-9 * periods[i])) printf("%s", text);
        }
}

static void test_events(void)
{
    static const int periods[] = {300, 400, 3000};
    static const char *const conditions[] = {"sin(2*pi*t) > cos(pi*0.01)",
                                             "sin(2*pi*t) > cos(pi*0.05)", "mod(t, 1) > 0.99"};

    for (size_t k = 0; k < sizeof conditions / sizeof *conditions; k++)
        for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
            char text[256];
            double estimate;
            snprintf(text, sizeof text,
                     "state k = 0\nvar x = 0\nx' = k\nwhen %s { k = 1 - k; x = x + 1 }\n"
                     "over t = 0 .. %d\n",
                     conditions[k], periods[i]);
            /* k is 1 behind every other event: for one period each. */
            const double x = end_of(text, 1e-6, &estimate);
            if (!CHECK_NEAR(x, 1.5 * periods[i], 1e-8 * periods[i])) printf("%s", text);
        }
}

/* n times the integral of exp(-k sin(pi t)^2) over a period, by the rule of trapezoids. */
static void test_trains(void)
{
    static const int periods[] = {10, 100, 1000};
    static const double sharp[] = {100, 1000, 10000};
    enum { N = 4096 };

    for (size_t k = 0; k < sizeof sharp / sizeof *sharp; k++)
        for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
            char text[256];
            double sum = 0.0, estimate = NAN;
            for (int l = 0; l < N; l++)
                sum += exp(-sharp[k] * pow(sin(3.14159265358979323846 * l / N), 2)) / N;
            snprintf(text, sizeof text, "var x = 0\nx' = exp(-%g*sin(pi*t)^2)\nover t = 0 .. %d\n",
                     sharp[k], periods[i]);
            const double true_x = sum * periods[i], x = end_of(text, 1e-6, &estimate);
            if (!CHECK(fabs(x - true_x) <= 10.0 * estimate * (1.0 + true_x)))
                printf("%s%g, true %g, estimate %g\n", text, x, true_x, estimate);
            CHECK(estimate <= 0.01);
        }
}

/* Pieces between switches that one step covers, in both runs of an estimate: max(0, sin - c) leaves
 * sin(pi e)/pi - e cos(pi e) per period. */
static void test_estimates(void)
{
    static const double tolerances[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8},
                        parts[] = {0.02, 0.05, 0.2};
    const double pi = 3.14159265358979323846;

    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
            const double e = parts[k], true_x = 50.0 * (sin(pi * e) / pi - e * cos(pi * e));
            char text[256];
            double estimate = NAN;
            snprintf(text, sizeof text,
                     "var x = 0\nx' = max(0, sin(2*pi*t) - cos(%g*pi))\nover t = 0 .. 50\n", e);
            const double error =
                fabs(end_of(text, tolerances[i], &estimate) - true_x) / (1.0 + true_x);
            if (!CHECK(error <= 10.0 * estimate))
                printf("e = %g, tol %g: error %.2g, estimate %.2g\n", e, tolerances[i], error,
                       estimate);
        }
}

/* The value of x at the start of a boundary value problem. */
static double start_of(const char *text, const char *method)
{
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    double a, b, y[2] = {NAN, NAN};

    if (CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)
        && CHECK(rg_options_create(ctx, &o) == RG_OK)
        && CHECK(rg_options_set(o, "method", method) == RG_OK)) {
        rg_problem_interval(p, &a, &b);
        if (rg_solve(p, b, o, &s) != RG_OK || rg_solution_eval(s, a, y, NULL) != RG_OK)
            printf("%s\n", rg_last_error(ctx)->message);
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    return y[0];
}

/* The same waves in boundary value problems: what x leaves at the end is known at the start. */
static void test_boundary(void)
{
    static const char *const methods[] = {"transfer", "collocation"};
    enum { PERIODS = 1000 };

    for (size_t k = 0; k < sizeof waves / sizeof *waves; k++)
        for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
            char text[256];
            snprintf(text, sizeof text,
                     "var x, z\nx' = %s\nz' = x - z\nover t = 0 .. %d\nboundary x(end) = %.17g\n"
                     "boundary z(0) = 1\n",
                     waves[k].f, PERIODS, waves[k].mean * PERIODS);
            const double x = start_of(text, methods[i]);
            if (!CHECK_NEAR(x, 0.0, 1e-9 * PERIODS)) printf("%s: %s", methods[i], text);
        }
}

int main(void)
{
    static const test_case cases[] = {
        {"switches",  test_switches },
        {"events",    test_events   },
        {"trains",    test_trains   },
        {"estimates", test_estimates},
        {"boundary",  test_boundary },
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
