/* Dense LU factors; see lu.h. */
#include "linalg/lu_impl.h"

#include "base/vector.h"
#include "linalg/lapack.h"
#include "linalg/lazy.h"

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
    f->scale = rg_alloc(lu->ctx, ld, sizeof *f->scale);
    f->order = rg_alloc(lu->ctx, n + 1, sizeof *f->order);
    lu->place = rg_alloc(lu->ctx, n + 1, sizeof *lu->place);
    if (!(f->U && f->L && f->inverse && f->scale && f->order && lu->place)) return RG_ERR_MEMORY;
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
    const size_t N = (size_t)n, parts = is_complex ? 2 : 1;
    lu->ctx = ctx;
    lu->n = (int)n;
    lu->is_complex = is_complex;
    lu->uses_lapack = uses_lapack;
    lu->stride = is_complex && uses_lapack ? 2 : 1;
    lu->imaginary = lu->stride == 2 ? 1 : n * n;
    lu->A = rg_alloc(ctx, parts * N * N + 1, sizeof *lu->A);
    lu->scale = rg_alloc(ctx, N + 1, sizeof *lu->scale);
    lu->work = rg_alloc(ctx, parts * N + 1, sizeof *lu->work);
    lu->pivot = rg_alloc(ctx, N + 1, sizeof *lu->pivot);
    rg_status status = lu->A && lu->scale && lu->work && lu->pivot ? RG_OK : RG_ERR_MEMORY;
    if (status == RG_OK)
        status = uses_lapack ? rg_library_load(ctx, RG_LIBRARY_LAPACK) : take_small(lu);
    if (status != RG_OK) rg_lu_destroy(&lu);
    *out = lu;
    return status;
}

rg_status rg_lu_create(rg_context *ctx, int64_t n, bool is_complex, rg_lu **out)
{
    return rg_lu_create_as(ctx, n, is_complex, n > RG_QUAD_ROWS, out);
}

double *rg_lu_values(rg_lu *lu)
{
    return lu->A;
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
    rg_free(l->ctx, l->small.scale);
    rg_free(l->ctx, l->small.order);
    rg_free(l->ctx, l->place);
    rg_free(l->ctx, l);
    *lu = NULL;
}

bool rg_lu_invert_sums(int n, double *sum)
{
    double all = 0.0;

    for (int i = 0; i < n; i++) {
        all += sum[i] + 1.0 / sum[i];
        sum[i] = 1.0 / sum[i];
    }
    return isfinite(all);
}

/* D; complex numbers are side by side, or in two matrices */
static bool find_scale(rg_lu *lu)
{
    const int n = lu->n, step = (int)lu->stride;
    const double *a = lu->A;

    memset(lu->scale, 0, (size_t)n * sizeof *lu->scale);
    for (int j = 0; j < n * (lu->is_complex ? 2 / step : 1); j++)
        for (int i = 0; i < n * step; i++)
            lu->scale[i / step] += fabs(*a++);
    return rg_lu_invert_sums(n, lu->scale);
}

/* A <- D A for LAPACK */
static void scale_rows(rg_lu *lu)
{
    const int n = lu->n, step = (int)lu->stride;
    double *a = lu->A;

    for (int j = 0; j < n; j++)
        for (int i = 0; i < n * step; i++)
            *a++ *= lu->scale[i / step];
}

static bool factor_lapack(rg_lu *lu)
{
    int info = 0;

    if (lu->is_complex)
        rg_zgetrf_(&lu->n, &lu->n, (double complex *)lu->A, &lu->n, lu->pivot, &info);
    else
        rg_dgetrf_(&lu->n, &lu->n, lu->A, &lu->n, lu->pivot, &info);
    return info == 0;
}

rg_status rg_lu_factor_small(rg_lu *lu)
{
    const rg_quad_lu *f = &lu->small;
    const bool ok = lu->is_complex ? rg_quad_zlu_factor(f) : rg_quad_lu_factor(f);

    for (int i = 0; i < lu->n; i++) {
        lu->place[f->order[i]] = i;
        f->scale[i] = lu->scale[f->order[i]];
    }
    return ok ? RG_OK : (rg_status)RG_RETRY;
}

/* D A into its place; what is behind it stays 0 */
static void copy_small(rg_lu *lu)
{
    const int n = lu->n, columns = lu->is_complex ? 2 * n : n;
    const double *a = lu->A;
    double *u = lu->small.U;

    for (int j = 0; j < columns; j++, a += n, u += rg_padded(n))
        for (int i = 0; i < n; i++)
            u[lu->place[i]] = lu->scale[i] * a[i];
}

rg_status rg_lu_factor(rg_lu *lu)
{
    if (!find_scale(lu)) return (rg_status)RG_RETRY;
    if (!lu->uses_lapack) {
        copy_small(lu);
        return rg_lu_factor_small(lu);
    }
    scale_rows(lu);
    return factor_lapack(lu) ? RG_OK : (rg_status)RG_RETRY;
}

static void solve_lapack_complex(const rg_lu *lu, double *re, double *im)
{
    const int one = 1;
    int info;

    for (int i = 0; i < lu->n; i++) {
        lu->work[2 * i] = re[i];
        lu->work[2 * i + 1] = im[i];
    }
    rg_zgetrs_("N", &lu->n, &one, (const double complex *)lu->A, &lu->n, lu->pivot,
               (double complex *)lu->work, &lu->n, &info, 1);
    for (int i = 0; i < lu->n; i++) {
        re[i] = lu->work[2 * i];
        im[i] = lu->work[2 * i + 1];
    }
}

RG_APART void solve_lapack(const rg_lu *lu, double *re, double *im)
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
        rg_dgetrs_("N", &lu->n, &one, lu->A, &lu->n, lu->pivot, re, &lu->n, &info, 1);
}

void rg_lu_solve(const rg_lu *lu, double *re, double *im)
{
    if (lu->uses_lapack)
        solve_lapack(lu, re, im);
    else if (lu->is_complex)
        rg_quad_zlu_solve(&lu->small, re, im);
    else
        rg_quad_lu_solve(&lu->small, re);
}

void rg_lu_solve_all(const rg_lu *lu, int64_t count, double *X)
{
    const int n = lu->n, columns = (int)count;
    int info;

    if (!lu->uses_lapack) {
        for (int64_t j = 0; j < count; j++)
            rg_quad_lu_solve(&lu->small, X + j * n);
        return;
    }
    for (int64_t k = 0; k < count * n; k++)
        X[k] *= lu->scale[k % n];
    rg_dgetrs_("N", &n, &columns, lu->A, &n, lu->pivot, X, &n, &info, 1);
}
