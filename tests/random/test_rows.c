/* Rows between the steps, method by method: on random models with known solutions they are as good
 * as the steps, few or many of them in a step. */
#include "random/judge.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

enum { MODELS = 3 };

/* Rows are off by no more than two steps, or, where those are better than asked for, by a part of
 * the tolerance. */
static void check(const char *method, random_kind kind, double tol)
{
    static random_model m;

    for (int i = 0; i < MODELS; i++) {
        const random_request r = judge_request(kind, (uint64_t)i + 1);
        judgement j;
        random_model_make(&r, &m);
        judge_method(&m, tol, method, "auto", &j);
        if (!CHECK_INT(j.status, RG_OK) || !CHECK(j.points <= fmax(0.2, 2.0 * j.steps)))
            printf("    %s, %s, %g, seed %d: rows %.3g, steps %.3g tol\n", method, judge_kind(kind),
                   tol, i + 1, j.points, j.steps);
        CHECK(j.of_points <= 10.0);
    }
}

/* Index 0 and 1, and index 2 and 3 in their reduced views. */
static void check_method(const char *method, double tol, random_kind last)
{
    for (int kind = 0; kind <= (int)last; kind++)
        check(method, (random_kind)kind, tol);
}

static void rosenbrock(void)
{
    check_method("rosenbrock", 1e-3, RANDOM_INDEX3);
    check_method("rosenbrock", 1e-6, RANDOM_INDEX1);
}

static void sdirk(void)
{
    check_method("sdirk", 1e-4, RANDOM_INDEX1);
}

static void gauss(void)
{
    check_method("gauss", 1e-6, RANDOM_INDEX3);
}

static void lobatto(void)
{
    check_method("lobatto3a", 1e-4, RANDOM_INDEX1);
    check_method("lobatto3c", 1e-4, RANDOM_INDEX1);
}

static void extrapolation(void)
{
    check_method("extrapolation", 1e-4, RANDOM_INDEX1);
}

static void dopri(void)
{
    check("dopri", RANDOM_ODE, 1e-3);
    check("dopri", RANDOM_ODE, 1e-6);
}

int main(void)
{
    static const test_case cases[] = {
        {"rosenbrock",    rosenbrock   },
        {"sdirk",         sdirk        },
        {"gauss",         gauss        },
        {"lobatto",       lobatto      },
        {"extrapolation", extrapolation},
        {"dopri",         dopri        },
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
