/* Writes CSV.  A file is written under another name and renamed when it is complete. */
#include "solution/csv.h"

#include "solution/number.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct rg_csv {
    rg_context *ctx;
    FILE *file;
    char *path, *part; /* part NULL: written in place */
    bool is_line_start, has_failed;
};

static rg_status fail_open(rg_csv *c)
{
    rg_fail(c->ctx, RG_ERR_IO, "cannot write '%s': %s", c->path, strerror(errno));
    return rg_remedy(c->ctx, "give another file name, or '-' for standard output");
}

static rg_status fail_write(rg_csv *c, int code)
{
    if (c->has_failed) return RG_ERR_IO; /* said already */
    c->has_failed = true;
    if (c->file == stdout)
        rg_fail(c->ctx, RG_ERR_IO, "cannot write standard output: %s", strerror(code));
    else
        rg_fail(c->ctx, RG_ERR_IO, "cannot write '%s': %s", c->path, strerror(code));
    if (c->part != NULL)
        return rg_remedy(c->ctx, "make room and run again; what could be written is in '%s'",
                         c->part);
    return rg_remedy(c->ctx, "make room, or write to another file");
}

/* Only what is a file, or is not there yet, can be replaced as a whole. */
static bool is_replaceable(const char *path)
{
    struct stat info;

    return stat(path, &info) != 0 || S_ISREG(info.st_mode);
}

static rg_status open_file(rg_csv *c)
{
    const size_t length = strlen(c->path);

    if (strcmp(c->path, "-") == 0) {
        c->file = stdout;
        return RG_OK;
    }
    if (is_replaceable(c->path)) {
        c->part = rg_alloc(c->ctx, length + 6, 1);
        if (c->part == NULL) return RG_ERR_MEMORY;
        memcpy(c->part, c->path, length);
        memcpy(c->part + length, ".part", 6);
    }
    c->file = fopen(c->part != NULL ? c->part : c->path, "w");
    return c->file != NULL ? RG_OK : fail_open(c);
}

static void release(rg_csv **csv)
{
    rg_csv *c = *csv;

    rg_free(c->ctx, c->path);
    rg_free(c->ctx, c->part);
    rg_free(c->ctx, c);
    *csv = NULL;
}

rg_status rg_csv_open(rg_context *ctx, const char *path, rg_csv **out)
{
    rg_csv *c = rg_alloc(ctx, 1, sizeof *c);

    *out = NULL;
    if (c == NULL) return RG_ERR_MEMORY;
    c->ctx = ctx;
    c->is_line_start = true;
    c->path = rg_copy_text(ctx, path, strlen(path));
    const rg_status status = c->path == NULL ? RG_ERR_MEMORY : open_file(c);
    if (status != RG_OK) {
        release(&c);
        return status;
    }
    *out = c;
    return RG_OK;
}

static void begin_field(rg_csv *c)
{
    if (c->is_line_start)
        errno = 0; /* from here on it tells what went wrong in this line */
    else
        putc(',', c->file);
    c->is_line_start = false;
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

rg_status rg_csv_end_row(rg_csv *csv)
{
    putc('\n', csv->file);
    csv->is_line_start = true;
    return ferror(csv->file) ? fail_write(csv, errno != 0 ? errno : EIO) : RG_OK;
}

static rg_status finish(rg_csv *c)
{
    errno = 0;
    bool failed = fflush(c->file) != 0 || ferror(c->file);
    if (c->file != stdout && fclose(c->file) != 0) failed = true;
    if (failed) return fail_write(c, errno != 0 ? errno : EIO);
    if (c->part != NULL && rename(c->part, c->path) != 0) return fail_write(c, errno);
    return RG_OK;
}

bool rg_csv_can_rewind(const rg_csv *csv)
{
    return csv->part != NULL;
}

rg_status rg_csv_rewind(rg_csv *csv)
{
    errno = 0;
    if (fseek(csv->file, 0, SEEK_SET) != 0 || ftruncate(fileno(csv->file), 0) != 0)
        return fail_write(csv, errno);
    csv->is_line_start = true;
    return RG_OK;
}

rg_status rg_csv_close(rg_csv **csv)
{
    if (*csv == NULL) return RG_OK;
    const rg_status status = finish(*csv);
    release(csv);
    return status;
}
