/* Every allocation of a run by sequential regularization may fail, with chosen output times and
 * passages on the way. */
#include "regula.h"
#include "support/fault.h"
#include "support/test.h"

static const char singular[] = "var x1 = 1, x2 = 0\nvar y\n"
                               "x1' = -x1 + x2 - sin(t)\nx2' = (1 - 2*t)*y\n"
                               "0 = (1 - 2*t)*(x1 + x2 - exp(-t) - sin(t))\n"
                               "over t = 0 .. 1\nexact x1 = exp(-t)\n"
                               "solve method = srm, step = 0.04\n";
static const char pendulum[] =
    "var p = 1, q = 0, p' = 0, q' = 0\nvar lambda\n"
    "2*p'' = -p*lambda\n2*q'' = -q*lambda - 20\n0 = p^2 + q^2 - 1\n"
    "over t = 0 .. 1\n"
    "solve method = srm, scheme = radau2, step = 0.2, variant = invariant\n";

/* The stacked form, with a switch on the way: the integrator inside is started again. */
static const char stacked[] = "var x1 = 1, x2 = 0\nvar y\n"
                              "x1' = -x1 + x2 - sin(t) + 0.1*abs(t - 0.3)\nx2' = (1 - 2*t)*y\n"
                              "0 = (1 - 2*t)*(x1 + x2 - exp(-t) - sin(t))\n"
                              "over t = 0 .. 1\nsolve method = srm, tol = 1e-3, y0 = \"1 - t\"\n";
static const char pair[] = "var p = 1, q = 0, p' = 0, q' = 0\nvar lambda\n"
                           "2*p'' = -p*lambda\n2*q'' = -q*lambda - 20\n0 = p^2 + q^2 - 1\n"
                           "over t = 0 .. 1\n"
                           "solve method = srm, scheme = dopri5, tol = 1e-2, y0 = start2\n";

static const char lean[] = "var p = 1, q = 0, p' = 0, q' = 0\nvar lambda\n"
                           "2*p'' = -p*lambda\n2*q'' = -q*lambda - 20\n0 = p^2 + q^2 - 1\n"
                           "over t = 0 .. 1\n"
                           "solve method = srm, step = 0.2, variant = multibody, scheme = rk4\n";
static const char augmented[] = "var x1 = 1, x2 = 0\nvar y\nx1' = -x1*y\nx2' = 1 - x2*y\n"
                                "0 = x1^2 + x2^2 - 1\nover t = 0 .. 1\n"
                                "solve method = augmented-lagrangian, step = 0.1\n";

static void test_first_order(void)
{
    CHECK(fault_run("srm, index 2", fault_solve_at, (void *)singular) > 50);
}

static void test_second_order(void)
{
    CHECK(fault_run("srm, index 3", fault_solve_at, (void *)pendulum) > 50);
}

static void test_stacked(void)
{
    CHECK(fault_run("srm, stacked, radau", fault_solve_at, (void *)stacked) > 50);
}

static void test_pair(void)
{
    CHECK(fault_run("srm, stacked, dopri5", fault_solve_at, (void *)pair) > 50);
}

static void test_lean(void)
{
    CHECK(fault_run("srm, E = I", fault_solve_at, (void *)lean) > 50);
    CHECK(fault_run("augmented-lagrangian", fault_solve_at, (void *)augmented) > 50);
}

int main(void)
{
    static const test_case cases[] = {
        {"first order",  test_first_order },
        {"second order", test_second_order},
        {"lean",         test_lean        },
        {"stacked",      test_stacked     },
        {"pair",         test_pair        }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
