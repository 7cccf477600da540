/* Boundary value problems on which a solver can be wrong without noticing: short pulses, jumps that
 * the solution places, conditions that nearly coincide, quantities in very different units.
 *
 * Every row has its exact solution.  Errors are |e| / (1 + |y|) at 101 points; the estimate may not
 * be below a tenth of the error, rounding (1e-12) apart. */
#include "base/options.h"
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *name, *text;
} row;

static const row traps[] = {
    {"pulse",
     "param a = 0.4137, b = 0.4147\nvar y\ny'' = if(x > a and x < b, 1000, 0)\n"
     "over x = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 0\n"
     "fun P(x) = if(x < a, 0, if(x < b, 500*(x - a)^2, 500*(b - a)^2 + 1000*(b - a)*(x - b)))\n"
     "exact y = P(x) - P(1)*x\n"                                                                                              },
    {"pulse of abs",
     "param a = 0.4137, b = 0.4147\nvar y\ny'' = if(abs(x - 0.4142) < 0.0005, 1000, 0)\n"
     "over x = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 0\n"
     "fun P(x) = if(x < a, 0, if(x < b, 500*(x - a)^2, 500*(b - a)^2 + 1000*(b - a)*(x - b)))\n"
     "exact y = P(x) - P(1)*x\n"                                                                                              },
 /* y = m x up to c/m, then curved: 1 = m + (1 - c/m)^2/2 */
    {"relay",                                       "param m = 0.75, c = m*(1 - sqrt(2*(1 - m)))\nvar y ~ x\ny'' = if(y > c, 1, 0)\n"
              "over x = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 1\n"
              "exact y = m*x + if(m*x > c, (x - c/m)^2/2, 0)\n"                                                  },
 /* a guess of 0 would divide by it */
    {"no guess",
     "var y\ny'' = -1/(4*y^3)\nover x = 0 .. 1\nboundary y(0) = 1\nboundary y(1) = sqrt(2)\n"
     "exact y = sqrt(1 + x)\n"                                                                                                },
    {"no guess, start value kept",
     "var y = 1\ny'' = -1/(4*y^3)\nover x = 0 .. 8\nboundary 2*y(end) = 6\n"
     "exact y = sqrt(1 + x)\n"                                                                                                },
 /* a circle: only the conditions tell that y < 0 at first */
    {"no guess, two branches",
     "var y, x, l\nx'' = -l*x\ny'' = -l*y\nx^2 + y^2 = 1\nover t = 0 .. 1\n"
     "boundary x(0) = 0.6\nboundary y(0) = -0.8\nboundary x(1) = 0.6*cos(1) + 0.8*sin(1)\n"
     "boundary y(1) = 0.6*sin(1) - 0.8*cos(1)\nexact y = 0.6*sin(t) - 0.8*cos(t)\n"                                           },
 /* conditions 1e-6 apart enlarge rounding by 1e6 */
    {"close conditions",
     "var y\ny''' = 0\nover x = 0 .. 1\nboundary y(0.5) = 0.25\n"
     "boundary y(0.500001) = 0.250001000001\nboundary y(1) = 1\nexact y = x^2\n"                                              },
 /* errors in the flat end on the right are enlarged by 1e5 where the wave is */
    {"travelling wave",
     "param c = 5/sqrt(6)\nfun wave(x) = 1/(1 + exp(x/sqrt(6)))^2\nvar y ~ 1/(1 + exp(x))\n"
     "y'' + c*y' + y*(1 - y) = 0\nover x = -15 .. 15\nboundary y(-15) = wave(-15)\n"
     "boundary y(15) = wave(15)\nexact y = wave(x)\n"                                                                         },
 /* a slope without bound at the start: more stages hardly help there */
    {"square root",
     "var y ~ 1\n2*x*y' = y\nover x = 0 .. 1\nboundary y(1) = 1\nexact y = sqrt(x)\n"                                         },
    {"power 3/4, with a factor",                    "var y ~ 1, z\nx*y' = 0.75*y\nz' = -z + y\nover x = 0 .. "
                                 "1\nboundary y(1) = 1\nboundary z(0) = 0\nexact y = x^0.75\n"},
 /* pulses that fall between all stages of a first mesh */
    {"smooth pulse, w = 1e-3",
     "param c = 0.3711, w = 1e-3, q = sqrt(pi)/2\nvar y\ny' = exp(-((x - c)/w)^2)/w\n"
     "over x = 0 .. 1\nboundary y(1) = q*(1 + erf(c/w))\nexact y = q*(erf((x - c)/w) + "
     "erf(c/w))\n"                                                                                                            },
    {"smooth pulse, w = 1e-4",
     "param c = 0.61234, w = 1e-4, q = sqrt(pi)/2\nvar y\ny' = exp(-((x - c)/w)^2)/w\n"
     "over x = 0 .. 1\nboundary y(1) = q*(1 + erf(c/w))\nexact y = q*(erf((x - c)/w) + "
     "erf(c/w))\n"                                                                                                            },
    {"the same in an algebraic unknown, nonlinear",
     "param c = 0.17, w = 1e-4, q = sqrt(pi)/2\nvar y, z\ny' = z^3\nz = (exp(-((x - "
     "c)/w)^2)/w)^(1/3)\n"
     "over x = 0 .. 1\nboundary y(1) = q*(1 + erf(c/w))\nexact y = q*(erf((x - c)/w) + "
     "erf(c/w))\n"                                                                                                            },
    {"algebraic unknown that jumps",
     "var v, z\nv = sign(x - 0.432191)\nz' = z + v\nover x = 0 .. 1\nboundary z(1) = 1\n"
     "exact z = if(x < 0.432191, 1 + (2*exp(-0.567809) - 2)*exp(x - 0.432191), 2*exp(x - 1) - 1)\n"
     "exact v = if(x < 0.432191, -1, 1)\n"                                                                                    },
    {"constraint with a kink, index 2",
     "var v, y, z\ny' = v - cos(x)\ny = -abs(x - 0.432191)\nz' = z\nover x = 0 .. 1\n"
     "boundary z(1) = 1\nexact y = -abs(x - 0.432191)\n"
     "exact v = cos(x) + if(x < 0.432191, 1, -1)\n"                                                                           },
    {"square wave of 400 jumps",
     "param h = 1/400\nvar y\ny' = 800*sign(sin(pi*x/h)) - y\nover x = 0 .. 1\n"
     "boundary y(0) = y(1)\n"
     "exact y = 800*if(mod(x, 2*h) < h, 1, -1)*(1 - (1 + tanh(h/2))*exp(-mod(x, h)))\n"                                       },
};

static void check_row(rg_context *ctx, const row *r, double tol)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    double a, b, y[8]; /* room for all unknowns of a row */

    o.rtol = o.atol = tol;
    if (!CHECK(rg_problem_from_text(ctx, r->text, &p) >= 0)) goto done;
    rg_problem_interval(p, &a, &b);
    if (!CHECK(rg_solve(p, b, &o, &s) >= 0)) goto done;
    const double error = rg_solution_error(s, 0), estimate = rg_solution_estimate(s);
    CHECK(rg_solution_eval(s, b, y, NULL) >= 0 && isfinite(y[0]));
    if (!CHECK(error <= 3 * tol) || !CHECK(estimate >= 0.1 * error - 1e-12)
        || !CHECK(estimate <= 3 * tol))
        printf("    %s, tolerance %g: error %g, estimate %g\n", r->name, tol, error, estimate);
done:
    if (s == NULL) {
        printf("    %s, tolerance %g\n", r->name, tol);
        rg_error_print(rg_last_error(ctx), stdout);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void test_traps(void)
{
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof traps / sizeof *traps; k++)
        for (double tol = 1e-3; tol > 1e-10; tol *= 1e-2)
            check_row(ctx, &traps[k], tol);
    rg_context_destroy(&ctx);
}

/* Layers down to the distance of two numbers and below: the derivative at the end is right, or the
 * problem is refused.  Between the points of a mesh that has none in such a layer the polynomials
 * are as wild as 1/e lets them be, and so is all that they are compared with. */
typedef struct {
    const char *text;
    double slope; /* of the unknown, at the end */
    bool is_solved;
} thin_row;

#define THIN(e, rest) "param e = " e "\n" rest "\nover x = 0 .. 1\nboundary y(0) = 0\n"

static const thin_row thin[] = {
    {THIN("1e-12", "var y\ne*y'' = y'") "boundary y(1) = 1\n",              1e12,        true },
    {THIN("1e-40", "var y\ne*y'' = y'") "boundary y(1) = 1\n",              1e40,        false},
    {THIN("1e-12", "var y, z\ny' = z\ne*z' = z - 1") "boundary y(1) = 3\n", 2e12,        true },
    {THIN("1e-16", "var y, z\ny' = z\ne*z' = z - 1") "boundary y(1) = 3\n", 2e16,        false},
    {THIN("1e-20", "var y, z\ny' = z\ne*z' = z - 1") "boundary y(1) = 3\n", 2e20,        false},
    {THIN("1e-40", "var y, z\ny' = z\ne*z' = z - 1") "boundary y(1) = 3\n", 2e40,        false},
    {THIN("1e-12", "var y\ne*y'' = y - cos(x)") "boundary y(1) = 3\n",      2.459698e6,  true },
    {THIN("1e-30", "var y\ne*y'' = y - cos(x)") "boundary y(1) = 3\n",      2.459698e15, false},
    {THIN("1e-40", "var y\ne*y'' = y - cos(x)") "boundary y(1) = 3\n",      2.459698e20, false},
 /* y'^2 = (y^4 - 4 y + 3)/(2 e): 36/e at y = 3 */
    {THIN("1e-16", "var y ~ 1\ne*y'' = y^3 - 1") "boundary y(1) = 3\n",     6e8,         true },
    {THIN("1e-40", "var y ~ 1\ne*y'' = y^3 - 1") "boundary y(1) = 3\n",     6e20,        false},
 /* 2 sinh(n/2) */
    {THIN("50",    "var y ~ x\ny'' = e*sinh(e*y)") "boundary y(1) = 1\n",   7.200490e10, true },
};

static void check_thin(rg_context *ctx, const thin_row *r)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    const rg_options o = rg_options_default();
    double y[2], yp[2];

    if (!CHECK(rg_problem_from_text(ctx, r->text, &p) >= 0)) goto done;
    const rg_status status = rg_solve(p, 1.0, &o, &s);
    CHECK(status == RG_OK || (status == RG_ERR_CONVERGENCE && !r->is_solved));
    if (status != RG_OK) goto done;
    CHECK(rg_solution_eval(s, 1.0, y, yp) >= 0);
    if (!CHECK_NEAR(yp[0], r->slope, 1e-5 * r->slope)) printf("    %s\n", r->text);
done:
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

/* A first mesh of 160 intervals is not halved seven times to find that out: that takes seconds. */
static void test_quick_no(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    CHECK(rg_problem_from_text(
              ctx, THIN("200", "var y ~ x\ny'' = e*sinh(e*y)") "boundary y(1) = 1\n", &p)
          >= 0);
    CHECK(rg_solve(p, 1.0, NULL, &s) == RG_ERR_CONVERGENCE);
    CHECK(strstr(rg_last_error(ctx)->message, "(1280 intervals") != NULL);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_thin(void)
{
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof thin / sizeof *thin; k++)
        if (test_takes((int)k + 2)) check_thin(ctx, &thin[k]);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"traps",    test_traps   },
    {"thin",     test_thin    },
    {"quick no", test_quick_no},
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
