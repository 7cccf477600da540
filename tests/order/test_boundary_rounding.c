/* Layers in which rounding of the independent variable and of the unknown decides: they are refused
 * within a second, and the reason is named, with place and remedy.  What can be solved is. */
#include "regula.h"
#include "support/options.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* e*y'' = y - cos(wave (x - a)/unit) over a .. b, y = left, right at the ends; in units of y. */
typedef struct {
    double a, unit, size, wave;
    const char *left, *right;
} layer;

static const layer layers[] = {
    {0,   1,    1,    1, "0", "0"     },
    {-1,  1,    1,    1, "0", "0"     },
    {5,   1,    1,    1, "0", "0"     },
    {1e6, 1,    1,    1, "0", "0"     },
    {0,   1e9,  1,    1, "0", "0"     },
    {0,   1e-7, 1e-8, 1, "0", "0"     },
    {0,   1,    1,    1, "0", "cos(1)"},
    {2,   2,    1,    9, "0", "0"     },
    {0,   1,    1,    1, "1", "0"     },
};
enum { N_LAYERS = sizeof layers / sizeof *layers };

static rg_status solve(rg_context *ctx, const layer *l, double e, const char *words,
                       rg_solution **s)
{
    rg_problem *p = NULL;
    rg_options o = rg_options_default();
    char text[512];

    snprintf(text, sizeof text,
             "param e = %g\nvar y\ne*y'' = y - %g*cos(%g*(x - %.17g)/%g)\nover x = %.17g .. %.17g\n"
             "boundary y(%.17g) = %g*%s\nboundary y(%.17g) = %g*%s\n",
             e * l->unit * l->unit, l->size, l->wave, l->a, l->unit, l->a, l->a + l->unit, l->a,
             l->size, l->left, l->a + l->unit, l->size, l->right);
    CHECK(rg_problem_from_text(ctx, text, &p) >= 0);
    CHECK(options_from_words(ctx, &o, words));
    const rg_status status = rg_solve(p, l->a + l->unit, &o, s);
    rg_problem_destroy(&p);
    return status;
}

static void test_refused(void)
{
    static const double small[] = {1e-18, 1e-20, 1e-24, 1e-30, 1e-40};
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) >= 0);
    for (int k = 0; k < 5 * N_LAYERS; k++) {
        rg_solution *s = NULL;
        if (!test_takes(k)) continue;
        const layer *l = &layers[k / 5];
        const clock_t begin = clock();
        const rg_status status = solve(ctx, l, small[k % 5], "tol=1e-6", &s);
        const double took = (double)(clock() - begin) / CLOCKS_PER_SEC;
        const rg_error *error = rg_last_error(ctx);
        if (!CHECK(status == RG_ERR_CONVERGENCE) || !CHECK(took < 1.0)
            || !CHECK(strstr(error->message, "rounding of x") != NULL)
            || !CHECK(strstr(error->remedy, "small parameter") != NULL)
            || !CHECK(error->t >= l->a && error->t <= l->a + l->unit))
            printf("  a = %g, unit %g, y = %s, %s, e = %g: %.2f s, %s\n", l->a, l->unit, l->left,
                   l->right, small[k % 5], took, error->message);
        rg_solution_destroy(&s);
    }
    rg_context_destroy(&ctx);
}

/* Data that need no layer: rounding decides about the derivative all the same, as quickly. */
static void test_outer(void)
{
    static const layer outer[] = {
        {0,  1,   1,    1, "1", "cos(1)"},
        {-1, 1,   1,    1, "1", "cos(1)"},
        {0,  1e9, 1e-8, 1, "1", "cos(1)"},
        {5,  1,   1,    1, "1", "cos(1)"},
    };
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) >= 0);
    for (int k = 0; k < 4; k++) {
        rg_solution *s = NULL;
        const clock_t begin = clock();
        const rg_status status = solve(ctx, &outer[k], 1e-16, "tol=1e-6", &s);
        const double took = (double)(clock() - begin) / CLOCKS_PER_SEC;
        if (!CHECK(took < 1.0)
            || (status < 0 && !CHECK(strstr(rg_last_error(ctx)->message, "rounding of x") != NULL)))
            printf("  outer %d: %.2f s, %s\n", k, took, rg_last_error(ctx)->message);
        rg_solution_destroy(&s);
    }
    rg_context_destroy(&ctx);
}

/* What the remedy says is true, and thick layers are none of that. */
static void test_solved(void)
{
    static const struct {
        double e;
        const char *words;
    } rows[] = {
        {1e-12, "tol=1e-6"},
        {1e-13, "tol=1e-6"},
        {1e-16, "tol=1e-4"},
        {1e-20, "tol=1e-2"}
    };
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) >= 0);
    for (int k = 0; k < 4 * N_LAYERS; k++) {
        rg_solution *s = NULL;
        const layer *l = &layers[k / 4];
        double y[1], yp[1];
        if (l->a > 1.0) continue; /* numbers there are further apart */
        if (!test_takes(k + k / 4)) continue;
        if (!CHECK(solve(ctx, l, rows[k % 4].e, rows[k % 4].words, &s) >= 0))
            printf("  a = %g, e = %g: %s\n", l->a, rows[k % 4].e, rg_last_error(ctx)->message);
        else if (CHECK(rg_solution_eval(s, l->a + 0.5 * l->unit, y, yp) >= 0)) {
            CHECK_NEAR(y[0], l->size * cos(0.5), 2e-2 * l->size);
            CHECK_NEAR(yp[0], -l->size * sin(0.5) / l->unit, 2e-2 * l->size / l->unit);
        }
        rg_solution_destroy(&s);
    }
    rg_context_destroy(&ctx);
}

/* Oscillations that no mesh follows are refused as quickly, and named; those that are not in the
 * solution, or that a mesh follows, are none of that. */
static void test_waves(void)
{
    static const struct {
        const char *model, *text;
    } rows[] = {
        {"var y\ny'' = -1e12*y\nover x = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 1\n",
         "oscillate about 2e+05 times"                                                                                 },
        {"var y, v\ny' = v\nv' = -1e20*(y - x)\nover x = 5 .. 6\nboundary y(5) = 0\n"
         "boundary v(6) = 1\n",                                                  "oscillate about 2e+09 times"},
        {"param e = 1e-6\nvar y\ne*y'' = -1e-12*y\nover x = 0 .. 1e9\nboundary y(0) = 1e-5\n"
         "boundary y(1e9) = 0\n",                                                "oscillate about 2e+05 times"},
        {"var y\ny'' = -1e12*(y - x)\nover x = 0 .. 1\nboundary y(0) = 0\n"
         "boundary y(1) = 1\n",                                                  ""                           },
        {"var y\ny'' = -1e6*y\nover x = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 1\n",  ""                           },
    };
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) >= 0);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        rg_solution *s = NULL;
        rg_problem *p = NULL;
        double a, b;
        if (!CHECK(rg_problem_from_text(ctx, rows[k].model, &p) >= 0)) continue;
        rg_problem_interval(p, &a, &b);
        const clock_t begin = clock();
        const rg_status status = rg_solve(p, b, NULL, &s);
        const double took = (double)(clock() - begin) / CLOCKS_PER_SEC;
        const bool is_refused = rows[k].text[0] != '\0';
        if (!CHECK(status == (is_refused ? RG_ERR_CONVERGENCE : RG_OK)) || !CHECK(took < 1.0)
            || (is_refused && !CHECK(strstr(rg_last_error(ctx)->message, rows[k].text) != NULL)))
            printf("  row %d: %.2f s, %s\n", (int)k, took, rg_last_error(ctx)->message);
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

int main(void)
{
    static const test_case cases[] = {
        {"refused", test_refused},
        {"outer",   test_outer  },
        {"solved",  test_solved },
        {"waves",   test_waves  },
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
