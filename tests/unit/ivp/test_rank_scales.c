/* The signal of lost rank does not depend on the units of equations and unknowns. */
#include "support/test.h"

#include "ivp/passage/rank.h"
#include "regula.h"

#include <math.h>

enum { N = 5 };

/* (M G^T; G 0): masses 2, 3, 1 and two constraints, the second one with the share c of the first
 * direction; the masses are coupled by `tiny`. */
static void fill(double c, double tiny, const double *row, const double *column, double *A)
{
    const double values[N][N] = {
        {2, 0, tiny, 1, c},
        {0, 3, 0,    1, 0},
        {0, 0, 1,    0, c},
        {1, 1, 0,    0, 0},
        {c, 0, c,    0, 0}
    };
    int e = 0;

    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            if (values[i][j] != 0.0 || (i == 0 && j == 2))
                A[e++] = row[i] * values[i][j] * column[j];
}

static void make_pattern(rg_pattern *p, int64_t *start, int32_t *row)
{
    static const bool has[N][N] = {
        {1, 0, 1, 1, 1},
        {0, 1, 0, 1, 0},
        {0, 0, 1, 0, 1},
        {1, 1, 0, 0, 0},
        {1, 0, 1, 0, 0}
    };
    int64_t e = 0;

    for (int j = 0; j < N; j++) {
        start[j] = e;
        for (int i = 0; i < N; i++)
            if (has[i][j]) row[e++] = i;
    }
    start[N] = e;
    *p = (rg_pattern){.n_rows = N, .n_columns = N, .start = start, .row = row};
}

/* s at c = 1, which makes the scales, and then as the second constraint loses its rank */
static void signals(double tiny, const double *row, const double *column, double *s)
{
    rg_context *ctx = NULL;
    rg_passage_rank *r = NULL;
    rg_leading leading = {0};
    int64_t start[N + 1];
    int32_t rows[N * N];
    const double share[3] = {1.0, 0.1, 0.01};

    make_pattern(&leading.pattern, start, rows);
    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_passage_rank_create(ctx, &leading, &r) == RG_OK);
    for (int k = 0; k < 3; k++) {
        fill(share[k], tiny, row, column, r->A);
        CHECK(rg_passage_rank_factor(r));
        for (int repeat = 0; repeat < 20; repeat++) /* inverse iteration converges */
            s[k] = rg_passage_rank_signal(r);
    }
    rg_passage_rank_destroy(&r);
    rg_context_destroy(&ctx);
}

static void test_units(void)
{
    const double one[N] = {1, 1, 1, 1, 1};
    const double row[N] = {1e3, 1e-3, 1e6, 1e3, 1e-6}, column[N] = {1e-3, 1e3, 1, 1e6, 1e-4};
    double plain[3], scaled[3];

    signals(0.0, one, one, plain);
    signals(0.0, row, column, scaled);
    for (int k = 0; k < 3; k++)
        CHECK(fabs(scaled[k] - plain[k]) < 0.02 * plain[k]);
    CHECK(plain[0] > 0.1 && plain[2] < 1e-3 * plain[0]); /* quadratic in the share that is left */
}

/* What rounding leaves of an entry, or a flank far away, is nothing beside the others. */
static void test_tiny(void)
{
    static const double sizes[] = {1e-12, 1e-40, 1e-160, 1e-300};
    const double one[N] = {1, 1, 1, 1, 1};
    double plain[3], now[3];

    signals(0.0, one, one, plain);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        signals(sizes[i], one, one, now);
        for (int k = 0; k < 3; k++)
            CHECK(fabs(now[k] - plain[k]) < 0.02 * plain[k]);
    }
}

static const test_case cases[] = {
    {"units",        test_units},
    {"tiny entries", test_tiny }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
