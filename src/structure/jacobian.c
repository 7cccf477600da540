/* Regularity of the system Jacobian (Pryce01):
 *
 *     J_ij = dF_i/dy_j^(d_j - c_i) = dF_i^(c_i)/dy_j^(d_j).
 *
 * With the block form J is block lower triangular, so it is regular if all diagonal blocks are. */
#include "structure/jacobian.h"

#include "base/random.h"
#include "linalg/rank.h"
#include "linalg/sparse.h"
#include "structure/tuning.h"

#include <math.h>

typedef struct {
    const rg_sampler *s;
    const rg_transversal *t;
    int32_t *place; /* of each row inside its block */
} checker;

/* Entries of column j inside its own block: calls put(row place, value). */
typedef struct {
    int64_t count;
    int32_t *place;
    double *value;
} column_entries;

static void gather_column(const checker *c, int32_t j, column_entries *out)
{
    const rg_sampler *s = c->s;
    const rg_transversal *t = c->t;

    out->count = 0;
    for (int order = 0; order < s->n_orders && order <= t->d[j]; order++) {
        const int64_t column = order * s->p->n + j;
        for (int64_t e = s->pattern->start[column]; e < s->pattern->start[column + 1]; e++) {
            const int32_t i = s->pattern->row[e];
            if (i >= s->p->n_rows) break; /* rows of level 0 come first */
            if (t->d[j] - t->c[i] != order || t->block_of_row[i] != t->block_of_column[j]) continue;
            out->place[out->count] = c->place[i];
            out->value[out->count++] = s->J[e];
        }
    }
}

static rg_status check_dense(const checker *c, int64_t b, column_entries *entries, bool *is_regular,
                             double *ratio)
{
    rg_context *ctx = c->s->p->ctx;
    const int64_t first = c->t->block_start[b], m = c->t->block_start[b + 1] - first;
    double single = 0.0, *A = &single;

    if (m > 1 && (A = rg_alloc(ctx, (size_t)(m * m), sizeof *A)) == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < m; k++) {
        gather_column(c, c->t->column_order[first + k], entries);
        for (int64_t e = 0; e < entries->count; e++)
            A[k * m + entries->place[e]] = entries->value[e];
    }
    rg_status status = RG_OK;
    if (m == 1)
        *is_regular = single != 0.0;
    else
        status = rg_is_regular(ctx, m, A, c->s->noise, is_regular, ratio);
    if (m > 1) rg_free(ctx, A);
    return status;
}

/* The block as a sparse matrix with columns scaled to largest entry 1 (KLU scales the rows). */
static rg_status gather_block(const checker *c, int64_t b, column_entries *entries, rg_pattern *a,
                              double **values)
{
    rg_context *ctx = c->s->p->ctx;
    const int64_t first = c->t->block_start[b];
    int64_t n_entries = 0;

    a->n_rows = a->n_columns = c->t->block_start[b + 1] - first;
    a->start = rg_alloc(ctx, (size_t)a->n_columns + 1, sizeof *a->start);
    if (a->start == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < a->n_columns; k++) {
        gather_column(c, c->t->column_order[first + k], entries);
        a->start[k + 1] = n_entries += entries->count;
    }
    a->row = rg_alloc(ctx, (size_t)n_entries + 1, sizeof *a->row);
    *values = rg_alloc(ctx, (size_t)n_entries + 1, sizeof **values);
    if (a->row == NULL || *values == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < a->n_columns; k++) {
        double largest = 0.0;
        gather_column(c, c->t->column_order[first + k], entries);
        for (int64_t e = 0; e < entries->count; e++)
            largest = fmax(largest, fabs(entries->value[e]));
        for (int64_t e = 0; e < entries->count; e++) {
            a->row[a->start[k] + e] = entries->place[e];
            (*values)[a->start[k] + e] = largest > 0.0 ? entries->value[e] / largest : 0.0;
        }
    }
    return RG_OK;
}

/* Factors exist and a random right-hand side does not blow up. */
static rg_status factor_block(rg_context *ctx, const rg_pattern *a, const double *values,
                              bool *is_regular)
{
    rg_sparse *lu = NULL;
    const int64_t n = a->n_columns;
    double *x = rg_alloc(ctx, (size_t)n, sizeof *x), largest = 0.0;
    rg_status status = x != NULL ? rg_sparse_create(ctx, a, false, &lu) : RG_ERR_MEMORY;

    *is_regular = false;
    if (status != RG_OK) goto done;
    for (int64_t e = 0; e < a->start[n]; e++)
        rg_sparse_values(lu)[e] = values[e];
    if ((status = rg_sparse_factor(lu)) != RG_OK) goto done;
    for (int64_t i = 0; i < n; i++)
        x[i] = 2.0 * rg_random(0, (uint64_t)i) - 1.0;
    rg_sparse_solve(lu, x, NULL);
    for (int64_t i = 0; i < n; i++)
        if (!(fabs(x[i]) <= largest)) largest = fabs(x[i]);
    *is_regular = largest < RG_INVERSE_LIMIT;
done:
    rg_sparse_destroy(&lu);
    rg_free(ctx, x);
    return status == (rg_status)RG_RETRY ? RG_OK : status;
}

static rg_status check_sparse(const checker *c, int64_t b, column_entries *entries,
                              bool *is_regular)
{
    rg_context *ctx = c->s->p->ctx;
    rg_pattern a = {0};
    double *values = NULL;
    rg_status status = gather_block(c, b, entries, &a, &values);

    if (status == RG_OK) status = factor_block(ctx, &a, values, is_regular);
    rg_free(ctx, a.start);
    rg_free(ctx, a.row);
    rg_free(ctx, values);
    return status;
}

static rg_status check_blocks(const checker *c, column_entries *entries, uint8_t *is_singular,
                              int64_t *n_singular, double *least)
{
    const rg_transversal *t = c->t;

    *n_singular = 0;
    for (int64_t b = 0; b < t->n_blocks; b++) {
        bool is_regular = true;
        double ratio = 1.0;
        if (!is_singular[b]) continue;
        if (t->block_start[b + 1] - t->block_start[b] <= RG_BLOCK_DENSE)
            RG_TRY(check_dense(c, b, entries, &is_regular, &ratio));
        else
            RG_TRY(check_sparse(c, b, entries, &is_regular));
        is_singular[b] = !is_regular;
        *n_singular += !is_regular;
        if (least != NULL) least[!is_regular] = fmin(least[!is_regular], ratio);
    }
    return RG_OK;
}

rg_status rg_system_jacobian_check(const rg_sampler *s, const rg_transversal *t,
                                   uint8_t *is_singular, int64_t *n_singular, double *least)
{
    rg_context *ctx = s->p->ctx;
    const size_t n = (size_t)t->n + 1;
    checker c = {.s = s, .t = t, .place = rg_alloc(ctx, n, sizeof *c.place)};
    column_entries entries = {.place = rg_alloc(ctx, n, sizeof *entries.place),
                              .value = rg_alloc(ctx, n, sizeof *entries.value)};
    rg_status status = RG_ERR_MEMORY;

    if (c.place != NULL && entries.place != NULL && entries.value != NULL) {
        for (int64_t b = 0; b < t->n_blocks; b++)
            for (int64_t k = t->block_start[b]; k < t->block_start[b + 1]; k++)
                c.place[t->row_order[k]] = (int32_t)(k - t->block_start[b]);
        status = check_blocks(&c, &entries, is_singular, n_singular, least);
    }
    rg_free(ctx, c.place);
    rg_free(ctx, entries.place);
    rg_free(ctx, entries.value);
    return status;
}
