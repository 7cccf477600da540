/* Linear systems E y' + A y = f made from their canonical form, so that index and degrees of
 * freedom are known:
 *
 *     E = P diag(I, N) Q,   A = P (diag(C, I) Q + diag(I, N) Q'),   x = Q(t) y,
 *
 * N nilpotent of index k with Jordan blocks, P and Q dense, Q constant or turning with t. */
#include "structure/analysis.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 7 };

static unsigned random_state = 2024;
static int draw(int n)
{
    random_state = random_state * 1103515245u + 12345u;
    return (int)(random_state >> 16) % n;
}

typedef struct {
    int n, dof, index;
    double E[MOST][MOST], A[MOST][MOST]; /* canonical */
    double P[MOST][MOST], Q[MOST][MOST];
} system_data;

static void make_canonical(system_data *s)
{
    memset(s, 0, sizeof *s);
    s->dof = draw(4);
    s->n = s->dof;
    while (s->n < MOST - 1 && (s->n == s->dof || draw(2))) {
        const int most = MOST - s->n < 4 ? MOST - s->n : 4, size = 1 + draw(most);
        for (int k = 0; k < size; k++) {
            s->A[s->n + k][s->n + k] = 1;
            if (k + 1 < size) s->E[s->n + k][s->n + k + 1] = 1;
        }
        if (size > s->index) s->index = size;
        s->n += size;
    }
    for (int i = 0; i < s->dof; i++) {
        s->E[i][i] = 1;
        for (int j = 0; j < s->dof; j++)
            s->A[i][j] = draw(5) - 2;
    }
}

/* Unit lower times unit upper triangular: determinant 1, small integers. */
static void make_dense(int n, double M[MOST][MOST])
{
    double L[MOST][MOST] = {{0}}, U[MOST][MOST] = {{0}};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            L[i][j] = i == j ? 1 : i > j ? draw(3) - 1 : 0;
            U[i][j] = i == j ? 1 : i < j ? draw(3) - 1 : 0;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            M[i][j] = 0;
            for (int k = 0; k < n; k++)
                M[i][j] += L[i][k] * U[k][j];
        }
}

/* x_k as an expression in y, and its derivative; turning: the first two x are rotated by t. */
static int put_state(char *out, const system_data *s, int k, bool turning, bool primed)
{
    int used = sprintf(out, "(0");
    const int other = k == 0 ? 1 : 0;
    const bool turns = turning && s->n > 1 && k < 2;
    for (int j = 0; j < s->n; j++) {
        const double own = s->Q[k][j], next = turns ? s->Q[other][j] * (k == 0 ? -1 : 1) : 0;
        const char *c = turns ? "*cos(t)" : "";
        if (own == 0 && next == 0) continue;
        used += sprintf(out + used, " + (%g%s + %g*sin(t))*y%d", own, c, next, j + 1);
    }
    return used + sprintf(out + used, ")%s", primed ? "'" : "");
}

static void write_model(const system_data *s, bool turning, char *text)
{
    int used = sprintf(text, "var y1");
    for (int j = 1; j < s->n; j++)
        used += sprintf(text + used, ", y%d", j + 1);
    for (int i = 0; i < s->n; i++) {
        used += sprintf(text + used, "\n%d*cos(%d*t) = 0", i + 1, i);
        for (int k = 0; k < s->n; k++) {
            double e = 0, a = 0;
            for (int q = 0; q < s->n; q++) {
                e += s->P[i][q] * s->E[q][k];
                a += s->P[i][q] * s->A[q][k];
            }
            if (e != 0) used += sprintf(text + used, " + (%g)*", e);
            if (e != 0) used += put_state(text + used, s, k, turning, true);
            if (a != 0) used += sprintf(text + used, " + (%g)*", a);
            if (a != 0) used += put_state(text + used, s, k, turning, false);
        }
    }
    sprintf(text + used, "\nover t = 0.3 .. 1\n");
}

static void check_random(int trials, bool turning)
{
    static char text[1 << 16];
    for (int trial = 0; trial < trials; trial++) {
        system_data s;
        rg_context *ctx = NULL;
        rg_problem *p = NULL;
        const rg_analysis *a = NULL;
        make_canonical(&s);
        make_dense(s.n, s.P);
        make_dense(s.n, s.Q);
        write_model(&s, turning, text);
        CHECK(rg_context_create(&ctx) == RG_OK);
        const bool ok =
            rg_problem_from_text(ctx, text, &p) == RG_OK && rg_analysis_get(p, &a) == RG_OK;
        if (!CHECK(ok)) rg_error_print(rg_last_error(ctx), stdout);
        if (ok && (!CHECK_INT(a->index, s.index) || !CHECK_INT(a->dof, s.dof)))
            printf("trial %d, n = %d:\n%s", trial, s.n, text);
        int highest = 0;
        for (int j = 0; ok && j < s.n; j++)
            if (a->variable_index[j] > highest) highest = a->variable_index[j];
        if (ok) CHECK(highest <= (s.index > 1 ? s.index : 1) && highest >= s.index - 1);
        rg_problem_destroy(&p);
        rg_context_destroy(&ctx);
    }
}

static void test_constant(void)
{
    check_random(20, false);
}

static void test_turning(void)
{
    check_random(10, true);
}

/* Two wires that cross, the constraint hidden in the difference of two equations of motion: each
 * unknown has the index of its own, as in the usual form with a constraint on positions, in which
 * velocities normal to it are of index 2 and multipliers of index 3. */
static void test_variables(void)
{
    static const char text[] = "var q1 = 1, q2 = 0, u = -1, v = 0, lambda\nq1' = u\nq2' = v\n"
                               "u' = -q1/10 - lambda*q2\n"
                               "u' + 2*v' = -q1/10 - lambda*(q2 + 2*q1)\n"
                               "u' + 2*v' = -q1/10 - lambda*(q2 + 2*q1) + q1*q2\n"
                               "over t = 0 .. 2\n";
    static const int expected[] = {1, 1, 1, 2, 3};
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    const rg_analysis *a = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    if (CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK && rg_analysis_get(p, &a) == RG_OK))
        for (int j = 0; j < 5; j++)
            CHECK_INT(a->variable_index[j], expected[j]);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"constant",  test_constant },
    {"turning",   test_turning  },
    {"variables", test_variables}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
