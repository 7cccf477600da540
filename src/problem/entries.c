/* From the list of entries to a sparse matrix: pattern, places, constant part.
 *
 * Two counting sorts: by rows, then by columns, so that rows ascend inside a column.  Linear in the
 * number of entries.  Elements at the same place are one nonzero; their values are added. */
#include "problem/assembly_impl.h"

#include <math.h>
#include <string.h>

/* Calls that visit every element of an entry, except constant zeros. */
static bool is_element(const rg_entry *e, int64_t k)
{
    return e->array == NULL || e->array[k] != 0;
}

/* ---- pattern --------------------------------------------------------------------------------- */

typedef struct {
    int64_t *start; /* per row */
    int32_t *column;
    int32_t *last; /* per column: the row seen last, + 1 */
} by_rows;

static rg_status sort_by_rows(rg_builder *b, by_rows *s)
{
    const int64_t n = b->a->n_rows;

    s->start = rg_alloc(b->ctx, (size_t)n + 2, sizeof *s->start);
    if (s->start == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < b->n_entries; j++) {
        const rg_entry *e = &b->entries[j];
        for (int64_t k = 0; k < e->count; k++)
            if (is_element(e, k)) s->start[rg_map_at(&e->row, k) + 2]++;
    }
    for (int64_t i = 0; i < n; i++)
        s->start[i + 2] += s->start[i + 1];
    s->column = rg_alloc(b->ctx, (size_t)s->start[n + 1], sizeof *s->column);
    if (s->column == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < b->n_entries; j++) { /* start[row + 1] moves on to the end of row */
        const rg_entry *e = &b->entries[j];
        for (int64_t k = 0; k < e->count; k++)
            if (is_element(e, k))
                s->column[s->start[rg_map_at(&e->row, k) + 1]++] =
                    (int32_t)rg_map_at(&e->column, k);
    }
    return RG_OK;
}

/* Goes through the rows in order; fills the columns if `row` is there, otherwise counts. */
static void visit_columns(const by_rows *s, int64_t n_rows, int64_t *start, int32_t *row)
{
    for (int64_t i = 0; i < n_rows; i++) {
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) {
            const int32_t j = s->column[k];
            if (s->last[j] == (int32_t)i + 1) continue; /* the same place again */
            s->last[j] = (int32_t)i + 1;
            if (row != NULL) row[start[j + 1]] = (int32_t)i;
            start[row != NULL ? j + 1 : j + 2]++;
        }
    }
}

static rg_status sort_by_columns(rg_builder *b, by_rows *s, rg_pattern *p)
{
    const int64_t n = p->n_columns;

    s->last = rg_alloc(b->ctx, (size_t)n + 1, sizeof *s->last);
    p->start = rg_alloc(b->ctx, (size_t)n + 2, sizeof *p->start);
    if (s->last == NULL || p->start == NULL) return RG_ERR_MEMORY;
    visit_columns(s, p->n_rows, p->start, NULL);
    for (int64_t j = 0; j < n; j++)
        p->start[j + 2] += p->start[j + 1];
    if (p->start[n + 1] >= INT32_MAX) {
        rg_fail(b->ctx, RG_ERR_STRUCTURE, "the Jacobian has more than %d nonzeros", INT32_MAX);
        return rg_remedy(b->ctx, "take fewer cells, or write sums as unknowns of their own");
    }
    p->row = rg_alloc(b->ctx, (size_t)p->start[n + 1], sizeof *p->row);
    if (p->row == NULL) return RG_ERR_MEMORY;
    memset(s->last, 0, (size_t)n * sizeof *s->last);
    visit_columns(s, p->n_rows, p->start, p->row);
    return RG_OK;
}

static rg_status make_pattern(rg_builder *b)
{
    by_rows s = {NULL, NULL, NULL};
    rg_pattern *p = &b->a->pattern;

    p->n_rows = b->a->n_rows;
    p->n_columns = b->a->n_columns;
    rg_status status = sort_by_rows(b, &s);
    if (status == RG_OK) status = sort_by_columns(b, &s, p);
    rg_free(b->ctx, s.start);
    rg_free(b->ctx, s.column);
    rg_free(b->ctx, s.last);
    return status;
}

/* ---- places ---------------------------------------------------------------------------------- */

static int64_t find_place(const rg_pattern *p, int64_t row, int64_t column)
{
    int64_t low = p->start[column], high = p->start[column + 1] - 1;

    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (p->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int64_t place_of(const rg_builder *b, const rg_entry *e, int64_t k)
{
    return find_place(&b->a->pattern, rg_map_at(&e->row, k), rg_map_at(&e->column, k));
}

enum { ALONE = 1, SHARED, ADDED }; /* one element at a place; several; set back: a->added */

/* Adds the constants; counts how many elements share a place (up to SHARED). */
static void add_constants(const rg_builder *b, uint8_t *shared)
{
    for (int64_t j = 0; j < b->n_entries; j++) {
        const rg_entry *e = &b->entries[j];
        for (int64_t k = 0; k < e->count; k++) {
            if (!is_element(e, k)) continue;
            const int64_t place = place_of(b, e, k);
            if (shared[place] < SHARED) shared[place]++;
            if (e->target == NULL)
                b->a->constant[place] += e->array != NULL ? e->array[k] : e->number;
        }
    }
}

static rg_status set_target(rg_builder *b, const rg_entry *e, uint8_t *shared)
{
    RG_TRY(rg_builder_scratch(b, e->count));
    e->target->accumulate = false;
    for (int64_t k = 0; k < e->count; k++) {
        const int64_t place = place_of(b, e, k);
        b->scratch[k] = (int32_t)place;
        if (shared[place] > ALONE) e->target->accumulate = true;
        const int64_t column = rg_map_at(&e->column, k);
        if (column > b->a->last_varying) b->a->last_varying = column;
    }
    for (int64_t k = 0; k < e->count && e->target->accumulate; k++)
        shared[b->scratch[k]] = ADDED;
    return rg_map_keep(b, e->count, &e->target->map);
}

/* The places that an evaluation has to set back before it adds to them. */
static rg_status list_added(rg_builder *b, size_t nonzeros, const uint8_t *shared)
{
    rg_assembly *a = b->a;
    size_t n = 0;

    for (size_t k = 0; k < nonzeros; k++)
        n += shared[k] == ADDED;
    a->added = rg_alloc(b->ctx, n, sizeof *a->added);
    if (a->added == NULL) return RG_ERR_MEMORY;
    for (size_t k = 0; k < nonzeros; k++)
        if (shared[k] == ADDED) a->added[a->n_added++] = (int32_t)k;
    return RG_OK;
}

rg_status rg_entries_finish(rg_builder *b)
{
    rg_assembly *a = b->a;

    RG_TRY(make_pattern(b));
    const size_t nonzeros = (size_t)a->pattern.start[a->n_columns];
    a->constant = rg_alloc(b->ctx, nonzeros, sizeof *a->constant);
    if (a->constant == NULL) return RG_ERR_MEMORY;
    uint8_t *shared = rg_alloc(b->ctx, nonzeros, sizeof *shared);
    if (shared == NULL) return RG_ERR_MEMORY;
    rg_status status = RG_OK;
    add_constants(b, shared);
    a->is_constant_finite = true;
    for (size_t k = 0; k < nonzeros; k++)
        if (!isfinite(a->constant[k])) a->is_constant_finite = false;
    a->is_constant = true;
    a->last_varying = -1;
    for (int64_t j = 0; j < b->n_entries && status == RG_OK; j++) {
        if (b->entries[j].target == NULL) continue;
        a->is_constant = false;
        status = set_target(b, &b->entries[j], shared);
    }
    if (status == RG_OK) status = list_added(b, nonzeros, shared);
    rg_free(b->ctx, shared);
    return status;
}
