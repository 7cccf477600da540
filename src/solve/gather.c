/* Merges the tables of tasks: their lines, sorted by run, every run once. */
#include "base/context.h"
#include "base/text.h"
#include "solve/sweep.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t run;
    const char *text, *end;
    int file;
    int64_t line;
} entry;

typedef struct {
    rg_context *ctx;
    int n_files;
    const char *const *files;
    rg_source **sources;
    int64_t count, capacity;
    entry *entries;
} tables;

static rg_status refuse_line(const tables *t, int file, int64_t line, const char *what)
{
    rg_fail(t->ctx, RG_ERR_ARGUMENT, "%s:%lld: %s", t->files[file], (long long)line, what);
    return rg_remedy(t->ctx, "give the tables that 'regula sweep --task I/N' has written, all of "
                             "one sweep");
}

static size_t line_length(const char *at)
{
    const size_t length = strcspn(at, "\n");

    return length > 0 && at[length - 1] == '\r' ? length - 1 : length;
}

static int count_fields(const char *at, const char *end)
{
    char field[8];
    int count = 0;

    for (; at != NULL; count++)
        at = rg_text_field(at, end, ',', field, sizeof field);
    return count;
}

static rg_status add_line(tables *t, int file, int64_t line, const char *at, int n_fields)
{
    const char *end = at + line_length(at);
    char text[64];
    double run = 0.0;

    rg_text_field(at, end, ',', text, sizeof text);
    if (!rg_parse_real(text, &run) || run < 1 || run > RG_SWEEP_RUNS || run != floor(run))
        return refuse_line(t, file, line, "the first field is no number of a run");
    if (count_fields(at, end) != n_fields)
        return refuse_line(t, file, line, "the line has not as many fields as the header");
    RG_TRY(rg_grow(t->ctx, &t->entries, t->count, &t->capacity, sizeof *t->entries));
    t->entries[t->count++] = (entry){(int64_t)run, at, end, file, line};
    return RG_OK;
}

static rg_status read_table(tables *t, int file)
{
    RG_TRY(rg_source_read_table(t->ctx, t->files[file], &t->sources[file]));
    const char *at = t->sources[file]->text, *first = t->sources[0]->text;
    const size_t length = line_length(at);

    if (strncmp(at, "run,", 4) != 0) return refuse_line(t, file, 1, "this is no table of a sweep");
    if (length != line_length(first) || memcmp(at, first, length) != 0)
        return refuse_line(t, file, 1, "other columns than in the first table");
    const int n_fields = count_fields(at, at + length);
    for (int64_t line = 2; (at = strchr(at, '\n')) != NULL && at[1] != '\0'; line++) {
        at++;
        if (strchr(at, '\n') == NULL) return refuse_line(t, file, line, "the last line is cut off");
        RG_TRY(add_line(t, file, line, at, n_fields));
    }
    return RG_OK;
}

static int compare_runs(const void *a, const void *b)
{
    const entry *x = a, *y = b;

    if (x->run != y->run) return x->run < y->run ? -1 : 1;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static rg_status refuse_missing(const tables *t, int64_t run, int64_t missing)
{
    if (missing == 1)
        rg_fail(t->ctx, RG_ERR_ARGUMENT, "run %lld is missing", (long long)run);
    else
        rg_fail(t->ctx, RG_ERR_ARGUMENT, "%lld runs are missing, the first one is run %lld",
                (long long)missing, (long long)run);
    return rg_remedy(t->ctx, "give the tables of all tasks; 'regula sweep --resume' with the same "
                             "--task completes one");
}

static rg_status check_runs(const tables *t, int64_t runs, bool is_whole)
{
    const int64_t last = t->count > 0 ? t->entries[t->count - 1].run : 0;
    int64_t first_missing = 0;

    for (int64_t k = 1; k < t->count; k++) {
        const entry *a = &t->entries[k - 1], *b = &t->entries[k];
        if (a->run != b->run) continue;
        rg_fail(t->ctx, RG_ERR_ARGUMENT, "run %lld is there twice: %s:%lld and %s:%lld",
                (long long)a->run, t->files[a->file], (long long)a->line, t->files[b->file],
                (long long)b->line);
        return rg_remedy(t->ctx, "give the table of each task once");
    }
    if (!is_whole) return RG_OK;
    if (runs > 0 && last > runs) {
        rg_fail(t->ctx, RG_ERR_ARGUMENT, "there is a run %lld, and --runs says %lld",
                (long long)last, (long long)runs);
        return rg_remedy(t->ctx, "give the number of runs of the sweep");
    }
    const int64_t wanted = runs > 0 ? runs : last;
    for (int64_t k = 0; k < t->count && first_missing == 0; k++)
        if (t->entries[k].run != k + 1) first_missing = k + 1;
    if (first_missing == 0) first_missing = t->count + 1;
    return t->count == wanted ? RG_OK : refuse_missing(t, first_missing, wanted - t->count);
}

static rg_status write_all(const tables *t, const char *csv)
{
    rg_output *output = NULL;
    const char *header = t->sources[0]->text;

    RG_TRY(rg_output_open(t->ctx, csv, &output));
    FILE *to = rg_output_file(output);
    fwrite(header, 1, line_length(header), to);
    putc('\n', to);
    for (int64_t k = 0; k < t->count; k++) {
        fwrite(t->entries[k].text, 1, (size_t)(t->entries[k].end - t->entries[k].text), to);
        putc('\n', to);
    }
    const rg_status status = rg_output_check(output);
    const rg_status closed = rg_output_close(&output, status == RG_OK);
    return status != RG_OK ? status : closed;
}

rg_status rg_gather(rg_context *ctx, int n_files, const char *const *files, int64_t runs,
                    bool is_whole, const char *csv)
{
    tables t = {.ctx = ctx, .n_files = n_files, .files = files};
    rg_status status = RG_OK;

    t.sources = rg_alloc(ctx, (size_t)n_files + 1, sizeof *t.sources);
    if (t.sources == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < n_files && status == RG_OK; k++)
        status = read_table(&t, k);
    if (status == RG_OK && t.count > 0)
        qsort(t.entries, (size_t)t.count, sizeof *t.entries, compare_runs);
    if (status == RG_OK) status = check_runs(&t, runs, is_whole);
    if (status == RG_OK) status = write_all(&t, csv);
    for (int k = 0; k < n_files; k++)
        rg_source_destroy(ctx, &t.sources[k]);
    rg_free(ctx, t.sources);
    rg_free(ctx, t.entries);
    return status;
}

rg_status rg_sweep_gather(rg_context *ctx, int n_files, const char *const *files, int64_t runs,
                          const char *csv)
{
    if (ctx == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(ctx);
    if (n_files <= 0 || files == NULL || csv == NULL) {
        rg_fail(ctx, RG_ERR_ARGUMENT,
                "there are no tables to be merged, or no file for the result");
        return rg_remedy(ctx,
                         "name the tables, and the file: regula gather part*.csv --csv all.csv");
    }
    return rg_gather(ctx, n_files, files, runs, true, csv);
}
