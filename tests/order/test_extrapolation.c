/* Extrapolation methods: orders of the columns of all three schemes, rows as good as steps, error
 * control, singular positions, what is refused. */
#include "regula.h"
#include "support/test.h"

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

static rg_options *choose(const char *scheme, const char *order, const char *name,
                          const char *value)
{
    rg_options *o = NULL;

    CHECK_INT(rg_options_create(ctx, &o), RG_OK);
    CHECK_INT(rg_options_set(o, "method", "extrapolation"), RG_OK);
    CHECK_INT(rg_options_set(o, "scheme", scheme), RG_OK);
    if (order != NULL) CHECK_INT(rg_options_set(o, "order", order), RG_OK);
    if (name != NULL) CHECK_INT(rg_options_set(o, name, value), RG_OK);
    return o;
}

typedef struct {
    const char *model, *scheme, *order;
    int theory;
    const char *formulation;
    double step;
} column;

static void test_orders(void)
{
    static const column columns[] = {
        {"index2-linear", "midpoint", "2", 2, "direct",    0.05 },
        {"index2-linear", "midpoint", "4", 4, "direct",    0.05 },
        {"index2-linear", "midpoint", "6", 6, "direct",    0.2  },
        {"mechanical",    "midpoint", "2", 2, "direct",    0.05 },
        {"mechanical",    "midpoint", "4", 4, "direct",    0.05 },
        {"mechanical",    "midpoint", "6", 6, "direct",    0.1  },
        {"mechanical",    "euler3",   "1", 1, "direct",    0.05 },
        {"mechanical",    "euler3",   "3", 2, "direct",    0.05 },
        {"mechanical",    "euler3",   "4", 2, "direct",    0.025},
        {"index1",        "seulex",   "1", 1, "direct",    0.05 },
        {"index1",        "seulex",   "2", 2, "direct",    0.05 },
        {"index1",        "seulex",   "3", 3, "direct",    0.05 },
        {"index1",        "seulex",   "4", 4, "direct",    0.025},
        {"index2",        "seulex",   "3", 3, "projected", 0.025},
        {"mechanical",    "seulex",   "4", 4, "projected", 0.025}
    };
    char path[64];

    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        const column *c = &columns[k];
        const double steps[] = {c->step, c->step / 2.0};
        snprintf(path, sizeof path, "tests/order/rk/order-%s.rg", c->model);
        rg_problem *p = load(path);
        rg_options *o = choose(c->scheme, c->order, "formulation", c->formulation);
        rg_orders *orders = NULL;
        if (!CHECK_INT(rg_order_measure(p, 1.0, o, 2, steps, &orders), RG_OK))
            printf("    %s %s %s: %s\n", c->model, c->scheme, c->order,
                   rg_last_error(ctx)->message);
        if (orders != NULL) CHECK_INT(rg_orders_theory(orders, 0), c->theory);
        rg_orders_destroy(&orders);
        rg_options_destroy(&o);
        rg_problem_destroy(&p);
    }
}

/* Errors over all rows, within 50 times the tolerance; both levels of constraints to rounding. */
static void check_adaptive(const char *model, const char *scheme, const char *tol, double drift)
{
    char path[64];
    double times[37];
    rg_options *o = choose(scheme, NULL, "tol", tol);
    rg_solution *s = NULL;

    for (int k = 0; k < 37; k++)
        times[k] = (k + 1) / 38.0;
    const rg_request request = {.keep = RG_KEEP_ROWS, .n_times = 37, .times = times};
    snprintf(path, sizeof path, "tests/order/rk/order-%s.rg", model);
    rg_problem *p = load(path);
    if (CHECK_INT(rg_solve_request(p, 1.0, o, &request, &s), RG_OK)) {
        for (int64_t j = 0; j < rg_problem_size(p); j++)
            if (!CHECK(rg_solution_error(s, j) < 50.0 * atof(tol)))
                printf("    %s %s %s: %g\n", model, scheme, tol, rg_solution_error(s, j));
        for (int level = 0; level < rg_solution_drift_levels(s); level++)
            CHECK(rg_solution_drift(s, level) < drift);
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
}

static void test_adaptive(void)
{
    static const char *const tolerances[] = {"1e-3", "1e-5", "1e-7"};

    for (int k = 0; k < 3; k++) {
        check_adaptive("index2-linear", "midpoint", tolerances[k], 1e-13);
        check_adaptive("mechanical", "midpoint", tolerances[k], 1e-13);
        check_adaptive("mechanical", "euler3", tolerances[k], 1e-13);
        check_adaptive("index1", "seulex", tolerances[k], 1e-13);
        check_adaptive("index2", "seulex", tolerances[k], 1e-10);
        check_adaptive("mechanical", "auto", tolerances[k], 1e-13);
        check_adaptive("index1", "auto", tolerances[k], 1e-13);
    }
}

/* Constraints on positions and on velocities together, which no scheme may forget. */
static void test_kinematic(void)
{
    static const char *const schemes[] = {"midpoint", "euler3"};
    rg_problem *p = load("examples/rk/geometric-kinematic.rg");

    for (int k = 0; k < 2; k++) {
        rg_options *o = choose(schemes[k], NULL, "tol", "1e-6");
        rg_solution *s = NULL;
        if (CHECK_INT(rg_solve(p, 2.0, o, &s), RG_OK))
            for (int64_t j = 0; j < rg_problem_size(p); j++)
                if (!CHECK(rg_solution_error(s, j) < 1e-4))
                    printf("    %s: %g\n", schemes[k], rg_solution_error(s, j));
        rg_solution_destroy(&s);
        rg_options_destroy(&o);
    }
    rg_problem_destroy(&p);
}

static void test_singular(void)
{
    rg_problem *p = load("examples/singular/smooth-multiplier.rg");
    rg_options *o = choose("midpoint", NULL, "tol", "1e-6");
    rg_solution *s = NULL;

    if (CHECK_INT(rg_solve(p, 1.0, o, &s), RG_OK))
        for (int64_t j = 0; j < rg_problem_size(p); j++)
            CHECK(!(rg_solution_error(s, j) >= 1e-6)); /* NaN: no exact solution is known */
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
}

/* y3 = 1 - y1 - y2 is rounded to 1e-16, whatever the step: atol = 1e-8 tol is below what the table
 * makes of it.  In other units and time scales all the same. */
static void check_rounded(const char *tol, double unit, double time)
{
    char text[512];
    rg_problem *p = NULL;
    rg_options *o = choose("seulex", NULL, "rtol", tol);
    rg_solution *s = NULL;
    double y[3];

    snprintf(text, sizeof text,
             "param u = %g, T = %g\nvar y1 = u, y2 = 0, y3\n"
             "T*y1' = -0.04*y1 + 1e4*y2*y3/u\n"
             "T*y2' = 0.04*y1 - 1e4*y2*y3/u - 3e7*y2^2/u\n"
             "0 = y1 + y2 + y3 - u\nover t = 0 .. 40*T\n\n",
             unit, time);
    CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK);
    snprintf(text, sizeof text, "%g", 1e-8 * atof(tol) * unit);
    CHECK_INT(rg_options_set(o, "atol", text), RG_OK);
    if (!CHECK_INT(rg_solve(p, 40.0 * time, o, &s), RG_OK))
        printf("    %s %g %g: %s\n", tol, unit, time, rg_last_error(ctx)->message);
    if (s != NULL && rg_solution_eval(s, 40.0 * time, y, NULL) >= 0) {
        CHECK_NEAR(y[0] / unit, 0.7158270687194, 50.0 * atof(tol));
        CHECK_NEAR(y[1] / unit * 1e5, 0.9185534764557, 50.0 * atof(tol));
        CHECK_NEAR(y[2] / unit, 0.2841637457458, 50.0 * atof(tol));
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
}

static void test_rounded(void)
{
    check_rounded("1e-7", 1.0, 1.0);
    check_rounded("1e-7", 1e9, 1e-6);
    check_rounded("1e-7", 1e-9, 1e6);
    check_rounded("1e-8", 1.0, 1.0);
}

/* x/unit and lambda at the end of a pendulum with lengths of that unit, euler3 at 1e-8. */
static void swing(double unit, double found[2])
{
    char text[512];
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options *o = choose("euler3", NULL, "rtol", "1e-8");
    double y[5] = {0};

    snprintf(text, sizeof text,
             "param u = %g\nvar p = u, q ~ 0, v ~ 0, w = 0, l ~ 0\np' = v\nq' = w\nv' = -p*l\n"
             "w' = -q*l - 9.81*u\np^2 + q^2 = u^2\nover t = 0 .. 2\n",
             unit);
    CHECK_INT(rg_options_set(o, "atol", "1e-8"), RG_OK);
    CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK);
    CHECK_INT(rg_solve(p, 2.0, o, &s), RG_OK);
    if (s != NULL) CHECK_INT(rg_solution_eval(s, 2.0, y, NULL), RG_OK);
    found[0] = y[0] / unit;
    found[1] = y[4];
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_options_destroy(&o);
}

/* Rounding of positions over the step, in velocities, made every step fail from 1e3 on. */
static void test_lengths(void)
{
    static const double units[] = {1.0, 1e3, 1e6, 1e9};

    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        double found[2];
        swing(units[k], found);
        CHECK_NEAR(found[0], 0.7935661953434, 1e-7);
        CHECK_NEAR(found[1], 17.90768207296, 2e-6);
    }
}

static void refused(const char *model, const char *scheme, const char *order, const char *word)
{
    char path[64];
    rg_options *o = choose(scheme, order, NULL, NULL);
    rg_solution *s = NULL;

    snprintf(path, sizeof path, "tests/order/rk/order-%s.rg", model);
    rg_problem *p = load(path);
    CHECK_INT(rg_solve(p, 1.0, o, &s), RG_ERR_METHOD);
    if (!CHECK(strstr(rg_last_error(ctx)->message, word) != NULL))
        printf("    %s\n", rg_last_error(ctx)->message);
    CHECK(rg_last_error(ctx)->remedy[0] != '\0');
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
}

static void test_refused(void)
{
    refused("index2", "midpoint", NULL, "not linear in the multipliers");
    refused("index1", "midpoint", NULL, "unknown without a derivative");
    refused("index2-linear", "euler3", NULL, "q' = v");
    refused("index1", "seulex", "9", "--order 9");
    refused("index1", "seulex", "1", "no error estimate");
    refused("index1", "bulirsch", NULL, "no scheme 'bulirsch'");
    refused("index3", "auto", NULL, "q' = v");
}

static const test_case cases[] = {
    {"orders",                    test_orders   },
    {"error control",             test_adaptive },
    {"constraints on velocities", test_kinematic},
    {"singular positions",        test_singular },
    {"tolerances below rounding", test_rounded  },
    {"lengths",                   test_lengths  },
    {"refused",                   test_refused  }
};

int main(void)
{
    if (rg_context_create(&ctx) < 0) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
