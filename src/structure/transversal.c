/* Highest-value transversal and smallest offsets of a signature matrix.
 *
 *     maximize  sum of sigma_ij over a transversal;   its dual:   minimize  sum d - sum c
 *     subject to  d_j - c_i >= sigma_ij,  equality on the transversal,  c >= 0      (Pryce01)
 *
 * Primal-dual in phases: start with c = 0, d_j = max_i sigma_ij; match as much as the tight entries
 * allow; search from all free equations for the nearest free unknown, shift the duals by what is
 * left of the distance, and match again.  Every phase is near linear, and there are at most max
 * c + 1 of them. */
#include "structure/matching.h"

rg_status rg_matcher_init(rg_matcher *m)
{
    const size_t n_rows = (size_t)m->s->n_rows + 1;

    m->layer = rg_alloc(m->ctx, n_rows, sizeof *m->layer);
    m->queue = rg_alloc(m->ctx, n_rows, sizeof *m->queue);
    m->next = rg_alloc(m->ctx, n_rows, sizeof *m->next);
    m->distance = rg_alloc(m->ctx, n_rows, sizeof *m->distance);
    m->after = rg_alloc(m->ctx, n_rows, sizeof *m->after);
    m->before = rg_alloc(m->ctx, n_rows, sizeof *m->before);
    m->head = NULL;
    m->n_buckets = 0;
    const bool ok = m->layer && m->queue && m->next && m->distance && m->after && m->before;
    return ok ? RG_OK : RG_ERR_MEMORY;
}

void rg_matcher_clear(rg_matcher *m)
{
    void *owned[] = {m->layer, m->queue, m->next, m->distance, m->after, m->before, m->head};

    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(m->ctx, owned[k]);
}

static rg_status allocate_transversal(rg_context *ctx, const rg_signature *s, rg_transversal *t)
{
    const size_t n_rows = (size_t)s->n_rows + 1, n_columns = (size_t)s->n_columns + 1;

    t->n = s->n_rows;
    t->column_of_row = rg_alloc(ctx, n_rows, sizeof *t->column_of_row);
    t->row_of_column = rg_alloc(ctx, n_columns, sizeof *t->row_of_column);
    t->c = rg_alloc(ctx, n_rows, sizeof *t->c);
    t->d = rg_alloc(ctx, n_columns, sizeof *t->d);
    if (!t->column_of_row || !t->row_of_column || !t->c || !t->d) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < s->n_rows; i++)
        t->column_of_row[i] = RG_UNMATCHED;
    for (int64_t j = 0; j < s->n_columns; j++)
        t->row_of_column[j] = RG_UNMATCHED;
    for (int64_t e = 0; e < s->start[s->n_rows]; e++)
        if (s->order[e] > t->d[s->column[e]]) t->d[s->column[e]] = s->order[e];
    return RG_OK;
}

/* Moves the duals so that the nearest free column becomes tight:
 * c_i, d_j grow by (nearest - distance) on all rows and columns nearer than that. */
static rg_status shift_duals(rg_matcher *m, bool *is_stuck)
{
    const int64_t n_rows = m->s->n_rows;
    int32_t nearest;

    for (int64_t i = 0; i < n_rows; i++)
        m->distance[i] = m->column_of_row[i] == RG_UNMATCHED ? 0 : RG_FAR;
    RG_TRY(rg_matcher_search(m, true, &nearest));
    *is_stuck = nearest == RG_FAR;
    for (int64_t i = 0; i < n_rows && !*is_stuck; i++) {
        if (m->distance[i] >= nearest) continue;
        m->c[i] += nearest - m->distance[i];
        if (m->column_of_row[i] >= 0) m->d[m->column_of_row[i]] += nearest - m->distance[i];
    }
    return RG_OK;
}

/* Smallest offsets from optimal ones c*: with p = c* - c, the conditions read p_i <= c*_i and
 * p_k <= p_i + slack(i, j), k matched with j: p is a shortest distance with starting values c*. */
static rg_status reduce_offsets(rg_matcher *m)
{
    const rg_signature *s = m->s;
    int32_t nearest;

    for (int64_t i = 0; i < s->n_rows; i++)
        m->distance[i] = m->c[i];
    RG_TRY(rg_matcher_search(m, false, &nearest));
    for (int64_t i = 0; i < s->n_rows; i++) {
        m->c[i] -= m->distance[i];
        m->d[m->column_of_row[i]] -= m->distance[i];
    }
    return RG_OK;
}

static rg_status find_transversal(rg_matcher *m)
{
    const bool is_square = m->s->n_rows == m->s->n_columns;
    bool is_stuck = !is_square;

    if (is_square) rg_matcher_augment(m, false);
    while (m->n_matched < m->s->n_rows && !is_stuck) {
        RG_TRY(shift_duals(m, &is_stuck));
        if (!is_stuck) rg_matcher_augment(m, false);
    }
    if (is_stuck) {
        rg_matcher_augment(m, true);
        return RG_OK;
    }
    return reduce_offsets(m);
}

/* Index and degrees of freedom: max c + (1 if some d is 0), sum d - sum c. */
static void count_freedom(rg_transversal *t)
{
    int32_t c_max = 0;
    bool has_zero = false;

    for (int64_t i = 0; i < t->n; i++) {
        if (t->c[i] > c_max) c_max = t->c[i];
        if (t->d[i] == 0) has_zero = true;
        t->dof += t->d[i] - t->c[i];
    }
    t->structural_index = c_max + (has_zero ? 1 : 0);
}

rg_status rg_transversal_create(rg_context *ctx, const rg_signature *s, rg_transversal **out)
{
    rg_matcher m = {.ctx = ctx, .s = s};
    rg_transversal *t = *out = rg_alloc(ctx, 1, sizeof *t);

    if (t == NULL) return RG_ERR_MEMORY;
    rg_status status = allocate_transversal(ctx, s, t);
    if (status != RG_OK) goto done;
    m.column_of_row = t->column_of_row;
    m.row_of_column = t->row_of_column;
    m.c = t->c;
    m.d = t->d;
    if ((status = rg_matcher_init(&m)) != RG_OK) goto done;
    if ((status = find_transversal(&m)) != RG_OK) goto done;
    t->n_matched = m.n_matched;
    if (t->n_matched == s->n_rows && t->n_matched == s->n_columns) {
        count_freedom(t);
        status = rg_transversal_blocks(ctx, s, t);
    }
done:
    rg_matcher_clear(&m);
    if (status != RG_OK) rg_transversal_destroy(ctx, out);
    return status;
}

void rg_transversal_destroy(rg_context *ctx, rg_transversal **t)
{
    if (*t == NULL) return;
    void *owned[] = {(*t)->column_of_row,
                     (*t)->row_of_column,
                     (*t)->c,
                     (*t)->d,
                     (*t)->block_start,
                     (*t)->row_order,
                     (*t)->column_order,
                     (*t)->block_of_row,
                     (*t)->block_of_column,
                     (*t)->variable_index,
                     (*t)->reach};

    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(ctx, owned[k]);
    rg_free(ctx, *t);
    *t = NULL;
}
