/* Signature matrix of a problem given by expressions.
 *
 * A leaf VAR(slot, order) below an output of a body puts an entry in every row of that output.  A
 * leaf SUM(sum, order) puts in what the bodies of the sum's parts hold, `order` higher, in the row
 * that the part's iteration adds to.  First a list of such strips of entries is made (one per
 * leaf, not per iteration), then the rows. */
#include "structure/build.h"

#include <stdlib.h>

typedef struct { /* entries (rows(k), columns(k)), k = 0 .. count-1 */
    rg_map rows; /* its list is owned when owns_rows */
    bool owns_rows;
    rg_map columns; /* borrowed */
    int64_t count;
    int order;
} strip;

typedef struct {
    rg_context *ctx;
    strip *strips;
    int64_t n_strips, capacity;
} strip_list;

static rg_status add_strip(strip_list *l, const strip *s)
{
    RG_TRY(rg_grow(l->ctx, &l->strips, l->n_strips, &l->capacity, sizeof *l->strips));
    l->strips[l->n_strips++] = *s;
    return RG_OK;
}

/* inner -> outer(inner) -> rows: affine maps stay affine; lists are made and kept in the strip
 * list. */
static rg_status compose_rows(strip_list *l, const rg_map *rows, const rg_body *part, rg_map *out)
{
    const rg_map *outer = &part->outer;

    if (rows->list == NULL && outer->list == NULL) {
        *out =
            (rg_map){rows->base + rows->stride * outer->base, rows->stride * outer->stride, NULL};
        return RG_OK;
    }
    int32_t *list = rg_alloc(l->ctx, (size_t)part->count + 1, sizeof *list);
    if (list == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < part->count; k++)
        list[k] = (int32_t)rg_map_at(rows, rg_map_at(outer, k));
    *out = (rg_map){0, 0, list};
    const strip owner = {.rows = *out, .owns_rows = true};
    const rg_status status = add_strip(l, &owner); /* count 0: only owns the list */
    if (status != RG_OK) rg_free(l->ctx, list);
    return status;
}

static rg_status visit_term(strip_list *l, const rg_body *term, const rg_map *rows, int raise);

/* Strips of one expression of a body, on a copy of its graph; recursion as deep as sums are nested,
 * which the parser limits. */
static rg_status visit(strip_list *l, const rg_body *body, rg_graph *g, rg_node output,
                       const rg_map *rows, int raise)
{
    const int32_t n_leaves = rg_graph_leaves(g, output, 0, NULL);
    rg_node *leaves = rg_alloc(l->ctx, (size_t)n_leaves + 1, sizeof *leaves);
    rg_status status = leaves != NULL ? RG_OK : RG_ERR_MEMORY;

    if (status == RG_OK) rg_graph_leaves(g, output, n_leaves, leaves);
    if (status == RG_OK) status = rg_graph_status(g);
    for (int32_t k = 0; k < n_leaves && status == RG_OK; k++) {
        const rg_graph_node leaf = *rg_graph_at(g, leaves[k]);
        if (leaf.op == RG_OP_VAR) {
            const strip s = {*rows, false, body->slots[leaf.a].map, body->count,
                             leaf.order + raise};
            status = add_strip(l, &s);
            continue;
        }
        const rg_sum *sum = &body->sums[leaf.a];
        for (int part = 0; part < sum->n_parts && status == RG_OK; part++) {
            rg_map inner;
            const rg_body *term = sum->parts[part];
            if ((status = compose_rows(l, rows, term, &inner)) == RG_OK)
                status = visit_term(l, term, &inner, raise + leaf.order);
        }
    }
    rg_free(l->ctx, leaves);
    return status;
}

static rg_status visit_term(strip_list *l, const rg_body *term, const rg_map *rows, int raise)
{
    rg_graph *g = NULL;

    RG_TRY(rg_graph_copy(l->ctx, term->graph, &g));
    const rg_status status = visit(l, term, g, term->outputs[0], rows, raise);
    rg_graph_destroy(&g);
    return status;
}

static rg_status visit_blocks(const rg_problem *p, strip_list *l)
{
    for (int b = 0; b < p->n_blocks; b++) {
        const rg_body *body = p->blocks[b].body;
        rg_graph *g = NULL;
        rg_status status = rg_graph_copy(l->ctx, body->graph, &g);
        for (int o = 0; o < body->n_outputs && status == RG_OK; o++) {
            const rg_map rows = {p->blocks[b].first_row + o * body->count, 1, NULL};
            status = visit(l, body, g, body->outputs[o], &rows, 0);
        }
        rg_graph_destroy(&g);
        if (status != RG_OK) return status;
    }
    return RG_OK;
}

/* Rows as they come, with repetitions: a counting sort of the strips by row. */
static rg_status scatter(rg_context *ctx, const strip_list *l, rg_signature *s)
{
    for (int64_t q = 0; q < l->n_strips; q++)
        for (int64_t k = 0; k < l->strips[q].count; k++)
            s->start[rg_map_at(&l->strips[q].rows, k) + 1]++;
    for (int64_t i = 0; i < s->n_rows; i++)
        s->start[i + 1] += s->start[i];
    s->column = rg_alloc(ctx, (size_t)s->start[s->n_rows] + 1, sizeof *s->column);
    s->order = rg_alloc(ctx, (size_t)s->start[s->n_rows] + 1, sizeof *s->order);
    if (s->column == NULL || s->order == NULL) return RG_ERR_MEMORY;
    for (int64_t q = l->n_strips - 1; q >= 0; q--) {
        const strip *t = &l->strips[q];
        for (int64_t k = t->count - 1; k >= 0; k--) {
            const int64_t e = --s->start[rg_map_at(&t->rows, k) + 1];
            s->column[e] = (int32_t)rg_map_at(&t->columns, k);
            s->order[e] = (int8_t)t->order;
        }
    }
    for (int64_t i = 0; i < s->n_rows; i++) /* start[i+1] is now where row i begins */
        s->start[i] = s->start[i + 1];
    return RG_OK;
}

static int by_column(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts a row of m entries and merges equal columns, keeping the highest order; returns what is
 * left.  key: workspace of m.  Short rows by insertion, long ones as packed numbers (column,
 * order). */
static int64_t tidy_row(int64_t m, int32_t *column, int8_t *order, int64_t *key)
{
    enum { SHORT = 24 };
    int64_t left = 0;

    for (int64_t k = 0; k < m; k++) {
        const int64_t x = (int64_t)column[k] << 8 | (uint8_t)order[k];
        int64_t at = k;
        if (m <= SHORT)
            for (; at > 0 && key[at - 1] > x; at--)
                key[at] = key[at - 1];
        key[at] = x;
    }
    if (m > SHORT) qsort(key, (size_t)m, sizeof *key, by_column);
    for (int64_t k = 0; k < m; k++) {
        if (k + 1 < m && key[k] >> 8 == key[k + 1] >> 8) continue;
        column[left] = (int32_t)(key[k] >> 8);
        order[left++] = (int8_t)(key[k] & 0xff);
    }
    return left;
}

rg_status rg_signature_tidy(rg_context *ctx, rg_signature *s, int64_t n_entries)
{
    int64_t longest = 0, left = 0;

    for (int64_t i = 0; i < s->n_rows; i++) {
        const int64_t end = i + 1 < s->n_rows ? s->start[i + 1] : n_entries;
        if (end - s->start[i] > longest) longest = end - s->start[i];
    }
    int64_t *key = rg_alloc(ctx, (size_t)longest + 1, sizeof *key);
    if (key == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < s->n_rows; i++) {
        const int64_t begin = s->start[i], end = i + 1 < s->n_rows ? s->start[i + 1] : n_entries;
        const int64_t m = tidy_row(end - begin, s->column + begin, s->order + begin, key);
        for (int64_t k = 0; k < m; k++) {
            s->column[left + k] = s->column[begin + k];
            s->order[left + k] = s->order[begin + k];
        }
        s->start[i] = left;
        left += m;
    }
    s->start[s->n_rows] = left;
    rg_free(ctx, key);
    return RG_OK;
}

rg_status rg_signature_build(const rg_problem *p, rg_signature *s)
{
    strip_list l = {.ctx = p->ctx};
    int64_t n_entries = 0;

    if (p->residual != NULL || p->rhs != NULL) return rg_signature_probe(p, s);
    s->n_rows = p->n_rows;
    s->n_columns = p->n;
    s->start = rg_alloc(p->ctx, (size_t)p->n_rows + 2, sizeof *s->start);
    rg_status status = s->start != NULL ? visit_blocks(p, &l) : RG_ERR_MEMORY;
    for (int64_t q = 0; q < l.n_strips; q++)
        n_entries += l.strips[q].count;
    if (status == RG_OK) status = scatter(p->ctx, &l, s);
    if (status == RG_OK) status = rg_signature_tidy(p->ctx, s, n_entries);
    for (int64_t q = 0; q < l.n_strips; q++)
        if (l.strips[q].owns_rows) rg_free(p->ctx, l.strips[q].rows.list);
    rg_free(p->ctx, l.strips);
    return status;
}

void rg_signature_clear(rg_context *ctx, rg_signature *s)
{
    rg_free(ctx, s->start);
    rg_free(ctx, s->column);
    rg_free(ctx, s->order);
    *s = (rg_signature){0};
}
