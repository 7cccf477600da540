/* Own singular values, orthogonal factors and eigenvalues beside those of LAPACK. */
#include "linalg/dense.h"
#include "linalg/eigenvalues.h"
#include "linalg/lapack.h"
#include "linalg/orthonormal.h"
#include "linalg/vectors.h"
#include "support/test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

static unsigned seed = 12345u;

static double noise(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 8388608.0 - 1.0;
}

/* C = A B, and S = T^-T, for all remainders of rows and columns by four. */
static void test_products(void)
{
    static double A[MOST * MOST], B[MOST * MOST], C[MOST * MOST], S[MOST * MOST];

    for (int m = 1; m <= 9; m++)
        for (int n = 0; n <= 9; n++)
            for (int k = 0; k <= 5; k++) {
                double worst = 0.0;
                for (int i = 0; i < MOST * MOST; i++) {
                    A[i] = noise();
                    B[i] = noise();
                }
                rg_multiply(m, k, n, A, B, C);
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < m; i++) {
                        double sum = -C[j * m + i];
                        for (int l = 0; l < k; l++)
                            sum += A[l * m + i] * B[j * k + l];
                        worst = fmax(worst, fabs(sum));
                    }
                CHECK(worst <= 8 * DBL_EPSILON);
            }
    for (int k = 1; k <= 12; k++) {
        double worst = 0.0;
        for (int i = 0; i < k * k; i++)
            A[i] = (i % k == i / k ? 3.0 : 0.0) + (i % k <= i / k ? noise() : 0.0);
        rg_invert_transposed(k, A, S);
        for (int j = 0; j < k; j++)
            for (int i = 0; i < k; i++) {
                double sum = i == j ? -1.0 : 0.0;
                for (int l = 0; l < k; l++)
                    sum += A[i * k + l] * S[j * k + l]; /* T^T S */
                worst = fmax(worst, fabs(sum));
            }
        CHECK(worst <= 100 * DBL_EPSILON);
    }
}

static double off_identity(int n, const double *Q)
{
    double worst = 0.0;

    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) {
            double sum = j == k ? -1.0 : 0.0;
            for (int i = 0; i < n; i++)
                sum += Q[j * n + i] * Q[k * n + i];
            worst = fmax(worst, fabs(sum));
        }
    return worst;
}

/* |A - U s V^T|, largest entry */
static double off_product(int m, int n, const double *A, const double *s, const double *U,
                          const double *V)
{
    const int k = m < n ? m : n;
    double worst = 0.0;

    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = -A[j * m + i];
            for (int l = 0; l < k; l++)
                sum += U[l * m + i] * s[l] * V[l * n + j];
            worst = fmax(worst, fabs(sum));
        }
    return worst;
}

static void lapack_values(int m, int n, const double *A, double *s)
{
    static double copy[MOST * MOST], work[20000];
    const int one = 1, l_work = 20000;
    int i_work[8 * MOST], info;
    double none;

    memcpy(copy, A, (size_t)(m * n) * sizeof *A);
    rg_dgesdd_("N", &m, &n, copy, &m, s, &none, &one, &none, &one, work, &l_work, i_work, &info, 1);
    CHECK_INT(info, 0);
}

/* Entries of size `scale`, columns falling by powers of ten over `decades`, rank r. */
static void make(int m, int n, int r, double scale, double decades, double *A)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            const double grade = pow(10.0, -decades * j / (n > 1 ? n - 1 : 1));
            A[j * m + i] = j < r ? scale * grade * noise() : 0.0;
        }
    for (int j = r; j < n && r > 0; j++)
        for (int l = 0; l < r; l++) {
            const double factor = noise();
            for (int i = 0; i < m; i++)
                A[j * m + i] += factor * A[l * m + i];
        }
}

static void check_svd(rg_context *ctx, int m, int n, int r, double scale, double decades)
{
    static double A[MOST * MOST], U[MOST * MOST], V[MOST * MOST];
    double s[MOST], known[MOST];
    const int k = m < n ? m : n;

    make(m, n, r, scale, decades, A);
    if (!CHECK_INT(rg_svd(ctx, m, n, A, s, U, V), RG_OK)) return;
    lapack_values(m, n, A, known);
    for (int j = 0; j < k; j++)
        CHECK_NEAR(s[j], known[j], 1e-13 * known[0]);
    for (int j = 1; j < k; j++)
        CHECK(s[j] <= s[j - 1]);
    CHECK(off_identity(m, U) < 1e-13);
    CHECK(off_identity(n, V) < 1e-13);
    CHECK(off_product(m, n, A, s, U, V) <= 1e-13 * known[0]);
}

static void test_singular_values(void)
{
    static const int sizes[][2] = {
        {1,  1 },
        {1,  5 },
        {5,  1 },
        {3,  3 },
        {7,  4 },
        {4,  7 },
        {40, 40},
        {40, 13},
        {2,  40}
    };
    rg_context *ctx = NULL;

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int rank = 0; rank < 3; rank++) { /* full, half, none */
            const int m = sizes[k][0], n = sizes[k][1];
            const int r = rank == 0 ? n : rank == 1 ? (n + 1) / 2 : 0;
            check_svd(ctx, m, n, r, 1.0, 0.0);
            check_svd(ctx, m, n, r, 1e-200, 0.0);
            check_svd(ctx, m, n, r, 1e200, 12.0);
        }
    for (int round = 0; round < 2000; round++) { /* small whole numbers, one column a multiple */
        double A[25], U[25], V[25], t[5];
        const int n = 2 + round % 4;
        for (int k = 0; k < n * n; k++)
            A[k] = floor(1.5 * noise() + 0.5);
        for (int i = 0; i < n; i++)
            A[i] = 3.1 * A[n + i];
        if (!CHECK_INT(rg_svd(ctx, n, n, A, t, U, V), RG_OK)) break;
        CHECK(t[n - 1] <= 1e-14 * (t[0] + DBL_MIN));
        CHECK(off_identity(n, U) < 1e-13 && off_identity(n, V) < 1e-13);
    }
    for (int round = 0; round < 2000;
         round++) { /* few entries: pairs are orthogonal as they stand */
        double A[25] = {0.0}, t[5], known[5];
        const int n = 2 + round % 4;
        for (int k = 0; k < n + 1; k++)
            A[(int)((double)(n * n) * fabs(noise())) % (n * n)] = noise();
        if (!CHECK_INT(rg_svd(ctx, n, n, A, t, NULL, NULL), RG_OK)) break;
        lapack_values(n, n, A, known);
        for (int j = 0; j < n; j++)
            CHECK_NEAR(t[j], known[j], 1e-13);
    }
    rg_context_destroy(&ctx);
}

/* Rank, least-norm solution and null spaces of matrices in extreme units. */
static void test_factors(void)
{
    static double A[MOST * MOST], N[MOST * MOST];
    static const double scales[] = {1.0, 1e-160, 1e160};
    double x[MOST], c[MOST], b[MOST], known[MOST];
    rg_context *ctx = NULL;
    rg_qr *qr = NULL;

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    for (int k = 0; k < 3; k++) {
        const int m = 30, n = 40, r = 20;
        make(m, n, r, scales[k], 3.0, A);
        for (int j = 0; j < n; j++)
            known[j] = noise();
        for (int i = 0; i < m; i++) {
            b[i] = 0.0;
            for (int j = 0; j < n; j++)
                b[i] += A[j * m + i] * known[j];
        }
        if (!CHECK_INT(rg_qr_create(ctx, m, n, A, 1e-12, &qr), RG_OK)) break;
        CHECK_INT(rg_qr_rank(qr), r);
        rg_qr_solve(qr, b, x, c);
        for (int i = 0; i < m; i++) {
            double sum = -b[i];
            for (int j = 0; j < n; j++)
                sum += A[j * m + i] * x[j];
            CHECK_NEAR(sum, 0.0, 1e-11 * scales[k]);
        }
        rg_qr_right_null(qr, N);
        for (int l = 0; l < n - r; l++) { /* x has no part in the null space */
            double sum = 0.0;
            for (int j = 0; j < n; j++)
                sum += N[l * n + j] * x[j];
            CHECK_NEAR(sum, 0.0, 1e-12);
        }
        rg_qr_destroy(&qr);
    }
    rg_context_destroy(&ctx);
}

/* Every eigenvalue of LAPACK has one of ours beside it; each is used once. */
static void check_eigenvalues(int n, const double *A, double tol)
{
    static double copy[MOST * MOST], work[64 * MOST];
    double re[MOST], im[MOST], known_re[MOST], known_im[MOST], none, size = 0.0;
    const int one = 1, l_work = 64 * MOST;
    bool is_used[MOST] = {false};
    int info;

    memcpy(copy, A, (size_t)(n * n) * sizeof *A);
    rg_dgeev_("N", "N", &n, copy, &n, known_re, known_im, &none, &one, &none, &one, work, &l_work,
              &info, 1, 1);
    CHECK_INT(info, 0);
    memcpy(copy, A, (size_t)(n * n) * sizeof *A);
    if (!CHECK(rg_eigenvalues(n, copy, re, im))) return;
    for (int j = 0; j < n; j++)
        size = fmax(size, hypot(known_re[j], known_im[j]));
    for (int j = 0; j < n; j++) {
        double near = INFINITY;
        int best = 0;
        for (int k = 0; k < n; k++) {
            const double distance = hypot(re[k] - known_re[j], im[k] - known_im[j]);
            if (is_used[k] || distance >= near) continue;
            near = distance;
            best = k;
        }
        is_used[best] = true;
        CHECK(near <= tol * (size + DBL_MIN));
    }
}

static void test_eigenvalues(void)
{
    static double A[MOST * MOST];

    for (int n = 1; n <= MOST; n++)
        for (int kind = 0; kind < 4; kind++) {
            for (int k = 0; k < n * n; k++) {
                const int i = k % n, j = k / n;
                A[k] = noise();
                if (kind == 1) A[k] *= pow(10.0, 6.0 * noise()); /* rough */
                if (kind == 2) A[k] = i == (j + 1) % n;          /* a cycle: all of size 1 */
                if (kind == 3) A[k] *= pow(2.0, i - j);          /* to be balanced */
            }
            check_eigenvalues(n, A, 1e-10);
        }
    memset(A, 0, sizeof A);
    check_eigenvalues(5, A, 1e-14);
    const double pair[] = {0.0, -4.0, 1.0, 0.0}; /* x'' = -4 x */
    double copy[4], re[2], im[2];
    memcpy(copy, pair, sizeof pair);
    CHECK(rg_eigenvalues(2, copy, re, im));
    CHECK_NEAR(re[0], 0.0, 0.0);
    CHECK_NEAR(fabs(im[0]), 2.0, 1e-15);
}

static const test_case cases[] = {
    {"products",        test_products       },
    {"singular values", test_singular_values},
    {"factors",         test_factors        },
    {"eigenvalues",     test_eigenvalues    }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
