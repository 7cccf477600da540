/* Boundary value problems: every shipped model against its exact solution or reference values, the
 * honesty of the estimate, layers, continuation, guesses, and problems that must be refused.  Run
 * from the top folder.
 *
 * Exact solutions: errors at 201 equidistant points, |e| / (1 + max |y|), at most 3 tol; the
 * estimate is at least a tenth of the error (of |e| / (1 + |y|), which is larger) and not above the
 * tolerance. Reference values: published with about seven digits; accepted deviation 2e-6 relative
 * to 1 + |value|. */
#include "base/options.h"
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 201, MOST = 16 };

static rg_problem *open_model(rg_context *ctx, const char *name, const char *parameter,
                              double value)
{
    char path[256];
    rg_problem *p = NULL;
    const rg_setting setting = {parameter, value};

    snprintf(path, sizeof path, "examples/bvp/%s.rg", name);
    if (!CHECK(rg_problem_from_file_with(ctx, path, parameter != NULL ? 1 : 0, &setting, &p) >= 0))
        rg_error_print(rg_last_error(ctx), stdout);
    return p;
}

static rg_solution *solve(rg_context *ctx, rg_problem *p, const rg_options *o)
{
    rg_solution *s = NULL;
    double a, b;

    rg_problem_interval(p, &a, &b);
    if (!CHECK(rg_solve(p, b, o, &s) >= 0)) rg_error_print(rg_last_error(ctx), stdout);
    return s;
}

/* ---- exact solutions */

/* Largest |e| / (1 + |y|) over the times, with the exact values as y - error in the sense of |.|:
 * the size of y will do. */
static double relative_error(const rg_problem *p, const rg_solution *s)
{
    double y[MOST], size[MOST] = {0}, worst = 0;

    for (int64_t row = 0; row < rg_solution_rows(s); row++) {
        CHECK(rg_solution_eval(s, rg_solution_time(s, row), y, NULL) >= 0);
        for (int64_t i = 0; i < rg_problem_size(p); i++)
            size[i] = fmax(size[i], fabs(y[i]));
    }
    for (int64_t i = 0; i < rg_problem_size(p); i++) {
        const double error = rg_solution_error(s, i);
        if (!isnan(error)) worst = fmax(worst, error / (1 + size[i]));
    }
    return worst;
}

static void check_exact(rg_context *ctx, const char *name, const char *parameter, double value,
                        double tol)
{
    double times[TIMES], a, b;
    rg_options o = rg_options_default();
    rg_solution *s = NULL;
    rg_problem *p = open_model(ctx, name, parameter, value);

    if (p == NULL) return;
    rg_problem_interval(p, &a, &b);
    for (int k = 0; k < TIMES; k++)
        times[k] = k + 1 < TIMES ? a + (b - a) * k / (TIMES - 1) : b;
    o.rtol = o.atol = tol;
    if (CHECK(rg_solve_at(p, b, &o, TIMES, times, &s) >= 0)) {
        const double error = relative_error(p, s), estimate = rg_solution_estimate(s);
        const bool ok = CHECK(rg_solution_has_exact(s)) && CHECK(error <= 3 * tol)
                        && CHECK(estimate >= 0.1 * error - 1e-12) && CHECK(estimate <= tol);
        printf("  %-14s %-8.1g tol %.0e: error %.1e, estimate %.1e, %lld intervals%s\n", name,
               parameter != NULL ? value : 0, tol, error, estimate,
               (long long)rg_solution_stats(s).steps, ok ? "" : "  <---");
    } else {
        rg_error_print(rg_last_error(ctx), stdout);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static const char *const exact_models[] = {
    "bratu",        "bratu-upper",     "cash-01",     "cash-02",    "cash-03",       "cash-04",
    "cash-05",      "cash-06",         "cash-07",     "cash-08",    "cash-09",       "cash-10",
    "cash-11",      "cash-12",         "cash-13",     "cash-14",    "cash-16",       "cash-17",
    "cash-18",      "cash-20",         "cash-21",     "eigenvalue", "index2-branch", "index2-end",
    "index2-mixed", "index2-singular", "three-point", "two-branch"};

static void test_exact(void)
{
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof exact_models / sizeof *exact_models; k++) {
        check_exact(ctx, exact_models[k], NULL, 0, 1e-4);
        check_exact(ctx, exact_models[k], NULL, 0, 1e-8);
    }
    rg_context_destroy(&ctx);
}

/* Boundary layers, corner layers and shock layers. */
static void test_layers(void)
{
    static const char *const models[] = {"cash-01", "cash-02", "cash-03", "cash-04",
                                         "cash-05", "cash-07", "cash-08", "cash-11",
                                         "cash-12", "cash-13", "cash-14", "cash-18"};
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        check_exact(ctx, models[k], "eps", 1e-5, 1e-6);
        check_exact(ctx, models[k], "eps", 1e-8, 1e-5);
    }
    check_exact(ctx, "cash-05", "eps", 1e-8, 1e-6); /* not solved on its first six meshes */
    check_exact(ctx, "cash-10", "eps", 1e-6, 1e-6);
    rg_context_destroy(&ctx);
}

/* The first mesh has points where layers may be, so that few meshes follow it, whatever the width.
 * */
static void test_few_meshes(void)
{
    static const char *const models[] = {"cash-01", "cash-02", "cash-04", "cash-06",
                                         "cash-08", "cash-10", "cash-17", "cash-18"};
    static const double eps[] = {1e-4, 1e-6};
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < 2 * sizeof models / sizeof *models; k++) {
        rg_problem *p = open_model(ctx, models[k / 2], "eps", eps[k % 2]);
        rg_solution *s = p != NULL ? solve(ctx, p, NULL) : NULL;
        if (s != NULL && !CHECK(rg_solution_stats(s).rejected <= 4))
            printf("  %s, eps = %g: %lld meshes\n", models[k / 2], eps[k % 2],
                   (long long)rg_solution_stats(s).rejected + 1);
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

/* ---- reference values */

typedef struct {
    const char *model, *name; /* name with a prime: the first derivative */
    double t, value;
} reference;

/* Collocation with residual tolerance 1e-9; D3: nine digits; the period of the limit cycle: order
 * 20 Taylor, tol 1e-12. */
static const reference references[] = {
    {"cash-19",     "y",  0.5,  -0.4866958  },
    {"cash-19",     "y'", 0.0,  -9.223947   },
    {"cash-22",     "y",  0.5,  0.6909623   },
    {"cash-22",     "y'", 0.0,  8.633366    },
    {"cash-23",     "y'", 0.0,  0.04575046  },
    {"cash-23",     "y'", 1.0,  12.10050    },
    {"cash-24",     "y",  0.5,  0.9677706   },
    {"cash-24",     "y'", 0.0,  0.7717175   },
    {"cash-25",     "y'", 0.0,  0.8085417   },
    {"cash-26",     "y",  0.5,  0.05303786  },
    {"cash-26",     "y'", 0.0,  -7.210815   },
    {"cash-27",     "y",  0.5,  0.1880286   },
    {"cash-28",     "y",  0.5,  1.005227    },
    {"cash-28",     "y'", 0.0,  -3.336750   },
    {"cash-29",     "y",  0.5,  0.9900775   },
    {"cash-30",     "y",  0.5,  0.7355738   },
    {"cash-30",     "y'", 0.0,  1.368942    },
    {"cash-31",     "y",  0.5,  0.1012458   },
    {"cash-31",     "th", 0.0,  0.3556191   },
    {"cash-31",     "Q",  0.0,  0.8958989   },
    {"cash-32",     "y",  0.5,  0.6758098   },
    {"cash-33",     "f",  0.25, 0.02093818  },
    {"cash-33",     "g'", 0.0,  3.574851    },
    {"cash-34",     "y",  0.5,  0.01263229  },
    {"mixed",       "u",  0.0,  -1.217837018},
    {"mixed",       "u'", 0.0,  1.067837018 },
    {"mixed",       "y",  0.0,  1.300451451 },
    {"mixed",       "u",  1.0,  1.508503808 },
    {"mixed",       "y",  2.5,  -1.016906625},
    {"mixed",       "y",  5.0,  -0.864544001},
    {"limit-cycle", "T",  1.0,  6.6632868593}
};

static double value_of(const rg_problem *p, const rg_solution *s, const reference *r)
{
    double y[MOST], yp[MOST];
    char name[32];
    const size_t length = strcspn(r->name, "'");

    CHECK(rg_solution_eval(s, r->t, y, yp) >= 0);
    for (int64_t i = 0; i < rg_problem_size(p); i++) {
        rg_problem_name(p, i, name, sizeof name);
        if (strlen(name) == length && strncmp(name, r->name, length) == 0)
            return r->name[length] == '\'' ? yp[i] : y[i];
    }
    return NAN;
}

static void test_references(void)
{
    rg_context *ctx = NULL;
    rg_options o = rg_options_default();

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    o.rtol = o.atol = 1e-7;
    for (size_t k = 0; k < sizeof references / sizeof *references; k++) {
        const reference *r = &references[k];
        rg_problem *p = open_model(ctx, r->model, NULL, 0);
        rg_solution *s = p != NULL ? solve(ctx, p, &o) : NULL;
        if (s != NULL) {
            const double ours = value_of(p, s, r);
            if (!CHECK(fabs(ours - r->value) <= 2e-6 * (1 + fabs(r->value))))
                printf("    %s: %s(%g) = %.10g, reference %.10g\n", r->model, r->name, r->t, ours,
                       r->value);
        }
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

/* ---- continuation, guesses, constraints */

/* Problem 30 cannot be solved for eps = 1e-5 at once.  Away from its shock at x = 1/3 the solution
 * is x - 7/6 on the left and x + 1/2 on the right, up to terms that vanish like exp(-1/eps). */
static void test_continuation(void)
{
    rg_context *ctx = NULL;
    rg_options o = rg_options_default();
    double y = 0;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    CHECK(rg_options_assign(ctx, &o, "continue", "eps=0.1..1e-5") == RG_OK);
    rg_problem *p = open_model(ctx, "cash-30", NULL, 0);
    rg_solution *s = p != NULL ? solve(ctx, p, &o) : NULL;
    if (s != NULL) {
        CHECK(rg_solution_eval(s, 0.1, &y, NULL) >= 0);
        CHECK_NEAR(y, 0.1 - 7.0 / 6.0, 1e-5);
        CHECK(rg_solution_eval(s, 0.9, &y, NULL) >= 0);
        CHECK_NEAR(y, 0.9 + 0.5, 1e-5);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* A solution written as CSV leads back to the same branch. */
static void test_guess_file(void)
{
    rg_context *ctx = NULL;
    rg_options o = rg_options_default();
    double before = 0, after = 1;
    char name[64];

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    rg_problem *p = open_model(ctx, "bratu-upper", NULL, 0),
               *q = open_model(ctx, "cash-34", "lam", 1);
    rg_solution *s = p != NULL ? solve(ctx, p, &o) : NULL, *r = NULL;
    if (s != NULL && q != NULL) {
        snprintf(name, sizeof name, "/tmp/regula-guess-%p.csv", (void *)ctx);
        CHECK(rg_solution_eval(s, 0.5, &before, NULL) >= 0);
        if (CHECK(rg_solution_write_csv(s, name) >= 0)) {
            CHECK(rg_options_assign(ctx, &o, "guess", name) == RG_OK);
            r = solve(ctx, q, &o);
            remove(name);
        }
        if (r != NULL) CHECK(rg_solution_eval(r, 0.5, &after, NULL) >= 0);
        CHECK(before > 4.0); /* the upper solution */
        CHECK_NEAR(after, before, 1e-5);
    }
    rg_solution_destroy(&r);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_problem_destroy(&q);
    rg_context_destroy(&ctx);
}

/* Index 3: both constraints at rounding level on the mesh, the ends where they should be, and the
 * motion is symmetric. */
static void test_swing(void)
{
    rg_context *ctx = NULL;
    rg_options o = rg_options_default();
    double first[5], last[5];

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    o.rtol = o.atol = 1e-8;
    rg_problem *p = open_model(ctx, "swing", NULL, 0);
    rg_solution *s = p != NULL ? solve(ctx, p, &o) : NULL;
    if (s != NULL) {
        CHECK_INT(rg_solution_drift_levels(s), 2);
        CHECK(rg_solution_drift(s, 0) < 1e-12);
        CHECK(rg_solution_drift(s, 1) < 1e-11);
        CHECK(rg_solution_eval(s, 0, first, NULL) >= 0);
        CHECK(rg_solution_eval(s, 1, last, NULL) >= 0);
        CHECK_NEAR(first[0], 0.5, 1e-12);
        CHECK_NEAR(last[0], -0.5, 1e-8);
        /* energy u^2 + v^2 + 2 g q is kept */
        CHECK_NEAR(first[2] * first[2] + first[3] * first[3] + 2 * 9.81 * first[1],
                   last[2] * last[2] + last[3] * last[3] + 2 * 9.81 * last[1], 1e-6);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* ---- what must be refused */

typedef struct {
    const char *text;
    rg_status code;
    const char *message; /* part of it */
} refusal;

#define D4                                                                                         \
    "var x1, x2, x3, x4, x5\nx1' = x2 + x3 + x5 + 1\nx2' = x2 + x4\nx3' = x1 + x5\n"               \
    "0 = x1 + x2 + 1\n0 = x1 + x3\nover t = 0 .. 1\nboundary x1(0) = -1\n"

static const refusal refusals[] = {
    {D4 "boundary x2(1) = -2\nboundary x3(1) = 1\n",                                        RG_ERR_INCONSISTENT, "line 10"                           },
    {D4 "boundary x2(1) = -2\n",                                                            RG_ERR_STRUCTURE,    "2 boundary conditions for 1 degree"},
    {"var y\ny'' = y\nover x = 0 .. 1\nboundary y(1) = 0\n",                                RG_ERR_STRUCTURE,
     "1 boundary condition for 2 degrees"                                                                                                            },
    {"var y\ny' = y\nover x = 0 .. 1\nboundary y(1) = 0\nboundary y(0) = 1\n",              RG_ERR_STRUCTURE,
     "2 boundary conditions for 1 degree"                                                                                                            },
    {"var y, z\ny' = z\n0 = z - 1\nover x = 0 .. 1\nboundary z(1) = 2\n",                   RG_ERR_INCONSISTENT,
     "contradicts"                                                                                                                                   },
    {"var y ~ 0\ny'' = -5*exp(y)\nover x = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 0\n",
     RG_ERR_CONVERGENCE,                                                                                         "no solution"                       },
    {"var y\ny'' = -pi^2*y\nover x = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 1\n",
     RG_ERR_CONVERGENCE,                                                                                         ""                                  },
    {"var y\ny'' = y\nover x = 0 .. 1\nboundary y(0) = 0\nboundary y'''(1) = 1\n",          RG_ERR_METHOD,
     "reads y'''"                                                                                                                                    }
};

static void test_refusals(void)
{
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        const refusal *r = &refusals[k];
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        if (!CHECK(rg_problem_from_text(ctx, r->text, &p) >= 0)) continue;
        const rg_status status = rg_solve(p, 1, NULL, &s);
        const rg_error *error = rg_last_error(ctx);
        bool ok = CHECK_INT(status, r->code);
        ok = CHECK(strstr(error->message, r->message) != NULL) && ok;
        ok = CHECK(error->remedy[0] != '\0') && ok;
        if (!ok) printf("    %s\n    -> %s\n", r->text, error->message);
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

/* ---- conditions that do not determine a solution */

/* Zero data have a zero solution on every mesh.  Where w/pi is an integer there are others, y = c
 * sin(w x); the first mesh of ten intervals sees nothing of that.  True: a warning was given, or
 * the run failed. */
static bool is_doubted(rg_context *ctx, const char *right, double w, const char *more)
{
    char text[256];
    rg_problem *p = NULL;
    rg_solution *s = NULL;

    snprintf(text, sizeof text,
             "param w = %.17g\nvar y ~ 0\ny'' = -w^2*%s\nover x = 0 .. 1\nboundary y(0) = 0\n"
             "boundary y(1) = 0\n%s",
             w, right, more);
    if (!CHECK(rg_problem_from_text(ctx, text, &p) >= 0)) return false;
    const bool is_good = rg_solve(p, 1, NULL, &s) >= 0 && rg_solution_warning_count(s) == 0;
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return !is_good;
}

static void test_eigenvalues(void)
{
    static const char *const rules[] = {"", "solve stages = 1\n", "solve stages = 7\n",
                                        "solve nodes = radau\n", "solve nodes = lobatto\n"};
    const double pi = acos(-1.0);
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (int k = 1; k <= 64; k = k < 8 ? k + 1 : 2 * k)
        for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
            if (!test_takes(k + (int)r)) continue;
            if (r == 1 && k > 8) continue; /* the midpoint rule needs many intervals */
            if (!CHECK(is_doubted(ctx, "y", k * pi, rules[r]))) printf("    w = %d pi\n", k);
            if (!CHECK(!is_doubted(ctx, "y", (k + 0.4) * pi, rules[r])))
                printf("    w = %g pi, %s", k + 0.4, rules[r]);
        }
    CHECK(is_doubted(ctx, "sin(y)", 40 * pi, ""));
    CHECK(!is_doubted(ctx, "sin(y)", 40.3 * pi, ""));
    CHECK(is_doubted(ctx, "y", 1e6 * pi, "")); /* too fast for any mesh: nothing is claimed */
    rg_context_destroy(&ctx);
}

/* Problem 16 at its eigenvalues:  sin(pi/(2 eps)) = 0. */
static void test_resonance(void)
{
    static const double eps[] = {0.1, 0.05, 0.02, 0.01, 0.005};
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof eps / sizeof *eps; k++) {
        if (!test_takes((int)k + 3)) continue;
        rg_problem *p = open_model(ctx, "cash-16", "eps", eps[k]);
        rg_solution *s = NULL;
        if (p != NULL)
            CHECK(rg_solve(p, 1, NULL, &s) == RG_ERR_CONVERGENCE
                  || rg_solution_warning_count(s) > 0);
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    check_exact(ctx, "cash-16", "eps", 0.0101, 1e-6);
    rg_context_destroy(&ctx);
}

/* Problem 35: y = x/2 between its layers, but the equations determine the factor only up to
 * exp(-1/(2 eps)).  Where that can no longer be seen, another factor must not be taken for the
 * solution. */
static void test_hidden_freedom(void)
{
    static const double eps[] = {0.03, 0.02, 0.016, 0.015, 0.01, 1e-3};
    rg_context *ctx = NULL;
    rg_options o = rg_options_default();
    double y = 0;

    o.rtol = o.atol = 1e-3;
    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof eps / sizeof *eps; k++) {
        rg_problem *p = open_model(ctx, "cash-35", "eps", eps[k]);
        rg_solution *s = NULL;
        if (p == NULL) continue;
        const bool is_solved = rg_solve(p, 1, &o, &s) >= 0;
        if (eps[k]
            != 0.015) /* amplified by 1e12: rounding decides whether it is found, not which one */
            CHECK(is_solved == (eps[k] > 0.015));
        CHECK(!is_solved || eps[k] > 0.025 || rg_solution_warning_count(s) > 0);
        if (is_solved && CHECK(rg_solution_eval(s, -0.5, &y, NULL) >= 0))
            CHECK_NEAR(y, -0.25, 2e-3);
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

/* Changes of branch are mesh points: in the independent variable, and in the solution (y = A sin x
 * up to pi, then -A sinh). A singular coefficient at an end is no trouble. */
static void test_kinks(void)
{
    static const struct {
        const char *text;
        double end;
    } list[] = {
        {"param c = 0.4371\nvar y\ny'' = if(x < c, -1, 1)\nover x = 0 .. 1\nboundary y(0) = 0\n"
         "boundary y(1) = 0\nlet A = c^2/2 - (1 - c^2)/2 + 2*c*(1 - c)\n"
         "exact y = if(x < c, A*x - x^2/2, (A - 2*c)*(x - 1) + (x^2 - 1)/2)\n",         1},
        {"var y ~ 1\ny'' = -abs(y)\nover x = 0 .. 4\nboundary y(0) = 0\nboundary y(4) = -2\n"
         "exact y = if(x < pi, 2/sinh(4 - pi)*sin(x), -2*sinh(x - pi)/sinh(4 - pi))\n", 4},
        {"var y ~ 1\nx*y'' + 2*y' + x*y^5 = 0\nover x = 0 .. 1\nboundary y'(0) = 0\n"
         "boundary y(1) = sqrt(3)/2\nexact y = 1/sqrt(1 + x^2/3)\n",                    1}
    };
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        rg_problem *p = NULL;
        if (!CHECK(rg_problem_from_text(ctx, list[k].text, &p) >= 0)) {
            rg_error_print(rg_last_error(ctx), stdout);
            continue;
        }
        rg_solution *s = solve(ctx, p, NULL);
        if (s != NULL) {
            CHECK(rg_solution_error(s, 0) <= 1e-7);
            CHECK(rg_solution_estimate(s) <= 1e-6);
            CHECK(rg_solution_stats(s).steps < 40);
        }
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

/* How strongly solutions answer to their boundary data, against what is known in closed form. */
static void check_conditioning(rg_context *ctx, rg_problem *p, double expected, double factor)
{
    double found = NAN;

    if (p == NULL) return;
    if (!CHECK(rg_conditioning(p, NULL, &found) >= 0))
        rg_error_print(rg_last_error(ctx), stdout);
    else if (!CHECK(found <= factor * expected && factor * found >= expected))
        printf("    conditioning %g, expected %g\n", found, expected);
    rg_problem_destroy(&p);
}

static void test_conditioning(void)
{
    static const char decay[] = "var y\ny' = -%g*y\nover x = 0 .. 1\nboundary y(1) = 1\n";
    /* x1 = c exp(-2t) on the constraint: the condition changes by c (exp(-2) - 1) */
    static const char index2[] =
        "var x1, x2, y\nx1' = -x1 + x2\nx2' = (1 + t)*y\n0 = x1 + x2\nover t = 0 .. 1\n"
        "boundary x1(1) + x2(0) = 0\n";
    const double pi = acos(-1.0);
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    char text[128];

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (double growth = 2; growth < 20; growth *= 2) { /* a condition at the wrong end */
        snprintf(text, sizeof text, decay, growth);
        if (CHECK(rg_problem_from_text(ctx, text, &p) >= 0))
            check_conditioning(ctx, p, exp(growth), 1.1);
    }
    if (CHECK(rg_problem_from_text(ctx, index2, &p) >= 0))
        check_conditioning(ctx, p, 2 / (1 - exp(-2.0)), 1.05);
    /* problem 16: 1/|sin(pi/(2 eps))| */
    for (double miss = 0.1; miss > 1e-4; miss *= 0.1)
        check_conditioning(ctx, open_model(ctx, "cash-16", "eps", pi / 2 / (9 * pi + miss)),
                           1 / sin(miss), 1.1);
    for (double eps = 1e-2; eps > 1e-9; eps *= 1e-2) /* problem 1: maximum principle */
        check_conditioning(ctx, open_model(ctx, "cash-01", "eps", eps), 1, 2.5);
    if (CHECK(rg_problem_from_text(ctx, "var y = 1\ny' = y\nover x = 0 .. 1\n", &p) >= 0)) {
        double none;
        CHECK_INT(rg_conditioning(p, NULL, &none), RG_ERR_METHOD);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"exact",          test_exact         },
    {"layers",         test_layers        },
    {"few_meshes",     test_few_meshes    },
    {"few_meshes",     test_few_meshes    },
    {"references",     test_references    },
    {"continuation",   test_continuation  },
    {"guess_file",     test_guess_file    },
    {"swing",          test_swing         },
    {"eigenvalues",    test_eigenvalues   },
    {"resonance",      test_resonance     },
    {"hidden_freedom", test_hidden_freedom},
    {"kinks",          test_kinks         },
    {"conditioning",   test_conditioning  },
    {"refusals",       test_refusals      }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
