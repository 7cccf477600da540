/* Transforms of lines against their sums, of every kind, along every axis, odd and even. */
#include "pdae/solve/transform_lines.h"

#include "base/random.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

/* What stands beside x_j in mode k. */
static double factor(rg_lines_kind kind, int n, int j, int k)
{
    const double pi = acos(-1.0);

    switch (kind) {
    case RG_LINES_FOURIER: /* real parts, then imaginary ones backwards */
        return 2 * k <= n ? cos(2.0 * pi * j * k / n) : -sin(2.0 * pi * j * (n - k) / n);
    case RG_LINES_COSINE:
        return 2.0 * cos(pi * (j + 0.5) * k / n);
    case RG_LINES_SINE:
        return 2.0 * sin(pi * (j + 0.5) * (k + 1) / n);
    case RG_LINES_HALF_COSINE:
        return 2.0 * cos(pi * (j + 0.5) * (k + 0.5) / n);
    case RG_LINES_HALF_SINE:
        return 2.0 * sin(pi * (j + 0.5) * (k + 0.5) / n);
    }
    return NAN;
}

static void check_axis(const int *n, int d, rg_lines_kind kind)
{
    enum { MOST = 13 * 11 * 12 };
    rg_context *ctx = NULL;
    rg_grid *g = NULL;
    rg_lines t;
    rg_axis_spec spec[3];
    double x[MOST], X[MOST], back[MOST];
    const int64_t step = d == 0   ? 1
                         : d == 1 ? n[0]
                                  : (int64_t)n[0] * n[1],
                  all = (int64_t)n[0] * n[1] * n[2];
    const double scale = kind == RG_LINES_FOURIER ? n[d] : 2.0 * n[d];
    double worst = 0.0, worst_back = 0.0;

    for (int e = 0; e < 3; e++)
        spec[e] = (rg_axis_spec){.n = n[e], .b = 1.0};
    CHECK(all <= MOST && rg_context_create(&ctx) == RG_OK);
    CHECK(rg_grid_create(ctx, 3, spec, &g) == RG_OK);
    CHECK(rg_lines_create(g, d, kind, &t) == RG_OK);
    for (int64_t p = 0; p < all; p++)
        x[p] = rg_random(3, (uint64_t)p) - 0.5;
    memcpy(back, x, sizeof back);
    double *padded = rg_grid_array(g);
    rg_grid_unpack(g, x, padded);
    rg_lines_forward(g, &t, d == 0 ? padded : back, X);
    memcpy(back, X, sizeof back);
    rg_lines_backward(g, &t, back, d == 0 ? padded : back);
    if (d == 0) rg_grid_pack(g, padded, back);
    rg_free(ctx, padded);
    for (int64_t p = 0; p < all; p++) {
        const int k = (int)(p / step % n[d]);
        double sum = 0.0;
        for (int j = 0; j < n[d]; j++)
            sum += factor(kind, n[d], j, k) * x[p + (j - k) * step];
        worst = fmax(worst, fabs(X[p] - sum));
        worst_back = fmax(worst_back, fabs(back[p] / scale - x[p]));
    }
    CHECK_NEAR(worst, 0.0, 1e-13);
    CHECK_NEAR(worst_back, 0.0, 1e-14);
    rg_lines_free(g, &t);
    rg_grid_destroy(&g);
    rg_context_destroy(&ctx);
}

static void all_kinds(void)
{
    static const int sizes[][3] = {
        {13, 11, 12},
        {12, 10, 9 },
        {1,  2,  3 },
        {2,  1,  1 },
        {5,  8,  1 },
        {3,  3,  2 },
        {41, 3,  2 }, /* several vectors, and what they leave over */
        {44, 3,  1 },
        {39, 2,  1 }
    };

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int d = 0; d < 3; d++)
            for (int kind = RG_LINES_FOURIER; kind <= RG_LINES_HALF_SINE; kind++)
                check_axis(sizes[s], d, (rg_lines_kind)kind);
}

int main(void)
{
    static const test_case cases[] = {
        {"all kinds", all_kinds},
    };
    return test_main(cases, sizeof cases / sizeof *cases);
}
