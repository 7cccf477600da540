/* Evaluates hidden constraints: how far a point of a run is from each level of them. */
#include "views/drift.h"

#include <string.h>

typedef struct {
    const rg_analysis *a;
    const rg_states *l;
    int32_t *written; /* per unknown: highest derivative in the model, at least 1 */
} watcher;

/* Is equation i algebraic: no derivative in it that the model itself integrates? */
static bool is_algebraic(const watcher *w, int64_t i)
{
    const rg_signature *s = &w->a->signature;

    for (int64_t e = s->start[i]; e < s->start[i + 1]; e++)
        if (s->order[e] >= w->written[s->column[e]]) return false;
    return true;
}

/* Does its k-th derivative stay within z = (y, y')? */
static bool is_within(const watcher *w, int64_t i, int k)
{
    const rg_signature *s = &w->a->signature;

    for (int64_t e = s->start[i]; e < s->start[i + 1]; e++)
        if (s->order[e] + k > w->l->m[s->column[e]]) return false;
    return true;
}

/* Constraint residuals of level k: algebraic equations, differentiated k times, that the analysis
 * differentiates further.  Without a valid structure only level 0, the equations themselves, can
 * be told from the rest. */
static bool is_watched(const watcher *w, int64_t i, int k)
{
    if (w->a->c[i] <= k || (!w->a->is_structural && k > 0)) return false;
    return is_algebraic(w, i) && is_within(w, i, k);
}

static void find_written(const rg_problem *p, int32_t *written)
{
    for (int64_t j = 0; j < p->n; j++)
        written[j] = rg_variable_order(p, j) > 1 ? rg_variable_order(p, j) : 1;
}

rg_status rg_drift_init(const rg_problem *p, const rg_analysis *a, const rg_states *l,
                        rg_drift *out)
{
    const int levels = a->index - 1;
    watcher w = {a, l, NULL};
    int32_t **row = NULL;
    rg_status status = RG_OK;

    memset(out, 0, sizeof *out);
    if (levels <= 0 || p->n_blocks == 0) return RG_OK; /* callbacks cannot be differentiated */
    out->n_levels = levels;
    row = rg_alloc(p->ctx, (size_t)levels, sizeof *row);
    out->level = rg_alloc(p->ctx, (size_t)(levels * l->n) + 1, sizeof *out->level);
    w.written = rg_alloc(p->ctx, (size_t)l->n + 1, sizeof *w.written);
    if (row == NULL || out->level == NULL || w.written == NULL)
        status = RG_ERR_MEMORY;
    else
        find_written(p, w.written);
    for (int k = 0; k < levels && status == RG_OK; k++) {
        if ((row[k] = rg_alloc(p->ctx, (size_t)l->n + 1, sizeof **row)) == NULL)
            status = RG_ERR_MEMORY;
        for (int64_t i = 0; i < l->n && status == RG_OK; i++) {
            row[k][i] = is_watched(&w, i, k) ? (int32_t)out->n_rows : -1;
            if (row[k][i] >= 0) out->level[out->n_rows++] = (uint8_t)k;
        }
    }
    if (status == RG_OK && out->n_rows > 0) {
        const rg_assembly_spec spec = {levels,          l->n_orders,
                                       2 * l->n_states, (const int32_t *const *)row,
                                       out->n_rows,     (const int32_t *const *)l->column};
        status = rg_assembly_create(p, &spec, false, &out->rows);
    }
    for (int k = 0; row != NULL && k < levels; k++)
        rg_free(p->ctx, row[k]);
    rg_free(p->ctx, row);
    rg_free(p->ctx, w.written);
    return status;
}

void rg_drift_clear(rg_context *ctx, rg_drift *d)
{
    rg_assembly_destroy(&d->rows);
    rg_free(ctx, d->level);
    memset(d, 0, sizeof *d);
}
