/* Block triangular form of the essential entries, d_j - c_i = sigma_ij (SuiteSparse BTF), and what
 * follows from it.
 *
 * A node is an equation with its matched unknown; it needs the nodes whose unknowns it holds.
 * btf_strongcomp gives blocks in upper triangular order of the matrix whose columns it is handed:
 * we hand it the equations as columns, which is lower triangular order of the matrix itself. */
#include "structure/matching.h"

#include <btf.h>

static bool is_essential(const rg_signature *s, const rg_transversal *t, int64_t i, int64_t e)
{
    return t->d[s->column[e]] - t->c[i] == s->order[e];
}

static rg_status essential_pattern(rg_context *ctx, const rg_signature *s, const rg_transversal *t,
                                   int32_t **start, int32_t **needs)
{
    const int64_t n_entries = s->start[s->n_rows];

    if (n_entries > INT32_MAX) {
        rg_fail(ctx, RG_ERR_STRUCTURE,
                "the model has %lld entries, more than the analysis can hold",
                (long long)n_entries);
        return rg_remedy(ctx, "use fewer unknowns: at most %d entries", INT32_MAX);
    }
    *start = rg_alloc(ctx, (size_t)s->n_rows + 1, sizeof **start);
    *needs = rg_alloc(ctx, (size_t)n_entries + 1, sizeof **needs);
    if (*start == NULL || *needs == NULL) return RG_ERR_MEMORY;
    int32_t count = 0;
    for (int64_t i = 0; i < s->n_rows; i++) {
        for (int64_t e = s->start[i]; e < s->start[i + 1]; e++)
            if (is_essential(s, t, i, e)) (*needs)[count++] = t->row_of_column[s->column[e]];
        (*start)[i + 1] = count;
    }
    return RG_OK;
}

static rg_status allocate_blocks(rg_context *ctx, rg_transversal *t)
{
    const size_t n = (size_t)t->n + 1;

    t->block_start = rg_alloc(ctx, n, sizeof *t->block_start);
    t->row_order = rg_alloc(ctx, n, sizeof *t->row_order);
    t->column_order = rg_alloc(ctx, n, sizeof *t->column_order);
    t->block_of_row = rg_alloc(ctx, n, sizeof *t->block_of_row);
    t->block_of_column = rg_alloc(ctx, n, sizeof *t->block_of_column);
    t->variable_index = rg_alloc(ctx, n, sizeof *t->variable_index);
    t->reach = rg_alloc(ctx, n, sizeof *t->reach);
    const bool ok = t->block_start && t->row_order && t->column_order && t->block_of_row
                    && t->block_of_column && t->variable_index && t->reach;
    return ok ? RG_OK : RG_ERR_MEMORY;
}

static void fill_blocks(rg_transversal *t, const int32_t *order, const int32_t *first)
{
    for (int64_t b = 0; b < t->n_blocks; b++) {
        t->block_start[b + 1] = first[b + 1];
        for (int64_t k = first[b]; k < first[b + 1]; k++) {
            const int32_t i = order[k], j = t->column_of_row[i];
            t->row_order[k] = i;
            t->column_order[k] = j;
            t->block_of_row[i] = t->block_of_column[j] = (int32_t)b;
        }
    }
}

/* reach[b] = largest c in block b and in all blocks it needs; 1 + max(0, reach - d_j) for its
 * unknowns. */
static void find_variable_index(const rg_signature *s, rg_transversal *t, int32_t *reach)
{
    for (int64_t b = 0; b < t->n_blocks; b++) {
        reach[b] = 0;
        for (int64_t k = t->block_start[b]; k < t->block_start[b + 1]; k++) {
            const int32_t i = t->row_order[k];
            if (t->c[i] > reach[b]) reach[b] = t->c[i];
            for (int64_t e = s->start[i]; e < s->start[i + 1]; e++) {
                if (!is_essential(s, t, i, e)) continue;
                const int32_t needed = t->block_of_column[s->column[e]];
                if (reach[needed] > reach[b]) reach[b] = reach[needed];
            }
        }
        for (int64_t k = t->block_start[b]; k < t->block_start[b + 1]; k++) {
            const int32_t j = t->column_order[k], lag = reach[b] - t->d[j];
            t->variable_index[j] = 1 + (lag > 0 ? lag : 0);
            t->reach[j] = reach[b];
        }
    }
}

rg_status rg_transversal_blocks(rg_context *ctx, const rg_signature *s, rg_transversal *t)
{
    int32_t *start = NULL, *needs = NULL, *order = NULL, *first = NULL, *work = NULL;
    rg_status status = allocate_blocks(ctx, t);

    if (status != RG_OK) goto done;
    if ((status = essential_pattern(ctx, s, t, &start, &needs)) != RG_OK) goto done;
    order = rg_alloc(ctx, (size_t)t->n + 1, sizeof *order);
    first = rg_alloc(ctx, (size_t)t->n + 1, sizeof *first);
    work = rg_alloc(ctx, 4 * (size_t)t->n + 1, sizeof *work);
    if (order == NULL || first == NULL || work == NULL) {
        status = RG_ERR_MEMORY;
        goto done;
    }
    if (t->n > 0)
        t->n_blocks = btf_strongcomp((int32_t)t->n, start, needs, NULL, order, first, work);
    fill_blocks(t, order, first);
    find_variable_index(s, t, work);
done:
    rg_free(ctx, start);
    rg_free(ctx, needs);
    rg_free(ctx, order);
    rg_free(ctx, first);
    rg_free(ctx, work);
    return status;
}
