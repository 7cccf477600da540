/* Every allocation of a boundary value run may fail: no crash, no leak, message and remedy set. */
#include "base/options.h"
#include "regula.h"
#include "support/fault.h"
#include "support/test.h"

#include <stdio.h>

/* Index 2, an array with sums in a condition, an implied condition, an unknown constant. */
static const char mixed[] = "param a = 1, k ~ 1\n"
                            "var u[i=1..2] ~ if(i == 1, sin(t), 1), z\n"
                            "u[1]' = k*z\nu[2]' = -u[2]*a\n0 = u[1] - sin(t)\n"
                            "over t = 0 .. 1\n"
                            "boundary sum(i=1..2, u[i](0)) = 1\n"
                            "boundary z(1) = cos(1)\n"
                            "boundary u[1](1) = sin(1)\n"
                            "exact z = cos(t)\n";

static rg_status run(rg_context *ctx, const char *text, const char *option, const char *value)
{
    const double times[] = {0, 0.4, 1};
    rg_options o = rg_options_default();
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_status status = rg_problem_from_text(ctx, text, &p);

    o.stages = 2;
    o.rtol = o.atol = 1e-2;
    if (status >= 0 && option != NULL) status = rg_options_assign(ctx, &o, option, value);
    if (status >= 0) status = rg_solve_at(p, 1, &o, 3, times, &s);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return status;
}

static rg_status solve_mixed(rg_context *ctx, void *nothing)
{
    (void)nothing;
    return run(ctx, mixed, NULL, NULL);
}

static rg_status solve_continued(rg_context *ctx, void *nothing)
{
    (void)nothing;
    return run(
        ctx,
        "param a = 1\nvar y\ny'' = a*y\nover t = 0 .. 1\nboundary y(0) = 1\nboundary y(1) = 0\n",
        "continue", "a=1..2");
}

static rg_status solve_from_file(rg_context *ctx, void *path)
{
    return run(ctx, "var y\ny'' = y^2\nover t = 0 .. 1\nboundary y(0) = 1\nboundary y(1) = 0\n",
               "guess", path);
}

/* A singular place, a kink and free oscillations: meshes that are made anew. */
static rg_status solve_places(rg_context *ctx, void *nothing)
{
    (void)nothing;
    return run(ctx,
               "var x1, x2, y, z\nx1' = -x1 + x2\nx2' = (1 - 2*t)*y\n0 = (1 - 2*t)*(x1 + x2 - 1)\n"
               "z'' = if(t < 0.43, -1, 1) - 2000*z\nover t = 0 .. 1\nboundary x1(1) = 0.5\n"
               "boundary z(0) = 0\nboundary z(1) = 0\n",
               NULL, NULL);
}

/* An interior layer that Newton's method does not find from the guess: continuation. */
static rg_status solve_rescued(rg_context *ctx, void *nothing)
{
    (void)nothing;
    return run(ctx,
               "param eps = 1e-4\nvar y\neps*y'' + y'^2 = 1\nover t = 0 .. 1\n"
               "boundary y(0) = 1.745\nboundary y(1) = 1.255\n",
               "max-steps", "50");
}

/* A product, and the branch of it that the guess is on. */
static rg_status solve_branch(rg_context *ctx, void *nothing)
{
    (void)nothing;
    return run(ctx,
               "var x ~ sin(t), y\nx' = y + cos(t)\n0 = (x - sin(t))*(y - exp(t))\n"
               "over t = 0 .. 1\nboundary x(1) = sin(1)\n",
               NULL, NULL);
}

/* A condition that is implied, with the guess on another branch; conditions that contradict; a
 * place that nothing reaches. */
static rg_status solve_implied(rg_context *ctx, void *nothing)
{
    (void)nothing;
    return run(ctx,
               "var x, y, l\nx'' = -l*x\ny'' = -l*y\nx^2 + y^2 = 1\nover t = 0 .. 1\n"
               "boundary x(0) = 0.6\nboundary y(0) = -0.8\nboundary x(1) = 1\n",
               NULL, NULL);
}

static rg_status solve_contradicting(rg_context *ctx, void *nothing)
{
    (void)nothing;
    const rg_status status = run(ctx,
                                 "var x, y, z\nx' = y + z\ny' = z\n0 = x + y - 1\nover t = 0 .. 1\n"
                                 "boundary 2*x(1) = 1\nboundary y(1) = 1\n",
                                 NULL, NULL);
    return status == RG_ERR_INCONSISTENT ? RG_OK : status;
}

static rg_status solve_impossible(rg_context *ctx, void *nothing)
{
    (void)nothing;
    const rg_status status =
        run(ctx, "var y ~ 1\ny' = y\nover t = 0 .. 1\nboundary y(1)^2 = -1\n", NULL, NULL);
    return status == RG_ERR_INCONSISTENT ? RG_OK : status;
}

/* An index that comes from a combination of equations. */
static rg_status solve_combined(rg_context *ctx, void *nothing)
{
    (void)nothing;
    return run(ctx,
               "var x, y\nx' + y' = x\nx' + y' + x - y = sin(t)\nover t = 0 .. 1\n"
               "boundary x(0) + x(1) = 1\n",
               NULL, NULL);
}

/* A constraint written twice: the derivative array. */
static rg_status solve_array(rg_context *ctx, void *nothing)
{
    (void)nothing;
    return run(ctx,
               "var x1, x2, a, b\nx1' = x2 + a + t*b\nx2' = 2*a + 2*t*b - x1\nx1 + x2 = 1\n"
               "(1 + t)*(x1 + x2) = 1 + t\nover t = 0 .. 1\nboundary x1(0) + x1(1) = 1\n",
               NULL, NULL);
}

/* Many unknowns with a sparse Jacobian, index 2. */
static rg_status solve_large(rg_context *ctx, void *nothing)
{
    (void)nothing;
    return run(ctx,
               "var x[i=1..26] ~ 1, v[i=1..26] ~ 1, y[i=1..26]\n"
               "for i = 1..26 { x[i]' = v[i] + y[i]\nv[i]' = -x[i] + if(i == 1, 0, x[i-1])\n"
               "x[i] + v[i] = 1 + t\nboundary x[i](0) + x[i](1) = 1 }\nover t = 0 .. 1\n",
               NULL, NULL);
}

static rg_status measure(rg_context *ctx, void *nothing)
{
    rg_problem *p = NULL;
    double conditioning;
    rg_status status = rg_problem_from_text(
        ctx, "var y\ny'' = y\nover t = 0 .. 1\nboundary y(0) = 1\nboundary y(1) = 0\n", &p);

    (void)nothing;
    if (status >= 0) status = rg_conditioning(p, NULL, &conditioning);
    rg_problem_destroy(&p);
    return status;
}

static void test_rescued(void)
{
    CHECK(fault_run("rescued", solve_rescued, NULL) > 20);
}

static void test_branch(void)
{
    CHECK(fault_run("branch", solve_branch, NULL) > 20);
}

static void test_combined(void)
{
    CHECK(fault_run("combined", solve_combined, NULL) > 20);
}

static void test_array(void)
{
    CHECK(fault_run("array", solve_array, NULL) > 20);
}

static void test_large(void)
{
    CHECK(fault_run("large", solve_large, NULL) > 20);
}

static void test_posed(void)
{
    CHECK(fault_run("implied", solve_implied, NULL) > 20);
    CHECK(fault_run("contradicting", solve_contradicting, NULL) > 20);
    CHECK(fault_run("impossible", solve_impossible, NULL) > 20);
}

static void test_places(void)
{
    CHECK(fault_run("places", solve_places, NULL) > 20);
}

static void test_conditioning(void)
{
    CHECK(fault_run("conditioning", measure, NULL) > 20);
}

static void test_mixed(void)
{
    CHECK(fault_run("mixed", solve_mixed, NULL) > 20);
}

static void test_continued(void)
{
    CHECK(fault_run("continued", solve_continued, NULL) > 20);
}

static void test_file(void)
{
    char path[64];

    snprintf(path, sizeof path, "/tmp/regula-fault-%p.csv", (void *)path);
    FILE *file = fopen(path, "w");
    if (!CHECK(file != NULL)) return;
    fputs("t,y,other\n0,1,2\n0.5,0.5,x\n1,0,2\n", file);
    fclose(file);
    CHECK(fault_run("file", solve_from_file, path) > 20);
    remove(path);
}

static const test_case cases[] = {
    {"rescued",           test_rescued     },
    {"branch",            test_branch      },
    {"mixed conditions",  test_mixed       },
    {"combined",          test_combined    },
    {"array",             test_array       },
    {"large",             test_large       },
    {"posed",             test_posed       },
    {"places",            test_places      },
    {"conditioning",      test_conditioning},
    {"continuation",      test_continued   },
    {"guess from a file", test_file        }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
