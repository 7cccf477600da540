/* Every allocation of a whole run may fail: no crash, no leak, message and remedy set. */
#include "regula.h"
#include "support/fault.h"
#include "support/test.h"

#include <math.h>

static const char pendulum[] = "param g = 9.81\n"
                               "var p = 1, q = 0, u = 0, v = 0\n"
                               "var lambda\n"
                               "p' = u\nq' = v\n"
                               "u' = -p*lambda\nv' = -q*lambda - g\n"
                               "0 = p^2 + q^2 - 1\n"
                               "over t = 0 .. 0.1\n"
                               "exact p = 1\n"
                               "output p, energy = (u^2 + v^2)/2 + g*q\n";

/* The error of the first failure survives the clean-up, which makes no public calls that could
 * fail. */
static rg_status solve_dense(rg_context *ctx, void *nothing)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    (void)nothing;
    rg_status status = rg_problem_from_text(ctx, pendulum, &p);

    if (status >= 0) status = rg_solve(p, 0.1, NULL, &s);
    if (status >= 0) status = rg_solution_write_csv(s, "/dev/null");
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return status;
}

static rg_status solve_at(rg_context *ctx, void *nothing)
{
    const double times[] = {0, 0.05, 0.1};
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    (void)nothing;
    rg_status status = rg_problem_from_text(ctx, pendulum, &p);

    if (status >= 0) status = rg_solve_at(p, 0.1, NULL, 3, times, &s);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return status;
}

static int residual(double t, const double *y, const double *yp, double *F, void *user)
{
    (void)t;
    (void)user;
    F[0] = yp[0] + y[1];
    F[1] = y[1] - y[0];
    return 0;
}

static rg_status step_callbacks(rg_context *ctx, void *nothing)
{
    const double y[2] = {1, NAN}, yp[2] = {-1, -1};
    const int64_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    rg_problem *p = NULL;
    rg_solver *s = NULL;
    double t;
    (void)nothing;
    rg_status status = rg_problem_create(ctx, 2, residual, NULL, &p);

    if (status >= 0) status = rg_problem_set_pattern(p, start, row);
    if (status >= 0) status = rg_problem_set_initial(p, 0, y, yp);
    if (status >= 0) status = rg_solver_create(p, NULL, &s);
    if (status >= 0) status = rg_solver_step(s, 1, &t, NULL);
    rg_solver_destroy(&s);
    rg_problem_destroy(&p);
    return status;
}

/* Index 4: the reduced view, with projection. */
static rg_status solve_reduced(rg_context *ctx, void *nothing)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    (void)nothing;
    rg_status status = rg_problem_from_text(
        ctx,
        "var a, b, c, d\na' = b\nb' = c\nc' = d\na = sin(t)\nover t = 0 .. 1\nsolve tol = 1e-3\n",
        &p);

    if (status >= 0) status = rg_solve_with(p, 1, NULL, NULL, NULL, &s);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return status;
}

/* Tables in the text and from a file. */
static rg_status solve_tables(rg_context *ctx, void *nothing)
{
    rg_problem *p = NULL, *q = NULL;
    rg_solution *s = NULL;
    (void)nothing;
    rg_status status = rg_problem_from_file(ctx, "examples/events/driven_pendulum.rg", &p);

    if (status >= 0)
        status = rg_problem_from_text(ctx,
                                      "table f(s) = (0, 2, 1, 1) linear hold\n"
                                      "table g(s) = (0, 1, 1, 2, 2, 1) smooth repeat\n"
                                      "var x = 0.9\nx' = f(x) + g(t)\nover t = 0 .. 0.1\n",
                                      &q);
    if (status >= 0) status = rg_solve(q, 0.1, NULL, &s);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_problem_destroy(&q);
    return status;
}

static void test_tables(void)
{
    CHECK(fault_run("tables", solve_tables, NULL) > 20);
}

static void test_dense(void)
{
    CHECK(fault_run("dense", solve_dense, NULL) > 20);
}

static void test_at(void)
{
    CHECK(fault_run("at", solve_at, NULL) > 20);
}

static void test_callbacks(void)
{
    CHECK(fault_run("callbacks", step_callbacks, NULL) > 20);
}

static void test_reduced(void)
{
    CHECK(fault_run("reduced", solve_reduced, NULL) > 20);
}

static const test_case cases[] = {
    {"tables",                test_tables   },
    {"dense output and file", test_dense    },
    {"chosen times",          test_at       },
    {"callbacks, by hand",    test_callbacks},
    {"reduced view",          test_reduced  }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
