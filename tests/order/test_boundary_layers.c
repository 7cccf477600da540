/* Nonlinear layers of width 1e-8 from the guess of the model alone, against exact solutions, first
 * integrals and the leading terms of matched expansions (errors of order eps).  Run from the top
 * folder. */
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EPS 1e-8

typedef struct {
    double t;
    int order; /* of the derivative of y */
    double value, allowed;
} known;

typedef struct {
    const char *file, *name;
    double value;
    known known[3];
} model;

/* 25-30: y = x + c outside layers;  eps y' = (c^2 - y^2)/2 inside.  19: exp(-y) = 1 + cos(pi x/2)
 * outside. 22: y = 1/(1 + x).  23: y'^2 - 4 sinh^2(mu y/2) is constant. */
static const model models[] = {
    {"cash-19.rg",
     "eps",               EPS,
     {{0.5, 0, -0.53479999674, 1e-6}, {0, 1, -0.5 / EPS, 10.0 / EPS * 1e-6}}                     },
    {"cash-20.rg", "eps", EPS,  {{0.5, 0, 1.245, 1e-6}, {0.9, 0, 1.155, 1e-6}, {0.9, 1, 1, 1e-6}}},
    {"cash-20.rg", "eps", 1e-6, {{0.5, 0, 1.24499930685, 1e-6}, {0.5, 1, -1, 1e-6}}              },
    {"cash-21.rg", "eps", EPS,  {{1e-4, 0, 0.36787944117, 1e-6}, {0.5, 0, 0, 1e-6}}              },
    {"cash-22.rg", "eps", EPS,  {{0.5, 0, 1 / 1.5, 1e-6}, {0, 1, 1 / EPS, 1e-5 / EPS}}           },
    {"cash-23.rg", "mu",  40,   {{1, 1, 4.8516519540979028e8, 1e3}, {0.5, 0, 0, 1e-6}}           },
    {"cash-25.rg",
     "eps",               EPS,
     {{0.1, 0, 0.1 - 1 / 3.0, 1e-6}, {0.5, 0, 0, 1e-6}, {0.9, 0, 0.9 - 2 / 3.0, 1e-6}}           },
    {"cash-26.rg", "eps", EPS,  {{0.5, 0, 0, 1e-6}, {0, 1, -0.5 / EPS, 1e-5 / EPS}}              },
    {"cash-27.rg",
     "eps",               EPS,
     {{0.5, 0, 0, 1e-6}, {0.9, 0, 0.9 - 2 / 3.0, 1e-6}, {0, 1, -0.5 / EPS, 1e-5 / EPS}}          },
    {"cash-30.rg", "eps", EPS,  {{0.25, 0, 0.25 - 7 / 6.0, 1e-6}, {0.75, 0, 1.25, 1e-6}}         },
    {"cash-28.rg", "eps", EPS,  {{0.5, 0, 1, 1e-6}, {0, 1, -0.375 / EPS, 1e-5 / EPS}}            },
    {"cash-29.rg", "eps", EPS,  {{0.5, 0, 1, 1e-6}, {0, 1, 0.125 / EPS, 1e-5 / EPS}}             },
};

static bool has_warning(const rg_solution *s, const char *text)
{
    for (int k = 0; k < rg_solution_warning_count(s); k++)
        if (strstr(rg_solution_warning(s, k), text) != NULL) return true;
    return false;
}

static void check_model(rg_context *ctx, const model *m)
{
    char path[128];
    double y[1], yp[1];
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    const rg_setting setting = {m->name, m->value};

    snprintf(path, sizeof path, "examples/bvp/%s", m->file);
    if (!CHECK(rg_problem_from_file_with(ctx, path, 1, &setting, &p) >= 0)) return;
    if (CHECK(rg_solve(p, 1.0, NULL, &s) >= 0)) {
        printf("  %s, %s = %g: %lld intervals, %s\n", m->file, m->name, m->value,
               (long long)rg_solution_stats(s).steps,
               has_warning(s, "continuation") ? "by continuation" : "from the guess");
        for (int k = 0; k < 3 && m->known[k].allowed > 0.0; k++) {
            const known *v = &m->known[k];
            CHECK(rg_solution_eval(s, v->t, y, yp) >= 0);
            CHECK_NEAR(v->order == 0 ? y[0] : yp[0], v->value, v->allowed);
        }
    } else {
        rg_error_print(rg_last_error(ctx), stdout);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void test_layers(void)
{
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        if (test_takes((int)k)) check_model(ctx, &models[k]);
    rg_context_destroy(&ctx);
}

/* Without a solution: the first message stays, and the parameters are as before. */
static void test_none(void)
{
    static const char text[] = "param small = 1e-3, N = 20, lam = 5\nvar u[i=1..N], y ~ 0\n"
                               "for i = 1..N { u[i] = i*small*y }\ny'' = -lam*exp(y)\n"
                               "over x = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 0\n";
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    CHECK(rg_problem_from_text(ctx, text, &p) >= 0);
    CHECK_INT(rg_solve(p, 1.0, NULL, &s), RG_ERR_CONVERGENCE);
    CHECK(strstr(rg_last_error(ctx)->message, "no solution") != NULL);
    CHECK_INT(rg_problem_size(p), 21);
    rg_solution_destroy(&s);
    CHECK(rg_problem_set_parameter(p, "lam", 1.0) >= 0);
    CHECK(rg_solve(p, 1.0, NULL, &s) >= 0);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static rg_status solve_with(rg_context *ctx, rg_problem *p, const char *name, const char *value)
{
    rg_options *o = NULL;
    rg_solution *s = NULL;

    if (!CHECK(rg_options_create(ctx, &o) >= 0)) return RG_ERR_MEMORY;
    CHECK(rg_options_set(o, name, value) >= 0);
    const rg_status status = rg_solve(p, 1.0, o, &s);
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    return status;
}

/* Problem 35 below 0.02: the equations determine the slope in the middle by exp(-1/(2 eps)),
 * rounding decides.  That does not depend on the mesh, the tolerance or the points. */
static void test_undetermined(void)
{
    static const struct {
        double eps;
        const char *name, *value;
    } runs[] = {
        {1e-6,  "tol",    "1e-6" },
        {1e-7,  "tol",    "1e-6" },
        {1e-8,  "tol",    "1e-6" },
        {1e-9,  "tol",    "1e-6" },
        {1e-10, "tol",    "1e-6" },
        {1e-3,  "tol",    "1e-6" },
        {1e-9,  "tol",    "1e-2" },
        {3e-9,  "tol",    "1e-2" },
        {1e-8,  "tol",    "1e-4" },
        {1e-8,  "tol",    "1e-9" },
        {1e-8,  "nodes",  "radau"},
        {1e-4,  "nodes",  "radau"},
        {1e-8,  "stages", "2"    },
        {1e-8,  "stages", "7"    }
    };
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        if (!test_takes((int)k)) continue;
        const rg_setting setting = {"eps", runs[k].eps};
        rg_problem *p = NULL;
        CHECK(rg_problem_from_file_with(ctx, "examples/bvp/cash-35.rg", 1, &setting, &p) >= 0);
        if (!CHECK_INT(solve_with(ctx, p, runs[k].name, runs[k].value), RG_ERR_CONVERGENCE))
            printf("eps = %g, %s %s\n", runs[k].eps, runs[k].name, runs[k].value);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

/* eps y'' = (x - a) y' - b y:  a whole number b leaves a polynomial free, another one does not. */
static void test_resonance(void)
{
    static const struct {
        double a, b;
        bool is_determined;
    } kinds[] = {
        {0.3, 1.0, false},
        {0.0, 2.0, false},
        {0.0, 0.5, true },
        {0.3, 1.5, true }
    };
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int digits = 5; digits <= 8; digits++) {
            if (!test_takes((int)k + digits)) continue;
            char text[256];
            rg_problem *p = NULL;
            snprintf(
                text, sizeof text,
                "param eps = 1e-%d\nvar y ~ 0\neps*y'' = (x - %g)*y' - %g*y\nover x = -1 .. 1\n"
                "boundary y(start) = 1\nboundary y(end) = 2\n",
                digits, kinds[k].a, kinds[k].b);
            CHECK(rg_problem_from_text(ctx, text, &p) >= 0);
            const rg_status expected = kinds[k].is_determined ? RG_OK : RG_ERR_CONVERGENCE;
            if (!CHECK_INT(solve_with(ctx, p, "tol", "1e-6"), expected)) printf("%s", text);
            if (digits == 5) CHECK_INT(solve_with(ctx, p, "tol", "1e-4"), expected);
            rg_problem_destroy(&p);
        }
    rg_context_destroy(&ctx);
}

/* The look at layers that a solution may hide costs less than the solution itself. */
static void test_cost(void)
{
    static const struct {
        const char *file;
        int64_t evaluations; /* of the solution: 224, 386, 260, 182 */
    } cheap[] = {
        {"examples/bvp/cash-03.rg", 448},
        {"examples/bvp/cash-04.rg", 772},
        {"examples/bvp/cash-05.rg", 520},
        {"examples/bvp/square.rg",  364}
    };
    rg_context *ctx = NULL;
    rg_options *o = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    CHECK(rg_options_create(ctx, &o) >= 0 && rg_options_set(o, "tol", "1e-4") >= 0);
    for (size_t k = 0; k < sizeof cheap / sizeof *cheap; k++) {
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        CHECK(rg_problem_from_file(ctx, cheap[k].file, &p) >= 0);
        double a, b;
        rg_problem_interval(p, &a, &b);
        CHECK(rg_solve(p, b, o, &s) >= 0);
        const int64_t count = rg_solution_stats(s).evaluations;
        if (!CHECK(count > 0 && count <= cheap[k].evaluations))
            printf("%s: %lld evaluations\n", cheap[k].file, (long long)count);
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    rg_options_destroy(&o);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"layers",       test_layers      },
    {"none",         test_none        },
    {"undetermined", test_undetermined},
    {"resonance",    test_resonance   },
    {"cost",         test_cost        }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
