/* Cost over the tolerance: a tighter tolerance should not be cheaper.  Evaluations of the shipped
 * initial value problems at 1e-3 .. 1e-10; where the order of the method changes, the looser one
 * may cost a little more.  (Not Robertson's problem: where an unknown is smaller than the
 * tolerance, its runs are repeated with another atol.) */
#include "support/test.h"

#include "regula.h"

#include <stdio.h>

enum { TOLERANCES = 8 };
static const double MOST = 1.6; /* of the evaluations of the next tighter tolerance */
static const double PART = 0.9; /* of all pairs: not above them */

static int n_pairs, n_monotone;

static int64_t evaluations(rg_context *ctx, const rg_problem *p, const char *tol)
{
    double a, b;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    int64_t count = -1;

    rg_problem_interval(p, &a, &b);
    if (CHECK_INT(rg_options_create(ctx, &o), RG_OK)
        && CHECK_INT(rg_options_set(o, "tol", tol), RG_OK)
        && CHECK_INT(rg_options_set(o, "method", "radau"), RG_OK)
        && CHECK_INT(rg_solve(p, b, o, &s), RG_OK))
        count = rg_solution_stats(s).evaluations;
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    return count;
}

static void check_model(rg_context *ctx, const char *name)
{
    static const char *const tols[TOLERANCES] = {"1e-3", "1e-4", "1e-5", "1e-6",
                                                 "1e-7", "1e-8", "1e-9", "1e-10"};
    rg_problem *p = NULL;
    char file[96];
    int64_t before = -1;

    snprintf(file, sizeof file, "examples/ivp/%s.rg", name);
    if (!CHECK_INT(rg_problem_from_file(ctx, file, &p), RG_OK)) return;
    printf("  %-22s", name);
    for (int k = 0; k < TOLERANCES; k++) {
        const int64_t now = evaluations(ctx, p, tols[k]);
        printf(" %6lld", (long long)now);
        if (before > 0 && now > 0) {
            n_pairs++;
            n_monotone += before <= now;
            CHECK((double)before <= MOST * (double)now);
        }
        before = now;
    }
    printf("\n");
    rg_problem_destroy(&p);
}

static void test_cost(void)
{
    static const char *const names[] = {
        "andrews",         "backward",        "bricard-reduced", "bricard",        "caraxis",
        "chemakzo",        "control-chain",   "decay-rate",      "flexible-joint", "governor",
        "hires",           "implicit-ode",    "knife-edge",      "lc-circuit",     "pendulum-ggl",
        "pendulum-index1", "pendulum-index2", "pendulum",        "robot-two-link", "rolling-disc",
        "slider-crank",    "srm-linear",      "srm-nonlinear",   "transfer",       "vdpol"};
    rg_context *ctx = NULL;

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        check_model(ctx, names[k]);
    rg_context_destroy(&ctx);
    printf("  %d of %d pairs of tolerances: the looser one is not more expensive\n", n_monotone,
           n_pairs);
    CHECK(n_monotone >= PART * n_pairs);
}

/* Three stages promise as much as five there at 1e-4, and need three times as many steps: more are
 * tried after a while. */
static void test_trial(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;

    if (CHECK_INT(rg_context_create(&ctx), RG_OK)
        && CHECK_INT(rg_problem_from_file(ctx, "examples/ivp/caraxis.rg", &p), RG_OK)
        && CHECK_INT(rg_options_create(ctx, &o), RG_OK)
        && CHECK_INT(rg_options_set(o, "rtol", "1e-4"), RG_OK)
        && CHECK_INT(rg_options_set(o, "atol", "1e-4"), RG_OK)
        && CHECK_INT(rg_solve(p, 3.0, o, &s), RG_OK)) {
        printf("  car axis: %lld steps\n", (long long)rg_solution_stats(s).steps);
        CHECK(rg_solution_stats(s).steps <= 120);
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* Evaluations without a Jacobian of  y'' = y (1 + t) + FORCE,  two meshes: those that look whether
 * a correction was the last. */
static int64_t looks(rg_context *ctx, const char *force)
{
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    char text[200];
    int64_t count = -1;

    snprintf(text, sizeof text,
             "var y\ny'' = y*(1 + t) + %s\nboundary y(0) = 1\nboundary y(1) = 2\nover t = 0 .. 1\n",
             force);
    if (CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK)
        && CHECK_INT(rg_options_create(ctx, &o), RG_OK)
        && CHECK_INT(rg_options_set(o, "tol", "1e-9"), RG_OK)
        && CHECK_INT(rg_solve(p, 1.0, o, &s), RG_OK)) {
        const rg_stats stats = rg_solution_stats(s);
        CHECK(stats.rejected == 1);
        count = stats.evaluations - stats.jacobians;
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    return count;
}

/* Linear equations are looked at after the first solve of a run alone: 10 intervals with 4 stages
 * and the ends. */
static void test_linear(void)
{
    rg_context *ctx = NULL;

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    const int64_t linear = looks(ctx, "cos(4*t)"), other = looks(ctx, "cos(4*t) + 0.01*y^2");
    printf("  evaluations without a Jacobian: linear %lld, not linear %lld\n", (long long)linear,
           (long long)other);
    CHECK(linear >= 40 && linear <= 44);
    CHECK(other > 3 * linear);
    rg_context_destroy(&ctx);
}

int main(void)
{
    static const test_case cases[] = {
        {"cost",   test_cost  },
        {"linear", test_linear},
        {"trial",  test_trial },
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
