/* Every allocation of a run with events may fail: no crash, no leak, message and remedy set. */
#include "ivp/bdf/bdf.h"
#include "regula.h"
#include "support/fault.h"
#include "support/test.h"

/* conditions, known times, a cascade, two instances, a `stop` that is not reached */
static char many[] = "state n = 0, m[i=1..2] = 0\n"
                     "var x = 0.2, v = 1, s\n"
                     "table f(x) = (0, 0, 0.5, 1, 1, 0) linear\n"
                     "x' = v\nv' = -40*x\ns = f(t)\n"
                     "when \"wall\" x < 0 { v = -0.9*v; n = n + 1 }\n"
                     "when n > 1.5 { n = 0 }\n"
                     "when sin(20*t) > 0.9 { v = v + 0.1 }\n"
                     "for i = 1..2 { when s > 0.3*i { m[i] = m[i] + 1 } }\n"
                     "every 0.25 { x = x + 0.01 }\n"
                     "when x > 50 { stop \"out\" }\n"
                     "over t = 0 .. 1\n";
/* constraints that an event makes consistent again, by impulses */
static char wall[] = "param g = 9.81\nstate n = 0\n"
                     "var x = 0.6, y = -0.8, u = 0, v = 0, lam\n"
                     "x' = u\ny' = v\nu' = -lam*x\nv' = -lam*y - g\n"
                     "0 = x^2 + y^2 - 1\n"
                     "when \"wall\" x < 0 { u = -u; n = n + 1 }\n"
                     "over t = 0 .. 1\n";
static char ends[] = "var x = 1\nx' = -x\nwhen x < 0.7 { stop \"low\" }\nover t = 0 .. 1\n";

static rg_status solve(rg_context *ctx, const char *text, const char *method)
{
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    rg_status status = rg_problem_from_text(ctx, text, &p);

    if (status >= 0) status = rg_options_create(ctx, &o);
    if (status >= 0) status = rg_options_set(o, "method", method);
    if (status >= 0) status = rg_options_set(o, "accept_doubt", "on");
    if (status >= 0) status = rg_solve(p, 1.0, o, &s);
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    return status;
}

static rg_status solve_radau(rg_context *ctx, void *text)
{
    return solve(ctx, text, "radau");
}

static rg_status solve_bdf(rg_context *ctx, void *text)
{
    return solve(ctx, text, "bdf");
}

static rg_status step(rg_context *ctx, void *text)
{
    rg_problem *p = NULL;
    rg_solver *s = NULL;
    double t = 0.0;
    rg_status status = rg_problem_from_text(ctx, text, &p);

    if (status >= 0) status = rg_solver_create(p, NULL, &s);
    while (status == RG_OK && t < 1.0)
        status = rg_solver_step(s, 1.0, &t, NULL);
    rg_solver_destroy(&s);
    rg_problem_destroy(&p);
    return status == RG_STOPPED ? RG_OK : status;
}

static void test_solve(void)
{
    fault_run("events at all times, radau", solve_radau, many);
    if (!test_skips(!rg_bdf_is_available(), "bdf, built without SUNDIALS"))
        fault_run("events at all times, bdf", solve_bdf, many);
    fault_run("a stop", solve_radau, ends);
}

static void test_constraints(void)
{
    fault_run("a pendulum at a wall", solve_radau, wall);
}

static void test_table(void)
{
    fault_run("events in rows", fault_solve_at, many);
}

static void test_steps(void)
{
    fault_run("events by hand", step, many);
    fault_run("a stop by hand", step, ends);
}

static const test_case cases[] = {
    {"solve",       test_solve      },
    {"constraints", test_constraints},
    {"table",       test_table      },
    {"steps",       test_steps      },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
