/* Sparse factors: the choice between KLU and UMFPACK, shared analyses, bad pivots, and matrices
 * factored side by side. */
#include "linalg/matrix.h"
#include "linalg/sparse_impl.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400 };

typedef struct {
    int n;
    rg_pattern pattern;
    int64_t start[MOST + 1];
    int32_t row[MOST * MOST];
    double value[MOST * MOST];
} sample;

static double noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* A chain, with its last `block` unknowns all coupled; rows in another order, so that the large
 * entries are not on the diagonal. */
static void make_sample(sample *s, int n, int block)
{
    unsigned seed = 3u;
    int64_t count = 0;

    s->n = n;
    for (int j = 0; j < n; j++) {
        s->start[j] = count;
        for (int i = 0; i < n; i++) {
            const int k =
                (i + 7) % n; /* row i of the chain is stored as row i, but couples with k */
            const bool is_full = k >= n - block && j >= n - block;
            if (abs(k - j) > 1 && !is_full) continue;
            s->row[count] = i;
            s->value[count++] = noise(&seed) + (k == j ? 4.0 + (is_full ? block : 0.0) : 0.0);
        }
    }
    s->start[n] = count;
    s->pattern = (rg_pattern){n, n, s->start, s->row};
}

/* A x for complex x; A = value (1 + i part) */
static void multiply(const sample *s, double part, const double *x, const double *y, double *b,
                     double *c)
{
    memset(b, 0, (size_t)s->n * sizeof *b);
    memset(c, 0, (size_t)s->n * sizeof *c);
    rg_pattern_multiply(&s->pattern, s->value, 1.0, x, b);
    rg_pattern_multiply(&s->pattern, s->value, -part, y, b);
    rg_pattern_multiply(&s->pattern, s->value, 1.0, y, c);
    rg_pattern_multiply(&s->pattern, s->value, part, x, c);
}

static void fill(rg_sparse *m, const sample *s, bool is_complex, double part)
{
    double *a = rg_sparse_values(m);

    for (int64_t k = 0; k < s->start[s->n]; k++) {
        a[is_complex ? 2 * k : k] = s->value[k];
        if (is_complex) a[2 * k + 1] = part * s->value[k];
    }
}

/* The error of a solution that is known. */
static double solve_error(rg_sparse *m, const sample *s, bool is_complex, double part)
{
    double x[MOST], y[MOST], b[MOST], c[MOST], worst = 0.0;

    for (int i = 0; i < s->n; i++) {
        x[i] = 1.0 + i % 5;
        y[i] = is_complex ? 2.0 - i % 3 : 0.0;
    }
    multiply(s, is_complex ? part : 0.0, x, y, b, c);
    rg_sparse_solve(m, b, c);
    for (int i = 0; i < s->n; i++) {
        worst = fmax(worst, fabs(b[i] - x[i]));
        if (is_complex) worst = fmax(worst, fabs(c[i] - y[i]));
    }
    return worst;
}

/* Real and complex matrices of one pattern; each factored twice. */
static void check_choice(rg_context *ctx, int n, int block, bool umfpack)
{
    sample *s = malloc(sizeof *s);
    rg_sparse *m[2] = {NULL, NULL};

    if (!CHECK(s != NULL)) return;
    make_sample(s, n, block);
    CHECK_INT(rg_sparse_create(ctx, &s->pattern, false, &m[0]), RG_OK);
    CHECK_INT(rg_sparse_create_like(m[0], true, &m[1]), RG_OK);
    for (int k = 0; k < 4; k++) {
        fill(m[k % 2], s, k % 2, 0.5);
        CHECK_INT(rg_sparse_factor(m[k % 2]), RG_OK);
        CHECK_INT(rg_sparse_uses_umfpack(m[k % 2]), umfpack && HAS_GPL);
        CHECK(solve_error(m[k % 2], s, k % 2, 0.5) < 1e-11);
        CHECK(solve_error(m[k % 2], s, k % 2, 0.5) < 1e-11);
    }
    double factor, solve;
    rg_sparse_work(m[0], &factor, &solve);
    CHECK(factor > 0.0 && solve >= (double)n);
    rg_sparse_destroy(&m[0]); /* the other one keeps the analysis */
    CHECK(solve_error(m[1], s, true, 0.5) < 1e-11);
    memset(rg_sparse_values(m[1]), 0, 2 * (size_t)s->start[n] * sizeof(double));
    CHECK_INT(rg_sparse_factor(m[1]), RG_RETRY); /* singular, and usable again */
    fill(m[1], s, true, 0.5);
    CHECK_INT(rg_sparse_factor(m[1]), RG_OK);
    CHECK(solve_error(m[1], s, true, 0.5) < 1e-11);
    rg_sparse_destroy(&m[1]);
    free(s);
}

static void test_choice(void)
{
    rg_context *ctx = NULL;

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    check_choice(ctx, 300, 0, false);
    check_choice(ctx, 330, 300, true);
    rg_context_destroy(&ctx);
}

/* KLU with indices of 64 bits, with its own ordering and with one for any pivots: the same
 * solutions, also where an analysis is replaced after factors were made with it. */
static void check_klu(rg_context *ctx, bool is_long, bool is_reordered)
{
    sample *s = malloc(sizeof *s);
    rg_sparse *m[2] = {NULL, NULL};

    if (!CHECK(s != NULL)) return;
    make_sample(s, 300, 20);
    CHECK_INT(rg_sparse_create(ctx, &s->pattern, false, &m[0]), RG_OK);
    fill(m[0], s, false, 0.0);
    CHECK_INT(rg_sparse_factor(m[0]), RG_OK);
    rg_sparse_lu_clear(&m[0]->lu);
    if (is_reordered) CHECK_INT(rg_sparse_plan_reorder(m[0]->plan), RG_OK);
    if (is_long) CHECK_INT(rg_sparse_plan_lengthen(m[0]->plan), RG_OK);
    CHECK_INT(rg_sparse_create_like(m[0], true, &m[1]), RG_OK);
    /* With old pivots: its own, those of the first matrix, or those with the plan. */
    const int first_old = is_long ? 2 : is_reordered ? 1 : 0;
    for (int k = 0; k < 4; k++) {
        fill(m[k % 2], s, k % 2, 0.5);
        CHECK_INT(rg_sparse_factor(m[k % 2]), RG_OK);
        CHECK_INT(m[k % 2]->klu_long != NULL, is_long);
        CHECK_INT(m[k % 2]->is_refactored, k >= first_old);
        CHECK(solve_error(m[k % 2], s, k % 2, 0.5) < 1e-11);
    }
    double factor, solve;
    rg_sparse_work(m[0], &factor, &solve);
    CHECK(factor > 0.0 && solve >= 300.0);
    memset(rg_sparse_values(m[1]), 0, 2 * (size_t)s->start[300] * sizeof(double));
    CHECK_INT(rg_sparse_factor(m[1]), RG_RETRY);
    rg_sparse_destroy(&m[0]);
    rg_sparse_destroy(&m[1]);
    free(s);
}

static void test_klu(void)
{
    rg_context *ctx = NULL;

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    for (int k = 0; k < 4; k++)
        check_klu(ctx, k % 2 > 0, k / 2 > 0);
    rg_context_destroy(&ctx);
}

/* 2 x 2 blocks whose good pivots move off the diagonal after the first factorization, which leaves
 * `small` there: every digit that this costs comes back by refinement, or with other pivots.  The
 * second one may be that of another matrix with the same plan. */
static void check_old_pivots(rg_context *ctx, const rg_pattern *pattern, double small,
                             bool is_other)
{
    const int n = (int)pattern->n_rows;
    rg_sparse *m = NULL, *first = NULL;
    double b[200], zero[200] = {0.0};

    CHECK_INT(rg_sparse_create(ctx, pattern, false, &m), RG_OK);
    for (int k = 0; k < 2; k++) {
        if (k == 1 && is_other) {
            first = m;
            CHECK_INT(rg_sparse_create_like(first, false, &m), RG_OK);
        }
        const double d = k == 0 ? 1.0 : small, o = k == 0 ? 0.1 : 0.97;
        for (int j = 0; j < n; j++) {
            rg_sparse_values(m)[2 * j] = j % 2 == 0 ? d : o;
            rg_sparse_values(m)[2 * j + 1] = j % 2 == 0 ? o : 1.1 * d;
            b[j] = j % 2 == 0 ? d + 2.0 * o : o + 2.2 * d; /* of x = (1, 2, 1, 2, ..) */
        }
        CHECK_INT(rg_sparse_factor(m), RG_OK);
        CHECK(m->is_refactored == (k == 1));
        rg_sparse_solve(m, zero, NULL); /* says nothing of the factors */
        rg_sparse_solve(m, b, NULL);
        for (int j = 0; j < n; j++)
            CHECK_NEAR(b[j], 1.0 + j % 2, 1e-9);
    }
    rg_sparse_destroy(&first);
    rg_sparse_destroy(&m);
}

static void test_old_pivots(void)
{
    enum { N = 200 };
    rg_context *ctx = NULL;
    int64_t start[N + 1];
    int32_t row[2 * N];
    const rg_pattern pattern = {N, N, start, row};

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    for (int j = 0; j < N; j++) {
        start[j] = 2 * j;
        row[2 * j] = j - j % 2;
        row[2 * j + 1] = j - j % 2 + 1;
    }
    start[N] = 2 * N;
    for (double small = 1e-5; small > 1e-14; small *= 0.37)
        for (int k = 0; k < 2; k++)
            check_old_pivots(ctx, &pattern, small, k == 1);
    rg_context_destroy(&ctx);
}

/* Large enough for threads: the same numbers as one after the other. */
static void test_side_by_side(void)
{
    enum { N = 110, TASKS = 4 };
    rg_context *ctx = NULL;
    sample *s = malloc(sizeof *s);
    rg_matrix *m[2 * TASKS] = {NULL};
    rg_matrix_task tasks[TASKS];

    if (!CHECK(s != NULL) || !CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    make_sample(s, N, N);
    for (int k = 0; k < 2 * TASKS; k++)
        CHECK_INT(rg_matrix_create(ctx, &s->pattern, k % TASKS > 0, &m[k]), RG_OK);
    for (int k = 0; k < TASKS; k++) {
        tasks[k] = (rg_matrix_task){m[k], 1.0 + k, k > 0 ? 0.5 * k : 0.0};
        CHECK_INT(rg_matrix_factor(m[TASKS + k], tasks[k].re, tasks[k].im, s->value, s->value),
                  RG_OK);
    }
    CHECK_INT(rg_matrix_factor_all(TASKS, tasks, s->value, s->value), RG_OK);
    for (int k = 0; k < TASKS; k++) {
        double x[2][N], y[2][N];
        for (int i = 0; i < N; i++)
            x[0][i] = x[1][i] = y[0][i] = y[1][i] = sin(i + k);
        rg_matrix_solve(m[k], x[0], y[0]);
        rg_matrix_solve(m[TASKS + k], x[1], y[1]);
        CHECK(memcmp(x[0], x[1], sizeof x[0]) == 0 && memcmp(y[0], y[1], sizeof y[0]) == 0);
    }
    tasks[2].re = NAN;
    CHECK_INT(rg_matrix_factor_all(TASKS, tasks, s->value, s->value), RG_RETRY);
    for (int k = 0; k < 2 * TASKS; k++)
        rg_matrix_destroy(&m[k]);
    rg_context_destroy(&ctx);
    free(s);
}

/* Every third unknown of the chain has no influence on the next one. */
static void cut(sample *s)
{
    int64_t count = 0;

    for (int j = 0; j < s->n; j++) {
        const int64_t from = s->start[j];
        s->start[j] = count;
        for (int64_t k = from; k < s->start[j + 1]; k++) {
            if (j % 3 == 0 && (s->row[k] + 7) % s->n > j) continue;
            s->row[count] = s->row[k];
            s->value[count++] = s->value[k];
        }
    }
    s->start[s->n] = count;
}

/* Up to six right-hand sides at once: as one by one, also behind another factorization, and where
 * the matrix falls into blocks. */
static void check_several(rg_context *ctx, const sample *s, bool is_complex, bool is_general)
{
    enum { SIDES = 6 };
    static double b[2][SIDES][MOST], c[2][SIDES][MOST];
    double *x[SIDES], *y[SIDES];
    const double *re[SIDES], *im[SIDES];
    const rg_sides sides = {re, is_complex ? im : NULL, x, y};
    rg_sparse *m = NULL;

    CHECK_INT(rg_sparse_create(ctx, &s->pattern, is_complex, &m), RG_OK);
    if (is_general) rg_sparse_set_general(m);
    for (int turn = 0; turn < 2; turn++) {
        fill(m, s, is_complex, 0.5 + turn);
        CHECK_INT(rg_sparse_factor(m), RG_OK);
        for (int count = 0; count <= SIDES; count++) {
            double worst = 0.0;
            for (int k = 0; k < SIDES; k++) {
                re[k] = x[k] = b[1][k];
                im[k] = y[k] = c[1][k];
                for (int i = 0; i < s->n; i++) {
                    b[0][k][i] = b[1][k][i] = (i * 7 + k) % 11 - 5.0;
                    c[0][k][i] = c[1][k][i] = (i * 3 + k) % 7 - 2.0;
                }
            }
            const bool is_first = count == 0;
            const bool is_other = is_general && HAS_GPL; /* UMFPACK keeps its factors */
            CHECK_INT(rg_sparse_solve_several(m, count, &sides), !is_first && !is_other);
            for (int k = 0; k < count; k++) {
                rg_sparse_solve(m, b[0][k], c[0][k]);
                if (is_other) rg_sparse_solve(m, b[1][k], c[1][k]);
            }
            if (is_first) (void)solve_error(m, s, is_complex, 0.5);
            for (int k = 0; k < SIDES; k++)
                for (int i = 0; i < s->n; i++) {
                    worst = fmax(worst, fabs(b[0][k][i] - b[1][k][i]));
                    worst = fmax(worst, fabs(c[0][k][i] - c[1][k][i]));
                }
            CHECK(worst < 1e-12);
        }
    }
    rg_sparse_destroy(&m);
}

static void test_several(void)
{
    rg_context *ctx = NULL;
    sample *s = malloc(sizeof *s);

    if (!CHECK(s != NULL) || !CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    for (int k = 0; k < 8; k++) {
        make_sample(s, k < 4 ? 300 : 330, k < 4 ? 20 : 300); /* KLU; UMFPACK */
        if (k / 2 == 1) cut(s);
        check_several(ctx, s, k % 2, k >= 6);
    }
    rg_context_destroy(&ctx);
    free(s);
}

static const test_case cases[] = {
    {"choice",       test_choice      },
    {"64 bits",      test_klu         },
    {"old pivots",   test_old_pivots  },
    {"side by side", test_side_by_side},
    {"several",      test_several     },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
