/* All that the forms of equations on grids may contain: coefficients that vary, sources that depend
 * on their field, equations without time derivatives, implicit transport, scalars on solids. */
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 8 };

/* Outputs at the end of a model with options "name value name value ..."; false: it failed. */
static bool solve(const char *text, const char *const *options, double t_end, double *out)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;

    for (int k = 0; k < MOST; k++)
        out[k] = NAN;
    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_options_create(ctx, &o) == RG_OK);
    rg_options_set(o, "estimate", "off");
    for (int k = 0; options[k] != NULL; k += 2)
        CHECK(rg_options_set(o, options[k], options[k + 1]) == RG_OK);
    const bool ok = rg_problem_from_text(ctx, text, &p) == RG_OK
                    && rg_solve(p, t_end, o, &s) >= RG_OK
                    && rg_solution_eval(s, t_end, out, NULL) == RG_OK;
    if (!ok) rg_error_print(rg_last_error(ctx), stderr);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_options_destroy(&o);
    rg_context_destroy(&ctx);
    return ok;
}

/* Viscosity and storage that vary in space, time and with a scalar: order 2 towards the expansion
 * of the same equations by Radau IIA. */
static void test_coefficients(void)
{
    static const char *const text =
        "domain x = 0..1 cells 6, y = 0..1 cells 6\nvector u = (0, 0)\nfield p, T = x\n"
        "(1 + .5*x + T)*u' + div(u*u) = div((.05*exp(T) + .1*y)*grad(u)) - grad(p) + (0, x)\n"
        "div(u) = 0\nT' + div(u*T) = .1*lap(T)\nover t = 0 .. .25\n"
        "boundary u(top) = (1 + sin(4*t), 0)\n"
        "output a = u[x](.5, .4), b = u[y](.25, .5), c = T(.3, .3)\n";
    /* regula solve --method radau --tol 1e-10 */
    static const double exact[] = {-0.18116686772, 0.15265429524, 0.33583092814};
    double y[MOST], error[2] = {0.0, 0.0};

    for (int k = 0; k < 2; k++) {
        CHECK(solve(
            text,
            (const char *const[]){"step", k == 0 ? "0.01" : "0.005", "transport", "central", NULL},
            0.25, y));
        for (int m = 0; m < 3; m++)
            error[k] = fmax(error[k], fabs(y[m] - exact[m]));
    }
    CHECK(error[0] < 1e-4);
    CHECK(error[1] < 0.3 * error[0]);
}

/* 0 = s'' - 4 s^3 + ...: the nonlinear source is solved for, order 2; its level may come from the
 * source alone. */
static void test_own_source(void)
{
    static const char *const text =
        "domain x = 0..1 cells %d\nfield s\n0 = lap(s) - 4*s^3 + 4*sinh(x)^3 - sinh(x)\n"
        "boundary s(left) = 0, s(right) = sinh(1)\noutput a = s(.5), b = integral(s)\n";
    static const char *const level =
        "domain x = 0..1 cells 16\nfield s\n0 = lap(s) - s + 2\noutput a = s(.3)\n";
    char model[512];
    double y[MOST], error[2];

    for (int k = 0; k < 2; k++) {
        snprintf(model, sizeof model, text, k == 0 ? 20 : 40);
        CHECK(solve(model, (const char *const[]){NULL}, 0.0, y));
        error[k] = fabs(y[1] - (cosh(1.0) - 1.0));
    }
    CHECK(error[0] < 1e-3);
    CHECK_NEAR(error[0] / error[1], 4.0, 0.3);
    CHECK(solve(level, (const char *const[]){NULL}, 0.0, y));
    CHECK_NEAR(y[0], 2.0, 1e-9);
}

/* Without time derivatives: what marching gives. */
static void test_steady(void)
{
    static const char *const still =
        "domain x = 0..1 cells 12, y = 0..1 cells 12\nvector u\nfield p\n"
        "div(u*u) = lap(u)/10 - grad(p)\ndiv(u) = 0\nboundary u(top) = (1, 0)\n"
        "output a = minimum(u[x], x = .5), b = maximum(u[y], y = .5)\n";
    static const char *const moving =
        "domain x = 0..1 cells 12, y = 0..1 cells 12\nvector u = (0, 0)\nfield p\n"
        "u' + div(u*u) = lap(u)/10 - grad(p)\ndiv(u) = 0\nboundary u(top) = (1, 0)\n"
        "over t = 0 .. 20\noutput a = minimum(u[x], x = .5), b = maximum(u[y], y = .5)\n";
    static const char *const carried =
        "domain x = 0..1 cells 20, y = 0..1 cells 20\nfield c%s\n"
        "%sdiv((1, .5)*c) = .1*lap(c) + 1 - c\nboundary c(left) = 0, c(bottom) = 0\n%s"
        "output a = mean(c), b = maximum(c)\n";
    char model[512];
    double x[MOST], y[MOST];

    CHECK(solve(still, (const char *const[]){NULL}, 0.0, x));
    CHECK(solve(moving, (const char *const[]){NULL}, 20.0, y));
    CHECK_NEAR(x[0], y[0], 1e-6);
    CHECK_NEAR(x[1], y[1], 1e-6);
    for (int k = 0; k < 2; k++) {
        const char *const transport[] = {"transport", k == 0 ? "tvd" : "upwind", NULL};
        snprintf(model, sizeof model, carried, "", "", "");
        CHECK(solve(model, transport, 0.0, x));
        snprintf(model, sizeof model, carried, " = 0", "c' + ", "over t = 0 .. 20\n");
        CHECK(solve(model, transport, 20.0, y));
        CHECK_NEAR(x[0], y[0], 1e-7);
        CHECK_NEAR(x[1], y[1], 1e-7);
    }
}

/* Implicit transport stays in the range of its data at any step, and keeps its balance. */
static void test_implicit(void)
{
    static const char *const text =
        "domain x = 0..1 cells 40, y = 0..1 cells 5\nfield c = if(x < .2, 1, 0)\n"
        "c' + div((1, 0)*c) = 0\nboundary c(left) = .5\nover t = 0 .. .4\n"
        "output a = integral(c), b = maximum(c), d = minimum(c), e = integral(c, right)\n";
    double y[MOST], fine[MOST];

    CHECK(solve(text, (const char *const[]){"scheme", "implicit", "step", "0.1", NULL}, 0.4, y));
    CHECK(y[1] <= 1.0 + 1e-12 && y[2] >= -1e-12);
    CHECK(
        solve(text, (const char *const[]){"scheme", "implicit", "step", "0.001", NULL}, 0.4, fine));
    CHECK_NEAR(fine[0], 0.4, 1e-3); /* .2 at first, .5 x .4 comes in, nearly nothing has left */
}

/* Values and fluxes on solids; dispersion whose coefficients are expressions. */
static void test_scalars(void)
{
    static const char *const wall =
        "domain x = 0..2 cells 20, y = 0..1 cells 4\nsolid hot = x < .5\nfield T%s\n%s = lap(T)\n"
        "boundary %s(hot%s) = %s, T(right) = 0\n%soutput a = T(1.25, .5), b = T(.5, .5)\n";
    static const char *const spot =
        "domain x = 0..1 cells 10, y = 0..1 cells 10\nfield p, c = 0\nvector u\nu = -grad(p)\n"
        "div(u) = 0\nc' + div(u*c) = div(dispersion(u, %s)*grad(c))\n"
        "well a at (0, 0) rate 1 with c = 1\nwell b at (1, 1) rate -1\nover t = 0 .. .3\n"
        "output a = c(.5, .5), b = integral(c), d = c(b)\n";
    char model[512];
    double x[MOST], y[MOST];

    snprintf(model, sizeof model, wall, "", "0", "T", "", "3", "");
    CHECK(solve(model, (const char *const[]){NULL}, 0.0, x));
    CHECK_NEAR(x[0], 1.5, 1e-9);
    CHECK_NEAR(x[1], 3.0, 1e-9);
    snprintf(model, sizeof model, wall, " = 0", "T'", "T", "", "3", "over t = 0 .. 30\n");
    CHECK(solve(model, (const char *const[]){NULL}, 30.0, x));
    CHECK_NEAR(x[0], 1.5, 1e-6);
    snprintf(model, sizeof model,
             "domain x = 0..2 cells 20, y = 0..1 cells 4\nsolid hot = x < .5\nfield T\n0 = lap(T)\n"
             "boundary flux(T, hot) = -2, T(right) = 0\noutput a = T(1.25, .5)\n");
    CHECK(solve(model, (const char *const[]){NULL}, 0.0, x));
    CHECK_NEAR(x[0], 1.5, 1e-9); /* 2 flows in: T = 2 (2 - x) */
    snprintf(model, sizeof model, spot, "0, .01, .001");
    CHECK(solve(model, (const char *const[]){NULL}, 0.3, x));
    snprintf(model, sizeof model, spot, "0*x, .01 + 0*y, .001 + 0*c");
    CHECK(solve(model, (const char *const[]){NULL}, 0.3, y));
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(x[k], y[k], 1e-12);
}

/* ABC flow from the curl of a potential: the differences of its values on the edges. */
static void test_curl(void)
{
    static const char *const text =
        "param A = 1, B = .7, C = .4, nu = .05\ndomain x = 0..2*pi cells 12 periodic, "
        "y = 0..2*pi cells 12 periodic, z = 0..2*pi cells 12 periodic\n"
        "vector u = curl((A*sin(z) + C*cos(y), B*sin(x) + A*cos(z), C*sin(y) + B*cos(x)))\n"
        "field p\nu' + div(u*u) = nu*lap(u) - grad(p)\ndiv(u) = 0\nover t = 0 .. .1\n"
        "output a = maximum(u[x]), b = maximum(u[y]), c = maximum(u[z])\n";
    const double nu = 0.05, h = 2.0 * acos(-1.0) / 12, s = 2.0 * sin(0.5 * h) / h;
    double y[MOST];

    CHECK(solve(text, (const char *const[]){"step", "0.01", NULL}, 0.1, y));
    const double decay = cos(0.5 * h) * s * exp(-nu * 0.1 * s * s);
    CHECK_NEAR(y[0], decay * 1.4, 1e-3); /* sampled half a cell beside the largest values */
    CHECK_NEAR(y[1], decay * 1.7, 1e-3);
    CHECK_NEAR(y[2], decay * 1.1, 1e-3);
}

int main(void)
{
    const test_case cases[] = {
        {"coefficients", test_coefficients},
        {"own source",   test_own_source  },
        {"steady",       test_steady      },
        {"implicit",     test_implicit    },
        {"scalars",      test_scalars     },
        {"curl",         test_curl        }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
