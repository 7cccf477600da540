/* The analysis of a sparsity pattern, shared by all matrices that have it. */
#include "linalg/sparse_plan.h"

#include "linalg/matching.h"
#include "linalg/tuning.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

rg_status rg_sparse_out_of_memory(rg_context *ctx, int n)
{
    rg_fail(ctx, RG_ERR_MEMORY, "the sparse factors of %d unknowns do not fit into memory", n);
    return rg_remedy(ctx, "use a coarser grid, or a machine with more memory");
}

static rg_status copy_pattern(rg_sparse_plan *p, const rg_pattern *a)
{
    const size_t n = (size_t)p->n, entries = (size_t)a->start[n];

    p->start = rg_alloc(p->ctx, n + 1, sizeof *p->start);
    p->row = rg_alloc(p->ctx, entries + 1, sizeof *p->row);
    p->source = rg_alloc(p->ctx, entries + 1, sizeof *p->source);
    p->image = rg_alloc(p->ctx, 2 * n + 1, sizeof *p->image);
    if (!p->start || !p->row || !p->source || !p->image) return RG_ERR_MEMORY;
    p->origin = p->image + n;
    for (size_t j = 0; j <= n; j++)
        p->start[j] = (int)a->start[j];
    for (size_t k = 0; k < entries; k++) {
        p->row[k] = a->row[k];
        p->source[k] = (int)k;
    }
    return RG_OK;
}

rg_status rg_sparse_plan_create(rg_context *ctx, const rg_pattern *pattern, rg_sparse_plan **out)
{
    rg_sparse_plan *p = rg_alloc(ctx, 1, sizeof *p);

    *out = NULL;
    if (p == NULL) return RG_ERR_MEMORY;
    p->ctx = ctx;
    p->users = 1;
    p->n = (int)pattern->n_columns;
    const rg_status status = pattern->start[pattern->n_columns] < INT_MAX
                                 ? copy_pattern(p, pattern)
                                 : rg_sparse_out_of_memory(ctx, p->n);
    if (status == RG_OK)
        *out = p;
    else
        rg_sparse_plan_release(&p);
    return status;
}

static void drop_long_pattern(rg_sparse_plan *p)
{
    rg_free(p->ctx, p->long_start);
    rg_free(p->ctx, p->long_row);
    p->long_start = p->long_row = NULL;
}

void rg_sparse_plan_release(rg_sparse_plan **plan)
{
    rg_sparse_plan *p = *plan;

    *plan = NULL;
    if (p == NULL || --p->users > 0) return;
    klu_common common;
    klu_defaults(&common);
    if (p->klu != NULL) klu_free_symbolic(&p->klu, &common);
    klu_l_common common_long;
    klu_l_defaults(&common_long);
    if (p->klu_long != NULL) klu_l_free_symbolic(&p->klu_long, &common_long);
    rg_pivots_release(&p->pivots);
    rg_sparse_plan_free_umfpack(p);
    drop_long_pattern(p);
    rg_free(p->ctx, p->start);
    rg_free(p->ctx, p->row);
    rg_free(p->ctx, p->source);
    rg_free(p->ctx, p->image);
    rg_free(p->ctx, p);
}

static void swap(int *a, int *b)
{
    const int c = *a;
    *a = *b;
    *b = c;
}

/* The chosen entry of every column comes first: KLU's own matching takes it. */
static void put_first(rg_sparse_plan *p, const int *place)
{
    for (int j = 0; j < p->n; j++) {
        if (place[j] < 0) continue;
        swap(p->row + p->start[j], p->row + place[j]);
        swap(p->source + p->start[j], p->source + place[j]);
    }
}

typedef struct {
    int row, source;
} entry;

static int by_row(const void *a, const void *b)
{
    const int i = ((const entry *)a)->row, j = ((const entry *)b)->row;
    return (i > j) - (i < j);
}

/* The chosen entries on the diagonal, rows ascending: what UMFPACK wants. */
static rg_status put_on_diagonal(rg_sparse_plan *p)
{
    int longest = 0;

    for (int j = 0; j < p->n; j++) {
        const int length = p->start[j + 1] - p->start[j];
        p->image[p->row[p->start[j]]] = j;
        p->origin[j] = p->row[p->start[j]];
        if (length > longest) longest = length;
    }
    entry *column = rg_alloc(p->ctx, (size_t)longest + 1, sizeof *column);
    if (column == NULL) return RG_ERR_MEMORY;
    for (int j = 0; j < p->n; j++) {
        const int first = p->start[j], length = p->start[j + 1] - first;
        for (int k = 0; k < length; k++)
            column[k] = (entry){p->image[p->row[first + k]], p->source[first + k]};
        qsort(column, (size_t)length, sizeof *column, by_row);
        for (int k = 0; k < length; k++) {
            p->row[first + k] = column[k].row;
            p->source[first + k] = column[k].source;
        }
    }
    rg_free(p->ctx, column);
    return RG_OK;
}

rg_status rg_sparse_plan_long_pattern(rg_sparse_plan *p)
{
    const int entries = p->start[p->n];

    if (p->long_row != NULL) return RG_OK;
    p->long_start = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof *p->long_start);
    p->long_row = rg_alloc(p->ctx, (size_t)entries + 1, sizeof *p->long_row);
    if (p->long_start == NULL || p->long_row == NULL) {
        drop_long_pattern(p);
        return RG_ERR_MEMORY;
    }
    for (int j = 0; j <= p->n; j++)
        p->long_start[j] = p->start[j];
    for (int k = 0; k < entries; k++)
        p->long_row[k] = p->row[k];
    return RG_OK;
}

/* Many operations per entry.  KLU's analysis is there. */
static bool wants_umfpack(const rg_sparse_plan *p)
{
    if (!rg_umfpack_is_there() || !p->has_diagonal) return false;
    const double flops = p->is_long ? p->klu_long->est_flops : p->klu->est_flops;
    const double entries =
        p->is_long ? p->klu_long->lnz + p->klu_long->unz : p->klu->lnz + p->klu->unz;

    return flops > 2.0 * RG_UMFPACK_LEAST && flops > 2.0 * RG_UMFPACK_RATIO * entries;
}

rg_status rg_sparse_plan_change(rg_sparse_plan *p)
{
    rg_pivots_release(&p->pivots);
    RG_TRY(put_on_diagonal(p));
    drop_long_pattern(p); /* made again in this order */
    p->uses_umfpack = true;
    return RG_OK;
}

/* KLU_TOO_LARGE, without a message, becomes RG_RETRY. */
static rg_status analyze(rg_sparse_plan *p)
{
    klu_common common;

    klu_defaults(&common);
    if (p->klu != NULL) klu_free_symbolic(&p->klu, &common);
    common.ordering = p->is_reordered ? 1 : 0;
    p->klu = klu_analyze(p->n, p->start, p->row, &common);
    if (p->klu == NULL && common.status == KLU_TOO_LARGE) return RG_RETRY;
    return p->klu != NULL ? RG_OK : rg_sparse_out_of_memory(p->ctx, p->n);
}

rg_status rg_sparse_plan_lengthen(rg_sparse_plan *p)
{
    klu_l_common common;

    rg_pivots_release(&p->pivots);
    RG_TRY(rg_sparse_plan_long_pattern(p));
    klu_l_defaults(&common);
    common.ordering = p->is_reordered ? 1 : 0;
    if (p->klu_long != NULL) klu_l_free_symbolic(&p->klu_long, &common);
    p->klu_long = klu_l_analyze(p->n, p->long_start, p->long_row, &common);
    p->is_long = p->klu_long != NULL;
    return p->is_long ? RG_OK : rg_sparse_out_of_memory(p->ctx, p->n);
}

rg_status rg_sparse_plan_reorder(rg_sparse_plan *p)
{
    rg_pivots_release(&p->pivots);
    p->is_reordered = true;
    const rg_status status = p->is_long ? RG_RETRY : analyze(p);

    return status == (rg_status)RG_RETRY ? rg_sparse_plan_lengthen(p) : status;
}

/* Too many entries for 32 bits, by half of them at least: pivoting makes more. */
static bool wants_long(const rg_sparse_plan *p)
{
    return !(2.0 * (p->klu->lnz + p->klu->unz) < INT_MAX);
}

/* The chosen entries come first in their columns. */
static rg_status choose_solver(rg_sparse_plan *p)
{
    const rg_status status = analyze(p);

    if (status < 0) return status;
    if (status == (rg_status)RG_RETRY || wants_long(p)) RG_TRY(rg_sparse_plan_lengthen(p));
    return wants_umfpack(p) ? rg_sparse_plan_change(p) : RG_OK;
}

rg_status rg_sparse_plan_make(rg_sparse_plan *p, const double *size)
{
    int *place = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof *place);

    if (place == NULL) return RG_ERR_MEMORY;
    rg_status status = rg_match_rows(p->ctx, p->n, p->start, p->row, size, place);
    p->has_diagonal = status == RG_OK;
    for (int j = 0; j < p->n && status == RG_OK; j++)
        p->has_diagonal = p->has_diagonal && place[j] >= 0;
    if (status == RG_OK) {
        put_first(p, place);
        status = choose_solver(p);
    }
    rg_free(p->ctx, place);
    p->is_made = status == RG_OK;
    return status;
}
