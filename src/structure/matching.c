/* Matching of largest size on a bipartite graph of equations and unknowns.
 *
 * Hopcroft and Karp: breadth-first layers from all free equations up to the first free unknown,
 * then disjoint augmenting paths along the layers by depth-first search; O(sqrt(n) nnz).  A
 * greedy pass comes first. */
#include "structure/matching.h"

static bool is_tight(const rg_matcher *m, int64_t i, int64_t e, bool all_entries)
{
    return all_entries || m->d[m->s->column[e]] - m->c[i] == m->s->order[e];
}

static void match_greedily(rg_matcher *m, bool all_entries)
{
    const rg_signature *s = m->s;

    for (int64_t i = 0; i < s->n_rows; i++) {
        if (m->column_of_row[i] != RG_UNMATCHED) continue;
        for (int64_t e = s->start[i]; e < s->start[i + 1]; e++) {
            const int32_t j = s->column[e];
            if (m->row_of_column[j] != RG_UNMATCHED || !is_tight(m, i, e, all_entries)) continue;
            m->column_of_row[i] = j;
            m->row_of_column[j] = (int32_t)i;
            m->n_matched++;
            break;
        }
    }
}

/* Layers of the rows that alternating paths from free rows reach, up to the layer of the first
 * free column. */
static bool build_layers(rg_matcher *m, bool all_entries)
{
    const rg_signature *s = m->s;
    int32_t last = INT32_MAX;
    int64_t tail = 0;

    for (int64_t i = 0; i < s->n_rows; i++) {
        m->layer[i] = m->column_of_row[i] == RG_UNMATCHED ? 0 : -1;
        m->next[i] = s->start[i];
        if (m->layer[i] == 0) m->queue[tail++] = (int32_t)i;
    }
    for (int64_t k = 0; k < tail; k++) {
        const int32_t i = m->queue[k];
        if (m->layer[i] > last) break;
        for (int64_t e = s->start[i]; e < s->start[i + 1]; e++) {
            if (!is_tight(m, i, e, all_entries)) continue;
            const int32_t owner = m->row_of_column[s->column[e]];
            if (owner == RG_UNMATCHED) {
                last = m->layer[i];
            } else if (m->layer[owner] < 0 && m->layer[i] < last) {
                m->layer[owner] = m->layer[i] + 1;
                m->queue[tail++] = owner;
            }
        }
    }
    return last != INT32_MAX;
}

/* Next row on a path from row i, RG_UNMATCHED when its next entry leads to a free column, -2:
 * dead end. */
static int32_t advance(rg_matcher *m, int32_t i, bool all_entries)
{
    const rg_signature *s = m->s;

    for (; m->next[i] < s->start[i + 1]; m->next[i]++) {
        if (!is_tight(m, i, m->next[i], all_entries)) continue;
        const int32_t owner = m->row_of_column[s->column[m->next[i]]];
        if (owner == RG_UNMATCHED || m->layer[owner] == m->layer[i] + 1) return owner;
    }
    return -2;
}

/* Depth-first along the layers; queue serves as the stack.  Rows that were visited are used up. */
static void augment_from(rg_matcher *m, int32_t root, bool all_entries)
{
    int64_t depth = 0;

    m->queue[0] = root;
    while (depth >= 0) {
        const int32_t i = m->queue[depth], step = advance(m, i, all_entries);
        if (step >= 0) {
            m->queue[++depth] = step;
            m->next[i]++; /* whatever comes of it, this entry is not tried again */
        } else if (step == RG_UNMATCHED) {
            m->next[i]++;
            break;
        } else {
            m->layer[i] = -1;
            depth--;
        }
    }
    if (depth < 0) return;
    m->n_matched++;
    for (; depth >= 0; depth--) { /* entry next-1 of each row on the stack joins the matching */
        const int32_t i = m->queue[depth], j = m->s->column[m->next[i] - 1];
        m->column_of_row[i] = j;
        m->row_of_column[j] = i;
        m->layer[i] = -1;
    }
}

void rg_matcher_augment(rg_matcher *m, bool all_entries)
{
    match_greedily(m, all_entries);
    while (m->n_matched < m->s->n_rows && build_layers(m, all_entries))
        for (int64_t i = 0; i < m->s->n_rows; i++)
            if (m->column_of_row[i] == RG_UNMATCHED && m->layer[i] == 0)
                augment_from(m, (int32_t)i, all_entries);
}
