/* Switches in models of index 2 whose multiplier stands under a root: it is a difference divided by
 * the step, so that steps as short as the way to a switch, or slopes from them, lead where the root
 * has no value.  Such a step is left out, or begins elsewhere: it is no reason to stop. */
#include "regula.h"
#include "support/rows.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

static rg_context *ctx;

/* Another switch so shortly before or behind one of time that no step may come between.  s = t,
 * lam = x' is known, q is an exponential in three parts. */
static const char *const close_by =
    "var s = 0, x = 1, lam ~ 1e-3, w = 0, q = 0\n"
    "s' = 1\nx' = lam\n0 = x - 1 - %g*(s + 0.1*sin(3*s))\nw' = sqrt(lam) + max(s - 1 - %g, 0)\n"
    "q' = if(t < 1, 1, 2) - q + if(s > 1 + %g, 0.3, 0)\nover t = 0 .. 2\noutput w, q\n";

/* int_0^2 sqrt(1 + 0.3 cos 3s) ds, by Simpson's rule */
static double root_mean(void)
{
    enum { PARTS = 2000 };
    double sum = 0.0;

    for (int k = 0; k <= PARTS; k++) {
        const double weight = k == 0 || k == PARTS ? 1.0 : k % 2 == 1 ? 4.0 : 2.0;
        sum += weight * sqrt(1.0 + 0.3 * cos(3.0 * 2.0 * k / PARTS));
    }
    return sum * 2.0 / PARTS / 3.0;
}

static double q_at_2(double e)
{
    const double first = e < 0.0 ? 1.0 + e : 1.0, second = e < 0.0 ? 1.0 : 1.0 + e;
    const double between = e < 0.0 ? 1.3 : 2.0;
    double q = 1.0 - exp(-first);

    q = between + (q - between) * exp(-(second - first));
    return 2.3 + (q - 2.3) * exp(-(2.0 - second));
}

static void test_close(void)
{
    static const double distance[] = {1e-6, 1e-8, 1e-9, 1e-10, 1e-12, -1e-7, -1e-9, -1e-11};
    static const double slope[] = {1e-3, 1e-5, 1e-7};
    static const double tolerance[] = {1e-3, 1e-5, 1e-7};
    const double mean = root_mean();

    for (int k = 0; k < 72; k++) {
        const double e = distance[k / 9], b = slope[k / 3 % 3], tol = tolerance[k % 3];
        const double w = sqrt(b) * mean + 0.5 * (1.0 - e) * (1.0 - e), q = q_at_2(e);
        char text[500];
        snprintf(text, sizeof text, close_by, b, e, e);
        const rows_result r = rows_solve(ctx, text, 5, "tol=%g", tol);
        const double *end = r.row[r.n_rows - 1];
        if (!CHECK_INT(r.status, RG_OK) || !CHECK_NEAR(end[0], w, 10.0 * tol)
            || !CHECK_NEAR(end[1], q, 10.0 * tol))
            printf("e = %g, slope %g, tol %g: %s\n", e, b, tol, r.message);
    }
}

/* g > 0 for a moment of about D behind s = 1, where y rises within d: much shorter than the steps
 * before, and then shorter again.  Values from a run at 1e-7.  A step that ends beside the rise may
 * be off by 30 tolerances, and says so. */
static const char *const moment =
    "var s = 0, x = 1, v = 0, y ~ 0, lam ~ 1e-3, w = 0, q = 0\n"
    "s' = 1 + 0.1*sin(s)\ny = atan((s - 1)/%g)\nlet g = y - 3*(s - 1)/%g\nx' = lam\n"
    "0 = x - 1 - 1e-3*s - 1e-4*sin(3*s)\nw' = sqrt(lam) + max(g, 0)\nq' = if(g > 0, g, 0) - q\n"
    "v' = x*cos(5*t)\nover t = 0 .. 2\noutput w, q, v\n";

static void test_moments(void)
{
    static const double rise[] = {1e-3, 1e-5, 1e-7};
    static const double width[] = {1e-2, 1e-3, 3e-4, 1e-4, 1e-5};
    enum { TOLERANCES = 5 };
    int above = 0;

    for (int k = 0; k < 15; k++) {
        rows_result r, exact;
        char text[500];
        if (!test_takes(k)) continue;
        snprintf(text, sizeof text, moment, rise[k / 5], width[k % 5]);
        for (int i = 0; i < TOLERANCES; i++) {
            const double tol = pow(10.0, -7 + i);
            r = rows_solve(ctx, text, 5, "tol=%g", tol);
            if (!CHECK_INT(r.status, RG_OK))
                printf("d = %g, D = %g, tol %g: %s\n", rise[k / 5], width[k % 5], tol, r.message);
            if (i == 0) exact = r;
            for (int c = 0; c < 3 && r.status == RG_OK && exact.status == RG_OK; c++) {
                const double y = exact.row[exact.n_rows - 1][c], size = 1.0 + fabs(y);
                const double told = fmax(tol, r.estimate + exact.estimate);
                CHECK_NEAR(r.row[r.n_rows - 1][c], y, told * size);
                above += fabs(r.row[r.n_rows - 1][c] - y) > tol * size;
            }
        }
    }
    CHECK(above <= 2);
}

/* A pendulum with friction of both kinds of switch, index 3, by half-explicit methods: multipliers
 * behind a switch came from a trial step, divided by the square of its length, and were off by up
 * to 1e-5 at 1e-8, by 1e6 in random models.  Now they solve the hidden constraint. */
static int look(double t, const double *y, const double *yp, void *user)
{
    const double p = y[0], q = y[1], u = yp[0], v = yp[1];
    const double f = -0.4 * u * fabs(u) + 0.3 * fmax(v, 0.0), h = -1.0 - 0.2 * fabs(v - 0.3);
    double *const off = user;

    (void)t;
    *off = fmax(*off, fabs(y[2] - 0.5 * (p * f + q * h + u * u + v * v)));
    return 0;
}

static void test_half_explicit(void)
{
    static const char *const text =
        "var p = 1, p' = 0, q = 0, q' = 1, l\np'' = -2*p*l - 0.4*p'*abs(p') + 0.3*max(q', 0)\n"
        "q'' = -2*q*l - 1 - 0.2*abs(q' - 0.3)\n0 = p^2 + q^2 - 1\nover t = 0 .. 10\n";

    static const char *const methods[] = {"half-explicit", "extrapolation"};

    for (int k = 3; k <= 14; k++) {
        rg_problem *problem = NULL;
        rg_options *o = NULL;
        rg_solution *s = NULL;
        double off = 0.0;
        char tol[16];
        snprintf(tol, sizeof tol, "1e-%d", k > 8 ? k - 6 : k);
        CHECK_INT(rg_problem_from_text(ctx, text, &problem), RG_OK);
        CHECK_INT(rg_options_create(ctx, &o), RG_OK);
        CHECK_INT(rg_options_set(o, "method", methods[k > 8]), RG_OK);
        CHECK_INT(rg_options_set(o, "tol", tol), RG_OK);
        CHECK_INT(rg_solve_with(problem, 10.0, o, look, &off, &s), RG_OK);
        if (!CHECK(off <= 1e-12)) printf("%s, %s: off by %g\n", methods[k > 8], tol, off);
        rg_solution_destroy(&s);
        rg_options_destroy(&o);
        rg_problem_destroy(&problem);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"close by",      test_close        },
        {"moments",       test_moments      },
        {"half-explicit", test_half_explicit}
    };

    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
