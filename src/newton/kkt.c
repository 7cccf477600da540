/* The sparsity pattern of the least-change problem. */
#include "newton/kkt.h"

static int64_t chosen(const int32_t *column, int64_t k)
{
    return column != NULL ? column[k] : k;
}

static rg_status take_memory(rg_context *ctx, int64_t entries, rg_kkt *kkt)
{
    const size_t size = (size_t)(kkt->n + kkt->m), e = (size_t)entries;

    kkt->pattern.n_rows = kkt->pattern.n_columns = kkt->n + kkt->m;
    kkt->pattern.start = rg_alloc(ctx, size + 1, sizeof *kkt->pattern.start);
    kkt->pattern.row = rg_alloc(ctx, 2 * e + size, sizeof *kkt->pattern.row);
    kkt->diagonal = rg_alloc(ctx, size, sizeof *kkt->diagonal);
    kkt->below = rg_alloc(ctx, e, sizeof *kkt->below);
    kkt->right = rg_alloc(ctx, e, sizeof *kkt->right);
    const bool ok = kkt->pattern.start != NULL && kkt->pattern.row != NULL && kkt->diagonal != NULL
                    && kkt->below != NULL && kkt->right != NULL;
    return ok ? RG_OK : RG_ERR_MEMORY;
}

/* Column k: its diagonal, then column k of A. */
static void fill_left(const rg_pattern *A, const int32_t *column, rg_kkt *kkt)
{
    int64_t used = 0, e = 0;

    for (int64_t k = 0; k < kkt->n; k++) {
        const int64_t j = chosen(column, k);
        kkt->diagonal[k] = used;
        kkt->pattern.row[used++] = (int32_t)k;
        for (int64_t x = A->start[j]; x < A->start[j + 1]; x++) {
            kkt->below[e++] = used;
            kkt->pattern.row[used++] = (int32_t)(kkt->n + A->row[x]);
        }
        kkt->pattern.start[k + 1] = used;
    }
}

/* Column n + i: row i of A, then its diagonal. */
static void fill_right(const rg_pattern *A, const int32_t *column, rg_kkt *kkt)
{
    int64_t *start = kkt->pattern.start + kkt->n, *next = kkt->diagonal + kkt->n, e = 0;

    for (int64_t k = 0; k < kkt->n; k++) {
        const int64_t j = chosen(column, k);
        for (int64_t x = A->start[j]; x < A->start[j + 1]; x++)
            start[A->row[x] + 1]++;
    }
    for (int64_t i = 0; i < kkt->m; i++) {
        start[i + 1] += start[i] + 1; /* + 1: the diagonal */
        next[i] = start[i];
    }
    for (int64_t k = 0; k < kkt->n; k++) {
        const int64_t j = chosen(column, k);
        for (int64_t x = A->start[j]; x < A->start[j + 1]; x++, e++) {
            kkt->right[e] = next[A->row[x]]++;
            kkt->pattern.row[kkt->right[e]] = (int32_t)k;
        }
    }
    for (int64_t i = 0; i < kkt->m; i++)
        kkt->pattern.row[next[i]] = (int32_t)(kkt->n + i);
}

rg_status rg_kkt_init(rg_context *ctx, const rg_pattern *A, int64_t n, const int32_t *column,
                      rg_kkt *kkt)
{
    int64_t entries = 0;

    *kkt = (rg_kkt){.n = n, .m = A->n_rows};
    for (int64_t k = 0; k < n; k++) {
        const int64_t j = chosen(column, k);
        entries += A->start[j + 1] - A->start[j];
    }
    if (take_memory(ctx, entries, kkt) != RG_OK) {
        rg_kkt_clear(ctx, kkt);
        return RG_ERR_MEMORY;
    }
    fill_left(A, column, kkt);
    fill_right(A, column, kkt);
    return RG_OK;
}

void rg_kkt_clear(rg_context *ctx, rg_kkt *kkt)
{
    rg_free(ctx, kkt->pattern.start);
    rg_free(ctx, kkt->pattern.row);
    rg_free(ctx, kkt->diagonal);
    rg_free(ctx, kkt->below);
    rg_free(ctx, kkt->right);
    *kkt = (rg_kkt){0};
}
