/* The search for the times at which functions of time change their branch. */
#include "views/timed.h"

#include "support/test.h"

#include <math.h>
#include <stdio.h>

enum { N = 5, MANY = 40000 }; /* of so many values there are 256 000 samples at most */
static const double pi = 3.14159265358979323846;

/* Periods of 1; noise around 0; whole numbers; what is nowhere defined behind 5. */
static rg_status values_at(void *user, double t, double *values)
{
    const double speed = *(double *)user;

    values[0] = fmod(speed * t, 1.0) - 0.3;
    values[1] = sin(2.0 * pi * speed * t) - cos(0.001 * pi);
    values[2] = sin(speed * t) * sin(speed * t) + cos(speed * t) * cos(speed * t) - 1.0;
    values[3] = speed * t;
    values[4] = t > 5.0 ? NAN : t - 3.25;
    return RG_OK;
}

static double mode_of(void *user, int64_t function, double value)
{
    (void)user;
    return function == 3 ? floor(value) : value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : 0.0;
}

/* How many times there are from a to b; -1: too many. */
static int64_t count(int function, double speed, double a, double b, int n_values)
{
    rg_context *ctx = NULL;
    const rg_timed_function f = {function, function == 3, NULL};
    double *times = NULL;
    int64_t n = 0, size = 0, fastest = -1;

    if (!CHECK(rg_context_create(&ctx) == RG_OK)) return -2;
    const rg_timed w = {ctx, values_at, mode_of, &speed, n_values, 1, &f, a, b};
    const rg_status status = rg_timed_find(&w, &times, &n, &size, &fastest);
    CHECK(status == RG_OK || (status == (rg_status)RG_RETRY && fastest == 0));
    rg_timed_sort(times, &n, a > b, 1e-12 * fabs(b - a));
    for (int64_t k = 1; k < n && status == RG_OK; k++)
        CHECK((times[k] - times[k - 1]) * (b - a) > 0.0);
    rg_free(ctx, times);
    rg_context_destroy(&ctx);
    return status == RG_OK ? n : -1;
}

static void test_periods(void)
{
    static const double speeds[] = {1, 10, 40, 200.0 / 3.0};

    for (size_t k = 0; k < sizeof speeds / sizeof *speeds; k++) {
        const int64_t n = (int64_t)ceil(10.0 * speeds[k] - 1e-6); /* periods that are begun */
        CHECK_INT(count(0, speeds[k], 0.0, 9.99999, N), 2 * n - 1);
        CHECK_INT(count(1, speeds[k], 0.0, 9.99999, N),
                  2 * (int64_t)(10.0 * speeds[k] + 0.75 - 1e-4));
        CHECK_INT(count(3, speeds[k], 0.0, 9.99999, N), n - 1);
    }
    CHECK_INT(count(0, 400.0, 9.99999, 0.0, N), 7999);
}

/* Noise is passed over, not followed; a change once seen is located, and undefined values are
 * none; too many periods are told. */
static void test_limits(void)
{
    CHECK(count(2, 1.0, 0.0, 10.0, N) >= 0);
    CHECK_INT(count(4, 1.0, 0.0, 10.0, N), 1);
    CHECK_INT(count(0, 1e9, 0.0, 10.0, MANY), -1);
    CHECK_INT(count(0, 100.0, 0.0, 9.99999, MANY), 1999); /* beside many others */
    CHECK_INT(count(0, 1.0, 2.0, 2.0, N), 0);
}

static void test_turns(void)
{
    static const rg_timed_function list[] = {
        {2, false, NULL},
        {1, false, NULL}
    };
    static const double speeds[] = {1, 30};

    for (size_t k = 0; k < sizeof speeds / sizeof *speeds; k++) {
        rg_context *ctx = NULL;
        double speed = speeds[k];
        int64_t turns = -1;
        if (!CHECK(rg_context_create(&ctx) == RG_OK)) return;
        rg_timed w = {ctx, values_at, mode_of, &speed, N, 2, list, 0.0, 10.0};
        CHECK(rg_timed_turns(&w, 500, &turns) == RG_OK);
        CHECK_INT(turns, (int64_t)(20.0 * speed));
        speed = 1e9;
        w.n_values = MANY;
        CHECK(rg_timed_turns(&w, 500, &turns) == RG_OK);
        CHECK_INT(turns, -1);
        rg_context_destroy(&ctx);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"periods", test_periods},
        {"limits",  test_limits },
        {"turns",   test_turns  },
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
