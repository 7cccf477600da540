/* Rank-revealing QR: A P = Q R, |r_00| >= |r_11| >= ...  With r = rank and R = [R1 R2] (r rows),
 * the complete orthogonal decomposition [R1 R2] = [T 0] Z gives the least-norm least-squares
 * solution
 *
 *     x = P Z^T [ T^-1 (Q^T b)_1; 0 ].
 *
 * LAPACK's dgeqp3 and dtzrzf do the work; all buffers are taken in create. */
#include "linalg/dense.h"

#include "linalg/blas.h"
#include "linalg/lapack.h"

#include <math.h>
#include <string.h>

struct rg_qr {
    rg_context *ctx;
    int64_t m, n, rank;
    double *QR;   /* R on and above the diagonal, reflectors below       */
    double *tau;  /* their factors                                       */
    double *Z;    /* rank x n: R with its right part reflected away      */
    double *zeta; /* factors of these reflectors                         */
    int *pivot;   /* column k of A P is column pivot[k] (from 0) of A    */
    double *work; /* n_work                                              */
    int n_work;
};

enum { QR_BLOCK = 64 }; /* workspace per column: at least LAPACK's block size, 32 here */

static rg_status take_memory(rg_qr *qr, int64_t m, int64_t n)
{
    const size_t M = (size_t)m, N = (size_t)n, wide = M > N ? M : N, k = M < N ? M : N;

    qr->n_work = (int)(QR_BLOCK * (wide + 1));
    qr->QR = rg_alloc(qr->ctx, M * N + 1, sizeof *qr->QR);
    qr->tau = rg_alloc(qr->ctx, k + 1, sizeof *qr->tau);
    qr->Z = rg_alloc(qr->ctx, k * N + 1, sizeof *qr->Z);
    qr->zeta = rg_alloc(qr->ctx, k + 1, sizeof *qr->zeta);
    qr->pivot = rg_alloc(qr->ctx, N + 1, sizeof *qr->pivot);
    qr->work = rg_alloc(qr->ctx, (size_t)qr->n_work, sizeof *qr->work);
    return qr->QR && qr->tau && qr->Z && qr->zeta && qr->pivot && qr->work ? RG_OK : RG_ERR_MEMORY;
}

/* Rank, then the copy [T 0] Z of the leading rows. */
static void reveal_rank(rg_qr *qr, double tol)
{
    const int64_t m = qr->m, n = qr->n, k = m < n ? m : n;
    int info;

    while (qr->rank < k && fabs(qr->QR[qr->rank * m + qr->rank]) > tol * fabs(qr->QR[0]))
        qr->rank++;
    if (qr->rank == 0) return;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < qr->rank && i <= j; i++)
            qr->Z[j * qr->rank + i] = qr->QR[j * m + i];
    const int r = (int)qr->rank, columns = (int)n;
    if (r < columns) dtzrzf_(&r, &columns, qr->Z, &r, qr->zeta, qr->work, &qr->n_work, &info);
}

static rg_status factor(rg_qr *qr, const double *A, double tol)
{
    const int m = (int)qr->m, n = (int)qr->n;
    int info;

    for (int64_t k = 0; k < qr->m * qr->n; k++)
        if (!isfinite(A[k])) return (rg_status)RG_RETRY;
    memcpy(qr->QR, A, (size_t)(qr->m * qr->n) * sizeof *A);
    if (m > 0 && n > 0)
        dgeqp3_(&m, &n, qr->QR, &m, qr->pivot, qr->tau, qr->work, &qr->n_work, &info);
    for (int j = 0; j < n; j++)
        qr->pivot[j] = m > 0 ? qr->pivot[j] - 1 : j;
    reveal_rank(qr, tol);
    return RG_OK;
}

rg_status rg_qr_create(rg_context *ctx, int64_t m, int64_t n, const double *A, double tol,
                       rg_qr **out)
{
    rg_qr *qr = rg_alloc(ctx, 1, sizeof *qr);

    *out = NULL;
    if (qr == NULL) return RG_ERR_MEMORY;
    rg_blas_one_thread();
    qr->ctx = ctx;
    qr->m = m;
    qr->n = n;
    rg_status status = take_memory(qr, m, n);
    if (status == RG_OK) status = factor(qr, A, tol);
    if (status == RG_OK)
        *out = qr;
    else
        rg_qr_destroy(&qr);
    return status;
}

int64_t rg_qr_rank(const rg_qr *qr)
{
    return qr->rank;
}

void rg_qr_destroy(rg_qr **qr)
{
    rg_qr *q = *qr;

    if (q == NULL) return;
    rg_free(q->ctx, q->QR);
    rg_free(q->ctx, q->tau);
    rg_free(q->ctx, q->Z);
    rg_free(q->ctx, q->zeta);
    rg_free(q->ctx, q->pivot);
    rg_free(q->ctx, q->work);
    rg_free(q->ctx, q);
    *qr = NULL;
}

/* C <- Q C or Q^T C, C with m rows. */
static void apply_q(const rg_qr *qr, const char *trans, int columns, double *C)
{
    const int m = (int)qr->m, k = (int)(qr->m < qr->n ? qr->m : qr->n);
    int info;

    if (k > 0 && columns > 0)
        dormqr_("L", trans, &m, &columns, &k, qr->QR, &m, qr->tau, C, &m, qr->work, &qr->n_work,
                &info, 1, 1);
}

/* C <- Z^T C, C with n rows. */
static void apply_z_transposed(const rg_qr *qr, int columns, double *C)
{
    const int n = (int)qr->n, r = (int)qr->rank, rest = n - r;
    int info;

    if (r > 0 && rest > 0 && columns > 0)
        dormrz_("L", "T", &n, &columns, &r, &rest, qr->Z, &r, qr->zeta, C, &n, qr->work,
                &qr->n_work, &info, 1, 1);
}

void rg_qr_solve(const rg_qr *qr, const double *b, double *x, double *c)
{
    const int64_t m = qr->m, n = qr->n, r = qr->rank;

    memcpy(c, b, (size_t)m * sizeof *c);
    apply_q(qr, "T", 1, c);                /* c = Q^T b      */
    for (int64_t j = r - 1; j >= 0; j--) { /* c = T^-1 c_1   */
        c[j] /= qr->Z[j * r + j];
        for (int64_t i = 0; i < j; i++)
            c[i] -= qr->Z[j * r + i] * c[j];
    }
    for (int64_t i = r; i < n; i++)
        c[i] = 0.0;
    apply_z_transposed(qr, 1, c);
    for (int64_t j = 0; j < n; j++)
        x[qr->pivot[j]] = c[j];
}

void rg_qr_left_null(const rg_qr *qr, double *N)
{
    const int64_t m = qr->m, columns = m - qr->rank;

    memset(N, 0, (size_t)(m * columns) * sizeof *N);
    for (int64_t j = 0; j < columns; j++)
        N[j * m + qr->rank + j] = 1.0;
    apply_q(qr, "N", (int)columns, N);
}

void rg_qr_right_null(const rg_qr *qr, double *N)
{
    const int64_t n = qr->n, columns = n - qr->rank;
    double *c = qr->work + qr->n_work - n; /* the last n of QR_BLOCK (n + 1) */

    memset(N, 0, (size_t)(n * columns) * sizeof *N);
    for (int64_t j = 0; j < columns; j++)
        N[j * n + qr->rank + j] = 1.0;
    apply_z_transposed(qr, (int)columns, N);
    for (int64_t j = 0; j < columns; j++) {
        memcpy(c, N + j * n, (size_t)n * sizeof *c);
        for (int64_t i = 0; i < n; i++)
            N[j * n + qr->pivot[i]] = c[i];
    }
}

rg_status rg_rank_qr(rg_context *ctx, int64_t m, int64_t n, const double *A, double tol,
                     int64_t *rank, int64_t *pivot)
{
    rg_qr *qr;

    *rank = 0;
    RG_TRY(rg_qr_create(ctx, m, n, A, tol, &qr));
    *rank = qr->rank;
    for (int64_t j = 0; pivot != NULL && j < n; j++)
        pivot[j] = qr->pivot[j];
    rg_qr_destroy(&qr);
    return RG_OK;
}
