/* Every allocation of a run by the transfer may fail: separated and folded, at chosen times and
 * with all steps kept. */
#include "regula.h"
#include "support/fault.h"
#include "support/test.h"

static const char separated[] = "var y, v\ny'' = v\nv = 4*y + sum(i=1..2, t^i)\nover t = 0 .. 1\n"
                                "boundary y(0) = 1\nboundary y'(1) = 0\nsolve method = transfer\n";
static const char folded[] = "var y[i=1..2]\ny[1]' = y[2]\n(2 + t)*y[2]' = sin(t) - y[1]\n"
                             "over t = 0 .. 1\nboundary sum(i=1..2, y[i](0)) = y[1](1)\n"
                             "boundary y[2](1) = 0\nsolve method = transfer, step = 0.25\n";

static const char by_radau[] =
    "var y, v\ny'' = v\nv = 4*y + t\nover t = 0 .. 1\nboundary y(0) = 1\n"
    "boundary y'(1) = 0\nsolve method = transfer, scheme = radau\n";

static const char nonlinear[] =
    "var y ~ 0, v\ny'' = -v\nv = exp(y)\nover t = 0 .. 1\nboundary y(0) = 0\n"
    "boundary y(1)^2 = 0.04 - y(1)/5\n"
    "solve method = transfer, newton = modified, tol = 1e-3\n";

static rg_status solve_all(rg_context *ctx, void *text)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_status status = rg_problem_from_text(ctx, text, &p);

    if (status >= 0) status = rg_solve(p, 1.0, NULL, &s);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return status;
}

static void test_separated(void)
{
    CHECK(fault_run("transfer", fault_solve_at, (void *)separated) > 50);
}

static void test_folded(void)
{
    CHECK(fault_run("transfer, folded", solve_all, (void *)folded) > 50);
}

static void test_radau(void)
{
    CHECK(fault_run("transfer, radau", fault_solve_at, (void *)by_radau) > 50);
}

static void test_newton(void)
{
    CHECK(fault_run("transfer, Newton", fault_solve_at, (void *)nonlinear) > 50);
}

int main(void)
{
    static const test_case cases[] = {
        {"separated conditions",   test_separated},
        {"conditions at the ends", test_folded   },
        {"Radau IIA",              test_radau    },
        {"quasilinearization",     test_newton   }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
