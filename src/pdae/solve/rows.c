/* Writes the matrix of a grid in rows, solid cells left out. */
#include "pdae/solve/elliptic_impl.h"

#include <math.h>

/* The place of the neighbour along axis d, or -1 beyond a side. */
static int64_t neighbour(const rg_grid *g, int64_t at, int index, int d, int step)
{
    const int n = g->axis[d].n, to = index + step;

    if (to >= 0 && to < n) return at + step * g->stride[d];
    if (!g->axis[d].periodic) return -1;
    return at + (to < 0 ? n - 1 : 1 - n) * g->stride[d];
}

typedef struct {
    int64_t col;
    double value;
} entry;

/* The entries of a row, one per neighbouring cell, rising columns; returns how many. */
static int row_entries(const rg_elliptic *e, const int64_t *row_of, const int *index, int64_t at,
                       entry *out, double *diagonal)
{
    const rg_grid *g = e->A.grid;
    int count = 0;

    *diagonal = e->A.s ? e->A.s[at] : 0.0;
    for (int d = 0; d < g->dims; d++)
        for (int step = -1; step <= 1; step += 2) {
            const double T = e->A.T[d][step < 0 ? at : at + g->stride[d]];
            if (T == 0.0) continue;
            const int64_t to = neighbour(g, at, index[d], d, step);
            if (to == at) continue; /* one periodic cell: its own neighbour */
            *diagonal += T;
            if (to < 0) continue;
            int k = 0;
            while (k < count && out[k].col != row_of[to])
                k++;
            if (k == count) out[count++] = (entry){row_of[to], 0.0};
            out[k].value += T;
        }
    for (int k = 1; k < count; k++)
        for (int m = k; m > 0 && out[m].col < out[m - 1].col; m--) {
            const entry swap = out[m];
            out[m] = out[m - 1];
            out[m - 1] = swap;
        }
    return count;
}

static void write_rows(const rg_elliptic *e, const int64_t *row_of, rg_elliptic_rows *out)
{
    const rg_grid *g = e->A.grid;
    int64_t count = 0;

    for (int64_t r = 0; r < e->n; r++) {
        const int64_t at = e->place[r], rest = at - g->origin;
        int index[RG_AXES];
        entry list[2 * RG_AXES];
        index[2] = (int)(rest / g->stride[2]);
        index[1] = (int)(rest % g->stride[2] / g->stride[1]);
        index[0] = (int)(rest % g->stride[1]);
        const int k = row_entries(e, row_of, index, at, list, &out->diagonal[r]);
        out->start[r] = out->middle[r] = count;
        for (int m = 0; m < k; m++) {
            out->col[count] = (int32_t)list[m].col;
            out->value[count++] = list[m].value;
            if (list[m].col < r) out->middle[r] = count;
        }
    }
    out->start[e->n] = count;
    out->n = e->n;
}

rg_status rg_elliptic_rows_create(rg_elliptic *e, rg_elliptic_rows *out)
{
    const size_t n = (size_t)e->n, most = n * 2 * (size_t)e->A.grid->dims + 1;
    int64_t *row_of = rg_alloc(e->ctx, (size_t)e->A.grid->size, sizeof *row_of);

    *out = (rg_elliptic_rows){0};
    out->start = rg_alloc(e->ctx, n + 1, sizeof *out->start);
    out->middle = rg_alloc(e->ctx, n, sizeof *out->middle);
    out->col = rg_alloc(e->ctx, most, sizeof *out->col);
    out->value = rg_alloc(e->ctx, most, sizeof *out->value);
    out->diagonal = rg_alloc(e->ctx, n, sizeof *out->diagonal);
    if (!row_of || !out->start || !out->middle || !out->col || !out->value || !out->diagonal) {
        rg_free(e->ctx, row_of);
        rg_elliptic_rows_free(e->ctx, out);
        return RG_ERR_MEMORY;
    }
    for (int64_t r = 0; r < e->n; r++)
        row_of[e->place[r]] = r;
    write_rows(e, row_of, out);
    rg_free(e->ctx, row_of);
    return RG_OK;
}

void rg_elliptic_rows_free(rg_context *ctx, rg_elliptic_rows *rows)
{
    rg_free(ctx, rows->start);
    rg_free(ctx, rows->middle);
    rg_free(ctx, rows->col);
    rg_free(ctx, rows->value);
    rg_free(ctx, rows->diagonal);
    *rows = (rg_elliptic_rows){0};
}
