/* A file that a later run may go on with: PATH.part under its name while it is written, with a lock
 * that ends with its process. */
#define _GNU_SOURCE /* memrchr() */
#include "base/output_impl.h"
#include "base/store.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static rg_status refuse_second(const rg_output *o)
{
    rg_fail(o->ctx, RG_ERR_ARGUMENT, "another run is writing '%s'", o->path);
    return rg_remedy(o->ctx, "wait for it, or give another file name");
}

bool rg_output_is_at(int descriptor, const char *path)
{
    struct stat a, b;

    return fstat(descriptor, &a) == 0 && lstat(path, &b) == 0 && a.st_dev == b.st_dev
           && a.st_ino == b.st_ino;
}

/* PATH.part of an earlier run: ours from now on, unless that run is still there; its lock, an open
 * descriptor, ends with it. */
static rg_status replace_part(rg_output *o, bool *is_done)
{
    const int old = open(o->part, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    rg_status status = RG_OK;

    *is_done = false;
    if (old < 0) return errno == ENOENT ? RG_OK : rg_output_fail_open(o);
    if (flock(old, LOCK_EX | LOCK_NB) != 0) {
        status = refuse_second(o);
    } else if (rg_output_is_at(old, o->part)) { /* else somebody was faster: look again */
        *is_done = rename(o->private_name, o->part) == 0;
        if (!*is_done) status = rg_output_fail_open(o);
    }
    close(old);
    return status;
}

static rg_status show(rg_output *o)
{
    enum { TRIES = 100 };
    bool is_done = false;

    if (fflush(o->file) != 0) return rg_output_fail_write(o, errno);
    if (rg_is_input(o->ctx, o->part))
        return rg_output_fail_name(o, "its '.part' was read for this very run");
    if (o->has_old && fchmod(fileno(o->file), o->old_mode) != 0) return rg_output_fail_open(o);
    if (flock(fileno(o->file), LOCK_EX | LOCK_NB) != 0) return rg_output_fail_open(o);
    for (int k = 0; k < TRIES && !is_done; k++) {
        is_done = link(o->private_name, o->part) == 0; /* never over something else */
        if (is_done)
            remove(o->private_name);
        else if (errno == EEXIST)
            RG_TRY(replace_part(o, &is_done));
        else
            return rg_output_fail_open(o);
    }
    if (!is_done) return refuse_second(o);
    char *name = rg_copy_text(o->ctx, o->part, strlen(o->part));
    if (name == NULL) return RG_ERR_MEMORY;
    rg_free(o->ctx, o->private_name);
    o->private_name = name;
    o->is_shown = true;
    return RG_OK;
}

rg_status rg_output_show(rg_output *o)
{
    if (o->part == NULL) return RG_OK;
    rg_leaving_hold(o->ctx);
    const rg_status status = show(o);
    if (status != RG_OK) {
        remove(o->private_name); /* what is there belongs to another run */
        rg_free(o->ctx, o->part);
        o->part = NULL;
    }
    rg_leaving_release(o->ctx);
    return status;
}

rg_status rg_output_flush(rg_output *o)
{
    errno = 0;
    return fflush(o->file) == 0 ? RG_OK : rg_output_fail_write(o, errno != 0 ? errno : EIO);
}

/* ---- to go on with --------------------------------------------------------------------------- */

enum { PIECE = 1 << 16 };

rg_status rg_output_mark(rg_output *o, int64_t *size, uint64_t *hash)
{
    char piece[PIECE];

    *size = 0;
    *hash = RG_HASH_BEGIN;
    if (o->part == NULL) return RG_OK;
    RG_TRY(rg_output_flush(o));
    if (o->marked == 0) o->hash = RG_HASH_BEGIN;
    for (;;) {
        const ssize_t got = pread(fileno(o->file), piece, sizeof piece, (off_t)o->marked);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return rg_output_fail_write(o, errno);
        if (got == 0) break;
        o->hash = rg_hash(o->hash, piece, (size_t)got);
        o->marked += got;
    }
    *size = o->marked;
    *hash = o->hash;
    return fdatasync(fileno(o->file)) == 0 || errno == EINVAL ? RG_OK
                                                              : rg_output_fail_write(o, errno);
}

/* The first bytes of a file behind what was written; false: they are not these. */
static bool copy(rg_output *o, const char *from, int64_t size, uint64_t hash)
{
    const int source = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    char piece[PIECE];
    uint64_t found = RG_HASH_BEGIN;
    int64_t done = 0;

    while (source >= 0 && done < size) {
        const int64_t left = size - done;
        const ssize_t got = read(source, piece, left < PIECE ? (size_t)left : PIECE);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0 || fwrite(piece, 1, (size_t)got, o->file) != (size_t)got) break;
        found = rg_hash(found, piece, (size_t)got);
        done += got;
    }
    if (source >= 0) close(source);
    return done == size && found == hash;
}

static rg_status take_rows(rg_output *o, int64_t size, uint64_t hash)
{
    if (o->part == NULL || size == 0 || copy(o, o->part, size, hash)) return RG_OK;
    RG_TRY(rg_output_check(o));
    RG_TRY(rg_output_rewind(o));
    if (copy(o, o->target, size, hash)) return RG_OK;
    RG_TRY(rg_output_check(o));
    rg_fail(o->ctx, RG_ERR_ARGUMENT,
            "the rows of the run so far are gone: '%s' is not what the checkpoint has seen",
            o->part);
    return rg_remedy(o->ctx, "put it back, or begin anew without --resume");
}

static rg_status resume(rg_context *ctx, const char *path, int64_t size, uint64_t hash,
                        rg_output **out)
{
    RG_TRY(rg_output_open(ctx, path, out));
    rg_status status = take_rows(*out, size, hash);
    if (status == RG_OK) return rg_output_show(*out);
    const rg_error error = *rg_last_error(ctx);
    if ((*out)->part != NULL && rg_output_rewind(*out) != RG_OK) rg_clear_error(ctx);
    rg_free(ctx, (*out)->part); /* what is there stays */
    (*out)->part = NULL;
    if ((*out)->private_name != NULL) remove((*out)->private_name);
    rg_output_close(out, false);
    rg_clear_error(ctx);
    return rg_fail_again(ctx, &error);
}

rg_status rg_output_resume(rg_context *ctx, const char *path, int64_t size, uint64_t hash,
                           rg_output **out)
{
    rg_leaving_hold(ctx);
    const rg_status status = resume(ctx, path, size, hash, out);
    rg_leaving_release(ctx);
    return status;
}

/* ---- a run that does not answer -------------------------------------------------------------- */

/* Rows are written under this lock (solution/csv.c). */
static bool lock_soon(FILE *file)
{
    enum { TRIES = 50 };

    for (int k = 0; k < TRIES; k++) {
        if (ftrylockfile(file) == 0) return true;
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return false;
}

/* Cuts behind the last whole line. */
static bool cut_line(int descriptor)
{
    char piece[4096];
    off_t end = lseek(descriptor, 0, SEEK_END);

    while (end > 0) {
        const off_t from = end > (off_t)sizeof piece ? end - (off_t)sizeof piece : 0;
        const ssize_t got = pread(descriptor, piece, (size_t)(end - from), from);
        if (got != end - from) return false;
        const char *last = memrchr(piece, '\n', (size_t)got);
        end = last != NULL ? from + (last - piece) + 1 : from;
        if (last != NULL) break;
    }
    return ftruncate(descriptor, end) == 0 && end > 0;
}

bool rg_output_pass_on(const rg_output *o)
{
    char piece[PIECE];
    int64_t done = 0;

    if (fflush(o->file) != 0 || fflush(stdout) != 0) return false;
    for (;;) {
        const ssize_t got = pread(fileno(o->file), piece, sizeof piece, (off_t)done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got == 0;
        for (ssize_t sent = 0; sent < got;) {
            const ssize_t n = write(STDOUT_FILENO, piece + sent, (size_t)(got - sent));
            if (n < 0 && errno != EINTR) return false;
            if (n > 0) sent += n;
        }
        done += got;
    }
}

void rg_output_leave(void *output, char *note, size_t size)
{
    const rg_output *o = output;
    const int descriptor = fileno(o->file);
    const char *name = o->part;

    if (lock_soon(o->file)) fflush(o->file); /* for good: nobody writes after this */
    if (o->is_held && cut_line(descriptor)) rg_output_pass_on(o);
    if (o->part == NULL) return;
    if (!cut_line(descriptor)) {
        remove(o->private_name);
        return;
    }
    if (o->has_old) fchmod(descriptor, o->old_mode);
    if (!o->is_shown && (rg_is_input(o->ctx, o->part) || rename(o->private_name, o->part) != 0))
        name = o->private_name;
    const size_t used = strlen(note);
    snprintf(note + used, size - used, " (the rows so far are in '%s')", name);
}
