/* Patterns from lists of nonzeros: two stable counting sorts, by rows and then by columns. */
#include "linalg/join.h"

#include <string.h>

static void sort(const rg_nonzero *from, int64_t count, int64_t n, bool by_column, int64_t *start,
                 rg_nonzero *to)
{
    memset(start, 0, ((size_t)n + 1) * sizeof *start);
    for (int64_t k = 0; k < count; k++)
        start[(by_column ? from[k].column : from[k].row) + 1]++;
    for (int64_t k = 0; k < n; k++)
        start[k + 1] += start[k];
    for (int64_t k = 0; k < count; k++)
        to[start[by_column ? from[k].column : from[k].row]++] = from[k];
}

/* Equal places are neighbours in the sorted list. */
static void number_places(const rg_nonzero *s, int64_t count, rg_pattern *out)
{
    int64_t next = -1;

    for (int64_t k = 0; k < count; k++) {
        if (k == 0 || s[k].row != s[k - 1].row || s[k].column != s[k - 1].column) {
            out->row[++next] = s[k].row;
            out->start[s[k].column + 1]++;
        }
        *s[k].place = next;
    }
    for (int64_t j = 0; j < out->n_columns; j++)
        out->start[j + 1] += out->start[j];
}

rg_status rg_pattern_join(rg_context *ctx, int64_t count, rg_nonzero *list, rg_pattern *out)
{
    const int64_t most = out->n_rows > out->n_columns ? out->n_rows : out->n_columns;
    rg_nonzero *sorted = rg_alloc(ctx, (size_t)count + 1, sizeof *sorted);
    int64_t *start = rg_alloc(ctx, (size_t)most + 1, sizeof *start);
    const bool is_there = sorted != NULL && start != NULL;

    if (is_there) {
        sort(list, count, out->n_rows, false, start, sorted);
        sort(sorted, count, out->n_columns, true, start, list);
        number_places(list, count, out);
    }
    rg_free(ctx, sorted);
    rg_free(ctx, start);
    return is_there ? RG_OK : RG_ERR_MEMORY;
}
