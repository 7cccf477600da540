/* Boundary value problems through isolated points where the constraints lose rank, after Ascher and
 * Lin (1993), Example 1:
 *
 *     x1' = -x1 + x2 - sin(t),   x2' = b(t) y,   0 = c(t) (x1 + x2 - exp(-t) - sin(t)),
 *     x1(1) + x2(0) = 1/e
 *
 * with x = (exp(-t), sin(t)) whatever b and c are.  x keeps its accuracy over the whole interval, y
 * away from the places, which are reported. */
#include "support/test.h"

#include "regula.h"
#include "solution/solution.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MODEL                                                                                      \
    "var x1, x2, y\nx1' = -x1 + x2 - sin(t)\nx2' = (%s)*y\n"                                       \
    "0 = (%s)*(x1 + x2 - exp(-t) - sin(t))\nover t = %s\nboundary x1(1) + x2(0) = exp(-1)\n"

typedef struct {
    const char *b, *c, *over;
    int n_places;
    double place[4];
    bool has_smooth_y; /* b = 1:  y = cos(t) */
} model;

/* samples see the second or the third one, and never both on a coarse mesh */
#define FOUR "(t - 0.2786)*(t - 0.439)*(t - 0.455)*(t - 0.8916)"

static const model models[] = {
    {"1 - 2*t",  "1 - 2*t",               "0 .. 1", 1, {0.5},                          false},
    {"1 - 2*t",  "1",                     "0 .. 1", 1, {0.5},                          false},
    {"1",        "1 - 2*t",               "0 .. 1", 1, {0.5},                          true },
    {"1",        "1 - 2*t",               "1 .. 0", 1, {0.5},                          true },
    {"1",        "t - 0.5123",            "0 .. 1", 1, {0.5123},                       true },
    {"1",        "t - 0.997",             "0 .. 1", 1, {0.997},                        true },
    {"1",        "(t - 0.3)^2",           "0 .. 1", 1, {0.3},                          true },
    {"1",        "(t - 0.31)*(t - 0.77)", "0 .. 1", 2, {0.31, 0.77},                   true },
    {"1",        "(t - 0.5)*(t - 0.52)",  "0 .. 1", 2, {0.5, 0.52},                    true },
    {"t + 0.01", "t^2 + 1e-3",            "0 .. 1", 0, {0},                            false},
    {FOUR,       FOUR,                    "0 .. 1", 4, {0.2786, 0.439, 0.455, 0.8916}, false}
};

/* Largest errors of x over 500 points, and of y further than 0.05 from the places. */
static void measure(const model *m, const rg_solution *s, double *x_error, double *y_error)
{
    double z[3];

    *x_error = *y_error = 0;
    for (int k = 0; k <= 500; k++) {
        const double t = k / 500.0;
        CHECK(rg_solution_eval(s, t, z, NULL) >= 0);
        *x_error = fmax(*x_error, fmax(fabs(z[0] - exp(-t)), fabs(z[1] - sin(t))));
        bool is_far = m->has_smooth_y;
        for (int j = 0; j < m->n_places; j++)
            is_far = is_far && fabs(t - m->place[j]) > 0.05;
        if (is_far) *y_error = fmax(*y_error, fabs(z[2] - cos(t)));
    }
}

static void check_model(rg_context *ctx, const model *m, const char *nodes, int stages, double tol)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    char text[512];
    double x_error, y_error;

    snprintf(text, sizeof text, MODEL, m->b, m->c, m->over);
    if (!CHECK(rg_problem_from_text(ctx, text, &p) >= 0)) return;
    o.rtol = o.atol = tol;
    o.stages = stages;
    strcpy(o.nodes, nodes);
    bool ok = CHECK(rg_solve(p, m->over[0] == '0' ? 1.0 : 0.0, &o, &s) >= 0);
    if (!ok) rg_error_print(rg_last_error(ctx), stdout);
    if (ok) {
        measure(m, s, &x_error, &y_error);
        ok = CHECK(x_error <= 3 * tol) && CHECK(y_error <= 10 * tol);
        ok = CHECK_INT(s->n_singular, m->n_places) && ok;
        for (int k = 0; k < m->n_places && ok; k++) {
            CHECK_NEAR(s->singular[k].t, m->place[k], 1e-7);
            CHECK_INT(s->singular[k].lost, 1);
        }
        printf("  b = %s, c = %s, %s %d, tol %.0e: x %.1e, y %.1e, %lld intervals%s\n", m->b, m->c,
               nodes, stages, tol, x_error, y_error, (long long)rg_solution_stats(s).steps,
               ok ? "" : "  <---");
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void test_linear(void)
{
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        check_model(ctx, &models[k], "gauss", 4, 1e-6);
        check_model(ctx, &models[k], "gauss", 3, 1e-4);
        check_model(ctx, &models[k], "radau", 3, 1e-5);
        check_model(ctx, &models[k], "lobatto", 4, 1e-6);
        check_model(ctx, &models[k], "gauss", 5, 1e-9);
    }
    rg_context_destroy(&ctx);
}

/* Two bars of one length: at th1 = pi/2 the constraint loses its only row.  Uniform motion is a
 * solution, with l = 0; a spring makes it nonlinear: th1 = a + b t by construction of the
 * right-hand side. */
static void test_crank(void)
{
    static const char text[] =
        "var th1 ~ 0.8 + 1.6*t + 0.09*sin(3*t), th2 ~ -0.8 - 1.6*t - 0.09*sin(3*t), l ~ 0.1\nlet "
        "th = 0.8 + 1.6*t + 0.1*sin(3*t)\n"
        "th1'' = -l*cos(th1) - 0.9*sin(3*t) + sin(th1 - th) + cos(th1)*t\n"
        "th2'' = -l*cos(th2) + 0.9*sin(3*t) + cos(th2)*t\n0 = sin(th1) + sin(th2)\nover t = 0 .. "
        "1\n"
        "boundary th1(0) = 0.8\nboundary th1(1) = 2.4 + 0.1*sin(3)\n"
        "exact th1 = 0.8 + 1.6*t + 0.1*sin(3*t)\nexact th2 = -0.8 - 1.6*t - 0.1*sin(3*t)\n";
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();

    o.rtol = o.atol = 1e-8;
    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    if (CHECK(rg_problem_from_text(ctx, text, &p) >= 0)) {
        if (!CHECK(rg_solve(p, 1, &o, &s) >= 0)) rg_error_print(rg_last_error(ctx), stdout);
        if (s != NULL) {
            CHECK_INT(s->n_singular, 1);
            CHECK(rg_solution_error(s, 0) < 1e-8);
            CHECK(rg_solution_error(s, 1) < 1e-8);
            double y[3];
            CHECK(rg_solution_eval(s, 0.9, y, NULL) >= 0);
            CHECK_NEAR(y[2], 0.9, 1e-6); /* the multiplier takes up cos(th) t */
        }
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* What cannot be passed is refused, with the place and the cause. */
static void test_refusals(void)
{
    static const struct {
        const char *text, *message;
    } list[] = {
        {"var x1, x2, y\nx1' = -x1 + x2\nx2' = y\n0 = (1 - 2*t)*(x1 + x2) - 1\nover t = 0 .. 1\n"
         "boundary x1(1) + x2(0) = 1\n",                                      "pole"            },
        {"var x1 ~ sin(t), x2 ~ sin(t), x3 ~ 1, y ~ 0\nx1' = (0.1 + x2 - sin(t))*y + cos(t)\n"
         "x2' = cos(t)\nx3' = y\nx1*(y - exp(t)) = sin(t)*(y - exp(t))\nover t = 0 .. 1\n"
         "boundary x1(0) = 0\nboundary x3(0) = 1\nboundary x2(1) = sin(1)\n", "do not determine"}
    };
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        if (!CHECK(rg_problem_from_text(ctx, list[k].text, &p) >= 0)) continue;
        CHECK_INT(rg_solve(p, 1, NULL, &s), RG_ERR_CONVERGENCE);
        if (!CHECK(strstr(rg_last_error(ctx)->message, list[k].message) != NULL))
            printf("    %s\n", rg_last_error(ctx)->message);
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"linear",   test_linear  },
    {"crank",    test_crank   },
    {"refusals", test_refusals}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
