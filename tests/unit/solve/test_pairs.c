/* Which rows of a run are compared with the second one. */
#include "base/context.h"
#include "solve/pairs.h"
#include "support/test.h"

#include <math.h>

/* Offers steps of the lengths h[k], count[k] of them; how many are kept, and how many of those
 * behind steps of the last length. */
static int64_t offer(int n, const int *count, const double *h, double direction, int64_t *last)
{
    rg_context *ctx = NULL;
    rg_pairs *p = NULL;
    double t = 5.0, length = 0.0;
    int64_t kept = 0;

    for (int k = 0; k < n; k++)
        length += count[k] * h[k];
    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_pairs_create(ctx, 1, 0, 1, direction * length, &p) == RG_OK);
    for (int k = 0; k < n; k++) {
        *last = 0;
        for (int i = 0; i < count[k]; i++) {
            t += direction * h[k];
            if (!rg_pairs_wants(p, t)) continue;
            rg_pairs_offer(p, &(rg_pair){.t = t}, &t, 1, NULL);
            kept++;
            ++*last;
        }
    }
    rg_pairs_destroy(&p);
    rg_context_destroy(&ctx);
    return kept;
}

/* All at first, then fewer; but a long step is not left out, wherever it stands. */
static void test_long(void)
{
    for (int k = -1; k <= 1; k += 2) {
        int64_t last;
        CHECK_INT(offer(1, (const int[]){200}, (const double[]){1.0}, k, &last), 200);
        CHECK(offer(1, (const int[]){100000}, (const double[]){1.0}, k, &last) < 3000);
        offer(2, (const int[]){50000, 40}, (const double[]){1e-4, 0.1}, k, &last);
        CHECK_INT(last, 40);
        offer(3, (const int[]){2000, 7, 1}, (const double[]){1e-3, 1e-4, 0.5}, k, &last);
        CHECK_INT(last, 1);
    }
}

/* There is room up to the end of any run. */
static void test_room(void)
{
    int64_t last;

    offer(2, (const int[]){10000000, 2000}, (const double[]){1e-9, 1e-2}, 1.0, &last);
    CHECK(last > 300);
    offer(2, (const int[]){10000, 10000000}, (const double[]){1.0, 1e-3}, 1.0, &last);
    CHECK(last > 100);
}

/* The next row beyond a time. */
static void test_next(void)
{
    static const double times[] = {0.5, 0.7, 0.9};
    rg_context *ctx = NULL;
    rg_pairs *p = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_pairs_create(ctx, 1, 0, 1, 1.0, &p) == RG_OK);
    for (int k = 0; k < 3; k++) {
        CHECK(rg_pairs_wants(p, times[k]));
        rg_pairs_offer(p, &(rg_pair){.t = times[k]}, &times[k], 1, NULL);
    }
    rg_pairs_finish(p, 3);
    CHECK(rg_pairs_next(p, 0.0) == 0.5);
    CHECK(rg_pairs_next(p, 0.5) == 0.7);
    CHECK(rg_pairs_next(p, 0.8) == 0.9);
    CHECK(isnan(rg_pairs_next(p, 0.9)));
    rg_pairs_destroy(&p);
    rg_context_destroy(&ctx);
}

int main(void)
{
    static const test_case cases[] = {
        {"long", test_long},
        {"room", test_room},
        {"next", test_next},
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
