/* Singular value decomposition, and the rank by it: small matrices by own rotations, larger ones by
 * LAPACK. */
#include "linalg/dense.h"

#include "linalg/jacobi.h"
#include "linalg/lapack.h"
#include "linalg/lazy.h"
#include "linalg/tuning.h"

#include <math.h>
#include <string.h>

static bool all_finite(int64_t count, const double *a)
{
    for (int64_t k = 0; k < count; k++)
        if (!isfinite(a[k])) return false;
    return true;
}

static void set_identity(int64_t n, double *A)
{
    if (A == NULL) return;
    memset(A, 0, (size_t)(n * n) * sizeof *A);
    for (int64_t k = 0; k < n; k++)
        A[k * n + k] = 1.0;
}

static void transpose_in_place(int64_t n, double *A)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < j; i++) {
            const double a = A[j * n + i];
            A[j * n + i] = A[i * n + j];
            A[i * n + j] = a;
        }
}

/* LAPACK's dgesdd on a copy; with vectors U and V^T are both computed. */
static rg_status decompose(rg_context *ctx, int m, int n, const double *A, double *s, double *U,
                           double *V)
{
    const bool vectors = U != NULL || V != NULL;
    const char *job = vectors ? "A" : "N";
    const int k = m < n ? m : n, one = 1;
    int info = 0, l_work = -1;
    double size = 0.0, none = 0.0;
    double *own_U = NULL, *own_V = NULL, *work = NULL;
    double *copy = rg_alloc(ctx, (size_t)m * (size_t)n, sizeof *copy);
    int *i_work = rg_alloc(ctx, 8 * (size_t)k, sizeof *i_work);
    rg_status status = RG_ERR_MEMORY;

    if (copy == NULL || i_work == NULL) goto done;
    if (vectors && U == NULL && !(U = own_U = rg_alloc(ctx, (size_t)m * (size_t)m, sizeof *U)))
        goto done;
    if (vectors && V == NULL && !(V = own_V = rg_alloc(ctx, (size_t)n * (size_t)n, sizeof *V)))
        goto done;
    memcpy(copy, A, (size_t)m * (size_t)n * sizeof *copy);

    double *const u = vectors ? U : &none, *const vt = vectors ? V : &none;
    const int *const ldu = vectors ? &m : &one, *const ldvt = vectors ? &n : &one;
    rg_dgesdd_(job, &m, &n, copy, &m, s, u, ldu, vt, ldvt, &size, &l_work, i_work, &info, 1);
    l_work = (int)size;
    if ((work = rg_alloc(ctx, (size_t)l_work, sizeof *work)) == NULL) goto done;
    rg_dgesdd_(job, &m, &n, copy, &m, s, u, ldu, vt, ldvt, work, &l_work, i_work, &info, 1);
    if (vectors) transpose_in_place(n, V); /* V^T -> V */
    status = info == 0 ? RG_OK : (rg_status)RG_RETRY;
done:
    rg_free(ctx, work);
    rg_free(ctx, own_V);
    rg_free(ctx, own_U);
    rg_free(ctx, i_work);
    rg_free(ctx, copy);
    return status;
}

static void transpose(int64_t m, int64_t n, const double *A, double *At)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            At[i * n + j] = A[j * m + i];
}

/* At least as many rows as columns: a wide matrix is turned round, and U and V change places. */
static rg_status decompose_small(rg_context *ctx, int64_t m, int64_t n, const double *A, double *s,
                                 double *U, double *V)
{
    const int64_t rows = m >= n ? m : n, columns = m >= n ? n : m;
    double *left = m >= n ? U : V, *right = m >= n ? V : U;
    double *copy = rg_alloc(ctx, (size_t)(m * n), sizeof *copy);

    if (copy == NULL) return RG_ERR_MEMORY;
    if (m >= n)
        memcpy(copy, A, (size_t)(m * n) * sizeof *A);
    else
        transpose(m, n, A, copy);
    const rg_status status = rg_jacobi(rows, columns, copy, s, right);
    if (status == RG_OK && left != NULL) rg_jacobi_vectors(rows, columns, copy, s, left);
    rg_free(ctx, copy);
    return status;
}

rg_status rg_svd(rg_context *ctx, int64_t m, int64_t n, const double *A, double *s, double *U,
                 double *V)
{
    if (m == 0 || n == 0) {
        set_identity(m, U);
        set_identity(n, V);
        return RG_OK;
    }
    if (!all_finite(m * n, A)) return (rg_status)RG_RETRY;
    if ((m > n ? m : n) <= RG_JACOBI_LIMIT) return decompose_small(ctx, m, n, A, s, U, V);
    RG_TRY(rg_library_load(ctx, RG_LIBRARY_LAPACK));
    return decompose(ctx, (int)m, (int)n, A, s, U, V);
}

rg_status rg_rank_svd(rg_context *ctx, int64_t m, int64_t n, const double *A, double tol,
                      int64_t *rank)
{
    const int64_t k = m < n ? m : n;
    double *s = rg_alloc(ctx, (size_t)k + 1, sizeof *s);

    *rank = 0;
    if (s == NULL) return RG_ERR_MEMORY;
    const rg_status status = rg_svd(ctx, m, n, A, s, NULL, NULL);
    while (status == RG_OK && *rank < k && s[*rank] > tol * s[0])
        ++*rank;
    rg_free(ctx, s);
    return status;
}
