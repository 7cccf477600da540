/* Random boundary value problems with known solutions: the error of everything that is printed,
 * y' among it, relative to its largest value, and what the estimate says about it; and the same
 * problems with unknowns, equations, conditions and time in other units, 1e-12 to 1e12, which
 * change neither the answer nor the mesh. */
#include "random/boundary.h"
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

enum { MODELS = 40, UNITS_MODELS = 20, NONLINEAR_MODELS = 100, POINTS = 400 };

static boundary_model model;

typedef struct {
    bool is_solved;
    double error, estimate; /* relative to the largest values */
    long long intervals;
} verdict;

/* Half of the points are dense at the ends. */
static double time_of(int k)
{
    const double z = (double)k / POINTS,
                 s = k % 2 == 0 ? z : 0.5 - 0.5 * cos(3.141592653589793 * z);

    return model.t0 + model.T * s;
}

static double find_error(const rg_solution *s)
{
    double worst = 0.0;

    for (int i = 0; i < model.n; i++)
        for (int order = 0; order < model.order; order++) {
            double size = 0.0, most = 0.0, y[BOUNDARY_MOST], yp[BOUNDARY_MOST];
            for (int k = 0; k <= POINTS; k++) {
                const double t = time_of(k), exact = boundary_model_exact(&model, i, order, t);
                CHECK(rg_solution_eval(s, t, y, yp) >= 0);
                size = fmax(size, fabs(exact));
                most = fmax(most, fabs((order == 0 ? y : yp)[i] - exact));
            }
            worst = fmax(worst, most / size);
        }
    return worst;
}

static verdict run(const boundary_request *r, const char *tol)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    verdict v = {0};

    boundary_model_make(r, &model);
    CHECK(rg_context_create(&ctx) >= 0);
    v.is_solved = rg_problem_from_text(ctx, model.text, &p) >= 0 && rg_options_create(ctx, &o) >= 0
                  && rg_options_set(o, "tol", tol) >= 0
                  && rg_solve(p, model.t0 + model.T, o, &s) >= 0;
    if (v.is_solved) {
        v.error = find_error(s);
        v.estimate = rg_solution_estimate(s);
        v.intervals = rg_solution_stats(s).steps;
    } else {
        printf("  seed %d: %s\n", (int)r->seed, rg_last_error(ctx)->message);
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return v;
}

static void check_linear(boundary_kind kind, double rate, const char *text, double tol)
{
    int good = 0, n = 0;

    for (int k = 0; k < MODELS; k++) {
        if (!test_takes(k)) continue;
        n++;
        const boundary_request r = {kind, 100 + (uint64_t)k, rate, 1.0, 1.0, 0.0};
        const verdict v = run(&r, text);
        if (!CHECK(v.is_solved)) continue;
        if (!CHECK(v.error <= 2.0 * tol))
            printf("  kind %d, seed %d: error %.2g, estimate %.2g\n", (int)kind, (int)r.seed,
                   v.error, v.estimate);
        good += v.error <= 10.0 * v.estimate && v.error >= 0.01 * v.estimate;
    }
    CHECK(good >= 0.95 * n);
}

static void test_linear(void)
{
    for (int kind = BOUNDARY_SECOND; kind <= BOUNDARY_INDEX1; kind++) {
        check_linear((boundary_kind)kind, 3.0, "1e-4", 1e-4);
        check_linear((boundary_kind)kind, 100.0, "1e-6", 1e-6);
        check_linear((boundary_kind)kind, 30.0, "1e-9", 1e-9);
    }
}

static void test_units(void)
{
    static const double TIMES[] = {1.0, 1e12, 1e-12, 1e6};
    const double tol = 1e-6;

    for (int k = 0; k < UNITS_MODELS; k++) {
        boundary_request r = {(boundary_kind)(k % 3), 300 + (uint64_t)k, 20.0, 1.0, 1.0, 0.0};
        const verdict plain = run(&r, "1e-6");
        CHECK(plain.is_solved);
        r.units = 1e12;
        for (int q = 0; q < 4; q++) {
            r.time = TIMES[q];
            if (!test_takes(k + q)) continue;
            const verdict v = run(&r, "1e-6");
            if (!CHECK(v.is_solved) || !CHECK(v.error <= 2.0 * tol)
                || !CHECK(v.error <= 10.0 * v.estimate && v.error >= 0.01 * v.estimate)
                || !CHECK((double)v.intervals <= 1.5 * (double)plain.intervals
                          && (double)plain.intervals <= 1.5 * (double)v.intervals))
                printf(
                    "  seed %d, time unit %g: error %.2g, estimate %.2g, %lld intervals for %lld\n",
                    (int)r.seed, TIMES[q], v.error, v.estimate, v.intervals, plain.intervals);
        }
    }
}

/* Without a guess.  They may have solutions that were not meant: such a one is found again with a
 * smaller tolerance, as far from the solution that was meant. */
static void test_nonlinear(void)
{
    const double tol = 1e-6;
    int others = 0;

    for (int k = 0; k < NONLINEAR_MODELS; k++) {
        const boundary_request r = {BOUNDARY_NONLINEAR, (uint64_t)k, 3.0, 1.0, 1.0, 0.0};
        const verdict v = run(&r, "1e-6");
        if (!CHECK(v.is_solved) || v.error <= 2.0 * tol) continue;
        const verdict again = run(&r, "1e-8");
        others++;
        if (!CHECK(again.is_solved && fabs(again.error - v.error) <= 3.0 * tol))
            printf("  seed %d: off by %.8g, then by %.8g\n", k, v.error, again.error);
    }
    CHECK(others <= NONLINEAR_MODELS / 10);
}

int main(void)
{
    static const test_case cases[] = {
        {"linear",    test_linear   },
        {"units",     test_units    },
        {"nonlinear", test_nonlinear},
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
