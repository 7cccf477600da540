/* Pairs constraints that are left over with multipliers that are left over: surplus.h says when. */
#include "structure/surplus.h"

#include "structure/build.h"

#include <string.h>

bool rg_surplus_is(const rg_signature *s, const rg_transversal *t, int64_t row)
{
    for (int64_t e = s->start[row]; e < s->start[row + 1]; e++)
        if (s->column[e] == t->column_of_row[row]) return false;
    return true;
}

/* Highest derivative of every unknown, and whether it occurs beside a derivative: forces do. */
static void look_at_columns(const rg_signature *s, int8_t *highest, uint8_t *is_force)
{
    for (int64_t i = 0; i < s->n_rows; i++) {
        bool has_derivative = false;
        for (int64_t e = s->start[i]; e < s->start[i + 1]; e++) {
            if (s->order[e] > highest[s->column[e]]) highest[s->column[e]] = s->order[e];
            if (s->order[e] > 0) has_derivative = true;
        }
        for (int64_t e = s->start[i]; e < s->start[i + 1] && has_derivative; e++)
            is_force[s->column[e]] = 1;
    }
}

/* Competing equations constrain differentiated unknowns only; unknowns that nothing fixes are
 * algebraic and act as forces. */
static bool is_mechanical(const rg_signature *s, const uint8_t *is_free,
                          const uint8_t *is_competing, const int8_t *highest,
                          const uint8_t *is_force)
{
    for (int64_t i = 0; i < s->n_rows; i++)
        for (int64_t e = s->start[i]; e < s->start[i + 1] && is_competing[i]; e++)
            if (highest[s->column[e]] == 0) return false;
    for (int64_t j = 0; j < s->n_columns; j++)
        if (is_free[j] && (highest[j] > 0 || !is_force[j])) return false;
    return true;
}

/* s with an entry of order 0 for each pair of an unmatched row and an unmatched column. */
static rg_status extend(rg_context *ctx, const rg_signature *s, const rg_transversal *t,
                        rg_signature *out)
{
    const size_t entries = (size_t)(s->start[s->n_rows] + s->n_rows) + 1;
    int64_t next = 0, j = 0;

    *out = (rg_signature){.n_rows = s->n_rows, .n_columns = s->n_columns};
    out->start = rg_alloc(ctx, (size_t)s->n_rows + 1, sizeof *out->start);
    out->column = rg_alloc(ctx, entries, sizeof *out->column);
    out->order = rg_alloc(ctx, entries, sizeof *out->order);
    if (out->start == NULL || out->column == NULL || out->order == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < s->n_rows; i++) {
        bool is_missing = t->column_of_row[i] < 0;
        while (is_missing && j < s->n_columns && t->row_of_column[j] >= 0)
            j++;
        for (int64_t e = s->start[i]; e <= s->start[i + 1]; e++) {
            const bool is_end = e == s->start[i + 1];
            if (is_missing && (is_end || s->column[e] > j)) {
                out->column[next] = (int32_t)j++;
                out->order[next++] = 0;
                is_missing = false;
            }
            if (is_end) continue;
            out->column[next] = s->column[e];
            out->order[next++] = s->order[e];
        }
        out->start[i + 1] = next;
    }
    return RG_OK;
}

static rg_status match(const rg_problem *p, rg_analysis *a, int64_t *count)
{
    rg_signature s = {0};
    rg_transversal *t = NULL;
    const int64_t missing = p->n - a->transversal->n_matched;
    rg_status status = extend(p->ctx, &a->signature, a->transversal, &s);

    if (status == RG_OK) status = rg_transversal_create(p->ctx, &s, &t);
    if (status == RG_OK && t->n_matched == p->n) {
        rg_transversal_destroy(p->ctx, &a->transversal);
        a->transversal = t;
        t = NULL;
        *count = missing;
    }
    rg_transversal_destroy(p->ctx, &t);
    rg_signature_clear(p->ctx, &s);
    return status;
}

rg_status rg_surplus_match(const rg_problem *p, rg_analysis *a, int64_t *count)
{
    const rg_signature *s = &a->signature;
    const size_t n = (size_t)p->n + 1;

    *count = 0;
    if (p->n_rows != p->n || p->n_blocks == 0) return RG_OK;
    uint8_t *is_free = rg_alloc(p->ctx, 3 * n, sizeof *is_free);
    int8_t *highest = rg_alloc(p->ctx, n, sizeof *highest);
    rg_status status = is_free != NULL && highest != NULL ? RG_OK : RG_ERR_MEMORY;
    if (status == RG_OK) {
        look_at_columns(s, highest, is_free + 2 * n);
        status = rg_explain_incomplete(p->ctx, s, a->transversal, is_free, is_free + n);
    }
    if (status == RG_OK && is_mechanical(s, is_free, is_free + n, highest, is_free + 2 * n))
        status = match(p, a, count);
    rg_free(p->ctx, is_free);
    rg_free(p->ctx, highest);
    return status;
}
