/* Rank-revealing QR: A P = Q R, |r_00| >= |r_11| >= ...  With r = rank and R = [R1 R2] (r rows),
 * the complete orthogonal decomposition [R1 R2] = [T 0] Z gives the least-norm least-squares
 * solution
 *
 *     x = P Z^T [ T^-1 (Q^T b)_1; 0 ].
 *
 * Golub, Van Loan, Matrix Computations (1996), 5.4.1 (Householder, column pivoting) and 5.4.2 (the
 * right part reflected away); all buffers are taken in create. */
#include "linalg/dense.h"

#include "linalg/reflect.h"

#include <string.h>

struct rg_qr {
    rg_context *ctx;
    int64_t m, n, rank;
    double *QR;     /* R on and above the diagonal, reflectors below       */
    double *beta;   /* their factors                                       */
    double *Z;      /* rank x n: R with its right part reflected away      */
    double *zeta;   /* factors of these reflectors                         */
    int64_t *pivot; /* column k of A P is column pivot[k] (from 0) of A    */
    double *length; /* of what is left of a column, n; a workspace later   */
    double *known;  /* the same when it was last computed afresh, n        */
};

static rg_status take_memory(rg_qr *qr, int64_t m, int64_t n)
{
    const size_t M = (size_t)m, N = (size_t)n, k = M < N ? M : N;

    qr->QR = rg_alloc(qr->ctx, M * N + 1, sizeof *qr->QR);
    qr->beta = rg_alloc(qr->ctx, k + 1, sizeof *qr->beta);
    qr->Z = rg_alloc(qr->ctx, k * N + 1, sizeof *qr->Z);
    qr->zeta = rg_alloc(qr->ctx, k + 1, sizeof *qr->zeta);
    qr->pivot = rg_alloc(qr->ctx, N + 1, sizeof *qr->pivot);
    qr->length = rg_alloc(qr->ctx, N + 1, sizeof *qr->length);
    qr->known = rg_alloc(qr->ctx, N + 1, sizeof *qr->known);
    return qr->QR && qr->beta && qr->Z && qr->zeta && qr->pivot && qr->length && qr->known
               ? RG_OK
               : RG_ERR_MEMORY;
}

static void swap(double *a, double *b)
{
    const double kept = *a;

    *a = *b;
    *b = kept;
}

static void swap_columns(rg_qr *qr, int64_t j, int64_t k)
{
    const int64_t pivot = qr->pivot[j];

    if (j == k) return;
    qr->pivot[j] = qr->pivot[k];
    qr->pivot[k] = pivot;
    swap(&qr->length[j], &qr->length[k]);
    swap(&qr->known[j], &qr->known[k]);
    for (int64_t i = 0; i < qr->m; i++)
        swap(&qr->QR[j * qr->m + i], &qr->QR[k * qr->m + i]);
}

/* |a_j|^2 falls by r_kj^2; where little is left of it, it is computed again. */
static void shorten(rg_qr *qr, int64_t k, int64_t j)
{
    const double part = qr->length[j] > 0.0 ? qr->QR[j * qr->m + k] / qr->length[j] : 0.0;
    const double left = fmax(0.0, (1.0 - part) * (1.0 + part));
    const double ratio = qr->known[j] > 0.0 ? qr->length[j] / qr->known[j] : 0.0;

    if (left * ratio * ratio <= sqrt(DBL_EPSILON))
        qr->known[j] = qr->length[j] = rg_length(qr->m - k - 1, qr->QR + j * qr->m + k + 1);
    else
        qr->length[j] *= sqrt(left);
}

/* Step k of the elimination: the longest column first. */
static void eliminate(rg_qr *qr, int64_t k)
{
    const int64_t m = qr->m, n = qr->n;
    int64_t best = k;
    double scale;

    for (int64_t j = k + 1; j < n; j++)
        if (qr->length[j] > qr->length[best]) best = j;
    swap_columns(qr, best, k);
    double *column = qr->QR + k * m + k;
    const double length = rg_length(m - k, column);
    qr->beta[k] = 0.0;
    if (length > 0.0 && m - k > 1) {
        qr->beta[k] = rg_reflector(length, column, &scale);
        for (int64_t i = 1; i < m - k; i++)
            column[i] *= scale;
    }
    for (int64_t j = k + 1; j < n; j++) {
        if (qr->beta[k] != 0.0) rg_reflect(m - k, column, qr->beta[k], qr->QR + j * m + k);
        shorten(qr, k, j);
    }
}

/* Row k of Z: (t_kk, right part) becomes (t_kk, 0); the rows above follow.  The reflector stays in
 * place of the right part. */
static void reflect_right(rg_qr *qr, int64_t k)
{
    const int64_t n = qr->n, r = qr->rank;
    double *Z = qr->Z, *row = qr->length, scale;

    row[0] = Z[k * r + k];
    for (int64_t j = r; j < n; j++)
        row[j - r + 1] = Z[j * r + k];
    qr->zeta[k] = 0.0;
    const double length = rg_length(n - r + 1, row);
    if (length == fabs(row[0])) return; /* nothing to be removed */
    qr->zeta[k] = rg_reflector(length, &Z[k * r + k], &scale);
    for (int64_t j = r; j < n; j++)
        Z[j * r + k] *= scale;
    for (int64_t i = 0; i < k; i++)
        row[i] = Z[k * r + i];
    for (int64_t j = r; j < n; j++)
        for (int64_t i = 0; i < k; i++)
            row[i] += Z[j * r + i] * Z[j * r + k];
    for (int64_t i = 0; i < k; i++)
        Z[k * r + i] -= row[i] *= qr->zeta[k];
    for (int64_t j = r; j < n; j++)
        for (int64_t i = 0; i < k; i++)
            Z[j * r + i] -= row[i] * Z[j * r + k];
}

/* Rank, then the copy [T 0] Z of the leading rows. */
static void reveal_rank(rg_qr *qr, double tol)
{
    const int64_t m = qr->m, n = qr->n, k = m < n ? m : n;

    while (qr->rank < k && fabs(qr->QR[qr->rank * m + qr->rank]) > tol * fabs(qr->QR[0]))
        qr->rank++;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < qr->rank && i <= j; i++)
            qr->Z[j * qr->rank + i] = qr->QR[j * m + i];
    for (int64_t i = qr->rank - 1; i >= 0 && qr->rank < n; i--)
        reflect_right(qr, i);
}

static rg_status factor(rg_qr *qr, const double *A, double tol)
{
    const int64_t m = qr->m, n = qr->n;

    for (int64_t k = 0; k < m * n; k++)
        if (!isfinite(A[k])) return (rg_status)RG_RETRY;
    memcpy(qr->QR, A, (size_t)(m * n) * sizeof *A);
    for (int64_t j = 0; j < n; j++) {
        qr->pivot[j] = j;
        qr->known[j] = qr->length[j] = rg_length(m, A + j * m);
    }
    for (int64_t k = 0; k < m && k < n; k++)
        eliminate(qr, k);
    reveal_rank(qr, tol);
    return RG_OK;
}

rg_status rg_qr_create(rg_context *ctx, int64_t m, int64_t n, const double *A, double tol,
                       rg_qr **out)
{
    rg_qr *qr = rg_alloc(ctx, 1, sizeof *qr);

    *out = NULL;
    if (qr == NULL) return RG_ERR_MEMORY;
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
    rg_free(q->ctx, q->beta);
    rg_free(q->ctx, q->Z);
    rg_free(q->ctx, q->zeta);
    rg_free(q->ctx, q->pivot);
    rg_free(q->ctx, q->length);
    rg_free(q->ctx, q->known);
    rg_free(q->ctx, q);
    *qr = NULL;
}

/* C <- Q C, or Q^T C (the first reflector first); C with m rows. */
static void apply_q(const rg_qr *qr, bool is_transposed, int64_t columns, double *C)
{
    const int64_t m = qr->m, k = m < qr->n ? m : qr->n;

    for (int64_t c = 0; c < columns; c++)
        for (int64_t i = 0; i < k; i++) {
            const int64_t l = is_transposed ? i : k - 1 - i;
            if (qr->beta[l] == 0.0) continue;
            rg_reflect(m - l, qr->QR + l * m + l, qr->beta[l], C + c * m + l);
        }
}

void rg_qr_solve(const rg_qr *qr, const double *b, double *x, double *c)
{
    const int64_t m = qr->m, n = qr->n, r = qr->rank;

    memcpy(c, b, (size_t)m * sizeof *c);
    apply_q(qr, true, 1, c);               /* c = Q^T b      */
    for (int64_t j = r - 1; j >= 0; j--) { /* c = T^-1 c_1   */
        c[j] /= qr->Z[j * r + j];
        for (int64_t i = 0; i < j; i++)
            c[i] -= qr->Z[j * r + i] * c[j];
    }
    for (int64_t i = r; i < n; i++)
        c[i] = 0.0;
    rg_reflect_rows(n, r, qr->Z, r, qr->zeta, c);
    for (int64_t j = 0; j < n; j++)
        x[qr->pivot[j]] = c[j];
}

void rg_qr_left_null(const rg_qr *qr, double *N)
{
    const int64_t m = qr->m, columns = m - qr->rank;

    memset(N, 0, (size_t)(m * columns) * sizeof *N);
    for (int64_t j = 0; j < columns; j++)
        N[j * m + qr->rank + j] = 1.0;
    apply_q(qr, false, columns, N);
}

void rg_qr_right_null(const rg_qr *qr, double *N)
{
    const int64_t n = qr->n, columns = n - qr->rank;
    double *c = qr->length;

    for (int64_t j = 0; j < columns; j++) {
        memset(c, 0, (size_t)n * sizeof *c);
        c[qr->rank + j] = 1.0;
        rg_reflect_rows(n, qr->rank, qr->Z, qr->rank, qr->zeta, c);
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
