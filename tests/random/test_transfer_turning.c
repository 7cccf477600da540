/* Linear boundary value problems with large rates by the transfer: m solutions that decay or grow
 * at rates 0.3 k .. k, two slow ones, all directions turning, layers at both ends, conditions at
 * both ends in any direction.
 *
 *     y = Q(t) z,  Q = H_1 R(t) H_2,  z_j = a_j + b_j t + c_j exp(d_j t) or exp(d_j (t - 1)),
 *     y' = (Q D Q^T + Q' Q^T) (y - Q(a + b t)) + (Q (a + b t))'
 *
 * H_i are reflections, R turns pairs of unknowns by w t: Q = P cos + S sin. */
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32, TEXT = 1 << 19 };
static const double SPEED = 3.0;

static struct {
    int m;
    double d[MOST], a[MOST], b[MOST], c[MOST], P[MOST][MOST], S[MOST][MOST];
    char text[TEXT];
    size_t used;
} model;

static double uniform(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (double)(1 << 24);
}

static void put(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    model.used += (size_t)vsnprintf(model.text + model.used, TEXT - model.used, format, arguments);
    va_end(arguments);
    CHECK(model.used < TEXT);
}

/* A row of I - 2 v v^T / v^T v. */
static double reflection(const double *v, int i, int j)
{
    double sum = 0.0;

    for (int l = 0; l < model.m; l++)
        sum += v[l] * v[l];
    return (i == j) - 2.0 * v[i] * v[j] / sum;
}

static void choose_numbers(double k, unsigned seed)
{
    const int m = model.m;
    double v[MOST], w[MOST];

    for (int j = 0; j < m; j++) {
        const double rate =
            j % (m / 2) == 0 && m > 2 ? 0.5 + uniform(&seed) : k * (0.3 + 0.7 * uniform(&seed));
        model.d[j] = j < m / 2 ? -rate : rate;
        model.a[j] = 2.0 * uniform(&seed) - 1.0;
        model.b[j] = 2.0 * uniform(&seed) - 1.0;
        model.c[j] = 2.0 * uniform(&seed) - 1.0;
        v[j] = 2.0 * uniform(&seed) - 1.0;
        w[j] = 2.0 * uniform(&seed) - 1.0;
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            model.P[i][j] = model.S[i][j] = 0.0;
            for (int l = 0; l < m; l++) {
                const double sign = l % 2 == 0 ? -1.0 : 1.0;
                model.P[i][j] += reflection(v, i, l) * reflection(w, l, j);
                model.S[i][j] += reflection(v, i, l) * sign * reflection(w, l ^ 1, j);
            }
        }
}

static double Q(int i, int j, double t)
{
    return model.P[i][j] * cos(SPEED * t) + model.S[i][j] * sin(SPEED * t);
}

static double exact(int i, double t)
{
    double sum = 0.0;

    for (int j = 0; j < model.m; j++) {
        const double d = model.d[j], layer = model.c[j] * exp(d < 0.0 ? d * t : d * (t - 1.0));
        sum += Q(i, j, t) * (model.a[j] + model.b[j] * t + layer);
    }
    return sum;
}

/* Row i of the equations: a constant part, and parts with cos^2, cos sin, sin^2. */
static void put_equation(int i)
{
    const int m = model.m;
    double P_0 = 0.0, P_1 = 0.0, S_0 = 0.0, S_1 = 0.0;

    put("y[%d]' = ", i + 1);
    for (int j = 0; j < m; j++) {
        double W = 0.0, A = 0.0, B = 0.0, C = 0.0;
        for (int l = 0; l < m; l++) {
            const double *P_i = model.P[i], *S_i = model.S[i], *P_j = model.P[j], *S_j = model.S[j];
            W += SPEED * S_i[l] * P_j[l];
            A += P_i[l] * model.d[l] * P_j[l];
            B += model.d[l] * (P_i[l] * S_j[l] + S_i[l] * P_j[l]);
            C += S_i[l] * model.d[l] * S_j[l];
        }
        put("(%.17g + cc*(%.17g) + cs*(%.17g) + ss*(%.17g))*y[%d] + ", W, A, B, C, j + 1);
        P_0 += model.P[i][j] * (model.b[j] - model.d[j] * model.a[j]);
        P_1 -= model.P[i][j] * model.d[j] * model.b[j];
        S_0 += model.S[i][j] * (model.b[j] - model.d[j] * model.a[j]);
        S_1 -= model.S[i][j] * model.d[j] * model.b[j];
    }
    put("c*(%.17g + t*(%.17g)) + s*(%.17g + t*(%.17g))\n", P_0, P_1, S_0, S_1);
}

static void make_model(int m, double k, unsigned seed)
{
    model.m = m;
    model.used = 0;
    choose_numbers(k, seed);
    put("var y[i=1..%d]\nlet c = cos(%g*t), s = sin(%g*t)\nlet cc = c*c, cs = c*s, ss = s*s\n", m,
        SPEED, SPEED);
    for (int i = 0; i < m; i++)
        put_equation(i);
    put("over t = 0 .. 1\n");
    for (int i = 0; i < m; i++) {
        double value = 0.0;
        put("boundary ");
        for (int j = 0; j < m; j++) {
            const double row = 2.0 * uniform(&seed) - 1.0;
            put("%s(%.17g)*y[%d](%d)", j > 0 ? " + " : "", row, j + 1, i % 2);
            value += row * exact(j, i % 2);
        }
        put(" = %.17g\n", value);
    }
}

static void check(int m, double k, const char *tol, unsigned seed)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;

    make_model(m, k, seed);
    CHECK(rg_context_create(&ctx) >= 0);
    if (CHECK(rg_problem_from_text(ctx, model.text, &p) >= 0 && rg_options_create(ctx, &o) >= 0
              && rg_options_set(o, "method", "transfer") >= 0 && rg_options_set(o, "tol", tol) >= 0
              && rg_solve_rows(p, 1, o, RG_KEEP_ROWS, 0, NULL, 1, &s) >= 0)) {
        double size[MOST] = {0.0}, most[MOST] = {0.0}, y[MOST], error = 0.0;
        for (int64_t row = 0; row < rg_solution_rows(s); row++) {
            CHECK(rg_solution_values(s, row, y) >= 0);
            for (int i = 0; i < m; i++) {
                const double value = exact(i, rg_solution_time(s, row));
                size[i] = fmax(size[i], fabs(value));
                most[i] = fmax(most[i], fabs(y[i] - value));
            }
        }
        for (int i = 0; i < m; i++)
            error = fmax(error, most[i] / size[i]);
        const double estimate = rg_solution_estimate(s);
        const long long steps = (long long)rg_solution_stats(s).steps;
        printf("  m %d, k %g, tol %s: error %.2g, estimate %.2g, %lld steps, %lld factors\n", m, k,
               tol, error, estimate, steps, (long long)rg_solution_stats(s).factorizations);
        CHECK(error <= 10.0 * estimate && error >= 0.01 * estimate);
        CHECK(error <= 3.0 * strtod(tol, NULL) || estimate > strtod(tol, NULL)); /* rounding */
        /* subspaces are followed by corrections, not by a Schur form in every step */
        CHECK(rg_solution_stats(s).factorizations < steps / 2);
        CHECK(steps <= (strcmp(tol, "1e-6") == 0 ? 1000 : 5000));
    } else {
        printf("  %s\n", rg_last_error(ctx)->message);
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_eight(void)
{
    for (unsigned seed = 1; seed <= 3; seed++) {
        check(8, 1e4, "1e-6", seed);
        check(8, 1e6, "1e-6", seed);
    }
    check(8, 1e6, "1e-10", 1);
}

static void test_many(void)
{
    check(32, 1e6, "1e-6", 1);
}

int main(void)
{
    static const test_case cases[] = {
        {"eight solutions",      test_eight},
        {"thirty-two solutions", test_many }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
