/* Where the crossovers of src/linalg come from: own LU against LAPACK on full matrices
 * (RG_LU_LAPACK_REAL and _COMPLEX in linalg/lu.h), and dense LU against KLU on sparse ones
 * (DENSE_ROWS, DENSE_FILL in linalg/matrix.c). Microseconds, best of several, for one factorization
 * and the three solutions of a typical step. */
#include "linalg/lu_impl.h"
#include "linalg/sparse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 160, REPEATS = 7, SOLUTIONS = 3 };

static double noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

typedef struct {
    int n;
    rg_pattern pattern;
    int64_t start[MOST + 1];
    int32_t row[MOST * MOST];
    double value[MOST * MOST];
} sample;

/* A diagonal and about per_column - 1 more entries, most of them near it. */
static void make_sample(sample *s, int n, int per_column, unsigned seed)
{
    int64_t count = 0;

    s->n = n;
    for (int j = 0; j < n; j++) {
        s->start[j] = count;
        for (int i = 0; i < n; i++) {
            const double chance = abs(i - j) <= 6 ? 0.8 * per_column / 12.0 : 0.2 * per_column / n;
            if (i != j && per_column < n && 0.5 * (noise(&seed) + 1.0) > chance) continue;
            s->row[count] = i;
            s->value[count++] = noise(&seed) + (i == j ? 3.0 : 0.0);
        }
    }
    s->start[n] = count;
    s->pattern = (rg_pattern){n, n, s->start, s->row};
}

static void dense_work(rg_lu *lu, const sample *s)
{
    double b[MOST], c[MOST];
    const size_t n = (size_t)s->n;

    memset(lu->A, 0, n * n * (lu->is_complex ? 2 : 1) * sizeof *lu->A);
    for (int j = 0; j < s->n; j++)
        for (int64_t k = s->start[j]; k < s->start[j + 1]; k++) {
            double *a = lu->A + lu->stride * ((int64_t)j * s->n + s->row[k]);
            a[0] = s->value[k];
            if (lu->is_complex) a[lu->imaginary] = 0.5 * s->value[k];
        }
    if (rg_lu_factor(lu) != RG_OK) exit(1);
    for (int k = 0; k < SOLUTIONS; k++) {
        for (int i = 0; i < s->n; i++)
            b[i] = c[i] = 1.0;
        rg_lu_solve(lu, b, c);
    }
}

static void sparse_work(rg_sparse *sparse, const sample *s, int is_complex)
{
    double b[MOST], c[MOST], *a = rg_sparse_values(sparse);

    for (int64_t k = 0; k < s->start[s->n]; k++) {
        a[is_complex ? 2 * k : k] = s->value[k];
        if (is_complex) a[2 * k + 1] = 0.5 * s->value[k];
    }
    if (rg_sparse_factor(sparse) != RG_OK) exit(1);
    for (int k = 0; k < SOLUTIONS; k++) {
        for (int i = 0; i < s->n; i++)
            b[i] = c[i] = 1.0;
        rg_sparse_solve(sparse, b, c);
    }
}

/* Exactly one of lu and sparse is given. */
static double best_time(rg_lu *lu, rg_sparse *sparse, const sample *s, int is_complex)
{
    const int count = 300000 / (s->n * s->n * s->n) + 3;
    double best = 1e9;

    for (int r = 0; r < REPEATS; r++) {
        const double begin = rg_seconds();
        for (int k = 0; k < count; k++)
            if (lu != NULL)
                dense_work(lu, s);
            else
                sparse_work(sparse, s, is_complex);
        const double time = (rg_seconds() - begin) / count;
        best = time < best ? time : best;
    }
    return 1e6 * best;
}

static double time_dense(rg_context *ctx, const sample *s, int is_complex, int lapack)
{
    rg_lu *lu = NULL;

    if (lapack < 0) lapack = s->n > RG_QUAD_ROWS; /* the library's own choice */
    if (!lapack && s->n > RG_QUAD_ROWS) return NAN;
    if (rg_lu_create_as(ctx, s->n, is_complex, lapack, &lu) != RG_OK) exit(1);
    const double time = best_time(lu, NULL, s, is_complex);
    rg_lu_destroy(&lu);
    return time;
}

static double time_sparse(rg_context *ctx, const sample *s, int is_complex)
{
    rg_sparse *sparse = NULL;

    if (rg_sparse_create(ctx, &s->pattern, is_complex, &sparse) != RG_OK) exit(1);
    const double time = best_time(NULL, sparse, s, is_complex);
    rg_sparse_destroy(&sparse);
    return time;
}

int main(void)
{
    static const int rows[] = {4, 8, 16, 24, 32, 40, 48, 64, 96};
    static sample s;
    rg_context *ctx = NULL;

    if (rg_context_create(&ctx) != RG_OK) return 1;
    printf("full matrices, us        real: own  LAPACK     complex: own  LAPACK\n");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        make_sample(&s, rows[k], rows[k], 1u);
        printf("n = %3d              %10.2f %8.2f   %10.2f %8.2f\n", s.n, time_dense(ctx, &s, 0, 0),
               time_dense(ctx, &s, 0, 1), time_dense(ctx, &s, 1, 0), time_dense(ctx, &s, 1, 1));
    }
    printf("sparse matrices, us   fill    real: dense   KLU     complex: dense   KLU\n");
    for (int per_column = 3; per_column <= 9; per_column += 3)
        for (int n = 10; n <= MOST; n += n < 40 ? 10 : 40) {
            make_sample(&s, n, per_column, 2u);
            printf("n = %3d              %5.2f %12.2f %8.2f %12.2f %8.2f\n", n,
                   (double)s.start[n] / n / n, time_dense(ctx, &s, 0, -1), time_sparse(ctx, &s, 0),
                   time_dense(ctx, &s, 1, -1), time_sparse(ctx, &s, 1));
        }
    rg_context_destroy(&ctx);
    return 0;
}
