/* Random boundary value problems with known solutions: see boundary.h. */
#include "random/boundary.h"
#include "random/draw.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void put(boundary_model *m, const char *format, ...)
{
    const size_t used = strlen(m->text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(m->text + used, sizeof m->text - used, format, arguments);
    va_end(arguments);
}

static double e_of(const boundary_model *m, int i, int order, double s)
{
    const double w = m->w[i], g = m->g[i], phase = w * s + m->p[i];
    const double left = m->c[i] * exp(-g * s), right = m->d[i] * exp(-g * (1.0 - s));

    if (order == 0) return m->a[i] + m->b[i] * sin(phase) + left + right;
    if (order == 1) return m->b[i] * w * cos(phase) - g * left + g * right;
    return -m->b[i] * w * w * sin(phase) + g * g * (left + right);
}

double boundary_model_exact(const boundary_model *m, int i, int order, double t)
{
    return m->unit[i] / pow(m->T, order) * e_of(m, i, order, (t - m->t0) / m->T);
}

/* A factor that changes nothing but the text. */
static double unit_of(const boundary_request *r, uint64_t *state)
{
    const double power = draw_uniform(state, -1.0, 1.0);

    return r->units == 1.0 ? 1.0 : pow(r->units, power);
}

static void choose_solution(const boundary_request *r, uint64_t *state, boundary_model *m)
{
    for (int i = 0; i < m->n; i++) {
        m->a[i] = draw_uniform(state, -1.0, 1.0);
        m->b[i] = draw_uniform(state, 0.2, 1.0);
        m->w[i] = draw_uniform(state, 0.5, 6.0);
        m->p[i] = draw_uniform(state, 0.0, 6.0);
        m->c[i] = draw_whole(state, 0, 1) * draw_uniform(state, -1.0, 1.0);
        m->d[i] = draw_whole(state, 0, 1) * draw_uniform(state, -1.0, 1.0);
        m->g[i] = pow(r->rate, draw_uniform(state, 0.0, 1.0));
        m->unit[i] = unit_of(r, state);
        put(m,
            "fun e%d(s) = %.17g + (%.17g)*sin(%.17g*s + %.17g) + (%.17g)*exp(-%.17g*s)"
            " + (%.17g)*exp(-%.17g*(1 - s))\n",
            i + 1, m->a[i], m->b[i], m->w[i], m->p[i], m->c[i], m->g[i], m->d[i], m->g[i]);
        put(m,
            "fun d%d(s) = (%.17g)*cos(%.17g*s + %.17g) - (%.17g)*exp(-%.17g*s)"
            " + (%.17g)*exp(-%.17g*(1 - s))\n",
            i + 1, m->b[i] * m->w[i], m->w[i], m->p[i], m->c[i] * m->g[i], m->g[i],
            m->d[i] * m->g[i], m->g[i]);
        put(m,
            "fun h%d(s) = -(%.17g)*sin(%.17g*s + %.17g) + (%.17g)*exp(-%.17g*s)"
            " + (%.17g)*exp(-%.17g*(1 - s))\n",
            i + 1, m->b[i] * m->w[i] * m->w[i], m->w[i], m->p[i], m->c[i] * m->g[i] * m->g[i],
            m->g[i], m->d[i] * m->g[i] * m->g[i], m->g[i]);
    }
}

/* The unknown, or its derivative of order 1, 2 with respect to s, in units of 1; at "" or "(end)".
 * */
static void put_unknown(boundary_model *m, int i, int order, const char *at)
{
    put(m, "%.17g*u%d%s%s", pow(m->T, order) / m->unit[i], i + 1,
        order == 2   ? "''"
        : order == 1 ? "'"
                     : "",
        at);
}

/* factor*(unknown - exact), as one more term. */
static void put_term(boundary_model *m, double factor, int i, int order)
{
    put(m, " + (%.17g)*(", factor);
    put_unknown(m, i, order, "");
    put(m, " - %c%d(S(t)))", "edh"[order], i + 1);
}

/* ---- conditions ---------------------------------------------------------------------------- */

/* sum_i row_i e_i (+ slope_i e_i') at an end has the value of the exact solution. */
static void put_condition(const boundary_request *r, uint64_t *state, boundary_model *m,
                          const double *row, const double *slope, int end)
{
    const double factor = unit_of(r, state);
    double value = 0.0;

    put(m, "boundary 0");
    for (int i = 0; i < m->n - m->n_rest; i++) {
        if (row[i] != 0.0) {
            put(m, " + (%.17g)*", factor * row[i]);
            put_unknown(m, i, 0, end ? "(end)" : "(start)");
        }
        if (slope != NULL && slope[i] != 0.0) {
            put(m, " + (%.17g)*", factor * slope[i]);
            put_unknown(m, i, 1, end ? "(end)" : "(start)");
        }
        value += row[i] * e_of(m, i, 0, end);
        if (slope != NULL) value += slope[i] * e_of(m, i, 1, end);
    }
    put(m, " = %.17g\n", factor * value);
}

/* A value, a slope, or a combination of both that damps; not two slopes for one unknown. */
static void put_ends(const boundary_request *r, uint64_t *state, boundary_model *m, int i)
{
    bool has_value = false;

    for (int end = 0; end < 2; end++) {
        double row[BOUNDARY_MOST] = {0}, slope[BOUNDARY_MOST] = {0};
        const int kind = draw_whole(state, 0, 3);
        row[i] = kind == 1 && (end == 0 || has_value) ? 0.0 : 1.0;
        if (kind == 2) slope[i] = (end ? 1.0 : -1.0) * draw_uniform(state, 0.1, 1.0);
        if (kind == 1) slope[i] = end ? 1.0 : -1.0;
        has_value |= row[i] != 0.0;
        put_condition(r, state, m, row, slope, end);
    }
}

/* ---- equations ----------------------------------------------------------------------------- */

/* Terms f_i(e, e') of nonlinear equations, completed so that the exact solution satisfies them. */
static void put_nonlinear(boundary_model *m, int form, double size, int i, int j)
{
    static const char *const FORMS[] = {
        " + (%g)*(%s^3 - e%d(S(t))^3)",
        " + (%g)*(exp(%s) - exp(e%d(S(t))))",
        " + (%g)*(sin(3*%s) - sin(3*e%d(S(t))))",
        " - (%g)*(%s^2 - e%d(S(t))^2)",
        " + (%g)*(sinh(2*%s) - sinh(2*e%d(S(t))))",
    };
    char name[64];

    if (form == 5 || form == 6) { /* products with a slope */
        snprintf(name, sizeof name, "%.17g*u%d", 1.0 / m->unit[j], j + 1);
        put(m, " %c (%g)*((%s)*(%.17g*u%d') - e%d(S(t))*d%d(S(t)))", form == 5 ? '+' : '-', size,
            name, m->T / m->unit[i], i + 1, j + 1, i + 1);
        return;
    }
    snprintf(name, sizeof name, "(%.17g*u%d)", 1.0 / m->unit[j], j + 1);
    put(m, FORMS[form], size, name, j + 1);
}

static void put_second(const boundary_request *r, uint64_t *state, boundary_model *m)
{
    for (int i = 0; i < m->n; i++) {
        const double k = pow(r->rate, draw_uniform(state, 0.0, 1.0)), row = unit_of(r, state);
        put(m, "(%.17g)*(", row);
        put_unknown(m, i, 2, "");
        put(m, " - h%d(S(t))) = (%.17g)*(0", i + 1, row);
        put_term(m, k * k, i, 0);
        if (r->kind == BOUNDARY_NONLINEAR)
            put_nonlinear(m, draw_whole(state, 0, 6), k * draw_uniform(state, 0.5, 5.0), i,
                          draw_whole(state, 0, m->n - 1));
        put_term(m, k * draw_uniform(state, -0.5, 0.5), i, 1);
        for (int j = 0; j < m->n; j++)
            if (j != i) put_term(m, draw_uniform(state, -1.0, 1.0) * k, j, 0);
        put(m, ")\n");
    }
    for (int i = 0; i < m->n; i++)
        put_ends(r, state, m, i);
}

/* A = V L W, W = V^-1: V a product of rotations and a small shear; L the rates. */
static void put_first(const boundary_request *r, uint64_t *state, boundary_model *m)
{
    const int n = m->n - m->n_rest;
    double V[BOUNDARY_MOST][BOUNDARY_MOST] = {{0}}, L[BOUNDARY_MOST];

    for (int i = 0; i < n; i++) {
        V[i][i] = 1.0;
        L[i] = (i % 2 ? 1.0 : -1.0) * pow(r->rate, draw_uniform(state, 0.0, 1.0));
    }
    for (int i = 0; i + 1 < n; i++)
        for (int j = i + 1; j < n; j++) {
            const double angle = draw_uniform(state, -1.0, 1.0), c = cos(angle), s = sin(angle);
            for (int k = 0; k < n; k++) {
                const double a = V[k][i], b = V[k][j];
                V[k][i] = c * a - s * b;
                V[k][j] = s * a + c * b;
            }
        }
    for (int i = 0; i < n; i++) {
        const double row = unit_of(r, state);
        put(m, "(%.17g)*(", row);
        put_unknown(m, i, 1, "");
        put(m, " - d%d(S(t))) = (%.17g)*(0", i + 1, row);
        for (int j = 0; j < n; j++) {
            double A = 0.0;
            for (int k = 0; k < n; k++)
                A += V[i][k] * L[k] * V[j][k];
            put_term(m, A, j, 0);
            if (i != j)
                put(m, " + (%.17g)*sin(3*S(t))*(%.17g*u%d - e%d(S(t)))",
                    draw_uniform(state, -1.0, 1.0), 1.0 / m->unit[j], j + 1, j + 1);
        }
        for (int j = n; j < m->n; j++)
            put_term(m, draw_uniform(state, -1.0, 1.0), j, 0);
        put(m, ")\n");
    }
    for (int k = 0; k < n; k++) { /* decaying ones at the start, growing ones at the end */
        double row[BOUNDARY_MOST];
        for (int j = 0; j < n; j++)
            row[j] = V[j][k];
        put_condition(r, state, m, row, NULL, L[k] > 0.0);
    }
}

static void put_rest(const boundary_request *r, uint64_t *state, boundary_model *m)
{
    for (int i = m->n - m->n_rest; i < m->n; i++) {
        put(m, "0 = (%.17g)*(0", unit_of(r, state));
        put_term(m, 1.0, i, 0);
        for (int j = 0; j < m->n - m->n_rest; j++)
            put_term(m, draw_uniform(state, -1.0, 1.0), j, 0);
        put(m, ")\n");
    }
}

void boundary_model_make(const boundary_request *r, boundary_model *m)
{
    uint64_t state = r->seed * 1000003u + (uint64_t)r->kind;
    const bool is_second = r->kind == BOUNDARY_SECOND || r->kind == BOUNDARY_NONLINEAR;

    memset(m, 0, sizeof *m);
    m->order = is_second ? 2 : 1;
    m->n_rest = r->kind == BOUNDARY_INDEX1 ? draw_whole(&state, 1, 2) : 0;
    m->n = (is_second ? draw_whole(&state, 1, 3) : draw_whole(&state, 2, 4)) + m->n_rest;
    m->T = r->time;
    m->t0 = r->t0;
    put(m, "fun S(t) = (t - (%.17g))/(%.17g)\n", m->t0, m->T);
    choose_solution(r, &state, m);
    put(m, "var u1");
    for (int i = 1; i < m->n; i++)
        put(m, ", u%d", i + 1);
    put(m, "\n");
    if (is_second)
        put_second(r, &state, m);
    else
        put_first(r, &state, m);
    put_rest(r, &state, m);
    put(m, "over t = %.17g .. %.17g\n", m->t0, m->t0 + m->T);
}
