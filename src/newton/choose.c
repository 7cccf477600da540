/* Maximum matching by augmenting paths from columns, in order of priority.
 *
 * An augmenting path starts at a free column and ends at a free row; columns on it stay matched.
 * So the set of taken columns is the first one in the given order (the taken sets form a matroid).
 * Rows that a failed search has seen can never reach a free row again and stay marked: all
 * failed searches together cost one pass over the matrix. */
#include "newton/choose.h"

typedef struct {
    const rg_start_system *s;
    int32_t *row_of_column, *column_of_row;
    int64_t *next;  /* per column: entry to look at next in this search              */
    int64_t *cheap; /* per column: entries before this lead to rows taken long ago   */
    int32_t *seen;  /* per row: the last search that saw it; -1: dead                */
    int32_t *stack; /* columns of the path */
} matcher;

/* A free row in column j, or -1. */
static int32_t free_row(matcher *m, int32_t j)
{
    const rg_pattern *pattern = m->s->pattern;

    for (; m->cheap[j] < pattern->start[j + 1]; m->cheap[j]++) {
        const int32_t i = pattern->row[m->cheap[j]];
        if (m->column_of_row[i] < 0) return i;
    }
    return -1;
}

/* The path stack[0 .. top] ends in the free row i: shift every column to its next row. */
static void augment(matcher *m, int64_t top, int32_t i)
{
    while (top >= 0) {
        const int32_t j = m->stack[top--], previous = m->row_of_column[j];
        m->row_of_column[j] = i;
        m->column_of_row[i] = j;
        i = previous;
    }
}

/* Goes on from column j to a column that may give up its row; -1: dead end. */
static int32_t next_column(matcher *m, int32_t j, int32_t search)
{
    const rg_pattern *pattern = m->s->pattern;

    while (m->next[j] < pattern->start[j + 1]) {
        const int32_t i = pattern->row[m->next[j]++];
        if (m->seen[i] == search || m->seen[i] == -1) continue;
        m->seen[i] = search;
        return m->column_of_row[i];
    }
    return -1;
}

static void bury(matcher *m, int32_t root)
{
    /* The rows that this search saw are those reachable from the root; walk them again and mark
     * them dead. */
    int64_t top = 0;
    const rg_pattern *pattern = m->s->pattern;

    m->stack[top++] = root;
    while (top > 0) {
        const int32_t j = m->stack[--top];
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            const int32_t i = pattern->row[k];
            if (m->seen[i] == -1) continue;
            m->seen[i] = -1;
            m->stack[top++] = m->column_of_row[i];
        }
    }
}

static bool take(matcher *m, int32_t root, int32_t search)
{
    int64_t top = 0;

    m->stack[0] = root;
    m->next[root] = m->s->pattern->start[root];
    while (top >= 0) {
        const int32_t j = m->stack[top], row = free_row(m, j);
        if (row >= 0) {
            augment(m, top, row);
            return true;
        }
        const int32_t on = next_column(m, j, search);
        if (on < 0) {
            top--;
        } else {
            m->stack[++top] = on;
            m->next[on] = m->s->pattern->start[on];
        }
    }
    bury(m, root);
    return false;
}

static int64_t match_all(matcher *m, const int32_t *list, int64_t count)
{
    const rg_start_system *s = m->s;
    int64_t n_matched = 0;

    for (int64_t j = 0; j < s->n_columns; j++) {
        m->row_of_column[j] = -1;
        m->cheap[j] = s->pattern->start[j];
    }
    for (int64_t i = 0; i < s->n_rows; i++)
        m->column_of_row[i] = -1;
    for (int64_t k = 0; k < count; k++)
        if (take(m, list[k], (int32_t)(k + 1))) n_matched++;
    return n_matched;
}

rg_status rg_choose_columns(const rg_start_system *s, int32_t *row_of_column,
                            int32_t *column_of_row, int64_t *n_matched)
{
    const size_t n = (size_t)s->n_columns, m = (size_t)s->n_rows;
    rg_context *ctx = s->ctx;
    matcher work = {.s = s, .row_of_column = row_of_column, .column_of_row = column_of_row};
    int32_t *list = rg_alloc(ctx, n, sizeof *list);
    rg_status status = RG_ERR_MEMORY;

    work.next = rg_alloc(ctx, n, sizeof *work.next);
    work.cheap = rg_alloc(ctx, n, sizeof *work.cheap);
    work.seen = rg_alloc(ctx, m, sizeof *work.seen);
    work.stack = rg_alloc(ctx, n + m + 1, sizeof *work.stack);
    if (list != NULL && work.next != NULL && work.cheap != NULL && work.seen != NULL
        && work.stack != NULL) {
        *n_matched = match_all(&work, list, rg_start_movable(s, list));
        status = RG_OK;
    }
    void *const owned[] = {list, work.next, work.cheap, work.seen, work.stack};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(ctx, owned[k]);
    return status;
}

/* Spreads from the rows on the stack: row -> its movable columns -> their rows.  next, column:
 * the entries of the rows. */
static void spread(const rg_start_system *s, const int32_t *row_of_column, const int64_t *next,
                   const int32_t *column, int64_t top, int32_t *stack, uint8_t *is_over)
{
    while (top > 0) {
        const int32_t i = stack[--top];
        for (int64_t k = i > 0 ? next[i - 1] : 0; k < next[i]; k++) {
            const int32_t on = row_of_column[column[k]];
            if (s->role[column[k]] == RG_START_KEPT || on < 0 || is_over[on]) continue;
            is_over[on] = 1;
            stack[top++] = on;
        }
    }
}

/* next[i]: end of the entries of row i. */
static void list_rows(const rg_pattern *pattern, int64_t *next, int32_t *column)
{
    for (int64_t k = 0; k < pattern->start[pattern->n_columns]; k++)
        if (pattern->row[k] + 1 < pattern->n_rows) next[pattern->row[k] + 1]++;
    for (int64_t i = 0; i + 1 < pattern->n_rows; i++)
        next[i + 1] += next[i];
    for (int64_t j = 0; j < pattern->n_columns; j++)
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            column[next[pattern->row[k]]++] = (int32_t)j;
}

rg_status rg_overdetermined_rows(const rg_start_system *s, uint8_t *is_over, bool *is_determined)
{
    const rg_pattern *pattern = s->pattern;
    const size_t n = (size_t)s->n_columns, m = (size_t)s->n_rows;
    int32_t *row_of_column = rg_alloc(s->ctx, n, sizeof *row_of_column);
    int32_t *column_of_row = rg_alloc(s->ctx, m, sizeof *column_of_row);
    int32_t *stack = rg_alloc(s->ctx, m, sizeof *stack);
    int64_t *next = rg_alloc(s->ctx, m, sizeof *next);
    int32_t *column = rg_alloc(s->ctx, (size_t)pattern->start[n], sizeof *column);
    rg_status status = RG_ERR_MEMORY;
    int64_t n_matched, n_movable = 0, top = 0;

    if (row_of_column != NULL && column_of_row != NULL && stack != NULL && next != NULL
        && column != NULL)
        status = rg_choose_columns(s, row_of_column, column_of_row, &n_matched);
    if (status == RG_OK) {
        for (int64_t j = 0; j < s->n_columns; j++)
            n_movable += s->role[j] != RG_START_KEPT;
        *is_determined = n_matched == n_movable;
        for (int64_t i = 0; i < s->n_rows; i++) {
            is_over[i] = column_of_row[i] < 0;
            if (is_over[i]) stack[top++] = (int32_t)i;
        }
        list_rows(pattern, next, column);
        spread(s, row_of_column, next, column, top, stack, is_over);
    }
    void *const owned[] = {row_of_column, column_of_row, stack, next, column};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(s->ctx, owned[k]);
    return status;
}
