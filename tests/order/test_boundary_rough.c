/* Boundary value problems whose solutions are like t^a, 0 < a < 2, at a point: the difference of
 * two orders tells too little there, and an error made there is seen everywhere behind it.
 *
 * Errors are taken at 401 points in the weight of the estimate.  What is solved keeps to its
 * tolerance, the estimate is not below a sixth of the error (a tenth of the tolerance counts as
 * none), and few intervals do it.  a = 0.3 needs lengths of 1e-20 at 1e-6: it may be refused. */
#include "base/options.h"
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *name, *text; /* with %1$g for a */
    double least;            /* of a */
} row;

static const row rows[] = {
    {"start",
     "param a = %g\nvar y ~ t\nover t = 0 .. 1\nt*y' = a*y\nboundary y(1) = 1\nexact y = t^a\n",   0.0},
    {"start, as a force",
     "param a = %g\nvar y\nover t = 0 .. 1\ny' = a*t^(a - 1)\nboundary y(1) = 1\nexact y = t^a\n", 0.0},
    {"end, carried back",
     "param a = %g\nvar y ~ 1\nover t = 0 .. 1\ny' = -a*(1 - t)^(a - 1)\nboundary y(1) = 0\n"
     "exact y = (1 - t)^a\n",                                                                      0.0},
    {"inside",
     "param a = %g\nvar y ~ 1\nover t = -1 .. 2\ny' = a*sign(t - 0.3)*abs(t - 0.3)^(a - 1)\n"
     "boundary y(2) = 1.7^a\nexact y = abs(t - 0.3)^a\n",                                          0.0},
    {"inside, no mesh point there",
     "param a = %g\nvar y ~ 1\nover t = -1 .. 2\ny' = a*(t - 0.3)*((t - 0.3)^2)^(a/2 - 1)\n"
     "boundary y(2) = 1.7^a\nexact y = ((t - 0.3)^2)^(a/2)\n",                                     1.0},
    {"beside a smooth part",
     "param a = %g\nvar y\nover t = 0 .. 1\ny' = 0.01*a*t^(a - 1) - 3*sin(3*t)\n"
     "boundary y(1) = 0.01 + cos(3)\nexact y = 0.01*t^a + cos(3*t)\n",                             0.0},
    {"coupled, other units of time",
     "param a = %g\nvar y, v\nover t = 0 .. 1e6\n1e6*y' = v - cos(t/1e6) + a*(t/1e6)^(a - 1)\n"
     "1e6*v' = y - (t/1e6)^a - sin(t/1e6)\nboundary y(0) = 0\nboundary y(1e6) = 1\n"
     "exact y = (t/1e6)^a, v = cos(t/1e6)\n",                                                      0.0},
    {"slope counts, too",
     "param a = %g\nvar y ~ t\nover t = 0 .. 1\ny'' = a*(a - 1)*t^(a - 2)\nboundary y(0) = 0\n"
     "boundary y(1) = 1\nexact y = t^a\n",                                                         1.0},
};

/* The largest error at the points, each relative to floor + |y|; exact: y and v as functions. */
static double exact_value(const row *r, double a, double t, int k)
{
    if (k == 1) return cos(t / 1e6);
    if (strncmp(r->name, "inside", 6) == 0) return pow(fabs(t - 0.3), a);
    if (strncmp(r->name, "end", 3) == 0) return pow(1.0 - t, a);
    if (strncmp(r->name, "beside", 6) == 0) return 0.01 * pow(t, a) + cos(3.0 * t);
    return pow(strncmp(r->name, "coupled", 7) == 0 ? t / 1e6 : t, a);
}

static double find_error(const rg_solution *s, const row *r, double a, const double ends[2])
{
    enum { POINTS = 401 };
    const int n = strncmp(r->name, "coupled", 7) == 0 ? 2 : 1;
    double worst = 0.0, y[8], size[2] = {0.0, 0.0};

    for (int pass = 0; pass < 2; pass++)
        for (int q = 0; q < POINTS; q++) {
            const double t = ends[0] + (ends[1] - ends[0]) * q / (POINTS - 1.0);
            if (!CHECK(rg_solution_eval(s, t, y, NULL) >= 0)) return INFINITY;
            for (int k = 0; k < n; k++) {
                const double value = exact_value(r, a, t, k);
                if (pass == 0) size[k] = fmax(size[k], fabs(value));
                const double floor = fmax(fmin(size[k], 1.0), 0.1 * size[k]);
                if (pass == 1) worst = fmax(worst, fabs(y[k] - value) / (floor + fabs(value)));
            }
        }
    return worst;
}

static void check_row(rg_context *ctx, const row *r, double a, double tol, int *n_refused)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    char text[512];
    double ends[2];

    o.rtol = o.atol = tol;
    snprintf(text, sizeof text, r->text, a);
    if (!CHECK(rg_problem_from_text(ctx, text, &p) >= 0)) return;
    rg_problem_interval(p, &ends[0], &ends[1]);
    const rg_status status = rg_solve(p, ends[1], &o, &s);
    if (status < 0) {
        *n_refused += 1;
        if (!CHECK(a < 0.5 && tol < 1e-3)) {
            printf("    %s, a = %g, tolerance %g\n", r->name, a, tol);
            rg_error_print(rg_last_error(ctx), stdout);
        }
    } else {
        const double error = find_error(s, r, a, ends), estimate = rg_solution_estimate(s);
        const int64_t steps = rg_solution_stats(s).steps;
        if (!CHECK(error <= tol) || !CHECK(estimate >= (error - 0.1 * tol) / 6.0)
            || !CHECK(estimate <= tol) || !CHECK(steps <= 1000))
            printf("    %s, a = %g, tolerance %g: error %g, estimate %g, %lld intervals\n", r->name,
                   a, tol, error, estimate, (long long)steps);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void test_powers(void)
{
    static const double power[] = {0.3, 0.5, 0.75, 1.2, 1.5, 1.8};
    rg_context *ctx = NULL;
    int n_refused = 0;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (size_t q = 0; q < sizeof power / sizeof *power; q++)
            for (double tol = 1e-3; tol > 1e-9 && power[q] > rows[k].least; tol *= 1e-2)
                check_row(ctx, &rows[k], power[q], tol, &n_refused);
    printf("    %d refused\n", n_refused);
    CHECK(n_refused <= 12);
    rg_context_destroy(&ctx);
}

/* y'(0) of Troesch's problem with n = 20 is 1.648773182e-8 (y'(1) = 2.2e4): right to rtol where an
 * absolute tolerance asks for it, in any units. */
static void test_ends(void)
{
    static const double unit[] = {1.0, 1e6};
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (int k = 0; k < 4; k++) {
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        rg_options o = rg_options_default();
        const double U = unit[k % 2], tol = k < 2 ? 1e-4 : 1e-6;
        double y[2], yp[2];
        char text[256];
        snprintf(text, sizeof text,
                 "param n = 20, U = %g\nvar y ~ U*t\nover t = 0 .. 1\ny'' = U*n*sinh(n*y/U)\n"
                 "boundary y(0) = 0\nboundary y(1) = U\n",
                 U);
        o.rtol = tol;
        o.atol = 1e-16 * U;
        CHECK(rg_problem_from_text(ctx, text, &p) >= 0);
        if (CHECK(rg_solve(p, 1.0, &o, &s) >= 0) && CHECK(rg_solution_eval(s, 0.0, y, yp) >= 0)
            && !CHECK(fabs(yp[0] / U - 1.648773182e-8) <= tol * 1.65e-8))
            printf("    tolerance %g, unit %g: y'(0) = %.10g\n", tol, U, yp[0] / U);
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"values at the ends", test_ends  },
    {"powers of the time", test_powers},
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
