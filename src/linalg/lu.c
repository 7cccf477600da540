#include "linalg/lu.h"

#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "linalg/small_lu.h"

#include <math.h>

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

/* A <- D A over `parts` matrices of n x n (stride 1), or n x 2n doubles seen as pairs (stride 2). */
static void scale_rows(rg_lu *lu)
{
    const int64_t n = lu->n;

    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            double *a = lu->A + lu->stride * (j * n + i);
            a[0] *= lu->scale[i];
            if (lu->is_complex) a[lu->imaginary] *= lu->scale[i];
        }
}

/* scale_i = 1 / max_j (|re a_ij| + |im a_ij|); false: a zero row, or an entry that is not finite.  The sum finds what the
 * maximum would overlook: max(1, NaN) = 1. */
static bool find_scale(rg_lu *lu)
{
    const int64_t n = lu->n;
    double sum = 0.0;

    for (int64_t i = 0; i < n; i++)
        lu->scale[i] = 0.0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            const double *a = lu->A + lu->stride * (j * n + i);
            const double size = fabs(a[0]) + (lu->is_complex ? fabs(a[lu->imaginary]) : 0.0);
            sum += size;
            if (size > lu->scale[i]) lu->scale[i] = size;
        }
    for (int64_t i = 0; i < n; i++) {
        lu->scale[i] = 1.0 / lu->scale[i];
        if (!isfinite(lu->scale[i])) return false;
    }
    return isfinite(sum);
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
    if (!find_scale(lu)) return (rg_status)RG_RETRY;
    scale_rows(lu);
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
