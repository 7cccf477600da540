/* The order of every method is kept across an event, with fixed steps that do not meet it.
 *
 * An oscillator x = sin(t) whose velocity is changed at x = 1/2, t = pi/6; and a pendulum of index
 * 3 that is thrown back at the vertical: behind that it moves as before it, backwards in time.  The
 * time to the vertical is that of a quarter of its period (arithmetic-geometric mean).  And the
 * values and the estimate of rows at events. */
#include "regula.h"
#include "support/end.h"
#include "support/options.h"
#include "support/rows.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HALVINGS = 4 };
static const double SLACK = 0.2, ROUNDING = 2e-13;

static const char oscillator[] = "var x = 0, v = 1\n"
                                 "x' = v\n"
                                 "v' = -x\n"
                                 "when x > 0.5 { v = -0.5*v }\n"
                                 "over t = 0 .. 1.8\n";
#define PENDULUM                                                                                   \
    "param g = 9.81\n"                                                                             \
    "var x = 0.6, y = -0.8, u = 0, v = 0, lam\n"                                                   \
    "x' = u\ny' = v\nu' = -lam*x\nv' = -lam*y - g\n"                                               \
    "0 = x^2 + y^2 - 1\n"
static const char smooth[] = PENDULUM "over t = 0 .. 1\n";
static const char thrown[] = PENDULUM "when x < 0 { u = -u; v = -v }\nover t = 0 .. 1\n";

typedef struct {
    const char *method, *choice, *number; /* an option, or NULL */
    int order;
    double step; /* the longest */
} way;

/* x at the end with a fixed step, or with a tolerance. */
static double x_at(const char *text, const way *w, const char *name, double number, double end)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    char value[32];

    snprintf(value, sizeof value, "%.17g", number);
    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK);
    CHECK(rg_options_create(ctx, &o) == RG_OK);
    CHECK(rg_options_set(o, "method", w->method) == RG_OK);
    CHECK(rg_options_set(o, name, value) == RG_OK);
    if (w->choice != NULL) CHECK(rg_options_set(o, w->choice, w->number) == RG_OK);
    CHECK(rg_solve(p, end, o, &s) == RG_OK);
    const double x = s != NULL ? end_value(s, "x") : NAN;
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return x;
}

static void measure(const char *text, const way *w, double end, double exact)
{
    double first = 0.0, last = 0.0, step = w->step;
    int n = 0;

    for (int k = 0; k <= HALVINGS; k++, step /= 2.0) {
        const double e = fabs(x_at(text, w, "step", step, end) - exact);
        if (!CHECK(isfinite(e))) return;
        if (e < ROUNDING) break;
        if (k == 0) first = e;
        last = e;
        n = k;
    }
    const double order = log(first / last) / (n * log(2.0));
    printf("%s %s: %.1e .. %.1e, order %.2f of %d\n", w->method, w->number != NULL ? w->number : "",
           first, last, order, w->order);
    CHECK(n >= 2);
    CHECK(order >= w->order - SLACK);
}

static void test_oscillator(void)
{
    static const way ways[] = {
        {"radau",         NULL,     NULL, 5, 0.2},
        {"gauss",         NULL,     NULL, 6, 0.4},
        {"gauss",         "stages", "2",  4, 0.2},
        {"radau1a",       NULL,     NULL, 5, 0.4},
        {"lobatto3a",     NULL,     NULL, 4, 0.2},
        {"lobatto3c",     NULL,     NULL, 4, 0.2},
        {"sdirk",         "order",  "3",  3, 0.2},
        {"sdirk",         "order",  "4",  4, 0.2},
        {"dopri",         NULL,     NULL, 5, 0.1},
        {"rosenbrock",    NULL,     NULL, 4, 0.2},
        {"extrapolation", NULL,     NULL, 4, 0.2},
    };
    const double p = asin(0.5), w = 0.5 * cos(p), end = 1.8;
    const double exact = 0.5 * cos(end - p) - w * sin(end - p);

    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        measure(oscillator, &ways[k], end, exact);
}

static void test_pendulum(void)
{
    static const way ways[] = {
        {"radau",         NULL,    NULL, 5, 0.08},
        {"gauss",         NULL,    NULL, 6, 0.08},
        {"lobatto3a",     NULL,    NULL, 4, 0.08},
        {"lobatto-pair",  NULL,    NULL, 4, 0.08},
        {"sdirk",         "order", "4",  4, 0.08},
        {"half-explicit", "order", "3",  3, 0.08},
        {"half-explicit", "order", "4",  4, 0.08},
        {"half-explicit", "order", "5",  5, 0.08},
        {"rosenbrock",    NULL,    NULL, 4, 0.08},
    };
    static const way reference = {"radau", NULL, NULL, 0, 0.0};
    double a = 1.0, b = sqrt(0.9); /* cos(half of the angle) */
    const double end = 0.9;

    while (a - b > 1e-15) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    const double quarter = acos(-1.0) / (2.0 * sqrt(9.81) * a);
    const double exact = x_at(smooth, &reference, "tol", 1e-13, 2.0 * quarter - end);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        measure(thrown, &ways[k], end, exact);
}

/* A lag with a sampled controller, exact from sample to sample; every row is behind one. */
static const char sampled[] =
    "param T = 0.5, dt = 0.05\n"
    "state u = 0, I = 0\n"
    "var w = 0\n"
    "T*w' = 2*u - w\n"
    "every dt { I = I + dt*(10 - w); u = 1.5*(10 - w) + 4*(I + dt*(10 - w)) }\n"
    "over t = 0 .. 3\n"
    "output w, u\n";

static double sampled_error(const rows_result *found)
{
    double w = 0.0, u = 0.0, sum = 0.0, worst = 0.0;

    for (int k = 0; k <= 60; k++) {
        if (k > 0) {
            w = 2.0 * u + (w - 2.0 * u) * exp(-0.1);
            sum += 0.05 * (10.0 - w);
            u = 1.5 * (10.0 - w) + 4.0 * sum;
        }
        if (k % 3 != 0) continue;
        const double *row = found->row[k / 3];
        worst = fmax(worst, fabs(row[0] - w) / (1.0 + fabs(w)));
        worst = fmax(worst, fabs(row[1] - u) / (1.0 + fabs(u)));
    }
    return worst;
}

static const char *const methods[] = {"radau",      "bdf",   "gauss",     "sdirk",
                                      "rosenbrock", "dopri", "lobatto3c", "extrapolation"};

static void test_sampled(void)
{
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int k = 3; k <= 8; k++) {
            if (!options_has_method(methods[m])) continue;
            const rows_result r =
                rows_solve(ctx, sampled, 21, "method=%s tol=1e-%d", methods[m], k);
            const double e = sampled_error(&r);
            printf("%s, 1e-%d: error %.1e, estimate %.1e\n", methods[m], k, e, r.estimate);
            CHECK_INT(r.status, RG_OK);
            CHECK(e <= 10.0 * r.estimate);
        }
    rg_context_destroy(&ctx);
}

/* A row at the time of an event that unknowns tell, to rounding: it is behind it. */
static void test_meeting(void)
{
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int k = 3; k <= 9; k++) {
            if (!options_has_method(methods[m])) continue;
            const rows_result r = rows_solve(ctx,
                                             "state n = 0\nvar x = 0, v = 0.5\nx' = v\n"
                                             "v' = n*(1.5 - 4*x)\nwhen 4*x > 3 { n = 1 }\n"
                                             "over t = 0 .. 10\noutput n, x\n",
                                             21, "method=%s tol=1e-%d", methods[m], k);
            CHECK_INT(r.status, RG_OK);
            if (!CHECK(r.row[2][0] == 0.0 && r.row[3][0] == 1.0))
                printf("%s, 1e-%d: %g\n", methods[m], k, r.row[3][0]);
        }
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"oscillator", test_oscillator},
    {"pendulum",   test_pendulum  },
    {"sampled",    test_sampled   },
    {"meeting",    test_meeting   },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
