/* Every allocation of a run on the stabilized form may fail: no crash, no leak, message and remedy
 * set. */
#include "regula.h"
#include "support/fault.h"
#include "support/test.h"

static const char pendulum[] = "var p = 1, q = 0, u = 0, v = 0\nvar lambda\n"
                               "p' = u\nq' = v\nu' = -p*lambda\nv' = -q*lambda - 9.81\n"
                               "0 = p^2 + q^2 - 1\nover t = 0 .. 0.1\n"
                               "output p'', lambda\n"
                               "solve tol = 1e-3, formulation = ggl\n";

static rg_status solve_stabilized(rg_context *ctx, void *nothing)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    (void)nothing;
    rg_status status = rg_problem_from_text(ctx, pendulum, &p);

    if (status >= 0) status = rg_solve(p, 0.1, NULL, &s);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return status;
}

static void test_stabilized(void)
{
    CHECK(fault_run("stabilized", solve_stabilized, NULL) > 20);
}

int main(void)
{
    static const test_case cases[] = {
        {"stabilized form", test_stabilized}
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
