/* Every allocation of sequential regularization for boundary values may fail: a singular linear
 * model with an estimate, a displaced mesh and shooting back; a nonlinear model of index 3 that is
 * quasilinearized. */
#include "regula.h"
#include "support/fault.h"
#include "support/test.h"

static const char singular[] = "var x1, x2, y\n"
                               "x1' = -x1 + x2 - sin(t)\nx2' = (1 - 2*t)*y\n"
                               "0 = (1 - 2*t)*(x1 + x2 - exp(-t) - sin(t))\n"
                               "over t = 0 .. 1\nboundary x1(end) + x2(start) = exp(-1)\n"
                               "exact x1 = exp(-t)\n"
                               "solve method = srm, step = 0.2, scheme = midpoint, iterations = 2";
static const char pendulum[] = "var p ~ 0.5 - 1.4*t, q ~ -1\nvar lambda ~ 10\n"
                               "p'' = -p*lambda\nq'' = -q*lambda - 9.81\n0 = p^2 + q^2 - 1\n"
                               "over t = 0 .. 0.7\nboundary p(start) = 0.5\n"
                               "boundary p(end) = -0.5\n"
                               "solve method = srm, step = 0.1, scheme = gauss2";

static const char bent[] = "param k = 1\nvar x ~ 1, v ~ 1, y ~ 1\nx' = v + y^3 + k*y\nv' = y - x\n"
                           "x + v = 2*sin(t)\nover t = 0 .. 1\nboundary x(end) = 1\n"
                           "solve method = srm, step = 0.2, scheme = midpoint, iterations = 2";

typedef struct {
    const char *text, *more;
    double end;
} model;

static rg_status solve(rg_context *ctx, void *user)
{
    const model *m = user;
    const double times[] = {0, 0.5 * m->end, m->end};
    const rg_request request = {
        .keep = RG_KEEP_ROWS, .n_times = 3, .times = times, .csv = "/dev/null", .estimate = 1};
    char text[1024];
    rg_problem *p = NULL;
    rg_solution *s = NULL;

    snprintf(text, sizeof text, "%s%s\n", m->text, m->more);
    rg_status status = rg_problem_from_text(ctx, text, &p);
    if (status >= 0) status = rg_solve_request(p, m->end, NULL, &request, &s);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return status;
}

static void test_fit(void)
{
    model m = {singular, "", 1.0};

    CHECK(fault_run("srm, boundary values, fit", solve, &m) > 100);
}

static void test_back(void)
{
    model m = {singular, ", layer = back, y0 = \"cos(t)\"", 1.0};

    CHECK(fault_run("srm, boundary values, back", solve, &m) > 100);
}

static void test_nonlinear(void)
{
    model m = {pendulum, "", 0.7};

    CHECK(fault_run("srm, boundary values, index 3", solve, &m) > 100);
}

static void test_bent(void)
{
    model m = {bent, ", continue = \"k=1..1.5\"", 1.0};

    CHECK(fault_run("srm, boundary values, not linear in y", solve, &m) > 100);
}

int main(void)
{
    static const test_case cases[] = {
        {"fit",       test_fit      },
        {"back",      test_back     },
        {"nonlinear", test_nonlinear},
        {"bent",      test_bent     }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
