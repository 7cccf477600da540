/* Matrices by pattern, factored as full or sparse ones: both ways give the same solutions. */
#include "linalg/lu_impl.h"
#include "linalg/matrix.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 120 };

static double noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

typedef struct { /* M = z Jyp + Jy, dense copies for the check */
    int n;
    rg_pattern pattern;
    int64_t start[MOST + 1];
    int32_t row[MOST * MOST];
    double Jy[MOST * MOST], Jyp[MOST * MOST];
} sample;

/* A random matrix with `band` entries on each side of the diagonal; rows differ by factors up to
 * 1e8. */
static void make_sample(sample *s, int n, int band, unsigned seed)
{
    int64_t count = 0;

    s->n = n;
    for (int j = 0; j < n; j++) {
        s->start[j] = count;
        for (int i = 0; i < n; i++) {
            if (abs(i - j) > band && (i * 7 + j * 3) % 41 != 0) continue;
            const double scale = pow(10.0, 4.0 * sin(i));
            s->row[count] = i;
            s->Jy[count] = scale * noise(&seed);
            s->Jyp[count++] = i % 3 != 0 ? scale * noise(&seed) : 0.0;
        }
    }
    s->start[n] = count;
    s->pattern = (rg_pattern){n, n, s->start, s->row};
}

/* x with known M x: the error of the solution. */
static double solve_error(rg_matrix *m, const sample *s, double re, double im, double factor)
{
    double x[MOST], y[MOST], b[MOST] = {0}, c[MOST] = {0}, worst = 0.0;

    for (int i = 0; i < s->n; i++) {
        x[i] = 1.0 + i % 5;
        y[i] = im != 0.0 ? 2.0 - i % 3 : 0.0;
    }
    rg_pattern_multiply(&s->pattern, s->Jy, factor, x, b);
    rg_pattern_multiply(&s->pattern, s->Jyp, re, x, b);
    rg_pattern_multiply(&s->pattern, s->Jyp, -im, y, b);
    rg_pattern_multiply(&s->pattern, s->Jy, factor, y, c);
    rg_pattern_multiply(&s->pattern, s->Jyp, re, y, c);
    rg_pattern_multiply(&s->pattern, s->Jyp, im, x, c);
    rg_matrix_solve(m, b, c);
    for (int i = 0; i < s->n; i++) {
        worst = fmax(worst, fabs(b[i] - x[i]));
        if (im != 0.0) worst = fmax(worst, fabs(c[i] - y[i]));
    }
    return worst;
}

/* |b - M^T x| beside |M^T| |x|, M = Jy: rows of M differ in size, and so do errors of x. */
static double residual_transposed(rg_matrix *m, const sample *s)
{
    double x[MOST], worst = 0.0;

    for (int j = 0; j < s->n; j++)
        x[j] = 1.0 + j % 5;
    rg_matrix_solve_transposed(m, x);
    for (int j = 0; j < s->n; j++) {
        double r = 1.0 + j % 5, size = r;
        for (int64_t k = s->start[j]; k < s->start[j + 1]; k++) {
            r -= s->Jy[k] * x[s->row[k]];
            size += fabs(s->Jy[k] * x[s->row[k]]);
        }
        worst = fmax(worst, fabs(r) / size);
    }
    return worst;
}

static void check_matrix(rg_context *ctx, int n, int band, bool sparse)
{
    sample *s = malloc(sizeof *s);

    if (!CHECK(s != NULL)) return;
    make_sample(s, n, band, 5u);
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        rg_matrix *m = NULL;
        const double im = is_complex ? 2.5 : 0.0;
        CHECK_INT(rg_matrix_create(ctx, &s->pattern, is_complex, &m), RG_OK);
        CHECK_INT(rg_matrix_is_sparse(m), sparse);
        CHECK_INT(rg_matrix_factor(m, 3.0, im, s->Jy, s->Jyp), RG_OK);
        CHECK(solve_error(m, s, 3.0, im, 1.0) < 1e-9);
        CHECK_INT(rg_matrix_factor(m, 1e3, 1e3 * im, s->Jy, s->Jyp), RG_OK); /* refactored */
        CHECK(solve_error(m, s, 1e3, 1e3 * im, 1.0) < 1e-9);
        CHECK_INT(rg_matrix_factor_near(m, 4e2, 4e2 * im, s->Jy, s->Jyp), RG_OK);
        CHECK(solve_error(m, s, 4e2, 4e2 * im, 1.0) < 1e-9);
        CHECK_INT(rg_matrix_factor(m, 3.0, im, s->Jy, NULL), RG_OK);
        CHECK_INT(rg_matrix_has_transposed(m), sparse && !is_complex);
        if (rg_matrix_has_transposed(m)) CHECK(residual_transposed(m, s) < 1e-11);
        rg_matrix_destroy(&m);
    }
    free(s);
}

static void test_sizes(void)
{
    rg_context *ctx = NULL;

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    for (int n = 1; n <= 4; n++) /* number by number */
        check_matrix(ctx, n, n, false);
    check_matrix(ctx, 5, 5, false);
    check_matrix(ctx, 19, 3, false);
    check_matrix(ctx, 60, 60, false); /* full: LAPACK */
    check_matrix(ctx, 30, 30, false); /* full: own real, LAPACK complex */
    check_matrix(ctx, MOST, 2, true); /* KLU */
    rg_context_destroy(&ctx);
}

/* Singular, zero and not finite matrices ask for a retry, and the matrix is usable afterwards. */
static void check_bad(rg_context *ctx, int n, int band)
{
    sample *s = malloc(sizeof *s);
    rg_matrix *m = NULL;

    if (!CHECK(s != NULL)) return;
    make_sample(s, n, band, 9u);
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        const double im = is_complex ? 2.0 : 0.0;
        CHECK_INT(rg_matrix_create(ctx, &s->pattern, is_complex, &m), RG_OK);
        const double kept = s->Jy[0];
        s->Jy[0] = NAN;
        CHECK_INT(rg_matrix_factor(m, 1.0, im, s->Jy, s->Jyp), RG_RETRY);
        s->Jy[0] = INFINITY;
        CHECK_INT(rg_matrix_factor(m, 1.0, im, s->Jy, s->Jyp), RG_RETRY);
        s->Jy[0] = kept;
        double *zero = calloc((size_t)s->start[n], sizeof *zero);
        CHECK_INT(rg_matrix_factor(m, 1.0, im, zero, zero), RG_RETRY);
        for (int64_t k = 0; k < s->start[n]; k++)
            zero[k] = k >= s->start[1] ? s->Jy[k] : 0.0; /* column 0 vanishes */
        CHECK_INT(rg_matrix_factor(m, 1.0, im, zero, NULL), RG_RETRY);
        free(zero);
        CHECK_INT(rg_matrix_factor(m, 1.0, im, s->Jy, s->Jyp), RG_OK);
        CHECK(solve_error(m, s, 1.0, im, 1.0) < 1e-9);
        s->Jy[0] = NAN;
        CHECK_INT(rg_matrix_factor_near(m, 1.0, im, s->Jy, s->Jyp), RG_RETRY);
        s->Jy[0] = kept;
        rg_matrix_destroy(&m);
    }
    free(s);
}

static void test_bad(void)
{
    rg_context *ctx = NULL;

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    for (int n = 2; n <= 6; n++)
        check_bad(ctx, n, n);
    check_bad(ctx, 60, 60);
    check_bad(ctx, MOST, 2);
    rg_context_destroy(&ctx);
}

/* Own loops against LAPACK on the same matrices. */
static void test_own_and_lapack(void)
{
    rg_context *ctx = NULL;

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    for (int n = 1; n <= RG_QUAD_ROWS; n++)
        for (int is_complex = 0; is_complex < 2; is_complex++) {
            double x[2][MOST], y[2][MOST];
            for (int lapack = 0; lapack < 2; lapack++) {
                rg_lu *lu = NULL;
                unsigned seed = 3u;
                if (!CHECK_INT(rg_lu_create_as(ctx, n, is_complex, lapack, &lu), RG_OK)) return;
                for (int64_t k = 0; k < (int64_t)n * n; k++) {
                    lu->A[lu->stride * k] = noise(&seed);
                    if (is_complex) lu->A[lu->stride * k + lu->imaginary] = noise(&seed);
                }
                for (int i = 0; i < n; i++) {
                    x[lapack][i] = noise(&seed);
                    y[lapack][i] = noise(&seed);
                }
                CHECK_INT(rg_lu_factor(lu), RG_OK);
                rg_lu_solve(lu, x[lapack], y[lapack]);
                rg_lu_destroy(&lu);
            }
            for (int i = 0; i < n; i++) {
                CHECK_NEAR(x[0][i], x[1][i], 1e-11 * (1.0 + fabs(x[1][i])));
                CHECK_NEAR(y[0][i], y[1][i], 1e-11 * (1.0 + fabs(y[1][i])));
            }
        }
    rg_context_destroy(&ctx);
}

/* A matrix of rank n - 2: row 3 = row 1 + row 2, column 4 = 2 column 0, and so on; with two pins it
 * is regular, and solutions of consistent systems satisfy all equations. */
static void test_pins(void)
{
    enum { N = 7 };
    rg_context *ctx = NULL;
    sample *s = malloc(sizeof *s);
    rg_matrix *m = NULL;
    int rows[2], columns[2];
    double b[N] = {0}, x[N] = {1, 2, 3, 4, 5, 6, 7}, again[N] = {0}, most[N * N] = {0};

    if (!CHECK(s != NULL) || !CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    make_sample(s, N, N, 5u);
    for (int j = 0; j < N; j++) {
        s->Jy[j * N + 3] = s->Jy[j * N + 1] + s->Jy[j * N + 2];
        s->Jy[j * N + 6] = s->Jy[j * N + 5] - s->Jy[j * N + 0];
    }
    for (int k = 0; k < N * N; k++)
        s->Jyp[k] = 0.0;
    rg_pattern_multiply(&s->pattern, s->Jy, 1.0, x, b);
    memcpy(x, b, sizeof x);
    CHECK_INT(
        rg_matrix_find_dependent(ctx, &s->pattern, 1.0, s->Jy, s->Jyp, most, 2, rows, columns),
        RG_OK);
    CHECK(rows[0] != rows[1] && columns[0] != columns[1]);
    CHECK_INT(rg_matrix_create(ctx, &s->pattern, false, &m), RG_OK);
    CHECK_INT(rg_matrix_pin(m, 2, rows, columns), RG_OK);
    CHECK_INT(rg_matrix_factor(m, 1.0, 0.0, s->Jy, s->Jyp), RG_OK);
    rg_matrix_solve(m, x, NULL);
    CHECK(x[columns[0]] == 0.0 && x[columns[1]] == 0.0);
    rg_pattern_multiply(&s->pattern, s->Jy, 1.0, x, again);
    for (int i = 0; i < N; i++)
        CHECK_NEAR(again[i], b[i], 1e-9 * (1.0 + fabs(b[i])));
    rg_matrix_destroy(&m);
    rg_context_destroy(&ctx);
    free(s);
}

/* (0, s, c; s, 0, 0; c, 0, 0), rank 2: a crank whose tip is held twice, by the cosine and the sine
 * of its angle.  Which of them says more is known by what they were; a row that is small in its
 * units is not one that vanishes, and one that has faded altogether is still told from rounding. */
static void test_vanishing(void)
{
    static const int64_t start[] = {0, 2, 3, 4};
    static const int32_t row[] = {1, 2, 0, 0};
    const rg_pattern pattern = {3, 3, (int64_t *)start, (int32_t *)row};
    static const double zero[4] = {0};
    double most[4] = {0};
    int r, c;
    rg_context *ctx = NULL;

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    for (int k = 0; k <= 40; k++) {
        const double f = 0.1 + 0.157 * k, s = sin(f), co = 1e-5 * cos(f);
        const double J[4] = {s, co, s, co};
        CHECK_INT(rg_matrix_find_dependent(ctx, &pattern, 0.0, J, zero, most, 1, &r, &c), RG_OK);
        if (k < 10) continue; /* a quarter of a turn: what they can be */
        const bool is_sine = fabs(sin(f)) > fabs(cos(f));
        CHECK_INT(r, is_sine ? 2 : 1);
        CHECK_INT(c, is_sine ? 2 : 1);
    }
    for (double faded = 1.0; faded > 1e-40; faded *= 1e-3) {
        const double J[4] = {0.0, faded, 0.0, faded};
        CHECK_INT(rg_matrix_find_dependent(ctx, &pattern, 0.0, J, zero, most, 1, &r, &c), RG_OK);
        CHECK_INT(r, 1);
        CHECK_INT(c, 1);
    }
    const rg_pattern nothing = {0, 0, (int64_t *)start, (int32_t *)row};
    CHECK_INT(rg_matrix_find_dependent(ctx, &nothing, 0.0, zero, zero, most, 1, &r, &c), RG_RETRY);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"sizes",          test_sizes         },
    {"bad matrices",   test_bad           },
    {"pins",           test_pins          },
    {"vanishing rows", test_vanishing     },
    {"own and lapack", test_own_and_lapack},
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
