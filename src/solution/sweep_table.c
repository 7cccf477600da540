/* Keeps the rows of a sweep, and their statistics. */
#include "solution/sweep_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_LIMIT = 1000 }; /* in a row; as in the JSON of a single run */

rg_status rg_sweep_table_create(rg_context *ctx, rg_sweep_table **out)
{
    if (out == NULL) return RG_ERR_ARGUMENT;
    *out = NULL;
    if (ctx == NULL) return RG_ERR_ARGUMENT;
    *out = rg_alloc(ctx, 1, sizeof **out);
    if (*out == NULL) return RG_ERR_MEMORY;
    (*out)->ctx = ctx;
    return RG_OK;
}

static void destroy_names(rg_context *ctx, char **names, int64_t n)
{
    for (int64_t k = 0; names != NULL && k < n; k++)
        rg_free(ctx, names[k]);
    rg_free(ctx, names);
}

void rg_sweep_table_destroy(rg_sweep_table **table)
{
    rg_sweep_table *t = table == NULL ? NULL : *table;

    if (t == NULL) return;
    for (int64_t k = 0; k < t->count; k++) {
        rg_free(t->ctx, t->entries[k].message);
        rg_free(t->ctx, t->entries[k].remedy);
    }
    destroy_names(t->ctx, t->set_names, t->n_set);
    destroy_names(t->ctx, t->names, t->n_values);
    rg_free(t->ctx, t->entries);
    rg_free(t->ctx, t->numbers);
    rg_free(t->ctx, t);
    *table = NULL;
}

static rg_status copy_names(rg_context *ctx, int64_t n, const char *const *from, char ***out)
{
    *out = rg_alloc(ctx, (size_t)n + 1, sizeof **out);
    if (*out == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < n; k++) {
        (*out)[k] = rg_copy_text(ctx, from[k], strlen(from[k]));
        if ((*out)[k] == NULL) return RG_ERR_MEMORY;
    }
    return RG_OK;
}

static rg_status take_names(rg_sweep_table *t, const rg_sweep_row *row)
{
    const bool is_long = row->n_values > VALUES_LIMIT;

    t->n_set = row->n_set;
    t->n_values = is_long ? 0 : row->n_values;
    t->n_omitted = is_long ? row->n_values : 0;
    t->runs = row->runs;
    RG_TRY(copy_names(t->ctx, t->n_set, row->set_names, &t->set_names));
    return copy_names(t->ctx, t->n_values, row->names, &t->names);
}

static rg_status room_for_numbers(rg_sweep_table *t)
{
    const int64_t each = t->n_set + t->n_values;

    if ((t->count + 1) * each <= t->number_capacity) return RG_OK;
    const int64_t capacity = 2 * t->number_capacity + 64 * (each + 1);
    double *grown = rg_resize(t->ctx, t->numbers, (size_t)capacity, sizeof *grown);
    if (grown == NULL) return RG_ERR_MEMORY;
    t->numbers = grown;
    t->number_capacity = capacity;
    return RG_OK;
}

static rg_status copy_message(rg_sweep_table *t, const char *from, char **to)
{
    if (from == NULL || from[0] == '\0') return RG_OK;
    *to = rg_copy_text(t->ctx, from, strlen(from));
    return *to != NULL ? RG_OK : RG_ERR_MEMORY;
}

static rg_status take(rg_sweep_table *t, const rg_sweep_row *row)
{
    if (t->set_names == NULL) RG_TRY(take_names(t, row));
    RG_TRY(rg_grow(t->ctx, &t->entries, t->count, &t->capacity, sizeof *t->entries));
    RG_TRY(room_for_numbers(t));
    double *to = t->numbers + t->count * (t->n_set + t->n_values);
    if (t->n_set > 0) memcpy(to, row->set, (size_t)t->n_set * sizeof *to);
    if (t->n_values > 0) memcpy(to + t->n_set, row->values, (size_t)t->n_values * sizeof *to);
    rg_sweep_entry *e = &t->entries[t->count++];
    *e = (rg_sweep_entry){
        .run = row->run, .status = row->status, .t = row->t, .estimate = row->estimate};
    t->failed += row->status < 0;
    RG_TRY(copy_message(t, row->message, &e->message));
    return copy_message(t, row->remedy, &e->remedy);
}

int rg_sweep_table_take(const rg_sweep_row *row, void *table)
{
    return row == NULL || table == NULL || take(table, row) != RG_OK;
}

int64_t rg_sweep_table_count(const rg_sweep_table *t)
{
    return t != NULL ? t->count : 0;
}

int64_t rg_sweep_table_failed(const rg_sweep_table *t)
{
    return t != NULL ? t->failed : 0;
}

const double *rg_sweep_table_set(const rg_sweep_table *t, int64_t k)
{
    return t->numbers + k * (t->n_set + t->n_values);
}

const double *rg_sweep_table_values(const rg_sweep_table *t, int64_t k)
{
    return rg_sweep_table_set(t, k) + t->n_set;
}

rg_status rg_sweep_table_row(const rg_sweep_table *t, int64_t k, rg_sweep_row *out)
{
    if (t == NULL || out == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(t->ctx);
    if (k < 0 || k >= t->count) {
        rg_fail(t->ctx, RG_ERR_ARGUMENT, "there is no row %lld: there are %lld", (long long)k,
                (long long)t->count);
        return rg_remedy(t->ctx, "ask rg_sweep_table_count() how many there are");
    }
    const rg_sweep_entry *e = &t->entries[k];
    *out = (rg_sweep_row){.run = e->run,
                          .runs = t->runs,
                          .n_set = t->n_set,
                          .set_names = (const char *const *)t->set_names,
                          .set = rg_sweep_table_set(t, k),
                          .status = e->status,
                          .message = e->message != NULL ? e->message : "",
                          .remedy = e->remedy != NULL ? e->remedy : "",
                          .t = e->t,
                          .n_values = t->n_values,
                          .names = (const char *const *)t->names,
                          .values = rg_sweep_table_values(t, k),
                          .estimate = e->estimate};
    return RG_OK;
}

/* ---- statistics ------------------------------------------------------------------------------ */

static int compare_up(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* x_(1) <= ... <= x_(n): linear between them at  1 + q (n - 1). */
static double quantile(const double *sorted, int64_t n, double q)
{
    const double place = q * (double)(n - 1);
    const int64_t low = (int64_t)place;
    const double part = place - (double)low;

    return low + 1 < n ? sorted[low] + part * (sorted[low + 1] - sorted[low]) : sorted[n - 1];
}

/* mean = sum x / n,  std^2 = sum (x - mean)^2 / (n - 1). */
static void summarize(double *x, int64_t n, rg_statistics *out)
{
    double sum = 0.0, squares = 0.0;

    qsort(x, (size_t)n, sizeof *x, compare_up);
    for (int64_t k = 0; k < n; k++)
        sum += x[k];
    out->mean = sum / (double)n;
    for (int64_t k = 0; k < n; k++)
        squares += (x[k] - out->mean) * (x[k] - out->mean);
    out->std = n > 1 ? sqrt(squares / (double)(n - 1)) : NAN;
    out->min = x[0];
    out->max = x[n - 1];
    out->q05 = quantile(x, n, 0.05);
    out->median = quantile(x, n, 0.5);
    out->q95 = quantile(x, n, 0.95);
}

rg_status rg_sweep_table_statistics(const rg_sweep_table *t, int64_t value, rg_statistics *out)
{
    double *x = rg_alloc(t->ctx, (size_t)t->count + 1, sizeof *x);
    int64_t n = 0;

    *out = (rg_statistics){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (x == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < t->count; k++) {
        const double v = rg_sweep_table_values(t, k)[value];
        if (t->entries[k].status >= 0 && isfinite(v)) x[n++] = v;
    }
    if (n > 0) summarize(x, n, out);
    rg_free(t->ctx, x);
    return RG_OK;
}
