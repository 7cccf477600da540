/* The null spaces of redundant constraints, and with them L and R (border.c).
 *
 * In rows of different size, u = D^-1 u^ with the left null vectors u^ of D^-1 G, D the largest
 * entries of the rows so far; L = D u^, so that L^T u = I.  With the largest ones of today L would
 * vanish with a row, as  cos f_1 = cos f_2  has one at f = 0, and the bordered matrix lose rank
 * where the constraints do not.  L and R are made anew when the null spaces
 * have turned by about RG_NULL_TURNED, but not where G is about to lose rank: there the singular
 * vectors of lost and of redundant constraints cannot be told apart.  Thresholds chosen by
 * experiment: tests/order/test_passage.c. */
#include "ivp/passage/form.h"

#include "ivp/passage/tuning.h"
#include "linalg/dense.h"
#include "linalg/matrix.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"

#include <math.h>
#include <string.h>

typedef struct { /* D^-1 G or B of A, dense, and what is found of it */
    int rows, columns, n;
    double *A, *sigma, *vectors, *scale;
    int32_t *number; /* per row (G) or column (B) of the dense matrix: that of A */
    int32_t *state;  /* per column of B: of the view */
} part;

static rg_status take_memory(rg_context *ctx, int n_plain, part *x)
{
    const size_t n = (size_t)n_plain;

    x->A = rg_alloc(ctx, 2 * n * n + 2 * n + 1, sizeof *x->A);
    x->number = rg_alloc(ctx, 2 * n + 1, sizeof *x->number);
    if (x->A == NULL || x->number == NULL) return RG_ERR_MEMORY;
    x->state = x->number + n;
    x->vectors = x->A + n * n;
    x->sigma = x->vectors + n * n;
    x->scale = x->sigma + n;
    return RG_OK;
}

static void release(rg_context *ctx, part *x)
{
    rg_free(ctx, x->A);
    rg_free(ctx, x->number);
}

/* Rows with largest c, each divided by its largest entry so far. */
static void fill_left(const rg_stable *v, const double *A, const double *row_largest, part *x)
{
    const rg_leading *a = v->leading;
    const rg_pattern *p = &a->pattern;

    for (int32_t i = 0; i < a->n_plain; i++)
        if (rg_leading_has_left(a, v->a, i)) {
            x->scale[x->rows] = row_largest[i];
            x->number[x->rows++] = i;
        }
    x->columns = a->n_plain;
    for (int j = 0; j < a->n_plain; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            for (int i = 0; i < x->rows; i++)
                if (x->number[i] == p->row[e]) {
                    x->A[j * x->rows + i] = A[e];
                    x->scale[i] = fmax(x->scale[i], fabs(A[e]));
                }
    for (int i = 0; i < x->rows; i++) {
        if (!(x->scale[i] > 0.0)) x->scale[i] = 1.0;
        for (int j = 0; j < x->columns; j++)
            x->A[j * x->rows + i] /= x->scale[i];
    }
}

static void fill_right(const rg_stable *v, const double *A, part *x)
{
    const rg_leading *a = v->leading;
    const rg_pattern *p = &a->pattern;

    x->rows = a->n_plain;
    for (int64_t j = 0; j < v->p->n; j++) {
        if (!rg_leading_has_right(a, v->a, j)) continue;
        const int32_t column = a->column_of[j];
        for (int64_t e = p->start[column]; e < p->start[column + 1]; e++)
            if (p->row[e] < a->n_plain) x->A[x->columns * x->rows + p->row[e]] = A[e];
        x->state[x->columns] = (int32_t)rg_system_state(v->system, j, 0);
        x->number[x->columns++] = column;
    }
}

/* The smallest singular value but n; is_null: those n are 0. */
static double regular_sigma_of(const part *x, int size, int n, bool *is_null)
{
    if (size <= n) *is_null = false;
    if (size <= n) return 0.0;
    const double sigma = x->sigma[size - n - 1];
    if (x->sigma[size - n] > RG_RANK_DOUBT * x->sigma[0] || !(sigma > RG_RANK_DOUBT * x->sigma[0]))
        *is_null = false;
    return sigma;
}

/* L = D u^, u = D^-1 u^;  R = v */
static void take_vectors(rg_stable *v, const part *left, const part *right)
{
    const int n = v->border.n, first = v->leading->n_plain;
    double *L = v->leading->border, *R = L + n * first, *u = v->border.null;

    for (int k = 0; k < n; k++) {
        for (int i = 0; i < left->rows; i++) {
            const double x = left->vectors[(left->rows - n + k) * left->rows + i];
            L[k * first + left->number[i]] = x * left->scale[i];
            u[k * first + left->number[i]] = x / left->scale[i];
        }
        for (int j = 0; j < right->columns; j++)
            R[k * first + right->number[j]] =
                right->vectors[(right->columns - n + k) * right->columns + j];
    }
}

static rg_status find_vectors(rg_stable *v, const double *A, const double *row_largest, part *left,
                              part *right)
{
    const int n = v->border.n;
    double *most = v->border.regular_sigma;
    bool is_null = true;

    fill_left(v, A, row_largest, left);
    fill_right(v, A, right);
    RG_TRY(rg_svd(v->ctx, left->rows, left->columns, left->A, left->sigma, left->vectors, NULL));
    RG_TRY(
        rg_svd(v->ctx, right->rows, right->columns, right->A, right->sigma, NULL, right->vectors));
    const double sigma[2] = {regular_sigma_of(left, left->rows, n, &is_null),
                             regular_sigma_of(right, right->columns, n, &is_null)};
    if (!v->border.has_vectors && !is_null) return (rg_status)RG_RETRY;
    if (!(sigma[0] > RG_NULL_LOOSE * most[0] && sigma[1] > RG_NULL_LOOSE * most[1])) return RG_OK;
    most[0] = fmax(most[0], sigma[0]);
    most[1] = fmax(most[1], sigma[1]);
    take_vectors(v, left, right);
    v->border.has_vectors = true;
    return RG_OK;
}

static double largest(int n, const double *x)
{
    double most = 0.0;

    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    return most;
}

/* How far are u^T A and A v from 0, beside regular_sigma? */
static bool has_turned(const rg_stable *v, const double *A)
{
    const rg_pattern *p = &v->leading->pattern;
    const int n = v->border.n, first = v->leading->n_plain;
    const double *u = v->border.null, *R = v->leading->border + n * first;
    double *x = v->border.null + n * first, *product = x + p->n_columns;
    bool has_turned = false;

    for (int k = 0; k < n && !has_turned; k++) {
        memset(product, 0, (size_t)p->n_rows * sizeof *product);
        for (int j = 0; j < first; j++)
            for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
                if (p->row[e] < first) product[j] += A[e] * u[k * first + p->row[e]];
        has_turned = !(largest(first, product) <= RG_NULL_TURNED * v->border.regular_sigma[0]);
        memcpy(x, R + k * first, (size_t)first * sizeof *x); /* 0 behind it, always */
        memset(product, 0, (size_t)p->n_rows * sizeof *product);
        rg_pattern_multiply(p, A, 1.0, x, product);
        if (!(largest(first, product) <= RG_NULL_TURNED * v->border.regular_sigma[1]))
            has_turned = true;
    }
    return has_turned;
}

rg_status rg_border_turn(rg_stable *v, const double *row_largest, double *A)
{
    rg_border *b = &v->border;
    part left = {0}, right = {0};
    rg_status status = RG_OK;

    if (b->n == 0 || (b->has_vectors && !has_turned(v, A))) return RG_OK;
    if (b->null == NULL) {
        const size_t room =
            (size_t)b->n * (size_t)v->leading->n_plain + 2 * (size_t)v->leading->pattern.n_columns;
        if ((b->null = rg_alloc(v->ctx, room + 1, sizeof *b->null)) == NULL) return RG_ERR_MEMORY;
    }
    status = take_memory(v->ctx, v->leading->n_plain, &left);
    if (status == RG_OK) status = take_memory(v->ctx, v->leading->n_plain, &right);
    if (status == RG_OK) status = find_vectors(v, A, row_largest, &left, &right);
    release(v->ctx, &left);
    release(v->ctx, &right);
    if (status == RG_OK) rg_leading_border(v->leading, A);
    return status;
}

/* lambda <- lambda - V V^T lambda with the right null vectors V of A at (t, w): the least of all
 * that act alike. */
rg_status rg_border_least(rg_stable *v, double t, double *w)
{
    const rg_leading *a = v->leading;
    part right = {0};
    double *A = rg_alloc(v->ctx, (size_t)a->pattern.start[a->pattern.n_columns] + 1, sizeof *A);
    rg_status status = A != NULL ? take_memory(v->ctx, a->n_plain, &right) : RG_ERR_MEMORY;

    if (status == RG_OK) status = rg_stable_system_matrix(v, t, w, NULL, A);
    if (status == RG_OK) {
        fill_right(v, A, &right);
        status =
            rg_svd(v->ctx, right.rows, right.columns, right.A, right.sigma, NULL, right.vectors);
    }
    for (int k = 1; k <= v->border.n && status == RG_OK; k++) {
        const double *x = right.vectors + (right.columns - k) * right.columns;
        double sum = 0.0;
        for (int j = 0; j < right.columns; j++)
            sum += x[j] * w[right.state[j]];
        for (int j = 0; j < right.columns; j++)
            w[right.state[j]] -= sum * x[j];
    }
    release(v->ctx, &right);
    rg_free(v->ctx, A);
    return status;
}
