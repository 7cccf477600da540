/* What `auto` takes: an explicit method where the equations are not stiff, a Rosenbrock method
 * where few digits are asked for, Radau IIA from where that does not pay; numbers as good as
 * with Radau IIA in all rows. */
#include "solution/solution.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 57 };
static const double T_END = 4.0;
static rg_context *ctx;
static rg_problem *kept; /* the solution reads it */

/* Twenty equations with the known solution cos(t + i): coupled, not stiff where k is small. */
#define ROW(k)                                                                                     \
    "param N = 20\nvar x[i=1..N] = cos(i)\n"                                                       \
    "for i = 1..N {\n x[i]' = -sin(t + i) - (" k ")*(x[i] - cos(t + i))"                           \
    " + x[mod(i, N) + 1]*x[i] - cos(t + mod(i, N) + 1)*cos(t + i)\n exact x[i] = cos(t + i)\n}\n"  \
    "over t = 0 .. 4\n"

static rg_solution *solve(const char *text, const char *method, const char *tol)
{
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;

    CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK);
    CHECK_INT(rg_options_create(ctx, &o), RG_OK);
    CHECK_INT(rg_options_set(o, "method", method), RG_OK);
    CHECK_INT(rg_options_set(o, "tol", tol), RG_OK);
    double times[TIMES];
    for (int k = 0; k < TIMES; k++)
        times[k] = T_END * (k + 1) / TIMES;
    const rg_request r = {.keep = RG_KEEP_ROWS, .n_times = TIMES, .times = times, .estimate = 1};
    if (p != NULL && !CHECK_INT(rg_solve_request(p, T_END, o, &r, &s), RG_OK))
        printf("    %s\n", rg_last_error(ctx)->message);
    rg_options_destroy(&o);
    if (s == NULL) rg_problem_destroy(&p);
    kept = p;
    return s;
}

static void finish(rg_solution **s)
{
    rg_solution_destroy(s);
    rg_problem_destroy(&kept);
}

/* Largest error of x_i = cos(t + i) in all rows; slopes are multiples of it where the equations are
 * stiff. */
static double worst(const rg_solution *s, bool with_slopes)
{
    double y[64], yp[64], largest = 0.0;

    for (int k = 0; k < TIMES; k++) {
        const double t = rg_solution_time(s, k);
        CHECK_INT(rg_solution_eval(s, t, y, yp), RG_OK);
        for (int i = 0; i < 20; i++) {
            largest = fmax(largest, fabs(y[i] - cos(t + i + 1.0)));
            if (with_slopes) largest = fmax(largest, fabs(yp[i] + sin(t + i + 1.0)));
        }
    }
    return largest;
}

static void check(const char *text, const char *tol, const char *method, const char *why,
                  double most, bool with_slopes)
{
    rg_solution *s = solve(text, "auto", tol);

    if (s == NULL) return;
    CHECK_TEXT(s->method, method);
    if (!CHECK(strstr(s->why, why) != NULL)) printf("    %s\n", s->why);
    const double error = worst(s, with_slopes);
    if (!CHECK(error <= most * atof(tol))) printf("    error %.3g at %s\n", error, tol);
    CHECK(s->estimate >= 0.01 * error && s->estimate < 1e3 * atof(tol));
    finish(&s);
}

static void test_not_stiff(void)
{
    check(ROW("1"), "1e-4", "dopri", "not stiff", 3.0, true);
    check(ROW("1"), "1e-6", "dopri", "not stiff", 10.0, true);
    check(ROW("1"), "1e-9", "radau", "any index", 10.0, true);
}

/* Stiff from the start, and from t = 1 .. 1.2 on. */
static void test_stiff(void)
{
    check(ROW("1e5"), "1e-6", "radau", "any index", 3.0, false);
    check(ROW("1 + 5e4*(1 + tanh(20*(t - 1.3)))"), "1e-6", "dopri", "radau: stiff", 3.0, false);
}

/* Few digits: stiff, of index 0 and 1, in all rows; not with a moving M, nor beyond 1e-4. */
static void test_few_digits(void)
{
    static const char index1[] = "var x = 1, z ~ 1\nx' = -sin(t) + 10*(z - exp(-t))\n"
                                 "0 = z^3 + z*(2 + x) - exp(-3*t) - exp(-t)*(2 + cos(t))\n"
                                 "over t = 0 .. 4\nexact x = cos(t)\nexact z = exp(-t)\n",
                      moving[] = "var x = 1\n(1 + x^2)*x' = -1000*(x - cos(t))\nover t = 0 .. 4\n";
    rg_solution *s;

    check(ROW("1e5"), "1e-4", "rosenbrock", "few digits of index 0 or 1", 5.0, false);
    check(ROW("1e5"), "1e-3", "rosenbrock", "few digits of index 0 or 1", 5.0, false);
    if ((s = solve(index1, "auto", "1e-4")) == NULL) return;
    CHECK_TEXT(s->method, "rosenbrock");
    for (int k = 0; k < TIMES; k++) {
        const double t = rg_solution_time(s, k);
        double y[2], yp[2];
        CHECK_INT(rg_solution_eval(s, t, y, yp), RG_OK);
        CHECK_NEAR(y[0], cos(t), 5e-4);
        CHECK_NEAR(y[1], exp(-t), 5e-4);
    }
    CHECK(s->estimate < 1e-2);
    finish(&s);
    if ((s = solve(moving, "auto", "1e-4")) != NULL) CHECK_TEXT(s->method, "radau");
    finish(&s);
    if ((s = solve(index1, "auto", "9e-5")) != NULL) CHECK_TEXT(s->method, "radau");
    finish(&s);
}

/* 190 periods: Radau IIA goes on after many steps. */
static void test_long(void)
{
    rg_solution *s =
        solve("var x = 1, y = 0\nx' = -300*y\ny' = 300*x\nover t = 0 .. 4\n", "auto", "1e-4");
    double y[2];

    if (s == NULL) return;
    CHECK_TEXT(s->method, "rosenbrock");
    if (!CHECK(strstr(s->why, "on radau: many steps") != NULL)) printf("    %s\n", s->why);
    CHECK_INT(rg_solution_eval(s, T_END, y, NULL), RG_OK);
    CHECK_NEAR(y[0], cos(1200.0), 0.1);
    finish(&s);
}

static void test_asked_by_name(void)
{
    rg_solution *s = solve(ROW("1"), "radau", "1e-6");

    if (s == NULL) return;
    CHECK_TEXT(s->method, "radau");
    CHECK_TEXT(s->why, "asked for by name");
    finish(&s);
}

/* Switches, small models and nonlinear y': Radau IIA. */
static void test_others(void)
{
    static const char *const texts[] = {
        "param N = 20\nvar x[i=1..N] = i\nfor i = 1..N {\n x[i]' = -abs(x[i] - 3)\n}\n"
        "over t = 0 .. 4\n",
        "var x = 1\nx' = -x\nover t = 0 .. 4\n",
        "param N = 20\nvar x[i=1..N] = i\nfor i = 1..N {\n x[i]' + x[i]'^3 = -x[i]\n}\n"
        "over t = 0 .. 4\n"};

    for (int k = 0; k < 3; k++) {
        rg_solution *s = solve(texts[k], "auto", "1e-6");
        if (s != NULL) CHECK_TEXT(s->method, "radau");
        finish(&s);
    }
}

/* Constraints on velocities: an ice skate on an inclined plane. */
static void test_velocities(void)
{
    static const char skate[] =
        "param w = 1, g = 2\nvar x = 0, y = 0, a = 0, x' = 0, y' = 0, a' = w\nvar l\n"
        "x'' = g + l*sin(a)\ny'' = -l*cos(a)\na'' = 0\n0 = x'*sin(a) - y'*cos(a)\n"
        "over t = 0 .. 4\nexact x = g/(2*w^2)*sin(w*t)^2\n"
        "exact y = g/(2*w^2)*(w*t - sin(2*w*t)/2)\n";
    rg_solution *s = solve(skate, "auto", "1e-4");

    if (s == NULL) return;
    CHECK_TEXT(s->method, "radau");
    finish(&s);
    s = solve(skate, "auto", "1e-3");
    if (s == NULL) return;
    CHECK_TEXT(s->method, "half-explicit");
    finish(&s);
    s = solve(skate, "half-explicit", "1e-5");
    if (s == NULL) return;
    for (int k = 0; k < TIMES; k++) {
        const double t = rg_solution_time(s, k);
        double y[16], yp[16];
        CHECK_INT(rg_solution_eval(s, t, y, yp), RG_OK);
        CHECK_NEAR(y[0], sin(t) * sin(t), 1e-4);
        CHECK_NEAR(y[1], t - sin(2.0 * t) / 2.0, 1e-4);
    }
    finish(&s);
}

static const test_case cases[] = {
    {"not stiff",                 test_not_stiff    },
    {"stiff",                     test_stiff        },
    {"few digits",                test_few_digits   },
    {"many steps",                test_long         },
    {"asked for by name",         test_asked_by_name},
    {"what is left to radau",     test_others       },
    {"constraints on velocities", test_velocities   }
};

int main(void)
{
    if (rg_context_create(&ctx) < 0) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
