/* Gaussian elimination with complete pivoting on the matrix with rows, then columns scaled to
 * largest entry 1: after n - count steps the rest is zero but for rounding, and its rows and
 * columns are the dependent ones. */
#include "linalg/matrix.h"
#include "linalg/rank.h"

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

rg_status rg_matrix_find_dependent(rg_context *ctx, const rg_pattern *pattern, double x,
                                   const double *Jy, const double *Jyp, int count, int *rows,
                                   int *columns)
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
    for (int64_t k = 0; k < n - count && status == RG_OK; k++)
        if (rg_eliminate(n, k, A, row, column) == 0.0) break;
    for (int k = 0; k < count && status == RG_OK; k++) {
        rows[k] = row[n - count + k];
        columns[k] = column[n - count + k];
    }
    rg_free(ctx, A);
    rg_free(ctx, row);
    return status;
}
