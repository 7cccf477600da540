/* One sparsity pattern for dF/dy, dF/dy' and the chain equations. */
#include "views/merge.h"

#include <string.h>

typedef struct { /* one column of the union being made */
    const rg_states *l;
    const rg_pattern *z;
    const int32_t *chain_of; /* state -> chain equation n + e whose derivative it carries, or -1 */
} merger;

/* Rows of column s, ascending, from three sources: y part, y' part, at most two chain rows.  Writes
 * rows and, for each source, where its entries went (NULL: only counts). */
static int64_t merge_column(const merger *m, int64_t s, int64_t first, rg_merge *out)
{
    const int64_t n = m->l->n_states;
    int64_t a = m->z->start[s], b = m->z->start[n + s], next = first;
    const int64_t a_end = m->z->start[s + 1], b_end = m->z->start[n + s + 1];

    while (a < a_end || b < b_end) {
        const int32_t row_a = a < a_end ? m->z->row[a] : INT32_MAX;
        const int32_t row_b = b < b_end ? m->z->row[b] : INT32_MAX;
        const int32_t row = row_a < row_b ? row_a : row_b;
        if (out != NULL) out->pattern.row[next] = row;
        if (row_a == row && out != NULL) out->place[a] = next;
        if (row_b == row && out != NULL) out->place[b] = next;
        a += row_a == row;
        b += row_b == row;
        next++;
    }
    const int32_t own = s >= m->l->n ? (int32_t)s : -1, carried = m->chain_of[s];
    const int32_t low = own >= 0 && (carried < 0 || own < carried) ? own : carried;
    const int32_t high = low == own ? carried : own;
    for (int k = 0; k < 2; k++) { /* chain rows n + e come after all others */
        const int32_t row = k == 0 ? low : high;
        if (row < 0) continue;
        if (out != NULL) {
            out->pattern.row[next] = row;
            if (row == own) out->chain_y[row - m->l->n] = next;
            if (row == carried) out->chain_yp[row - m->l->n] = next;
        }
        next++;
    }
    return next - first;
}

static rg_status fill(rg_context *ctx, const merger *m, rg_merge *out)
{
    const int64_t n = m->l->n_states;
    rg_pattern *p = &out->pattern;

    p->n_rows = p->n_columns = n;
    p->start = rg_alloc(ctx, (size_t)n + 1, sizeof *p->start);
    if (p->start == NULL) return RG_ERR_MEMORY;
    for (int64_t s = 0; s < n; s++)
        p->start[s + 1] = p->start[s] + merge_column(m, s, 0, NULL);
    p->row = rg_alloc(ctx, (size_t)p->start[n] + 1, sizeof *p->row);
    if (p->row == NULL) return RG_ERR_MEMORY;
    for (int64_t s = 0; s < n; s++)
        merge_column(m, s, p->start[s], out);
    return RG_OK;
}

rg_status rg_merge_init(rg_context *ctx, const rg_states *l, const rg_pattern *z, rg_merge *out)
{
    const int64_t chains = l->n_states - l->n;
    int32_t *chain_of = rg_alloc(ctx, (size_t)l->n_states + 1, sizeof *chain_of);

    memset(out, 0, sizeof *out);
    out->n_left = z->start[l->n_states];
    out->n_entries = z->start[2 * l->n_states];
    out->place = rg_alloc(ctx, (size_t)out->n_entries + 1, sizeof *out->place);
    out->chain_y = rg_alloc(ctx, (size_t)chains + 1, sizeof *out->chain_y);
    out->chain_yp = rg_alloc(ctx, (size_t)chains + 1, sizeof *out->chain_yp);
    rg_status status = RG_ERR_MEMORY;
    if (chain_of != NULL && out->place != NULL && out->chain_y != NULL && out->chain_yp != NULL) {
        const merger m = {l, z, chain_of};
        for (int64_t s = 0; s < l->n_states; s++)
            chain_of[s] = -1;
        for (int64_t e = 0; e < chains; e++)
            chain_of[l->chain_from[e]] = (int32_t)(l->n + e);
        status = fill(ctx, &m, out);
    }
    rg_free(ctx, chain_of);
    return status;
}

void rg_merge_clear(rg_context *ctx, rg_merge *m)
{
    rg_free(ctx, m->pattern.start);
    rg_free(ctx, m->pattern.row);
    rg_free(ctx, m->place);
    rg_free(ctx, m->chain_y);
    rg_free(ctx, m->chain_yp);
    memset(m, 0, sizeof *m);
}
