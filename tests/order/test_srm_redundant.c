/* Redundant constraints under sequential regularization and its rivals: the generalized inverse of
 * fixed rank (src/ivp/srm/inverse.c), E = I, and windows of one step.
 *
 * A run with constraints that follow from the others must be as good as the run of the same method
 * without them, with multipliers of least norm and no singular place; in units of 1e-9 .. 1e9; and
 * constraints in other units, without redundant ones, must change nothing.  Where E = I cannot
 * enforce a constraint the run ends with that. */
#include "support/copies.h"
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>

static rg_context *ctx;

typedef struct {
    const char *words;
    int index;        /* 0: 2 and 3 */
    double good;      /* errors below this are as good as any */
    bool is_identity; /* E = I: eps suits the largest part of G B, which redundant constraints make
                          larger; the error is larger, and the estimate tells */
} way;

/* clang-format off */
static const way ways[] = {
    {"method=srm tol=1e-4",                             0, 1e-3, false},
    {"method=srm tol=1e-6",                             0, 1e-5, false},
    {"method=srm tol=1e-8",                             0, 1e-7, false},
    {"method=srm tol=1e-6 variant=simple",              2, 1e-5, true },
    {"method=srm tol=1e-6 variant=multibody",           3, 1e-5, true },
    {"method=srm tol=1e-6 variant=stabilized",          3, 1e-5, false},
    {"method=srm tol=1e-6 window=0",                    0, 1e-5, false},
    {"method=srm tol=1e-6 scheme=dopri5",               0, 1e-5, false},
    {"method=srm step=0.003",                           0, 1e-5, false},
    {"method=srm step=0.003 variant=simple",            2, 1e-5, true },
    {"method=srm step=0.003 variant=basic alpha1=1",    2, 1e-5, false},
    {"method=srm step=0.003 variant=multibody",         3, 1e-5, true },
    {"method=srm step=0.003 variant=invariant",         3, 1e-5, false},
    {"method=srm step=0.003 variant=second-order",      3, 1e-5, false},
    {"method=baumgarte step=0.003",                     0, 1e-5, false},
    {"method=augmented-lagrangian step=0.003",          0, 1e-5, true },
    {"method=invariant step=0.003",                     0, 1e-5, false},
    {"method=invariant step=0.003 variant=full",        0, 1e-5, false},
    {"method=srm step=0.003 variant=invariant-full",    3, 1e-5, false},
    {"method=post-stabilization step=0.003",            0, 1e-5, false},
    {"method=penalty step=0.001",                      0, 1e-5, true },
    {"method=penalty step=0.003 variant=parameterized", 2, 1e-5, false},
    {"method=park-chiou step=0.001",                   2, 1e-5, true },
};
enum { N_WAYS = sizeof ways / sizeof *ways };

static const copies kinds[] = {
    {.count = 3, .factor = {{1, 0}, {0, 1}, {1, 0}}},
    {.count = 3, .factor = {{1, 0}, {0, 1}, {1, 1}}},
    {.count = 4, .factor = {{1, 0}, {0, 1}, {1, -1}, {2, 3}}},
    {.count = 3, .factor = {{1, 0}, {0, 1}, {1e6, 0}}},
    {.count = 4, .factor = {{1, 1}, {1, -1}, {3, 0}, {0, 7}}, .is_array = true},
};
/* clang-format on */
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* The run of the way without redundant constraints, units 1, and the solution. */
static bool prepare(const way *w, int index, rows *exact, rows *plain)
{
    const copies two = {
        .index = index, .count = 2, .factor = {{1, 0}, {0, 1}},
                .length = 1, .time = 1
    };

    double with_plain;

    if ((w->index != 0 && w->index != index) || !solve_two(ctx, index, exact)
        || !solve_rows(ctx, &two, w->words, plain))
        return false;
    worst_row(&two, exact, plain, &with_plain);
    if (!CHECK(with_plain <= fmax(10.0 * plain->estimate, w->good)))
        printf("    index %d, %s: %.1e, estimate %.1e\n", index, w->words, with_plain,
               plain->estimate);
    return true;
}

static void check(const way *w, const copies *c, const rows *exact, const rows *plain)
{
    static rows now;
    const copies two = {
        .index = c->index, .count = 2, .factor = {{1, 0}, {0, 1}},
                .length = 1, .time = 1
    };
    double with_plain, with_now;

    if (!solve_or_refuse(ctx, c, w->words, &now)) {
        /* G B indefinite, or a constraint that E = I does not enforce */
        if (!CHECK(w->is_identity))
            printf("    units %g %g, %d constraints, %s: %s\n", c->length, c->time, c->count,
                   w->words, rg_last_error(ctx)->message);
        return;
    }
    const double e_plain = worst_row(&two, exact, plain, &with_plain);
    const double e_now = worst_row(c, exact, &now, &with_now);
    bool ok = CHECK_INT(now.places, 0);
    if (w->is_identity) {
        ok = CHECK(with_now <= fmax(10.0 * now.estimate, w->good)) && ok;
    } else {
        ok = CHECK(e_now <= fmax(3.0 * e_plain, w->good)) && ok;
        ok = CHECK(with_now <= fmax(3.0 * with_plain, 10.0 * w->good)) && ok;
    }
    if (!ok)
        printf("    index %d, %d constraints, units %g %g, %s: %.1e (without redundant ones %.1e), "
               "with multipliers %.1e (%.1e), estimate %.1e\n",
               c->index, c->count, c->length, c->time, w->words, e_now, e_plain, with_now,
               with_plain, now.estimate);
}

static void test_ways(void)
{
    static rows exact, plain;

    for (int e = 0; e < N_WAYS; e++)
        for (int index = 2; index <= 3; index++) {
            if (!prepare(&ways[e], index, &exact, &plain)) continue;
            const bool is_slow = strstr(ways[e].words, "step=") != NULL;
            for (int k = is_slow ? 2 : 0; k < (is_slow ? 4 : N_KINDS); k++) {
                if (!test_takes(e + index + k)) continue;
                copies c = kinds[k];
                c.index = index;
                c.length = c.time = 1.0;
                check(&ways[e], &c, &exact, &plain);
            }
        }
}

/* Units of length and time, and constraints written in other units. */
static void test_units(void)
{
    /* clang-format off */
    static const double units[][2] = {
        {1e-9, 1   },
        {1e9,  1   },
        {1,    1e-6},
        {1e9,  1e9 },
    };
    static const copies scaled[] = {
        {.count = 3, .factor = {{1, 0}, {0, 1}, {2, 1}}},
        {.count = 2, .factor = {{1, 0}, {0, 1e-6}}     },
        {.count = 2, .factor = {{1e9, 0}, {0, 1}}      },
    };
    static const way chosen[] = {
        {"method=srm tol=1e-6",                   0, 1e-5, false},
        {"method=srm tol=1e-6 window=0",          0, 1e-5, false},
        {"method=srm tol=1e-6 variant=multibody", 3, 1e-5, true },
    };

    /* clang-format on */
    static rows exact, plain;

    for (size_t e = 0; e < sizeof chosen / sizeof *chosen; e++)
        for (int index = 2; index <= 3; index++) {
            if (!prepare(&chosen[e], index, &exact, &plain)) continue;
            for (size_t u = 0; u < sizeof units / sizeof *units; u++)
                for (size_t k = 0; k < sizeof scaled / sizeof *scaled; k++) {
                    if (!test_takes((int)(e + u + k) + index)) continue;
                    copies c = scaled[k];
                    c.index = index;
                    c.length = units[u][0], c.time = units[u][1];
                    check(&chosen[e], &c, &exact, &plain);
                }
        }
}

/* One eps for constraints of very different size: E = I leaves the small one alone, and the runs
 * that are compared agree.  Without a step, rivals take one by themselves: an estimate above 0.1 is
 * no result.  What is a result has a true estimate. */
static void test_loose(void)
{
    static const char *const words[] = {"method=srm step=0.003 variant=multibody",
                                        "method=srm step=0.003 variant=multibody E=identity",
                                        "method=srm window=0 variant=multibody",
                                        "method=augmented-lagrangian",
                                        "method=penalty",
                                        "method=penalty step=0.003"};
    static const double factors[] = {0.1, 1e-2, 1e-3, 1e-6, 1e-9};
    static rows exact, now;
    int refused = 0;

    if (!solve_two(ctx, 3, &exact)) return;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        for (size_t e = 0; e < sizeof factors / sizeof *factors; e++) {
            const copies c = {
                .index = 3,
                .count = 2,
                .factor = {{1, 0}, {0, factors[e]}},
                .length = 1,
                .time = 1
            };
            double all;
            if (solve_or_refuse(ctx, &c, words[k], &now)) {
                worst_row(&c, &exact, &now, &all);
                if (!CHECK(all <= fmax(10.0 * now.estimate, 1e-5)))
                    printf("    %s, %g: %.1e, estimate %.1e\n", words[k], factors[e], all,
                           now.estimate);
                continue;
            }
            refused++;
            CHECK(rg_last_error(ctx)->message[0] != '\0' && rg_last_error(ctx)->remedy[0] != '\0');
        }
    CHECK(refused > 5);
}

/* Two constraints that differ by d (z - 0.5 - sin(t)): z = 0.5 + sin(t) for every d > 0.  With
 * E = I the iterates agree, and do not enforce it.  No place is singular, though G B is small
 * throughout. */
static void check_near(double d, const char *words, int *refused)
{
    static const char model[] = "param d = 1\nvar x1 = 1, x2 = 0, z = 0.5, y1, y2\n"
                                "x1' = -x2 - x1*y1 - x1*y2\nx2' = x1 - x2*y1 - x2*y2 + z\n"
                                "z' = -z + x1 - d*y2\n0 = x1^2 + x2^2 - 1\n"
                                "0 = x1^2 + x2^2 - 1 + d*(z - 0.5 - sin(t))\nover t = 0 .. 2\n";
    rg_problem *p = NULL;
    rg_options o = rg_options_default();
    rg_solution *s = NULL;
    const rg_request r = {.keep = RG_KEEP_LAST, .estimate = true};
    double values[8];

    if (!CHECK_INT(rg_problem_from_text(ctx, model, &p), RG_OK)
        || !CHECK_INT(rg_problem_set_parameter(p, "d", d), RG_OK)
        || !CHECK(options_from_words(ctx, &o, words)))
        return;
    if (rg_solve_request(p, 2.0, &o, &r, &s) == RG_OK
        && CHECK(rg_solution_end_values(s, values) >= 0)) {
        const double error = fabs(values[2] - 0.5 - sin(2.0));
        if (!CHECK(error <= fmax(10.0 * rg_solution_estimate(s), 1e-5))
            || !CHECK_INT((int)rg_solution_singular_count(s), 0))
            printf("    d = %g, %s: %.1e, estimate %.1e\n", d, words, error,
                   rg_solution_estimate(s));
    } else {
        ++*refused;
        CHECK(rg_last_error(ctx)->message[0] != '\0' && rg_last_error(ctx)->remedy[0] != '\0');
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void test_nearly(void)
{
    static const char *const words[] = {"method=srm tol=1e-6", "method=srm tol=1e-6 window=0",
                                        "method=srm step=0.004", "method=baumgarte"};
    static const char *const identity[] = {"method=srm tol=1e-4 variant=simple",
                                           "method=srm tol=1e-6 variant=simple",
                                           "method=srm step=0.004 variant=simple"};
    int refused = 0, none = 0;

    for (double d = 0.1; d > 5e-7; d *= 0.1) {
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            check_near(d, words[k], &none);
        for (size_t k = 0; k < sizeof identity / sizeof *identity; k++)
            check_near(d, identity[k], &refused);
    }
    CHECK_INT(none, 0);
    CHECK(refused >= 12);
}

int main(void)
{
    static const test_case cases[] = {
        {"redundant constraints",   test_ways  },
        {"the same in other units", test_units },
        {"constraints left alone",  test_loose },
        {"nearly dependent",        test_nearly},
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
