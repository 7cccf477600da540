/* Boundary value problems with pulses and flanks of functions of time that no sample of a mesh
 * meets: as a force, a coefficient, an algebraic unknown, one behind the other, under conditions at
 * several points and at both ends at once, in other units of time and far from 0.  Errors of all
 * unknowns with an exact solution at 45 points, 5 of them in the pulse, relative to their size. */
#include "base/options.h"
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINTS = 45, MOST = 8 };

static rg_context *ctx;

typedef struct {
    const char *name, *text;
    bool is_linear;
} row;

/* x: the part of the interval from t0 on; F'' and g' are what exp(-x^2) does */
static const char head[] = "fun x(t) = ((t - t0)/T - c)/w\n"
                           "fun F(x) = w^2*(x*q*erf(x) + exp(-x^2)/2)\n"
                           "fun bell(t) = exp(-x(t)^2)/w\n"
                           "fun g(t) = q*(erf(x(t)) + erf(c/w))\n";

static const row rows[] = {
    {"force",
     "var y\ny'' = exp(-x(t)^2)/T^2\nboundary y(start) = 0\nboundary y(end) = 0\n"
     "exact y = F(x(t)) - F(-c/w)*(1 - (t - t0)/T) - F((1 - c)/w)*(t - t0)/T\n",     true },
    {"integral and a free constant",
     "var y, z\nT*y' = z + bell(t)\nz' = 0\nboundary y(start) = 0\nboundary y(end) = 0\n"
     "exact y = g(t) - (t - t0)/T*g(t0 + T)\nexact z = -g(t0 + T)\n",                true },
    {"periodic",
     "var y, z\nT*y' = z + bell(t)\nz' = 0\nboundary y(start) = y(end)\nboundary y(start) = 0\n"
     "exact y = g(t) - (t - t0)/T*g(t0 + T)\nexact z = -g(t0 + T)\n",                true },
    {"coefficient",
     "var y, z\nT*y' = z + bell(t)*y\nz' = 0\nboundary y(start) = 1\nboundary z(end) = 0\n"
     "exact y = exp(g(t))\n",                                                        true },
    {"algebraic unknown",
     "var y, v\ny'' = v/T^2\nv = 2*bell(t) - v\nboundary y(start) = 0\nboundary y(end) = 0\n"
     "exact y = (F(x(t)) - F(-c/w)*(1 - (t - t0)/T) - F((1 - c)/w)*(t - t0)/T)/w\n", true },
    {"several",
     "fun G(t) = g(t) - q*(erf(30*((t - t0)/T - 0.2)/w) + erf(6/w))"
     " + 2*q*(erf(((t - t0)/T - 0.9)/(3*w)) + erf(0.3/w))\n"
     "fun s(t) = ((t - t0)/T - 0.2)/w\n"
     "var y, z\nT*y' = z + bell(t) - 30*exp(-(30*s(t))^2)/w"
     " + 2*exp(-(((t - t0)/T - 0.9)/(3*w))^2)/(3*w)\n"
     "z' = 0\nboundary y(start) = 0\nboundary y(end) = 0\n"
     "exact y = G(t) - (t - t0)/T*G(t0 + T)\nexact z = -G(t0 + T)\n",                true },
    {"flank",
     "var y\nT*y' = tanh(x(t))\nboundary y(end) = 0\n"
     "fun lc(x) = abs(x) + log(1 + exp(-2*abs(x)))\n"
     "exact y = w*(lc(x(t)) - lc((1 - c)/w))\n",                                     true },
    {"not linear",
     "var y ~ 1\nT*y' = y^2*bell(t)\nboundary y(end) = 0.7\n"
     "exact y = 1/(1/0.7 + g(t0 + T) - g(t))\n",                                     false},
};

static void choose_times(double t0, double T, double w, double *t)
{
    static const double inside[] = {-1.0, -0.3, 0.0, 0.5, 1.2};
    int n = 0;

    for (int k = 0; k <= 17; k++)
        t[n++] = t0 + T * k / 40.0;
    for (int k = 0; k < 5; k++)
        t[n++] = t0 + T * (0.437 + w * inside[k]);
    for (int k = 18; k < 40; k++)
        t[n++] = t0 + T * k / 40.0;
}

/* The largest error, relative to the largest value of its unknown. */
static double find_error(const rg_problem *p, const rg_solution *s)
{
    double worst = 0.0, values[2 * MOST];

    for (int64_t i = 0; i < rg_problem_size(p); i++) {
        const double most = rg_solution_error(s, i);
        double size = 0.0;
        for (int64_t k = 0; k < rg_solution_rows(s); k++) {
            CHECK(rg_solution_values(s, k, values) >= 0);
            size = fmax(size, fabs(values[i]));
        }
        if (!isnan(most)) worst = fmax(worst, most / size);
    }
    return worst;
}

/* Rounding of the time, relative to the width of the pulse, allows no less. */
static double rounding(double t0, double T, double w)
{
    return 8.0 * 0x1p-53 * (fabs(t0) + fabs(T)) / fabs(w * T);
}

static void check(const row *r, const char *method, double t0, double T, double w, double tol)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options *o = NULL;
    char text[2048], number[32];
    double times[POINTS];

    choose_times(t0, T, w, times);
    times[POINTS - 1] = t0 + T;
    snprintf(number, sizeof number, "%g", tol);
    snprintf(text, sizeof text,
             "param c = 0.437, w = %g, t0 = %.17g, T = %.17g, q = sqrt(pi)/2\n%s%s"
             "over t = %.17g .. %.17g\n",
             w, t0, T, head, r->text, t0, t0 + T);
    const bool is_solved =
        rg_problem_from_text(ctx, text, &p) >= 0 && rg_options_create(ctx, &o) >= 0
        && rg_options_set(o, "tol", number) >= 0 && rg_options_set(o, "method", method) >= 0
        && (r->is_linear || strcmp(method, "transfer") != 0
            || rg_options_set(o, "newton", "modified") >= 0)
        && rg_solve_rows(p, t0 + T, o, RG_KEEP_ROWS, POINTS, times, 1, &s) >= 0;
    if (!CHECK(is_solved)) {
        printf("  %s, %s, t0 %g, T %g, w %g, tol %g: %s\n", r->name, method, t0, T, w, tol,
               rg_last_error(ctx)->message);
    } else {
        const double e = find_error(p, s), estimate = rg_solution_estimate(s);
        if (!CHECK(e <= 3.0 * tol) || !CHECK(e <= 10.0 * estimate + rounding(t0, T, w)))
            printf("  %s, %s, t0 %g, T %g, w %g, tol %g: error %.2g, estimate %.2g\n", r->name,
                   method, t0, T, w, tol, e, estimate);
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
}

static void check_all(const char *method, double t0, double T)
{
    static const double widths[] = {1e-2, 1e-3, 1e-4, 1e-6, 1e-8}, tols[] = {1e-3, 1e-6, 1e-9};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t j = 0; j < sizeof widths / sizeof *widths; j++)
            for (size_t k = 0; k < sizeof tols / sizeof *tols; k++)
                if (rounding(t0, T, widths[j]) < tols[k]
                    && (T == 1.0 || test_takes((int)(i + j + k))))
                    check(&rows[i], method, t0, T, widths[j], tols[k]);
}

static void test_collocation(void)
{
    check_all("collocation", 0.0, 1.0);
    check_all("collocation", 0.0, 1e6);
    check_all("collocation", 7e-6, -1e-6);
}

static void test_transfer(void)
{
    check_all("transfer", 0.0, 1.0);
    check_all("transfer", 0.0, 1e6);
    check_all("transfer", 1e5, 1.0);
}

/* A layer at the start is a pulse of the force that has it.  Steps that are short for its sake say
 * nothing about backward differentiation, which takes over behind it. */
static void test_layers(void)
{
    static const double eps[] = {1e-4, 1e-5, 1e-6};

    for (size_t k = 0; k < sizeof eps / sizeof *eps; k++) {
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        rg_options *o = NULL;
        char text[512];
        snprintf(
            text, sizeof text,
            "param e = %g\nvar y\n"
            "e^2*y'' = y - sin(t) - 0.2*exp(-t/(7*e)) + e^2*(0.2/49/e^2*exp(-t/(7*e)) - sin(t))\n"
            "over t = 0 .. 1\nboundary y(0) = 0.2\nboundary y(1) = sin(1)\n"
            "exact y = sin(t) + 0.2*exp(-t/(7*e))\n",
            eps[k]);
        if (CHECK(rg_problem_from_text(ctx, text, &p) >= 0)
            && CHECK(rg_options_create(ctx, &o) >= 0)
            && CHECK(rg_options_set(o, "method", "transfer") >= 0)
            && CHECK(rg_solve_rows(p, 1.0, o, RG_KEEP_ROWS, 0, NULL, 1, &s) >= 0)
            && (!CHECK(rg_solution_stats(s).steps < 600) || !CHECK(rg_solution_error(s, 0) < 3e-6)))
            printf("  eps %g: %lld steps, error %.2g\n", eps[k],
                   (long long)rg_solution_stats(s).steps, rg_solution_error(s, 0));
        rg_solution_destroy(&s);
        rg_options_destroy(&o);
        rg_problem_destroy(&p);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"collocation", test_collocation},
        {"transfer",    test_transfer   },
        {"layers",      test_layers     },
    };

    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
