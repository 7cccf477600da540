/* Full matrices: complete orthogonal and small LU factors, least-squares solutions. */
#include "linalg/cod.h"
#include "linalg/dense.h"
#include "linalg/small_lu.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static double noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* A = B C with B m x r, C r x n: rank r. */
static void make_rank(int m, int n, int r, unsigned seed, double *A)
{
    double B[100], C[100];

    for (int k = 0; k < m * r; k++)
        B[k] = noise(&seed);
    for (int k = 0; k < r * n; k++)
        C[k] = noise(&seed);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            A[j * m + i] = 0.0;
            for (int k = 0; k < r; k++)
                A[j * m + i] += B[k * m + i] * C[j * r + k];
        }
}

static double product(int m, int n, const double *A, const double *x, int i)
{
    double sum = 0.0;
    for (int j = 0; j < n; j++)
        sum += A[j * m + i] * x[j];
    return sum;
}

static void check_svd(rg_context *ctx, int m, int n, int r)
{
    double A[100], s[10], U[100], V[100], alone[10];
    const int k = m < n ? m : n;

    make_rank(m, n, r, 7u, A);
    CHECK_INT(rg_svd(ctx, m, n, A, s, U, V), RG_OK);
    CHECK_INT(rg_svd(ctx, m, n, A, alone, NULL, NULL), RG_OK);
    for (int j = 0; j < k; j++)
        CHECK_NEAR(s[j], alone[j], 1e-14 * s[0]);
    for (int j = r; j < k; j++)
        CHECK(s[j] < 1e-13 * s[0]);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int l = 0; l < k; l++)
                sum += U[l * m + i] * s[l] * V[l * n + j];
            CHECK_NEAR(sum, A[j * m + i], 1e-13);
        }
    CHECK_INT(rg_svd(ctx, m, n, A, s, NULL, V), RG_OK);
    for (int l = r; l < n; l++)
        for (int i = 0; i < m; i++)
            CHECK_NEAR(product(m, n, A, V + l * n, i), 0.0, 1e-13);
}

static void test_svd(void)
{
    rg_context *ctx = NULL;

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    check_svd(ctx, 6, 4, 3);
    check_svd(ctx, 4, 6, 4);
    check_svd(ctx, 5, 5, 2);
    double bad[4] = {1.0, NAN, 2.0, 3.0}, s[2];
    CHECK_INT(rg_svd(ctx, 2, 2, bad, s, NULL, NULL), RG_RETRY);
    CHECK_INT(rg_svd(ctx, 0, 2, bad, s, NULL, bad), RG_OK);
    CHECK_NEAR(bad[0] + bad[3], 2.0, 0.0);
    rg_context_destroy(&ctx);
}

static void check_null_spaces(int m, int n, const rg_qr *qr, const double *A)
{
    const int r = (int)rg_qr_rank(qr);
    double N[100];

    rg_qr_right_null(qr, N);
    for (int l = 0; l < n - r; l++) {
        double size = 0.0;
        for (int j = 0; j < n; j++)
            size += N[l * n + j] * N[l * n + j];
        CHECK_NEAR(size, 1.0, 1e-13);
        for (int i = 0; i < m; i++)
            CHECK_NEAR(product(m, n, A, N + l * n, i), 0.0, 1e-13);
    }
    rg_qr_left_null(qr, N);
    for (int l = 0; l < m - r; l++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int i = 0; i < m; i++)
                sum += N[l * m + i] * A[j * m + i];
            CHECK_NEAR(sum, 0.0, 1e-13);
        }
}

/* x against the pseudo-inverse V diag(1/s) U^T from the singular values. */
static void check_least_norm(rg_context *ctx, int m, int n, const rg_qr *qr, const double *A)
{
    const int r = (int)rg_qr_rank(qr);
    double b[10], x[10], c[10], s[10], U[100], V[100];

    for (int i = 0; i < m; i++)
        b[i] = 1.0 + i;
    rg_qr_solve(qr, b, x, c);
    CHECK_INT(rg_svd(ctx, m, n, A, s, U, V), RG_OK);
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int l = 0; l < r; l++)
            for (int i = 0; i < m; i++)
                sum += V[l * n + j] / s[l] * U[l * m + i] * b[i];
        CHECK_NEAR(x[j], sum, 1e-11 * (1.0 + fabs(sum)));
    }
}

static void test_qr(void)
{
    static const int shape[][3] = {
        {6, 4, 3},
        {4, 6, 4},
        {5, 5, 2},
        {5, 5, 5},
        {3, 7, 1},
        {4, 4, 0}
    };
    rg_context *ctx = NULL;

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
        const int m = shape[k][0], n = shape[k][1];
        double A[100];
        int64_t rank = -1;
        rg_qr *qr = NULL;
        make_rank(m, n, shape[k][2], 11u, A);
        CHECK_INT(rg_rank_qr(ctx, m, n, A, 1e-12, &rank, NULL), RG_OK);
        CHECK_INT(rank, shape[k][2]);
        CHECK_INT(rg_rank_svd(ctx, m, n, A, 1e-12, &rank), RG_OK);
        CHECK_INT(rank, shape[k][2]);
        if (!CHECK_INT(rg_qr_create(ctx, m, n, A, 1e-12, &qr), RG_OK)) continue;
        check_null_spaces(m, n, qr, A);
        check_least_norm(ctx, m, n, qr, A);
        rg_qr_destroy(&qr);
    }
    rg_context_destroy(&ctx);
}

/* The decomposition of known rank: least norm, left part, null space; against the singular values.
 * */
static void check_cod(rg_context *ctx, int n, int r)
{
    double A[100], b[10], x[10], s[10], U[100], V[100];
    rg_cod *c = NULL;

    make_rank(n, n, r, 23u, A);
    CHECK_INT(rg_svd(ctx, n, n, A, s, U, V), RG_OK);
    if (!CHECK_INT(rg_cod_create(ctx, n, &c), RG_OK)) return;
    memcpy(rg_cod_values(c), A, (size_t)(n * n) * sizeof *A);
    CHECK(rg_cod_factor(c, r));
    CHECK(rg_cod_ratio(c) > 0.01 && rg_cod_ratio(c) <= 1.0);
    for (int i = 0; i < n; i++)
        b[i] = 1.0 + i;
    rg_cod_solve(c, b, x);
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int l = 0; l < r; l++)
            for (int i = 0; i < n; i++)
                sum += V[l * n + j] / s[l] * U[l * n + i] * (1.0 + i);
        CHECK_NEAR(x[j], sum, 1e-12 * (1.0 + fabs(sum)));
    }
    for (int i = 0; i < n; i++)
        b[i] = 1.0 + i;
    rg_cod_left(c, b);
    for (int i = 0; i < n; i++) /* what A x leaves of b */
        CHECK_NEAR(b[i], 1.0 + i - product(n, n, A, x, i), 1e-12);
    for (int k = 0; k < n - r; k++) {
        rg_cod_null(c, k, b);
        CHECK_NEAR(product(1, n, b, b, 0), 1.0, 1e-13);
        for (int i = 0; i < n; i++)
            CHECK_NEAR(product(n, n, A, b, i), 0.0, 1e-13);
    }
    rg_cod_destroy(&c);
}

static void test_cod(void)
{
    rg_context *ctx = NULL;

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    check_cod(ctx, 6, 4);
    check_cod(ctx, 5, 5);
    check_cod(ctx, 9, 1);
    check_cod(ctx, 4, 0);
    rg_context_destroy(&ctx);
}

/* A zero in the first place, and one that elimination makes: rows are exchanged. */
static void test_small_pivots(void)
{
    double A[9] = {0, 2, 1, 1, 4, 2, 3, 1, 0}, b[3]; /* columns */
    const double x[3] = {1, -2, 3}, C[9] = {0, 2, 1, 1, 4, 2, 3, 1, 0};
    int pivot[3];

    for (int i = 0; i < 3; i++)
        b[i] = C[i] * x[0] + C[3 + i] * x[1] + C[6 + i] * x[2];
    if (!CHECK(rg_small_lu_factor(3, A, pivot))) return;
    rg_small_lu_solve(3, A, pivot, b);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(b[i], x[i], 1e-14);
}

static const test_case cases[] = {
    {"small pivots", test_small_pivots},
    {"svd",          test_svd         },
    {"qr",           test_qr          },
    {"cod",          test_cod         }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
