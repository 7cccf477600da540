/* Takes rows and columns with a single entry away from a pattern until none is left. */
#include "ivp/passage/core.h"

#include <string.h>

typedef struct {
    const rg_pattern *p;
    int32_t *row, *column; /* entries left in them; -1: taken away, later the number in the core */
} draft;

static void count(const draft *d)
{
    for (int64_t j = 0; j < d->p->n_columns; j++)
        for (int64_t e = d->p->start[j]; e < d->p->start[j + 1]; e++) {
            d->row[d->p->row[e]]++;
            d->column[j]++;
        }
}

static void take_away(const draft *d, int64_t row, int64_t column)
{
    const rg_pattern *p = d->p;

    for (int64_t j = 0; j < p->n_columns; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            if (d->row[p->row[e]] < 0 || d->column[j] < 0) continue;
            if (p->row[e] == row && j != column) d->column[j]--;
            if (p->row[e] != row && j == column) d->row[p->row[e]]--;
        }
    d->row[row] = d->column[column] = -1;
}

/* One round over all entries; false: nothing was found. */
static bool peel(const draft *d, rg_core *out)
{
    const rg_pattern *p = d->p;
    const int64_t before = out->n_single;

    for (int64_t j = 0; j < p->n_columns; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1] && d->column[j] >= 0; e++) {
            const int32_t i = p->row[e];
            if (d->row[i] < 0 || (d->row[i] != 1 && d->column[j] != 1)) continue;
            out->single[out->n_single++] = e;
            take_away(d, i, j);
        }
    return out->n_single > before;
}

static void number(int32_t *x, int64_t n)
{
    int32_t next = 0;

    for (int64_t k = 0; k < n; k++)
        if (x[k] >= 0) x[k] = next++;
}

static void collect(const draft *d, rg_core *out)
{
    const rg_pattern *p = d->p;
    int64_t next = 0;

    number(d->row, p->n_rows);
    number(d->column, p->n_columns);
    for (int64_t j = 0; j < p->n_columns; j++) {
        for (int64_t e = p->start[j]; e < p->start[j + 1] && d->column[j] >= 0; e++) {
            if (d->row[p->row[e]] < 0) continue;
            out->pattern.row[next] = d->row[p->row[e]];
            out->entry[next++] = e;
        }
        if (d->column[j] >= 0) out->pattern.start[d->column[j] + 1] = next;
    }
    out->pattern.n_rows = out->pattern.n_columns = p->n_columns - out->n_single;
}

rg_status rg_core_init(rg_context *ctx, const rg_pattern *p, rg_core *out)
{
    const size_t n = (size_t)p->n_columns + 1, entries = (size_t)p->start[p->n_columns] + 1;
    draft d = {p, rg_alloc(ctx, n, sizeof *d.row), rg_alloc(ctx, n, sizeof *d.column)};
    rg_status status = RG_ERR_MEMORY;

    *out = (rg_core){0};
    out->pattern.start = rg_alloc(ctx, n, sizeof *out->pattern.start);
    out->pattern.row = rg_alloc(ctx, entries, sizeof *out->pattern.row);
    out->entry = rg_alloc(ctx, entries, sizeof *out->entry);
    out->single = rg_alloc(ctx, n, sizeof *out->single);
    if (d.row != NULL && d.column != NULL && out->pattern.start != NULL && out->pattern.row != NULL
        && out->entry != NULL && out->single != NULL) {
        count(&d);
        while (peel(&d, out))
            ;
        collect(&d, out);
        status = RG_OK;
    }
    rg_free(ctx, d.row);
    rg_free(ctx, d.column);
    return status;
}

void rg_core_clear(rg_context *ctx, rg_core *c)
{
    rg_free(ctx, c->pattern.start);
    rg_free(ctx, c->pattern.row);
    rg_free(ctx, c->entry);
    rg_free(ctx, c->single);
    memset(c, 0, sizeof *c);
}
