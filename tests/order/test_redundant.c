/* Redundant constraints: all rows as good as those of the model without them, multipliers of least
 * norm, estimates true.
 *
 * Constraints written twice, times 1e6 and 1e-6, as combinations of others and in arrays, of index
 * 2 and 3, in several units and from several start times; beside them constraints whose dependent
 * part changes: a plate on three parallel cranks turns as a pendulum does.  Any two of the three
 * constraints are dependent in two positions of a turn, all three never: there is no singular
 * position, the energy stays, and the angle is the pendulum's.  The same of cranks whose tips move
 * alike, in several writings: of rows  cos f_1 = cos f_2,  sin f_1 = sin f_2  one vanishes four
 * times in a turn.
 *
 * Pendulums with drag that depends on the direction: a constraint written twice changes neither
 * values nor, by much, the steps at switches.
 *
 * Constraints that are dependent up to a small part: solved, with what rounding leaves. */
#include "support/copies.h"
#include "support/test.h"

#include "base/options.h"
#include "ivp/bdf/bdf.h"
#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double LIMIT = 30.0; /* tolerances, after ten turns */
static const double BDF_LIMIT = 100.0;
static rg_context *ctx;

static const char plate[] =
    "param g = 9.81, w = 7\nlet c = cos(phi), s = sin(phi)\n"
    "let X1 = x, Y1 = y, X2 = x + c - 1, Y2 = y + s\n"
    "let X3 = x + 0.5*c - s - 0.5, Y3 = y + 0.5*s + c - 1\n"
    "var x = 0, y = -1, phi = 0, x' = w, y' = 0, phi' = 0\nvar l1, l2, l3\n"
    "x'' = -2*(X1*l1 + X2*l2 + X3*l3)\ny'' = -g - 2*(Y1*l1 + Y2*l2 + Y3*l3)\n"
    "phi''/3 = -2*(l2*(-X2*s + Y2*c) + l3*(X3*(-0.5*s - c) + Y3*(0.5*c - s)))\n"
    "0 = X1^2 + Y1^2 - 1\n0 = X2^2 + Y2^2 - 1\n0 = X3^2 + Y3^2 - 1\nover t = 0 .. 10\n"
    "output x, y, E = (x'^2 + y'^2 + phi'^2/3)/2 + g*y\n";
static const char pendulum[] = "param g = 9.81, w = 7\nvar th = 0, th' = w\n"
                               "th'' = -g*sin(th)\nover t = 0 .. 10\n"
                               "output x = sin(th), y = -cos(th), E = th'^2/2 - g*cos(th)\n";

/* The columns at the end; false: the run failed. */
static bool solve(const char *text, const char *method, const char *tol, double *values,
                  int64_t *places)
{
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;

    const bool ok = CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK)
                    && CHECK_INT(rg_options_create(ctx, &o), RG_OK)
                    && CHECK_INT(rg_options_set(o, "method", method), RG_OK)
                    && CHECK_INT(rg_options_set(o, "rtol", tol), RG_OK)
                    && CHECK_INT(rg_options_set(o, "atol", tol), RG_OK)
                    && CHECK_INT(rg_solve(p, 10.0, o, &s), RG_OK)
                    && CHECK(rg_solution_end_values(s, values) >= 0);
    *places = ok ? rg_solution_singular_count(s) : -1;
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    return ok;
}

static void test_cranks(void)
{
    static const char *const tols[] = {"1e-4", "1e-6", "1e-8"};
    static const double numbers[] = {1e-4, 1e-6, 1e-8};
    double exact[3], now[3];
    int64_t places;

    if (!solve(pendulum, "radau", "1e-12", exact, &places)) return;
    for (int k = 0; k < 3; k++) {
        if (!solve(plate, "radau", tols[k], now, &places)) continue;
        CHECK_INT((int)places, 0);
        for (int i = 0; i < 3; i++) {
            const double e = fabs(now[i] - exact[i]) / (1.0 + fabs(exact[i])) / numbers[k];
            if (!CHECK(e <= LIMIT)) printf("    %s, column %d: %.3g tol\n", tols[k], i, e);
        }
    }
}

/* ---- cranks 1 .. n of mass i, each under a weight of 1, whose tips move alike --------------- */

typedef enum { PAIRS, SCALED_PAIRS, FIRST_PAIRS, ARRAY, LENGTHS, WRITINGS } writing;

/* The forces (A, B) on the tip of crank i, of the constraints between i and i + 1, or 1 and i. */
static void write_force(char *text, size_t size, writing kind, int n, int i, const char *name)
{
    if (kind == FIRST_PAIRS) {
        for (int k = 2; i == 1 && k <= n; k++)
            add_line(text, size, " + %s%d", name, k);
        if (i > 1) add_line(text, size, " - %s%d", name, i);
        return;
    }
    if (i < n) add_line(text, size, " + %s%d", name, i + 1);
    if (i > 1) add_line(text, size, " - %s%d", name, i);
}

static void write_pairs(char *text, size_t size, writing kind, int n)
{
    for (int i = 1; i <= n; i++) {
        add_line(text, size, "var f%d = 0.5, f%d' = w\n%d*f%d'' = -g*cos(f%d)", i, i, i, i, i);
        add_line(text, size, " - sin(f%d)*(0", i);
        write_force(text, size, kind, n, i, "a");
        add_line(text, size, ") + cos(f%d)*(0", i);
        write_force(text, size, kind, n, i, "b");
        add_line(text, size, ")\n");
    }
    for (int i = 2; i <= n; i++) {
        const int other = kind == FIRST_PAIRS ? 1 : i - 1;
        const double unit = kind == SCALED_PAIRS ? 1e-5 : 1.0;
        add_line(text, size, "var a%d, b%d\n%g*(cos(f%d) - cos(f%d)) = 0\n", i, i, unit, other, i);
        add_line(text, size, "sin(f%d) - sin(f%d) = 0\n", other, i);
    }
    add_line(text, size, "output X = cos(f1), Y = sin(f1), E = n*(n + 1)/4*f1'^2 + n*g*sin(f1)\n");
}

static void write_cranks(char *text, size_t size, writing kind, int n)
{
    text[0] = 0;
    add_line(text, size, "param g = 9.81, w = 8, n = %d\nover t = 0 .. 10\n", n);
    if (kind == ARRAY)
        add_line(text, size,
                 "var f[i=1..n] = 0.5, a[i=2..n], b[i=2..n], f[i=1..n]' = w\n"
                 "for i = 1..n {\n  i*f[i]'' = -g*cos(f[i])"
                 " - sin(f[i])*(if(i < n, a[i+1], 0) - if(i > 1, a[i], 0))"
                 " + cos(f[i])*(if(i < n, b[i+1], 0) - if(i > 1, b[i], 0))\n}\n"
                 "for i = 2..n {\n  cos(f[i-1]) - cos(f[i]) = 0\n"
                 "  sin(f[i-1]) - sin(f[i]) = 0\n}\n"
                 "output X = cos(f[1]), Y = sin(f[1]),"
                 " E = n*(n + 1)/4*f[1]'^2 + n*g*sin(f[1])\n");
    else if (kind == LENGTHS)
        add_line(text, size,
                 "var x[i=1..n] = i + cos(0.5), y[i=1..n] = sin(0.5)\n"
                 "var x[i=1..n]' = -w*sin(0.5), y[i=1..n]' = w*cos(0.5)\n"
                 "var c[i=1..n], a[i=2..n], b[i=2..n]\nfor i = 1..n {\n"
                 "  i*x[i]'' = -2*(x[i] - i)*c[i] + if(i < n, a[i+1], 0)"
                 " - if(i > 1, a[i], 0)\n"
                 "  i*y[i]'' = -g - 2*y[i]*c[i] + if(i < n, b[i+1], 0)"
                 " - if(i > 1, b[i], 0)\n"
                 "  (x[i] - i)^2 + y[i]^2 = 1\n}\n"
                 "for i = 2..n {\n  x[i] - x[i-1] = 1\n  y[i] - y[i-1] = 0\n}\n"
                 "output X = x[1] - 1, Y = y[1],"
                 " E = n*(n + 1)/4*(x[1]'^2 + y[1]'^2) + n*g*y[1]\n");
    else
        write_pairs(text, size, kind, n);
}

static void check_cranks(writing kind, int n, const double *exact)
{
    static const char *const tols[] = {"1e-3", "1e-5", "1e-7", "1e-9"};
    static char text[4000];
    double now[3];
    int64_t places;

    write_cranks(text, sizeof text, kind, n);
    for (int k = 0; k < 4; k++) {
        if (!solve(text, "radau", tols[k], now, &places)) continue;
        CHECK_INT((int)places, 0);
        for (int i = 0; i < 3; i++) {
            const double e =
                fabs(now[i] - exact[i]) / (1.0 + fabs(exact[i])) / strtod(tols[k], NULL);
            if (!CHECK(e <= LIMIT))
                printf("    writing %d, %d cranks, %s, column %d: %.3g tol\n", kind, n, tols[k], i,
                       e);
        }
    }
}

/* bdf leaves out the same equations; unknowns that nothing determines must not grow. */
static void check_bdf(int n, const double *exact)
{
    static char text[4000];
    double now[3];
    int64_t places;

    if (!rg_bdf_is_available()) return;
    write_cranks(text, sizeof text, PAIRS, n);
    if (!solve(text, "bdf", "1e-4", now, &places)) return;
    CHECK_INT((int)places, 0);
    for (int i = 0; i < 3; i++)
        if (!CHECK(fabs(now[i] - exact[i]) <= BDF_LIMIT * 1e-4 * (1.0 + fabs(exact[i]))))
            printf("    bdf, %d cranks, column %d: %.9g for %.9g\n", n, i, now[i], exact[i]);
}

static void test_writings(void)
{
    char text[400];
    double exact[3];
    int64_t places;

    for (int n = 2; n <= 4; n++) {
        snprintf(text, sizeof text,
                 "param g = 9.81, w = 8, n = %d\nvar f = 0.5, f' = w\n"
                 "f'' = -2*g*cos(f)/(n + 1)\nover t = 0 .. 10\n"
                 "output X = cos(f), Y = sin(f), E = n*(n + 1)/4*f'^2 + n*g*sin(f)\n",
                 n);
        if (!solve(text, "radau", "1e-12", exact, &places)) return;
        for (int kind = 0; kind < WRITINGS; kind++)
            check_cranks((writing)kind, n, exact);
        if (n < 4) check_bdf(n, exact);
    }
}

/* ---- a particle on constraints that are multiples and combinations of two -------------------- */

static const double ALLOWED = 10.0; /* tolerances, at every row */

static void check_copies(const copies *c, const char *tol)
{
    static rows exact, now;
    const double tolerance = strtod(tol, NULL);
    double worst;
    char words[32];

    snprintf(words, sizeof words, "tol=%s", tol);
    if (!solve_two(ctx, c->index, &exact) || !solve_rows(ctx, c, words, &now)) return;
    worst_row(c, &exact, &now, &worst);
    if (!CHECK(worst <= ALLOWED * tolerance) || !CHECK(worst <= 10.0 * now.estimate)
        || !CHECK(now.estimate <= 100.0 * fmax(worst, tolerance)))
        printf("    index %d, %d constraints, units %g %g, t0 = %g, %s: %.3g tol, estimate %.3g\n",
               c->index, c->count, c->length, c->time, c->t0, tol, worst / tolerance,
               now.estimate / tolerance);
}

static void test_copies(void)
{
    /* clang-format off */
    static const copies kinds[] = {
        {.count = 3, .factor = {{1, 0}, {0, 1}, {1, 0}}},
        {.count = 3, .factor = {{1, 0}, {0, 1}, {1, 1}}},
        {.count = 4, .factor = {{1, 0}, {0, 1}, {1, -1}, {2, 3}}},
        {.count = 3, .factor = {{1, 0}, {0, 1}, {1e6, 0}}},
        {.count = 3, .factor = {{1, 0}, {0, 1}, {1e-6, 2e-6}}},
        {.count = 4, .factor = {{1, 1}, {1, -1}, {3, 0}, {0, 7}}, .is_array = true},
    };
    /* clang-format on */
    static const char *const tols[] = {"1e-4", "1e-6", "1e-9"};

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int index = 2; index <= 3; index++)
            for (int i = 0; i < 3; i++) {
                copies c = kinds[k];
                c.index = index;
                c.length = c.time = 1.0;
                check_copies(&c, tols[i]);
            }
}

static void test_copies_units(void)
{
    static const double units[][3] = {
        {1e-9, 1,    0  },
        {1e9,  1,    0  },
        {1,    1e-6, 0  },
        {1,    1e6,  0  },
        {1e-9, 1e-9, 0  },
        {1e9,  1e9,  0  },
        {1,    1,    1e4},
    };

    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        for (int index = 2; index <= 3; index++) {
            const copies c = {
                .index = index,
                .count = 3,
                .factor = {{1, 0}, {0, 1}, {2, 1}},
                .length = units[k][0],
                .time = units[k][1],
                .t0 = units[k][2]
            };
            check_copies(&c, "1e-6");
        }
}

/* Equations that say nothing where the run begins and something behind a switch: the run ends
 * there.  What follows from the others on every branch goes on. */
static void test_branches(void)
{
    static const struct {
        const char *equations;
        bool is_solved;
    } models[] = {
        {"z + abs(z) = x + abs(x)",                         false},
        {"max(z, 0) = max(x, 0)",                           false},
        {"if(z > 0, z, 0)*1e3 = if(x > 0, x*1e3, 0)",       false},
        {"z + abs(z) = x - 3*unit + abs(x - 3*unit)",       true },
        {"var y\ny = max(x, 0)\nz + y^3 = z + max(x, 0)^3", true },
    };
    static const char *const units[] = {"1", "1e9", "1e-9"};
    char text[400];

    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
            rg_problem *p = NULL;
            rg_solution *s = NULL;
            rg_options o = rg_options_default();
            o.atol *= strtod(units[u], NULL);
            snprintf(text, sizeof text,
                     "param unit = %s\nvar x = -unit, z ~ -unit\nx' = unit*sin(t)\n%s\n"
                     "over t = 0 .. 7\n",
                     units[u], models[k].equations);
            const bool is_posed = CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK);
            const rg_status status = is_posed ? rg_solve(p, 7.0, &o, &s) : RG_OK;
            if (is_posed && !CHECK(status == (models[k].is_solved ? RG_OK : RG_ERR_CONVERGENCE)))
                printf("    %s, unit %s: %s\n", models[k].equations, units[u],
                       rg_last_error(ctx)->message);
            rg_solution_destroy(&s);
            rg_problem_destroy(&p);
        }
}

/* ---- constraints that are dependent up to a part e --------------------------------------------
 *
 * Rounding is divided by e in the states, and by e^2 in the multipliers: the estimate has to say
 * so, and no step may fail for it. */
static const char *const nearly[] = {
    ("var x1 = 0, x2 = 1\nvar y1, y2\nx1' = y1 + y2 + cos(t) - exp(-t) - s\n"
     "x2' = y1 + a*y2 - sin(t) - exp(-t) - a*s\n"),
    ("var x1 = 0, x2 = 1, x3 = 1\nvar y1, y2\nx1' = y1 + y2 + cos(t) - exp(-t) - s\n"
     "x2' = y1 + a*y2 - sin(t) - exp(-t) - a*s\nx3' = -x3 + x1*x2 - sin(t)*cos(t)\n"
     "exact x3 = exp(-t)\n"),
    ("var x1 = 0, x2 = 1, v1 ~ 1, v2 ~ 0\nvar y1, y2\nx1' = v1\nx2' = v2\n"
     "v1' = y1 + y2 - sin(t) - exp(-t) - s\nv2' = y1 + a*y2 - cos(t) - exp(-t) - a*s\n"),
};

/* The largest errors of x1 and of y2. */
static bool solve_nearly(int kind, double e, double tol, double error[2], double *estimate)
{
    char text[800];
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    const rg_request request = {.estimate = 1};

    o.rtol = o.atol = tol;
    snprintf(text, sizeof text,
             "param a = 1 + %g\nlet s = 1 + sin(2*t)\n%sx1 + x2 = sin(t) + cos(t)\n"
             "x1 + a*x2 = sin(t) + a*cos(t)\nover t = 0 .. 2\n"
             "exact x1 = sin(t), x2 = cos(t), y1 = exp(-t), y2 = 1 + sin(2*t)\n"
             "output x1, x2, y1, y2\n",
             e, nearly[kind]);
    const bool ok = CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)
                    && rg_solve_request(p, 2.0, &o, &request, &s) == RG_OK;
    error[0] = ok ? rg_solution_error(s, 0) : NAN;
    error[1] = ok ? rg_solution_error(s, rg_problem_size(p) - 1) : NAN;
    *estimate = ok ? rg_solution_estimate(s) : NAN;
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return ok;
}

/* Pendulums in a row, of coordinates p and q; the multiplier is l, or l + m of two. */
static void write_dragged(bool is_twice, int count, size_t size, char *text)
{
    int length = 0;

    for (int i = 1; i <= count; i++) {
        const char *const force = is_twice ? "(l%d + m%d)" : "l%d";
        char multiplier[40];
        snprintf(multiplier, sizeof multiplier, force, i, i);
        length += snprintf(text + length, size - (size_t)length,
                           "var p%d = 0.8, q%d = -0.6, p%d' = 0, q%d' = 0, l%d\n"
                           "p%d'' = -p%d*%s - if(p%d' > 0, 0.5, 0.1)*p%d' + 0.3*(p%d - p%d)\n"
                           "q%d'' = -q%d*%s - 1 - if(q%d' > 0, 0.%d, 0.05)*q%d'\n"
                           "0 = p%d^2 + q%d^2 - 1\n",
                           i, i, i, i, i, i, i, multiplier, i, i, i % count + 1, i, i, i,
                           multiplier, i, i, i, i, i);
        if (is_twice)
            length += snprintf(text + length, size - (size_t)length,
                               "var m%d\n0 = 2*p%d^2 + 2*q%d^2 - 2\n", i, i, i);
    }
    snprintf(text + length, size - (size_t)length, "over t = 0 .. 9\noutput p1, q1, p1', q1'\n");
}

static void test_switches(void)
{
    static const double tols[] = {1e-4, 1e-6, 1e-8};
    double end[2][4];

    for (int at = 0; at < 9; at++) {
        rg_stats stats[2] = {{0}};
        bool is_solved = true;
        for (int twice = 0; twice < 2 && test_takes(at); twice++) {
            char text[4000];
            rg_problem *p = NULL;
            rg_solution *s = NULL;
            rg_options o = rg_options_default();
            o.rtol = o.atol = tols[at % 3];
            write_dragged(twice, 1 + at, sizeof text, text);
            is_solved = is_solved && CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)
                        && CHECK(rg_solve(p, 9.0, &o, &s) == RG_OK)
                        && CHECK(rg_solution_end_values(s, end[twice]) >= 0);
            if (s != NULL) stats[twice] = rg_solution_stats(s);
            rg_solution_destroy(&s);
            rg_problem_destroy(&p);
        }
        if (!test_takes(at) || !is_solved) continue;
        CHECK(stats[1].steps <= 1.5 * (double)stats[0].steps);
        for (int i = 0; i < 4; i++)
            CHECK(fabs(end[1][i] - end[0][i]) <= tols[at % 3] * (1.0 + fabs(end[0][i])));
    }
}

static void test_nearly(void)
{
    static const double parts[] = {1e-3, 1e-4, 1e-5, 2e-6};
    double error[2], estimate;

    for (int kind = 0; kind < 3; kind++)
        for (int k = 0; k < 4; k++)
            for (int digits = 3; digits <= 10; digits++) {
                if (!test_takes(kind + k + digits)) continue;
                const double e = parts[k], tol = pow(10.0, -digits);
                const bool ok = CHECK(solve_nearly(kind, e, tol, error, &estimate));
                if (!ok || !CHECK(error[0] <= 10.0 * tol + 1e-15 / e)
                    || !CHECK(error[1] <= 10.0 * tol + 1e-14 / (e * e))
                    || !CHECK(error[1] <= 30.0 * estimate)) /* 1 + |y| is up to 3 */
                    printf("    kind %d, %g, tol %g: %.2g and %.2g, estimate %.2g: %s\n", kind, e,
                           tol, error[0], error[1], estimate,
                           ok ? "" : rg_last_error(ctx)->message);
            }
}

int main(void)
{
    static const test_case cases[] = {
        {"copies and combinations", test_copies      },
        {"the same in other units", test_copies_units},
        {"three parallel cranks",   test_cranks      },
        {"cranks in other words",   test_writings    },
        {"branches",                test_branches    },
        {"drag and redundancy",     test_switches    },
        {"nearly dependent",        test_nearly      },
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
