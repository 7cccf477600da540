/* Threads that share loops: every unit once, sums in order, whatever happens around them. */
#include "base/context.h"
#include "base/crew.h"
#include "base/tuning.h"
#include "support/test.h"

#include <pthread.h>
#include <string.h>

enum { MANY = 1000 };

static void count(void *user, int hand, int64_t from, int64_t end)
{
    int *times = user;

    (void)hand;
    for (int64_t k = from; k < end; k++)
        times[k]++;
}

/* Says how many units were not done once: other threads must not use CHECK(). */
static int wrong_units(rg_context *ctx)
{
    int times[MANY], wrong = 0;

    for (int n = 0; n <= MANY; n += n < 10 ? 1 : 97) {
        memset(times, 0, sizeof times);
        rg_crew_run(ctx, n, RG_CREW_NUMBERS, count, times);
        for (int k = 0; k < MANY; k++)
            wrong += times[k] != (k < n);
    }
    return wrong;
}

static void every_unit_once(void)
{
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(wrong_units(ctx) == 0); /* without threads */
    for (int threads = 3; threads >= 1; threads--) {
        CHECK(rg_crew_set(ctx, threads) == RG_OK);
        CHECK(rg_crew_hands(ctx) == threads);
        CHECK(rg_crew_shares(ctx, RG_CREW_NUMBERS) == (threads > 1));
        CHECK(!rg_crew_shares(ctx, RG_CREW_NUMBERS - 1));
        CHECK(wrong_units(ctx) == 0);
    }
    CHECK(rg_crew_set(ctx, 0) == RG_OK);
    CHECK(rg_crew_hands(ctx) >= 1);
    ctx->is_worker = true; /* other runs have the other cores */
    CHECK(rg_crew_set(ctx, 4) == RG_OK && rg_crew_hands(ctx) == 1);
    rg_context_destroy(&ctx);
}

/* A loop inside a loop is the caller's alone. */
typedef struct {
    rg_context *ctx;
    int times[8][MANY];
} nest;

static void inner_loops(void *user, int hand, int64_t from, int64_t end)
{
    nest *n = user;

    (void)hand;
    for (int64_t k = from; k < end; k++)
        rg_crew_run(n->ctx, MANY, RG_CREW_NUMBERS, count, n->times[k]);
}

static void loops_inside_loops(void)
{
    static nest n;

    CHECK(rg_context_create(&n.ctx) == RG_OK && rg_crew_set(n.ctx, 3) == RG_OK);
    rg_crew_run(n.ctx, 8, RG_CREW_NUMBERS, inner_loops, &n);
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < MANY; i++)
            CHECK(n.times[k][i] == 1);
    rg_context_destroy(&n.ctx);
}

/* Numbers whose sum depends on the order. */
static void part(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    (void)user;
    out[0] = (unit % 3 == 0 ? 1e16 : unit % 3 == 1 ? 1.0 : -1e16) / (double)(unit + 1);
    out[1] = 1.0;
    out[2] = 0.1;
}

static void sums_in_order(void)
{
    const int64_t n = 5000;
    double serial[RG_CREW_SUMS], shared[RG_CREW_SUMS], expected = 0.0;
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (int64_t k = 0; k < n; k++) {
        double out[RG_CREW_SUMS];
        part(NULL, k, out);
        expected += out[0];
    }
    rg_crew_sum(ctx, n, RG_CREW_NUMBERS, part, NULL, serial);
    CHECK(serial[0] == expected && serial[1] == (double)n);
    for (int threads = 2; threads <= 4; threads++) {
        CHECK(rg_crew_set(ctx, threads) == RG_OK);
        rg_crew_sum(ctx, n, RG_CREW_NUMBERS, part, NULL, shared);
        CHECK(memcmp(serial, shared, sizeof serial) == 0);
    }
    rg_context_destroy(&ctx);
}

/* Two threads with a context each, and two that misuse one. */
typedef struct {
    rg_context *ctx;
    int wrong;
} using;

static void *use(void *user)
{
    using *u = user;

    for (int k = 0; k < 20; k++)
        u->wrong += wrong_units(u->ctx);
    return NULL;
}

static void two_at_once(void)
{
    rg_context *ctx[2] = {NULL, NULL};

    for (int same = 0; same < 2; same++) {
        pthread_t other;
        for (int k = 0; k < 2; k++)
            CHECK(rg_context_create(&ctx[k]) == RG_OK && rg_crew_set(ctx[k], 2) == RG_OK);
        using theirs = {ctx[same], 0}, ours = {ctx[1], 0};
        CHECK(pthread_create(&other, NULL, use, &theirs) == 0);
        use(&ours);
        pthread_join(other, NULL);
        CHECK(theirs.wrong == 0 && ours.wrong == 0);
        for (int k = 0; k < 2; k++)
            rg_context_destroy(&ctx[k]);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"every unit once",    every_unit_once   },
        {"loops inside loops", loops_inside_loops},
        {"sums in order",      sums_in_order     },
        {"two at once",        two_at_once       },
    };
    return test_main(cases, sizeof cases / sizeof *cases);
}
