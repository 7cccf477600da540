/* Steps of large systems by sparse factors: a square choice of rows and columns, or the full
 * least-change problem. */
#include "linalg/matrix.h"
#include "linalg/sparse.h"
#include "newton/choose.h"
#include "newton/kkt.h"
#include "newton/ldl.h"
#include "newton/step.h"
#include "newton/tuning.h"

#include <math.h>

struct rg_sparse_step {
    rg_start_system *s;
    double *row_weight; /* R, borrowed */
    bool is_basic;
    int64_t n;         /* chosen columns                                     */
    int32_t *column;   /* of z                                               */
    int32_t *row;      /* basic: row of F -> row of the matrix, -1: left out */
    double *C, *D;     /* scales and weights of the columns                  */
    rg_pattern matrix; /* basic: n x n                                       */
    rg_sparse *lu;     /*   its factors                                      */
    rg_kkt kkt;        /* otherwise                                          */
    rg_ldl *ldl;       /*   its factors                                      */
    double *values;    /*   its entries                                      */
    double *b;         /* right side */
};

void rg_sparse_step_destroy(rg_sparse_step **step)
{
    rg_sparse_step *q = *step;

    if (q == NULL) return;
    rg_sparse_destroy(&q->lu);
    rg_ldl_destroy(&q->ldl);
    rg_kkt_clear(q->s->ctx, &q->kkt);
    void *const owned[] = {q->column, q->row,          q->C,          q->D,
                           q->b,      q->matrix.start, q->matrix.row, q->values};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(q->s->ctx, owned[k]);
    rg_free(q->s->ctx, q);
    *step = NULL;
}

static rg_status take_memory(rg_sparse_step *q, int64_t size)
{
    rg_context *ctx = q->s->ctx;

    q->C = rg_alloc(ctx, (size_t)q->n, sizeof *q->C);
    q->D = rg_alloc(ctx, (size_t)q->n, sizeof *q->D);
    q->b = rg_alloc(ctx, (size_t)size, sizeof *q->b);
    return q->C != NULL && q->D != NULL && q->b != NULL ? RG_OK : RG_ERR_MEMORY;
}

static int64_t chosen_entries(const rg_sparse_step *q)
{
    int64_t entries = 0;

    for (int64_t k = 0; k < q->n; k++) {
        const int32_t col = q->column[k];
        entries += q->s->pattern->start[col + 1] - q->s->pattern->start[col];
    }
    return entries;
}

/* Matched columns in their order, with the matched rows in theirs: rows ascend inside the
 * columns. */
static rg_status choose_basis(rg_sparse_step *q)
{
    const rg_start_system *s = q->s;
    int32_t *row_of_column = rg_alloc(s->ctx, (size_t)s->n_columns, sizeof *row_of_column);
    rg_status status = RG_ERR_MEMORY;
    int64_t count = 0, n_matched;

    if (row_of_column != NULL) status = rg_choose_columns(s, row_of_column, q->row, &n_matched);
    for (int64_t j = 0; j < s->n_columns && status == RG_OK; j++)
        if (row_of_column[j] >= 0) q->column[q->n++] = (int32_t)j;
    for (int64_t i = 0; i < s->n_rows && status == RG_OK; i++)
        q->row[i] = q->row[i] >= 0 ? (int32_t)count++ : -1;
    rg_free(s->ctx, row_of_column);
    return status;
}

static rg_status create_basic(rg_sparse_step *q)
{
    rg_context *ctx = q->s->ctx;
    const rg_pattern *pattern = q->s->pattern;
    int64_t used = 0;

    RG_TRY(take_memory(q, q->n));
    q->matrix.n_rows = q->matrix.n_columns = q->n;
    q->matrix.start = rg_alloc(ctx, (size_t)q->n + 1, sizeof *q->matrix.start);
    q->matrix.row = rg_alloc(ctx, (size_t)chosen_entries(q), sizeof *q->matrix.row);
    if (q->matrix.start == NULL || q->matrix.row == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < q->n; k++) {
        const int32_t col = q->column[k];
        for (int64_t e = pattern->start[col]; e < pattern->start[col + 1]; e++)
            if (q->row[pattern->row[e]] >= 0) q->matrix.row[used++] = q->row[pattern->row[e]];
        q->matrix.start[k + 1] = used;
    }
    return q->n > 0 ? rg_sparse_create(ctx, &q->matrix, false, &q->lu) : RG_OK;
}

static rg_status create_full(rg_sparse_step *q)
{
    const rg_start_system *s = q->s;

    for (int64_t j = 0; j < s->n_columns; j++)
        if (s->role[j] != RG_START_KEPT) q->column[q->n++] = (int32_t)j;
    RG_TRY(take_memory(q, q->n + 2 * s->n_rows));
    RG_TRY(rg_kkt_init(s->ctx, s->pattern, q->n, q->column, &q->kkt));
    const size_t size = (size_t)(q->n + s->n_rows);
    q->values = rg_alloc(s->ctx, (size_t)q->kkt.pattern.start[size], sizeof *q->values);
    if (q->values == NULL) return RG_ERR_MEMORY;
    return q->n > 0 ? rg_ldl_create(s->ctx, &q->kkt.pattern, &q->ldl) : RG_OK;
}

rg_status rg_sparse_step_create(rg_start_system *s, bool basic, double *row_weight,
                                rg_sparse_step **out)
{
    rg_sparse_step *q = rg_alloc(s->ctx, 1, sizeof *q);
    rg_status status = RG_ERR_MEMORY;

    *out = NULL;
    if (q == NULL) return RG_ERR_MEMORY;
    q->s = s;
    q->row_weight = row_weight;
    q->is_basic = basic;
    q->column = rg_alloc(s->ctx, (size_t)s->n_columns, sizeof *q->column);
    q->row = rg_alloc(s->ctx, (size_t)s->n_rows, sizeof *q->row);
    if (q->column != NULL && q->row != NULL) status = basic ? choose_basis(q) : RG_OK;
    if (status == RG_OK) status = basic ? create_basic(q) : create_full(q);
    if (status == RG_OK)
        *out = q;
    else
        rg_sparse_step_destroy(&q);
    return status;
}

bool rg_sparse_step_leaves_guess(const rg_sparse_step *q)
{
    int64_t left = 0;

    for (int64_t j = 0; j < q->s->n_columns; j++)
        left += q->s->role[j] == RG_START_GUESS;
    for (int64_t k = 0; k < q->n; k++)
        left -= q->s->role[q->column[k]] == RG_START_GUESS;
    return left > 0;
}

/* The square choice: KLU scales by itself; R is for the merit. */
static void scale_basic(rg_sparse_step *q)
{
    const rg_start_system *s = q->s;
    const rg_pattern *pattern = s->pattern;

    for (int64_t i = 0; i < s->n_rows; i++)
        q->row_weight[i] = 0;
    for (int64_t k = 0; k < q->n; k++) {
        q->C[k] = 1;
        for (int64_t e = pattern->start[q->column[k]]; e < pattern->start[q->column[k] + 1]; e++) {
            double *r = &q->row_weight[pattern->row[e]];
            if (q->row[pattern->row[e]] >= 0) *r = fmax(*r, fabs(s->J[e]));
        }
    }
    for (int64_t i = 0; i < s->n_rows; i++)
        q->row_weight[i] = q->row_weight[i] > 0 ? 1 / q->row_weight[i] : 0;
}

/* R J C */
static void fill_basic(rg_sparse_step *q, double *values)
{
    const rg_start_system *s = q->s;
    int64_t used = 0;

    for (int64_t k = 0; k < q->n; k++) {
        const int32_t col = q->column[k];
        for (int64_t e = s->pattern->start[col]; e < s->pattern->start[col + 1]; e++) {
            const int32_t i = s->pattern->row[e];
            if (q->row[i] >= 0) values[used++] = q->row_weight[i] * s->J[e] * q->C[k];
        }
    }
}

/* [ D  A^T ; A  -mu I ],  A = R J C */
static void fill_full(rg_sparse_step *q, double lambda, double *values)
{
    const rg_start_system *s = q->s;
    int64_t entry = 0;

    for (int64_t k = 0; k < q->n; k++) {
        const int32_t col = q->column[k];
        q->D[k] = lambda > 0 || s->role[col] == RG_START_GUESS ? 1 : RG_SPARSE_STEP_FREE_WEIGHT;
        values[q->kkt.diagonal[k]] = q->D[k];
        for (int64_t e = s->pattern->start[col]; e < s->pattern->start[col + 1]; e++, entry++) {
            const double a = q->row_weight[s->pattern->row[e]] * s->J[e] * q->C[k];
            values[q->kkt.below[entry]] = a;
            values[q->kkt.right[entry]] = a;
        }
    }
    for (int64_t i = 0; i < s->n_rows; i++)
        values[q->kkt.diagonal[q->n + i]] = -(lambda > 0 ? lambda : RG_SPARSE_STEP_ROW_SLACK);
}

rg_status rg_sparse_step_factor(rg_sparse_step *q, double lambda)
{
    if (q->n == 0) return RG_OK;
    if (lambda > 0 && q->is_basic) return (rg_status)RG_RETRY;
    if (q->is_basic) {
        scale_basic(q);
        fill_basic(q, rg_sparse_values(q->lu));
        return rg_sparse_factor(q->lu);
    }
    rg_newton_step_scale(q->s, q->n, q->column, q->row_weight, q->C, q->b + q->n);
    fill_full(q, lambda, q->values);
    return rg_ldl_factor(q->ldl, q->values);
}

/* b = -R F, and in the full problem the pull of the guesses before it. */
static void right_side(rg_sparse_step *q, const double *F, bool pull)
{
    const rg_start_system *s = q->s;

    for (int64_t i = 0; i < s->n_rows; i++) {
        const int64_t k = q->is_basic ? q->row[i] : q->n + i;
        if (k >= 0) q->b[k] = -q->row_weight[i] * F[i];
    }
    for (int64_t k = 0; k < q->n && !q->is_basic; k++) {
        const int32_t col = q->column[k];
        const bool is_pulled = pull && s->role[col] == RG_START_GUESS;
        q->b[k] = is_pulled ? q->D[k] * (s->given_value[col] - s->z[col]) / q->C[k] : 0;
    }
}

void rg_sparse_step_solve(rg_sparse_step *q, const double *F, bool pull, double *d)
{
    if (q->n == 0) return;
    right_side(q, F, pull);
    if (q->is_basic)
        rg_sparse_solve(q->lu, q->b, NULL);
    else
        rg_ldl_solve(q->ldl, q->b);
    for (int64_t k = 0; k < q->n; k++)
        d[q->column[k]] = q->C[k] * q->b[k];
}
