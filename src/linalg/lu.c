#include "linalg/lu.h"

#include "base/vector.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"

#include <math.h>
#include <string.h>

static rg_status take_small(rg_lu *lu)
{
    const size_t n = (size_t)lu->n, ld = (size_t)rg_padded(lu->n) + RG_LANES,
                 parts = lu->is_complex ? 2 : 1;
    rg_quad_lu *f = &lu->small;

    f->n = lu->n;
    f->U = rg_alloc(lu->ctx, parts * (n + 1) * ld, sizeof *f->U);
    f->L = rg_alloc(lu->ctx, parts * (n + 1) * ld, sizeof *f->L);
    f->inverse = rg_alloc(lu->ctx, parts * ld, sizeof *f->inverse);
    f->order = rg_alloc(lu->ctx, n + 1, sizeof *f->order);
    lu->place = rg_alloc(lu->ctx, n + 1, sizeof *lu->place);
    if (!(f->U && f->L && f->inverse && f->order && lu->place)) return RG_ERR_MEMORY;
    for (int i = 0; i < lu->n; i++)
        f->order[i] = lu->place[i] = i;
    return RG_OK;
}

rg_status rg_lu_create_as(rg_context *ctx, int64_t n, bool is_complex, bool uses_lapack,
                          rg_lu **out)
{
    rg_lu *lu = rg_alloc(ctx, 1, sizeof *lu);

    *out = NULL;
    if (lu == NULL) return RG_ERR_MEMORY;
    rg_blas_one_thread();
    const size_t N = (size_t)n, parts = is_complex ? 2 : 1;
    lu->ctx = ctx;
    lu->n = (int)n;
    lu->is_complex = is_complex;
    lu->uses_lapack = uses_lapack;
    lu->stride = is_complex && uses_lapack ? 2 : 1;
    lu->imaginary = lu->stride == 2 ? 1 : n * n;
    lu->A = rg_alloc(ctx, parts * N * N + 1, sizeof *lu->A);
    lu->scale = rg_alloc(ctx, 2 * (N + RG_LANES), sizeof *lu->scale);
    lu->work = rg_alloc(ctx, parts * (N + RG_LANES), sizeof *lu->work);
    lu->pivot = rg_alloc(ctx, N + 1, sizeof *lu->pivot);
    rg_status status = lu->A && lu->scale && lu->work && lu->pivot ? RG_OK : RG_ERR_MEMORY;
    if (status == RG_OK && !uses_lapack) status = take_small(lu);
    if (status != RG_OK) rg_lu_destroy(&lu);
    *out = lu;
    return status;
}

rg_status rg_lu_create(rg_context *ctx, int64_t n, bool is_complex, rg_lu **out)
{
    return rg_lu_create_as(ctx, n, is_complex, n > RG_QUAD_ROWS, out);
}

void rg_lu_destroy(rg_lu **lu)
{
    rg_lu *l = *lu;

    if (l == NULL) return;
    rg_free(l->ctx, l->A);
    rg_free(l->ctx, l->scale);
    rg_free(l->ctx, l->work);
    rg_free(l->ctx, l->pivot);
    rg_free(l->ctx, l->small.U);
    rg_free(l->ctx, l->small.L);
    rg_free(l->ctx, l->small.inverse);
    rg_free(l->ctx, l->small.order);
    rg_free(l->ctx, l->place);
    rg_free(l->ctx, l);
    *lu = NULL;
}

/* d_i = 1/sum_i; false: a zero row, or an entry that is not finite. */
static bool invert_sums(int n, double *sum)
{
    double all = 0.0;

    for (int i = 0; i < n; i++) {
        all += sum[i] + 1.0 / sum[i];
        sum[i] = 1.0 / sum[i];
    }
    return isfinite(all);
}

/* A <- D A for LAPACK: complex numbers side by side. */
static bool equilibrate(rg_lu *lu)
{
    const int n = lu->n, parts = lu->is_complex ? 2 : 1;
    double *a = lu->A;

    memset(lu->scale, 0, (size_t)n * sizeof *lu->scale);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n * parts; i++)
            lu->scale[i / parts] += fabs(*a++);
    if (!invert_sums(n, lu->scale)) return false;
    a = lu->A;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n * parts; i++)
            *a++ *= lu->scale[i / parts];
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

rg_status rg_lu_factor_small(rg_lu *lu)
{
    const rg_quad_lu *f = &lu->small;
    const int n = lu->n, columns = lu->is_complex ? 2 * n : n;
    double *sum = lu->scale + rg_padded(n); /* in the old order */

    rg_quad_row_sums(n, columns, f->U, sum);
    if (!invert_sums(n, sum)) return (rg_status)RG_RETRY;
    rg_quad_scale_rows(n, columns, f->U, sum);
    for (int i = 0; i < n; i++)
        lu->work[f->order[i]] = sum[i];
    const bool ok = lu->is_complex ? rg_quad_zlu_factor(f) : rg_quad_lu_factor(f);
    for (int i = 0; i < n; i++) {
        lu->place[f->order[i]] = i;
        lu->scale[i] = lu->work[f->order[i]];
    }
    return ok ? RG_OK : (rg_status)RG_RETRY;
}

/* A into its place; what is behind it stays 0 */
static void copy_small(rg_lu *lu)
{
    const int n = lu->n, columns = lu->is_complex ? 2 * n : n;
    const double *a = lu->A;
    double *u = lu->small.U;

    for (int j = 0; j < columns; j++, a += n, u += rg_padded(n))
        for (int i = 0; i < n; i++)
            u[lu->place[i]] = a[i];
}

rg_status rg_lu_factor(rg_lu *lu)
{
    if (!lu->uses_lapack) {
        copy_small(lu);
        return rg_lu_factor_small(lu);
    }
    return equilibrate(lu) && factor_lapack(lu) ? RG_OK : (rg_status)RG_RETRY;
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

static void solve_small(const rg_lu *lu, double *b)
{
    const int n = lu->n, *order = lu->small.order;

    for (int i = 0; i < n; i++)
        lu->work[i] = b[order[i]] * lu->scale[i];
    rg_quad_lu_solve(&lu->small, lu->work);
    memcpy(b, lu->work, (size_t)n * sizeof *b);
}

static void solve_small_complex(const rg_lu *lu, double *re, double *im)
{
    const int n = lu->n, *order = lu->small.order;
    double *other = lu->work + rg_padded(n);

    for (int i = 0; i < n; i++) {
        lu->work[i] = re[order[i]] * lu->scale[i];
        other[i] = im[order[i]] * lu->scale[i];
    }
    rg_quad_zlu_solve(&lu->small, lu->work);
    memcpy(re, lu->work, (size_t)n * sizeof *re);
    memcpy(im, other, (size_t)n * sizeof *im);
}

static void solve_lapack(const rg_lu *lu, double *re, double *im)
{
    const int one = 1;
    int info;

    for (int i = 0; i < lu->n; i++)
        re[i] *= lu->scale[i];
    for (int i = 0; lu->is_complex && i < lu->n; i++)
        im[i] *= lu->scale[i];
    if (lu->is_complex)
        solve_lapack_complex(lu, re, im);
    else
        dgetrs_("N", &lu->n, &one, lu->A, &lu->n, lu->pivot, re, &lu->n, &info, 1);
}

void rg_lu_solve(const rg_lu *lu, double *re, double *im)
{
    if (lu->uses_lapack)
        solve_lapack(lu, re, im);
    else if (lu->is_complex)
        solve_small_complex(lu, re, im);
    else
        solve_small(lu, re);
}
