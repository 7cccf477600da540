/* Gaussian elimination with complete pivoting on the matrix with rows, then columns scaled to
 * largest entry 1: after n - count steps the rest is zero but for rounding, and its rows and
 * columns are the dependent ones. */
#include "linalg/matrix.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"

#include <math.h>

/* Lines of n entries, `along` apart, the lines `across` apart.  False: an entry is not finite. */
static bool scale(int64_t n, int64_t along, int64_t across, double *A)
{
    for (int64_t i = 0; i < n; i++, A += across) {
        double largest = 0.0, sum = 0.0;
        for (int64_t j = 0; j < n; j++) {
            sum += fabs(A[j * along]);
            largest = fmax(largest, fabs(A[j * along]));
        }
        if (!isfinite(sum)) return false;
        for (int64_t j = 0; largest > 0.0 && j < n; j++)
            A[j * along] /= largest;
    }
    return true;
}

/* So many steps of elimination; the smallest pivot. */
static double eliminate(int64_t n, int64_t steps, double *A, int32_t *row, int32_t *column)
{
    double least = INFINITY;

    for (int64_t k = 0; k < steps && least > 0.0; k++)
        least = fmin(least, rg_eliminate(n, k, A, row, column));
    return least;
}

static bool contains(int count, const int *list, int64_t i)
{
    for (int k = 0; k < count; k++)
        if (list[k] == i) return true;
    return false;
}

/* The smallest pivot without these rows and columns; `work` has room for A, `order` for 2 n. */
static double quality_of(int64_t n, const double *A, int count, const int *rows, const int *columns,
                         double *work, int32_t *order)
{
    const int64_t m = n - count;
    int64_t next = 0;

    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            if (!contains(count, rows, i) && !contains(count, columns, j))
                work[next++] = A[j * n + i];
    for (int64_t i = 0; i < m; i++)
        order[i] = order[m + i] = (int32_t)i;
    return eliminate(m, m, work, order, order + m);
}

rg_status rg_matrix_find_dependent(rg_context *ctx, const rg_pattern *pattern, double x,
                                   const double *Jy, const double *Jyp, int count, bool is_known,
                                   int *rows, int *columns)
{
    const int64_t n = pattern->n_columns;
    double *A = rg_alloc(ctx, (size_t)(n * n) + 1, sizeof *A);
    int32_t *row = rg_alloc(ctx, 2 * (size_t)n + 1, sizeof *row);
    rg_status status = A != NULL && row != NULL ? RG_OK : RG_ERR_MEMORY;

    int32_t *column = row == NULL ? NULL : row + n;
    for (int64_t j = 0; j < n && status == RG_OK; j++) {
        row[j] = column[j] = (int32_t)j;
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            A[j * n + pattern->row[k]] = x * Jyp[k] + Jy[k];
    }
    if (status == RG_OK && (!scale(n, n, 1, A) || !scale(n, 1, n, A))) status = (rg_status)RG_RETRY;
    double *rest = NULL;
    if (status == RG_OK && is_known) {
        rest = rg_alloc(ctx, (size_t)(n * n) + 1, sizeof *rest);
        status = rest != NULL ? RG_OK : RG_ERR_MEMORY;
    }
    const double known =
        status == RG_OK && is_known ? quality_of(n, A, count, rows, columns, rest, row) : 0.0;
    for (int64_t j = 0; j < n && status == RG_OK; j++)
        row[j] = column[j] = (int32_t)j;
    const double best = status == RG_OK ? eliminate(n, n - count, A, row, column) : 0.0;
    const bool is_kept = is_known && known >= RG_DEPENDENT_KEPT * best;
    for (int k = 0; k < count && status == RG_OK && !is_kept; k++) {
        rows[k] = row[n - count + k];
        columns[k] = column[n - count + k];
    }
    rg_free(ctx, rest);
    rg_free(ctx, A);
    rg_free(ctx, row);
    return status;
}
