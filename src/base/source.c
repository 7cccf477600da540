/* A model text and the places in it. */
#include "base/context.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Line k+1 starts at byte line_start[k]. */
static rg_status find_lines(rg_context *ctx, rg_source *s)
{
    int32_t n = 1;
    for (int32_t k = 0; k < s->length; k++)
        n += s->text[k] == '\n';
    s->line_start = rg_alloc(ctx, (size_t)n, sizeof *s->line_start);
    if (s->line_start == NULL) return RG_ERR_MEMORY;
    s->n_lines = n;
    n = 1;
    for (int32_t k = 0; k < s->length; k++)
        if (s->text[k] == '\n') s->line_start[n++] = k + 1;
    return RG_OK;
}

/* Takes `text` (also on failure), which has a zero byte behind its `length` bytes. */
static rg_status create(rg_context *ctx, const char *name, char *text, int64_t length,
                        rg_source **out)
{
    rg_source *s = rg_alloc(ctx, 1, sizeof *s);
    if (s == NULL) {
        rg_free(ctx, text);
        return RG_ERR_MEMORY;
    }
    s->text = text;
    s->length = (int32_t)length;
    s->name = rg_copy_text(ctx, name, strlen(name));
    rg_status status = s->name != NULL ? find_lines(ctx, s) : RG_ERR_MEMORY;
    if (status != RG_OK) rg_source_destroy(ctx, &s);
    *out = s;
    return status;
}

static rg_status fail_limit(rg_context *ctx, const char *name, int64_t limit)
{
    rg_fail(ctx, RG_ERR_IO, "'%s' is longer than %lld bytes", name, (long long)limit);
    return rg_remedy(ctx, limit == RG_SOURCE_LIMIT
                              ? "write repeated equations as arrays and 'for' blocks"
                              : "split the table");
}

static rg_status fail_read(rg_context *ctx, const char *path, int code)
{
    char reason[128];
    if (strerror_r(code, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "%d", code);
    rg_fail(ctx, RG_ERR_IO, "cannot read '%s': %s", path, reason);
    return rg_remedy(ctx, "check the name of the file and that it may be read");
}

/* Reads to the end; *text is the caller's, on failure too. */
static rg_status read_all(rg_context *ctx, const char *path, FILE *from, int64_t limit, char **text,
                          int64_t *length)
{
    enum { FIRST = 1 << 14 };
    int64_t room = 0;

    *length = 0;
    for (;;) {
        const int64_t wanted = room > 0 ? 2 * room : FIRST;
        char *moved = rg_resize(ctx, *text, (size_t)wanted, 1);
        if (moved == NULL) return RG_ERR_MEMORY;
        *text = moved;
        room = wanted;
        errno = 0;
        *length += (int64_t)fread(moved + *length, 1, (size_t)(room - 1 - *length), from);
        if (ferror(from)) return fail_read(ctx, path, errno != 0 ? errno : EIO);
        if (*length > limit) return fail_limit(ctx, path, limit);
        if (feof(from)) break;
    }
    (*text)[*length] = '\0';
    return RG_OK;
}

/* A byte order mark is no part of the text. */
static void drop_mark(char *text, int64_t *length)
{
    if (*length < 3 || memcmp(text, "\xEF\xBB\xBF", 3) != 0) return;
    *length -= 3;
    memmove(text, text + 3, (size_t)*length + 1);
}

/* Children of the caller, started meanwhile, do not inherit it. */
static FILE *open_file(const char *path)
{
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;

    if (file == NULL && descriptor >= 0) close(descriptor);
    return file;
}

static rg_status read_file(rg_context *ctx, const char *path, int64_t limit, rg_source **out)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    char *text = NULL;
    int64_t length;

    *out = NULL;
    FILE *from = is_stdin ? stdin : open_file(path);
    if (from == NULL) return fail_read(ctx, path, errno);
    rg_note_input(ctx, from);
    const rg_status status = read_all(ctx, path, from, limit, &text, &length);
    if (!is_stdin) fclose(from);
    if (status != RG_OK) {
        rg_free(ctx, text);
        return status;
    }
    drop_mark(text, &length);
    return create(ctx, path, text, length, out);
}

rg_status rg_source_read(rg_context *ctx, const char *path, rg_source **out)
{
    return read_file(ctx, path, RG_SOURCE_LIMIT, out);
}

rg_status rg_source_read_table(rg_context *ctx, const char *path, rg_source **out)
{
    return read_file(ctx, path, INT32_MAX - 1, out);
}

rg_status rg_source_from_text(rg_context *ctx, const char *name, const char *text, rg_source **out)
{
    const size_t length = strlen(text);

    *out = NULL;
    if (length > RG_SOURCE_LIMIT) return fail_limit(ctx, name, RG_SOURCE_LIMIT);
    char *copy = rg_copy_text(ctx, text, length);
    if (copy == NULL) return RG_ERR_MEMORY;
    int64_t kept = (int64_t)length;
    drop_mark(copy, &kept);
    return create(ctx, name, copy, kept, out);
}

void rg_source_destroy(rg_context *ctx, rg_source **source)
{
    if (source == NULL || *source == NULL) return;
    rg_free(ctx, (*source)->name);
    rg_free(ctx, (*source)->text);
    rg_free(ctx, (*source)->line_start);
    rg_free(ctx, *source);
    *source = NULL;
}
