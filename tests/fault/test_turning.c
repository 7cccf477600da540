/* Every allocation of a run by 'turning-point' may fail: sweeps, difference equations, a pair. */
#include "regula.h"
#include "support/fault.h"
#include "support/test.h"

static const char sweep[] = "param eps = 1e-3\nvar u\n-eps*u'' + x*(2 + sin(u))*u' + u - x = 0\n"
                            "over x = -1 .. 1\nboundary u(-1) = 0\nboundary u(1) = 1\n"
                            "solve method = turning-point, intervals = 16\n";
static const char pair[] = "param eps = 1e-3\nvar u, w\nu' = w\neps*w' = x*w + u - x\n"
                           "over x = -1 .. 1\nboundary u(-1) = 0\nboundary u(1) = 1\n"
                           "solve method = turning-point, variant = two-pass, intervals = 16\n";
static const char inner[] = "param eps = 1e-3\nvar u = -1\neps*u'' + x*u' = x\nover x = -1 .. 1\n"
                            "boundary u(1) = 1\nsolve method = turning-point, intervals = 16\n";

static rg_status solve_all(rg_context *ctx, void *text)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_status status = rg_problem_from_text(ctx, text, &p);
    const rg_request r = {.keep = RG_KEEP_STEPS, .estimate = 1};

    if (status >= 0) status = rg_solve_request(p, 1.0, NULL, &r, &s);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return status;
}

static void test_sweep(void)
{
    CHECK(fault_run("sweep", solve_all, (void *)sweep) > 50);
}

static void test_pair(void)
{
    CHECK(fault_run("two-pass", solve_all, (void *)pair) > 50);
}

static void test_inner(void)
{
    CHECK(fault_run("conservative", solve_all, (void *)inner) > 50);
}

int main(void)
{
    static const test_case cases[] = {
        {"sweep",        test_sweep},
        {"pair",         test_pair },
        {"conservative", test_inner}
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
