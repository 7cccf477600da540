/* The estimate of the global error: against exact solutions, beside a failing second run, beside
 * callbacks. */
#include "base/options.h"
#include "regula.h"
#include "support/fault.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

static const char oscillator[] = "var x = 1, v = 0, a\n"
                                 "x' = v\n"
                                 "v' = a\n"
                                 "a = -9*x\n"
                                 "exact x = cos(3*t), v = -3*sin(3*t), a = -9*cos(3*t)\n"
                                 "over t = 0 .. 2\n";

static rg_status solve(rg_problem *p, double tol, int estimate, rg_solution **s)
{
    rg_options o = rg_options_default();
    double a, b;

    o.rtol = o.atol = tol;
    rg_problem_interval(p, &a, &b);
    const rg_request r = {.keep = RG_KEEP_LAST, .n_times = 1, .times = &b, .estimate = estimate};
    return rg_solve_request(p, b, &o, &r, s);
}

/* The true error is at most 10 times and at least one hundredth of the estimate. */
static void test_exact(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_from_text(ctx, oscillator, &p) == RG_OK);
    for (double tol = 1e-3; tol > 0.9e-10; tol /= 10) {
        rg_solution *s = NULL;
        CHECK(solve(p, tol, 1, &s) == RG_OK);
        const double truth = fmax(rg_solution_error(s, 0) / (1 + fabs(cos(6))),
                                  fmax(rg_solution_error(s, 1) / (1 + fabs(3 * sin(6))),
                                       rg_solution_error(s, 2) / (1 + fabs(9 * cos(6)))));
        const double claim = rg_solution_estimate(s);
        CHECK(truth <= 10 * claim && truth >= 0.01 * claim);
        CHECK_INT(rg_solution_warning_count(s), 0);
        rg_solution_destroy(&s);
    }
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* The model with a solve line, to t = 2: the values at the end; estimate may be NULL. */
static void end_of(const char *solve_line, double *y, double *estimate)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    const rg_request r = {.keep = RG_KEEP_LAST, .estimate = estimate != NULL};
    char text[512];

    snprintf(text, sizeof text, "%s%s", oscillator, solve_line);
    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK);
    CHECK(rg_solve_request(p, 2.0, NULL, &r, &s) == RG_OK);
    CHECK(rg_solution_end_values(s, y) == RG_OK);
    if (estimate != NULL) *estimate = rg_solution_estimate_end(s);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* At the end: three times the difference from a second run, max |y_i - w_i| / (atol/rtol + |y_i|),
 * with a third of the tolerances and 0.4 of the first step, or with three quarters of a fixed one.
 * */
static void test_formula(void)
{
    static const struct {
        const char *first, *second;
        double ratio;
    } runs[] = {
        {"solve rtol = 3e-5, atol = 6e-5, h_first = 1e-3\n",
         "solve rtol = 1e-5, atol = 2e-5, h_first = 4e-4\n",                                                      2.0},
        {"solve rtol = 3e-8, atol = 3e-8, h_first = 1e-3\n",
         "solve rtol = 1e-8, atol = 1e-8, h_first = 4e-4\n",                                                      1.0},
        {"solve step = 0.1\n",                               "solve step = 0.075, tol = 3.3333333333333333e-7\n", 1.0},
    };

    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        double y[3], w[3], estimate, largest = 0.0;
        end_of(runs[k].first, y, &estimate);
        end_of(runs[k].second, w, NULL);
        for (int i = 0; i < 3; i++)
            largest = fmax(largest, fabs(y[i] - w[i]) / (runs[k].ratio + fabs(y[i])));
        CHECK(largest > 0.0);
        CHECK_NEAR(estimate / largest, 3.0, 1e-6);
    }
}

/* A solution that comes to rest: what is estimated are all rows, not the end alone. */
static void test_rows(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    double times[41];
    const rg_request r = {.keep = RG_KEEP_ROWS, .n_times = 41, .times = times, .estimate = 1};

    for (int k = 0; k <= 40; k++)
        times[k] = 0.5 * k;
    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_from_text(ctx,
                               "var x = 1, y\nx' = -x + 40*exp(-20*(t - 2)^2)\ny = x^2\n"
                               "over t = 0 .. 20\n",
                               &p)
          == RG_OK);
    CHECK(rg_solve_request(p, 20.0, NULL, &r, &s) == RG_OK);
    CHECK(rg_solution_estimate(s) > 10.0 * rg_solution_estimate_end(s));
    CHECK(rg_solution_estimate_end(s) > 0.0);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* The same of all methods, where steps are watched for singular positions (index 2) too: rows are
 * the steps. */
static void test_methods(void)
{
    static const char *const methods[] = {"radau", "gauss",         "lobatto3a",  "lobatto3c",
                                          "sdirk", "extrapolation", "rosenbrock", "half-explicit"};
    const rg_request r = {.keep = RG_KEEP_ROWS, .estimate = 1};

    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        rg_context *ctx = NULL;
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        rg_options o = rg_options_default();
        o.rtol = o.atol = 1e-4;
        snprintf(o.method, sizeof o.method, "%s", methods[k]);
        CHECK(rg_context_create(&ctx) == RG_OK);
        CHECK(rg_problem_from_text(ctx,
                                   "let X = exp(-t)*sin(3*t)\n"
                                   "var x = 0, y, z\n"
                                   "x' = X' - 3*(x - X) + (atan(x + y) - atan(X - X^2))\n"
                                   "y' = z\n"
                                   "y + 0.3*sin(y) + x^2 = -0.3*sin(X^2)\n"
                                   "exact x = X, y = -X^2\n"
                                   "over t = 0 .. 12\n",
                                   &p)
              == RG_OK);
        if (CHECK_INT(rg_solve_request(p, 12.0, &o, &r, &s), RG_OK)) {
            const double error = fmax(rg_solution_error(s, 0), rg_solution_error(s, 1));
            if (!CHECK(error <= 10 * rg_solution_estimate(s))
                || !CHECK(rg_solution_estimate(s) <= 100 * error))
                printf("    %s: error %g, estimate %g, at the end %g\n", methods[k], error,
                       rg_solution_estimate(s), rg_solution_estimate_end(s));
        }
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
        rg_context_destroy(&ctx);
    }
}

/* On the stabilized form the polynomial of Gauss is far from its steps.  The second run has steps
 * where the first one has. */
static void test_stabilized(void)
{
    const rg_request r = {.keep = RG_KEEP_ROWS, .estimate = 1};
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    double error = 0.0, energy;

    o.rtol = o.atol = 1e-4;
    o.stages = 4;
    snprintf(o.method, sizeof o.method, "gauss");
    snprintf(o.formulation, sizeof o.formulation, "ggl");
    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_from_text(ctx,
                               "var x = 1, y = 0, u = 0, v = 0, z\n"
                               "x' = u\ny' = v\nu' = -x*z\nv' = -y*z - 10\nx^2 + y^2 = 1\n"
                               "over t = 0 .. 10\noutput energy = (u^2 + v^2)/2 + 10*y\n",
                               &p)
          == RG_OK);
    if (CHECK_INT(rg_solve_request(p, 10.0, &o, &r, &s), RG_OK)) {
        for (int64_t k = 0; k < rg_solution_rows(s); k++) {
            CHECK(rg_solution_values(s, k, &energy) == RG_OK);
            error = fmax(error, fabs(energy));
        }
        CHECK(error <= 10 * rg_solution_estimate(s) && rg_solution_estimate(s) <= 20 * error);
        CHECK_INT(rg_solution_warning_count(s), 0);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* A `stop` ends both runs, each at its own time.  The values at the end are as far from the
 * solution as that time is from the true one. */
static void test_stop(void)
{
    static const char *const actions[] = {"", "k = 0; ", "x = 7; "};
    static const double times[] = {0.0, 1.5};

    for (int k = 0; k < 6; k++) {
        const rg_request r = {
            .keep = RG_KEEP_ROWS, .n_times = k < 3 ? 0 : 2, .times = times, .estimate = 1};
        rg_context *ctx = NULL;
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        char text[200];
        snprintf(text, sizeof text,
                 "state k = 1\nvar x = 1\nx' = -x\nwhen x < 0.5 { %sstop \"half\" }\n"
                 "over t = 0 .. 2\n",
                 actions[k % 3]);
        CHECK(rg_context_create(&ctx) == RG_OK);
        CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK);
        if (CHECK_INT(rg_solve_request(p, 2.0, NULL, &r, &s), RG_OK)) {
            const double size = k % 3 == 2 ? 7.0 : 0.5;
            const double error = size * fabs(rg_solution_end(s) - log(2.0)) / (1.0 + size);
            const double estimate = rg_solution_estimate_end(s);
            if (!CHECK(error <= 10 * estimate && estimate <= 100 * error))
                printf("  %d: error %g, estimate %g\n", k, error, estimate);
            CHECK_INT(rg_solution_warning_count(s), 0);
        }
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
        rg_context_destroy(&ctx);
    }
}

/* Counts and results are those of the first run. */
static void test_off(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *on = NULL, *off = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_from_text(ctx, oscillator, &p) == RG_OK);
    CHECK(solve(p, 1e-6, 1, &on) == RG_OK && solve(p, 1e-6, 0, &off) == RG_OK);
    CHECK(isnan(rg_solution_estimate(off)) && rg_solution_estimate(on) > 0);
    CHECK_INT(rg_solution_stats(on).steps, rg_solution_stats(off).steps);
    CHECK_INT(rg_solution_stats(on).evaluations, rg_solution_stats(off).evaluations);
    CHECK(rg_solution_error(on, 0) == rg_solution_error(off, 0));
    rg_solution_destroy(&on);
    rg_solution_destroy(&off);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static int count_to(double t, const double *y, double *f, void *user)
{
    int *left = user;

    (void)t;
    *f = -*y;
    return --*left < 0 ? -1 : 0;
}

/* Functions of the caller run one after the other: the first run has all it needs, the second
 * fails. */
static void test_failing(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    const double one = 1, end = 1;
    int left = 1000000;
    const rg_request r = {.keep = RG_KEEP_LAST, .n_times = 1, .times = &end, .estimate = 1};

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_create_mass(ctx, 1, NULL, count_to, &left, &p) == RG_OK);
    CHECK(rg_problem_set_initial(p, 0, &one, NULL) == RG_OK);
    CHECK(rg_solve_request(p, 1, NULL, &r, &s) == RG_OK);
    CHECK(rg_solution_estimate(s) > 0 && rg_solution_estimate(s) < 1e-4);
    const rg_solution *kept = s;
    int used = 1000000 - left;
    CHECK(used > 20 && kept != NULL);
    rg_solution_destroy(&s);
    left = used / 2; /* enough for the first run only: the second one takes smaller steps */
    CHECK(rg_solve_request(p, 1, NULL, &r, &s) == RG_OK);
    CHECK(isnan(rg_solution_estimate(s)));
    CHECK_INT(rg_solution_warning_count(s), 1);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* A run that fails has no estimate, and its message is its own. */
static void test_first_fails(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_from_text(ctx, "var x = 1\nx' = x^2\nover t = 0 .. 2\n", &p) == RG_OK);
    CHECK(solve(p, 1e-6, 1, &s) == RG_ERR_CONVERGENCE);
    CHECK(s != NULL && isnan(rg_solution_estimate(s)));
    CHECK(rg_last_error(ctx)->message[0] != '\0');
    CHECK_INT(rg_solution_warning_count(s), 0);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static double estimate_of(rg_context *ctx, const char *file)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    const rg_request r = {.keep = RG_KEEP_LAST, .estimate = 1};
    double a, b, estimate = NAN;

    if (CHECK_INT(rg_problem_from_file(ctx, file, &p), RG_OK)) {
        rg_problem_interval(p, &a, &b);
        if (CHECK_INT(rg_solve_request(p, b, NULL, &r, &s), RG_OK))
            estimate = rg_solution_estimate(s);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return estimate;
}

/* A run that begins again at its first singular position: the estimate is that of the rows that
 * were put out, all of them, whether the second run goes beside the first or, as with an allocator
 * of the caller, behind it. */
static void test_begins_again(void)
{
    static const char *const files[] = {"tests/singular/many-zeros.rg",
                                        "examples/singular/capacitor-loop.rg",
                                        "examples/singular/three-close.rg"};

    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        rg_context *ctx = NULL;
        fault_allocator counted = {0};

        CHECK(rg_context_create_with(fault_realloc, &counted, &ctx) == RG_OK);
        const double behind = estimate_of(ctx, files[k]);
        rg_context_destroy(&ctx);
        CHECK(rg_context_create(&ctx) == RG_OK);
        for (int i = 0; i < 4; i++)
            CHECK_NEAR(estimate_of(ctx, files[k]), behind, 1e-3 * behind);
        rg_context_destroy(&ctx);
    }
}

/* Values of 1e12 that end at 0, or come to rest, are solved as those of 1 are; where the phase is
 * lost at the end the run is refused in all units. */
static void test_sizes(void)
{
    static const struct {
        const char *text;
        rg_status status;
    } runs[] = {
        {"var x = %g, v = 0\nx' = v\nv' = -x\nover t = 0 .. pi/2\n",          RG_OK             },
        {"var x = %g, v ~ 0\nv = x'\nx' = -6*x*tanh(3*t)\nover t = 0 .. 5\n", RG_OK             },
        {"var x = %g, y = 1, z = 1\nlet U = %g\nx' = 10*(U*y - x)\ny' = 28*x/U - y - x*z/U\n"
         "z' = x*y/U - 8*z/3\nover t = 0 .. 60\n",                   RG_ERR_CONVERGENCE},
    };
    static const double units[] = {1.0, 1e6, 1e9, 1e12};
    char text[512];

    for (int k = 0; k < 12; k++) {
        rg_context *ctx = NULL;
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        snprintf(text, sizeof text, runs[k / 4].text, units[k % 4], units[k % 4]);
        CHECK(rg_context_create(&ctx) == RG_OK);
        CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK);
        if (!CHECK_INT(solve(p, 1e-6, 1, &s), runs[k / 4].status)) printf("    %s", text);
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
        rg_context_destroy(&ctx);
    }
}

/* From a late start index 2 is reduced where the tolerance asks for it, which gives x' a state of
 * its own.  Some of the tolerances do so for the second run alone: it stays with the states of the
 * first one. */
static void test_view(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_from_text(ctx,
                               "var x = 0, u, z\n"
                               "u' = z\n"
                               "x' = u\n"
                               "x' = sin(t - 3e4)\n"
                               "exact x = 1 - cos(t - 3e4), u = sin(t - 3e4), z = cos(t - 3e4)\n"
                               "over t = 3e4 .. 30001\n",
                               &p)
          == RG_OK);
    for (double tol = 1e-4; tol > 1e-8; tol *= 0.4) {
        rg_solution *s = NULL;
        if (!CHECK_INT(solve(p, tol, 1, &s), RG_OK)) continue;
        for (int j = 0; j < 3; j++)
            CHECK(rg_solution_error(s, j) <= 20 * rg_solution_estimate(s));
        CHECK_INT(rg_solution_warning_count(s), 0);
        rg_solution_destroy(&s);
    }
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* A state that begins at rest, beside a force that comes late: with a first step as long as the
 * interval both runs took that one step. */
static void check_rest(rg_context *ctx, const char *force, double rate, double length, double tol)
{
    double end[2] = {NAN, NAN}, claim = NAN;
    char text[256];

    for (int k = 0; k < 2; k++) { /* the second one: short steps */
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        snprintf(text, sizeof text,
                 "let s = t/%g\nvar y = 0, z\ny' = (%s - %g*y)/%g\nz = y^2 + y\n"
                 "over t = 0 .. %g\nsolve tol = %g, h_max = %g\n",
                 length, force, rate, length, length, k == 0 ? tol : 1e-10,
                 k == 0 ? 0.0 : length / 300.0);
        const rg_request r = {.keep = RG_KEEP_LAST, .estimate = k == 0};
        if (CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)
            && CHECK(rg_solve_request(p, length, NULL, &r, &s) == RG_OK)) {
            double values[2];
            CHECK(rg_solution_end_values(s, values) == RG_OK);
            end[k] = values[0];
            if (k == 0) claim = rg_solution_estimate(s);
        }
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    if (!CHECK(fabs(end[0] - end[1]) <= 10.0 * claim + 1e-10))
        printf("%s, rate %g, to %g, %g: off by %.2g, estimate %.2g\n", force, rate, length, tol,
               fabs(end[0] - end[1]), claim);
}

static void test_rest(void)
{
    static const char *const forces[] = {"1 + tanh((s - 0.83)/0.063)",
                                         "exp(-((s - 0.88)/0.21)^4) + 0.05*s",
                                         "exp(-((s - 0.73)/0.1)^2)", "1 + tanh((s - 0.7)/0.08)",
                                         "0.02*s^3 + exp(-((s - 0.9)/0.1)^4)"};
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (size_t k = 0; k < sizeof forces / sizeof *forces; k++)
        for (double rate = 0.0; rate<2000.0; rate = rate> 0.0 ? 30.0 * rate : 1.0)
            for (double tol = 1e-3; tol > 1e-8; tol /= 100.0)
                check_rest(ctx, forces[k], rate, k % 2 ? 1.0 : 1e-3, tol);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"exact",        test_exact       },
    {"formula",      test_formula     },
    {"rows",         test_rows        },
    {"methods",      test_methods     },
    {"stabilized",   test_stabilized  },
    {"stop",         test_stop        },
    {"off",          test_off         },
    {"failing",      test_failing     },
    {"first_fails",  test_first_fails },
    {"begins again", test_begins_again},
    {"sizes",        test_sizes       },
    {"view",         test_view        },
    {"rest",         test_rest        }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
