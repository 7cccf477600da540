/* Sequential regularization for boundary values: orders in h and eps, the layer, singular places,
 * nonlinear models.
 *
 * L: Ascher, Lin (1993).  h is halved; observed orders may be 0.2 below theory.  Reference of an
 * iterate: Gauss collocation with seven points and 80 intervals. */
#include "support/test.h"

#include "support/options.h"
#include "support/srm_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char linear[] = "examples/srm/srm-boundary.rg";
static const double start[] = {1.0, 0.0, 0.0};

static rg_context *open_context(void)
{
    rg_context *ctx = NULL;

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    return ctx;
}

static rg_options with(rg_context *ctx, const rg_problem *p, const char *text)
{
    rg_options o = rg_options_default();

    CHECK_INT(rg_problem_options(p, &o), RG_OK);
    options_from_words(ctx, &o, text);
    return o;
}

/* ---- orders of the discretization: L (4.4), (4.6), (4.8)
 * ------------------------------------------ */

/* By(t) carried by an iterate: Lagrange polynomial through the collocation points of the interval.
 * */
static double carried_at(const rg_curve *c, double t, int component)
{
    const int64_t i = rg_curve_find(c, t);
    double l[RG_RULE_MOST], sum = 0.0;

    rg_rule_lagrange(&c->rule, (t - c->t[i]) / (c->t[i + 1] - c->t[i]), l);
    for (int j = 0; j < c->rule.s; j++)
        sum += l[j] * rg_curve_w(c, i, j)[component];
    return sum;
}

typedef struct {
    rg_rule_kind kind;
    int stages;
    const char *options;
    int iterations, N; /* iterates; intervals of the first mesh */
    double from;       /* errors count from here on */
    double x, By;      /* orders of theory */
} order_case;

/* Largest errors of x at mesh points and of By in collocation points, against `reference` or (NULL)
 * the exact solution. */
static void measure(const srm_parts *q, const rg_curve *reference, double from, double *ex,
                    double *ey)
{
    const rg_curve *c = q->curve;
    double z[2];

    *ex = *ey = 0.0;
    for (int64_t i = 0; i <= c->N; i++) {
        if (c->t[i] < from) continue;
        z[0] = exp(-c->t[i]);
        z[1] = sin(c->t[i]);
        if (reference != NULL)
            rg_curve_eval(reference, rg_curve_find(reference, c->t[i]), c->t[i], z, NULL, NULL);
        for (int k = 0; k < 2; k++)
            *ex = fmax(*ex, fabs(c->x[2 * i + k] - z[k]));
        for (int j = 0; j < c->rule.s && i < c->N; j++) {
            const double t = c->t[i] + c->rule.c[j] * (c->t[i + 1] - c->t[i]);
            const double By = reference != NULL ? carried_at(reference, t, 1) : -cos(t);
            *ey = fmax(*ey, fabs(rg_curve_w(c, i, j)[1] - By));
        }
    }
}

static void check_order(const order_case *c, bool is_exact)
{
    enum { MESHES = 4 };
    rg_context *ctx = open_context();
    rg_problem *p = NULL;
    srm_parts reference = {0};
    double ex[MESHES] = {0}, ey[MESHES] = {0};
    int N[MESHES] = {0};

    if (CHECK_INT(rg_problem_from_file(ctx, linear, &p), RG_OK)) {
        const rg_options o = with(ctx, p, c->options);
        if (!is_exact) {
            CHECK_INT(srm_parts_make(p, &o, start, RG_RULE_GAUSS, 7, 80, &reference), RG_OK);
            CHECK_INT(srm_parts_iterate(&reference, c->iterations), RG_OK);
        }
        for (int k = 0; k < MESHES; k++) {
            srm_parts q = {0};
            N[k] = (c->N << k) + (c->kind == RG_RULE_RADAU);
            CHECK_INT(srm_parts_make(p, &o, start, c->kind, c->stages, N[k], &q), RG_OK);
            CHECK_INT(srm_parts_iterate(&q, c->iterations), RG_OK);
            measure(&q, reference.curve, c->from, &ex[k], &ey[k]);
            srm_parts_release(ctx, &q);
        }
    }
    const double ratio = log((double)N[MESHES - 1] / N[MESHES - 2]),
                 x = log(ex[MESHES - 2] / ex[MESHES - 1]) / ratio,
                 y = log(ey[MESHES - 2] / ey[MESHES - 1]) / ratio;
    printf("  %s %d, %s: x %.2f (%g), By %.2f (%g), errors %.1e %.1e\n",
           c->kind == RG_RULE_GAUSS ? "gauss" : "radau", c->stages, c->options, x, c->x, y, c->By,
           ex[MESHES - 1], ey[MESHES - 1]);
    CHECK(x >= c->x - 0.2);
    CHECK(y >= c->By - 0.2);
    srm_parts_release(ctx, &reference);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* h << eps: x of order 2k, By of order k + 1 (Gauss, L (4.4)); 2k - 1 and k (Radau, L (4.8)); all
 * over the interval, since the reference has the layer too. */
static void test_small_steps(void)
{
    static const order_case cases[] = {
        {RG_RULE_GAUSS, 1, "variant=linear-by eps=0.1", 3, 40, 0.0, 2, 2},
        {RG_RULE_GAUSS, 2, "variant=linear-by eps=0.1", 3, 10, 0.0, 4, 3},
        {RG_RULE_GAUSS, 3, "variant=linear-by eps=0.1", 3, 10, 0.0, 6, 4},
        {RG_RULE_RADAU, 1, "variant=linear-by eps=0.1", 3, 40, 0.0, 1, 1},
        {RG_RULE_RADAU, 2, "variant=linear-by eps=0.1", 3, 10, 0.0, 3, 2},
        {RG_RULE_RADAU, 3, "variant=linear-by eps=0.1", 3, 10, 0.0, 5, 3},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check_order(&cases[k], false);
}

/* An even number of intervals has t = 1/2, where GB vanishes, as a mesh point: no collocation point
 * with Gauss, but one with Radau, hence the odd numbers there.
 *
 * eps << h, L (4.6): x of order k + 1 (k odd) or k (k even), By of order k.  With k = 2 By has
 * order 1 only, the errors of the two points being opposite (as in an independent implementation).
 * Two iterates of eps = 1e-8: with more of both, what is left of the layer, which Gauss points do
 * not damp, soon exceeds the error of the scheme. */
static void test_large_steps(void)
{
    static const order_case cases[] = {
        {RG_RULE_GAUSS, 1, "variant=linear-by eps=1e-8", 2, 4, 0.2, 2, 1},
        {RG_RULE_GAUSS, 2, "variant=linear-by eps=1e-8", 2, 4, 0.2, 2, 1},
        {RG_RULE_GAUSS, 3, "variant=linear-by eps=1e-8", 2, 4, 0.2, 4, 3},
        {RG_RULE_RADAU, 1, "variant=linear-by eps=1e-8", 2, 4, 0.2, 1, 1},
        {RG_RULE_RADAU, 2, "variant=linear-by eps=1e-8", 2, 4, 0.2, 3, 2},
        {RG_RULE_RADAU, 3, "variant=linear-by eps=1e-8", 2, 4, 0.2, 5, 3},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check_order(&cases[k], true);
}

/* ---- orders in eps: L Theorems 3.1, 3.2
 * ----------------------------------------------------------- */

typedef struct {
    double whole, later, at_start; /* largest error of x; for t >= 1/2; at the start */
} errors;

static errors run(const char *text, const char *path, const char *options)
{
    rg_context *ctx = open_context();
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    errors e = {NAN, NAN, NAN};
    const rg_status status =
        text != NULL ? rg_problem_from_text(ctx, text, &p) : rg_problem_from_file(ctx, path, &p);

    if (CHECK_INT(status, RG_OK)) {
        const rg_options o = with(ctx, p, options);
        if (CHECK_INT(rg_solve(p, p->b, &o, &s), RG_OK)) {
            e = (errors){0.0, 0.0, 0.0};
            for (int64_t row = 0; row < rg_solution_rows(s); row++) {
                double y[16];
                const double t = rg_solution_time(s, row);
                CHECK_INT(rg_solution_eval(s, t, y, NULL), RG_OK);
                const double error = fmax(fabs(y[0] - exp(-t)), fabs(y[1] - sin(t)));
                e.whole = fmax(e.whole, error);
                if (t >= 0.5) e.later = fmax(e.later, error);
                if (row == 0) e.at_start = error;
            }
        } else {
            rg_error_print(rg_last_error(ctx), stdout);
        }
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return e;
}

/* x_s - x = O(eps^s) behind the layer, and at the start itself. */
static void test_eps(void)
{
    for (int s = 1; s <= 3; s++) {
        char large[128], small[128];
        snprintf(large, sizeof large, "eps=0.02 step=0.005 layer=keep iterations=%d", s);
        snprintf(small, sizeof small, "eps=0.01 step=0.005 layer=keep iterations=%d", s);
        const errors a = run(NULL, linear, large), b = run(NULL, linear, small);
        const double later = log2(a.later / b.later), first = log2(a.at_start / b.at_start);
        printf("  eps^%d: %.2f, at the start %.2f\n", s, later, first);
        CHECK(later >= s - 0.2);
        CHECK(first >= s - 0.2);
    }
}

/* With alpha_1 = 1 there is no layer, L Theorem 3.2: the order holds over the whole interval (C
 * regular). */
static void test_rate(void)
{
    static const char regular[] = "var x1, x2, y\nx1' = -x1 + x2 - sin(t)\nx2' = (1 - 2*t)*y\n"
                                  "0 = x1 + x2 - exp(-t) - sin(t)\nover t = 0 .. 1\n"
                                  "boundary x1(end) + x2(start) = exp(-1)\nsolve method = srm\n";

    for (int s = 1; s <= 3; s++) {
        char large[128], small[128];
        snprintf(large, sizeof large, "variant=linear-by-rate eps=0.1 step=0.01 iterations=%d", s);
        snprintf(small, sizeof small, "variant=linear-by-rate eps=0.05 step=0.01 iterations=%d", s);
        const double order =
            log2(run(regular, NULL, large).whole / run(regular, NULL, small).whole);
        printf("  rate, eps^%d: %.2f\n", s, order);
        CHECK(order >= s - 0.2);
    }
}

/* ---- the layer
 * ------------------------------------------------------------------------------------ */

/* Independent implementation, 200 intervals, three Gauss points: plain 1.5e-4 everywhere and 6e-12
 * for t >= 1/2; three restarts 6e-13 (eps = 1e-3), 4e-12 (eps = 1e-2).  L (4.5) alone: the values
 * of Table 5.2 are 1e-5 to 1e-2. */
static void test_layer(void)
{
    const errors keep = run(NULL, linear, "eps=1e-3 step=0.005 iterations=4 layer=keep");
    const errors fit = run(NULL, linear, "eps=1e-3 step=0.005 iterations=4 layer=fit");
    const errors wide = run(NULL, linear, "eps=1e-2 step=0.005 iterations=5 layer=fit");
    const errors back = run(NULL, linear, "eps=1e-3 step=0.005 layer=back");

    printf("  keep %.1e and %.1e, fit %.1e, %.1e, back %.1e\n", keep.whole, keep.later, fit.whole,
           wide.whole, back.whole);
    CHECK(keep.whole > 1e-5 && keep.later < 1e-11);
    CHECK(fit.whole < 2e-12);
    CHECK(wide.whole < 1e-11);
    CHECK(back.whole < 3e-12);
}

/* ---- models: errors, estimates, singular places
 * --------------------------------------------------- */

static const char example_4[] =
    "var x1, x2, y\nx1' = (t - 0.5)*y + (1.5 - t)*exp(t)\n"
    "x2' = (t^2 - 0.25)*y + (1.25 - t^2)*exp(t)\n"
    "0 = (t - 0.5)*x1 + (t^2 - 0.25)*x2 - (t + t^2 - 0.75)*exp(t)\nover t = 0 .. 1\n"
    "boundary x1(end) + x2(start) = exp(1) + 1\nexact x1 = exp(t), x2 = exp(t)\n";
static const char example_63[] =
    "var x1 ~ 1 - 2*t, x2 ~ t, y\nx1' = -x1 + x2 - sin(t) - (1 + 2*t)\nx2' = -x1*y\n"
    "0 = x1^2 + x1*(x2 - sin(t) - 1 + 2*t)\nover t = 0 .. 1\n"
    "boundary x1(end) + x2(start) = -1\nexact x1 = 1 - 2*t, x2 = sin(t)\n";
static const char backwards[] =
    "var x1, x2, y\nx1' = -x1 + x2 - sin(t)\nx2' = (1 - 2*t)*y\n"
    "0 = (1 - 2*t)*(x1 + x2 - exp(-t) - sin(t))\nover t = 1 .. 0\n"
    "boundary x1(start) + x2(end) = exp(-1)\nexact x1 = exp(-t), x2 = sin(t)\n";
static const char circle[] = "param T ~ 1\nvar x1 ~ cos(t), x2 ~ sin(t), y\n"
                             "x1' = -T*x2 + x1*(cos(t) - y)\nx2' = T*x1 + x2*(cos(t) - y)\n"
                             "0 = x1^2 + x2^2 - 1\nover t = 0 .. 1\nboundary x2(start) = 0\n"
                             "boundary x2(end) = sin(1.3)\n"
                             "exact x1 = cos(1.3*t), x2 = sin(1.3*t), T = 1.3, y = cos(t)\n";
/* Three points, and a condition on y; waves over many periods, which the first eps does not
 * resolve. */
static const char three_points[] =
    "var x1, x2, x3, y\nx1' = -x1 + x2 + x3\nx2' = x1 - y\nx3' = cos(t) - x3\n"
    "0 = x1 + x2 - sin(t) - 1\nover t = 0 .. 2\nboundary x1(1) = 0.5\n"
    "boundary x3(0) + y(2) = 1.2\n";
static const char waves[] = "var x1, x2, x3, y\nx1' = x2 - 2*y\nx2' = -x1 + x3 - y\n"
                            "x3' = -0.1*x3 + cos(t)\n0 = x1 - x2 - sin(0.7*t)\n"
                            "over t = 0 .. 30\nboundary x1(end) + x2(start) = 1\n"
                            "boundary x3(start) = 0\n";

/* Nonlinear, index 2: the multiplier as y + y^3, then as y^3 alone, for which B vanishes at y = 0.
 * */
static const char bent[] = "var x ~ 1, v ~ 1, y ~ 1\nx' = v - sin(t) + y^3 + y - cos(t)^3\n"
                           "v' = -x + sin(t) + y\nx + v = 2*sin(t)\nover t = 0 .. 1\n"
                           "boundary x(1) = sin(1)\nexact x = sin(t), v = sin(t), y = cos(t)\n";
static const char cubic[] =
    "var x ~ 1, v ~ 0.5, y ~ 1\nx' = v - sin(t) + y^3 + cos(t) - (1 + t)^3\n"
    "v' = -x + sin(t) + cos(t) - v^2 + sin(t)^2\nx*(1 + x) + v = 2*sin(t) + sin(t)^2\n"
    "over t = 0 .. 1\nboundary x(1) = sin(1)\nexact x = sin(t), v = sin(t), y = 1 + t\n";

typedef struct {
    const char *name, *text, *path, *options;
    double tol;
    int singular; /* places */
} model_case;

enum { TIMES = 41, UNKNOWNS = 16 };

static rg_solution *solve_at(rg_context *ctx, rg_problem *p, const char *options, double tol,
                             bool is_srm)
{
    rg_options o = with(ctx, p, options);
    rg_solution *s = NULL;
    double times[TIMES];
    const rg_request request = {
        .keep = RG_KEEP_ROWS, .n_times = TIMES, .times = times, .estimate = 1};

    for (int k = 0; k < TIMES; k++)
        times[k] = k + 1 < TIMES ? p->a + (p->b - p->a) * k / (TIMES - 1) : p->b;
    if (!is_srm || strcmp(o.method, "baumgarte") != 0)
        strcpy(o.method, is_srm ? "srm" : "collocation");
    o.rtol = o.atol = is_srm ? tol : 0.01 * tol;
    if (!CHECK_INT(rg_solve_request(p, p->b, &o, &request, &s), RG_OK))
        rg_error_print(rg_last_error(ctx), stdout);
    return s;
}

/* Largest |e| / (1 + |y|): of exact values, or against collocation. */
static double model_error(rg_context *ctx, rg_problem *p, const model_case *c, const rg_solution *s)
{
    double worst = 0.0, y[UNKNOWNS], z[UNKNOWNS];
    rg_solution *other = NULL;

    if (rg_solution_has_exact(s)) {
        for (int64_t i = 0; i < rg_problem_size(p); i++)
            if (!isnan(rg_solution_error(s, i))) worst = fmax(worst, rg_solution_error(s, i));
        return worst;
    }
    other = solve_at(ctx, p, "", c->tol, false);
    for (int k = 0; k < TIMES && other != NULL; k++) {
        const double t = rg_solution_time(s, k);
        CHECK_INT(rg_solution_eval(s, t, y, NULL), RG_OK);
        CHECK_INT(rg_solution_eval(other, t, z, NULL), RG_OK);
        for (int64_t i = 0; i < rg_problem_size(p); i++)
            worst = fmax(worst, fabs(y[i] - z[i]) / (1.0 + fabs(z[i])));
    }
    rg_solution_destroy(&other);
    return worst;
}

static void check_model(const model_case *c)
{
    rg_context *ctx = open_context();
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    const rg_status status = c->text != NULL ? rg_problem_from_text(ctx, c->text, &p)
                                             : rg_problem_from_file(ctx, c->path, &p);

    if (CHECK_INT(status, RG_OK) && (s = solve_at(ctx, p, c->options, c->tol, true)) != NULL) {
        const double error = model_error(ctx, p, c, s), estimate = rg_solution_estimate(s);
        printf("  %-14s tol %.0e: error %.1e, estimate %.1e, %lld intervals\n", c->name, c->tol,
               error, estimate, (long long)rg_solution_stats(s).steps);
        CHECK(error <= 3.0 * c->tol);
        CHECK(estimate >= 0.1 * error - 1e-11 && estimate <= c->tol);
        CHECK_INT((int)s->n_singular, c->singular);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_models(void)
{
    static const model_case cases[] = {
        {"example 1",    NULL,         linear,                                   "",                          1e-6, 1},
        {"example 1",    NULL,         linear,                                   "",                          1e-9, 1},
        {"small eps",    NULL,         linear,                                   "eps=1e-5",                  1e-6, 1},
        {"radau",        NULL,         linear,                                   "scheme=radau3",             1e-6, 1},
        {"back",         NULL,         linear,                                   "layer=back",                1e-6, 1},
        {"backwards",    backwards,    NULL,                                     "",                          1e-6, 1},
        {"example 4",    example_4,    NULL,                                     "",                          1e-6, 1},
        {"6.2",          NULL,         "examples/srm/srm-boundary-origin.rg",    "",                          1e-6, 1},
        {"6.3",          example_63,   NULL,                                     "",                          1e-6, 1},
        {"constant",     circle,       NULL,                                     "",                          1e-6, 0},
        {"E = I",        circle,       NULL,                                     "variant=simple",            1e-6, 0},
        {"rate",         circle,       NULL,                                     "variant=linear-y-rate",     1e-6, 0},
        {"Baumgarte",    circle,       NULL,                                     "method=baumgarte",          1e-6, 0},
        {"gamma = 10",   circle,       NULL,                                     "method=baumgarte gamma=10", 1e-6, 0},
        {"Baumgarte, 3", NULL,         "examples/bvp/swing.rg",                  "method=baumgarte",          1e-6, 0},
        {"three points", three_points, NULL,                                     "",                          1e-6, 0},
        {"waves",        waves,        NULL,                                     "",                          1e-5, 0},
        {"index 3",      NULL,         "examples/bvp/swing.rg",                  "",                          1e-6, 0},
        {"index 3, y",   NULL,         "examples/bvp/swing.rg",                  "variant=stabilized",        1e-6, 0},
        {"index 3, g''", NULL,         "examples/bvp/swing.rg",                  "variant=second-order",      1e-6, 0},
        {"invariant",    NULL,         "examples/bvp/swing.rg",                  "variant=invariant",         1e-6, 0},
        {"crank",        NULL,         "examples/srm/crank-boundary.rg",         "",                          1e-6, 1},
        {"circle",       circle,       NULL,                                     "",                          1e-9, 0},
        {"swing",        NULL,         "examples/bvp/swing.rg",                  "",                          1e-9, 0},
        {"y + y^3",      bent,         NULL,                                     "",                          1e-9, 0},
        {"y^3",          cubic,        NULL,                                     "",                          1e-9, 0},
        {"l + l^3/4",    NULL,         "examples/srm/srm-boundary-nonlinear.rg", "",                          1e-9, 0},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check_model(&cases[k]);
}

/* A linear model is evaluated once in each of 128 (3 + 5) collocation points, its derivatives with
 * it, and a few times at the start; a nonlinear one few times more. */
static void test_evaluations(void)
{
    rg_context *ctx = open_context();
    rg_problem *p = NULL;
    rg_solution *s = NULL;

    if (CHECK_INT(rg_problem_from_file(ctx, linear, &p), RG_OK)
        && (s = solve_at(ctx, p, "", 1e-6, true)) != NULL)
        CHECK(rg_solution_stats(s).evaluations <= 1024 + 16);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    if (CHECK_INT(rg_problem_from_file(ctx, "examples/srm/srm-boundary-nonlinear.rg", &p), RG_OK)
        && (s = solve_at(ctx, p, "", 1e-6, true)) != NULL)
        CHECK(rg_solution_stats(s).evaluations <= 1500);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* Odd numbers of intervals: t = 1/2 is a collocation point of the midpoint rule, and the mesh is
 * displaced. */
/* --continue: the way by collocation, the last value by regularization. */
static void test_continued(void)
{
    static const char text[] =
        "param k = 1\nvar x ~ 0, y ~ 1, l ~ 0\nx'' = k*sinh(k*x)/4 - 2*x*l\ny'' = -2*y*l - k\n"
        "x^2 + y^2 = 4\nover t = 0 .. 1\nboundary x(0) = 0\nboundary x(1) = 1\n";
    rg_context *ctx = open_context();
    rg_problem *p = NULL;
    double y[2][UNKNOWNS] = {{0}};

    CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK);
    for (int k = 0; k < 2; k++) {
        rg_solution *s = solve_at(ctx, p, "continue=k=1..5", 1e-7, k == 0);
        if (CHECK(s != NULL)) CHECK_INT(rg_solution_eval(s, 0.7, y[k], NULL), RG_OK);
        rg_solution_destroy(&s);
    }
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(y[0][i], y[1][i], 1e-6 * (1.0 + fabs(y[1][i])));
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_displaced(void)
{
    const errors even = run(NULL, linear, "scheme=midpoint eps=1e-2 step=0.01 iterations=3");
    const errors odd =
        run(NULL, linear, "scheme=midpoint eps=1e-2 step=0.0099009900990099 iterations=3");

    printf("  even %.1e, odd %.1e\n", even.whole, odd.whole);
    CHECK(odd.whole < 2.0 * even.whole);
}

int main(void)
{
    static const test_case cases[] = {
        {"evaluations", test_evaluations},
        {"small steps", test_small_steps},
        {"large steps", test_large_steps},
        {"eps",         test_eps        },
        {"rate",        test_rate       },
        {"layer",       test_layer      },
        {"models",      test_models     },
        {"continued",   test_continued  },
        {"displaced",   test_displaced  }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
