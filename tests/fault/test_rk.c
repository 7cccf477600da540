/* Every allocation of a run with a Runge-Kutta, Rosenbrock, half-explicit or extrapolation method
 * may fail: no crash, no leak, message and remedy set.  So may a function of the model. */
#include "regula.h"
#include "support/fault.h"
#include "support/test.h"

#include <stdio.h>

static const char circuit[] = "var x = 1, y = 0, z ~ 1\n"
                              "(2 + cos(t))*x' = -x + z + sin(t)\ny' = z - y\n0 = z + z^3 - x\n"
                              "over t = 0 .. 0.1\nsolve tol = 1e-3, method = ";

static const char pendulum[] = "var p = 1, q = 0, u = 0, v = 0\nvar lambda\n"
                               "p' = u\nq' = v\nu' = -p*lambda\nv' = -q*lambda - 9.81\n"
                               "0 = p^2 + q^2 - 1\nover t = 0 .. 0.1\nsolve tol = 1e-3, method = ";
static const char oscillator[] = "var x = 1, y = 0\nx' = y\ny' = -x\nover t = 0 .. 0.1\n"
                                 "solve tol = 1e-3, method = ";

/* What auto gives to an explicit method at first: many equations that turn stiff, a constraint on
 * velocities. */
static const char many[] = "param N = 16\nvar x[i=1..N] = 1\nfor i = 1..N {\n"
                           " x[i]' = -(1 + 1e6*(1 + tanh(1e4*(t - 0.01))))*(x[i] - cos(t))\n}\n"
                           "over t = 0 .. 0.1\nsolve tol = 1e-3, method = ";
static const char skate[] = "var x = 0, y = 0, a = 0, x' = 0, y' = 0, a' = 1\nvar l\n"
                            "x'' = 2 + l*sin(a)\ny'' = -l*cos(a)\na'' = 0\n"
                            "0 = x'*sin(a) - y'*cos(a)\nover t = 0 .. 0.1\n"
                            "solve tol = 1e-3, method = ";

static rg_status solve_text(rg_context *ctx, void *text)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_status status = rg_problem_from_text(ctx, text, &p);

    if (status >= 0) status = rg_solve(p, 0.1, NULL, &s);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return status;
}

static void run(const char *model, const char *method)
{
    char text[1024];

    snprintf(text, sizeof text, "%s%s\n", model, method);
    CHECK(fault_run(method, solve_text, text) > 20);
}

static void test_index1(void)
{
    static const char *const methods[] = {"rosenbrock", "gauss", "sdirk", "lobatto3c",
                                          "extrapolation"};

    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        run(circuit, methods[k]);
}

static void test_mechanics(void)
{
    static const char *const methods[] = {"half-explicit", "extrapolation",
                                          "extrapolation, scheme = euler3",
                                          "lobatto-pair, step = 0.01"};

    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        run(pendulum, methods[k]);
    run(oscillator, "dopri");
    run(many, "auto"); /* dopri, then radau */
    run(skate, "auto");
}

int main(void)
{
    static const test_case cases[] = {
        {"index 1",   test_index1   },
        {"mechanics", test_mechanics}
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
