#include "linalg/lu.h"

#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "linalg/small_lu.h"

#include <math.h>
#include <string.h>

rg_status rg_lu_create(rg_context *ctx, int64_t n, bool is_complex, rg_lu **out)
{
    rg_lu *lu = rg_alloc(ctx, 1, sizeof *lu);

    *out = NULL;
    if (lu == NULL) return RG_ERR_MEMORY;
    rg_blas_one_thread();
    const size_t N = (size_t)n, parts = is_complex ? 2 : 1;
    lu->ctx = ctx;
    lu->n = (int)n;
    lu->is_complex = is_complex;
    lu->uses_lapack = n >= (is_complex ? RG_LU_LAPACK_COMPLEX : RG_LU_LAPACK_REAL);
    lu->stride = is_complex && lu->uses_lapack ? 2 : 1;
    lu->imaginary = lu->stride == 2 ? 1 : n * n;
    lu->A = rg_alloc(ctx, parts * N * N + 1, sizeof *lu->A);
    lu->scale = rg_alloc(ctx, N + 1, sizeof *lu->scale);
    lu->work = rg_alloc(ctx, parts * N + 1, sizeof *lu->work);
    lu->pivot = rg_alloc(ctx, N + 1, sizeof *lu->pivot);
    if (lu->A == NULL || lu->scale == NULL || lu->work == NULL || lu->pivot == NULL) {
        rg_lu_destroy(&lu);
        return RG_ERR_MEMORY;
    }
    *out = lu;
    return RG_OK;
}

void rg_lu_destroy(rg_lu **lu)
{
    rg_lu *l = *lu;

    if (l == NULL) return;
    rg_free(l->ctx, l->A);
    rg_free(l->ctx, l->scale);
    rg_free(l->ctx, l->work);
    rg_free(l->ctx, l->pivot);
    rg_free(l->ctx, l);
    *lu = NULL;
}

/* largest_i <- max(largest_i, |a_ij|) over a matrix with entries `stride` apart; returns the sum of all |a_ij|, which
 * finds what the maximum overlooks: max(1, NaN) = 1. */
static double find_largest(int n, const double *A, int64_t stride, double *restrict largest)
{
    double sum = 0.0;

    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++, A += stride) {
            const double size = fabs(*A);
            sum += size;
            largest[i] = size > largest[i] ? size : largest[i];
        }
    return sum;
}

static void scale_rows(int n, double *A, int64_t stride, const double *restrict scale)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++, A += stride)
            *A *= scale[i];
}

/* A <- D A,  d_i = 1 / max_j max(|re a_ij|, |im a_ij|); false: a zero row, or an entry that is not finite. */
static bool equilibrate(rg_lu *lu)
{
    const int n = lu->n;

    memset(lu->scale, 0, (size_t)n * sizeof *lu->scale);
    double sum = find_largest(n, lu->A, lu->stride, lu->scale);
    if (lu->is_complex) sum += find_largest(n, lu->A + lu->imaginary, lu->stride, lu->scale);
    for (int i = 0; i < n; i++) {
        lu->scale[i] = 1.0 / lu->scale[i];
        sum += lu->scale[i];
    }
    if (!isfinite(sum)) return false;
    scale_rows(n, lu->A, lu->stride, lu->scale);
    if (lu->is_complex) scale_rows(n, lu->A + lu->imaginary, lu->stride, lu->scale);
    return true;
}

static bool factor_lapack(rg_lu *lu)
{
    int info = 0;

    if (lu->is_complex)
        zgetrf_(&lu->n, &lu->n, (double complex *)lu->A, &lu->n, lu->pivot, &info);
    else
        dgetrf_(&lu->n, &lu->n, lu->A, &lu->n, lu->pivot, &info);
    return info == 0;
}

rg_status rg_lu_factor(rg_lu *lu)
{
    if (!equilibrate(lu)) return (rg_status)RG_RETRY;
    const bool ok = lu->uses_lapack ? factor_lapack(lu)
                    : lu->is_complex
                        ? rg_small_zlu_factor(lu->n, lu->A, lu->A + lu->imaginary, lu->pivot)
                        : rg_small_lu_factor(lu->n, lu->A, lu->pivot);
    return ok ? RG_OK : (rg_status)RG_RETRY;
}

static void solve_lapack_complex(const rg_lu *lu, double *re, double *im)
{
    const int one = 1;
    int info;

    for (int i = 0; i < lu->n; i++) {
        lu->work[2 * i] = re[i];
        lu->work[2 * i + 1] = im[i];
    }
    zgetrs_("N", &lu->n, &one, (const double complex *)lu->A, &lu->n, lu->pivot,
            (double complex *)lu->work, &lu->n, &info, 1);
    for (int i = 0; i < lu->n; i++) {
        re[i] = lu->work[2 * i];
        im[i] = lu->work[2 * i + 1];
    }
}

void rg_lu_solve(const rg_lu *lu, double *re, double *im)
{
    const int one = 1;
    int info;

    for (int i = 0; i < lu->n; i++)
        re[i] *= lu->scale[i];
    for (int i = 0; lu->is_complex && i < lu->n; i++)
        im[i] *= lu->scale[i];
    if (!lu->uses_lapack && !lu->is_complex)
        rg_small_lu_solve(lu->n, lu->A, lu->pivot, re);
    else if (!lu->uses_lapack)
        rg_small_zlu_solve(lu->n, lu->A, lu->A + lu->imaginary, lu->pivot, re, im);
    else if (lu->is_complex)
        solve_lapack_complex(lu, re, im);
    else
        dgetrs_("N", &lu->n, &one, lu->A, &lu->n, lu->pivot, re, &lu->n, &info, 1);
}
