/* Turning point methods: the term K = eps u'(x*), arrangements of one problem that must give
 * one solution, estimates that cover the error. */
#include "bvp/turning/tuning.h"
#include "bvp/turning/turning.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static rg_problem *problem_of(rg_context *ctx, const char *text)
{
    rg_problem *p = NULL;

    if (!CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK))
        rg_error_print(rg_last_error(ctx), stdout);
    return p;
}

/* u[i] at x[i], in the order of the interval. */
static void solve_rows(const rg_problem *p, const char *method, double tol, int n, const double *x,
                       double *u, double *estimate)
{
    rg_options o = rg_options_default();
    rg_solution *s = NULL;
    double a, b;
    const rg_request r = {
        .keep = RG_KEEP_ROWS, .n_times = n, .times = x, .estimate = estimate != NULL};

    rg_problem_interval(p, &a, &b);
    strcpy(o.method, method);
    o.rtol = o.atol = tol;
    CHECK(rg_solve_request(p, b, &o, &r, &s) == RG_OK);
    for (int i = 0; i < n; i++) {
        double y[2] = {NAN, NAN};
        CHECK(s != NULL && rg_solution_eval(s, x[i], y, NULL) == RG_OK);
        u[i] = y[0];
    }
    if (estimate != NULL) *estimate = s != NULL ? rg_solution_estimate(s) : NAN;
    rg_solution_destroy(&s);
}

static double solve_at(const rg_problem *p, const char *method, double tol, double x)
{
    double u;

    solve_rows(p, method, tol, 1, &x, &u, NULL);
    return u;
}

/* Largest error of the sweep at mesh points, n = 4096. */
static double sweep_error(double eps, bool drops_K)
{
    const rg_setting setting = {"eps", eps};
    rg_options o = rg_options_default();
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *exact = NULL;
    rg_turning *view = NULL;
    rg_reduced *reduced = NULL;
    rg_turn_solution *s = NULL;
    double worst = NAN;

    o.rtol = o.atol = 1e-8;
    if (CHECK(rg_context_create(&ctx) == RG_OK)
        && CHECK(rg_problem_from_file_with(ctx, "examples/singpert/off-center.rg", 1, &setting, &p)
                 == RG_OK)
        && CHECK(rg_solve(p, 1.0, &o, &exact) == RG_OK)
        && CHECK(rg_turning_create(p, 0.0, 1.0, &view) == RG_OK)
        && CHECK(rg_turning_prepare(view) == RG_OK)
        && CHECK(rg_reduced_create(view, false, RG_TURN_REDUCED_TOL, &reduced) == RG_OK)
        && CHECK(rg_turn_create(view, reduced, RG_TURN_SWEEP, 4096, &s) == RG_OK)) {
        s->drops_K = drops_K;
        worst = 0;
        CHECK(rg_turn_solve(s) == RG_OK);
        for (int i = 0; i <= s->n; i++) {
            double y[2] = {NAN, NAN};
            CHECK(rg_solution_eval(exact, s->x[i], y, NULL) == RG_OK);
            worst = fmax(worst, fabs(y[0] - s->u[i]));
        }
    }
    rg_turn_destroy(&s);
    rg_reduced_destroy(&reduced);
    rg_turning_destroy(&view);
    rg_solution_destroy(&exact);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return worst;
}

/* Refs, section 2: without K 1.5e-2, 4.6e-3, 1.4e-3, which is |v'| sqrt(pi eps/(2 m)), with K
 * 7.4e-3, 5.2e-4, 1.4e-4; the latter depends on the bounds m and m1, which are computed here.
 * */
static void test_K(void)
{
    static const double eps[] = {1e-2, 1e-3, 1e-4}, without[] = {1.5e-2, 4.6e-3, 1.4e-3},
                        with[] = {7.4e-3, 5.2e-4, 1.4e-4};

    for (int k = 0; k < 3; k++) {
        const double e0 = sweep_error(eps[k], true), e1 = sweep_error(eps[k], false);
        printf("    eps %g: without K %.2e, with K %.2e\n", eps[k], e0, e1);
        CHECK(fabs(e0 - without[k]) <= 0.05 * without[k]);
        CHECK(fabs(e1 - with[k]) <= 0.15 * with[k]);
    }
}

/* One problem in several arrangements: the same numbers to rounding of the reduced solution. */
static void test_arrangements(void)
{
    static const char *const text[] = {
        "param eps = 1e-3\nvar u\n-eps*u'' + x*(2 + sin(u))*u' + 2*u - 1 + x = 0\nboundary u(-1) = "
        "0\nboundary u(1) = 2\nover x = -1 .. 1\n",
        "param eps = 1e-3\nvar u\nu'' = (x*(2 + sin(u))*u' + 2*u - 1 + x)/eps\nboundary 2*u(start) "
        "= 0\nboundary 2 = u(end)\nover x = -1 .. 1\n",
        "param eps = 1e-3\nvar u = 0\n7*(1 - x - 2*u) = 7*(x*(2 + sin(u))*u' - eps*u'')\nboundary "
        "u(1) = 2\nover x = -1 .. 1\n",
        "param eps = 1e-3\nvar u, w\n3*w = u'\neps*w' - x*(2 + sin(u))*u'/3 = (2*u - 1 + "
        "x)/3\nboundary u(-1) = 0\nboundary u(1) = 2\nover x = -1 .. 1\n",
        "param eps = 1e-3\nvar u\n-eps*u'' + x*(2 + sin(u))*((u' + 1)^2 - u'^2 - 1)/2 + 2*u - 1 + "
        "x = 0\nboundary u(-1) = 0\nboundary u(1) = 2\nover x = 1 .. -1\n"};
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    rg_problem *first = problem_of(ctx, text[0]);
    for (int k = 1; k < 5; k++) {
        rg_problem *p = problem_of(ctx, text[k]);
        for (double x = -0.9995; x < 1; x += 0.4999)
            CHECK_NEAR(solve_at(p, "turning-point", 1e-6, x),
                       solve_at(first, "turning-point", 1e-6, x), 1e-8);
        rg_problem_destroy(&p);
    }
    rg_problem_destroy(&first);
    rg_context_destroy(&ctx);
}

/* Other scales of x and of the equation: the same solution at the same places. */
static void test_units(void)
{
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    rg_problem *p = problem_of(ctx, "param eps = 1e-4\nvar u\n-eps*u'' + x*u' + u - cos(x) = "
                                    "0\nboundary u(-1) = 0\nboundary u(2) = 1\nover x = -1 .. 2\n");
    rg_problem *q = problem_of(
        ctx,
        "param eps = 1e-4\nlet x = X/1000 - 5\nvar u\n-eps*1e6*u'' + 1000*x*u' + u - cos(x) = 0\n"
        "boundary u(4000) = 0\nboundary u(7000) = 1\nover X = 4000 .. 7000\n");
    for (double x = -0.99995; x < 2; x += 0.59998)
        CHECK_NEAR(solve_at(q, "turning-point", 1e-6, 1000 * (x + 5)),
                   solve_at(p, "turning-point", 1e-6, x), 1e-7);
    rg_problem_destroy(&p);
    rg_problem_destroy(&q);
    rg_context_destroy(&ctx);
}

/* Far from x = 0 differences x - x* have few digits; the reduced solution and its next term begin
 * where they have enough. */
static void test_far_away(void)
{
    enum { N = 5 };
    rg_context *ctx = NULL;
    double X[N], exact[N], ours[N], estimate = NAN;

    CHECK(rg_context_create(&ctx) == RG_OK);
    rg_problem *p = problem_of(
        ctx, "param eps = 1e-5\nlet x = X + 1000 - 0.033\nvar u\n-eps*u'' + x*(1 + u^2)*u' + 2*u - "
             "40*x + 0.5 = 0\nboundary u(-1000) = 0.5\nboundary u(-999.9) = 0.2\n"
             "over X = -1000 .. -999.9\n");
    for (int i = 0; i < N; i++)
        X[i] = -999.9995 + 0.01999 * i;
    solve_rows(p, "collocation", 1e-8, N, X, exact, NULL);
    solve_rows(p, "turning-point", 1e-6, N, X, ours, &estimate);
    CHECK(estimate < 0.1);
    for (int i = 0; i < N; i++)
        CHECK(fabs(ours[i] - exact[i]) <= estimate);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* The estimate covers the error, and is not a hundred times too large. */
static void test_estimates(void)
{
    static const char *const files[] = {"repulsive", "attractive", "off-center",
                                        "nonlinear-center"};
    static const double eps[] = {1e-1, 1e-2, 1e-4, 1e-8};

    for (int f = 0; f < 4; f++)
        for (int k = 0; k < 4; k++) {
            if (!test_takes(f + k)) continue;
            const rg_setting setting = {"eps", eps[k]};
            rg_context *ctx = NULL;
            rg_problem *p = NULL;
            char path[80];
            double a, b, worst = 0, estimate = 0, x[5], exact[5], ours[5];
            snprintf(path, sizeof path, "examples/singpert/%s.rg", files[f]);
            if (!CHECK(rg_context_create(&ctx) == RG_OK)
                || !CHECK(rg_problem_from_file_with(ctx, path, 1, &setting, &p) == RG_OK))
                continue;
            rg_problem_interval(p, &a, &b);
            for (int i = 0; i < 5; i++)
                x[i] = i == 0   ? a + eps[k] * (b - a) / 4
                       : i == 4 ? b - eps[k] * (b - a) / 4
                                : a + (b - a) * (i + 0.31) / 5;
            solve_rows(p, "collocation", 1e-8, 5, x, exact, NULL);
            solve_rows(p, "turning-point", 1e-6, 5, x, ours, &estimate);
            for (int i = 0; i < 5; i++)
                worst = fmax(worst, fabs(ours[i] - exact[i]) / (1 + fabs(exact[i])));
            if (!(worst <= estimate && estimate <= 100 * worst + 1e-2))
                printf("    %s eps %g: error %.2e, estimate %.2e\n", files[f], eps[k], worst,
                       estimate);
            CHECK(worst <= estimate && estimate <= 100 * worst + 1e-2);
            rg_problem_destroy(&p);
            rg_context_destroy(&ctx);
        }
}

/* Every value that is put out lies within the estimate: of u'' one column; of a pair u' = w (or
 * w = eps u') both. */
static void check_columns(const char *text, int n)
{
    enum { PLACES = 60 };
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s[2] = {NULL, NULL};
    rg_options o = rg_options_default();
    double x[PLACES], y[2][2], worst = 0;
    rg_request r = {.keep = RG_KEEP_ROWS, .n_times = PLACES, .times = x, .estimate = true};

    for (int k = 0; k < PLACES; k++) /* denser at both ends */
        x[k] = k < PLACES / 2 ? -1 + pow(10, -6.0 * k / PLACES - 0.01)
                              : 1 - pow(10, -6.0 * (PLACES - 1 - k) / PLACES - 0.01);
    for (int i = 1; i < PLACES; i++)
        for (int k = i; k > 0 && x[k] < x[k - 1]; k--) {
            const double t = x[k];
            x[k] = x[k - 1];
            x[k - 1] = t;
        }
    if (CHECK(rg_context_create(&ctx) == RG_OK) && (p = problem_of(ctx, text)) != NULL) {
        strcpy(o.method, "turning-point");
        CHECK(rg_solve_request(p, 1, &o, &r, &s[0]) == RG_OK);
        strcpy(o.method, "collocation");
        o.rtol = o.atol = 1e-8;
        r.estimate = false;
        CHECK(rg_solve_request(p, 1, &o, &r, &s[1]) == RG_OK);
    }
    if (s[0] != NULL && s[1] != NULL && CHECK(rg_solution_columns(s[0]) == n)) {
        for (int k = 0; k < PLACES; k++) {
            for (int i = 0; i < 2; i++)
                CHECK(rg_solution_values(s[i], k, y[i]) == RG_OK);
            for (int c = 0; c < n; c++)
                worst = fmax(worst, fabs(y[0][c] - y[1][c]) / (1 + fabs(y[0][c])));
        }
        printf("    error %.2e, estimate %.2e\n", worst, rg_solution_estimate(s[0]));
        CHECK(worst <= rg_solution_estimate(s[0]));
    }
    for (int i = 0; i < 2; i++)
        rg_solution_destroy(&s[i]);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_columns(void)
{
    static const char *const forms[] = {
        "var u ~ cos(x)\n-eps*u'' + x*(1 + u^2)*u' + c = 0\n",
        "var u ~ cos(x), w\nu' = w\neps*w' = x*(1 + u^2)*w + c\n",
        "var u ~ cos(x), w\neps*u' = w\nw' = x*(1 + u^2)*w/eps + c\n"};
    static const double eps[] = {1e-1, 1e-2, 1e-3, 1e-5};
    char text[400];

    for (int f = 0; f < 3; f++)
        for (int k = 0; k < 4; k++) {
            if (!test_takes(f + k)) continue;
            snprintf(text, sizeof text,
                     "param eps = %g\n%slet c = u - cos(x) + x*(1 + cos(x)^2)*sin(x)\n"
                     "boundary u(-1) = 0\nboundary u(1) = 1\nover x = -1 .. 1\n",
                     eps[k], forms[f]);
            check_columns(text, f == 0 ? 1 : 2);
        }
}

/* An output that magnifies errors of u by 20: the estimate was that of u alone, 0.003 for 0.06. */
static void test_outputs(void)
{
    static const char *const text = "param eps = 1e-4\nvar u\neps*u'' + x*u' = 0\n"
                                    "boundary u(-1) = -1\nboundary u(1) = 1\n"
                                    "over x = -1 .. 1\noutput u, q = exp(20*u)\n";
    rg_context *ctx = NULL;
    rg_options o = rg_options_default();
    rg_solution *s = NULL;
    const rg_request r = {.keep = RG_KEEP_ROWS, .estimate = 1};
    double row[2], worst = 0.0;

    CHECK(rg_context_create(&ctx) == RG_OK);
    rg_problem *p = problem_of(ctx, text);
    strcpy(o.method, "turning-point");
    if (CHECK(rg_solve_request(p, 1.0, &o, &r, &s) == RG_OK)) {
        for (int64_t k = 0; k < rg_solution_rows(s); k++) {
            const double q = exp(20.0 * erf(rg_solution_time(s, k) / sqrt(2e-4)));
            CHECK(rg_solution_values(s, k, row) == RG_OK);
            worst = fmax(worst, fabs(row[1] - q) / (1.0 + q));
        }
        CHECK(worst > 0.01 && worst <= rg_solution_estimate(s));
        CHECK(rg_solution_estimate(s) < 10.0 * worst);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

int main(void)
{
    static const test_case cases[] = {
        {"outputs",      test_outputs     },
        {"K",            test_K           },
        {"arrangements", test_arrangements},
        {"units",        test_units       },
        {"far away",     test_far_away    },
        {"estimates",    test_estimates   },
        {"columns",      test_columns     }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
