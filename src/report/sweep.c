/* A sweep as a table for the eye and as JSON. */
#include "report/report.h"
#include "solution/sweep_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 30, MOST_COLUMNS = 8, MOST_FAILURES = 10, WIDTH = 12 };

/* ---- table ----------------------------------------------------------------------------------- */

static void write_number(FILE *to, double value)
{
    if (isfinite(value))
        fprintf(to, "  %*.6g", WIDTH, value);
    else
        fprintf(to, "  %*s", WIDTH, "-");
}

static void write_head(FILE *to, const char *name)
{
    fprintf(to, "  %*s", WIDTH, name);
}

static int64_t shown(int64_t n)
{
    return n < MOST_COLUMNS ? n : MOST_COLUMNS;
}

static void write_rows(const rg_sweep_table *t, FILE *to)
{
    fprintf(to, "%8s", "run");
    for (int64_t i = 0; i < shown(t->n_set); i++)
        write_head(to, t->set_names[i]);
    fprintf(to, "  %-6s", "status");
    write_head(to, "t");
    for (int64_t i = 0; i < shown(t->n_values); i++)
        write_head(to, t->names[i]);
    write_head(to, "estimate");
    putc('\n', to);
    for (int64_t k = 0; k < t->count && k < MOST_ROWS; k++) {
        const rg_sweep_entry *e = &t->entries[k];
        fprintf(to, "%8lld", (long long)e->run);
        for (int64_t i = 0; i < shown(t->n_set); i++)
            write_number(to, rg_sweep_table_set(t, k)[i]);
        fprintf(to, "  %-6s", e->status >= 0 ? "ok" : "failed");
        write_number(to, e->t);
        for (int64_t i = 0; i < shown(t->n_values); i++)
            write_number(to, rg_sweep_table_values(t, k)[i]);
        if (isfinite(e->estimate))
            fprintf(to, "  %*.2g\n", WIDTH, e->estimate);
        else
            fprintf(to, "  %*s\n", WIDTH, "-");
    }
    if (t->count > MOST_ROWS)
        fprintf(to, "     ... and %lld more: --csv FILE or --json has them all\n",
                (long long)(t->count - MOST_ROWS));
}

static void write_statistics(const rg_sweep_table *t, FILE *to)
{
    static const char *const heads[] = {"mean", "std", "min", "max", "q05", "median", "q95"};

    if (t->count - t->failed < 2 || t->n_values == 0) return;
    fprintf(to, "\n%-10s", "over runs");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        write_head(to, heads[i]);
    putc('\n', to);
    for (int64_t i = 0; i < t->n_values && i < RG_TABLE_LIMIT; i++) {
        rg_statistics s;
        if (rg_sweep_table_statistics(t, i, &s) != RG_OK) return;
        fprintf(to, "%-10s", t->names[i]);
        const double numbers[] = {s.mean, s.std, s.min, s.max, s.q05, s.median, s.q95};
        for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++)
            write_number(to, numbers[j]);
        putc('\n', to);
    }
}

static void write_failures(const rg_sweep_table *t, FILE *to)
{
    int64_t told = 0;

    for (int64_t k = 0; k < t->count && told < MOST_FAILURES; k++) {
        const rg_sweep_entry *e = &t->entries[k];
        if (e->status >= 0) continue;
        fprintf(to, "%srun %lld failed: %s\n", told == 0 ? "\n" : "", (long long)e->run,
                e->message != NULL ? e->message : "");
        if (e->remedy != NULL) fprintf(to, "  remedy: %s\n", e->remedy);
        told++;
    }
    if (t->failed > told)
        fprintf(to, "... and %lld more failures\n", (long long)(t->failed - told));
}

void rg_report_sweep(const rg_sweep_table *t, FILE *to)
{
    if (t == NULL || to == NULL) return;
    fprintf(to, "%lld of %lld runs: %lld ok, %lld failed\n\n", (long long)t->count,
            (long long)t->runs, (long long)(t->count - t->failed), (long long)t->failed);
    write_rows(t, to);
    write_statistics(t, to);
    write_failures(t, to);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void write_object(rg_json *j, const char *key, int64_t n, char *const *names,
                         const double *values)
{
    rg_json_key(j, key);
    rg_json_open(j, '{');
    for (int64_t k = 0; k < n; k++) {
        rg_json_key(j, names[k]);
        rg_json_real(j, values[k]);
    }
    rg_json_close(j, '}');
}

static void write_json_row(rg_json *j, const rg_sweep_table *t, int64_t k)
{
    const rg_sweep_entry *e = &t->entries[k];

    rg_json_open(j, '{');
    rg_json_key(j, "run");
    rg_json_integer(j, e->run);
    write_object(j, "set", t->n_set, t->set_names, rg_sweep_table_set(t, k));
    rg_json_key(j, "status");
    rg_json_text(j, e->status >= 0 ? "ok" : "failed");
    rg_json_key(j, "message");
    rg_json_text(j, e->message != NULL ? e->message : "");
    rg_json_key(j, "t");
    rg_json_real(j, e->t);
    if (t->n_omitted > 0) {
        rg_json_key(j, "omitted");
        rg_json_integer(j, t->n_omitted);
    } else {
        write_object(j, "values", t->n_values, t->names, rg_sweep_table_values(t, k));
    }
    rg_json_key(j, "estimate");
    rg_json_real(j, e->estimate);
    rg_json_close(j, '}');
}

static void write_json_statistics(rg_json *j, const rg_sweep_table *t)
{
    static const char *const keys[] = {"mean", "std", "min", "max", "q05", "median", "q95"};
    rg_statistics s;

    rg_json_key(j, "statistics");
    rg_json_open(j, '{');
    for (int64_t k = 0; k < t->n_values; k++) {
        if (rg_sweep_table_statistics(t, k, &s) != RG_OK) break;
        const double numbers[] = {s.mean, s.std, s.min, s.max, s.q05, s.median, s.q95};
        rg_json_key(j, t->names[k]);
        rg_json_open(j, '{');
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            rg_json_key(j, keys[i]);
            rg_json_real(j, numbers[i]);
        }
        rg_json_close(j, '}');
    }
    rg_json_close(j, '}');
}

static void write_json_rows(rg_json *j, const rg_sweep_table *t)
{
    rg_json_key(j, "rows");
    rg_json_open(j, '[');
    for (int64_t k = 0; k < t->count; k++)
        write_json_row(j, t, k);
    rg_json_close(j, ']');
}

void rg_write_sweep_members(rg_json *j, const char *model, const rg_sweep_table *t,
                            const rg_error *error, bool has_rows)
{
    rg_json_key(j, "regula");
    rg_json_text(j, RG_VERSION);
    rg_json_key(j, "model");
    rg_json_text(j, model != NULL ? model : "");
    rg_json_status(j, error);
    if (error == NULL || error->code >= 0) {
        rg_json_key(j, "remedy");
        rg_json_text(j, "");
    }
    rg_json_key(j, "runs");
    rg_json_integer(j, t->runs);
    rg_json_key(j, "ok");
    rg_json_integer(j, t->count - t->failed);
    rg_json_key(j, "failed");
    rg_json_integer(j, t->failed);
    if (has_rows) write_json_rows(j, t);
    write_json_statistics(j, t);
}

void rg_report_sweep_json(const char *model, const rg_sweep_table *t, const rg_error *error,
                          FILE *to)
{
    static const rg_sweep_table none = {.count = 0};
    rg_json j = {to, false};

    if (to == NULL) return;
    rg_json_open(&j, '{');
    rg_write_sweep_members(&j, model, t != NULL ? t : &none, error, true);
    rg_json_close(&j, '}');
    putc('\n', to);
}
