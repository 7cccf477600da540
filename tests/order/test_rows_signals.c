/* Rows of algebraic unknowns that move faster than the steps, in nonlinear equations: the
 * polynomial of a step is no start for Newton's method there, y is off by its own size.
 *
 *     x' = 0.3 cos 0.3 t - k (x - sin 0.3 t) + 0.2 (y - S),    S = a sin(w t + 1) + 0.2
 *     G(y) = G(S) + 0.2 (x - sin 0.3 t) (1 + y^2)
 *
 * is solved by x = sin 0.3 t, y = S.  51 rows, all implicit methods; the estimate holds, too. */
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

enum { ROWS = 51 };
static rg_context *ctx;

typedef struct {
    const char *method, *stages;
} way;

typedef struct {
    double k, a, w;
} signal;

static rg_status solve(const rg_problem *p, const way *m, const char *tol, int rows,
                       rg_solution **s)
{
    double times[ROWS];
    rg_options *o = NULL;
    rg_status status = rg_options_create(ctx, &o);

    for (int i = 0; i < ROWS; i++)
        times[i] = rows == 1 ? 10.0 : 10.0 * i / (ROWS - 1);
    if (status == RG_OK) status = rg_options_set(o, "method", m->method);
    if (status == RG_OK) status = rg_options_set(o, "stages", m->stages);
    if (status == RG_OK) status = rg_options_set(o, "tol", tol);
    if (status == RG_OK) status = rg_solve_rows(p, 10.0, o, RG_KEEP_ROWS, rows, times, 1, s);
    rg_options_destroy(&o);
    return status;
}

/* The largest error of a row, relative to 1 + |value|. */
static double error_of(const rg_solution *s, const signal *q)
{
    double worst = 0.0, row[2];

    for (int64_t k = 0; k < rg_solution_rows(s); k++) {
        const double t = rg_solution_time(s, k), x = sin(0.3 * t),
                     y = q->a * sin(q->w * t + 1) + 0.2;
        if (rg_solution_values(s, k, row) != RG_OK) return NAN;
        const double e =
            fmax(fabs(row[0] - x) / (1.0 + fabs(x)), fabs(row[1] - y) / (1.0 + fabs(y)));
        if (!(e <= worst)) worst = e;
    }
    return worst;
}

static void check(const char *shape, const signal *q, const way *m, const char *tol, int rows)
{
    char text[1000], of_y[100], of_S[100];
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    double tolerance = 0.0;

    sscanf(tol, "%lf", &tolerance);
    snprintf(of_y, sizeof of_y, shape, "y", "y");
    snprintf(of_S, sizeof of_S, shape, "S", "S");
    snprintf(text, sizeof text,
             "var x = 0, y\nlet S = %g*sin(%g*t + 1) + 0.2, X = sin(0.3*t)\n"
             "x' = 0.3*cos(0.3*t) - %g*(x - X) + 0.2*(y - S)\n"
             "%s = %s + 0.2*(x - X)*(1 + y^2)\nover t = 0 .. 10\n",
             q->a, q->w, q->k, of_y, of_S);
    rg_status status = rg_problem_from_text(ctx, text, &p);
    if (status == RG_OK) status = solve(p, m, tol, rows, &s);
    const double error = status == RG_OK ? error_of(s, q) : NAN;
    const double estimate = status == RG_OK ? rg_solution_estimate(s) : NAN;
    if (!CHECK(error <= 10.0 * tolerance && error <= 10.0 * estimate
               && estimate <= 100.0 * fmax(error, tolerance)))
        printf("%s, k = %g, a = %g, w = %g, %s %s, %s: %.2g tol, estimate %.2g tol\n", shape, q->k,
               q->a, q->w, m->method, m->stages, tol, error / tolerance, estimate / tolerance);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void test_signals(void)
{
    static const char *const shapes[] = {"%s + 0.3*sin(%s)", "%s + %s^3", "sinh(3*%s) + 0*%s"};
    static const signal signals[] = {
        {1.0,  1.6, 36.5},
        {1e3,  1.8, 26.0},
        {1e5,  1.0, 29.8},
        {50.0, 0.8, 18.2},
        {1e3,  0.4, 39.2}
    };
    static const way ways[] = {
        {"radau",     "3"},
        {"radau",     "5"},
        {"radau",     "7"},
        {"gauss",     "0"},
        {"lobatto3a", "0"},
        {"lobatto3c", "0"},
        {"sdirk",     "0"}
    };
    static const char *const tols[] = {"1e-3", "1e-4", "1e-6"};
    enum { SHAPES = 3, SIGNALS = 5, WAYS = 7, TOLS = 3 };

    for (int k = 0; k < SHAPES * SIGNALS * WAYS * TOLS; k++)
        if (test_takes(k))
            check(shapes[k % SHAPES], &signals[k / SHAPES % SIGNALS],
                  &ways[k / (SHAPES * SIGNALS) % WAYS], tols[k / (SHAPES * SIGNALS * WAYS)], ROWS);
}

/* Steps end where S turns: those of both runs of the estimate have the same lengths, and the same
 * is left by Newton's method at the end if it stops at the same level. */
static void test_ends(void)
{
    static const struct {
        signal s;
        const char *tol;
    } ends[] = {
        {{1e3, 0.7, 30.3},  "1e-6" },
        {{1e3, 0.4, 35.0},  "1e-8" },
        {{1.0, 0.9, 20.2},  "1e-8" },
        {{50.0, 0.8, 21.8}, "1e-10"},
        {{1.0, 2.0, 10.8},  "1e-4" },
        {{1e3, 0.5, 14.3},  "1e-6" },
        {{1.0, 1.6, 12.4},  "1e-8" },
        {{1e3, 1.9, 21.2},  "1e-8" }
    };
    const way radau = {"radau", "0"};

    for (int k = 0; k < (int)(sizeof ends / sizeof *ends); k++)
        check("exp(2*%s) + %s", &ends[k].s, &radau, ends[k].tol, 1);
}

int main(void)
{
    static const test_case cases[] = {
        {"signals", test_signals},
        {"ends",    test_ends   }
    };

    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
