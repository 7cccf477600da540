/* Implicit Runge-Kutta methods: observed orders per kind of component at least those of theory, on
 * the models of tests/order/rk; adaptive runs; what is refused. */
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rg_context *ctx;

/* Text of "method", "stages" or "order" and a formulation. */
typedef struct {
    const char *method, *name, *value, *formulation;
} setting;

static rg_problem *load(const char *model)
{
    char path[128];
    rg_problem *p = NULL;

    snprintf(path, sizeof path, "tests/order/rk/order-%s.rg", model);
    CHECK_INT(rg_problem_from_file(ctx, path, &p), RG_OK);
    return p;
}

static rg_options *choose(const setting *c)
{
    rg_options *o = NULL;

    CHECK_INT(rg_options_create(ctx, &o), RG_OK);
    CHECK_INT(rg_options_set(o, "method", c->method), RG_OK);
    CHECK_INT(rg_options_set(o, c->name, c->value), RG_OK);
    CHECK_INT(rg_options_set(o, "formulation", c->formulation), RG_OK);
    return o;
}

static void measure(const char *model, const setting *c)
{
    static const double long_steps[] = {0.5, 0.25, 0.125, 0.0625}, steps[] = {0.1, 0.05, 0.025};
    const bool is_high = strcmp(c->name, "stages") == 0 && c->value[0] >= '4';
    rg_problem *p = load(model);
    rg_options *o = choose(c);
    rg_orders *orders = NULL;

    if (p != NULL
        && !CHECK_INT(
            rg_order_measure(p, 1.0, o, is_high ? 4 : 3, is_high ? long_steps : steps, &orders),
            RG_OK))
        printf("    %s, %s %s: %s\n", model, c->method, c->value, rg_last_error(ctx)->message);
    rg_orders_destroy(&orders);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
}

/* Steps as they are without --steps: with the smallest ones rounding is far above 1e-12 in z and u,
 * and far below it in v of the half-explicit method, whose orders still rise. */
static void test_default_steps(void)
{
    static const struct {
        const char *model;
        setting method;
    } cases[] = {
        {"index2",     {"gauss", "stages", "4", "direct"}       },
        {"index2",     {"gauss", "stages", "5", "direct"}       },
        {"index3",     {"radau", "stages", "4", "direct"}       },
        {"index3",     {"lobatto3a", "stages", "4", "direct"}   },
        {"mechanical", {"half-explicit", "order", "5", "direct"}}
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_problem *p = load(cases[k].model);
        rg_options *o = choose(&cases[k].method);
        rg_orders *orders = NULL;
        if (!CHECK_INT(rg_order_measure(p, 1.0, o, 0, NULL, &orders), RG_OK))
            printf("    case %d: %s\n", (int)k, rg_last_error(ctx)->message);
        rg_orders_destroy(&orders);
        rg_options_destroy(&o);
        rg_problem_destroy(&p);
    }
}

/* A run that fails says so, and what did not converge before is below. */
static void test_failed_run(void)
{
    static const setting gauss = {"gauss", "stages", "1", "direct"};
    static const double steps[] = {0.1, 0.05, 0.025, 0.0125};
    rg_problem *p = load("index3");
    rg_options *o = choose(&gauss);
    rg_orders *orders = NULL;

    CHECK_INT(rg_order_measure(p, 1.0, o, 4, steps, &orders), RG_ERR_CONVERGENCE);
    CHECK(strstr(rg_last_error(ctx)->message, "with step h = 0.0125") != NULL);
    CHECK_TEXT(rg_orders_verdict(orders, 4), "below"); /* u */
    rg_orders_destroy(&orders);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
}

static void test_index1(void)
{
    static const setting cases[] = {
        {"gauss",     "stages", "1", "direct"},
        {"gauss",     "stages", "2", "direct"},
        {"gauss",     "stages", "3", "direct"},
        {"radau1a",   "stages", "2", "direct"},
        {"radau1a",   "stages", "3", "direct"},
        {"radau",     "stages", "2", "direct"},
        {"lobatto3a", "stages", "2", "direct"},
        {"lobatto3a", "stages", "3", "direct"},
        {"lobatto3c", "stages", "2", "direct"},
        {"lobatto3c", "stages", "3", "direct"},
        {"sdirk",     "order",  "2", "direct"},
        {"sdirk",     "order",  "3", "direct"},
        {"sdirk",     "order",  "4", "direct"}
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        measure("index1", &cases[k]);
}

static void test_index2(void)
{
    static const setting cases[] = {
        {"gauss",     "stages", "2", "direct"},
        {"gauss",     "stages", "3", "direct"},
        {"gauss",     "stages", "4", "direct"},
        {"radau1a",   "stages", "3", "direct"},
        {"radau1a",   "stages", "4", "direct"},
        {"radau",     "stages", "2", "direct"},
        {"radau",     "stages", "4", "direct"},
        {"lobatto3a", "stages", "3", "direct"},
        {"lobatto3a", "stages", "4", "direct"},
        {"lobatto3c", "stages", "3", "direct"},
        {"lobatto3c", "stages", "4", "direct"},
        {"sdirk",     "order",  "2", "direct"},
        {"sdirk",     "order",  "3", "direct"}
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        measure("index2", &cases[k]);
        measure("index2-linear", &cases[k]);
    }
}

static void test_index3(void)
{
    static const setting cases[] = {
        {"gauss",     "stages", "3", "direct"   },
        {"radau1a",   "stages", "4", "direct"   },
        {"radau",     "stages", "2", "direct"   },
        {"radau",     "stages", "4", "direct"   },
        {"lobatto3a", "stages", "4", "direct"   },
        {"lobatto3c", "stages", "3", "direct"   },
        {"lobatto3c", "stages", "4", "direct"   },
        {"radau",     "stages", "2", "ggl"      },
        {"gauss",     "stages", "3", "ggl"      },
        {"lobatto3c", "stages", "3", "ggl"      },
        {"gauss",     "stages", "2", "projected"},
        {"radau1a",   "stages", "2", "projected"},
        {"lobatto3a", "stages", "3", "projected"},
        {"sdirk",     "order",  "3", "projected"}
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        measure("mechanical", &cases[k]);
}

/* Error control on index 1: errors within 100 times the tolerance, for z of Gauss methods too. */
static void test_adaptive(void)
{
    static const setting cases[] = {
        {"gauss",     "stages", "3", "auto"},
        {"radau",     "stages", "4", "auto"},
        {"lobatto3a", "stages", "4", "auto"},
        {"lobatto3c", "stages", "4", "auto"},
        {"sdirk",     "order",  "4", "auto"}
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_problem *p = load("index1");
        rg_options *o = choose(&cases[k]);
        rg_solution *s = NULL;
        CHECK_INT(rg_options_set(o, "tol", "1e-6"), RG_OK);
        if (CHECK_INT(rg_solve(p, 1.0, o, &s), RG_OK))
            for (int64_t j = 0; j < 3; j++)
                CHECK(rg_solution_error(s, j) < 1e-4);
        rg_solution_destroy(&s);
        rg_options_destroy(&o);
        rg_problem_destroy(&p);
    }
}

/* Error control on index 2 and 3, on the view that is taken unless one is asked for. */
static void test_adaptive_high(void)
{
    static const setting settings[] = {
        {"gauss",     "stages", "2", "auto"},
        {"gauss",     "stages", "3", "auto"},
        {"radau",     "stages", "4", "auto"},
        {"lobatto3a", "stages", "4", "auto"},
        {"lobatto3c", "stages", "4", "auto"},
        {"sdirk",     "order",  "4", "auto"}
    };
    static const char *const models[] = {"index2", "index2-linear", "mechanical"};

    for (size_t k = 0; k < 3 * sizeof settings / sizeof *settings; k++) {
        rg_problem *p = load(models[k % 3]);
        rg_options *o = choose(&settings[k / 3]);
        rg_solution *s = NULL;
        CHECK_INT(rg_options_set(o, "tol", "1e-6"), RG_OK);
        if (CHECK_INT(rg_solve(p, 1.0, o, &s), RG_OK))
            for (int64_t j = 0; j < rg_problem_size(p); j++)
                if (!CHECK(rg_solution_error(s, j) < 5e-5))
                    printf("    %s, %s %s: %g\n", models[k % 3], settings[k / 3].method,
                           settings[k / 3].value, rg_solution_error(s, j));
        rg_solution_destroy(&s);
        rg_options_destroy(&o);
        rg_problem_destroy(&p);
    }
}

/* What does not converge is refused by name as written, and solved when the index is reduced. */
static void test_refused(void)
{
    const setting direct = {"gauss", "stages", "2", "direct"},
                  chosen = {"gauss", "stages", "2", "auto"};
    rg_problem *p = load("index3");
    rg_options *o = choose(&direct);
    rg_solution *s = NULL;

    CHECK_INT(rg_options_set(o, "step", "0.05"), RG_OK);
    CHECK_INT(rg_solve(p, 1.0, o, &s), RG_ERR_METHOD);
    CHECK(strstr(rg_last_error(ctx)->message, "'u'") != NULL);
    CHECK(strstr(rg_last_error(ctx)->remedy, "projected") != NULL);
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    o = choose(&chosen);
    CHECK_INT(rg_options_set(o, "step", "0.05"), RG_OK);
    if (CHECK_INT(rg_solve(p, 1.0, o, &s), RG_OK)) CHECK(rg_solution_error(s, 4) < 1e-2);
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
}

/* Ascher and Petzold: order 2s for Gauss, in z too; radau1a 2s - 2. */
static void test_projected(void)
{
    static const double low[] = {0.1, 0.05, 0.025}, high[] = {0.5, 0.25};
    static const setting settings[] = {
        {"gauss",   "stages", "1", "direct"},
        {"gauss",   "stages", "2", "direct"},
        {"gauss",   "stages", "3", "direct"},
        {"radau1a", "stages", "2", "direct"},
        {"radau1a", "stages", "3", "direct"}
    };
    static const int theory[] = {2, 4, 6, 2, 4};

    for (int k = 0; k < 10; k++) {
        const setting *c = &settings[k / 2];
        rg_problem *p = load(k % 2 == 0 ? "index2" : "index2-linear");
        rg_options *o = choose(c);
        rg_orders *orders = NULL;
        CHECK_INT(rg_options_set(o, "projected", "on"), RG_OK);
        if (!CHECK_INT(
                rg_order_measure(p, 1.0, o, k / 2 == 2 ? 2 : 3, k / 2 == 2 ? high : low, &orders),
                RG_OK))
            printf("    %s %s: %s\n", c->method, c->value, rg_last_error(ctx)->message);
        for (int64_t j = 0; j < 3 && orders != NULL; j++)
            CHECK_INT(rg_orders_theory(orders, j), theory[k / 2]);
        rg_orders_destroy(&orders);
        rg_options_destroy(&o);
        rg_problem_destroy(&p);
    }
}

/* B(y) y' = a(y) with a singular matrix: the orders of y in index 2. */
static void test_singular_matrix(void)
{
    static const setting settings[] = {
        {"gauss",     "stages", "3", "direct"},
        {"radau",     "stages", "3", "direct"},
        {"lobatto3c", "stages", "3", "direct"},
        {"sdirk",     "order",  "4", "direct"}
    };
    static const int theory[] = {4, 5, 4, 2};
    static const double steps[] = {0.1, 0.05, 0.025};
    rg_problem *p = NULL;

    CHECK_INT(rg_problem_from_file(ctx, "examples/rk/singular-matrix.rg", &p), RG_OK);
    for (int k = 0; k < 4; k++) {
        rg_options *o = choose(&settings[k]);
        rg_orders *orders = NULL;
        CHECK_INT(rg_order_measure(p, 2.0, o, 3, steps, &orders), RG_OK);
        if (orders != NULL) CHECK_INT(rg_orders_theory(orders, 0), theory[k]);
        rg_orders_destroy(&orders);
        rg_options_destroy(&o);
    }
    rg_problem_destroy(&p);
}

/* Theory 0 is no excuse: errors that grow are below it.  Positions of mechanics converge all the
 * same, those without q' = v do not. */
static void test_divergent(void)
{
    static const double steps[] = {0.1, 0.05, 0.025};
    const setting gauss = {"gauss", "stages", "2", "direct"},
                  lobatto = {"lobatto3a", "stages", "3", "direct"};
    rg_problem *p = load("mechanical"), *q = load("index3");
    rg_options *o = choose(&gauss);
    rg_orders *orders = NULL;

    CHECK_INT(rg_order_measure(p, 1.0, o, 3, steps, &orders), RG_ERR_CONVERGENCE);
    CHECK(strstr(rg_last_error(ctx)->message, "'lambda' does not converge") != NULL);
    CHECK_INT(rg_orders_theory(orders, 0), 2);
    CHECK_INT(rg_orders_theory(orders, 4), 0);
    CHECK(strcmp(rg_orders_verdict(orders, 0), "ok") == 0);
    CHECK(strcmp(rg_orders_verdict(orders, 4), "below") == 0);
    rg_orders_destroy(&orders);
    rg_options_destroy(&o);
    o = choose(&lobatto);
    CHECK_INT(rg_order_measure(p, 1.0, o, 3, steps, &orders), RG_OK);
    CHECK_INT(rg_orders_theory(orders, 0), 2);
    rg_orders_destroy(&orders);
    CHECK_INT(rg_order_measure(q, 1.0, o, 3, steps, &orders), RG_OK);
    CHECK_INT(rg_orders_theory(orders, 0), 0);
    rg_orders_destroy(&orders);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    rg_problem_destroy(&q);
}

/* Steps that do not divide the interval, and methods without fixed steps. */
static void test_bad(void)
{
    static const double odd[] = {0.3, 0.15};
    const setting gauss = {"gauss", "stages", "2", "direct"},
                  bdf = {"bdf", "stages", "0", "direct"};
    rg_problem *p = load("index1");
    rg_options *o = choose(&gauss);
    rg_orders *orders = NULL;

    CHECK_INT(rg_order_measure(p, 1.0, o, 2, odd, &orders), RG_ERR_ARGUMENT);
    CHECK(orders == NULL);
    CHECK_INT(rg_order_measure(p, 1.0, o, 1, odd, &orders), RG_ERR_ARGUMENT);
    rg_options_destroy(&o);
    o = choose(&bdf);
    CHECK_INT(rg_order_measure(p, 1.0, o, 0, NULL, &orders), RG_ERR_METHOD);
    CHECK(strstr(rg_last_error(ctx)->remedy, "gauss") != NULL);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
}

/* Gauss does not damp errors of algebraic unknowns. */
static void test_settled(void)
{
    static const char *const stages[] = {"2", "3", "4"};
    rg_problem *p = load("index1");

    for (int i = 0; i < 3; i++) {
        const setting c = {"gauss", "stages", stages[i], "direct"};
        rg_options *o = choose(&c);
        rg_solution *s = NULL;
        CHECK_INT(rg_options_set(o, "tol", "1e-8"), RG_OK);
        CHECK_INT(rg_solve(p, 1.0, o, &s), RG_OK);
        for (int k = 0; k < 3 && s != NULL; k++)
            if (!CHECK(rg_solution_error(s, k) < 3e-8))
                printf("    %s stages: %.3g\n", stages[i], rg_solution_error(s, k));
        rg_solution_destroy(&s);
        rg_options_destroy(&o);
    }
    rg_problem_destroy(&p);
}

/* Index 2 and the stabilized form of index 3: errors of multipliers, which Gauss does not damp, do
 * not end the run. */
static void test_undamped(void)
{
    static const char *const tolerances[] = {"1e-4", "1e-6", "1e-8"};
    static const char *const stages[] = {"3", "4"};

    for (int k = 0; k < 6; k++) {
        const setting c = {"gauss", "stages", stages[k / 3], "ggl"};
        rg_problem *p = load("mechanical");
        rg_options *o = choose(&c);
        rg_solution *s = NULL;
        CHECK_INT(rg_options_set(o, "tol", tolerances[k % 3]), RG_OK);
        if (CHECK_INT(rg_solve(p, 1.0, o, &s), RG_OK))
            CHECK(rg_solution_error(s, 0) < 10.0 * atof(tolerances[k % 3]));
        rg_solution_destroy(&s);
        rg_options_destroy(&o);
        rg_problem_destroy(&p);
    }
}

/* Gauss, 4 stages: multipliers of index 3 do not converge, and without q' = v positions have order
 * 2 in the end (numbers of 113 bits; doc/methods/irk.md), in mechanics 4. */
static void test_structure(void)
{
    static const double steps[] = {0.25, 0.125};
    static const char *const models[] = {"index3", "mechanical"};
    const setting c = {"gauss", "stages", "4", "direct"};

    for (int k = 0; k < 2; k++) {
        rg_problem *p = load(models[k]);
        rg_options *o = choose(&c);
        rg_orders *orders = NULL;
        CHECK_INT(rg_order_measure(p, 1.0, o, 2, steps, &orders), RG_OK);
        CHECK_INT(rg_orders_theory(orders, 0), k == 0 ? 2 : 4);
        CHECK_INT(rg_orders_theory(orders, 2), 2);
        rg_orders_destroy(&orders);
        rg_options_destroy(&o);
        rg_problem_destroy(&p);
    }
}

/* Stiff equations damp the ends of steps, where the filtered estimate looks: what lies between
 * them, and the steps of Gauss, which damps nothing, are watched too, and a second run does not
 * repeat the steps of the first. */
static void test_stiff_rows(void)
{
    static const char *const methods[] = {"gauss", "lobatto3a", "lobatto3c", "rosenbrock"};
    static const char *const tolerances[] = {"1e-3", "1e-4", "1e-6"};
    const setting c = {"sdirk", "order", "4", "direct"};
    const double times[] = {0.5, 1.1, 1.7, 2.3, 2.9, 3.5, 4.0};
    const rg_request r = {.keep = RG_KEEP_ROWS, .n_times = 7, .times = times, .estimate = 1};
    rg_problem *p = NULL;

    CHECK_INT(rg_problem_from_text(ctx,
                                   "var x = 1\nx' = -sin(t) - 1e5*(x - cos(t))\n"
                                   "exact x = cos(t)\nover t = 0 .. 4\n",
                                   &p),
              RG_OK);
    for (int k = 0; k < 15; k++) {
        const double tol = atof(tolerances[k % 3]);
        rg_options *o = k < 12 ? NULL : choose(&c);
        rg_solution *s = NULL;
        if (o == NULL) CHECK_INT(rg_options_create(ctx, &o), RG_OK);
        if (k < 12) CHECK_INT(rg_options_set(o, "method", methods[k / 3]), RG_OK);
        CHECK_INT(rg_options_set(o, "tol", tolerances[k % 3]), RG_OK);
        if (CHECK_INT(rg_solve_request(p, 4.0, o, &r, &s), RG_OK)) {
            const double error = rg_solution_error(s, 0), estimate = rg_solution_estimate(s);
            if (!CHECK(estimate >= 0.1 * error) || !CHECK(k >= 12 || error < 10.0 * tol))
                printf("    %d: error %.3g, estimate %.3g\n", k, error, estimate);
        }
        rg_solution_destroy(&s);
        rg_options_destroy(&o);
    }
    rg_problem_destroy(&p);
}

/* Rows between the steps of reduced models lie on the constraints. */
static void test_rows(void)
{
    static const char *const methods[] = {"gauss", "lobatto3c", "sdirk", "rosenbrock"};
    static const char text[] = "var p = 1, q = 0, u = 0, v = 0\nvar lambda\np' = u\nq' = v\n"
                               "u' = -p*lambda\nv' = -q*lambda - 9.81\n0 = p^2 + q^2 - 1\n"
                               "over t = 0 .. 1\n";
    rg_problem *p = NULL;
    double times[19], y[8];

    CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK);

    for (int k = 0; k < 19; k++)
        times[k] = (k + 1) / 19.0;
    for (int i = 0; i < 4; i++) {
        const setting c = {methods[i], "stages", "0", "projected"};
        rg_options *o = choose(&c);
        rg_solution *s = NULL;
        CHECK_INT(rg_options_set(o, "tol", "1e-5"), RG_OK);
        CHECK_INT(rg_solve_at(p, 1.0, o, 19, times, &s), RG_OK);
        for (int k = 0; k < 19 && s != NULL; k++) {
            CHECK_INT(rg_solution_eval(s, times[k], y, NULL), RG_OK);
            const double g = y[0] * y[0] + y[1] * y[1] - 1.0, dg = y[0] * y[2] + y[1] * y[3];
            if (!CHECK(fabs(g) < 1e-12) || !CHECK(fabs(dg) < 1e-11))
                printf("    %s: g = %.3g, dg/dt = %.3g\n", methods[i], g, dg);
        }
        rg_solution_destroy(&s);
        rg_options_destroy(&o);
    }
    rg_problem_destroy(&p);
}

/* y3 = 1 - y1 - y2 is rounded to 1e-16, whatever the step, and atol is 1e-17. */
static void test_rounded(void)
{
    static const char *const methods[] = {"gauss", "lobatto3c"};

    for (int k = 0; k < 2; k++) {
        const setting c = {methods[k], "rtol", "1e-9", "auto"};
        rg_options *o = choose(&c);
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        double y[3];
        CHECK_INT(rg_problem_from_file(ctx, "examples/ivp/robertson.rg", &p), RG_OK);
        CHECK_INT(rg_options_set(o, "atol", "1e-17"), RG_OK);
        CHECK_INT(rg_options_set(o, "max_steps", "40000"), RG_OK);
        if (!CHECK_INT(rg_solve(p, 40.0, o, &s), RG_OK))
            printf("    %s: %s\n", c.method, rg_last_error(ctx)->message);
        if (s != NULL && rg_solution_eval(s, 40.0, y, NULL) >= 0) {
            CHECK_NEAR(y[0], 0.7158270687194, 1e-8);
            CHECK_NEAR(y[1] * 1e5, 0.9185534764557, 1e-8);
            CHECK_NEAR(y[2], 0.2841637457458, 1e-8);
        }
        rg_solution_destroy(&s);
        rg_options_destroy(&o);
        rg_problem_destroy(&p);
    }
}

/* Index 2 as written with another unit of time: the same steps and the same errors. */
static void solve_in_time(const char *method, double T, int64_t *steps, double error[3])
{
    const setting c = {method, "tol", "1e-8", "direct"};
    rg_options *o = choose(&c);
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    char text[1024];

    snprintf(text, sizeof text,
             "param T = %g\nfun A(s) = 1.5 + cos(s)/2\nfun B(s) = log(2 + s)\n"
             "fun C(s) = 1 + sin(s)/3\nvar x = 2, y = log(2), z ~ 1\n"
             "T*x' = -sin(t/T)/2 + (z - C(t/T))*x*y + (y - B(t/T))*x^2\n"
             "T*y' = 1/(2 + t/T) + (z - C(t/T))*(1 + x) + (x - A(t/T))*y\n"
             "0 = x*y + x^3/3 + y^2 - A(t/T)*B(t/T) - A(t/T)^3/3 - B(t/T)^2\nover t = 0 .. T\n"
             "exact x = A(t/T)\nexact y = B(t/T)\nexact z = C(t/T)\n",
             T);
    CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK);
    if (!CHECK_INT(rg_solve(p, T, o, &s), RG_OK))
        printf("    %s, T = %g: %s\n", method, T, rg_last_error(ctx)->message);
    *steps = s != NULL ? rg_solution_stats(s).steps : 0;
    for (int64_t j = 0; j < 3; j++)
        error[j] = s != NULL ? rg_solution_error(s, j) : INFINITY;
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_options_destroy(&o);
}

static void test_time_scales(void)
{
    static const char *const methods[] = {"sdirk", "lobatto3a", "lobatto3c", "gauss"};
    static const double scales[] = {1e-9, 1e-3, 1e6};

    for (int k = 0; k < 4; k++) {
        int64_t steps, first;
        double error[3], there[3];
        solve_in_time(methods[k], 1.0, &first, error);
        for (int i = 0; i < 3; i++) {
            solve_in_time(methods[k], scales[i], &steps, there);
            if (!CHECK(llabs(steps - first) <= 2))
                printf("    %s, T = %g: %lld, %lld steps\n", methods[k], scales[i],
                       (long long)steps, (long long)first);
            for (int j = 0; j < 3; j++)
                if (!CHECK(there[j] < 2.0 * error[j] + 1e-8))
                    printf("    %s, T = %g: errors %g, %g\n", methods[k], scales[i], there[j],
                           error[j]);
        }
    }
}

static const test_case cases[] = {
    {"default steps",                test_default_steps  },
    {"a run that fails",             test_failed_run     },
    {"index 1",                      test_index1         },
    {"index 2",                      test_index2         },
    {"index 3",                      test_index3         },
    {"error control",                test_adaptive       },
    {"error control, index 2 and 3", test_adaptive_high  },
    {"refused",                      test_refused        },
    {"projected",                    test_projected      },
    {"singular matrix",              test_singular_matrix},
    {"divergent",                    test_divergent      },
    {"gauss, algebraic",             test_settled        },
    {"stiff, between steps",         test_stiff_rows     },
    {"structure",                    test_structure      },
    {"undamped multipliers",         test_undamped       },
    {"rows",                         test_rows           },
    {"time scales, index 2",         test_time_scales    },
    {"tolerances below rounding",    test_rounded        },
    {"bad input",                    test_bad            }
};

int main(void)
{
    if (rg_context_create(&ctx) < 0) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
