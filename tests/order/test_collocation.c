/* Orders of collocation on equal intervals, halved four times: at mesh points 2s (Gauss), 2s - 1
 * (Radau), 2s - 2 (Lobatto); between them s + 1.  Observed orders at most 0.2 below theory (the
 * last pair above rounding counts).
 *
 * Index 0: a nonlinear problem, y'' = (y'^2 + 1)/y, y = cosh(x).  Index 1: the same with an
 * algebraic unknown that is computed anew at mesh points, so it has the order of y.  Index 2 and 3:
 * reduced, with conditions at both ends. Combined: an index that only combinations of equations
 * show; petry-6-2 (index 1), and the model of index 3 with its constraint hidden behind the first
 * equation, then behind both, with factors that depend on t and on the solution.  Redundant: the
 * constraint written twice.  Entries of the matrices of petry-6-2 go from 1/120 to 5^5: more
 * rounding. */
#include "base/options.h"
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HALVINGS = 4, INNER = 331 };

typedef struct {
    const char *name, *text; /* text NULL: the example petry-6-2 */
    double first_step;
    double rounding; /* errors below are not looked at */
} model;

static const model models[] = {
    {"index 0",
     "var y ~ 1 + 0.5*x^2\ny*y'' = y'^2 + 1\nover x = 0 .. 1\nboundary y(0) = 1\n"
     "boundary y(1) = cosh(1)\nexact y = cosh(x)\n",                                    0.5,  1e-12},
    {"index 1",
     "var y ~ 1, z ~ 1\ny'' = z\ny*z = y'^2 + 1\nover x = 0 .. 1\nboundary y(0) = 1\n"
     "boundary y(1) = cosh(1)\nexact y = cosh(x)\nexact z = cosh(x)\n",                 0.5,  1e-12},
    {"index 2",
     "var x1, x2, y\nx1' = -x1 + x2 - sin(t)\nx2' = (1 + t)*y\n0 = x1 + x2 - exp(-t) - sin(t)\n"
     "over t = 0 .. 1\nboundary x1(1) + x2(0) = exp(-1)\nexact x1 = exp(-t)\nexact x2 = sin(t)\n"
     "exact y = cos(t)/(1 + t)\n",                                                      0.5,  1e-12},
    {"index 3",
     "var p ~ cos(t), q ~ sin(t), l ~ 1\np'' = -p*l + 0.5*t*q\nq'' = -q*l - 0.5*t*p\n0 = p^2 + q^2 "
     "- 1\n"
     "over t = 0 .. 1\nboundary q(0) = 0\nboundary q(1) = sin(1 - 1/12)\n"
     "exact p = cos(t - t^3/12)\nexact q = sin(t - t^3/12)\nexact l = (1 - t^2/4)^2\n", 0.5,  1e-12},
    {"index 1, combined",  NULL,                                                        0.25, 1e-11},
    {"index 3, combined",
     "var p ~ cos(t), q ~ sin(t), l ~ 1\np'' = -p*l + 0.5*t*q\nq'' = -q*l - 0.5*t*p\n"
     "2*p'' + 2*p*l - t*q = p^2 + q^2 - 1\n"
     "over t = 0 .. 1\nboundary q(0) = 0\nboundary q(1) = sin(1 - 1/12)\n"
     "exact p = cos(t - t^3/12)\nexact q = sin(t - t^3/12)\nexact l = (1 - t^2/4)^2\n", 0.5,  1e-12},
    {"index 3, varying",
     "var p ~ cos(t), q ~ sin(t), l ~ 1\np'' = -p*l + 0.5*t*q\nq'' = -q*l - 0.5*t*p\n"
     "(2 + t)*(p'' + p*l - 0.5*t*q) = p^2 + q^2 - 1 + p*q*(q'' + q*l + 0.5*t*p)\n"
     "over t = 0 .. 1\nboundary q(0) = 0\nboundary q(1) = sin(1 - 1/12)\n"
     "exact p = cos(t - t^3/12)\nexact q = sin(t - t^3/12)\nexact l = (1 - t^2/4)^2\n", 0.5,  1e-12},
    {"index 3, redundant",
     "var p ~ cos(t), q ~ sin(t), l ~ 1, k ~ 1\np'' = -p*(l + cos(2*t)*k) + 0.5*t*q\n"
     "q'' = -q*(l + cos(2*t)*k) - 0.5*t*p\np^2 + q^2 = 1\n(1 + t)*(p^2 + q^2) = 1 + t\n"
     "over t = 0 .. 1\nboundary q(0) = 0\nboundary q(1) = sin(1 - 1/12)\n"
     "exact p = cos(t - t^3/12)\nexact q = sin(t - t^3/12)\n"
     "exact l = (1 - t^2/4)^2/(1 + cos(2*t)^2)\n"
     "exact k = cos(2*t)*(1 - t^2/4)^2/(1 + cos(2*t)^2)\n",                             0.5,  1e-12}
};

/* Errors at mesh points, and at INNER points between them. */
static bool measure(rg_context *ctx, const model *m, const char *nodes, int stages, double h,
                    double *at_mesh, double *inside)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    double times[INNER + 1], a, b;

    const rg_status opened = m->text != NULL
                                 ? rg_problem_from_text(ctx, m->text, &p)
                                 : rg_problem_from_file(ctx, "examples/transfer/petry-6-2.rg", &p);
    if (!CHECK(opened >= 0)) return false;
    strcpy(o.method, "collocation");
    rg_problem_interval(p, &a, &b);
    o.step = h;
    o.stages = stages;
    o.rtol = o.atol = 1e-10; /* of Newton's method */
    strcpy(o.nodes, nodes);
    bool ok = CHECK(rg_solve(p, b, &o, &s) >= 0);
    *at_mesh = *inside = 0;
    for (int64_t i = 0; ok && i < rg_problem_size(p); i++)
        *at_mesh = fmax(*at_mesh, rg_solution_error(s, i));
    rg_solution_destroy(&s);
    for (int k = 0; k <= INNER; k++)
        times[k] = k < INNER ? a + (b - a) * k / INNER : b;
    ok = ok && CHECK(rg_solve_at(p, b, &o, INNER + 1, times, &s) >= 0);
    for (int64_t i = 0; ok && i < rg_problem_size(p); i++)
        *inside = fmax(*inside, rg_solution_error(s, i));
    if (!ok) rg_error_print(rg_last_error(ctx), stdout);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return ok;
}

/* The largest order among the last pairs that lie above rounding. */
static double observed(const double *error, double rounding)
{
    double order = INFINITY;

    for (int k = 0; k < HALVINGS; k++)
        if (error[k + 1] > rounding) order = log2(error[k] / error[k + 1]);
    return order;
}

/* Between mesh points algebraic unknowns have only the s points of Lobatto, ends included, to be
 * interpolated at. */
static int inner_theory(const char *nodes, int stages, int theory)
{
    const int order = strcmp(nodes, "lobatto") == 0 ? stages : stages + 1;

    return order < theory ? order : theory;
}

static void check_order(rg_context *ctx, const model *m, const char *nodes, int stages, int theory)
{
    const int expected = inner_theory(nodes, stages, theory);
    double at_mesh[HALVINGS + 1], inside[HALVINGS + 1], h = m->first_step;

    for (int k = 0; k <= HALVINGS; k++, h /= 2)
        if (!measure(ctx, m, nodes, stages, h, &at_mesh[k], &inside[k])) return;
    const double mesh = observed(at_mesh, m->rounding), inner = observed(inside, m->rounding);
    printf(
        "  %s, %-7s %d stages: mesh points %4.1f (%d), inside %4.1f (%d), last errors %.1e %.1e\n",
        m->name, nodes, stages, mesh, theory, inner, expected, at_mesh[HALVINGS], inside[HALVINGS]);
    CHECK(mesh >= theory - 0.2);
    CHECK(inner >= expected - 0.2);
}

/* A share of them has other stages for each rule. */
static void check_model(int k)
{
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (int s = 1; s <= 5; s++)
        if (test_takes(k + s)) check_order(ctx, &models[k], "gauss", s, 2 * s);
    for (int s = 1; s <= 4; s++)
        if (test_takes(k + s + 1)) check_order(ctx, &models[k], "radau", s, 2 * s - 1);
    for (int s = 2; s <= 4; s++)
        if (test_takes(k + s + 2)) check_order(ctx, &models[k], "lobatto", s, 2 * s - 2);
    rg_context_destroy(&ctx);
}

/* Five to seven stages are beyond rounding on the models above: faster ones, three steps, the order
 * of the last pair above rounding or of all of them. */
static const model fast[] = {
    {"index 0, fast",
     "param w = 8\nvar y\ny'' = -w^2*y + 3*w^2*sin(2*w*x)\nover x = 0 .. 1\nboundary y(0) = 1\n"
     "boundary y(1) = cos(w) - sin(2*w)\nexact y = cos(w*x) - sin(2*w*x)\n", 0.25, 1e-13},
    {"index 1, fast",
     "param w = 8\nvar y, z\ny'' = -w^2*z\nz = y - 3*sin(2*w*x)\nover x = 0 .. 1\nboundary y(0) = "
     "1\n"
     "boundary y(1) = cos(w) - sin(2*w)\nexact y = cos(w*x) - sin(2*w*x)\n"
     "exact z = cos(w*x) - 4*sin(2*w*x)\n",                                  0.25, 1e-13},
    {"index 2, fast",
     "param w = 8\nvar x1, x2, y\nx1' = w*x2 - w*sin(w*t) - 3*w*cos(w*t)\nx2' = (1 + t)*y\n"
     "0 = x1 + x2 - 3*cos(w*t) + sin(w*t)\nover t = 0 .. 1\n"
     "boundary x1(1) + x2(0) = cos(w) - sin(w) + 2\nexact x1 = cos(w*t) - sin(w*t)\n"
     "exact x2 = 2*cos(w*t)\nexact y = -2*w*sin(w*t)/(1 + t)\n",             0.5,  1e-13},
    {"index 3, fast",
     "param w = 8\nfun f(t) = w*t - t^2/4\nvar p ~ cos(f(t)), q ~ sin(f(t)), l ~ 1\n"
     "p'' = -w^2*p*l + 0.5*q\nq'' = -w^2*q*l - 0.5*p\n0 = p^2 + q^2 - 1\nover t = 0 .. 1\n"
     "boundary q(0) = 0\nboundary q(1) = sin(f(1))\nexact p = cos(f(t))\nexact q = sin(f(t))\n"
     "exact l = (1 - t/(2*w))^2\n",                                          0.5,  1e-13}
};

static void check_fast(rg_context *ctx, const model *m, const char *nodes, int stages, int theory)
{
    double error[3], inside, order = 0, h = m->first_step;

    for (int k = 0; k <= 2; k++, h /= 2) {
        if (!measure(ctx, m, nodes, stages, h, &error[k], &inside)) return;
        if (k > 0 && error[k] > m->rounding)
            order = fmax(log2(error[0] / error[k]) / k, log2(error[k - 1] / error[k]));
    }
    printf("  %s, %-7s %d stages: mesh points %4.1f (%d)\n", m->name, nodes, stages, order, theory);
    CHECK(order >= theory - 0.3);
}

static void test_many_stages(void)
{
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof fast / sizeof *fast; k++)
        for (int s = 5; s <= 7; s++) {
            check_fast(ctx, &fast[k], "gauss", s, 2 * s);
            check_fast(ctx, &fast[k], "radau", s, 2 * s - 1);
            check_fast(ctx, &fast[k], "lobatto", s, 2 * s - 2);
        }
    rg_context_destroy(&ctx);
}

static void test_index0(void)
{
    check_model(0);
}

static void test_index1(void)
{
    check_model(1);
}

static void test_index2(void)
{
    check_model(2);
}

static void test_index3(void)
{
    check_model(3);
}

static void test_combined1(void)
{
    check_model(4);
}

static void test_combined3(void)
{
    check_model(5);
}

static void test_varying(void)
{
    check_model(6);
}

static void test_redundant(void)
{
    check_model(7);
}

static const test_case cases[] = {
    {"index0",      test_index0     },
    {"index1",      test_index1     },
    {"index2",      test_index2     },
    {"index3",      test_index3     },
    {"combined1",   test_combined1  },
    {"varying",     test_varying    },
    {"redundant",   test_redundant  },
    {"combined3",   test_combined3  },
    {"many_stages", test_many_stages}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
