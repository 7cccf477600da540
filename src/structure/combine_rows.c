/* Combined equations; see combine_rows.h. */
#include "structure/combine_rows.h"

#include "structure/build.h"
#include "structure/tuning.h"

#include <math.h>

/* J of the sampler by rows, one value array per point. */
static rg_status transpose_pattern(rg_rows *r, const rg_pattern *a)
{
    const int64_t n_entries = a->start[a->n_columns];

    r->start = rg_alloc(r->ctx, (size_t)r->n + 2, sizeof *r->start);
    r->column = rg_alloc(r->ctx, (size_t)n_entries + 1, sizeof *r->column);
    if (r->start == NULL || r->column == NULL) return RG_ERR_MEMORY;
    for (int64_t e = 0; e < n_entries; e++)
        r->start[a->row[e] + 2]++;
    for (int64_t i = 0; i < r->n; i++)
        r->start[i + 2] += r->start[i + 1];
    for (int point = 0; point < RG_COMBINE_POINTS; point++) {
        r->value[point] = rg_alloc(r->ctx, (size_t)n_entries + 1, sizeof *r->value[point]);
        if (r->value[point] == NULL) return RG_ERR_MEMORY;
    }
    return RG_OK;
}

static void transpose_values(rg_rows *r, const rg_sampler *s, int point, int64_t *next)
{
    const rg_pattern *a = s->pattern;

    for (int64_t i = 0; i < r->n; i++)
        next[i] = r->start[i + 1];
    for (int64_t k = 0; k < a->n_columns; k++)
        for (int64_t e = a->start[k]; e < a->start[k + 1]; e++) {
            const int64_t at = next[a->row[e]]++;
            r->column[at] = (int32_t)k;
            r->value[point][at] = s->J[e];
        }
}

static rg_status sample(rg_rows *r, rg_sampler *s)
{
    int64_t *next = rg_alloc(r->ctx, (size_t)r->n + 1, sizeof *next);
    rg_status status = next != NULL ? transpose_pattern(r, s->pattern) : RG_ERR_MEMORY;

    for (int point = 0; point < RG_COMBINE_POINTS && status == RG_OK; point++) {
        status = rg_sampler_visit(s, RG_MOVE_ALL, RG_SAMPLE_SIZE, 20 + point);
        if (status == RG_OK) transpose_values(r, s, point, next);
    }
    for (int64_t i = 0; i < r->n && status == RG_OK; i++) /* start[i+1] was where row i begins */
        r->start[i] = r->start[i + 1];
    if (status == RG_OK) r->start[r->n] = s->pattern->start[s->n_columns];
    rg_free(r->ctx, next);
    return status;
}

rg_status rg_rows_create(const rg_problem *p, rg_rows **out)
{
    rg_rows *r = *out = rg_alloc(p->ctx, 1, sizeof *r);
    rg_sampler *s = NULL;

    if (r == NULL) return RG_ERR_MEMORY;
    r->ctx = p->ctx;
    r->p = p;
    r->n = p->n;
    rg_status status = rg_sampler_create(p, 1, (p->max_order > 1 ? p->max_order : 1) + 1, &s);
    if (status == RG_OK) status = sample(r, s);
    r->n_columns = s != NULL ? s->n_columns : 0;
    rg_sampler_destroy(&s);
    if (status != RG_OK) return status;
    r->combination = rg_alloc(r->ctx, (size_t)r->n + 1, sizeof *r->combination);
    r->size = rg_alloc(r->ctx, (size_t)r->n_columns + 1, sizeof *r->size);
    r->total = rg_alloc(r->ctx, (size_t)r->n + 1, sizeof *r->total);
    r->touched = rg_alloc(r->ctx, (size_t)r->n_columns + 1, sizeof *r->touched);
    for (int point = 0; point < RG_COMBINE_POINTS; point++) {
        r->sum[point] = rg_alloc(r->ctx, (size_t)r->n_columns + 1, sizeof *r->sum[point]);
        if (r->sum[point] == NULL) return RG_ERR_MEMORY;
    }
    const bool ok = r->combination && r->size && r->total && r->touched;
    return ok ? RG_OK : RG_ERR_MEMORY;
}

void rg_rows_destroy(rg_rows **rows)
{
    rg_rows *r = *rows;

    if (r == NULL) return;
    for (int64_t i = 0; r->combination != NULL && i < r->n; i++) {
        rg_free(r->ctx, r->combination[i].row);
        rg_free(r->ctx, r->combination[i].factor);
    }
    for (int point = 0; point < RG_COMBINE_POINTS; point++) {
        rg_free(r->ctx, r->value[point]);
        rg_free(r->ctx, r->sum[point]);
    }
    rg_free(r->ctx, r->combination);
    rg_free(r->ctx, r->start);
    rg_free(r->ctx, r->column);
    rg_free(r->ctx, r->size);
    rg_free(r->ctx, r->touched);
    rg_free(r->ctx, r->total);
    rg_free(r->ctx, r->list);
    rg_free(r->ctx, r);
    *rows = NULL;
}

static void add_row(rg_rows *r, int64_t i, double factor)
{
    for (int64_t e = r->start[i]; e < r->start[i + 1]; e++) {
        const int32_t k = r->column[e];
        if (r->size[k] == 0.0) r->touched[r->n_touched++] = k;
        r->size[k] += 1e-300;
        for (int point = 0; point < RG_COMBINE_POINTS; point++) {
            r->sum[point][k] += factor * r->value[point][e];
            r->size[k] += fabs(factor * r->value[point][e]);
        }
    }
}

/* An equation that was never replaced has no list. */
void rg_rows_load(rg_rows *r, int64_t i)
{
    const rg_combination *c = &r->combination[i];

    r->n_touched = 0;
    if (c->count == 0) add_row(r, i, 1.0);
    for (int32_t k = 0; k < c->count; k++)
        add_row(r, c->row[k], c->factor[k]);
    for (int64_t q = 0; q < r->n_touched; q++)
        for (int point = 0; point < RG_COMBINE_POINTS; point++) {
            double *sum = &r->sum[point][r->touched[q]];
            if (fabs(*sum) <= RG_CANCEL_NOISE * r->size[r->touched[q]]) *sum = 0.0;
        }
}

void rg_rows_unload(rg_rows *r)
{
    for (int64_t q = 0; q < r->n_touched; q++) {
        r->size[r->touched[q]] = 0.0;
        for (int point = 0; point < RG_COMBINE_POINTS; point++)
            r->sum[point][r->touched[q]] = 0.0;
    }
    r->n_touched = 0;
}

static void add_factor(rg_rows *r, int32_t row, double factor, int64_t *n_list)
{
    if (r->total[row] == 0.0) r->list[(*n_list)++] = row; /* twice if it cancels on the way */
    r->total[row] += factor;
}

rg_status rg_rows_replace(rg_rows *r, int64_t i, int64_t count, const int32_t *row,
                          const double *factor)
{
    rg_combination out = {0};
    int64_t n_list = 0, n_most = 0;

    for (int64_t k = 0; k < count; k++) {
        const int32_t n_terms = r->combination[row[k]].count;
        n_most += n_terms > 0 ? n_terms : 1;
    }
    int32_t *list = rg_resize(r->ctx, r->list, (size_t)n_most + 1, sizeof *list);
    if (list == NULL) return RG_ERR_MEMORY;
    r->list = list;
    out.row = rg_alloc(r->ctx, (size_t)n_most + 1, sizeof *out.row);
    out.factor = rg_alloc(r->ctx, (size_t)n_most + 1, sizeof *out.factor);
    if (out.row == NULL || out.factor == NULL) {
        rg_free(r->ctx, out.row);
        rg_free(r->ctx, out.factor);
        return RG_ERR_MEMORY;
    }
    for (int64_t k = 0; k < count; k++) {
        const rg_combination *c = &r->combination[row[k]];
        if (c->count == 0) add_factor(r, row[k], factor[k], &n_list);
        for (int32_t q = 0; q < c->count; q++)
            add_factor(r, c->row[q], factor[k] * c->factor[q], &n_list);
    }
    for (int64_t k = 0; k < n_list; k++) {
        if (r->total[list[k]] == 0.0) continue;
        out.row[out.count] = list[k];
        out.factor[out.count++] = r->total[list[k]];
        r->total[list[k]] = 0.0;
    }
    rg_free(r->ctx, r->combination[i].row);
    rg_free(r->ctx, r->combination[i].factor);
    r->combination[i] = out;
    return RG_OK;
}

static bool is_entry(const rg_rows *r, int32_t k)
{
    return r->sum[0][k] != 0.0 || r->sum[1][k] != 0.0;
}

rg_status rg_rows_signature(rg_rows *r, rg_signature *s)
{
    int64_t n_entries = 0;

    s->n_rows = s->n_columns = r->n;
    s->start = rg_alloc(r->ctx, (size_t)r->n + 2, sizeof *s->start);
    if (s->start == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < r->n; i++) {
        s->start[i] = n_entries;
        rg_rows_load(r, i);
        n_entries += r->n_touched;
        rg_rows_unload(r);
    }
    s->column = rg_alloc(r->ctx, (size_t)n_entries + 1, sizeof *s->column);
    s->order = rg_alloc(r->ctx, (size_t)n_entries + 1, sizeof *s->order);
    if (s->column == NULL || s->order == NULL) return RG_ERR_MEMORY;
    n_entries = 0;
    for (int64_t i = 0; i < r->n; i++) {
        s->start[i] = n_entries;
        rg_rows_load(r, i);
        for (int64_t q = 0; q < r->n_touched; q++) {
            const int32_t k = r->touched[q];
            if (!is_entry(r, k)) continue;
            s->column[n_entries] = (int32_t)(k % r->n);
            s->order[n_entries++] = (int8_t)(k / r->n);
        }
        rg_rows_unload(r);
    }
    return rg_signature_tidy(r->ctx, s, n_entries);
}

/* Terms of combination e: of none, the equation itself. */
static int32_t terms(const rg_rows *r, int64_t e)
{
    return r->combination[e].count > 0 ? r->combination[e].count : 1;
}

static int32_t term(const rg_rows *r, int64_t e, int32_t k, double *factor)
{
    const rg_combination *c = &r->combination[e];

    *factor = c->count > 0 ? c->factor[k] : 1.0;
    return c->count > 0 ? c->row[k] : (int32_t)e;
}

rg_status rg_rows_transpose(const rg_rows *r, rg_rows_places *out)
{
    int64_t total = 0;
    double factor;

    for (int64_t e = 0; e < r->n; e++)
        total += terms(r, e);
    out->start = rg_alloc(r->ctx, (size_t)r->n + 2, sizeof *out->start);
    out->combination = rg_alloc(r->ctx, (size_t)total + 1, sizeof *out->combination);
    out->factor = rg_alloc(r->ctx, (size_t)total + 1, sizeof *out->factor);
    if (out->start == NULL || out->combination == NULL || out->factor == NULL) return RG_ERR_MEMORY;
    for (int64_t e = 0; e < r->n; e++)
        for (int32_t k = 0; k < terms(r, e); k++)
            out->start[term(r, e, k, &factor) + 2]++;
    for (int64_t i = 0; i < r->n; i++)
        out->start[i + 2] += out->start[i + 1]; /* start[i + 1]: next free place of equation i */
    for (int64_t e = 0; e < r->n; e++)
        for (int32_t k = 0; k < terms(r, e); k++) {
            const int64_t at = out->start[term(r, e, k, &factor) + 1]++;
            out->combination[at] = (int32_t)e;
            out->factor[at] = factor;
        }
    return RG_OK;
}

void rg_rows_places_clear(rg_context *ctx, rg_rows_places *places)
{
    rg_free(ctx, places->start);
    rg_free(ctx, places->combination);
    rg_free(ctx, places->factor);
    *places = (rg_rows_places){0};
}
