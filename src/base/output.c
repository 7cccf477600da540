/* Files that appear as a whole, and texts in memory. */
#include "base/output_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

rg_status rg_output_fail_open(const rg_output *o)
{
    rg_fail(o->ctx, RG_ERR_IO, "cannot write '%s': %s", o->path, strerror(errno));
    return rg_remedy(o->ctx, "give another file name, or '-' for standard output");
}

rg_status rg_output_fail_name(const rg_output *o, const char *what)
{
    rg_fail(o->ctx, RG_ERR_ARGUMENT, "cannot write '%s': %s", o->path, what);
    return rg_remedy(o->ctx, "give another file name, or '-' for standard output");
}

rg_status rg_output_fail_write(rg_output *o, int code)
{
    if (o->has_failed) return RG_ERR_IO; /* said already */
    o->has_failed = true;
    if (strcmp(o->path, "-") == 0) {
        rg_fail(o->ctx, RG_ERR_IO, "cannot write standard output: %s", strerror(code));
        if (code == EBADF) return rg_remedy(o->ctx, "it is closed: write to a file");
    } else {
        rg_fail(o->ctx, RG_ERR_IO, "cannot write '%s': %s", o->path, strerror(code));
    }
    if (o->part != NULL)
        return rg_remedy(o->ctx, "make room and run again; what could be written is in '%s'",
                         o->part);
    return rg_remedy(o->ctx, "make room, or write to another file");
}

/* ---- names ----------------------------------------------------------------------------------- */

/* text with `more` behind it, by rg_alloc(). */
static char *join(rg_context *ctx, const char *text, size_t length, const char *more)
{
    const size_t rest = strlen(more);
    char *joined = rg_alloc(ctx, length + rest + 1, 1);

    if (joined == NULL) return NULL;
    memcpy(joined, text, length);
    memcpy(joined + length, more, rest + 1);
    return joined;
}

/* The file that a link names, which need not be there yet; the path itself where there is no link
 * (or too many). */
static char *behind_links(rg_context *ctx, const char *path)
{
    enum { LINKS = 16 };
    char *here = join(ctx, path, strlen(path), "");
    char to[4096];

    for (int k = 0; here != NULL && k < LINKS; k++) {
        const ssize_t length = readlink(here, to, sizeof to - 1);
        if (length <= 0) break;
        to[length] = '\0';
        const char *slash = to[0] != '/' ? strrchr(here, '/') : NULL;
        char *next = join(ctx, here, slash != NULL ? (size_t)(slash - here) + 1 : 0, to);
        rg_free(ctx, here);
        here = next;
    }
    return here;
}

/* A name of this run's own beside the target.  The mode is that of the old file from the first byte
 * on; without one it is left to the process. */
static rg_status open_private(rg_output *o)
{
    enum { TRIES = 1000 };
    char ending[48];
    int descriptor = -1;

    for (int k = 0; descriptor < 0 && k < TRIES; k++) {
        snprintf(ending, sizeof ending, ".part-%ld-%d", (long)getpid(), k);
        rg_free(o->ctx, o->private_name);
        o->private_name = join(o->ctx, o->target, strlen(o->target), ending);
        if (o->private_name == NULL) return RG_ERR_MEMORY;
        descriptor = open(o->private_name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                          o->has_old ? 0600 : 0666);
        if (descriptor < 0 && errno != EEXIST) break;
    }
    if (descriptor >= 0) o->file = fdopen(descriptor, "w+");
    if (o->file != NULL) return RG_OK;
    const int code = errno;
    if (descriptor >= 0) {
        close(descriptor);
        remove(o->private_name);
    }
    errno = code;
    return rg_output_fail_open(o);
}

bool rg_output_is_silent;

static rg_status open_file(rg_output *o)
{
    struct stat info;

    if (rg_output_is_silent) {
        o->file = fopen("/dev/null", "w");
        return o->file != NULL ? RG_OK : rg_output_fail_open(o);
    }
    if (strcmp(o->path, "-") == 0) {
        o->file = tmpfile();
        o->is_held = o->file != NULL;
        if (!o->is_held) o->file = stdout;
        return RG_OK;
    }
    if (o->path[0] == '\0') return rg_output_fail_name(o, "the name is empty");
    o->target = behind_links(o->ctx, o->path);
    if (o->target == NULL) return RG_ERR_MEMORY;
    if (rg_is_input(o->ctx, o->target))
        return rg_output_fail_name(o, "it was read for this very run");
    o->has_old = stat(o->target, &info) == 0;
    if (o->has_old && !S_ISREG(info.st_mode)) { /* a device, a pipe: nothing to be replaced */
        const int descriptor = open(o->target, O_WRONLY | O_CLOEXEC);
        o->file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
        return o->file != NULL ? RG_OK : rg_output_fail_open(o);
    }
    o->old_mode = o->has_old ? info.st_mode & 07777 : 0;
    if (o->has_old && access(o->target, W_OK) != 0) return rg_output_fail_open(o);
    o->part = join(o->ctx, o->target, strlen(o->target), ".part");
    return o->part != NULL ? open_private(o) : RG_ERR_MEMORY;
}

static void release(rg_output **output)
{
    rg_output *o = *output;

    rg_free(o->ctx, o->path);
    rg_free(o->ctx, o->target);
    rg_free(o->ctx, o->private_name);
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
    rg_leaving_hold(ctx);
    o->path = rg_copy_text(ctx, path, strlen(path));
    const rg_status status = o->path == NULL ? RG_ERR_MEMORY : open_file(o);
    if (status == RG_OK)
        rg_leaving_add(ctx, &o->leaving, rg_output_leave, o);
    else
        release(&o);
    rg_leaving_release(ctx);
    if (status != RG_OK) return status;
    *out = o;
    errno = 0; /* from here on it tells what went wrong */
    return RG_OK;
}

FILE *rg_output_file(rg_output *o)
{
    return o->file;
}

const char *rg_output_place(const rg_output *o)
{
    return o->private_name != NULL ? o->private_name : o->target;
}

rg_status rg_output_was_written(rg_output *o, int code)
{
    if (o->part != NULL) (void)fseek(o->file, 0, SEEK_END); /* it is not empty */
    return code != 0 ? rg_output_fail_write(o, code) : RG_OK;
}

rg_status rg_output_check(rg_output *o)
{
    return ferror(o->file) ? rg_output_fail_write(o, errno != 0 ? errno : EIO) : RG_OK;
}

bool rg_output_can_rewind(const rg_output *o)
{
    return o->part != NULL || o->is_held;
}

rg_status rg_output_rewind(rg_output *o)
{
    rg_leaving_hold(o->ctx);
    errno = 0;
    o->marked = 0;
    const bool is_done = fseek(o->file, 0, SEEK_SET) == 0 && ftruncate(fileno(o->file), 0) == 0;
    rg_leaving_release(o->ctx);
    return is_done ? RG_OK : rg_output_fail_write(o, errno);
}

/* What is not complete is left as PATH.part; where that is a file that was read, or something that
 * cannot be replaced, under the name it has. */
static void move_to_part(rg_output *o)
{
    if (o->has_old && chmod(o->private_name, o->old_mode) != 0) return;
    if (o->is_shown) return;
    if (!rg_is_input(o->ctx, o->part) && rename(o->private_name, o->part) == 0) return;
    rg_free(o->ctx, o->part);
    o->part = o->private_name;
    o->private_name = NULL;
}

/* The failure behind a file that is not complete says where its rows are. */
static void tell_part(const rg_output *o)
{
    rg_error *error = &o->ctx->errors[0];
    const size_t used = strlen(error->remedy);

    if (error->code < 0 && !o->has_failed)
        snprintf(error->remedy + used, sizeof error->remedy - used,
                 " (the rows so far are in '%s')", o->part);
}

/* The rows of an earlier run that failed are out of date. */
static void remove_old_part(const rg_output *o)
{
    struct stat info;

    if (lstat(o->part, &info) == 0 && S_ISREG(info.st_mode) && !rg_is_input(o->ctx, o->part))
        remove(o->part);
}

static rg_status leave(rg_output *o, bool is_empty)
{
    if (o->part == NULL) return RG_OK;
    if (is_empty) {
        remove(o->private_name);
        remove_old_part(o);
        return RG_OK;
    }
    move_to_part(o);
    tell_part(o);
    return RG_OK;
}

/* The whole file takes its name, and the mode of the one before it. */
static bool publish(const rg_output *o)
{
    if (o->part == NULL) return true;
    if (o->has_old && chmod(o->private_name, o->old_mode) != 0) return false;
    if (rename(o->private_name, o->target) != 0) return false;
    if (!o->is_shown) remove_old_part(o);
    return true;
}

static rg_status finish(rg_output *o, bool is_complete)
{
    errno = 0;
    bool has_failed = fflush(o->file) != 0 || ferror(o->file);
    const bool is_empty = o->part != NULL && ftell(o->file) == 0;
    if (o->is_held && !rg_output_pass_on(o)) has_failed = true;
    const int cause = errno;
    if (o->is_shown && is_complete && !has_failed) { /* the lock goes after the name */
        has_failed = !rg_output_is_at(fileno(o->file), o->part) || !publish(o);
        fclose(o->file);
        return has_failed ? rg_output_fail_write(o, errno != 0 ? errno : EIO) : RG_OK;
    }
    if (o->file != stdout && fclose(o->file) != 0) has_failed = true;
    if (!has_failed && !is_complete) return leave(o, is_empty);
    if (!has_failed && publish(o)) return RG_OK;
    const int code = errno != 0 ? errno : cause != 0 ? cause : EIO;
    if (o->part != NULL) move_to_part(o);
    return rg_output_fail_write(o, code);
}

rg_status rg_output_close(rg_output **o, bool is_complete)
{
    rg_output *closed = *o;

    if (closed == NULL) return RG_OK;
    rg_context *ctx = closed->ctx;
    rg_leaving_hold(ctx);
    rg_leaving_remove(ctx, &closed->leaving);
    const rg_status status = finish(closed, is_complete);
    release(o);
    rg_leaving_release(ctx);
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
