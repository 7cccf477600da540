/* Multipliers in every row: as good as the states there, or within 10 tolerances.
 *
 * Forms of index 2 of the IVP test set at 101 times, against a run of the reduced form at 1e-11;
 * models with exact solutions whose constraints lose rank on the way, up to a hundredth of the
 * interval before and behind the singular position.  Run from the top folder. */
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 101 };
static const double LIMIT = 10.0; /* tolerances */
static rg_context *ctx;

/* Columns at POINTS times; false: the run failed. */
static bool solve(const rg_problem *p, double tol, const char *formulation, int n, double *out,
                  double *slopes)
{
    double a, b, times[POINTS];
    char text[32];
    rg_options *o = NULL;
    rg_solution *s = NULL;

    rg_problem_interval(p, &a, &b);
    for (int k = 0; k < POINTS; k++)
        times[k] = k == POINTS - 1 ? b : a + (b - a) * k / (POINTS - 1);
    const rg_request r = {.keep = RG_KEEP_ROWS, .n_times = POINTS, .times = times};
    snprintf(text, sizeof text, "%.17g", tol);
    bool ok = CHECK_INT(rg_options_create(ctx, &o), RG_OK)
              && CHECK_INT(rg_options_set(o, "tol", text), RG_OK)
              && CHECK_INT(rg_options_set(o, "formulation", formulation), RG_OK)
              && CHECK_INT(rg_solve_request(p, b, o, &r, &s), RG_OK);
    for (int k = 0; k < POINTS && ok; k++)
        ok = CHECK_INT(rg_solution_eval(s, times[k], out + k * n, slopes + k * n), RG_OK);
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    return ok;
}

static bool is_multiplier(const rg_problem *p, int i)
{
    char name[32];

    rg_problem_name(p, i, name, sizeof name);
    return strncmp(name, "lam", 3) == 0 || strncmp(name, "mu", 2) == 0 || strcmp(name, "y") == 0;
}

/* The largest |e|/(1 + |y|) of multipliers, or of the others, leaving out rows [from, to]. */
static double worst(const rg_problem *p, int n, const double *y, const double *exact, bool of_them,
                    int from, int to)
{
    double most = 0.0;

    for (int k = 0; k < POINTS; k++)
        for (int i = 0; i < n && !(k >= from && k <= to); i++) {
            const double r = exact[k * n + i], e = fabs(y[k * n + i] - r) / (1.0 + fabs(r));
            if (is_multiplier(p, i) == of_them && !(e <= most)) most = e;
        }
    return most;
}

static void check_form(const char *file, const char *formulation)
{
    rg_problem *p = NULL;

    if (!CHECK_INT(rg_problem_from_file(ctx, file, &p), RG_OK)) return;
    const int n = (int)rg_problem_size(p);
    const int size = n * POINTS;
    double *y = calloc(4 * (size_t)size, sizeof *y), *exact = y + 2 * size;
    if (y != NULL && solve(p, 1e-11, "projected", n, exact, exact + size))
        for (int k = 0; k < 3; k++) {
            const double tol = k == 0 ? 1e-4 : k == 1 ? 1e-6 : 1e-8;
            if (!solve(p, tol, formulation, n, y, y + size)) continue;
            const double states = fmax(worst(p, n, y, exact, false, 1, 0),
                                       worst(p, n, y + size, exact + size, false, 1, 0))
                                  / tol;
            const double multipliers = worst(p, n, y, exact, true, 1, 0) / tol;
            printf("  %-32s %-6s %5.0e  multipliers %8.2g, states and slopes %8.2g tol\n", file,
                   formulation, tol, multipliers, states);
            CHECK(multipliers <= fmax(LIMIT, states));
        }
    free(y);
    rg_problem_destroy(&p);
}

static void test_forms(void)
{
    check_form("bench/models/andrews-index2.rg", "auto");
    check_form("bench/models/andrews-ggl.rg", "auto");
    check_form("bench/models/caraxis-index2.rg", "auto");
    check_form("bench/models/caraxis-ggl.rg", "auto");
    check_form("examples/ivp/pendulum-index2.rg", "auto");
    check_form("examples/ivp/pendulum-ggl.rg", "auto");
    check_form("examples/ivp/pendulum.rg", "ggl");
    check_form("examples/ivp/pendulum.rg", "auto");
    check_form("examples/ivp/caraxis.rg", "auto");
    check_form("examples/ivp/andrews.rg", "auto");
}

typedef struct {
    const char *text;
    double (*exact)(int i, double t);
    double at_place; /* of y at the singular position, in tolerances; 0: it is infinite there */
} singular;

static double unbounded(int i, double t)
{
    const double pi = 3.14159265358979324;

    return i == 0 ? cos(pi * t) : i == 1 ? sin(t) : -cos(t) / cos(pi * t);
}

static double bounded(int i, double t)
{
    return i == 0 ? sin(t - 0.5) : i == 1 ? exp(t - 0.5) - 1 : exp(t);
}

static double smooth(int i, double t)
{
    (void)i;
    return exp(t);
}

static double before_place(int i, double t)
{
    return i == 0 ? sin(t) : exp(t);
}

static const singular singulars[] = {
    {"var x1 = 1, x2 = 0, y\n"
     "x1' = -x1 + x2 - sin(t) + cos(pi*t) - pi*sin(pi*t)\nx2' = -x1*y\n"
     "0 = x1*(x1 + x2 - sin(t) - cos(pi*t))\nover t = 0 .. 1\n",                        unbounded,    0.0 },
    {"let s = sin(t - 0.5), e = exp(t - 0.5) - 1\n"
     "var x1 = sin(-0.5), x2 = exp(-0.5) - 1, y\n"
     "x1' = cos(t - 0.5) + s*exp(t) + (x2 - e) - x1*y\n"
     "x2' = exp(t - 0.5) + e*exp(t) - (x1 - s) + (x1 - s)*(x2 - e) - x2*y\n"
     "0 = (x1^2 + x2^2 - s^2 - e^2)/2\nover t = 0 .. 1\n",                              bounded,      5e3 },
    {"var x1 = 1, x2 = 1, y\n"
     "x1' = (t - 0.5)*y + (1.5 - t)*exp(t)\n"
     "x2' = (t^2 - 0.25)*y + (1.25 - t^2)*exp(t)\n"
     "0 = (t - 0.5)*x1 + (t^2 - 0.25)*x2 - (t + t^2 - 0.75)*exp(t)\nover t = 0 .. 1\n", smooth,       1e5 },
    {"var x = 0, y\nx' = -(1.02 - t)*y + sin(t) + cos(t) + (1.02 - t)*exp(t) - x\n"
     "0 = x - sin(t)\nover t = 0 .. 1\n",                                               before_place, 10.0},
};

static void check_singular(const singular *m)
{
    static double y[3 * POINTS], slopes[3 * POINTS], exact[3 * POINTS];
    rg_problem *p = NULL;

    if (!CHECK_INT(rg_problem_from_text(ctx, m->text, &p), RG_OK)) return;
    const int n = (int)rg_problem_size(p), middle = POINTS / 2;
    for (int k = 0; k < POINTS; k++)
        for (int i = 0; i < n; i++)
            exact[k * n + i] = m->exact(i, k / (POINTS - 1.0));
    for (int k = 0; k < 3; k++) {
        const double tol = k == 0 ? 1e-4 : k == 1 ? 1e-6 : 1e-9;
        if (!solve(p, tol, "auto", n, y, slopes)) continue;
        const double states = worst(p, n, y, exact, false, 1, 0) / tol;
        const double beside = worst(p, n, y, exact, true, middle, middle) / tol;
        const double all = worst(p, n, y, exact, true, 1, 0) / tol;
        printf("  %5.0e  multipliers %8.2g, %8.2g at the place, others %8.2g tol\n", tol, beside,
               all, states);
        CHECK(beside <= fmax(LIMIT, 2.0 * states));
        CHECK(m->at_place == 0.0 || all <= m->at_place);
    }
    rg_problem_destroy(&p);
}

static void test_singular(void)
{
    for (size_t k = 0; k < sizeof singulars / sizeof *singulars; k++)
        check_singular(&singulars[k]);
}

int main(void)
{
    static const test_case cases[] = {
        {"forms of index 2",   test_forms   },
        {"singular positions", test_singular},
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
