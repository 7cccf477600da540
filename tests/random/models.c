/* Random models with known solutions: see models.h. */
#include "random/models.h"
#include "random/draw.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void put(random_model *m, const char *format, ...)
{
    const size_t used = strlen(m->text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(m->text + used, sizeof m->text - used, format, arguments);
    va_end(arguments);
}

static double e_of(const random_model *m, int i, int order, double s)
{
    const double d = m->d[i], w = m->w[i], phase = w * s + m->p[i];
    const double decay = m->c[i] * exp(-d * s);

    if (order == 0) return m->a[i] + m->b[i] * sin(phase) + decay;
    if (order == 1) return m->b[i] * w * cos(phase) - d * decay;
    return -m->b[i] * w * w * sin(phase) + d * d * decay;
}

double random_model_exact(const random_model *m, int i, int order, double t)
{
    const double rate = order == 0   ? 1.0
                        : order == 1 ? 1.0 / m->scale
                                     : 1.0 / (m->scale * m->scale);

    return m->unit[i] * rate * e_of(m, i, order, (t - m->t0) / m->scale);
}

void random_model_name(const random_request *r, const random_model *m, int i, char *buffer,
                       size_t size)
{
    const char letter = i < m->n_states ? 'x' : 'y';
    const int k = (i < m->n_states ? i : i - m->n_states) + 1;

    snprintf(buffer, size, r->is_array ? "%c[%d]" : "%c%d", letter, k);
}

static void choose_sizes(const random_request *r, uint64_t *state, random_model *m)
{
    m->n_states = draw_whole(state, 2, 4);
    m->n_rest = 0;
    if (r->kind == RANDOM_INDEX1) m->n_rest = draw_whole(state, 1, 3);
    if (r->kind == RANDOM_INDEX2 || r->kind == RANDOM_INDEX3)
        m->n_rest = draw_whole(state, 1, m->n_states - 1);
}

/* The functions e_i and their derivatives. */
static void choose_solution(const random_request *r, uint64_t *state, random_model *m)
{
    for (int i = 0; i < m->n_states + m->n_rest; i++) {
        m->a[i] = draw_uniform(state, -1.0, 1.0);
        m->b[i] = draw_uniform(state, 0.2, 1.0);
        m->w[i] = draw_uniform(state, 0.5, 3.0);
        m->p[i] = draw_uniform(state, 0.0, 6.0);
        m->c[i] = draw_uniform(state, -0.5, 0.5);
        m->d[i] = draw_uniform(state, 0.2, 1.5);
        const double power = draw_uniform(state, -1.0, 1.0);
        m->unit[i] = r->units == 1.0 ? 1.0 : pow(r->units, power);
    }
}

/* sin of a sum of the arguments plus products of two: bounded slopes. */
static void put_function(random_model *m, uint64_t *state, const char *name, int k, int n_arguments,
                         double size)
{
    put(m, "fun %s%d(", name, k);
    for (int j = 1; j <= n_arguments; j++)
        put(m, "%sv%d", j > 1 ? ", " : "", j);
    put(m, ") = 0");
    for (int j = 1; j <= n_arguments; j++)
        put(m, " + (%.17g)*v%d", size * draw_uniform(state, -0.5, 0.5), j);
    const int i = draw_whole(state, 1, n_arguments), j = draw_whole(state, 1, n_arguments);
    put(m, " + (%.17g)*sin(v%d + v%d)", size * draw_uniform(state, -0.5, 0.5), i, j);
    put(m, " + (%.17g)*v%d/(1 + v%d^2)\n", size * draw_uniform(state, -0.5, 0.5), i, j);
}

/* An unknown in units of one: x/U. */
static void put_unknown(random_model *m, const random_request *r, int i, int primes)
{
    char name[32];

    random_model_name(r, m, i, name, sizeof name);
    put(m, "%s%s/(%.17g)", name, primes == 2 ? "''" : primes == 1 ? "'" : "", m->unit[i]);
}

static void put_call(random_model *m, const random_request *r, const char *name, int k, int first,
                     int count, int with_slopes, int is_exact)
{
    put(m, "%s%d(", name, k);
    for (int i = first; i < first + count; i++) {
        if (i > first) put(m, ", ");
        if (is_exact)
            put(m, "e%d(S)", i + 1);
        else
            put_unknown(m, r, i, 0);
    }
    for (int i = first; with_slopes && i < first + count; i++) {
        put(m, ", ");
        if (is_exact) {
            put(m, "d%d(S)", i + 1);
        } else {
            put(m, "T*");
            put_unknown(m, r, i, 1);
        }
    }
    put(m, ")");
}

static void put_time(random_model *m, const random_request *r)
{
    for (int i = 0; i < m->n_states + m->n_rest; i++) {
        put(m,
            "fun e%d(s) = (%.17g) + (%.17g)*sin((%.17g)*s + (%.17g)) + (%.17g)*exp(-(%.17g)*s)\n",
            i + 1, m->a[i], m->b[i], m->w[i], m->p[i], m->c[i], m->d[i]);
        put(m, "fun d%d(s) = (%.17g)*cos((%.17g)*s + (%.17g)) - (%.17g)*exp(-(%.17g)*s)\n", i + 1,
            m->b[i] * m->w[i], m->w[i], m->p[i], m->c[i] * m->d[i], m->d[i]);
        if (r->kind == RANDOM_INDEX3)
            put(m, "fun dd%d(s) = -(%.17g)*sin((%.17g)*s + (%.17g)) + (%.17g)*exp(-(%.17g)*s)\n",
                i + 1, m->b[i] * m->w[i] * m->w[i], m->w[i], m->p[i], m->c[i] * m->d[i] * m->d[i],
                m->d[i]);
    }
}

static void put_given(random_model *m, const random_request *r, int i, int order, int is_first)
{
    char name[32];

    random_model_name(r, m, i, name, sizeof name);
    put(m, "%s%s%s %s %.17g", is_first ? "var " : ", ", name, order == 1 ? "'" : "",
        r->start == RANDOM_KEPT ? "=" : "~", random_model_exact(m, i, order, m->t0));
}

/* Arrays take their start values by an expression in the index, so data goes through a parameter
 * array. */
static void put_array(random_model *m, const random_request *r, const char *name, int first,
                      int count, int order)
{
    put(m, "param %s0%s[i=1..%d] = (", name, order == 1 ? "p" : "", count);
    for (int i = first; i < first + count; i++)
        put(m, "%s%.17g", i > first ? ", " : "", random_model_exact(m, i, order, m->t0));
    put(m, ")\nvar %s[i=1..%d]%s %s %s0%s[i]\n", name, count, order == 1 ? "'" : "",
        r->start == RANDOM_KEPT ? "=" : "~", name, order == 1 ? "p" : "");
}

static void put_declarations(random_model *m, const random_request *r)
{
    const int n = m->n_states, n_rest = m->n_rest;
    const int is_second = r->kind == RANDOM_INDEX3;

    if (r->is_array) {
        put_array(m, r, "x", 0, n, 0);
        if (is_second) put_array(m, r, "x", 0, n, 1);
        if (n_rest > 0)
            put(m, "var y[i=1..%d]%s\n", n_rest, r->start == RANDOM_GUESS ? " ~ 0" : "");
        return;
    }
    for (int i = 0; i < n; i++) {
        put_given(m, r, i, 0, 1);
        if (is_second) put_given(m, r, i, 1, 0);
        put(m, "\n");
    }
    for (int k = 1; k <= n_rest; k++)
        put(m, "var y%d%s\n", k, r->start == RANDOM_GUESS ? " ~ 0" : "");
}

/* Constraint matrix entries C_kj: unit part plus a random one, so that C C^T is regular. */
static void choose_matrix(const random_model *m, uint64_t *state, double C[][RANDOM_MOST])
{
    for (int k = 0; k < m->n_rest; k++)
        for (int j = 0; j < m->n_states; j++)
            C[k][j] = (k == j ? 1.0 : 0.0) + draw_uniform(state, -0.25, 0.25);
}

static void put_constraints(random_model *m, const random_request *r, uint64_t *state,
                            double C[][RANDOM_MOST])
{
    for (int k = 0; k < m->n_rest; k++) {
        const int j = draw_whole(state, 1, m->n_states);
        put(m, "fun c%d(", k + 1);
        for (int i = 1; i <= m->n_states; i++)
            put(m, "%sv%d", i > 1 ? ", " : "", i);
        put(m, ") = 0");
        for (int i = 0; i < m->n_states; i++)
            put(m, " + (%.17g)*v%d", C[k][i], i + 1);
        put(m, " + 0.15*sin(v%d)\n", j);
        put(m, "0 = ");
        put_call(m, r, "c", k + 1, 0, m->n_states, 0, 0);
        put(m, " - ");
        put_call(m, r, "c", k + 1, 0, m->n_states, 0, 1);
        put(m, "\n");
    }
}

/* x_i' (or x_i'') = f_i(x) - f_i(e) + e_i' - sum_k C_ki (y_k - e_(n+k)). */
static void put_equation(random_model *m, const random_request *r, int i, double C[][RANDOM_MOST])
{
    const int n = m->n_states, is_second = r->kind == RANDOM_INDEX3;
    const int arguments = r->kind == RANDOM_INDEX1 ? n + m->n_rest : n;

    put(m, "T%s*", is_second ? "^2" : "");
    put_unknown(m, r, i, is_second ? 2 : 1);
    put(m, " = ");
    put_call(m, r, "f", i + 1, 0, arguments, is_second, 0);
    put(m, " - ");
    put_call(m, r, "f", i + 1, 0, arguments, is_second, 1);
    put(m, " + %s%d(S)", is_second ? "dd" : "d", i + 1);
    if (r->kind == RANDOM_STIFF && i == n - 1) {
        put(m, " - 1e4*(");
        put_unknown(m, r, i, 0);
        put(m, " - e%d(S))", i + 1);
    }
    if (r->kind == RANDOM_INDEX2 || is_second)
        for (int k = 0; k < m->n_rest; k++) {
            put(m, " - (%.17g)*(", C[k][i]);
            put_unknown(m, r, n + k, 0);
            put(m, " - e%d(S))", n + k + 1);
        }
    put(m, "\n");
}

static void put_algebraic(random_model *m, const random_request *r, uint64_t *state)
{
    for (int k = 0; k < m->n_rest; k++) {
        const int i = m->n_states + k, n = m->n_states + m->n_rest;
        put_function(m, state, "g", k + 1, n, 0.3);
        put(m, "0 = 2*(");
        put_unknown(m, r, i, 0);
        put(m, " - e%d(S)) + ", i + 1);
        put_call(m, r, "g", k + 1, 0, n, 0, 0);
        put(m, " - ");
        put_call(m, r, "g", k + 1, 0, n, 0, 1);
        put(m, "\n");
    }
}

static void put_exact(random_model *m, const random_request *r)
{
    for (int i = 0; i < m->n_states + m->n_rest; i++) {
        char name[32];
        random_model_name(r, m, i, name, sizeof name);
        put(m, "exact %s = (%.17g)*e%d(S)\n", name, m->unit[i], i + 1);
    }
}

void random_model_make(const random_request *r, random_model *m)
{
    double C[RANDOM_MOST][RANDOM_MOST] = {{0}};
    uint64_t state = r->seed * 1000003u + (uint64_t)r->kind * 7919u + 17u;

    memset(m, 0, sizeof *m);
    choose_sizes(r, &state, m);
    choose_solution(r, &state, m);
    choose_matrix(m, &state, C);
    m->t0 = r->t0;
    m->scale = r->scale;
    m->t_end = r->t0 + r->length * r->scale;
    put(m, "title \"random model %d, seed %llu\"\n", (int)r->kind, (unsigned long long)r->seed);
    put(m, "param T = %.17g, t0 = %.17g\n", r->scale, r->t0);
    put_time(m, r);
    put_declarations(m, r);
    put(m, "let S = (t - t0)/T\n");
    const int is_second = r->kind == RANDOM_INDEX3;
    const int arguments =
        r->kind == RANDOM_INDEX1 ? m->n_states + m->n_rest : (1 + is_second) * m->n_states;
    for (int i = 0; i < m->n_states; i++)
        put_function(m, &state, "f", i + 1, arguments, 0.5);
    for (int i = 0; i < m->n_states; i++)
        put_equation(m, r, i, C);
    if (r->kind == RANDOM_INDEX1) put_algebraic(m, r, &state);
    if (r->kind == RANDOM_INDEX2 || is_second) put_constraints(m, r, &state, C);
    put_exact(m, r);
    put(m, "over t = %.17g .. %.17g\n", m->t0, m->t_end);
}
