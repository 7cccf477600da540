/* Random models with known solutions: the numbers at the end, at all steps, at 101 chosen times,
 * and what the estimate says about them, by kind of model and tolerance.
 *
 * 200 models; RANDOM_MODELS in the environment asks for another number (`make test-all`: 2000). */
#include "random/judge.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4000, USUAL = 200, TOLERANCES = 3 };
static const double TOLS[TOLERANCES] = {1e-4, 1e-6, 1e-9};

/* Errors in units of the tolerance: of half of the models, and of 95 of 100. */
typedef struct {
    double end[2], steps[2], points[2];
    double held; /* part of the models whose true error is 1/100 to 10 estimates */
} limits;

static const limits LIMITS[RANDOM_KINDS][TOLERANCES] = {
    [RANDOM_ODE] = {{{0.1, 0.5}, {0.1, 0.5}, {0.2, 0.5}, 0.95},
                    {{0.2, 1.0}, {0.2, 1.0}, {0.2, 1.0}, 0.95},
                    {{0.5, 3.0}, {0.5, 3.0}, {0.5, 3.0}, 0.95}    },
    [RANDOM_STIFF] = {{{0.1, 0.5}, {0.1, 0.5}, {0.2, 0.5}, 0.95},
                    {{0.2, 2.0}, {0.3, 3.0}, {0.2, 2.0}, 0.95},
                    {{1.0, 20.0}, {5.0, 100.0}, {2.0, 20.0}, 0.95}},
    [RANDOM_INDEX1] = {{{0.1, 0.5}, {0.1, 0.5}, {0.2, 0.5}, 0.95},
                    {{0.2, 1.0}, {0.2, 1.0}, {0.2, 1.0}, 0.95},
                    {{0.5, 3.0}, {0.5, 3.0}, {0.5, 3.0}, 0.95}    },
    [RANDOM_INDEX2] = {{{0.1, 0.5}, {0.1, 0.5}, {0.2, 0.5}, 0.95},
                    {{0.2, 1.0}, {0.2, 1.0}, {0.2, 1.0}, 0.95},
                    {{0.3, 2.0}, {0.5, 3.0}, {0.3, 3.0}, 0.95}    },
    [RANDOM_INDEX3] = {{{0.1, 2.0}, {0.2, 2.0}, {0.2, 2.0}, 0.95},
                    {{0.2, 3.0}, {0.3, 3.0}, {0.2, 3.0}, 0.95},
                    {{0.3, 10.0}, {0.5, 20.0}, {0.3, 20.0}, 0.95} },
};

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void check_part(const char *what, double *values, int n, const double *limit)
{
    qsort(values, (size_t)n, sizeof *values, compare);
    const double half = values[n / 2], most = values[(int)(0.95 * (n - 1))];
    if (!CHECK(half <= limit[0]) || !CHECK(most <= limit[1]))
        printf("    %s: %.3g, %.3g tol; allowed %.3g, %.3g\n", what, half, most, limit[0],
               limit[1]);
}

/* Evaluations with 101 chosen times: at most 1.3 N + 2 (s + 4) per step, s = 7. */
static bool is_cheap(const judgement *j)
{
    return (double)j->chosen <= 1.3 * (double)j->plain + 2.0 * (7 + 4) * (double)j->taken;
}

static int models_of_a_kind(void)
{
    const char *asked = getenv("RANDOM_MODELS");
    const int all = asked != NULL ? atoi(asked) : USUAL, count = all / RANDOM_KINDS;

    return count < 1 ? 1 : count > MOST ? MOST : count;
}

static void check_kind(random_kind kind, int k)
{
    static random_model m;
    static double end[MOST], steps[MOST], points[MOST];
    const int count = models_of_a_kind();
    const limits *l = &LIMITS[kind][k];
    int held = 0, cheap = 0, n = 0;

    for (int i = 0; i < count; i++) {
        const random_request r = judge_request(kind, (uint64_t)i + 1);
        judgement j;
        random_model_make(&r, &m);
        judge_run(&m, TOLS[k], "auto", &j);
        if (!CHECK_INT(j.status, RG_OK)) {
            printf("    %s, %g: seed %d\n", judge_kind(kind), TOLS[k], i + 1);
            continue;
        }
        end[n] = j.end;
        steps[n] = j.steps;
        points[n++] = j.points;
        held +=
            j.of_points <= 10.0 && j.of_points >= 0.01 && j.of_steps <= 10.0 && j.of_steps >= 0.01;
        cheap += is_cheap(&j);
    }
    if (n == 0) return;
    printf("%s, %g:\n", judge_kind(kind), TOLS[k]);
    check_part("end", end, n, l->end);
    check_part("steps", steps, n, l->steps);
    check_part("points", points, n, l->points);
    if (!CHECK(held >= l->held * n)) printf("    estimate holds for %d of %d\n", held, n);
    if (!CHECK(cheap >= 0.9 * n)) printf("    rows are cheap in %d of %d\n", cheap, n);
}

static void check_all(random_kind kind)
{
    for (int k = 0; k < TOLERANCES; k++)
        check_kind(kind, k);
}

static void ode(void)
{
    check_all(RANDOM_ODE);
}

static void stiff(void)
{
    check_all(RANDOM_STIFF);
}

static void index1(void)
{
    check_all(RANDOM_INDEX1);
}

static void index2(void)
{
    check_all(RANDOM_INDEX2);
}

static void index3(void)
{
    check_all(RANDOM_INDEX3);
}

int main(void)
{
    static const test_case cases[] = {
        {"ode",     ode   },
        {"stiff",   stiff },
        {"index 1", index1},
        {"index 2", index2},
        {"index 3", index3},
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
