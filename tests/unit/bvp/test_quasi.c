/* Quasilinearization by the transfer: curves, and models that are not linear. */
#include "bvp/transfer/curve.h"
#include "bvp/transfer/transfer.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rg_context *ctx;
static rg_problem *problem;
static rg_transfer *transfer;

static rg_status start(const char *text, const char *newton, double tol)
{
    const rg_analysis *a;
    rg_options o = rg_options_default();
    rg_status status = rg_context_create(&ctx);

    o.rtol = o.atol = tol;
    strcpy(o.newton, newton);
    if (status == RG_OK) status = rg_problem_from_text(ctx, text, &problem);
    if (status == RG_OK) status = rg_analysis_get(problem, &a);
    if (status == RG_OK) status = rg_transfer_create(problem, a, problem->b, &o, &transfer);
    if (status == RG_OK) status = rg_transfer_run(transfer);
    return status;
}

static bool starts(const char *text, const char *newton, double tol)
{
    const rg_status status = start(text, newton, tol);

    if (status != RG_OK) printf("    %s\n", rg_last_error(ctx)->message);
    return CHECK_INT(status, RG_OK);
}

static void stop(void)
{
    rg_transfer_destroy(&transfer);
    rg_problem_destroy(&problem);
    rg_context_destroy(&ctx);
}

/* y of a component at t; NaN: failed. */
static double value(double t, int component, bool is_slope)
{
    double y[8], yp[8];

    if (!CHECK_INT(rg_transfer_eval(transfer, t, y, yp), RG_OK)) return NAN;
    return is_slope ? yp[component] : y[component];
}

/* ---- curves ---------------------------------------------------------------------------------- */

/* A polynomial of degree 8 is met exactly, with two derivatives; that of degree 9 leaves its last
 * coefficient. */
static void test_curve(void)
{
    const double edge[] = {-1, 0, 2};
    rg_transfer_curve *c = NULL;
    double y, yp, ypp;

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)
        || !CHECK_INT(rg_transfer_curve_create(ctx, 1, 2, edge, &c), RG_OK))
        return stop();
    for (int k = 0; k < rg_transfer_curve_points(c); k++)
        c->value[k] = pow(c->point[k], 8) - c->point[k];
    rg_transfer_curve_update(c);
    for (double t = -1; t <= 2; t += 0.1) {
        rg_transfer_curve_eval(c, t, &y, &yp, &ypp);
        CHECK_NEAR(y, pow(t, 8) - t, 1e-11);
        CHECK_NEAR(yp, 8 * pow(t, 7) - 1, 1e-10);
        CHECK_NEAR(ypp, 56 * pow(t, 6), 1e-8);
    }
    for (int k = 0; k < rg_transfer_curve_points(c); k++) /* T_8 on the first piece */
        c->value[k] = cos(8 * acos(fmax(-1, fmin(1, 1 + 2 * c->point[k]))));
    CHECK_NEAR(rg_transfer_curve_tail(c, 0, 0), 1, 1e-12);
    rg_transfer_curve_destroy(&c);
    stop();
}

/* ---- Bratu ----------------------------------------------------------------------------------- */

static void bratu(double lam, double theta, const char *newton, rg_transfer_newton *out)
{
    char text[512];

    snprintf(text, sizeof text,
             "var y ~ 0, v ~ %g\ny'' = -v\nv = %g*exp(y)\nover t = 0 .. 1\n"
             "boundary y(0) = 0\nboundary y(1) = 0\n",
             lam, lam);
    if (starts(text, newton, 1e-10)) {
        for (double t = 0; t <= 1; t += 0.0625) {
            const double y = -2 * log(cosh((t - 0.5) * theta / 2) / cosh(theta / 4));
            CHECK_NEAR(value(t, 0, false), y, 1e-9);
            CHECK_NEAR(value(t, 1, false), lam * exp(y), 4e-9);
            CHECK_NEAR(value(t, 2, false), -theta * tanh((t - 0.5) * theta / 2), 1e-8);
            CHECK_NEAR(value(t, 1, true), -lam * exp(y) * theta * tanh((t - 0.5) * theta / 2),
                       1e-7); /* v' of the algebraic unknown */
        }
        *out = rg_transfer_facts(transfer).newton;
    }
    stop();
}

/* An independent implementation takes 9 and 29 frozen iterations to 1e-13, and 4 and 6 full ones.
 * */
static void test_bratu(void)
{
    rg_transfer_newton frozen = {0}, full = {0};

    bratu(1, 1.517164599050365, "modified", &frozen);
    bratu(1, 1.517164599050365, "full", &full);
    CHECK_INT(frozen.integrations, 1);
    CHECK(frozen.corrections >= 4 && frozen.corrections <= 9);
    CHECK(full.integrations > 1 && full.integrations <= 4);
    CHECK(!frozen.is_full && full.is_full);
    for (int k = 1; k < frozen.n_log; k++)
        CHECK(frozen.log[k].correction < 0.5 * frozen.log[k - 1].correction);
    CHECK(frozen.log[frozen.n_log - 1].correction < 0.1);
    bratu(3, 3.37350776428589, "modified", &frozen);
    bratu(3, 3.37350776428589, "full", &full);
    CHECK(frozen.integrations < full.integrations);
    CHECK(frozen.corrections > full.corrections);
}

/* ---- other models ---------------------------------------------------------------------------- */

/* A depends on y, the kernel turns with it; a condition is not linear, and one joins both ends.  y
 * = e^t, z = y^2. */
static void test_quasilinear(void)
{
    if (starts("var y ~ 1 + t, z ~ 1\n(1 + z)*y' = y + y^3\nz = y^2\nover t = 0 .. 1\n"
               "boundary y(1)^2 = exp(2)\n",
               "modified", 1e-8)) {
        CHECK_NEAR(value(0, 0, false), 1, 1e-7);
        CHECK_NEAR(value(0.3, 1, false), exp(0.6), 1e-7);
        CHECK_NEAR(value(0.3, 1, true), 2 * exp(0.6), 1e-6);
    }
    stop();
    if (starts("var y ~ 1 + t, z ~ 1\ny' + z' = y + 2*z + 0*t\nz = y^2\nover t = 0 .. 1\n"
               "boundary y(1)*y(0) = exp(1)\n",
               "full", 1e-8)) { /* y' (1 + 2 y) = y + 2 y^2: y = c e^t */
        CHECK_NEAR(value(0.3, 0, false), exp(0.3), 1e-7);
        CHECK_NEAR(value(0.7, 1, false), exp(1.4), 1e-7);
        CHECK(rg_transfer_facts(transfer).is_folded);
    }
    stop();
}

/* An index that comes from combinations of equations: a - b = e^t, a' + b' from one of two equal
 * derivatives. */
static void test_hidden(void)
{
    if (starts("var a ~ 1 + t, b ~ 0\na' + b' = a*b\na' + b' - a + b = a*b - exp(t)\n"
               "over t = 0 .. 1\nboundary b(1) = 0\n",
               "modified", 1e-8)) { /* 2 b' + e^t = b (b + e^t) */
        const double t = 0.5, h = 1e-3, b = value(t, 1, false);
        const double slope = (value(t + h, 1, false) - value(t - h, 1, false)) / (2 * h);
        CHECK_NEAR(value(t, 0, false) - b, exp(t), 1e-7);
        CHECK_NEAR(2 * slope + exp(t), b * (b + exp(t)), 1e-5);
        CHECK_NEAR(value(1, 1, false), 0, 1e-9);
        CHECK_NEAR(value(t, 1, true), slope, 1e-5);
    }
    stop();
}

/* eps y'' + y'^2 = 1, y = 1 + eps ln cosh((t - 0.745)/eps): a corner, at which pieces are halved.
 * */
static void test_corner(void)
{
    if (starts("param eps = 0.02\nvar y ~ 1 + abs(t - 0.7)\neps*y'' = 1 - y'^2\nover t = 0 .. 1\n"
               "boundary y(0) = 1 + eps*log(cosh(0.745/eps))\n"
               "boundary y(1) = 1 + eps*log(cosh(0.255/eps))\n",
               "modified", 1e-7)) {
        for (double t = 0; t <= 1; t += 0.01)
            CHECK_NEAR(value(t, 0, false), 1 + 0.02 * log(cosh((t - 0.745) / 0.02)), 1e-6);
        CHECK(rg_transfer_facts(transfer).newton.pieces > 8);
        CHECK(rg_transfer_facts(transfer).newton.pieces < 100);
    }
    stop();
}

static void test_failures(void)
{
    static const char none[] = "var y ~ 0, v ~ 5\ny'' = -v\nv = 5*exp(y)\nover t = 0 .. 1\n"
                               "boundary y(0) = 0\nboundary y(1) = 0\n",
                      far[] = "var y\ny'' = -20*exp(y)\nover t = 0 .. 1\n"
                              "boundary y(0) = 0\nboundary y(1) = 0\n";
    static const char *const newton[] = {"modified", "full"};

    for (int k = 0; k < 4; k++) { /* beyond the fold at 3.51 there is no solution */
        if (!test_takes(k)) continue;
        CHECK_INT(start(k < 2 ? none : far, newton[k % 2], 1e-6), RG_ERR_CONVERGENCE);
        CHECK(strstr(rg_last_error(ctx)->message, "Newton's method does not converge") != NULL);
        CHECK(rg_last_error(ctx)->remedy[0] != '\0');
        stop();
    }
    CHECK_INT(start(none, "none", 1e-6), RG_ERR_METHOD);
    CHECK(strstr(rg_last_error(ctx)->message, "line 3 is not linear: exp with 'y'") != NULL);
    stop();
    CHECK_INT(start("var x ~ 1, z ~ 1\nx' = 1\n0 = x*z - sin(t)\nover t = 0 .. 1\n"
                    "boundary x(1) = 0.5\n",
                    "modified", 1e-6),
              RG_ERR_METHOD); /* not along the guess, but along the solution */
    CHECK(strstr(rg_last_error(ctx)->message, "not of index 1 at 0.5") != NULL);
    stop();
}

static const test_case cases[] = {
    {"curves",                      test_curve      },
    {"Bratu",                       test_bratu      },
    {"turning kernels, conditions", test_quasilinear},
    {"a hidden index",              test_hidden     },
    {"a corner",                    test_corner     },
    {"failures",                    test_failures   },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
