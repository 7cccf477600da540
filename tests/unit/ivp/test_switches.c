/* Switches: kinks and jumps are located, and the run is as accurate as without them. */
#include "base/options.h"
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static rg_context *ctx;

/* Solves the text at tolerance tol; y at the end. */
static rg_status run_with(const char *method, const char *text, double t_end, double tol, double *y)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();

    o.rtol = o.atol = tol;
    strcpy(o.method, method);
    rg_status status = rg_problem_from_text(ctx, text, &p);
    if (status == RG_OK) status = rg_solve(p, t_end, &o, &s);
    if (status == RG_OK) rg_solution_eval(s, t_end, y, NULL);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return status;
}

static rg_status run(const char *text, double t_end, double tol, double *y)
{
    return run_with("auto", text, t_end, tol, y);
}

/* x' = 1 up to t = 1/3, then -2: polynomials on both sides, so only the switch could cause an
 * error. */
static void test_time(void)
{
    double y[1];

    CHECK(run("var x = 0\nx' = if(t < 1/3, 1, -2)\nover t = 0 .. 1\n", 1.0, 1e-4, y) == RG_OK);
    CHECK_NEAR(y[0], -1.0, 1e-13);
    /* a jump exactly at the end belongs to what comes behind it */
    CHECK(run("var x = 0\nx' = if(t < 1, 1, -200)\nover t = 0 .. 1\n", 1.0, 1e-4, y) == RG_OK);
    CHECK_NEAR(y[0], 1.0, 1e-12);
}

/* x'' = -sign(x) from x = 1/2 at rest: parabolas, period 4. */
static void test_state(void)
{
    double y[1];

    CHECK(run("var x = 0.5, x' = 0\nx'' = -sign(x)\nover t = 0 .. 40\n", 40.0, 1e-6, y) == RG_OK);
    CHECK_NEAR(y[0], 0.5, 1e-8);
    CHECK(run("var x = 0.5, x' = 0\nx'' = -sign(x)\nover t = 0 .. 41\n", 41.0, 1e-6, y) == RG_OK);
    CHECK_NEAR(y[0], 0.0, 1e-7);
}

/* mod jumps at the multiples of its period: int_0^1 mod(t, 0.3) dt = 3 0.3^2/2 + 0.1^2/2. */
static void test_mod(void)
{
    double y[1];

    CHECK(run("var x = 0\nx' = mod(t, 0.3)\nover t = 0 .. 1\n", 1.0, 1e-3, y) == RG_OK);
    CHECK_NEAR(y[0], 0.14, 1e-13);
}

/* Backwards, with several kinks, an algebraic unknown and mod: int_0^10 max(sin t, 0) + mod(t,
 * 1)/10 dt = 4.5. */
static void test_algebraic(void)
{
    const char *model =
        "var q = 0, i\nq' = i\ni = max(sin(t), 0) + 0.1*mod(t, 1)\nover t = 0 .. 10\n";
    const char *back =
        "var q = 4.5, i\nq' = i\ni = max(sin(t), 0) + 0.1*mod(t, 1)\nover t = 10 .. 0\n";
    double y[2];

    CHECK(run(model, 10.0, 1e-8, y) == RG_OK);
    CHECK_NEAR(y[0], 4.5, 1e-7);
    CHECK(run(back, 0.0, 1e-8, y) == RG_OK);
    CHECK_NEAR(y[0], 0.0, 1e-7);
}

/* Index 3: the multiplier jumps with the force, position and velocity do not.  A bead on the circle
 * q^2 + p^2 = 1 pushed along it by a force of size 1 up to t = 1 and 0 afterwards: angle 1/2 + (t -
 * 1) from then on. */
static void test_index3(void)
{
    const char *model = "var p = 1, q = 0, u = 0, v = 0, lam\nlet f = if(t < 1, 1, 0)\n"
                        "p' = u\nq' = v\nu' = -p*lam - q*f\nv' = -q*lam + p*f\n0 = p^2 + q^2 - 1\n"
                        "over t = 0 .. 2\n";
    double y[5];

    CHECK(run(model, 2.0, 1e-8, y) == RG_OK);
    CHECK_NEAR(atan2(y[1], y[0]), 1.5, 1e-6);
    CHECK_NEAR(y[4], 1.0, 1e-3);
}

/* Sums have switches of their own. */
static void test_sums(void)
{
    const char *model =
        "param N = 5\nvar x = 0\nx' = sum(i=1..N, if(t < i/10, 1, 0))\nover t = 0 .. 1\n";
    double y[1];

    CHECK(run(model, 1.0, 1e-3, y) == RG_OK);
    CHECK_NEAR(y[0], 1.5, 1e-12);
}

/* x reaches 0 at t = 1 and stays there, since both sides lead to it. */
static void test_sliding(void)
{
    static const char model[] = "var x = 1\nx' = -sign(x)\nover t = 0 .. 2\n";
    double y[1];

    CHECK(run(model, 2.0, 1e-6, y) == RG_OK);
    CHECK_NEAR(y[0], 0.0, 1e-12);
    CHECK(run_with("gauss", model, 2.0, 1e-6, y) == RG_OK);
    CHECK_NEAR(y[0], 0.0, 1e-12);
    CHECK(run_with("dopri", model, 2.0, 1e-6, y) == RG_OK);
    CHECK_NEAR(y[0], 0.0, 1e-12);
}

/* A flux is switched on at an algebraic edge cell of an array: the cells behind it keep their heat,
 * sum u_i = 4 (t - 0.5). */
static void test_edge(void)
{
    double y[5];

    CHECK(run("param N = 4\nvar u[i=0..N] ~ 0\n(u[0] - u[1])*4 = if(t > 0.5, 1, 0)\n"
              "for i = 1..N-1 { u[i]' = (u[i-1] - 2*u[i] + u[i+1])*16 }\nu[N] = u[N-1]\n"
              "over t = 0 .. 1\n",
              1.0, 1e-6, y)
          == RG_OK);
    CHECK_NEAR(y[1] + y[2] + y[3], 2.0, 1e-7);
}

/* The same equations as scalars and as an array: saturations, dry friction that sticks, sums. */
static void test_arrays(void)
{
    static const char scalars[] = "var x1 = 0, x2 = 0, x3 = 0, v1 = 0.5, v2 = 0, v3 = -0.5, a\n"
                                  "x1' = v1\nx2' = v2\nx3' = v3\n"
                                  "v1' = 1.5*sin(t) - 1*sign(v1) - max(x1 - 0.3, 0)\n"
                                  "v2' = 1.5*sin(t) - 1.2*sign(v2) - max(x2 - 0.3, 0)\n"
                                  "v3' = 1.5*sin(t) - 1.4*sign(v3) - max(x3 - 0.3, 0)\n"
                                  "2*a + abs(a) = abs(x1) + abs(x2) + abs(x3)\nover t = 0 .. 6\n";
    static const char arrays[] =
        "var x[i=1..3] = 0, v[i=1..3] = 0.5*(2 - i), a\n"
        "for i = 1..3 {\nx[i]' = v[i]\n"
        "v[i]' = 1.5*sin(t) - (0.8 + 0.2*i)*sign(v[i]) - max(x[i] - 0.3, 0)\n}\n"
        "2*a + abs(a) = sum(i=1..3, abs(x[i]))\nover t = 0 .. 6\n";
    double y[7], z[7];

    CHECK(run(scalars, 6.0, 1e-8, y) == RG_OK);
    CHECK(run(arrays, 6.0, 1e-8, z) == RG_OK);
    for (int k = 0; k < 7; k++)
        CHECK_NEAR(y[k], z[k], 1e-7);
}

/* --sliding refuse ends the run where the motion along a switch begins. */
static void test_refuse(void)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();

    strcpy(o.sliding, "refuse");
    CHECK(rg_problem_from_text(ctx, "var x = 1\nx' = -sign(x)\nover t = 0 .. 2\n", &p) == RG_OK);
    CHECK(rg_solve(p, 2.0, &o, &s) == RG_ERR_CONVERGENCE);
    CHECK(strstr(rg_last_error(ctx)->message, "slide") != NULL);
    CHECK_NEAR(rg_last_error(ctx)->t, 1.0, 1e-6);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static const test_case cases[] = {
    {"time",      test_time     },
    {"state",     test_state    },
    {"mod",       test_mod      },
    {"algebraic", test_algebraic},
    {"index 3",   test_index3   },
    {"sums",      test_sums     },
    {"edge",      test_edge     },
    {"arrays",    test_arrays   },
    {"refuse",    test_refuse   },
    {"sliding",   test_sliding  },
};

int main(void)
{
    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
