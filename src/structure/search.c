/* Shortest paths over the slacks d_j - c_i - sigma_ij >= 0, from several rows at once (Dial's
 * buckets).
 *
 * A step from row i over its entry (i,j) leads to the row that is matched with column j and costs
 * the slack of the entry.  All distances in the queue lie within max d of each other, so max d + 1
 * buckets used in turn are enough. */
#include "structure/matching.h"

static void bucket_remove(rg_matcher *m, int32_t i)
{
    if (m->before[i] >= 0)
        m->after[m->before[i]] = m->after[i];
    else
        m->head[m->distance[i] % m->n_buckets] = m->after[i];
    if (m->after[i] >= 0) m->before[m->after[i]] = m->before[i];
}

static void bucket_insert(rg_matcher *m, int32_t i, int32_t distance)
{
    int32_t *head = &m->head[distance % m->n_buckets];

    m->distance[i] = distance;
    m->before[i] = -1;
    m->after[i] = *head;
    if (*head >= 0) m->before[*head] = i;
    *head = i;
}

static rg_status prepare_buckets(rg_matcher *m)
{
    int64_t wanted = 1;

    for (int64_t j = 0; j < m->s->n_columns; j++)
        if (m->d[j] + 1 > wanted) wanted = m->d[j] + 1;
    if (wanted > m->n_buckets) {
        int32_t *grown = rg_resize(m->ctx, m->head, (size_t)wanted, sizeof *grown);
        if (grown == NULL) return RG_ERR_MEMORY;
        m->head = grown;
    }
    m->n_buckets = wanted > m->n_buckets ? wanted : m->n_buckets;
    for (int64_t b = 0; b < m->n_buckets; b++)
        m->head[b] = -1;
    return RG_OK;
}

/* Looks along all entries of row i; returns the distance of the nearest free column seen so far. */
static int32_t relax_row(rg_matcher *m, int32_t i, int32_t nearest, int64_t *n_queued)
{
    const rg_signature *s = m->s;

    for (int64_t e = s->start[i]; e < s->start[i + 1]; e++) {
        const int32_t j = s->column[e], k = m->row_of_column[j];
        const int32_t reached = m->distance[i] + m->d[j] - m->c[i] - s->order[e];
        if (k == RG_UNMATCHED) {
            if (reached < nearest) nearest = reached;
        } else if (reached < m->distance[k]) {
            if (m->distance[k] == RG_FAR)
                ++*n_queued;
            else
                bucket_remove(m, k);
            bucket_insert(m, k, reached);
        }
    }
    return nearest;
}

rg_status rg_matcher_search(rg_matcher *m, bool stop, int32_t *nearest)
{
    int64_t n_queued = 0;

    *nearest = RG_FAR;
    RG_TRY(prepare_buckets(m));
    for (int64_t i = 0; i < m->s->n_rows; i++) {
        if (m->distance[i] == RG_FAR) continue;
        bucket_insert(m, (int32_t)i, m->distance[i]);
        n_queued++;
    }
    for (int32_t now = 0; n_queued > 0 && !(stop && now >= *nearest); now++) {
        int32_t i;
        while ((i = m->head[now % m->n_buckets]) >= 0) {
            bucket_remove(m, i);
            n_queued--;
            *nearest = relax_row(m, i, *nearest, &n_queued);
        }
    }
    return RG_OK;
}
