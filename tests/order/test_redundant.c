/* Redundant constraints: all rows as good as those of the model without them, multipliers of least
 * norm, estimates true.
 *
 * Constraints written twice, times 1e6 and 1e-6, as combinations of others and in arrays, of index
 * 2 and 3, in several units and from several start times; beside them constraints whose dependent
 * part changes: a plate on three parallel cranks turns as a pendulum does.  Any two of the three
 * constraints are dependent in two positions of a turn, all three never: there is no singular
 * position, the energy stays, and the angle is the pendulum's. */
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LIMIT = 30.0; /* tolerances, after ten turns */
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
static bool solve(const char *text, const char *tol, double *values, int64_t *places)
{
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;

    const bool ok = CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK)
                    && CHECK_INT(rg_options_create(ctx, &o), RG_OK)
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

    if (!solve(pendulum, "1e-12", exact, &places)) return;
    for (int k = 0; k < 3; k++) {
        if (!solve(plate, tols[k], now, &places)) continue;
        CHECK_INT((int)places, 0);
        for (int i = 0; i < 3; i++) {
            const double e = fabs(now[i] - exact[i]) / (1.0 + fabs(exact[i])) / numbers[k];
            if (!CHECK(e <= LIMIT)) printf("    %s, column %d: %.3g tol\n", tols[k], i, e);
        }
    }
}

/* ---- a particle on constraints that are multiples and combinations of two -------------------- */

enum { MOST_COPIES = 4, POINTS = 9, WIDTH = 6 };
static const double ALLOWED = 10.0; /* tolerances, at every row */

typedef struct {
    int index, count;
    double factor[MOST_COPIES][2]; /* of the sphere and of the cylinder, per constraint */
    double length, time, t0;       /* units, start */
    bool is_array;
} copies;

static void add_line(char *text, size_t size, const char *format, ...)
{
    va_list list;
    const size_t used = strlen(text);

    va_start(list, format);
    vsnprintf(text + used, size - used, format, list);
    va_end(list);
}

/* x, y, z on a sphere and a cylinder; A and B are what the multipliers make of their normals. */
static void write_model(const copies *c, char *text, size_t size)
{
    static const char *const part[2] = {"A", "B"};
    const double L = c->length, T = c->time;

    text[0] = '\0';
    add_line(text, size, "param g = %.17g, L = %.17g\n", 9.81 * L / T / T, L);
    add_line(text, size, "var x = %.17g, y = %.17g, z %s %.17g\n", L, 1.1 * L,
             c->index == 3 ? "~" : "=", -1.338 * L);
    add_line(text, size, "var u = %.17g, v, w\n", 0.5 * L / T);
    if (c->is_array)
        add_line(text, size, "var l[i = 1..%d]\n", c->count);
    else
        for (int k = 0; k < c->count; k++)
            add_line(text, size, "var l%d\n", k + 1);
    for (int i = 0; i < 2; i++) {
        add_line(text, size, "let %s = 0", part[i]);
        for (int k = 0; k < c->count; k++)
            add_line(text, size, c->is_array ? " + %.17g*l[%d]" : " + %.17g*l%d", c->factor[k][i],
                     k + 1);
        add_line(text, size, "\n");
    }
    add_line(text, size,
             "x' = u\ny' = v\nz' = w\nu' = -2*(x*A + (x - L)*B)\n"
             "v' = -2*y*(A + B)\nw' = -2*z*A - g\n");
    for (int k = 0; k < c->count; k++)
        add_line(text, size,
                 c->index == 3
                     ? "%.17g*(x^2 + y^2 + z^2 - 4*L^2) + %.17g*((x - L)^2 + y^2 - 1.21*L^2) = 0\n"
                     : "%.17g*(x*u + y*v + z*w) + %.17g*((x - L)*u + y*v) = 0\n",
                 c->factor[k][0], c->factor[k][1]);
    add_line(text, size, "over t = %.17g .. %.17g\n", c->t0, c->t0 + 3.0 * T);
    add_line(text, size,
             "output X = x/L, Y = y/L, U = u*%.17g, V = v*%.17g, a = A*%.17g, b = B*%.17g", T / L,
             T / L, T * T, T * T);
    for (int k = 0; k < c->count; k++)
        add_line(text, size, c->is_array ? ", L%d = l[%d]*%.17g" : ", L%d = l%d*%.17g", k + 1,
                 k + 1, T * T);
    add_line(text, size, "\n");
}

typedef struct {
    double value[POINTS][WIDTH + MOST_COPIES];
    double estimate;
} rows;

static bool solve_rows(const copies *c, const char *tol, rows *out)
{
    static char text[4096];
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;

    double times[POINTS];

    write_model(c, text, sizeof text);
    for (int k = 0; k < POINTS; k++)
        times[k] = c->t0 + 3.0 * c->time * k / (POINTS - 1);
    bool ok = CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK)
              && CHECK_INT(rg_options_create(ctx, &o), RG_OK)
              && CHECK_INT(rg_options_set(o, "tol", tol), RG_OK)
              && CHECK_INT(
                  rg_solve_rows(p, times[POINTS - 1], o, RG_KEEP_ROWS, POINTS, times, 1, &s), RG_OK)
              && CHECK_INT((int)rg_solution_rows(s), POINTS);
    for (int64_t k = 0; ok && k < POINTS; k++)
        ok = CHECK(rg_solution_values(s, k, out->value[k]) >= 0);
    if (ok) out->estimate = rg_solution_estimate(s);
    if (!ok) printf("    %s\n", rg_last_error(ctx)->message);
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    return ok;
}

/* The least l with  sum_k factor[k][i] l_k = (A, B): l = W^T (W W^T)^+ (A, B). */
static void least_multipliers(const copies *c, double A, double B, double *l)
{
    double M[3] = {0};

    for (int k = 0; k < c->count; k++) {
        M[0] += c->factor[k][0] * c->factor[k][0];
        M[1] += c->factor[k][0] * c->factor[k][1];
        M[2] += c->factor[k][1] * c->factor[k][1];
    }
    const double det = M[0] * M[2] - M[1] * M[1];
    const double a = (M[2] * A - M[1] * B) / det, b = (M[0] * B - M[1] * A) / det;
    for (int k = 0; k < c->count; k++)
        l[k] = c->factor[k][0] * a + c->factor[k][1] * b;
}

static void check_copies(const copies *c, const char *tol)
{
    static rows exact, now;
    copies two = {
        .index = c->index, .count = 2, .factor = {{1, 0}, {0, 1}},
                .length = 1, .time = 1
    };
    const double tolerance = strtod(tol, NULL);
    double worst = 0.0;

    if (!solve_rows(&two, "1e-12", &exact) || !solve_rows(c, tol, &now)) return;
    for (int k = 0; k < POINTS; k++) {
        double l[MOST_COPIES];
        for (int j = 0; j < WIDTH; j++)
            worst = fmax(worst, fabs(now.value[k][j] - exact.value[k][j])
                                    / (1.0 + fabs(exact.value[k][j])));
        least_multipliers(c, exact.value[k][4], exact.value[k][5], l);
        for (int j = 0; j < c->count; j++)
            worst = fmax(worst, fabs(now.value[k][WIDTH + j] - l[j]) / (1.0 + fabs(l[j])));
    }
    if (!CHECK(worst <= ALLOWED * tolerance) || !CHECK(worst <= 10.0 * now.estimate)
        || !CHECK(now.estimate <= 100.0 * fmax(worst, tolerance)))
        printf("    index %d, %d constraints, units %g %g, t0 = %g, %s: %.3g tol, estimate %.3g\n",
               c->index, c->count, c->length, c->time, c->t0, tol, worst / tolerance,
               now.estimate / tolerance);
}

static void test_copies(void)
{
    static const copies kinds[] = {
        {.count = 3,                                   .factor = {{1, 0}, {0, 1}, {1, 0}}                                   },
        {                                                                                                                            .count = 3,          .factor = {{1, 0}, {0, 1}, {1, 1}}                                                                     },
        {                                                                                                                   .count = 4,                                            .factor = {{1, 0}, {0, 1}, {1, -1}, {2, 3}}                                                                                                       },
        {                                                      .count = 3,                                   .factor = {{1, 0}, {0, 1}, {1e6, 0}}                                                               },
        {                                                                                                                                                                                           .count = 3, .factor = {{1, 0}, {0, 1}, {1e-6, 2e-6}}},
        { .count = 4,                                                      .factor = {{1, 1}, {1, -1}, {3, 0}, {0, 7}},                                                                                                                            .is_array = true},
    };
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

int main(void)
{
    static const test_case cases[] = {
        {"copies and combinations", test_copies      },
        {"the same in other units", test_copies_units},
        {"three parallel cranks",   test_cranks      },
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
