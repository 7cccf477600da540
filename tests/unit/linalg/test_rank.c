/* Numerical rank of badly scaled matrices. */
#include "linalg/dense.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static unsigned random_state = 7;
static double draw(void)
{
    random_state = random_state * 1103515245u + 12345u;
    return (double)(random_state >> 8) / 8388608.0 - 1.0;
}

/* n x n of rank r with rows and columns scaled by 10^-8 .. 10^8. */
static void make_matrix(int n, int r, double *A)
{
    double left[20 * 20], right[20 * 20];
    for (int k = 0; k < n * r; k++)
        left[k] = draw(), right[k] = draw();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < r; k++)
                sum += left[i * r + k] * right[j * r + k];
            A[j * n + i] = sum * pow(10.0, (i * 7) % 17 - 8) * pow(10.0, (j * 5) % 17 - 8);
        }
}

static void test_scaled_rank(void)
{
    rg_context *ctx = NULL;
    double A[20 * 20], row[20], column[20], s[20];
    CHECK(rg_context_create(&ctx) == RG_OK);
    for (int n = 2; n <= 20; n += 3)
        for (int r = 1; r <= n; r++) {
            make_matrix(n, r, A);
            rg_equilibrate(n, n, A, row, column);
            CHECK(rg_svd(ctx, n, n, A, s, NULL, NULL) == RG_OK);
            CHECK_INT(rg_rank_from_values(n, s, s[0], RG_NOISE_EXACT), r);
            bool is_regular;
            make_matrix(n, r, A);
            CHECK(rg_is_regular(ctx, n, A, RG_NOISE_EXACT, &is_regular, NULL) == RG_OK);
            CHECK(is_regular == (r == n));
        }
    rg_context_destroy(&ctx);
}

static void test_equilibrate(void)
{
    double A[] = {1e-9, 0, 3e-3, 0, 0, 0, 2e6, 0, 5.0}, row[3], column[3];
    const double B[] = {1e-9, 0, 3e-3, 0, 0, 0, 2e6, 0, 5.0};
    rg_equilibrate(3, 3, A, row, column);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            CHECK(A[3 * j + i] == B[3 * j + i] * row[i] * column[j]);
    CHECK(row[1] == 1.0 && column[1] == 1.0);
    for (int j = 0; j < 3; j += 2) {
        double largest = 0;
        for (int i = 0; i < 3; i++)
            largest = fmax(largest, fabs(A[3 * j + i]));
        CHECK(largest > 0.1 && largest < 8.0);
    }
}

/* Gradual decay counts, a gap to the noise does not; empty and zero matrices have rank 0. */
static void test_gaps(void)
{
    const double gradual[] = {1, 1e-2, 1e-4, 1e-6, 1e-8}, gap[] = {1, 0.5, 1e-3, 1e-15, 1e-17};
    const double noisy[] = {1, 0.5, 1e-3, 3e-8, 1e-8}, zero[] = {0, 0}, above[] = {1, 5e-4};
    CHECK_INT(rg_rank_from_values(5, gradual, 1.0, RG_NOISE_EXACT), 5);
    CHECK_INT(rg_rank_from_values(5, gap, 1.0, RG_NOISE_EXACT), 3);
    CHECK_INT(rg_rank_from_values(2, above, 1.0, 1e-6), 2); /* the wider gap is above the doubt */
    CHECK_INT(rg_rank_from_values(5, noisy, 1.0, RG_NOISE_DIFFERENCES), 3);
    CHECK_INT(rg_rank_from_values(2, zero, 0.0, RG_NOISE_EXACT), 0);
    CHECK_INT(rg_rank_from_values(2, zero, 1.0, RG_NOISE_EXACT), 0);
    CHECK_INT(rg_rank_from_values(0, zero, 1.0, RG_NOISE_EXACT), 0);
}

/* A loop of two capacitors: 1e-9 or 1e-12 F beside an incidence matrix; then with two equal rows.
 * */
static void test_units(void)
{
    rg_context *ctx = NULL;
    bool is_regular;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (double c = 1e-3; c > 1e-16; c *= 0.1) {
        double A[] = {c, 0, 1, 0, 3 * c, -1, 1, -1, 0};
        double B[] = {c, 0, 1, 1, 0, 3 * c, -1, -1, 1, -1, 0, 0, 1, -1, 0, 0};
        CHECK(rg_is_regular(ctx, 3, A, RG_NOISE_EXACT, &is_regular, NULL) == RG_OK && is_regular);
        CHECK(rg_is_regular(ctx, 4, B, RG_NOISE_EXACT, &is_regular, NULL) == RG_OK && !is_regular);
    }
    rg_context_destroy(&ctx);
}

/* How small is a pivot?  Units are no dependence; constraints that differ by e alone are. */
static void test_least(void)
{
    rg_context *ctx = NULL;
    bool is_regular;
    double ratio;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (double c = 1.0; c > 1e-9; c *= 0.1) {
        const double e = 1e-5;
        double A[] = {c, 0, 1, 0, 3 * c, -1, 1, -1, 0};
        double B[] = {c, 0, 1, 1, 0, 3 * c, -1, -1 - e, 1, -1, 0, 0, 1, -1 - e, 0, 0};
        CHECK(rg_is_regular(ctx, 3, A, RG_NOISE_EXACT, &is_regular, &ratio) == RG_OK && is_regular);
        CHECK(ratio > 1e-2);
        CHECK(rg_is_regular(ctx, 4, B, RG_NOISE_EXACT, &is_regular, &ratio) == RG_OK && is_regular);
        CHECK(ratio < 10.0 * e);
    }
    rg_context_destroy(&ctx);
}

/* The same with stray entries far below all others: in the scaling by logarithms they count for as
 * much as these until they are left out. */
static void test_stray(void)
{
    rg_context *ctx = NULL;
    bool is_regular;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (double c = 1e-6; c > 1e-13; c *= 1e-3)
        for (double stray = 1e-6; stray > 1e-10; stray *= 1e-3) {
            double A[] = {c, stray * c, 1, 0, 3 * c, -1, 1, -1, stray};
            CHECK(rg_is_regular(ctx, 3, A, RG_NOISE_ITERATED, &is_regular, NULL) == RG_OK
                  && is_regular);
        }
    rg_context_destroy(&ctx);
}

/* What differs in the twelfth digit is meant where derivatives are exact, in the fourteenth not. */
static void test_exact(void)
{
    rg_context *ctx = NULL;
    bool is_regular;

    CHECK(rg_context_create(&ctx) == RG_OK);
    double A[] = {1, 1, 1, 1 + 1e-12}, B[] = {1, 1, 1, 1 + 2e-14};
    CHECK(rg_is_regular(ctx, 2, A, RG_NOISE_EXACT, &is_regular, NULL) == RG_OK && is_regular);
    CHECK(rg_is_regular(ctx, 2, B, RG_NOISE_EXACT, &is_regular, NULL) == RG_OK && !is_regular);
    rg_context_destroy(&ctx);
}

/* P A Q = L U with the permutations that are handed back; nothing is left after the rank. */
static void test_eliminate(void)
{
    enum { N = 7, RANK = 4 };
    double A[N * N], before[N * N], last = INFINITY;
    int32_t row[N], column[N];

    make_matrix(N, RANK, A);
    double scale_row[N], scale_column[N];
    rg_equilibrate(N, N, A, scale_row, scale_column);
    memcpy(before, A, sizeof A);
    for (int k = 0; k < N; k++)
        row[k] = column[k] = k;
    for (int k = 0; k < RANK; k++) {
        last = rg_eliminate(N, k, A, row, column, NULL);
        CHECK(last > rg_rank_floor(RG_NOISE_EXACT));
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0.0;
            for (int k = 0; k < RANK && k <= i && k <= j; k++)
                sum += (k == i ? 1.0 : A[k * N + i]) * A[j * N + k];
            CHECK_NEAR(sum, before[column[j] * N + row[i]], 1e-14);
        }
    CHECK(rg_eliminate(N, RANK, A, row, column, NULL) < rg_rank_floor(RG_NOISE_EXACT));
}

/* The largest entries of columns, kept from step to step, are those that a search would find: the
 * same pivots to the last bit, with zeros and with entries of the same size. */
static void test_kept_largest(void)
{
    enum { N = 23 };
    double A[N * N], B[N * N];
    int32_t row[2 * N], column[2 * N], largest[N];

    for (int round = 0; round < 50; round++) {
        for (int k = 0; k < N * N; k++)
            B[k] = A[k] = draw() < -0.3 ? rint(3.0 * draw()) : 0.0;
        for (int k = 0; k < N; k++)
            row[k] = column[k] = row[N + k] = column[N + k] = k;
        for (int k = 0; k < N; k++) {
            const double searched = rg_eliminate(N, k, A, row, column, NULL);
            CHECK(rg_eliminate(N, k, B, row + N, column + N, largest) == searched);
            if (searched == 0.0) break;
        }
        CHECK(memcmp(A, B, sizeof A) == 0);
        CHECK(memcmp(row, row + N, N * sizeof *row) == 0);
        CHECK(memcmp(column, column + N, N * sizeof *column) == 0);
    }
}

/* (1, G^T, 0; G, 0, e; 0, e^T, 0) with G of 1e-8 and e of ones, as closed flow in a large box, is
 * regular whatever its size, and singular where two rows of G are the same.  Equilibration leaves
 * the 1e-8.  37 rows go by elimination, 61 by QR. */
static void test_saddle(void)
{
    rg_context *ctx = NULL;
    static double A[61 * 61];

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (int m = 12; m <= 20; m += 8)
        for (int twice = 0; twice < 2; twice++) {
            const int k = 2 * m, n = k + m + 1;
            bool is_regular;
            memset(A, 0, sizeof A);
            for (int i = 0; i < m; i++)
                A[(n - 1) * n + k + i] = A[(k + i) * n + n - 1] = 1.0;
            for (int j = 0; j < k; j++) {
                A[j * n + j] = 1.0;
                for (int i = 0; i < m; i++)
                    A[j * n + k + i] = A[(k + i) * n + j] =
                        i == m - 1 && twice ? A[j * n + k] : 1e-8 * draw();
            }
            CHECK(rg_is_regular(ctx, n, A, RG_NOISE_EXACT, &is_regular, NULL) == RG_OK);
            CHECK(is_regular == !twice);
        }
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"elimination", test_eliminate   },
    {"largest",     test_kept_largest},
    {"saddle",      test_saddle      },
    {"units",       test_units       },
    {"least pivot", test_least       },
    {"stray",       test_stray       },
    {"exact",       test_exact       },
    {"scaled rank", test_scaled_rank },
    {"equilibrate", test_equilibrate },
    {"gaps",        test_gaps        }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
