/* Gaussian elimination with complete pivoting on the matrix with rows, then columns scaled to largest entry 1: after
 * n - count steps the rest is zero but for rounding, and its rows and columns are the dependent ones. */
#include "linalg/matrix.h"

#include <math.h>

/* A, column-major, n x n, is overwritten; row and column hold the permutations, from position to number. */
typedef struct {
    int n;
    double *A;
    int *row, *column;
} elimination;

static double *entry(const elimination *e, int i, int j)
{
    return e->A + (int64_t)e->column[j] * e->n + e->row[i];
}

static bool scale(elimination *e, bool by_rows)
{
    for (int i = 0; i < e->n; i++) {
        double largest = 0.0, sum = 0.0;
        for (int j = 0; j < e->n; j++) {
            const double size = fabs(by_rows ? *entry(e, i, j) : *entry(e, j, i));
            sum += size;
            largest = size > largest ? size : largest;
        }
        if (!isfinite(sum)) return false;
        for (int j = 0; largest > 0.0 && j < e->n; j++)
            *(by_rows ? entry(e, i, j) : entry(e, j, i)) /= largest;
    }
    return true;
}

static void swap(int *a, int *b)
{
    const int c = *a;
    *a = *b;
    *b = c;
}

static void find_pivot(elimination *e, int k)
{
    int p = k, q = k;
    double largest = -1.0;

    for (int j = k; j < e->n; j++)
        for (int i = k; i < e->n; i++)
            if (fabs(*entry(e, i, j)) > largest) {
                largest = fabs(*entry(e, i, j));
                p = i;
                q = j;
            }
    swap(e->row + k, e->row + p);
    swap(e->column + k, e->column + q);
}

static void eliminate(elimination *e, int steps)
{
    for (int k = 0; k < steps; k++) {
        find_pivot(e, k);
        const double pivot = *entry(e, k, k);
        if (pivot == 0.0) return;
        for (int j = k + 1; j < e->n; j++) {
            const double factor = *entry(e, k, j) / pivot;
            for (int i = k + 1; factor != 0.0 && i < e->n; i++)
                *entry(e, i, j) -= factor * *entry(e, i, k);
        }
    }
}

rg_status rg_matrix_find_dependent(rg_context *ctx, const rg_pattern *pattern, double x,
                                   const double *Jy, const double *Jyp, int count, int *rows,
                                   int *columns)
{
    const size_t n = (size_t)pattern->n_columns;
    elimination e = {(int)n, rg_alloc(ctx, n * n + 1, sizeof(double)),
                     rg_alloc(ctx, n + 1, sizeof(int)), rg_alloc(ctx, n + 1, sizeof(int))};
    rg_status status = e.A && e.row && e.column ? RG_OK : RG_ERR_MEMORY;

    if (status == RG_OK) {
        for (int j = 0; j < e.n; j++) {
            e.row[j] = e.column[j] = j;
            for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
                e.A[(int64_t)j * e.n + pattern->row[k]] = x * Jyp[k] + Jy[k];
        }
        if (!scale(&e, true) || !scale(&e, false)) status = (rg_status)RG_RETRY;
    }
    if (status == RG_OK) {
        eliminate(&e, e.n - count);
        for (int k = 0; k < count; k++) {
            rows[k] = e.row[e.n - count + k];
            columns[k] = e.column[e.n - count + k];
        }
    }
    rg_free(ctx, e.A);
    rg_free(ctx, e.row);
    rg_free(ctx, e.column);
    return status;
}
