/* Fields and rows of a CSV file. */
#include "solution/csv.h"

#include "solution/number.h"

#include <errno.h>
#include <string.h>

struct rg_csv {
    rg_context *ctx;
    rg_output *output;
    FILE *file;
    bool is_line_start, is_shown, is_locked; /* locked: a row is being written */
};

/* Takes *output. */
static rg_status wrap(rg_context *ctx, rg_output **output, rg_csv **out)
{
    rg_csv *c = *out = rg_alloc(ctx, 1, sizeof *c);

    if (c == NULL) {
        rg_output_close(output, false);
        return RG_ERR_MEMORY;
    }
    c->ctx = ctx;
    c->is_line_start = true;
    c->output = *output;
    c->file = rg_output_file(c->output);
    *output = NULL;
    return RG_OK;
}

rg_status rg_csv_open(rg_context *ctx, const char *path, rg_csv **out)
{
    rg_output *output;

    *out = NULL;
    RG_TRY(rg_output_open(ctx, path, &output));
    return wrap(ctx, &output, out);
}

rg_status rg_csv_resume(rg_context *ctx, const char *path, int64_t size, uint64_t hash,
                        rg_csv **out)
{
    rg_output *output = NULL;

    *out = NULL;
    RG_TRY(rg_output_resume(ctx, path, size, hash, &output));
    RG_TRY(wrap(ctx, &output, out));
    (*out)->is_shown = true;
    return RG_OK;
}

rg_status rg_csv_mark(rg_csv *csv, int64_t *size, uint64_t *hash)
{
    return rg_output_mark(csv->output, size, hash);
}

static void begin_field(rg_csv *c)
{
    if (c->is_line_start) {
        errno = 0; /* from here on it tells what went wrong in this line */
        if (!c->is_locked) flockfile(c->file);
        c->is_locked = true;
    } else {
        putc(',', c->file);
    }
    c->is_line_start = false;
}

static void unlock(rg_csv *c)
{
    if (c->is_locked) funlockfile(c->file);
    c->is_locked = false;
}

void rg_csv_text(rg_csv *csv, const char *text)
{
    begin_field(csv);
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, csv->file);
        return;
    }
    putc('"', csv->file);
    for (; *text != '\0'; text++) {
        if (*text == '"') putc('"', csv->file);
        putc(*text, csv->file);
    }
    putc('"', csv->file);
}

void rg_csv_real(rg_csv *csv, double value)
{
    char buffer[40];

    begin_field(csv);
    fputs(rg_data_text(value, buffer), csv->file);
}

void rg_csv_integer(rg_csv *csv, int64_t value)
{
    begin_field(csv);
    fprintf(csv->file, "%lld", (long long)value);
}

rg_status rg_csv_end_row(rg_csv *csv)
{
    putc('\n', csv->file);
    csv->is_line_start = true;
    unlock(csv);
    RG_TRY(rg_output_check(csv->output));
    return csv->is_shown ? rg_output_flush(csv->output) : RG_OK;
}

rg_status rg_csv_show(rg_csv *csv)
{
    csv->is_shown = true;
    return rg_output_show(csv->output);
}

bool rg_csv_can_rewind(const rg_csv *csv)
{
    return rg_output_can_rewind(csv->output);
}

rg_status rg_csv_rewind(rg_csv *csv)
{
    csv->is_line_start = true;
    return rg_output_rewind(csv->output);
}

rg_status rg_csv_close(rg_csv **csv, bool is_complete)
{
    rg_csv *c = *csv;

    if (c == NULL) return RG_OK;
    unlock(c);
    const rg_status status = rg_output_close(&c->output, is_complete);
    rg_free(c->ctx, c);
    *csv = NULL;
    return status;
}
