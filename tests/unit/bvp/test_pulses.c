/* Meshes are cut in pulses of functions of time: no interval is longer than it may be there, and
 * none is there for rounding's sake. */
#include "support/test.h"

#include "bvp/pulses.h"

#include <math.h>
#include <string.h>

/* The pulse ends in mesh point 2 or beside it, by `off`. */
static void check_end(double off, bool is_backwards)
{
    const double old[] = {0.0, 0.5, 0.7, 1.0};
    rg_pulse list[] = {
        {0.6, 0.7 + off, 0.02}
    };
    const rg_bvp_pulses pulses = {1, list};
    rg_context *ctx = NULL;
    double *t = NULL;
    int64_t N = 3;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    t = rg_alloc(ctx, 4, sizeof *t);
    for (int i = 0; i < 4; i++)
        t[i] = old[is_backwards ? 3 - i : i];
    if (CHECK_INT(rg_bvp_pulses_cut(ctx, &pulses, 1.0, &N, &t), RG_OK)) {
        CHECK_INT(N, 9); /* 0.5 to 0.6, six for five widths, 0.7 to 1, and the first one */
        for (int64_t i = 0; i < N; i++)
            CHECK(fabs(t[i + 1] - t[i]) > 0.01);
        for (int i = 0; i < 4; i++) {
            int64_t k = 0;
            while (k < N && t[k] != old[i])
                k++;
            CHECK(t[k] == old[i]);
        }
    }
    rg_free(ctx, t);
    rg_context_destroy(&ctx);
}

static void test_end(void)
{
    static const double off[] = {0.0, 1.2e-16, -1.2e-16, 1e-9, -1e-9};

    for (size_t k = 0; k < sizeof off / sizeof *off; k++) {
        check_end(off[k], false);
        check_end(off[k], true);
    }
}

static const test_case cases[] = {
    {"a pulse that ends in a mesh point", test_end}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
