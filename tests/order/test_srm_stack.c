/* The stacked form of sequential regularization: all iterates as one system, steps by local error
 * control.
 *
 *     dopri5, h halved (h_max, with a tolerance that never decides):  O(h^5) against the exact-in-
 *                                                                    time iterate, HNW93 II.5
 *     both, tolerance divided:                                       errors follow it
 *     eps and iterations chosen by the solver:                       errors near the tolerance,
 *                                                                    1e-4 to 1e-9
 *
 * with singular points (L Example 2, N Examples 6.2, 6.3, the slider crank) and without (N Examples
 * 6.1 and 6.4). */
#include "regula.h"
#include "support/options.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    double end[16]; /* values at the end */
    double error;   /* largest error of x over the steps, from `exact` */
    double dense;   /* largest error of the multiplier `y` = e^t between the steps */
    rg_stats stats;
} result;

static bool run(const char *model, const char *text, double t_end, result *r)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();

    memset(r, 0, sizeof *r);
    bool ok = CHECK_INT(rg_context_create(&ctx), RG_OK)
              && CHECK_INT(rg_problem_from_file(ctx, model, &p), RG_OK)
              && options_from_words(ctx, &o, text);
    const rg_status status = ok ? rg_solve(p, t_end, &o, &s) : RG_ERR_ARGUMENT;
    if (!CHECK_INT(status, RG_OK)) {
        printf("%s, %s: %s\n", model, text, rg_last_error(ctx)->message);
        ok = false;
    }
    ok = ok && CHECK_INT(rg_solution_eval(s, t_end, r->end, NULL), RG_OK);
    for (int k = 0; ok && k < 2; k++)
        r->error = fmax(r->error, rg_solution_error(s, k));
    for (int k = 1; ok && k < 200; k++) {
        double y[16], t = t_end * (0.2 + 0.8 * k / 200);
        ok = CHECK_INT(rg_solution_eval(s, t, y, NULL), RG_OK);
        r->dense = fmax(r->dense, fabs(y[2] - exp(t)));
    }
    if (ok) r->stats = rg_solution_stats(s);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return ok;
}

static double distance(const result *a, const result *b)
{
    return fmax(fabs(a->end[0] - b->end[0]), fabs(a->end[1] - b->end[1]));
}

/* Iterate 2 with eps = 0.1 is smooth: five orders against gauss3 with a small step. */
static void test_pair_order(void)
{
    static const char *const models[] = {"examples/ivp/srm-nonlinear.rg",
                                         "examples/ivp/robot-two-link.rg"};
    const char *head = "method=srm scheme=dopri5 eps=0.1 iterations=2 tol=0.09 h_max=%.17g "
                       "h_first=%.17g";
    result reference, r;
    char text[256];

    for (int m = 0; m < 2; m++) {
        double error[3];
        if (!run(models[m], "method=srm scheme=gauss3 step=0.0025 eps=0.1 iterations=2", 1.0,
                 &reference))
            return;
        for (int k = 0; k < 3; k++) {
            const double h = 1.0 / (16 << k);
            snprintf(text, sizeof text, head, h, h);
            if (!run(models[m], text, 1.0, &r)) return;
            CHECK_INT(r.stats.steps, 16 << k);
            error[k] = distance(&r, &reference);
        }
        const double order = log2(error[0] / error[2]) / 2.0;
        if (!CHECK(order > 4.8 && order < 6.5))
            printf("%s: dopri5 has order %.2f, errors %.2e %.2e %.2e\n", models[m], order, error[0],
                   error[1], error[2]);
    }
}

/* The error of the integration alone follows the tolerance. */
static void test_tolerance(void)
{
    static const char *const schemes[] = {"dopri5", "radau"};
    static const struct {
        const char *model, *variant;
    } cases[] = {
        {"examples/ivp/srm-nonlinear.rg",  "basic"             },
        {"examples/srm/srm-singular.rg",   "singular"          },
        {"examples/ivp/robot-two-link.rg", "multibody-singular"},
        {"examples/ivp/robot-two-link.rg", "second-order"      },
    };
    result reference, r;
    char text[256];

    for (int c = 0; c < 4; c++) {
        snprintf(text, sizeof text,
                 "method=srm variant=%s scheme=gauss3 step=%.17g eps=0.05 iterations=3",
                 cases[c].variant, 1.0 / 405);
        if (!run(cases[c].model, text, 1.0, &reference)) return;
        for (int k = 0; k < 2; k++)
            for (double tol = 1e-4; tol > 1e-11; tol *= 1e-3) {
                snprintf(text, sizeof text,
                         "method=srm variant=%s scheme=%s step=0 eps=0.05 iterations=3 tol=%g",
                         cases[c].variant, schemes[k], tol);
                if (!run(cases[c].model, text, 1.0, &r)) return;
                const double error = distance(&r, &reference);
                if (!CHECK(error < 20.0 * tol))
                    printf("%s, %s, tol %g: error %.2e\n", cases[c].model, schemes[k], tol, error);
            }
    }
}

/* eps and the number of iterations by themselves; evaluations are bounds of what was measured, with
 * a margin of two. */
static void test_automatic(void)
{
    static const struct {
        const char *model;
        int64_t most[3];
    } cases[] = {
        {"examples/ivp/srm-nonlinear.rg",  {2400, 8000, 17000}},
        {"examples/srm/srm-singular.rg",   {320, 800, 1900}   },
        {"examples/srm/srm-bounded.rg",    {1200, 3600, 7400} },
        {"examples/srm/srm-unbounded.rg",  {300, 600, 1100}   },
        {"examples/ivp/robot-two-link.rg", {1300, 1800, 2300} },
    };
    static const double tols[] = {1e-4, 1e-7, 1e-9};
    result r;
    char text[128];

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int k = 0; k < 3; k++) {
            snprintf(text, sizeof text, "method=srm tol=%g", tols[k]);
            if (!run(cases[c].model, text, 1.0, &r)) return;
            if (!CHECK(r.error > 0.0 && r.error < 10.0 * tols[k]))
                printf("%s, tol %g: error %.2e\n", cases[c].model, tols[k], r.error);
            if (!CHECK(r.stats.evaluations < cases[c].most[k]))
                printf("%s, tol %g: %lld evaluations\n", cases[c].model, tols[k],
                       (long long)r.stats.evaluations);
        }
}

/* Five singular positions; the reference is that of slider-crank-singular.rg. */
static void test_slider_crank(void)
{
    result r;

    if (!run("examples/srm/slider-crank-singular.rg", "method=srm tol=1e-8", 10.0, &r)) return;
    CHECK_NEAR(r.end[2], 4.373977343268912, 1e-7);
    CHECK(r.stats.evaluations < 50000);
}

/* Multipliers between the steps, from the hidden constraint: no factor 1/eps, which is 2e4 here for
 * radau. */
static void test_dense(void)
{
    result r;

    if (run("examples/ivp/srm-nonlinear.rg", "method=srm tol=1e-8", 1.0, &r)
        && !CHECK(r.dense < 2e-7))
        printf("radau: y between the steps is off by %.2e\n", r.dense);
    if (run("examples/ivp/srm-nonlinear.rg", "method=srm scheme=dopri5 tol=1e-7", 1.0, &r)
        && !CHECK(r.dense < 2e-6))
        printf("dopri5: y between the steps is off by %.2e\n", r.dense);
}

int main(void)
{
    static const test_case cases[] = {
        {"pair order",   test_pair_order  },
        {"tolerance",    test_tolerance   },
        {"automatic",    test_automatic   },
        {"slider crank", test_slider_crank},
        {"dense",        test_dense       }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
