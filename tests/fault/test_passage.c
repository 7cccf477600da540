/* Every allocation of a run through a singular point may fail: no crash, no leak, message and
 * remedy set. */
#include "regula.h"
#include "support/fault.h"
#include "support/test.h"

static const char index_two[] = "var x1 = sin(-0.5), x2 = exp(-0.5) - 1, y\n"
                                "let s = sin(t - 0.5), e = exp(t - 0.5) - 1\n"
                                "x1' = cos(t - 0.5) + s*exp(t) + (x2 - e) - x1*y\n"
                                "x2' = exp(t - 0.5) + e*exp(t) - (x1 - s) - x2*y\n"
                                "0 = (x1^2 + x2^2 - s^2 - e^2)/2\n"
                                "over t = 0 .. 1\nsolve tol = 1e-3\n";
static const char index_three[] = "var q1 = 1, q1' = -1, q2 = 0, q2' = 0, lambda\n"
                                  "q1'' = -lambda*q2\nq2'' = -lambda*q1\n0 = q1*q2\n"
                                  "over t = 0 .. 2\nsolve tol = 1e-3\n";
static const char redundant[] = "var q1 = 1, q1' = -1, q2 = 0, q2' = 0, l, m\n"
                                "q1'' = -(l + m)*q2\nq2'' = -(l + m)*q1\n"
                                "0 = q1*q2\n0 = q1*q2\n"
                                "over t = 0 .. 2\nsolve tol = 1e-3\n";
static const char combined[] = "var x1 = 1, x2 = 0, y\nlet b = 1 - 2*t\n"
                               "let p = -x1 + exp(-t) - sin(t) - b*y\n"
                               "x1' = -x1 + x2 - sin(t)\nx1' + x2' = p\n"
                               "x1' + x2' = p + b*(x1 + x2 - exp(-t) - sin(t))\n"
                               "over t = 0 .. 1\nsolve tol = 1e-3\n";

static rg_status solve(rg_context *ctx, void *text)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    double a, b;

    rg_status status = rg_problem_from_text(ctx, text, &p);
    if (status >= 0) {
        rg_problem_interval(p, &a, &b);
        status = rg_solve_with(p, b, NULL, NULL, NULL, &s);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return status;
}

static void test_index_two(void)
{
    CHECK(fault_run("index 2", solve, (void *)index_two) > 100);
}

static void test_index_three(void)
{
    CHECK(fault_run("index 3", solve, (void *)index_three) > 100);
}

static void test_redundant(void)
{
    CHECK(fault_run("redundant", solve, (void *)redundant) > 100);
}

static void test_combined(void)
{
    CHECK(fault_run("combined", solve, (void *)combined) > 100);
}

static const test_case cases[] = {
    {"index 2",   test_index_two  },
    {"index 3",   test_index_three},
    {"redundant", test_redundant  },
    {"combined",  test_combined   }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
