/* Capacitors behind ideal diodes: e = E sin(w t), C u' + u/R = i, 0 = min(i, u - e), from u = 0.
 *
 * While the diode conducts u = e, and i follows from the derivative of that: a branch of index 2 in
 * a model of index 1.  Until tan(w t) = -w R C, then u falls until it meets the next wave. */
#include "base/options.h"
#include "regula.h"
#include "support/rows.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 41 };
static rg_context *ctx;
static const double PI = 3.14159265358979323846;

typedef struct {
    double E, w, R, C, waves;
    double near; /* to how many tolerances the time of a switch is known, in periods; 0: better */
} circuit;

static const circuit circuits[] = {
    {1.0,   6.283185307179586, 5.0, 1.0,  3.0, 0.0},
    {325.0, 314.1592653589793, 1e3, 1e-4, 3.0, 0.0},
    {5e-3,  6283.185307179586, 1e6, 1e-9, 3.0, 0.0},
    {1e-9,  6.283185307179586, 1e7, 1e-6, 1.7, 0.0}
};
static const char *const writings[] = {"min(i, u - e)", "min(u - e, i)", "max(-i, e - u)",
                                       "if(i < u - e, i, u - e)"};
static const char *const guesses[] = {"", " ~ 0", " ~ 1"};

/* u, i at t, and how near a switch is, in periods. */
static double exact(const circuit *c, double t, double *u, double *i)
{
    const double tau = c->R * c->C, stop = PI - atan(c->w * tau);
    const double x = c->w * t, wave = floor(x / (2.0 * PI)), first = c->E * sin(stop);
    const double begin = x - 2.0 * PI * wave;
    double low = 0.0, high = PI / 2.0;

    for (int k = 0; k < 200; k++) { /* where the next wave is met */
        const double y = 0.5 * (low + high);
        const double left = first * exp(-(y + 2.0 * PI - stop) / (c->w * tau));
        if (c->E * sin(y) > left)
            high = y;
        else
            low = y;
    }
    const double from = wave == 0.0 ? 0.0 : high;
    const bool conducts = begin >= from && begin < stop;
    const double since = begin >= stop ? begin - stop : begin + 2.0 * PI - stop;
    *u = conducts ? c->E * sin(x) : first * exp(-since / (c->w * tau));
    *i = conducts ? c->C * c->E * c->w * cos(x) + c->E * sin(x) / c->R : 0.0;
    return fmin(fabs(begin - stop), wave == 0.0 ? INFINITY : fabs(begin - high)) / (2.0 * PI);
}

static rg_problem *model_of(const circuit *c, const char *writing, const char *guess, double t0,
                            bool is_unknown)
{
    rg_problem *p = NULL;
    char text[600];

    snprintf(text, sizeof text,
             "var u = 0, i%s\n%s e\n%se = %.17g*sin(%.17g*(t - %.17g))\n"
             "%.17g*u' + u/%.17g = i\n0 = %s\nover t = %.17g .. %.17g\n",
             guess, is_unknown ? "var" : "#", is_unknown ? "" : "let ", c->E, c->w, t0, c->C, c->R,
             writing, t0, t0 + c->waves * 2.0 * PI / c->w);
    CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK);
    return p;
}

/* To three tolerances; what the rounding of t0 leaves of u, and of i, which follows from slopes,
 * is allowed as well.  At a switch, to the rounding of the times and to `near` periods, either
 * branch is right. */
static void look(const circuit *c, const rg_solution *s, double t0, double tol, double near)
{
    const double digits = 2.2e-16 * t0 * c->w, least[] = {10.0 * digits, 50.0 * sqrt(digits)};
    const int64_t rows = rg_solution_rows(s);
    const double size[] = {fmin(1.0, c->E), fmin(1.0, c->C * c->E * c->w)};
    double worst = 0.0;
    bool is_good = true;

    for (int64_t k = 0; k < rows; k++) {
        double y[8], e[2];
        const double t = rg_solution_time(s, k) - t0;
        CHECK(rg_solution_columns(s) <= 8 && rg_solution_values(s, k, y) == RG_OK);
        if (exact(c, t, &e[0], &e[1]) < fmax(near, digits)) continue;
        for (int j = 0; j < 2; j++) {
            const double off = fabs(y[j] - e[j]) / (size[j] + fabs(e[j]));
            worst = fmax(worst, off);
            is_good = is_good && off <= 3.0 * tol + least[j];
        }
    }
    if (!CHECK(is_good && worst <= 10.0 * rg_solution_estimate(s)))
        printf("    E = %g, t0 = %g, tol %g: %.3g tol, estimate %.3g\n", c->E, t0, tol, worst / tol,
               rg_solution_estimate(s));
}

/* At chosen times or at steps; e an unknown or not. */
static void try_as(const circuit *c, const char *writing, const char *guess, double t0, double tol,
                   bool has_rows, bool is_unknown)
{
    const double end = t0 + c->waves * 2.0 * PI / c->w;
    rg_problem *p = model_of(c, writing, guess, t0, is_unknown);
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    double times[ROWS];

    for (int i = 0; i < ROWS; i++)
        times[i] = i == ROWS - 1 ? end : t0 + (end - t0) * i / (ROWS - 1);
    o.rtol = o.atol = tol;
    const rg_request request = {.keep = RG_KEEP_ROWS,
                                .estimate = 1,
                                .may_repeat = 1,
                                .n_times = has_rows ? ROWS : 0,
                                .times = has_rows ? times : NULL};
    if (CHECK(rg_solve_request(p, end, &o, &request, &s) == RG_OK))
        look(c, s, t0, tol, c->near > 0.0 ? c->near * tol : 1e-7);
    else
        printf("    E = %g, t0 = %g, tol %g: %s\n", c->E, t0, tol, rg_last_error(ctx)->message);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void try(const circuit *c, const char *writing, const char *guess, double t0, double tol,
                bool has_rows)
{
    try_as(c, writing, guess, t0, tol, has_rows, true);
}

/* All ways to write it. */
static void test_rows(void)
{
    static const double tolerance[] = {1e-3, 1e-5, 1e-6, 1e-8};
    int number = 0;

    for (int k = 0; k < 3 * 4 * 4 * 2; k++)
        if (test_takes(number++))
            try(&circuits[k % 3], writings[k / 12 % 4], guesses[k % 3], 0.0, tolerance[k / 3 % 4],
                k / 48 == 0);
}

/* Far from t = 0: times are rounded, what is divided by a step has few digits of them, and no
 * shorter step gives more. */
static void test_far(void)
{
    static const double tolerance[] = {1e-4, 1e-6, 1e-8, 1e-10}, begins[] = {86400.0, 1e6};
    int number = 0;

    for (int k = 0; k < 4 * 4 * 2 * 2; k++) {
        const double tol = tolerance[k % 4], t0 = begins[k / 16 % 2];
        if (!test_takes(number++)) continue;
        try(&circuits[3], writings[k / 4 % 4], guesses[k % 3], t0, tol, k / 32 == 0);
        if (tol >= 1e-6)
            try(&circuits[0], writings[k / 4 % 4], guesses[k % 3], t0, tol, k / 32 == 0);
    }
}

/* The current is 1e-6 of the voltage: within the tolerance of u, u - e is larger than i, and where
 * a polynomial has it so the branch does not end. */
static void test_small(void)
{
    static const double tolerance[] = {1e-3, 1e-4, 1e-5, 1e-6},
                        begins[] = {0.0, 86400.0, 1e6, 1.6e9};
    int number = 0;

    for (int k = 0; k < 4 * 4 * 4 * 2 * 2; k++)
        if (test_takes(number++))
            try_as(&circuits[3], writings[k / 4 % 4], guesses[k % 3], begins[k / 16 % 4],
                   tolerance[k % 4], k / 64 % 2 == 0, k / 128 == 0);
}

/* Sources of 1 Hz to 1 kHz, of nV to 325 V, as far from t = 0 as the tolerance allows: what follows
 * from slopes is noise in short steps, and which branch goes on is told by longer ones. */
static void test_fast(void)
{
    static const double E[] = {1e-9, 1e-6, 1.0, 325.0}, C[] = {1e-6, 1e-9, 1.0, 1e-4};
    static const double f[] = {1.0, 50.0, 1e3}, tau[] = {3.0, 30.0};
    static const double begins[] = {0.0, 86400.0, 1e6};
    int number = 0;

    for (int k = 0; k < 4 * 3 * 2 * 3 * 6; k++) {
        const int e = k / 108, m = k / 36 % 3;
        const double t0 = begins[k / 6 % 3], tol = pow(10.0, -3.0 - k % 6);
        const circuit c = {E[e], 2.0 * PI * f[m],        tau[k / 18 % 2] / (f[m] * C[e]),
                           C[e], k % 5 == 0 ? 3.2 : 1.7, 1.0};
        if (2.2e-16 * t0 * c.w > 0.01 * tol || !test_takes(number++)) continue;
        try(&c, writings[number % 4], guesses[number % 3], t0, tol, number % 2 == 0);
    }
}

/* Rows of the second run just behind a switch: slopes are as good as values.  Where they were not,
 * what the rounding of t makes of them was taken for an error, and the run with atol by size for
 * none. */
static void test_behind(void)
{
    static const double tolerance[] = {1e-7, 1e-8, 3e-9, 1e-9, 3e-10};

    for (int k = 0; k < 5 * 3; k++)
        try(&circuits[3], writings[0], guesses[k / 5], 0.0, tolerance[k % 5], false);
}

/* The current at the start is what it is a moment later, whatever the guess; far from t = 0 with
 * the digits that are left of the waves. */
static void test_start(void)
{
    static const double begins[] = {0.0, 86400.0, 1.6e9};

    for (int k = 0; k < 4 * 4 * 3 * 3; k++) {
        const circuit *c = &circuits[k % 4];
        const double t0 = begins[k / 48], true_i = c->C * c->E * c->w;
        const double limit = fmax(1e-9, 5.0 * sqrt(2.2e-16 * t0 * c->w));
        rg_problem *p = model_of(c, writings[k / 4 % 4], guesses[k / 16 % 3], t0, k % 2 == 0);
        double i = NAN;

        if (limit < 0.01) CHECK(rg_make_consistent(p, NULL) == RG_OK);
        rg_problem_start(p, 1, 0, &i);
        if (limit < 0.01 && !CHECK(fabs(i - true_i) <= limit * true_i))
            printf("    E = %g, %s, i%s, t0 = %g: %.10g for %.10g\n", c->E, writings[k / 4 % 4],
                   guesses[k / 16 % 3], t0, i, true_i);
        rg_problem_destroy(&p);
    }
}

/* An exponential diode behind a pulse after a long rest: the first step is tried with slopes that
 * lead where exp(v/0.026) is as large as it can be, and its Jacobian would take that for a
 * solution.  Values from a run at 1e-12 by another method. */
static void test_pulse(void)
{
    const double v1 = 0.29987747548, v2 = 2.5597118497e-4;

    for (int k = 0; k < 13; k++) {
        const double tol = pow(10.0, -3 - 0.5 * k);
        const rows_result r = rows_solve(
            ctx,
            "var v1 = -0.04, v2 = 0, i\ni = 1.1755e-12*(exp((v1 - v2)/0.02585) - 1)\n"
            "8.464e-14*v1' = -(v1 - if(t > 3.4468e-9, 0.3, 0))/963.81 - i\n8.5138e-13*v2' = i\n"
            "over t = 0 .. 5.4e-9\noutput v1, v2\n",
            4, "tol=%g", tol);
        const double *end = r.row[r.n_rows - 1];
        if (!CHECK_INT(r.status, RG_OK) || !CHECK_NEAR(end[0], v1, 10.0 * tol)
            || !CHECK_NEAR(end[1], v2, 10.0 * tol))
            printf("    tol %g: %s\n", tol, r.message);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"rows",   test_rows  },
        {"far",    test_far   },
        {"small",  test_small },
        {"fast",   test_fast  },
        {"behind", test_behind},
        {"start",  test_start },
        {"pulse",  test_pulse }
    };

    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
