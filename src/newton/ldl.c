/* Up-looking LDL^T: row k of L from a triangular solve with the rows above, along the
 * elimination tree. */
#include "newton/ldl.h"

#include <amd.h>
#include <limits.h>
#include <math.h>
#include <string.h>

struct rg_ldl {
    rg_context *ctx;
    int n;
    int *order, *place;      /* row k of P K P^T is row order[k] of K; place: its inverse */
    int64_t *start, *source; /* upper part of P K P^T by columns: row, and where its value stands */
    int *row;
    int *parent;             /* elimination tree */
    int64_t *first, *length; /* columns of L     */
    int *L_row;
    double *L, *D, *work;
    int *flag, *path;
};

void rg_ldl_destroy(rg_ldl **ldl)
{
    rg_ldl *q = *ldl;

    if (q == NULL) return;
    void *const owned[] = {q->order,  q->place, q->start, q->source, q->row,  q->parent, q->first,
                           q->length, q->L_row, q->L,     q->D,      q->work, q->flag,   q->path};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(q->ctx, owned[k]);
    rg_free(q->ctx, q);
    *ldl = NULL;
}

static rg_status too_large(rg_ldl *q)
{
    rg_fail(q->ctx, RG_ERR_MEMORY, "the sparse factors of %d unknowns do not fit into memory",
            q->n);
    return rg_remedy(q->ctx, "use a coarser grid, or keep more start values with '='");
}

/* Fill-reducing order by AMD. */
static rg_status find_order(rg_ldl *q, const rg_pattern *pattern)
{
    if (pattern->start[q->n] >= INT_MAX) return too_large(q);
    int *start = rg_alloc(q->ctx, (size_t)q->n + 1, sizeof *start);
    if (start == NULL) return RG_ERR_MEMORY;
    for (int j = 0; j <= q->n; j++)
        start[j] = (int)pattern->start[j];
    const int result = amd_order(q->n, start, pattern->row, q->order, NULL, NULL);
    rg_free(q->ctx, start);
    if (result != AMD_OK && result != AMD_OK_BUT_JUMBLED) return too_large(q);
    for (int k = 0; k < q->n; k++)
        q->place[q->order[k]] = k;
    return RG_OK;
}

static void permute(rg_ldl *q, const rg_pattern *pattern)
{
    for (int pass = 0; pass < 2; pass++) { /* count, then fill */
        for (int64_t j = 0; j < q->n; j++) {
            const int b = q->place[j];
            for (int64_t e = pattern->start[j]; e < pattern->start[j + 1]; e++) {
                const int a = q->place[pattern->row[e]];
                if (a > b) continue;
                if (pass == 0) {
                    q->start[b + 1]++;
                } else {
                    const int64_t at = q->start[b]++;
                    q->row[at] = a;
                    q->source[at] = e;
                }
            }
        }
        for (int k = 0; k < q->n && pass == 0; k++)
            q->start[k + 1] += q->start[k];
    }
    for (int k = q->n; k > 0; k--) /* filling has moved every start to the next one */
        q->start[k] = q->start[k - 1];
    q->start[0] = 0;
}

/* Elimination tree and column lengths of L. */
static void analyse(rg_ldl *q)
{
    for (int k = 0; k < q->n; k++) {
        q->parent[k] = -1;
        q->flag[k] = k;
        q->length[k] = 0;
        for (int64_t e = q->start[k]; e < q->start[k + 1]; e++) {
            for (int i = q->row[e]; q->flag[i] != k; i = q->parent[i]) {
                if (q->parent[i] < 0) q->parent[i] = k;
                q->length[i]++;
                q->flag[i] = k;
            }
        }
    }
    for (int k = 0; k < q->n; k++)
        q->first[k + 1] = q->first[k] + q->length[k];
}

static rg_status take_memory(rg_ldl *q, const rg_pattern *pattern)
{
    const size_t n = (size_t)q->n, entries = (size_t)pattern->start[q->n];

    q->order = rg_alloc(q->ctx, n, sizeof *q->order);
    q->place = rg_alloc(q->ctx, n, sizeof *q->place);
    q->start = rg_alloc(q->ctx, n + 1, sizeof *q->start);
    q->source = rg_alloc(q->ctx, entries, sizeof *q->source);
    q->row = rg_alloc(q->ctx, entries, sizeof *q->row);
    q->parent = rg_alloc(q->ctx, n, sizeof *q->parent);
    q->first = rg_alloc(q->ctx, n + 1, sizeof *q->first);
    q->length = rg_alloc(q->ctx, n, sizeof *q->length);
    q->D = rg_alloc(q->ctx, n, sizeof *q->D);
    q->work = rg_alloc(q->ctx, n, sizeof *q->work);
    q->flag = rg_alloc(q->ctx, n, sizeof *q->flag);
    q->path = rg_alloc(q->ctx, n, sizeof *q->path);
    const bool ok = q->order != NULL && q->place != NULL && q->start != NULL && q->source != NULL
                    && q->row != NULL && q->parent != NULL && q->first != NULL && q->length != NULL
                    && q->D != NULL && q->work != NULL && q->flag != NULL && q->path != NULL;
    return ok ? RG_OK : RG_ERR_MEMORY;
}

rg_status rg_ldl_create(rg_context *ctx, const rg_pattern *pattern, rg_ldl **out)
{
    rg_ldl *q = rg_alloc(ctx, 1, sizeof *q);

    *out = NULL;
    if (q == NULL) return RG_ERR_MEMORY;
    q->ctx = ctx;
    q->n = (int)pattern->n_columns;
    rg_status status = take_memory(q, pattern);
    if (status == RG_OK) status = find_order(q, pattern);
    if (status == RG_OK) {
        permute(q, pattern);
        analyse(q);
        q->L_row = rg_alloc(ctx, (size_t)q->first[q->n], sizeof *q->L_row);
        q->L = rg_alloc(ctx, (size_t)q->first[q->n], sizeof *q->L);
        if (q->L_row == NULL || q->L == NULL) status = RG_ERR_MEMORY;
    }
    if (status == RG_OK)
        *out = q;
    else
        rg_ldl_destroy(&q);
    return status;
}

/* Scatters column k of the upper part into work; the nonzeros of row k of L, in the order of
 * elimination, are path[top .. n-1]. */
static int reach(rg_ldl *q, int k, const double *values)
{
    int top = q->n;

    q->flag[k] = k;
    for (int64_t e = q->start[k]; e < q->start[k + 1]; e++) {
        int i = q->row[e], count = 0;
        q->work[i] += values[q->source[e]];
        for (; q->flag[i] != k; i = q->parent[i]) {
            q->path[count++] = i;
            q->flag[i] = k;
        }
        while (count > 0)
            q->path[--top] = q->path[--count];
    }
    return top;
}

rg_status rg_ldl_factor(rg_ldl *q, const double *values)
{
    memset(q->work, 0, (size_t)q->n * sizeof *q->work);
    for (int k = 0; k < q->n; k++) {
        q->flag[k] = -1;
        q->length[k] = 0;
    }
    for (int k = 0; k < q->n; k++) {
        int top = reach(q, k, values);
        double d = q->work[k];
        q->work[k] = 0;
        for (; top < q->n; top++) {
            const int i = q->path[top];
            const double y = q->work[i], l = y / q->D[i]; /* L_ki */
            const int64_t end = q->first[i] + q->length[i]++;
            q->work[i] = 0;
            for (int64_t e = q->first[i]; e < end; e++)
                q->work[q->L_row[e]] -= q->L[e] * y;
            d -= l * y;
            q->L_row[end] = k;
            q->L[end] = l;
        }
        q->D[k] = d;
        if (d == 0 || !isfinite(d)) return (rg_status)RG_RETRY;
    }
    return RG_OK;
}

void rg_ldl_solve(const rg_ldl *q, double *b)
{
    double *x = q->work;

    for (int k = 0; k < q->n; k++)
        x[k] = b[q->order[k]];
    for (int k = 0; k < q->n; k++) {
        for (int64_t e = q->first[k]; e < q->first[k + 1]; e++)
            x[q->L_row[e]] -= q->L[e] * x[k]; /* x = L \ x */
    }
    for (int k = q->n - 1; k >= 0; k--) {
        x[k] /= q->D[k];
        for (int64_t e = q->first[k]; e < q->first[k + 1]; e++)
            x[k] -= q->L[e] * x[q->L_row[e]]; /* x = L^T \ x */
    }
    for (int k = 0; k < q->n; k++)
        b[q->order[k]] = x[k];
}
