/* Rows of sequential regularization between its steps are as good as its steps: positions,
 * velocities, and multipliers beside singular places.  The end does not depend on them. */
#include "solution/solution.h"
#include "support/options.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 97, MOST = 16 };

typedef struct {
    int columns;
    double t[ROWS], value[ROWS][MOST];
} table;

/* The columns in so many rows of 0 .. t_end, the end among them. */
static bool run(const char *model, const char *text, double t_end, int rows, table *out)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();

    for (int k = 0; k < rows; k++)
        out->t[k] = k == rows - 1 ? t_end : t_end * k / (rows - 1);
    const bool ok = CHECK(rg_context_create(&ctx) == RG_OK)
                    && CHECK(rg_problem_from_text(ctx, model, &p) >= 0)
                    && options_from_words(ctx, &o, text)
                    && CHECK(rg_solve_at(p, t_end, &o, rows, out->t, &s) == RG_OK);
    if (!ok && ctx != NULL) printf("  %s: %s\n", text, rg_last_error(ctx)->message);
    if (ok) {
        out->columns = (int)rg_solution_columns(s);
        CHECK(out->columns <= MOST && rg_solution_rows(s) == rows);
        for (int k = 0; k < rows; k++)
            CHECK(rg_solution_values(s, k, out->value[k]) == RG_OK);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return ok;
}

/* Two crossing zeros of G B, at 1/3 and 2/3, with y infinite there. */
static const char zeros[] =
    "var x1 = 1, x2 = 0, x3 = 1\nvar y1, y2\n"
    "x1' = -x1 + x2 - sin(t) + x3 - cos(t)\nx2' = (1 - 3*t)*y1\n"
    "x3' = t*y1*(1 - 3*t) + (2 - 3*t)*y2\n"
    "0 = (1 - 3*t)*(x1 + x2 - exp(-t) - sin(t))\n0 = x3 - cos(t)\nover t = 0 .. 1\n";
static const char pendulum[] =
    "param g = 9.81\nvar p = 1, q = 0, u = 0, v = 0, lambda\np' = u\nq' = v\nu' = -p*lambda\n"
    "v' = -q*lambda - g\n0 = p^2 + q^2 - 1\nover t = 0 .. 4\n";

static const double tolerances[] = {1e-4, 1e-6, 1e-8};

static void test_zeros(void)
{
    static table w;
    char text[64];

    for (int e = 0; e < 3; e++) {
        double most = 0.0;
        snprintf(text, sizeof text, "method=srm tol=%g", tolerances[e]);
        if (!run(zeros, text, 1.0, 96, &w)) continue; /* no row on a zero */
        for (int k = 0; k < 96; k++) {
            const double t = w.t[k];
            const double exact[] = {exp(-t), sin(t), cos(t), cos(t) / (1.0 - 3.0 * t),
                                    -(sin(t) + t * cos(t)) / (2.0 - 3.0 * t)};
            for (int j = 0; j < 5; j++)
                most = fmax(most, fabs(w.value[k][j] - exact[j]) / (1.0 + fabs(exact[j])));
        }
        if (!CHECK(most < 10.0 * tolerances[e])) printf("  %s: %.2e\n", text, most);
    }
}

static void test_pendulum(void)
{
    static table reference, w;
    char text[64];

    if (!run(pendulum, "method=radau tol=1e-12", 4.0, ROWS, &reference)) return;
    for (int e = 0; e < 3; e++) {
        double most = 0.0;
        snprintf(text, sizeof text, "method=srm tol=%g", tolerances[e]);
        if (!run(pendulum, text, 4.0, ROWS, &w)) continue;
        for (int k = 0; k < ROWS; k++)
            for (int j = 0; j < w.columns; j++)
                most = fmax(most, fabs(w.value[k][j] - reference.value[k][j])
                                      / (1.0 + fabs(reference.value[k][j])));
        if (!CHECK(most < 10.0 * tolerances[e])) printf("  %s: %.2e\n", text, most);
    }
}

/* Not by a bit. */
static void test_end(void)
{
    static table few, many;

    if (!run(zeros, "method=srm", 1.0, 2, &few) || !run(zeros, "method=srm", 1.0, 96, &many))
        return;
    CHECK(memcmp(few.value[1], many.value[95], 5 * sizeof(double)) == 0);
    if (!run(pendulum, "method=srm", 4.0, 2, &few) || !run(pendulum, "method=srm", 4.0, 96, &many))
        return;
    CHECK(memcmp(few.value[1], many.value[95], 5 * sizeof(double)) == 0);
}

int main(void)
{
    static const test_case cases[] = {
        {"zeros",    test_zeros   },
        {"pendulum", test_pendulum},
        {"end",      test_end     },
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
