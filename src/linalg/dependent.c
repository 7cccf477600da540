/* Gaussian elimination with complete pivoting on the matrix with rows, then columns scaled to
 * largest entry 1: after n - count steps the rest is zero but for rounding, and its rows and
 * columns are the dependent ones.
 *
 * The largest entry is that of all points so far.  By the largest one here a row that vanishes at a
 * point, (sin f, -sin f) at f = 0, would be as good as any other beside it, and be kept for a step
 * in which it says nothing.  But no line becomes smaller than RG_DEPENDENT_FADED, which would hide
 * it behind the rounding of the others. */
#include "linalg/matrix.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"

#include <math.h>

typedef struct {
    const rg_pattern *pattern;
    double *here, *most; /* entries at the point, largest ones so far; then scaled */
    double *scale;       /* 2 n: largest entries of rows or columns, here and so far */
} lines;

/* False: an entry is not finite. */
static bool note_entries(const lines *l, double x, const double *Jy, const double *Jyp,
                         double *most)
{
    const int64_t entries = l->pattern->start[l->pattern->n_columns];

    for (int64_t k = 0; k < entries; k++) {
        l->here[k] = x * Jyp[k] + Jy[k];
        if (!isfinite(l->here[k])) return false;
    }
    for (int64_t k = 0; k < entries; k++)
        l->most[k] = most[k] = fmax(most[k], fabs(l->here[k]));
    return true;
}

/* Rows, or columns, by their largest entry. */
static void scale(const lines *l, bool is_row)
{
    const rg_pattern *p = l->pattern;
    const int64_t n = p->n_columns;
    double *here = l->scale, *most = here + n;

    for (int64_t i = 0; i < n; i++)
        here[i] = most[i] = 0.0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++) {
            const int64_t i = is_row ? p->row[k] : j;
            here[i] = fmax(here[i], fabs(l->here[k]));
            most[i] = fmax(most[i], l->most[k]);
        }
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++) {
            const int64_t i = is_row ? p->row[k] : j;
            if (!(here[i] > 0.0)) continue;
            const double by = fmin(most[i], here[i] / RG_DEPENDENT_FADED);
            l->here[k] /= by;
            l->most[k] /= by;
        }
}

static void eliminate(const lines *l, int count, double *A, int32_t *row, int32_t *column,
                      int32_t *largest)
{
    const rg_pattern *p = l->pattern;
    const int64_t n = p->n_columns;

    for (int64_t j = 0; j < n; j++) {
        row[j] = column[j] = (int32_t)j;
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++)
            A[j * n + p->row[k]] = l->here[k];
    }
    for (int64_t k = 0; k < n - count; k++)
        if (rg_eliminate(n, k, A, row, column, largest) == 0.0) break;
}

rg_status rg_matrix_find_dependent(rg_context *ctx, const rg_pattern *pattern, double x,
                                   const double *Jy, const double *Jyp, double *most, int count,
                                   int *rows, int *columns)
{
    const int64_t n = pattern->n_columns, entries = pattern->start[n];
    if (count > n) return (rg_status)RG_RETRY;
    double *A = rg_alloc(ctx, (size_t)(n * n + 2 * n + 2 * entries) + 1, sizeof *A);
    int32_t *row = rg_alloc(ctx, 3 * (size_t)n + 1, sizeof *row);
    rg_status status = A != NULL && row != NULL ? RG_OK : RG_ERR_MEMORY;

    if (status == RG_OK) {
        const lines l = {pattern, A + n * n, A + n * n + entries, A + n * n + 2 * entries};
        if (note_entries(&l, x, Jy, Jyp, most)) {
            scale(&l, true);
            scale(&l, false);
            eliminate(&l, count, A, row, row + n, row + 2 * n);
        } else {
            status = (rg_status)RG_RETRY;
        }
    }
    for (int k = 0; k < count && status == RG_OK; k++) {
        rows[k] = row[n - count + k];
        columns[k] = row[n + n - count + k];
    }
    rg_free(ctx, A);
    rg_free(ctx, row);
    return status;
}
