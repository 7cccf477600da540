/* Boundary value models whose index comes from combinations of equations: petry-6-2 against its
 * exact solution, the same answer as a model that is written without combinations (factors constant
 * or not; constraints written twice), and the ones that must be refused.  Run from the top folder.
 * */
#include "base/options.h"
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TIMES = 201 };

static rg_status solve(rg_problem *p, const char *method, double tol, rg_solution **out)
{
    double times[TIMES], a, b;
    rg_options o = rg_options_default();

    rg_problem_interval(p, &a, &b);
    for (int k = 0; k < TIMES; k++)
        times[k] = k + 1 < TIMES ? a + (b - a) * k / (TIMES - 1) : b;
    o.rtol = o.atol = tol;
    strcpy(o.method, method);
    return rg_solve_at(p, b, &o, TIMES, times, out);
}

/* Errors at 201 points within the tolerance, and the estimate not below a tenth of them. */
static void test_petry(void)
{
    rg_context *ctx = NULL;
    const double tols[] = {1e-4, 1e-6, 1e-8, 1e-10};

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof tols / sizeof *tols; k++) {
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        double error = 0;
        CHECK(rg_problem_from_file(ctx, "examples/transfer/petry-6-2.rg", &p) >= 0);
        if (CHECK(solve(p, "collocation", tols[k], &s) >= 0)) {
            for (int64_t i = 0; i < rg_problem_size(p); i++)
                error = fmax(error, rg_solution_error(s, i));
            const double estimate = rg_solution_estimate(s);
            printf("  petry-6-2 tol %.0e: error %.1e, estimate %.1e\n", tols[k], error, estimate);
            CHECK(rg_solution_has_exact(s) && error <= 3 * tols[k]);
            CHECK(estimate >= 0.1 * error - 1e-12 && estimate <= tols[k]);
        } else {
            rg_error_print(rg_last_error(ctx), stdout);
        }
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

static void test_sensitivity(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    double amplification = 0;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    CHECK(rg_problem_from_file(ctx, "examples/transfer/petry-6-2.rg", &p) >= 0);
    CHECK(rg_conditioning(p, NULL, &amplification) >= 0);
    CHECK(amplification > 1 && amplification < 100);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* Pendulum, index 3: the constraint as it is, and hidden behind an equation that is added to it. */
#define PENDULUM                                                                                   \
    "var x ~ 0.6, y ~ -0.8, l ~ 1, u, v\nx' = u\ny' = v\nu' = -l*x\nv' = -l*y - 1\n"               \
    "over t = 0 .. 1\nboundary x(0) = 0.6\nboundary x(1) = 0.2\n"
static const char plain[] = PENDULUM "x^2 + y^2 = 1\n";
static const char hidden[] = PENDULUM "x^2 + y^2 + u' = 1 - l*x\n";
static const char hidden_t[] = PENDULUM "x^2 + y^2 + (1 + t)*(u' + l*x) = 1\n";
static const char hidden_x[] =
    PENDULUM "x^2 + y^2 + (1 + x^2*y)*(u' + l*x) + sin(t)*(v' + l*y + 1) = 1\n";

/* The first n unknowns are the same at eleven points. */
static void check_same(const char *one, const char *other, int n)
{
    const char *const texts[] = {one, other};
    rg_context *ctx = NULL;
    rg_problem *p[2] = {NULL};
    rg_solution *s[2] = {NULL};
    double y[2][8] = {{0}};

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (int k = 0; k < 2; k++) {
        CHECK(rg_problem_from_text(ctx, texts[k], &p[k]) >= 0);
        if (!CHECK(solve(p[k], "collocation", 1e-9, &s[k]) >= 0))
            rg_error_print(rg_last_error(ctx), stdout);
    }
    for (int q = 0; q <= 10 && s[0] != NULL && s[1] != NULL; q++) {
        for (int k = 0; k < 2; k++)
            CHECK(rg_solution_eval(s[k], q / 10.0, y[k], NULL) >= 0);
        for (int i = 0; i < n; i++)
            CHECK(fabs(y[0][i] - y[1][i]) < 1e-8);
    }
    for (int k = 0; k < 2; k++) {
        rg_solution_destroy(&s[k]);
        rg_problem_destroy(&p[k]);
    }
    rg_context_destroy(&ctx);
}

static void test_same(void)
{
    check_same(plain, hidden, 5);
    check_same(plain, hidden_t, 5);
    check_same(plain, hidden_x, 5);
}

/* Errors against the exact solution at 201 points. */
static void check_exact(const char *text, double tol)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    CHECK(rg_problem_from_text(ctx, text, &p) >= 0);
    if (!CHECK(solve(p, "collocation", tol, &s) >= 0))
        rg_error_print(rg_last_error(ctx), stdout);
    else
        for (int64_t i = 0; i < rg_problem_size(p); i++)
            CHECK(!(rg_solution_error(s, i) > 3 * tol)); /* NaN: no exact value */
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* Index 1: x' + y' and a constraint, mixed by a rotation, so that no equation serves as pivot
 * everywhere; by a factor that depends on the solution; by one that jumps.  Index 2 with a place
 * where the constraint and its multiplier's column vanish; with a derivative that enters as a
 * square. */
static void test_varying(void)
{
    check_exact("var x ~ 1, y ~ 1\n"
                "cos(t)*(x' + y' - cos(t) + sin(t)) - sin(t)*(y + 2*x - cos(t) - 2*sin(t)) = 0\n"
                "sin(t)*(x' + y' - cos(t) + sin(t)) + cos(t)*(y + 2*x - cos(t) - 2*sin(t)) = 0\n"
                "over t = 0 .. 6\nboundary x(6) + y(0) = 1 + sin(6)\n"
                "exact x = sin(t)\nexact y = cos(t)\n",
                1e-9);
    check_exact("var x ~ 1, y ~ 1\nx' + y' = cos(t) - sin(t)\n"
                "(1 + x^2)*(x' + y' - cos(t) + sin(t)) = y*(1 + x^2) - cos(t)*(1 + sin(t)^2)\n"
                "over t = 0 .. 1\nboundary x(1) = sin(1)\nexact x = sin(t)\nexact y = cos(t)\n",
                1e-9);
    check_exact("var x ~ 1, y ~ 1\nx' + y' = cos(t) - sin(t)\n"
                "if(t > 0.4, 2, 1)*(x' + y' - cos(t) + sin(t)) = y + 2*x - cos(t) - 2*sin(t)\n"
                "over t = 0 .. 1\nboundary x(1) = sin(1)\nexact x = sin(t)\nexact y = cos(t)\n",
                1e-9);
    check_exact("var x1, x2, y\nlet c = 1 - 2*t\nx1' = -x1 + x2 - sin(t)\nx2' = c*y\n"
                "0 = c*(x1 + x2 - exp(-t) - sin(t)) + (1 + t)*(x1' + x1 - x2 + sin(t))"
                " + t*(x2' - c*y)\nover t = 0 .. 1\nboundary x1(1) + x2(0) = exp(-1)\n"
                "exact x1 = exp(-t)\nexact x2 = sin(t)\n",
                1e-8);
    check_exact("var x ~ 1 + t, y ~ 1, z ~ 0.5\nx'^2 + y' = 1 + 2*t\n"
                "(1 + x)*(x'^2 + y' - 1 - 2*t) = z - t\ny*z' = t^2 + 1 + (x - 1 - t)\n"
                "over t = 0 .. 1\nboundary x(1) = 2\n"
                "exact x = 1 + t\nexact y = 1 + t^2\nexact z = t\n",
                1e-9);
}

/* A constraint written twice, the second time with a factor that vanishes on the way: of the
 * multipliers a and b only a + cos(3 t) b is determined; least norm: b = cos(3 t) a. */
#define TWICE(force, more)                                                                         \
    "param g = 9.81\nvar p ~ 0.6 - 0.4*t, q ~ -0.8, a" more "\np'' = -p*(" force ")\n"             \
    "q'' = -q*(" force ") - g\np^2 + q^2 = 1\n"                                                    \
    "over t = 0 .. 1\nboundary p(0) = 0.6\nboundary p(1) = 0.2\n"

static void test_redundant(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    double y[8];
    const char *text = TWICE("a + cos(3*t)*b", ", b") "cos(3*t)*(p^2 + q^2 - 1) = 0\n";

    check_same(TWICE("a", ""), text, 2);
    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    CHECK(rg_problem_from_text(ctx, text, &p) >= 0);
    CHECK(solve(p, "collocation", 1e-9, &s) >= 0);
    for (int k = 0; k <= 20 && s != NULL; k++) {
        CHECK(rg_solution_eval(s, k / 20.0, y, NULL) >= 0);
        CHECK(fabs(y[3] - cos(3 * k / 20.0) * y[2]) < 1e-6);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* The third constraint is the sum of the others. */
#define SUM(unit)                                                                                  \
    "param u = " unit "\nvar a, b, c, p, q, r\na'' = -a + p + r\nb'' = 1*u - p + q\n"              \
    "c'' = t*u - q - r\na - b = 0\nb - c = 0\na - c = 0\n"                                         \
    "over t = 0 .. 1\nboundary a(0) = 0\nboundary a(1) = u\n"
#define SUM_BY_HAND(unit)                                                                          \
    "param u = " unit "\nvar a, b, c\n3*a'' = -a + (1 + t)*u\nb = a\nc = a\n"                      \
    "over t = 0 .. 1\nboundary a(0) = 0\nboundary a(1) = u\n"

static void test_sums(void)
{
    check_same(SUM_BY_HAND("1"), SUM("1"), 3);
    check_same(SUM_BY_HAND("1e-9"), SUM("1e-9"), 3);
    check_same("var x ~ 1, y ~ 1, z ~ 1, p, q\nx' = -x + p\ny' = z + p + q\nz' = -y + q\n"
               "x*y = 1 + t\ny*z = 2\nover t = 0 .. 1\nboundary y(1) = 1.5\n",
               "var x ~ 1, y ~ 1, z ~ 1, p, q, r\nx' = -x + p + r\ny' = z + p + q + 2*r\n"
               "z' = -y + q + r\nx*y = 1 + t\ny*z = 2\nx*y + y*z = 3 + t\n"
               "over t = 0 .. 1\nboundary y(1) = 1.5\n",
               3);
}

/* Constraints twice, or with their sum, and nothing that is not 0 but the values at an end. */
#define HOMOGENEOUS(x, y, end)                                                                     \
    "var x" x ", y" y ", l, m\nx' = y + l + m\ny' = -x + l + m\nx + y = 0\n2*x + 2*y = 0\n"        \
    "over t = 0 .. 2\nboundary x(2) = " end "\n"
#define HOMOGENEOUS_SUM(a, end)                                                                    \
    "var a" a ", b" a ", c" a ", p, q, r\na'' = -a + p + r\nb'' = -p + q\nc'' = -q - r\n"          \
    "a - b = 0\nb - c = 0\na - c = 0\nover t = 0 .. 1\nboundary a(0) = 0\nboundary a(1) = " end    \
    "\n"

/* n values at t; on a mesh that nothing had to refine. */
static void check_values(const char *text, double t, int n, const double *values)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    double y[8];

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    CHECK(rg_problem_from_text(ctx, text, &p) >= 0);
    if (!CHECK(solve(p, "collocation", 1e-6, &s) >= 0)) rg_error_print(rg_last_error(ctx), stdout);
    if (s != NULL) {
        CHECK(rg_solution_eval(s, t, y, NULL) >= 0);
        for (int k = 0; k < n; k++)
            if (!CHECK(fabs(y[k] - values[k]) < 1e-7)) printf("  %d: %.6g\n", k, y[k]);
        CHECK(rg_solution_stats(s).steps <= 20);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_zeros(void)
{
    const double zero[6] = {0}, one[4] = {1.0, -1.0, 0.5, 0.5};
    const double a = sin(0.5 / sqrt(3.0)) / sin(1.0 / sqrt(3.0));
    const double sum[6] = {a, a, a, a / 3.0, 0.0, a / 3.0}; /* 3 a'' = -a; p = r, q = 0 */

    check_values("var x ~ 1, y ~ 1, l\nx' = y + l\ny' = -x + l\nx + y = 0\nover t = 0 .. 2\n"
                 "boundary x(2) = 0\n",
                 1.0, 3, zero);
    check_values(HOMOGENEOUS("", "", "0"), 1.0, 4, zero);
    check_values(HOMOGENEOUS(" ~ 1", " ~ 1", "0"), 1.0, 4, zero);
    check_values(HOMOGENEOUS(" ~ 1e9*t", " ~ 1e-9", "0"), 1.0, 4, zero);
    check_values(HOMOGENEOUS("", "", "1"), 2.0, 4, one);
    check_values(HOMOGENEOUS_SUM("", "0"), 0.5, 6, zero);
    check_values(HOMOGENEOUS_SUM(" ~ 1 + t", "0"), 0.5, 6, zero);
    if (test_takes(1)) check_values(HOMOGENEOUS_SUM("", "1"), 0.5, 6, sum); /* seconds */
}

/* The same left-hand side with another right-hand side is not redundant. */
#define AGAIN(unit, more)                                                                          \
    "param u = " unit "\nvar x, y, l, m\nx' = y + l + m\ny' = -x + l + m\nx + y = u*sin(t)\n"      \
    "2*x + 2*y = u*(2*sin(t)" more ")\nover t = 0 .. 2\nboundary x(2) = u\n"

/* The structure tells (rg_analyze, hence 'check'), or the solution does where it is small. */
static void check_contradiction(const char *text, bool is_small)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_structure found;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    CHECK(rg_problem_from_text(ctx, text, &p) >= 0);
    CHECK(is_small || rg_analyze(p, &found) == RG_ERR_STRUCTURE);
    const rg_status status = rg_solve(p, 2.0, NULL, &s);
    CHECK(status == (is_small ? RG_ERR_INCONSISTENT : RG_ERR_STRUCTURE));
    const rg_error *e = rg_last_error(ctx);
    if (!CHECK(strstr(e->message, is_small ? "contradicts" : "contradict each other") != NULL))
        rg_error_print(e, stdout);
    CHECK(e->remedy[0] != '\0' && s == NULL);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

#define THREE(u, more)                                                                             \
    "var x, y, z, k, l, m\nx' = y + k + m\ny' = -x + l + m\nz' = -z + k - l + m\nx + y = " u       \
    "\ny - z = 2*" u "\nx + 2*y - z = 4*" u "\nover t = 0 .. 2\n" more

static void test_contradictions(void)
{
    check_contradiction(AGAIN("1", " + 10"), false);
    check_contradiction(AGAIN("1", " + 0.1"), false);
    check_contradiction(AGAIN("1", " + 1e-4*t"), true);
    check_contradiction(AGAIN("1e-9", " - 0.1"), false);
    check_contradiction(AGAIN("1e9", " - 0.1*t*(2 - t)"), false);
    check_contradiction(THREE("1", "boundary x(2) = 1\n"), false); /* a sum of two others */
    check_contradiction(THREE("1e9", "boundary x(2) = 1\n"), false);
    check_contradiction(THREE("1", ""), false); /* initial values */
    check_contradiction(THREE("1e-9", ""), false);
    check_contradiction("var x ~ 1, y, u, v\nx' = y + u + v\ny' = -x + u + v\nx + y = cos(t)\n"
                        "2*x + 2*y = 2 + sin(t)^3\nover t = 0 .. 2\n",
                        false);
    check_same("var x, y, l\nx' = y + l\ny' = -x + l\nx + y = sin(t)\nover t = 0 .. 2\n"
               "boundary x(2) = 1\n",
               AGAIN("1", " + 1e-9"), 2);
}

static void check_refused(const char *text, const char *method, const char *words)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    CHECK(rg_problem_from_text(ctx, text, &p) >= 0);
    CHECK(solve(p, method, 1e-6, &s) == RG_ERR_METHOD);
    const rg_error *e = rg_last_error(ctx);
    if (!CHECK(strstr(e->message, words) != NULL)) rg_error_print(e, stdout);
    CHECK(e->remedy[0] != '\0');
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

#define TWO(second)                                                                                \
    "var x ~ 1, y ~ 1\nx' + y' = y - x\n" second "\nover t = 0 .. 1\nboundary x(1) = 1\n"

/* An equation too many whose place no multiplier fills; a method that needs offsets. */
static void test_refused(void)
{
    check_refused(TWO("2*x' + 2*y' = 2*y - 2*x"), "collocation",
                  "line 3 follows from the other equations");
    check_refused(hidden, "srm", "combinations of equations");
}

static const test_case cases[] = {
    {"petry",          test_petry         },
    {"sensitivity",    test_sensitivity   },
    {"same",           test_same          },
    {"varying",        test_varying       },
    {"redundant",      test_redundant     },
    {"sums",           test_sums          },
    {"zeros",          test_zeros         },
    {"contradictions", test_contradictions},
    {"refused",        test_refused       }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
