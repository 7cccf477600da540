/* Signature matrices: loops and sums against the same equations written out, callbacks against
 * both. */
#include "structure/analysis.h"
#include "structure/build.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

typedef struct {
    rg_context *ctx;
    rg_problem *p;
    rg_signature s;
} built;

static bool build(built *b, const char *text)
{
    *b = (built){0};
    CHECK(rg_context_create(&b->ctx) == RG_OK);
    const bool ok = rg_problem_from_text(b->ctx, text, &b->p) == RG_OK
                    && rg_signature_build(b->p, &b->s) == RG_OK;
    return CHECK(ok);
}

static void clear(built *b)
{
    rg_signature_clear(b->ctx, &b->s);
    rg_problem_destroy(&b->p);
    rg_context_destroy(&b->ctx);
}

static void check_same(const char *text, const char *written_out)
{
    built a, b;
    if (build(&a, text) && build(&b, written_out)) {
        CHECK(a.s.n_rows == b.s.n_rows && a.s.n_columns == b.s.n_columns);
        const int64_t n_entries = a.s.start[a.s.n_rows];
        CHECK(memcmp(a.s.start, b.s.start, (size_t)(a.s.n_rows + 1) * sizeof *a.s.start) == 0);
        CHECK(memcmp(a.s.column, b.s.column, (size_t)n_entries * sizeof *a.s.column) == 0);
        CHECK(memcmp(a.s.order, b.s.order, (size_t)n_entries) == 0);
    }
    clear(&a);
    clear(&b);
}

static void test_loops(void)
{
    check_same("var u[i=1..4], w\nu[1] + u[1]' = w\nu[4] = u[1]\nw = u[2]*u[2]'\n"
               "for i = 2..3 {\nu[i]'' = u[i-1]' - u[i+1] + w\n}\nover t = 0 .. 1\n",
               "var u[i=1..4], w\nu[1] + u[1]' = w\nu[4] = u[1]\nw = u[2]*u[2]'\n"
               "u[2]'' = u[1]' - u[3] + w\nu[3]'' = u[2]' - u[4] + w\nover t = 0 .. 1\n");
}

static void test_conditions(void)
{
    check_same(
        "var u[i=1..3]\nfor i = 1..3 {\nu[i]' = if(i == 1, 0, u[i-1]) + u[mod(i, 3) + 1]\n}\n"
        "over t = 0 .. 1\n",
        "var u[i=1..3]\nu[1]' = u[2]\nu[2]' = u[1] + u[3]\nu[3]' = u[2] + u[1]\n"
        "over t = 0 .. 1\n");
}

static void test_sums(void)
{
    check_same("var x[i=1..3], s, r\ns = sum(i=1..3, x[i]^2)\nr = sum(i=1..2, x[i]*x[i+1]')\n"
               "for i = 1..3 {\nx[i]' = sum(k=1..i, x[k])\n}\nover t = 0 .. 1\n",
               "var x[i=1..3], s, r\ns = x[1]^2 + x[2]^2 + x[3]^2\nr = x[1]*x[2]' + x[2]*x[3]'\n"
               "x[1]' = x[1]\nx[2]' = x[1] + x[2]\nx[3]' = x[1] + x[2] + x[3]\nover t = 0 .. 1\n");
}

static void test_nested_sums(void)
{
    check_same("var x[i=1..3], s\n(sum(i=1..2, x[i]*sum(k=i..3, x[k]')))' = s\n"
               "for i = 1..3 {\nx[i] = i*t\n}\nover t = 0 .. 1\n",
               "var x[i=1..3], s\n"
               "(x[1]*(x[1]' + x[2]' + x[3]') + x[2]*(x[2]' + x[3]'))' = s\n"
               "x[1] = t\nx[2] = 2*t\nx[3] = 3*t\nover t = 0 .. 1\n");
}

/* Pendulum by callbacks: p q u v lambda. */
static int pendulum(double t, const double *y, const double *yp, double *F, void *user)
{
    (void)t, (void)user;
    F[0] = yp[0] - y[2];
    F[1] = yp[1] - y[3];
    F[2] = yp[2] + y[0] * y[4];
    F[3] = yp[3] + y[1] * y[4] + 9.81;
    F[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    return 0;
}

static void check_callback(rg_context *ctx, rg_problem *p, int index, int dof, bool is_structural)
{
    const rg_analysis *a = NULL;
    if (!CHECK(rg_analysis_get(p, &a) == RG_OK)) rg_error_print(rg_last_error(ctx), stdout);
    if (a == NULL) return;
    CHECK_INT(a->index, index);
    CHECK_INT(a->dof, dof);
    CHECK_INT(a->is_structural, is_structural);
}

static void test_pendulum_callback(void)
{
    static const double y[5] = {1, 0, 0, 0, 0};
    static const int64_t start[6] = {0, 3, 6, 8, 10, 12};
    static const int64_t row[12] = {0, 2, 4, 1, 3, 4, 0, 2, 1, 3, 2, 3};
    rg_context *ctx = NULL;
    CHECK(rg_context_create(&ctx) == RG_OK);
    for (int with_pattern = 0; with_pattern < 2; with_pattern++) {
        rg_problem *p = NULL;
        CHECK(rg_problem_create(ctx, 5, pendulum, NULL, &p) == RG_OK);
        if (with_pattern) CHECK(rg_problem_set_pattern(p, start, row) == RG_OK);
        CHECK(rg_problem_set_initial(p, 0.0, y, NULL) == RG_OK);
        check_callback(ctx, p, 3, 2, true);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

/* Transistor amplifier, refs ivp-testset section 2: a singular mass matrix, no Jacobian. */
static double diode(double u)
{
    return 1e-6 * (exp(u / 0.026) - 1.0);
}

static int amplifier(double t, const double *y, double *f, void *user)
{
    (void)user;
    f[0] = (y[0] - 0.1 * sin(628.3185307179586 * t)) / 1000;
    f[1] = y[1] / 9000 + (y[1] - 6) / 9000 + 0.01 * diode(y[1] - y[2]);
    f[2] = y[2] / 9000 - diode(y[1] - y[2]);
    f[3] = (y[3] - 6) / 9000 + 0.99 * diode(y[1] - y[2]);
    f[4] = y[4] / 9000 + (y[4] - 6) / 9000 + 0.01 * diode(y[4] - y[5]);
    f[5] = y[5] / 9000 - diode(y[4] - y[5]);
    f[6] = (y[6] - 6) / 9000 + 0.99 * diode(y[4] - y[5]);
    f[7] = y[7] / 9000;
    return 0;
}

static void test_amplifier_callback(void)
{
    enum { N = 8 };
    static const double y[N] = {0, 3, 3, 6, 3, 3, 6, 0};
    static const int pairs[3][3] = {
        {0, 1, 1},
        {3, 4, 3},
        {6, 7, 5}
    };
    double M[N * N] = {0};
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    for (int k = 0; k < 3; k++) {
        const int i = pairs[k][0], j = pairs[k][1];
        const double C = 1e-6 * pairs[k][2];
        M[i * N + i] = M[j * N + j] = -C;
        M[i * N + j] = M[j * N + i] = C;
    }
    M[2 * N + 2] = -2e-6;
    M[5 * N + 5] = -4e-6;
    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_create_mass(ctx, N, M, amplifier, NULL, &p) == RG_OK);
    CHECK(rg_problem_set_initial(p, 0.0, y, NULL) == RG_OK);
    check_callback(ctx, p, 1, 5, false);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"loops",              test_loops             },
    {"conditions",         test_conditions        },
    {"sums",               test_sums              },
    {"nested sums",        test_nested_sums       },
    {"pendulum callback",  test_pendulum_callback },
    {"amplifier callback", test_amplifier_callback}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
