/* Errors method by method: on random models with known solutions no step and no row is off by more
 * than ten tolerances, multipliers included, and estimates are true. */
#include "ivp/bdf/bdf.h"
#include "random/judge.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

enum { MODELS = 8, MECHANISMS = 15 };

static void check_as(const char *formulation, const char *method, random_kind kind, double tol,
                     double most)
{
    static random_model m;

    for (int i = 0; i < (kind == RANDOM_INDEX3 ? MECHANISMS : MODELS); i++) {
        if (!test_takes(i + (int)kind)) continue;
        const random_request r = judge_request(kind, (uint64_t)i + 1);
        judgement j;
        random_model_make(&r, &m);
        judge_method(&m, tol, method, formulation, &j);
        const double worst = fmax(j.steps, j.points);
        if (!CHECK_INT(j.status, RG_OK) || !CHECK(worst <= most))
            printf("    %s, %s, %g, seed %d: rows %.3g, steps %.3g tol\n", method, judge_kind(kind),
                   tol, i + 1, j.points, j.steps);
        CHECK(worst <= 1.0 || fmax(j.of_points, j.of_steps) <= 10.0);
    }
}

static void check(const char *method, random_kind kind, double tol, double most)
{
    check_as("auto", method, kind, tol, most);
}

static void check_mechanics(const char *method)
{
    check(method, RANDOM_INDEX3, 1e-3, 10.0);
    check(method, RANDOM_INDEX3, 1e-4, 10.0);
    check(method, RANDOM_INDEX3, 1e-6, 10.0);
}

static void half_explicit(void)
{
    check_mechanics("half-explicit");
    check("half-explicit", RANDOM_INDEX2, 1e-3, 10.0);
    check("half-explicit", RANDOM_INDEX2, 1e-4, 10.0);
}

/* The estimate of order 2 is that of its own error. */
static void low_orders(void)
{
    check("half-explicit:order=3", RANDOM_INDEX3, 1e-4, 2.0);
    check("half-explicit:order=2", RANDOM_INDEX3, 1e-3, 10.0);
    check("half-explicit:order=2", RANDOM_INDEX3, 1e-5, 10.0);
}

static void extrapolation(void)
{
    check_mechanics("extrapolation");
    check("extrapolation", RANDOM_INDEX1, 1e-3, 10.0);
    check("extrapolation:scheme=euler3", RANDOM_INDEX3, 1e-3, 2.0);
}

/* Steps of a multistep method follow each other's errors. */
static void bdf(void)
{
    if (test_skips(!rg_bdf_is_available(), "built without SUNDIALS")) return;
    for (int kind = 0; kind < RANDOM_KINDS; kind++)
        check("bdf", (random_kind)kind, 1e-4, 30.0);
    check("bdf", RANDOM_STIFF, 1e-8, 30.0);
}

/* Index 2 as written, and in the stabilized form: what y is off the constraints is not damped. */
static void gauss(void)
{
    static const char *const ways[] = {"gauss:stages=3", "gauss:stages=4", "gauss:stages=7"};

    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        check_as("direct", ways[k], RANDOM_INDEX2, 1e-6, 10.0);
        check_as("ggl", ways[k], RANDOM_INDEX3, 1e-4, 10.0);
    }
}

/* Without hidden constraints the stabilized form is the model as written. */
static void sdirk(void)
{
    static const char *const ways[] = {"sdirk:order=2", "sdirk:order=3", "sdirk"};

    check_as("ggl", "sdirk", RANDOM_INDEX1, 1e-4, 2.0);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        check(ways[k], RANDOM_STIFF, 1e-5, 10.0);
        check(ways[k], RANDOM_INDEX3, 1e-4, 10.0);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"half-explicit", half_explicit},
        {"low orders",    low_orders   },
        {"extrapolation", extrapolation},
        {"bdf",           bdf          },
        {"gauss",         gauss        },
        {"sdirk",         sdirk        },
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
