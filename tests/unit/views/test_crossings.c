/* The times at which switches of time change, and the search between two samples. */
#include "views/breaks.h"

#include "support/test.h"
#include "views/crossings.h"

#include <math.h>
#include <stdio.h>

/* The times of  x' = -x + forcing  between low and high are `expected`, to rounding. */
static void check_times(const char *forcing, double low, double high, int n, const double *expected)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_states states = {0};
    rg_switches switches;
    const int32_t orders[] = {1};
    char text[256];
    int64_t found = -1;
    double *times = NULL;

    snprintf(text, sizeof text, "var x = 0\nx' = -x + %s\nover t = 0 .. 1\n", forcing);
    CHECK_INT(rg_context_create(&ctx), RG_OK);
    CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK);
    CHECK_INT(rg_states_init(ctx, 1, orders, &states), RG_OK);
    CHECK_INT(rg_switches_init(p, &states, &switches), RG_OK);
    CHECK_INT(rg_breaks_find(p, &switches, low, high, &found, &times), RG_OK);
    if (CHECK_INT(found, n))
        for (int k = 0; k < n; k++)
            CHECK_NEAR(times[k], expected[k], 4e-16);
    rg_free(ctx, times);
    rg_switches_clear(ctx, &switches);
    rg_states_clear(ctx, &states);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* At a sample, between samples, and where the function is its own edge for a while. */
static void test_one(void)
{
    const double half = 0.5, third = 1.0 / 3.0;

    check_times("if(t < 0.5, 1, 2)", 0.0, 1.0, 1, &half);
    check_times("abs(t - 0.5)", 0.0, 1.0, 1, &half);
    check_times("sign(3*t - 1)", 0.0, 1.0, 1, &third);
    check_times("abs(max(t - 0.5, 0))", 0.0, 1.0, 1, &half);
    check_times("2", 0.0, 1.0, 0, NULL);
}

/* The whole number 0 is a branch like others. */
static void test_whole_numbers(void)
{
    const double all[] = {-0.5, -0.25, 0.0, 0.25, 0.5, 0.75};

    check_times("mod(t, 0.25)", -0.6, 0.9, 6, all);
}

/* Both ends of a pulse between two samples; functions of unknowns have no times of their own. */
static void test_pulse(void)
{
    const double ends[] = {0.1001, 0.1004}, back[] = {0.1004, 0.1001};

    check_times("if(t > 0.1001 and t < 0.1004, 1, 0)", 0.0, 1.0, 2, ends);
    check_times("if(t > 0.1001 and t < 0.1004, 1, 0)", 1.0, 0.0, 2, back);
    check_times("if(t > 0.1001 and t < 0.1004, 1, 0) + abs(x - t)", 0.0, 1.0, 2, ends);
}

/* A function of a function: its branch follows that of the other. */
static void test_nested(void)
{
    const double ends[] = {0.3, 0.7};

    check_times("if(if(t < 0.5, t - 0.3, 0.7 - t) > 0, 1, 0)", 0.1, 0.9, 3,
                (double[]){ends[0], 0.5, ends[1]});
}

static rg_status is_behind_third(void *user, double t, bool *is_before)
{
    ++*(int *)user;
    *is_before = t >= 1.0 / 3.0;
    return RG_OK;
}

static void test_narrow(void)
{
    int looks = 0;
    double left = 0.0, right = 1.0;

    CHECK_INT(rg_crossing_narrow(is_behind_third, &looks, &left, &right), RG_OK);
    CHECK(right == 1.0 / 3.0 && left == nextafter(right, 0.0));
    CHECK(looks < 60);
    left = 1.0; /* backwards */
    right = -1.0;
    CHECK_INT(rg_crossing_narrow(is_behind_third, &looks, &left, &right), RG_OK);
    CHECK(looks < 180);
}

static const test_case cases[] = {
    {"one",           test_one          },
    {"whole_numbers", test_whole_numbers},
    {"pulse",         test_pulse        },
    {"nested",        test_nested       },
    {"narrow",        test_narrow       },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
