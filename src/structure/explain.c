/* What is wrong when not every equation and unknown can be matched (Dulmage and Mendelsohn).
 *
 * Competing: equations that alternating paths from an unmatched equation reach.  Free: unknowns
 * that alternating paths from an unmatched unknown reach. */
#include "structure/matching.h"

static void mark_competing(const rg_signature *s, const rg_transversal *t, int32_t *queue,
                           uint8_t *is_competing)
{
    int64_t tail = 0;

    for (int64_t i = 0; i < s->n_rows; i++) {
        is_competing[i] = t->column_of_row[i] == RG_UNMATCHED;
        if (is_competing[i]) queue[tail++] = (int32_t)i;
    }
    for (int64_t k = 0; k < tail; k++) {
        const int32_t i = queue[k];
        for (int64_t e = s->start[i]; e < s->start[i + 1]; e++) {
            const int32_t owner = t->row_of_column[s->column[e]];
            if (owner < 0 || is_competing[owner]) continue;
            is_competing[owner] = 1;
            queue[tail++] = owner;
        }
    }
}

static void transpose(const rg_signature *s, int64_t *start, int32_t *row)
{
    for (int64_t e = 0; e < s->start[s->n_rows]; e++)
        start[s->column[e] + 1]++;
    for (int64_t j = 0; j < s->n_columns; j++)
        start[j + 1] += start[j];
    for (int64_t i = s->n_rows - 1; i >= 0;
         i--) /* backwards: rows ascending after the shift below */
        for (int64_t e = s->start[i]; e < s->start[i + 1]; e++)
            row[--start[s->column[e] + 1]] = (int32_t)i;
}

/* After transpose(): column j holds row[start[j+1]] .. row[start[j+2]-1], with start[n+1] = all
 * entries. */
static void mark_free(const rg_signature *s, const rg_transversal *t, const int64_t *start,
                      const int32_t *row, int32_t *queue, uint8_t *is_free)
{
    int64_t tail = 0;

    for (int64_t j = 0; j < s->n_columns; j++) {
        is_free[j] = t->row_of_column[j] == RG_UNMATCHED;
        if (is_free[j]) queue[tail++] = (int32_t)j;
    }
    for (int64_t k = 0; k < tail; k++) {
        const int32_t j = queue[k];
        for (int64_t e = start[j + 1]; e < start[j + 2]; e++) {
            const int32_t matched = t->column_of_row[row[e]];
            if (matched < 0 || is_free[matched]) continue;
            is_free[matched] = 1;
            queue[tail++] = matched;
        }
    }
}

rg_status rg_explain_incomplete(rg_context *ctx, const rg_signature *s, const rg_transversal *t,
                                uint8_t *is_free, uint8_t *is_competing)
{
    const int64_t n_entries = s->start[s->n_rows];
    const int64_t n_most = s->n_rows > s->n_columns ? s->n_rows : s->n_columns;
    int64_t *start = rg_alloc(ctx, (size_t)s->n_columns + 2, sizeof *start);
    int32_t *row = rg_alloc(ctx, (size_t)n_entries + 1, sizeof *row);
    int32_t *queue = rg_alloc(ctx, (size_t)n_most + 1, sizeof *queue);
    const bool ok = start != NULL && row != NULL && queue != NULL;

    if (ok) {
        mark_competing(s, t, queue, is_competing);
        transpose(s, start, row);
        start[s->n_columns + 1] = n_entries;
        mark_free(s, t, start, row, queue, is_free);
    }
    rg_free(ctx, start);
    rg_free(ctx, row);
    rg_free(ctx, queue);
    return ok ? RG_OK : RG_ERR_MEMORY;
}
