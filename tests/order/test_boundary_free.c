/* Boundary value problems that have no solution, many, or none that rounding leaves any digits of:
 * the message names what is free and which conditions are to blame, in less than a second of
 * processor time, and nothing is called a success.  Beside each a neighbour that can be solved. */
#include "base/options.h"
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct {
    const char *name, *text;
    const char *message, *remedy; /* parts of the texts */
} row;

static const row refused[] = {
    {"Neumann",                                "var y\ny'' = 1\nover t = 0 .. 1\nboundary y'(0) = 0\nboundary y'(1) = 1\n",
     "'y' can be shifted by a constant",                                                                                                                                                                                   "the condition in line 4 and the condition in line 5"},
    {"Neumann, contradicting",
     "var y\ny'' = 1\nover t = 0 .. 1\nboundary y'(0) = 0\nboundary y'(1) = 2\n",                                           "'y' can be shifted by a constant",                                                            "the condition in line 4 and the condition in line 5"},
    {"Neumann, two unknowns, in large units",
     "var u, v\nu'' = u - v + 1e9\nv'' = v - u - 1e9\nover t = 0 .. 1\nboundary u'(0) = 0\n"
     "boundary u'(1) = 0\nboundary v'(0) = 0\nboundary v'(1) = 0\n",                                                        "'u' and 'v' can be shifted by a constant",                                                    "the condition in line 5"                            },
    {"eigenvalue",
     "var y\ny'' = -pi^2*y + 1\nover t = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 0\n",                                   "a multiple of a solution of the homogeneous problem can be added, largest in 'y' at t = 0.5",
     "the condition in line 4 and the condition in line 5"                                                                                                                                                                                                                      },
    {"periodic, no phase",
     "param mu = 1\nvar x ~ 2*cos(t), v ~ -2*sin(t)\nx' = v\nv' = mu*(1 - x^2)*v - x\n"
     "over t = 0 .. 6.66328685932313\nboundary x(start) = x(end)\nboundary v(start) = v(end)\n",                            "it can be shifted in t",                                                                      "fix one unknown at the start"                       },
    {"a condition twice",
     "var x, y\nx' = y\ny' = -x + 1\nover t = 0 .. 1\nboundary x(0) + y(1) = 1\n"
     "boundary 2*x(0) + 2*y(1) = 2\n",                                                                                      "the condition in line 5 and the condition in line 6 say the same",                            "another condition"                                  },
    {"wrong end",                              "var y\ny' = -30*y\nover t = 0 .. 1\nboundary y(1) = 1\n",
     "rounding limits this problem to 2 digits: the condition in line 4 hardly touches",                                                                                                                                   "at t = 0"                                           },
    {"wrong end, fast",                        "var y\ny' = -300*y + 1\nover t = 0 .. 1\nboundary y(1) = 1\n",
     "the condition in line 4 hardly touches",                                                                                                                                                                             "at t = 0"                                           },
    {"wrong end, ten unknowns",
     "var y[i=1..10]\nfor i = 1..10 { y[i]' = -3*i*y[i] + sin(t)\nboundary y[i](1) = 1 }\n"
     "over t = 0 .. 1\n",                                                                                                   "largest in 'y[10]' at t = 0",                                                                 "at t = 0"                                           },
    {"pole",
     "var y ~ 1, z\ny' = y^2\nz' = y\nover t = 0 .. 2\nboundary y(0) = 1\nboundary z(2) = 0\n",                             "'y' grows without bound",                                                                     "end the interval earlier"                           },
    {"rest",
     "param T ~ 6\nvar x ~ 0\nx' = T*x\nover t = 0 .. 1\nboundary x(0) = 0\nboundary x(1) = 0\n",                           "nothing depends on the unknown constant 'T'",                                                 "not at rest"                                        },
    {"nearly the same equations",
     "param e = 1e-11\nvar x1, x2, x3\nx3' = x1 - x2\nx1 + x2 = sin(t) + cos(t)\n"
     "x1 + (1 + e)*x2 = sin(t) + (1 + e)*cos(t)\nover t = 0 .. 1\nboundary x3(1) = 1\n",                                    "rounding alone changes 'x",                                                                   "difference"                                         },
    {"growth from two conditions",
     "var y\ny'' = 400*y\nover x = 0 .. 2\nboundary y(0) = 1\n"
     "boundary y'(0) + 0*y(2) = 0\n",                                                                                       "line 4 and the condition in line 5 hardly touch a solution",
     "at x = 2 in place of one of them"                                                                                                                                                                                                                                         },
    {"one side, driving another",
     "var y, z\n(t - 2)*y' = 3*y\nz' = -z + y\nover t = 0 .. 3\n"
     "boundary y(3) = 1\nboundary z(0) = 1\n",                                                                              "nothing determines 'y' between t = 0 and 2",                                                  "condition on 'y' there"                             },
    {"one side, driving two",
     "var y, z, u\n(t - 2)*y' = y\nz' = -z + y + u\nu'' = z\nover t = 0 .. 3\n"
     "boundary y(3) = 1\nboundary z(3) = 1\nboundary u(0) = 0\nboundary u(3) = 1\n",                                        "nothing determines 'y' between t = 0 and 2",                                                  "condition on 'y' there"                             },
    {"a place that nothing connects across",
     "var y\n(t - 0.3)*y' = y\nover t = 0 .. 1\nboundary y(1) = 0.7\n",                                                     "nothing determines 'y' between t = 0 and 0.",                                                 "condition on 'y' there"                             },
    {"the same, off the points of all meshes",
     "var y\n(t - 0.31)*y' = 2*y\nover t = 0 .. 1\nboundary y(1) = 0.7\n",                                                  "nothing determines 'y' between t = 0 and 0.31",                                               "condition on 'y' there"                             },
    {"the same, behind the condition",
     "var y, z\n(t - 0.5)*y' = y\nz' = y\nover t = 0 .. 1\nboundary y(0) = 1\nboundary z(0.2) = "
     "0\n",                                                                                                                 "nothing determines 'y' between t = 0.5 and 1",                                                "condition on 'y' there"                             },
    {"two constants for one",
     "param p ~ 0.3, q ~ 0.2\nvar x ~ 0.4*t^2\nx'' = (p + 0.7*q)*(1 + 0.3*x) - 0.15*t^2\n"
     "over t = 0 .. 1\nboundary x(0) = 0\nboundary x'(0) = 0\nboundary x(1) = 0.5\nboundary x'(1) "
     "= "
     "1\n",                                                                                                                 "'p' and 'q' can be shifted by a constant",                                                    "give a value"                                       },
    {"the same, in other units",
     "param p ~ 0.0162, q ~ 10.64\nvar x ~ 0.4*t^2\n"
     "x'' = (p/0.0103 + 0.7*q/6.567)*(1 + 0.3*x) - 0.15*t^2\nover t = 0 .. 1\nboundary x(0) = 0\n"
     "boundary x'(0) = 0\nboundary x(1) = 0.5\nboundary x'(1) = 1\n",                                                       "'p' and 'q' can be shifted by a constant",                                                    "give a value"                                       },
    {"no solution",
     "param l = 5\nvar u\nu'' = -l*exp(u)\nover t = 0 .. 1\nboundary u(0) = 0\nboundary u(1) = 0\n",                        "Newton's method found no solution",                                                           "better guess"                                       },
};

static void check_refused(rg_context *ctx, const row *r)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    double a, b;
    const clock_t before = clock();

    if (!CHECK(rg_problem_from_text(ctx, r->text, &p) >= 0)) return;
    rg_problem_interval(p, &a, &b);
    CHECK(rg_solve(p, b, NULL, &s) == RG_ERR_CONVERGENCE);
    const double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    const rg_error *e = rg_last_error(ctx);
    if (!CHECK(strstr(e->message, r->message) != NULL)
        || !CHECK(strstr(e->remedy, r->remedy) != NULL) || !CHECK(seconds < 1.0))
        printf("    %s: %s\n    %s (%.2g s)\n", r->name, e->message, e->remedy, seconds);
    CHECK(s == NULL || !(rg_solution_estimate(s) <= 1e-6));
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void test_refused(void)
{
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        check_refused(ctx, &refused[k]);
    rg_context_destroy(&ctx);
}

/* Rounding is what is left: as many digits as there are, and success where these will do. */
static void test_digits(void)
{
    static const char text[] = "var y\ny' = -20*y\nover t = 0 .. 1\nboundary y(1) = exp(-20)\n"
                               "exact y = exp(-20*t)\n";
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_options o = rg_options_default();

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    if (CHECK(rg_problem_from_text(ctx, text, &p) >= 0))
        for (double tol = 1e-4; tol > 1e-13; tol *= 1e-2) {
            rg_solution *s = NULL;
            double y, yp;
            o.rtol = o.atol = tol;
            const bool is_solved = rg_solve(p, 1.0, &o, &s) >= 0;
            CHECK(is_solved == (tol > 5.4e-8)); /* a unit in the last place times exp(20) */
            if (!is_solved) CHECK(strstr(rg_last_error(ctx)->message, "to 7 digits") != NULL);
            if (!CHECK(s != NULL)) continue;
            CHECK(rg_solution_stats(s).steps < 3000);
            CHECK(rg_solution_eval(s, 0.0, &y, &yp) >= 0);
            CHECK(fabs(y - 1.0) <= 10.0 * rg_solution_estimate(s));
            CHECK(rg_solution_estimate(s) <= fmax(tol, 1e-6));
            rg_solution_destroy(&s);
        }
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"refused", test_refused},
    {"digits",  test_digits },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
