/* Rosenbrock methods: order 4 of all components, order 3 between the steps, error control, time
 * derivatives of rows, what is refused. */
#include "regula.h"
#include "support/test.h"

#include "solve/choose.h"
#include "views/rate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rg_context *ctx;

static rg_problem *load(const char *path)
{
    rg_problem *p = NULL;

    CHECK_INT(rg_problem_from_file(ctx, path, &p), RG_OK);
    return p;
}

static rg_options *choose(const char *name, const char *value)
{
    rg_options *o = NULL;

    CHECK_INT(rg_options_create(ctx, &o), RG_OK);
    CHECK_INT(rg_options_set(o, "method", "rosenbrock"), RG_OK);
    CHECK_INT(rg_options_set(o, name, value), RG_OK);
    return o;
}

static void test_orders(void)
{
    static const double steps[] = {0.05, 0.025, 0.0125, 0.00625};
    static const char *const models[] = {"index1", "index2", "index2-linear", "index3",
                                         "mechanical"};
    char path[64];

    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        snprintf(path, sizeof path, "tests/order/rk/order-%s.rg", models[k]);
        rg_problem *p = load(path);
        rg_options *o = choose("formulation", "projected");
        rg_orders *orders = NULL;
        CHECK_INT(rg_order_measure(p, 1.0, o, 4, steps, &orders), RG_OK);
        CHECK_INT(rg_orders_theory(orders, 0), 4);
        rg_orders_destroy(&orders);
        rg_options_destroy(&o);
        rg_problem_destroy(&p);
    }
}

/* Largest error of all unknowns at 37 times that are no steps. */
static double error_between(rg_problem *p, const rg_options *o)
{
    rg_solution *s = NULL;
    double largest = 0.0, y[3];

    if (!CHECK_INT(rg_solve(p, 1.0, o, &s), RG_OK)) return NAN;
    for (int k = 1; k < 38; k++) {
        const double t = k / 38.0, exact[] = {cos(t), 1.0 + 0.5 * sin(2.0 * t), exp(-t)};
        CHECK_INT(rg_solution_eval(s, t, y, NULL), RG_OK);
        for (int j = 0; j < 3; j++)
            largest = fmax(largest, fabs(y[j] - exact[j]));
    }
    rg_solution_destroy(&s);
    return largest;
}

static void test_dense(void)
{
    rg_problem *p = load("tests/order/rk/order-index1.rg");
    rg_options *rough = choose("step", "0.05"), *fine = choose("step", "0.025");

    const double order = log2(error_between(p, rough) / error_between(p, fine));
    CHECK(order > 2.8);
    rg_options_destroy(&rough);
    rg_options_destroy(&fine);
    rg_problem_destroy(&p);
}

static void test_adaptive(void)
{
    static const char *const models[] = {"index1", "index2", "index3", "mechanical"};
    static const char *const tolerances[] = {"1e-4", "1e-6", "1e-8"};
    char path[64];

    for (size_t k = 0; k < 12; k++) {
        snprintf(path, sizeof path, "tests/order/rk/order-%s.rg", models[k / 3]);
        rg_problem *p = load(path);
        rg_options *o = choose("tol", tolerances[k % 3]);
        rg_solution *s = NULL;
        if (CHECK_INT(rg_solve(p, 1.0, o, &s), RG_OK))
            for (int64_t j = 0; j < rg_problem_size(p); j++)
                CHECK(rg_solution_error(s, j) < 100.0 * atof(tolerances[k % 3]));
        rg_solution_destroy(&s);
        rg_options_destroy(&o);
        rg_problem_destroy(&p);
    }
}

/* F_t by differences, on models with t in them. */
static void check_rate(const char *path, rg_view_kind kind)
{
    rg_problem *p = load(path);
    const rg_analysis *a;
    rg_system *s = NULL;
    rg_system_work *w = NULL;
    rg_rate *rate = NULL;

    if (!CHECK_INT(rg_analysis_get(p, &a), RG_OK)) return;
    CHECK_INT(rg_system_create(p, a, kind, &s), RG_OK);
    CHECK_INT(rg_system_work_create(s, &w), RG_OK);
    CHECK_INT(rg_rate_create(s, &rate), RG_OK);
    CHECK(!rg_rate_is_zero(rate));
    const rg_pattern *pattern = rg_system_pattern(s);
    const size_t n = (size_t)rg_system_size(s), entries = (size_t)pattern->start[n];
    double *y = calloc(5 * n + 2 * entries, sizeof *y), *yp = y + n, *F = yp + n, *G = F + n;
    double *Ft = G + n, *Jy = Ft + n, *Jyp = Jy + entries;
    const double t = 0.3, d = 1e-5;
    for (size_t k = 0; k < n; k++) {
        y[k] = 0.4 + 0.2 * sin(1.0 + 2.0 * (double)k);
        yp[k] = 0.3 * cos(3.0 * (double)k);
    }
    CHECK_INT(rg_system_jacobian(s, w, t, y, yp, Jy, Jyp), RG_OK);
    const rg_rate_point at = {t, y, yp, Jy, 1.0};
    CHECK_INT(rg_rate_eval(rate, w, &at, Ft), RG_OK);
    CHECK_INT(rg_system_residual(s, w, t + d, y, yp, F), RG_OK);
    CHECK_INT(rg_system_residual(s, w, t - d, y, yp, G), RG_OK);
    for (size_t k = 0; k < n; k++)
        CHECK_NEAR(Ft[k], (F[k] - G[k]) / (2.0 * d), 1e-8 * (1.0 + fabs(Ft[k])));
    free(y);
    rg_rate_destroy(&rate);
    rg_system_work_destroy(&w);
    rg_system_destroy(&s);
    rg_problem_destroy(&p);
}

static void test_rate(void)
{
    check_rate("tests/order/rk/order-index1.rg", RG_VIEW_DIRECT);
    check_rate("tests/order/rk/order-mechanical.rg", RG_VIEW_DIRECT);
    check_rate("tests/order/rk/order-mechanical.rg", RG_VIEW_REDUCED);
    check_rate("tests/order/rk/order-index2.rg", RG_VIEW_REDUCED);
}

static void refused(const char *text, const char *name, const char *value, const char *word)
{
    rg_problem *p = NULL;
    rg_options *o = choose(name, value);
    rg_solution *s = NULL;

    CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK);
    CHECK_INT(rg_solve(p, 1.0, o, &s), RG_ERR_METHOD);
    CHECK(strstr(rg_last_error(ctx)->message, word) != NULL);
    CHECK(rg_last_error(ctx)->remedy[0] != '\0');
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
}

/* A singular mass matrix is solved, also one that moves: the combination x + y = 0 takes the place
 * of an equation, and 2 log(x) + x^2 = 1 - t is left. */
static void test_mass(void)
{
    static const char constant[] = "var x = 1, y ~ -1\nx' - y' = -x\ny' - x' = -y\n"
                                   "over t = 0 .. 1\n";
    static const char moving[] = "var x = 1, y ~ -1\n(1 + x^2)*(x' - y') = -x\n"
                                 "(1 + x^2)*(y' - x') = -y\nover t = 0 .. 1\n";
    rg_problem *p = NULL;
    rg_options *o = choose("tol", "1e-6");
    rg_solution *s = NULL;
    double y[2];

    CHECK_INT(rg_problem_from_text(ctx, moving, &p), RG_OK);
    if (CHECK_INT(rg_solve(p, 1.0, o, &s), RG_OK)
        && CHECK_INT(rg_solution_eval(s, 1.0, y, NULL), RG_OK)) {
        CHECK_NEAR(2.0 * log(y[0]) + y[0] * y[0], 0.0, 1e-5);
        CHECK_NEAR(y[0] + y[1], 0.0, 1e-9);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    refused(constant, "scheme", "ros3", "ros3");
    CHECK_INT(rg_problem_from_text(ctx, constant, &p), RG_OK);
    if (CHECK_INT(rg_solve(p, 1.0, o, &s), RG_OK)
        && CHECK_INT(rg_solution_eval(s, 1.0, y, NULL), RG_OK)) {
        CHECK_NEAR(y[0], exp(-0.5), 1e-5);
        CHECK_NEAR(y[1], -exp(-0.5), 1e-5);
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
}

/* B(y) y' = a(y) with a singular B(y): reduced unless it is asked for as written. */
static void test_singular_matrix(void)
{
    rg_problem *p = load("examples/rk/singular-matrix.rg");
    rg_options *o = choose("tol", "1e-7"), *direct = choose("formulation", "direct");
    rg_solution *s = NULL;

    if (CHECK_INT(rg_solve(p, 2.0, o, &s), RG_OK))
        for (int64_t j = 0; j < 3; j++)
            CHECK(rg_solution_error(s, j) < 1e-6);
    rg_solution_destroy(&s);
    CHECK_INT(rg_solve(p, 2.0, direct, &s), RG_ERR_METHOD);
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_options_destroy(&direct);
    rg_problem_destroy(&p);
}

/* The largest error at t = 1 with fixed steps, as written. */
static double error_with(const char *text, const char *step)
{
    rg_problem *p = NULL;
    rg_options *o = choose("step", step);
    rg_solution *s = NULL;
    const rg_analysis *a;
    rg_choice choice = {0};
    double most = NAN;

    CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK);
    if (CHECK_INT(rg_analysis_get(p, &a), RG_OK) && CHECK_INT(rg_choose(p, a, o, &choice), RG_OK))
        CHECK_INT(choice.view, RG_VIEW_DIRECT);
    if (CHECK_INT(rg_solve(p, 1.0, o, &s), RG_OK)) {
        most = 0.0;
        for (int64_t j = 0; j < 3; j++)
            most = fmax(most, rg_solution_error(s, j));
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    return most;
}

/* M y' = f with a constant singular M in which no row is zero, as in the transistor amplifier: as
 * written, which halves the work of a step; order 4. */
static void test_constant_matrix(void)
{
    static const char constant[] = "var a = 1, b = 0, c ~ 1\n"
                                   "a' + b' = cos(t) - sin(t) + c^3 - exp(-1.5*t)\n"
                                   "2*a' + 2*b' = 2*cos(t) - 2*sin(t) + a^2 - cos(t)^2\n"
                                   "b' - c' = cos(t) + exp(-t/2)/2 + (b - sin(t))*c\n"
                                   "exact a = cos(t)\nexact b = sin(t)\nexact c = exp(-t/2)\n"
                                   "over t = 0 .. 1\n";
    const double coarse = error_with(constant, "0.1"), fine = error_with(constant, "0.025");

    printf("errors %.2e, %.2e: order %.2f\n", coarse, fine, log2(coarse / fine) / 2.0);
    CHECK(log2(coarse / fine) / 2.0 >= 3.8);
    CHECK(fine < 1e-7);
}

/* Whether y' enters as M y', and the end at t = 1 with fixed steps. */
static double end_of(const char *text, bool has_mass)
{
    rg_problem *p = NULL;
    rg_options *o = choose("step", "0.01");
    rg_solution *s = NULL;
    const rg_analysis *a;
    rg_system *system = NULL;
    double y[5] = {NAN};

    CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK);
    if (CHECK_INT(rg_analysis_get(p, &a), RG_OK)
        && CHECK_INT(rg_system_create(p, a, RG_VIEW_DIRECT, &system), RG_OK))
        CHECK_INT(rg_system_has_mass(system), has_mass);
    if (CHECK_INT(rg_solve(p, 1.0, o, &s), RG_OK))
        CHECK_INT(rg_solution_eval(s, 1.0, y, NULL), RG_OK);
    rg_solution_destroy(&s);
    rg_system_destroy(&system);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    return y[0];
}

/* The same equations with a constant M and with one that moves; a branch that follows y' is
 * taken with y'.  1, 4 and 5 states: one block of four numbers, and two. */
static void test_forms(void)
{
    static const char *const rest[] = {"", "var b = 1, c = 1, d = 1\nb' = -b\nc' = b\nd' = c\n",
                                       ("var b = 1, c = 1, d = 1, e = 1\nb' = -b\nc' = b\nd' = c\n"
                                        "e' = d\n")};
    static const char *const plain = "var x = 1\nx' = -x*sin(5*t)\nover t = 0 .. 1\n",
                             *moving = "var x = 1\n(2 + x^2)*x' = -(2 + x^2)*x*sin(5*t)\n"
                                       "over t = 0 .. 1\n",
                             *branch = "var x = 1\nx' = -x*if(x' > -100, 1, 0)\n"
                                       "over t = 0 .. 1\n";
    const double exact = exp(-(1.0 - cos(5.0)) / 5.0);
    char text[512];

    for (int k = 0; k < 3; k++) {
        snprintf(text, sizeof text, "%s%s", plain, rest[k]);
        CHECK_NEAR(end_of(text, true), exact, 1e-6);
        snprintf(text, sizeof text, "%s%s", moving, rest[k]);
        CHECK_NEAR(end_of(text, false), exact, 1e-6);
        snprintf(text, sizeof text, "%s%s", branch, rest[k]);
        CHECK_NEAR(end_of(text, false), exp(-1.0), 1e-8);
    }
}

static const test_case cases[] = {
    {"orders",          test_orders         },
    {"dense output",    test_dense          },
    {"error control",   test_adaptive       },
    {"time derivative", test_rate           },
    {"mass matrices",   test_mass           },
    {"forms of y'",     test_forms          },
    {"singular matrix", test_singular_matrix},
    {"constant matrix", test_constant_matrix}
};

int main(void)
{
    if (rg_context_create(&ctx) < 0) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
