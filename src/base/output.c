/* Files that appear as a whole, and texts in memory. */
#include "base/output.h"

#include "base/context.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct rg_output {
    rg_context *ctx;
    FILE *file;
    char *path, *part; /* part NULL: written in place */
    bool has_failed;
};

static rg_status fail_open(const rg_output *o)
{
    rg_fail(o->ctx, RG_ERR_IO, "cannot write '%s': %s", o->path, strerror(errno));
    return rg_remedy(o->ctx, "give another file name, or '-' for standard output");
}

static rg_status fail_write(rg_output *o, int code)
{
    if (o->has_failed) return RG_ERR_IO; /* said already */
    o->has_failed = true;
    if (o->file == stdout)
        rg_fail(o->ctx, RG_ERR_IO, "cannot write standard output: %s", strerror(code));
    else
        rg_fail(o->ctx, RG_ERR_IO, "cannot write '%s': %s", o->path, strerror(code));
    if (o->part != NULL)
        return rg_remedy(o->ctx, "make room and run again; what could be written is in '%s'",
                         o->part);
    return rg_remedy(o->ctx, "make room, or write to another file");
}

/* Only what is a file, or is not there yet, can be replaced as a whole. */
static bool is_replaceable(const char *path)
{
    struct stat info;

    return stat(path, &info) != 0 || S_ISREG(info.st_mode);
}

static rg_status open_file(rg_output *o)
{
    const size_t length = strlen(o->path);

    if (strcmp(o->path, "-") == 0) {
        o->file = stdout;
        return RG_OK;
    }
    if (is_replaceable(o->path)) {
        o->part = rg_alloc(o->ctx, length + 6, 1);
        if (o->part == NULL) return RG_ERR_MEMORY;
        memcpy(o->part, o->path, length);
        memcpy(o->part + length, ".part", 6);
    }
    o->file = fopen(o->part != NULL ? o->part : o->path, "w");
    return o->file != NULL ? RG_OK : fail_open(o);
}

static void release(rg_output **output)
{
    rg_output *o = *output;

    rg_free(o->ctx, o->path);
    rg_free(o->ctx, o->part);
    rg_free(o->ctx, o);
    *output = NULL;
}

rg_status rg_output_open(rg_context *ctx, const char *path, rg_output **out)
{
    rg_output *o = rg_alloc(ctx, 1, sizeof *o);

    *out = NULL;
    if (o == NULL) return RG_ERR_MEMORY;
    o->ctx = ctx;
    o->path = rg_copy_text(ctx, path, strlen(path));
    const rg_status status = o->path == NULL ? RG_ERR_MEMORY : open_file(o);
    if (status != RG_OK) {
        release(&o);
        return status;
    }
    *out = o;
    errno = 0; /* from here on it tells what went wrong */
    return RG_OK;
}

FILE *rg_output_file(rg_output *o)
{
    return o->file;
}

rg_status rg_output_check(rg_output *o)
{
    return ferror(o->file) ? fail_write(o, errno != 0 ? errno : EIO) : RG_OK;
}

bool rg_output_can_rewind(const rg_output *o)
{
    return o->part != NULL;
}

rg_status rg_output_rewind(rg_output *o)
{
    errno = 0;
    if (fseek(o->file, 0, SEEK_SET) != 0 || ftruncate(fileno(o->file), 0) != 0)
        return fail_write(o, errno);
    return RG_OK;
}

/* A file that is not complete keeps the name PATH.part, and the failure behind that says so. */
static rg_status leave(const rg_output *o, bool is_empty)
{
    rg_error *error = &o->ctx->errors[0];
    const size_t used = strlen(error->remedy);

    if (o->part == NULL) return RG_OK;
    if (is_empty) {
        remove(o->part);
        return RG_OK;
    }
    if (error->code < 0 && !o->has_failed)
        snprintf(error->remedy + used, sizeof error->remedy - used,
                 " (the rows so far are in '%s')", o->part);
    return RG_OK;
}

static rg_status finish(rg_output *o, bool is_complete)
{
    errno = 0;
    bool has_failed = fflush(o->file) != 0 || ferror(o->file);
    const bool is_empty = o->part != NULL && ftell(o->file) == 0;
    if (o->file != stdout && fclose(o->file) != 0) has_failed = true;
    if (has_failed) return fail_write(o, errno != 0 ? errno : EIO);
    if (!is_complete) return leave(o, is_empty);
    return o->part == NULL || rename(o->part, o->path) == 0 ? RG_OK : fail_write(o, errno);
}

rg_status rg_output_close(rg_output **o, bool is_complete)
{
    if (*o == NULL) return RG_OK;
    const rg_status status = finish(*o, is_complete);
    release(o);
    return status;
}

rg_status rg_output_text(rg_context *ctx, void (*write)(FILE *to, const void *user),
                         const void *user, char **out)
{
    size_t size = 0;
    FILE *file = open_memstream(out, &size);

    if (file != NULL) {
        write(file, user);
        const bool is_written = !ferror(file);
        if (fclose(file) == 0 && is_written) return RG_OK;
        free(*out);
    }
    *out = NULL;
    rg_fail(ctx, RG_ERR_MEMORY, "out of memory for a text");
    return ctx != NULL ? rg_remedy(ctx, "free memory, or write to a file") : RG_ERR_MEMORY;
}

void rg_free_text(char **text)
{
    if (text == NULL) return;
    free(*text);
    *text = NULL;
}
