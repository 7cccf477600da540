/* Least-change steps of small systems, by pivoted QR factors. */
#include "linalg/dense.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"
#include "newton/step.h"

#include <math.h>

/* Pivots of the equilibrated matrix that are rounding. */
static const double FLOOR = RG_RANK_PIVOT * RG_NOISE_EXACT;

struct rg_newton_dense_step {
    rg_start_system *s;
    double *row_weight;      /* R, borrowed                                      */
    int64_t m, n_free, n;    /* rows; columns: free ones first, then the guesses */
    int32_t *column;         /* of z, n                                          */
    double *C;               /* column scales, n                                 */
    double *A;               /* R J C, m x n                                     */
    double *N, *B;           /* left null space of the free part, N^T A_guess    */
    int64_t n_left;          /* columns of N                                     */
    rg_qr *free, *guess;     /* of A_free and B                                  */
    rg_qr *damped;           /* of [A; sqrt(lambda) I]                           */
    double *b, *x, *c, *big; /* work: right side, solution, scratch              */
};

static void list_columns(rg_newton_dense_step *q)
{
    const rg_start_system *s = q->s;

    for (int64_t j = 0; j < s->n_columns; j++)
        if (s->role[j] == RG_START_NONE) q->column[q->n++] = (int32_t)j;
    q->n_free = q->n;
    for (int64_t j = 0; j < s->n_columns; j++)
        if (s->role[j] == RG_START_GUESS) q->column[q->n++] = (int32_t)j;
}

rg_status rg_newton_dense_step_create(rg_start_system *s, double *row_weight,
                                      rg_newton_dense_step **out)
{
    rg_newton_dense_step *q = rg_alloc(s->ctx, 1, sizeof *q);
    const size_t m = (size_t)s->n_rows, n = (size_t)s->n_columns;

    *out = NULL;
    if (q == NULL) return RG_ERR_MEMORY;
    q->s = s;
    q->row_weight = row_weight;
    q->m = s->n_rows;
    q->column = rg_alloc(s->ctx, n, sizeof *q->column);
    q->C = rg_alloc(s->ctx, n, sizeof *q->C);
    q->A = rg_alloc(s->ctx, m * n, sizeof *q->A);
    q->N = rg_alloc(s->ctx, m * m, sizeof *q->N);
    q->B = rg_alloc(s->ctx, m * n, sizeof *q->B);
    q->b = rg_alloc(s->ctx, m + n, sizeof *q->b);
    q->x = rg_alloc(s->ctx, n, sizeof *q->x);
    q->c = rg_alloc(s->ctx, 2 * m + n, sizeof *q->c);
    q->big = rg_alloc(s->ctx, (m + n) * n, sizeof *q->big);
    if (q->column == NULL || q->C == NULL || q->A == NULL || q->N == NULL || q->B == NULL
        || q->b == NULL || q->x == NULL || q->c == NULL || q->big == NULL) {
        rg_newton_dense_step_destroy(&q);
        return RG_ERR_MEMORY;
    }
    list_columns(q);
    *out = q;
    return RG_OK;
}

static void drop_factors(rg_newton_dense_step *q)
{
    rg_qr_destroy(&q->free);
    rg_qr_destroy(&q->guess);
    rg_qr_destroy(&q->damped);
}

void rg_newton_dense_step_destroy(rg_newton_dense_step **step)
{
    rg_newton_dense_step *q = *step;

    if (q == NULL) return;
    drop_factors(q);
    void *const owned[] = {q->column, q->C, q->A, q->N, q->B, q->b, q->x, q->c, q->big};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(q->s->ctx, owned[k]);
    rg_free(q->s->ctx, q);
    *step = NULL;
}

/* A = R J C */
static void copy_matrix(rg_newton_dense_step *q)
{
    const rg_start_system *s = q->s;
    const rg_pattern *pattern = s->pattern;

    rg_newton_step_scale(s, q->n, q->column, q->row_weight, q->C, q->c);
    for (int64_t k = 0; k < q->m * q->n; k++)
        q->A[k] = 0;
    for (int64_t j = 0; j < q->n; j++) {
        const int32_t col = q->column[j];
        for (int64_t k = pattern->start[col]; k < pattern->start[col + 1]; k++) {
            const int32_t i = pattern->row[k];
            q->A[j * q->m + i] = q->row_weight[i] * s->J[k] * q->C[j];
        }
    }
}

/* N: orthonormal basis of { w: w^T A_free = 0 };  B = N^T A_guess, rounding errors removed so that
 * a guess that need not move does not move at all. */
static void reduce_guesses(rg_newton_dense_step *q)
{
    q->n_left = q->n_free > 0 ? q->m - rg_qr_rank(q->free) : q->m;
    if (q->n_free > 0) rg_qr_left_null(q->free, q->N);
    for (int64_t j = 0; j < q->n - q->n_free; j++) {
        const double *a = q->A + (q->n_free + j) * q->m;
        for (int64_t k = 0; k < q->n_left; k++) {
            double sum = q->n_free > 0 ? 0 : a[k];
            for (int64_t i = 0; i < q->m && q->n_free > 0; i++)
                sum += q->N[k * q->m + i] * a[i];
            q->B[j * q->n_left + k] = fabs(sum) > FLOOR ? sum : 0;
        }
    }
}

static rg_status factor_damped(rg_newton_dense_step *q, double lambda)
{
    const int64_t rows = q->m + q->n;

    for (int64_t k = 0; k < rows * q->n; k++)
        q->big[k] = 0;
    for (int64_t j = 0; j < q->n; j++) {
        for (int64_t i = 0; i < q->m; i++)
            q->big[j * rows + i] = q->A[j * q->m + i];
        q->big[j * rows + q->m + j] = sqrt(lambda);
    }
    return rg_qr_create(q->s->ctx, rows, q->n, q->big, 0, &q->damped);
}

rg_status rg_newton_dense_step_factor(rg_newton_dense_step *q, double lambda)
{
    rg_context *ctx = q->s->ctx;

    drop_factors(q);
    copy_matrix(q);
    if (q->n == 0 || q->m == 0) return RG_OK;
    if (lambda > 0) return factor_damped(q, lambda);
    if (q->n_free > 0) RG_TRY(rg_qr_create(ctx, q->m, q->n_free, q->A, FLOOR, &q->free));
    reduce_guesses(q);
    if (q->n_left == 0 || q->n == q->n_free) return RG_OK;
    return rg_qr_create(ctx, q->n_left, q->n - q->n_free, q->B, FLOOR, &q->guess);
}

/* Guesses first:  min |x_guess - pull|  subject to  B x_guess = N^T b  (least squares),  b = -R
 * F. */
static void solve_guesses(rg_newton_dense_step *q, bool pull, double *x)
{
    const int64_t n_guess = q->n - q->n_free;
    double *rhs = q->big; /* n_left, then the solution n_guess */
    double *e = q->big + q->m;

    for (int64_t k = 0; k < q->n_left; k++) {
        rhs[k] = q->n_free > 0 ? 0 : q->b[k];
        for (int64_t i = 0; i < q->m && q->n_free > 0; i++)
            rhs[k] += q->N[k * q->m + i] * q->b[i];
    }
    for (int64_t j = 0; j < n_guess; j++) {
        const int32_t col = q->column[q->n_free + j];
        x[j] = pull ? (q->s->given_value[col] - q->s->z[col]) / q->C[q->n_free + j] : 0;
        for (int64_t k = 0; k < q->n_left; k++)
            rhs[k] -= q->B[j * q->n_left + k] * x[j];
    }
    if (q->guess == NULL) return;
    rg_qr_solve(q->guess, rhs, e, q->c);
    for (int64_t j = 0; j < n_guess; j++)
        x[j] += e[j];
}

/* Then the free ones:  A_free x_free = b - A_guess x_guess,  least norm. */
static void solve_free(rg_newton_dense_step *q, double *x)
{
    for (int64_t j = q->n_free; j < q->n; j++) {
        for (int64_t i = 0; i < q->m; i++)
            q->b[i] -= q->A[j * q->m + i] * x[j];
    }
    if (q->n_free > 0) rg_qr_solve(q->free, q->b, x, q->c);
}

void rg_newton_dense_step_solve(rg_newton_dense_step *q, const double *F, bool pull, double *d)
{
    if (q->n == 0 || q->m == 0) return;
    for (int64_t i = 0; i < q->m; i++)
        q->b[i] = -q->row_weight[i] * F[i];
    for (int64_t j = 0; j < q->n; j++)
        q->b[q->m + j] = 0;
    if (q->damped != NULL) {
        rg_qr_solve(q->damped, q->b, q->x, q->c);
    } else {
        solve_guesses(q, pull, q->x + q->n_free);
        solve_free(q, q->x);
    }
    for (int64_t j = 0; j < q->n; j++)
        d[q->column[j]] = q->C[j] * q->x[j];
}
