/* Which points of a run with small values are kept. */
#include "base/context.h"
#include "solve/trail.h"
#include "solve/tuning.h"
#include "support/test.h"

#include <stdint.h>

static rg_context *ctx;

/* Dips of so many steps each, with one step between them. */
static void take_dips(rg_trail *x, int64_t dips, int steps)
{
    double t = x->t_before;

    for (int64_t k = 0; k < dips; k++)
        for (int i = 0; i <= steps; i++) {
            const double y = i == 0 ? 1.0 : 1e-9, yp = 0.0;
            t += 1.0;
            rg_trail_take(x, t, &y, &yp, i > 0, false);
        }
    rg_trail_end(x);
}

/* Points rise, the first one and every one behind a gap is a beginning, and the way of the last
 * dip is there: its beginning, and its end at t. */
static void check(const rg_trail *x, double t)
{
    CHECK(x->count >= 2 && x->count <= RG_TRAIL_POINTS);
    CHECK(x->every > 0);
    CHECK(x->begins[0]);
    CHECK(!x->begins[x->count - 1]);
    CHECK(x->t[x->count - 1] == t);
    for (int64_t k = 1; k < x->count; k++) {
        CHECK(x->t[k] > x->t[k - 1]);
        if (x->y[2 * (k - 1)] == 1.0) CHECK(x->begins[k - 1] && !x->begins[k]);
        if (x->y[2 * k] == 1.0) CHECK(x->begins[k]);
    }
}

static void test_dips(void)
{
    static const struct {
        int64_t dips;
        int steps;
    } runs[] = {
        {1,      5     },
        {1,      100000},
        {300,    1     },
        {100000, 1     },
        {100000, 2     },
        {100000, 3     },
        {30000,  9     },
        {100,    3000  },
    };

    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        rg_trail x;
        CHECK(rg_trail_init(ctx, 1, &x) == RG_OK);
        take_dips(&x, runs[k].dips, runs[k].steps);
        check(&x, (double)runs[k].dips * (runs[k].steps + 1));
        rg_trail_clear(ctx, &x);
    }
}

/* Short dips, then one that is long: most of its points are kept. */
static void test_last(void)
{
    rg_trail x;

    CHECK(rg_trail_init(ctx, 1, &x) == RG_OK);
    take_dips(&x, 10000, 1);
    take_dips(&x, 1, 100);
    check(&x, 20101.0);
    CHECK(x.every == 1);
    CHECK(x.t[x.count - 101] == 20001.0 && x.begins[x.count - 101]);
    rg_trail_clear(ctx, &x);
}

/* The step that leads out of a dip is there, and what is behind it begins anew. */
static void test_rise(void)
{
    static const double y[] = {1.0, 1.0, 1e-9, 1e-9, 1e-3, 1.0, 1.0, 1e-9, 1.0};
    const double yp = 0.0;
    rg_trail x;

    CHECK(rg_trail_init(ctx, 1, &x) == RG_OK);
    for (int k = 0; k < 9; k++)
        rg_trail_take(&x, k, &y[k], &yp, y[k]<1e-6, k> 0 && y[k - 1] < 1e-6 && y[k] > 1e-6);
    rg_trail_end(&x);
    CHECK_INT(x.count, 7);
    const double t[] = {1.0, 2.0, 3.0, 4.0, 6.0, 7.0, 8.0};
    for (int k = 0; k < 7; k++) {
        CHECK(x.t[k] == t[k]);
        CHECK(x.begins[k] == (k == 0 || k == 4));
    }
    rg_trail_clear(ctx, &x);
}

int main(void)
{
    static const test_case cases[] = {
        {"dips of all lengths",          test_dips},
        {"a long one behind many short", test_last},
        {"the step out of it",           test_rise},
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int failed = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return failed;
}
