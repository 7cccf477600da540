/* Sequential regularization for boundary values in any units.
 *
 * u = a e_1(s), v = b e_2(s), y = w e_3(s), s = (t - t0)/T: units of unknowns, multipliers,
 * constraints and of the time change nothing but the text.  Errors are those of rows, multipliers
 * and derivatives, relative to the largest value of each; the estimate may not be below a tenth of
 * them. */
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

typedef struct {
    const char *name;
    const char *text; /* with a, b, w, c, T, t0 */
} model;

static const model models[] = {
    {"index 2",             "let s = (t - t0)/T\nvar u, v, y\n"
                "u'*T/a = v/b - y/w + cos(s) - cos(2*s) + exp(-s)\n"
                "v'*T/b = -u/a - y/w - 2*sin(2*s) + sin(s) + exp(-s)\n"
                "0 = c*(u/a + v/b + 0.2*sin(u/a) - sin(s) - cos(2*s) - 0.2*sin(sin(s)))\n"
                "over t = t0 .. t0 + T\nboundary u(start) + 0.1*u(end) = 0.1*a*sin(1)\n"                },
    {"index 2, linear",     "let s = (t - t0)/T\nvar u, v, y\n"
                        "u'*T/a = v/b - y/w + cos(s) - cos(2*s) + exp(-s)\n"
                        "v'*T/b = -u/a - y/w - 2*sin(2*s) + sin(s) + exp(-s)\n"
                        "0 = c*(u/a + v/b - sin(s) - cos(2*s))\n"
                        "over t = t0 .. t0 + T\nboundary u(start) + 0.1*u(end) = 0.1*a*sin(1)\n"},
    {"index 2, force zero",
     "let s = (t - t0)/T\nvar u, v, y\n"
     "u'*T/a = v/b - y/w + cos(s) - cos(2*s)\n"
     "v'*T/b = -u/a - y/w - 2*sin(2*s) + sin(s)\n"
     "0 = c*(u/a + v/b + 0.2*sin(u/a) - sin(s) - cos(2*s) - 0.2*sin(sin(s)))\n"
     "over t = t0 .. t0 + T\nboundary u(start) + 0.1*u(end) = 0.1*a*sin(1)\n"                                          },
};

typedef struct {
    double a, b, w, c, T, t0;
} units;

static const units sets[] = {
    {1.0,   1.0,   1.0,   1.0,  1.0,  0.0  },
    {1e-9,  1e6,   1e-8,  1e3,  1.0,  0.0  },
    {1e9,   1e-5,  1e10,  1e-6, 1e-6, 3e-6 },
    {1e-12, 1e-12, 1e-12, 1.0,  1e9,  0.0  },
    {1e7,   1e12,  1.0,   1e6,  1e4,  -2e4 },
    {4e12,  4e2,   5e7,   10.0, 8e-8, -7e-8},
};

static double exact(int which, int k, double s)
{
    if (k == 0) return sin(s);
    if (k == 1) return cos(2.0 * s);
    return which == 2 ? 0.0 : exp(-s);
}

/* The largest error of a row, relative to the unit; forces that vanish beside the terms around. */
static double find_error(const rg_solution *s, int which, const units *q)
{
    enum { ROWS = 60 };
    const double unit[] = {q->a, q->b, q->w};
    double worst = 0.0;

    for (int i = 0; i <= ROWS; i++) {
        const double at = (double)i / ROWS;
        double y[3], yp[3];
        CHECK(rg_solution_eval(s, q->t0 + q->T * at, y, yp) >= 0);
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(y[k] / unit[k] - exact(which, k, at)));
    }
    return worst;
}

static void check(int which, const units *q, double tol)
{
    char text[1200], number[32];
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;

    snprintf(text, sizeof text, "param a = %g, b = %g, w = %g, c = %g, T = %g, t0 = %g\n%s", q->a,
             q->b, q->w, q->c, q->T, q->t0, models[which].text);
    snprintf(number, sizeof number, "%g", tol);
    CHECK(rg_context_create(&ctx) >= 0);
    const bool is_solved =
        rg_problem_from_text(ctx, text, &p) >= 0 && rg_options_create(ctx, &o) >= 0
        && rg_options_set(o, "tol", number) >= 0 && rg_options_set(o, "method", "srm") >= 0
        && rg_solve(p, q->t0 + q->T, o, &s) >= 0;
    if (!CHECK(is_solved)) {
        printf("    %s, a = %g: %s\n", models[which].name, q->a, rg_last_error(ctx)->message);
    } else {
        const double e = find_error(s, which, q), estimate = rg_solution_estimate(s);
        if (!CHECK(e <= 2.0 * tol) || !CHECK(e <= 10.0 * estimate + 1e-14))
            printf("    %s, a = %g, tol %g: error %.2g, estimate %.2g\n", models[which].name, q->a,
                   tol, e, estimate);
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_units(void)
{
    for (int which = 0; which < (int)(sizeof models / sizeof *models); which++)
        for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
            for (double tol = 1e-4; tol > 1e-9; tol *= 1e-2)
                check(which, &sets[k], tol);
}

int main(void)
{
    static const test_case cases[] = {
        {"units", test_units},
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
