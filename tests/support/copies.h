/* A particle on a sphere and a cylinder, with constraints that are multiples and combinations of
 * these two, in several units: the redundant ones leave the motion as it is, and of the multipliers
 * those of least norm are right.  Used by tests/order/test_redundant.c and test_srm_redundant.c. */
#ifndef RG_TESTS_SUPPORT_COPIES_H
#define RG_TESTS_SUPPORT_COPIES_H

#include "support/options.h"
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COPIES = 4, POINTS = 9, WIDTH = 6 };

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
    int places;
} rows;

/* words: options, "method=srm tol=1e-6".  false: the run failed. */
static bool solve_or_refuse(rg_context *ctx, const copies *c, const char *words, rows *out)
{
    static char text[4096];
    rg_problem *p = NULL;
    rg_options o = rg_options_default();
    rg_solution *s = NULL;
    double times[POINTS];

    write_model(c, text, sizeof text);
    for (int k = 0; k < POINTS; k++)
        times[k] = c->t0 + 3.0 * c->time * k / (POINTS - 1);
    bool ok =
        CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK)
        && CHECK(options_from_words(ctx, &o, words))
        && rg_solve_rows(p, times[POINTS - 1], &o, RG_KEEP_ROWS, POINTS, times, 1, &s) == RG_OK
        && CHECK_INT((int)rg_solution_rows(s), POINTS);
    for (int64_t k = 0; ok && k < POINTS; k++)
        ok = CHECK(rg_solution_values(s, k, out->value[k]) >= 0);
    if (ok) {
        out->estimate = rg_solution_estimate(s);
        out->places = (int)rg_solution_singular_count(s);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return ok;
}

static bool solve_rows(rg_context *ctx, const copies *c, const char *words, rows *out)
{
    const bool ok = CHECK(solve_or_refuse(ctx, c, words, out));

    if (!ok)
        printf("    index %d, %d constraints, units %g %g, %s: %s\n", c->index, c->count, c->length,
               c->time, words, rg_last_error(ctx)->message);
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

/* The largest error of the rows, relative to 1 + |value|: of X .. V, and with the multipliers (A, B
 * and those of the constraints, of least norm). */
static double worst_row(const copies *c, const rows *exact, const rows *now,
                        double *with_multipliers)
{
    double worst = 0.0, most = 0.0;

    for (int k = 0; k < POINTS; k++) {
        double l[MOST_COPIES];
        for (int j = 0; j < WIDTH; j++) {
            const double e =
                fabs(now->value[k][j] - exact->value[k][j]) / (1.0 + fabs(exact->value[k][j]));
            most = fmax(most, e);
            if (j < 4) worst = fmax(worst, e);
        }
        least_multipliers(c, exact->value[k][4], exact->value[k][5], l);
        for (int j = 0; j < c->count; j++)
            most = fmax(most, fabs(now->value[k][WIDTH + j] - l[j]) / (1.0 + fabs(l[j])));
    }
    *with_multipliers = most;
    return worst;
}

/* The model with the two constraints alone, units 1. */
static bool solve_two(rg_context *ctx, int index, rows *out)
{
    const copies two = {
        .index = index, .count = 2, .factor = {{1, 0}, {0, 1}},
                .length = 1, .time = 1
    };

    return solve_rows(ctx, &two, "tol=1e-12", out);
}

#endif
