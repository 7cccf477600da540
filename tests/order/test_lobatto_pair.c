/* The Lobatto IIIA-IIIB pair: order 2s - 2 of all components, both levels of constraints to
 * rounding, symmetry, no drift of the energy over twenty thousand steps. */
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rg_context *ctx;

static const char pendulum[] = "var p = 1, q = 0, u = 0, v = 0\nvar lambda\n"
                               "p' = u\nq' = v\nu' = -p*lambda\nv' = -q*lambda - 9.81\n"
                               "0 = p^2 + q^2 - 1\nover t = 0 .. 1000\n";

static rg_options *choose(const char *stages, const char *step)
{
    rg_options *o = NULL;

    CHECK_INT(rg_options_create(ctx, &o), RG_OK);
    CHECK_INT(rg_options_set(o, "method", "lobatto-pair"), RG_OK);
    CHECK_INT(rg_options_set(o, "stages", stages), RG_OK);
    if (step != NULL) CHECK_INT(rg_options_set(o, "step", step), RG_OK);
    return o;
}

static void test_orders(void)
{
    static const double steps[] = {0.2, 0.1}, long_steps[] = {0.5, 0.25};
    static const char *const stages[] = {"2", "3", "4", "5"};
    rg_problem *p = NULL;

    CHECK_INT(rg_problem_from_file(ctx, "tests/order/rk/order-mechanical.rg", &p), RG_OK);
    for (int k = 0; k < 4; k++) {
        rg_options *o = choose(stages[k], NULL);
        rg_orders *orders = NULL;
        CHECK_INT(rg_order_measure(p, 1.0, o, 2, k < 2 ? steps : long_steps, &orders), RG_OK);
        for (int64_t j = 0; j < 5 && orders != NULL; j++) {
            CHECK_INT(rg_orders_theory(orders, j), 2 * k + 2);
            CHECK_NEAR(rg_orders_observed(orders, 0, j), 2 * k + 2, 0.3);
        }
        rg_orders_destroy(&orders);
        rg_options_destroy(&o);
    }
    rg_problem_destroy(&p);
}

/* Mean and largest distance of the energy, from n rows that are steps. */
static void energy_over(const rg_solution *s, double from, double *mean, double *range)
{
    double least = INFINITY, most = -INFINITY, y[5];

    *mean = 0.0;
    for (int k = 0; k < 2000; k++) {
        CHECK_INT(rg_solution_eval(s, from + 0.05 * k, y, NULL), RG_OK);
        const double E = 0.5 * (y[2] * y[2] + y[3] * y[3]) + 9.81 * y[1];
        *mean += E / 2000.0;
        least = fmin(least, E);
        most = fmax(most, E);
    }
    *range = most - least;
}

static void test_energy(void)
{
    static const char *const stages[] = {"2", "3"};

    for (int k = 0; k < 2; k++) {
        rg_problem *p = NULL;
        rg_options *o = choose(stages[k], "0.05");
        rg_solution *s = NULL;
        double first, last, range, end;
        CHECK_INT(rg_problem_from_text(ctx, pendulum, &p), RG_OK);
        if (CHECK_INT(rg_solve(p, 1000.0, o, &s), RG_OK)) {
            energy_over(s, 0.0, &first, &range);
            energy_over(s, 900.0, &last, &end);
            CHECK_NEAR(last, first, 0.01 * range);
            CHECK_NEAR(end, range, 0.01 * range);
            CHECK(range < (k == 0 ? 0.1 : 1e-4));
            CHECK(rg_solution_drift(s, 0) < 1e-14 && rg_solution_drift(s, 1) < 1e-13);
        }
        rg_solution_destroy(&s);
        rg_options_destroy(&o);
        rg_problem_destroy(&p);
    }
}

static void refused(const char *path, const char *step, const char *word)
{
    rg_problem *p = NULL;
    rg_options *o = choose("3", step);
    rg_solution *s = NULL;

    CHECK_INT(rg_problem_from_file(ctx, path, &p), RG_OK);
    CHECK_INT(rg_solve(p, 1.0, o, &s), RG_ERR_METHOD);
    CHECK(strstr(rg_last_error(ctx)->message, word) != NULL);
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
}

static void test_refused(void)
{
    refused("examples/ivp/pendulum.rg", NULL, "fixed steps only");
    refused("examples/ivp/knife-edge.rg", "0.05", "positions alone");
    refused("tests/order/rk/order-index2.rg", "0.05", "positions alone");
    refused("tests/order/rk/order-index3.rg", "0.05", "q' = v");
}

static const test_case cases[] = {
    {"orders",  test_orders },
    {"energy",  test_energy },
    {"refused", test_refused}
};

int main(void)
{
    if (rg_context_create(&ctx) < 0) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
