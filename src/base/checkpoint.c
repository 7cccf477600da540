/* Restart files: names of runs, lock, reading and writing. */
#include "base/checkpoint.h"

#include "base/context.h"
#include "base/leaving.h"
#include "base/output_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char magic[] = "regula checkpoint 1\n";
enum { MAGIC_WORD = 18 }; /* of these the part that every version begins with */

struct rg_checkpoint {
    rg_context *ctx;
    char *path, *fresh; /* fresh: where the next one is written; the first one: with our number */
    char *name;         /* the lines of the run, the first and the empty one included */
    size_t name_size;
    int descriptor; /* of the file at `path`: its lock is ours */
    rg_store state; /* as it was found */
    rg_leaving leaving;
};

/* ---- failures -------------------------------------------------------------------------------- */

static rg_status fail_write(const rg_checkpoint *c)
{
    rg_fail(c->ctx, RG_ERR_IO, "cannot write the checkpoint '%s': %s", c->path, strerror(errno));
    return rg_remedy(c->ctx, "make room, or give --checkpoint a file in another folder");
}

static rg_status refuse(const rg_checkpoint *c, const char *what)
{
    rg_fail(c->ctx, RG_ERR_ARGUMENT, "'%s' %s", c->path, what);
    return rg_remedy(c->ctx, "give another file, or remove it to begin anew");
}

/* ---- reading --------------------------------------------------------------------------------- */

static size_t line_length(const char *text, const char *end)
{
    const char *stop = memchr(text, '\n', (size_t)(end - text));

    return stop != NULL ? (size_t)(stop - text) : (size_t)(end - text);
}

static int label_length(const char *line, size_t length)
{
    const char *stop = memchr(line, ':', length);

    return stop != NULL ? (int)(stop - line) : (int)length;
}

/* A line "LABEL: VALUE" of the file that is another one now; '#' before a value: a hash. */
static rg_status refuse_line(const rg_checkpoint *c, const char *then, size_t n_then,
                             const char *now, size_t n_now)
{
    const int label = label_length(now, n_now), old_label = label_length(then, n_then);
    const bool is_same = label == old_label && memcmp(then, now, (size_t)label) == 0;
    const char *value = now + label + 2, *old = then + old_label + 2;

    if (!is_same)
        rg_fail(c->ctx, RG_ERR_ARGUMENT,
                "the checkpoint '%s' belongs to another run: it has '%.*s' where this one has "
                "'%.*s'",
                c->path, (int)n_then < 80 ? (int)n_then : 80, then,
                (int)n_now < 80 ? (int)n_now : 80, now);
    else if (n_now > (size_t)label + 2 && *value == '#')
        rg_fail(c->ctx, RG_ERR_ARGUMENT,
                "the checkpoint '%s' belongs to another run: the %.*s has changed since", c->path,
                label, now);
    else
        rg_fail(c->ctx, RG_ERR_ARGUMENT,
                "the checkpoint '%s' belongs to another run: %.*s was %.*s and is %.*s now",
                c->path, label, now, (int)(n_then - (size_t)label) - 2, old,
                (int)(n_now - (size_t)label) - 2, value);
    return rg_remedy(c->ctx, "run with what it was made with, or begin anew without --resume");
}

/* Line by line, up to the empty one. */
static rg_status check_name(const rg_checkpoint *c, const char *bytes, const char *end)
{
    const char *now = c->name, *stop = c->name + c->name_size;

    while (now < stop) {
        const size_t a = line_length(bytes, end), b = line_length(now, stop);
        if (a != b || memcmp(bytes, now, a) != 0) return refuse_line(c, bytes, a, now, b);
        bytes += a < (size_t)(end - bytes) ? a + 1 : a;
        now += b + 1;
    }
    return RG_OK;
}

static rg_status check_foreign(const rg_checkpoint *c, const char *bytes, size_t size)
{
    if (size < MAGIC_WORD || memcmp(bytes, magic, MAGIC_WORD) != 0)
        return refuse(c, size == 0 ? "is empty, and no checkpoint" : "is no checkpoint of regula");
    if (size < sizeof magic - 1 || memcmp(bytes, magic, sizeof magic - 1) != 0)
        return refuse(c, "is a checkpoint of another version of regula");
    return RG_OK;
}

/* Where the lines end; NULL: nowhere. */
static const char *find_end_of_name(const char *bytes, size_t size)
{
    for (const char *at = bytes; (at = memchr(at, '\n', size - (size_t)(at - bytes))) != NULL;) {
        at++;
        if (at == bytes + size) return NULL;
        if (*at == '\n') return at + 1;
    }
    return NULL;
}

static rg_status take_state(rg_checkpoint *c, const char *bytes, size_t size)
{
    uint64_t length, sum;

    RG_TRY(check_foreign(c, bytes, size));
    const char *at = find_end_of_name(bytes, size);
    if (at == NULL || (size_t)(at - bytes) + 16 > size)
        return refuse(c, "is damaged: it ends early");
    memcpy(&length, at, sizeof length);
    const size_t rest = size - (size_t)(at - bytes) - 16;
    if (length != rest)
        return refuse(c, length > rest ? "is damaged: it ends early" : "is damaged");
    memcpy(&sum, bytes + size - 8, sizeof sum);
    if (sum != rg_hash(RG_HASH_BEGIN, bytes, size - 8))
        return refuse(c, "is damaged: its checksum is wrong");
    RG_TRY(check_name(c, bytes, at));
    rg_store_bytes(&c->state, (void *)(at + 8), rest);
    return c->state.status;
}

static rg_status read_all(const rg_checkpoint *c, char **bytes, size_t *size)
{
    struct stat info;

    *bytes = NULL;
    if (fstat(c->descriptor, &info) != 0 || !S_ISREG(info.st_mode))
        return refuse(c, "is no file that could be a checkpoint");
    *size = (size_t)info.st_size;
    *bytes = rg_alloc(c->ctx, *size + 1, 1);
    if (*bytes == NULL) return RG_ERR_MEMORY;
    for (size_t done = 0; done < *size;) {
        const ssize_t got = pread(c->descriptor, *bytes + done, *size - done, (off_t)done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return refuse(c, "cannot be read");
        done += (size_t)got;
    }
    return RG_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool put(int descriptor, const void *data, size_t size)
{
    const char *at = data;

    while (size > 0) {
        const ssize_t done = write(descriptor, at, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

/* A new file with the state, its lock taken; -1: errno tells. */
static int write_fresh(const rg_checkpoint *c, const rg_store *state)
{
    const uint64_t length = state != NULL ? state->size : 0;
    uint64_t sum = rg_hash(RG_HASH_BEGIN, c->name, c->name_size);
    struct stat info;

    const bool has_old = c->descriptor >= 0 && fstat(c->descriptor, &info) == 0;
    remove(c->fresh); /* of a process that was killed: nobody else writes while the lock is ours */
    const int to = open(c->fresh, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                        has_old ? info.st_mode & 0777 : 0666);
    if (to < 0) return -1;
    sum = rg_hash(sum, &length, sizeof length);
    if (length > 0) sum = rg_hash(sum, state->bytes, state->size);
    const bool is_written = put(to, c->name, c->name_size) && put(to, &length, sizeof length)
                            && (length == 0 || put(to, state->bytes, state->size))
                            && put(to, &sum, sizeof sum) && (length == 0 || fsync(to) == 0)
                            && flock(to, LOCK_EX | LOCK_NB) == 0;
    if (is_written) return to;
    const int code = errno;
    close(to);
    remove(c->fresh);
    errno = code;
    return -1;
}

rg_status rg_checkpoint_write(rg_checkpoint *c, const rg_store *state)
{
    const int to = write_fresh(c, state);

    if (to < 0) return fail_write(c);
    if (rename(c->fresh, c->path) != 0) {
        const int code = errno;
        close(to);
        remove(c->fresh);
        errno = code;
        return fail_write(c);
    }
    if (c->descriptor >= 0) close(c->descriptor);
    c->descriptor = to;
    return RG_OK;
}

/* The lock is ours from here on. */
static void own(rg_checkpoint *c)
{
    memcpy(c->fresh + strlen(c->path), ".new", sizeof ".new");
}

/* The first file of this name; *is_done false: somebody was faster. */
static rg_status write_first(rg_checkpoint *c, bool *is_done)
{
    const int to = write_fresh(c, NULL);

    if (to < 0) return fail_write(c);
    *is_done = link(c->fresh, c->path) == 0;
    const int code = errno;
    remove(c->fresh);
    if (*is_done) {
        c->descriptor = to;
        own(c);
    } else {
        close(to);
    }
    errno = code;
    return *is_done || code == EEXIST ? RG_OK : fail_write(c);
}

/* ---- life ------------------------------------------------------------------------------------ */

/* A process that was killed may take a moment to end, and its lock with it. */
static bool lock(int descriptor)
{
    enum { TRIES = 30 };
    const struct timespec moment = {0, 10000000};

    for (int k = 0; k < TRIES; k++) {
        if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return true;
        nanosleep(&moment, NULL);
    }
    return false;
}

/* The file that is there becomes ours; *is_done false: it is another one by now. */
static rg_status take_old(rg_checkpoint *c, bool *is_done)
{
    if (!lock(c->descriptor)) {
        rg_fail(c->ctx, RG_ERR_ARGUMENT, "another run is using the checkpoint '%s'", c->path);
        return rg_remedy(c->ctx, "wait for it, or give another file");
    }
    *is_done = rg_output_is_at(c->descriptor, c->path);
    if (*is_done) {
        own(c);
        return RG_OK;
    }
    close(c->descriptor);
    c->descriptor = -1;
    return RG_OK;
}

static rg_status take_file(rg_checkpoint *c, bool *is_old)
{
    enum { TRIES = 1000 };
    bool is_done = false;

    for (int k = 0; k < TRIES && !is_done; k++) {
        c->descriptor = open(c->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        *is_old = c->descriptor >= 0;
        if (c->descriptor >= 0)
            RG_TRY(take_old(c, &is_done));
        else if (errno == ENOENT)
            RG_TRY(write_first(c, &is_done));
        else if (errno == ELOOP || errno == EISDIR || errno == ENXIO)
            return refuse(c, "is no file that could be a checkpoint");
        else
            return fail_write(c);
    }
    return is_done ? RG_OK : refuse(c, "is taken by others all the time");
}

static rg_status begin(rg_checkpoint *c, bool is_resumed)
{
    char *bytes = NULL;
    size_t size = 0;
    bool is_old = false;

    if (c->path[0] == '\0') {
        rg_fail(c->ctx, RG_ERR_ARGUMENT, "the name of the checkpoint is empty");
        return rg_remedy(c->ctx, "give a file name");
    }
    if (rg_is_input(c->ctx, c->path))
        return refuse(c, "cannot be the checkpoint: it was read for this very run");
    RG_TRY(take_file(c, &is_old));
    if (!is_old) return RG_OK;
    rg_status status = read_all(c, &bytes, &size);
    if (status == RG_OK && is_resumed) status = take_state(c, bytes, size);
    if (status == RG_OK && !is_resumed && size >= MAGIC_WORD
        && memcmp(bytes, magic, MAGIC_WORD) == 0)
        status = rg_checkpoint_write(c, NULL);
    else if (status == RG_OK && !is_resumed)
        status = check_foreign(c, bytes, size);
    rg_free(c->ctx, bytes);
    return status;
}

/* The file at `path` is whole at any time. */
static void leave(void *checkpoint, char *note, size_t size)
{
    const rg_checkpoint *c = checkpoint;
    const size_t used = strlen(note);

    remove(c->fresh);
    snprintf(note + used, size - used, "; the same command with --resume goes on from '%s'",
             c->path);
}

rg_status rg_checkpoint_open(rg_context *ctx, const char *path, bool is_resumed,
                             const rg_run_name *name, rg_checkpoint **out)
{
    rg_checkpoint *c = *out = rg_alloc(ctx, 1, sizeof *c);
    const size_t room = strlen(path) + 32;

    if (c == NULL) return RG_ERR_MEMORY;
    c->ctx = ctx;
    c->descriptor = -1;
    rg_store_init(ctx, &c->state);
    c->path = rg_copy_text(ctx, path, strlen(path));
    c->fresh = rg_alloc(ctx, room, 1);
    c->name_size = sizeof magic + name->size; /* with an empty line at the end */
    c->name = rg_alloc(ctx, c->name_size + 1, 1);
    rg_status status = name->status;
    if (c->path == NULL || c->fresh == NULL || c->name == NULL) status = RG_ERR_MEMORY;
    if (status == RG_OK) {
        snprintf(c->fresh, room, "%s.new-%ld", path, (long)getpid());
        memcpy(c->name, magic, sizeof magic - 1);
        if (name->size > 0) memcpy(c->name + sizeof magic - 1, name->text, name->size);
        c->name[c->name_size - 1] = '\n';
        status = begin(c, is_resumed);
    }
    rg_store_open(&c->state);
    if (status == RG_OK)
        rg_leaving_add(ctx, &c->leaving, leave, c);
    else
        rg_checkpoint_close(out);
    return status;
}

rg_store *rg_checkpoint_state(rg_checkpoint *c)
{
    return &c->state;
}

const char *rg_checkpoint_path(const rg_checkpoint *c)
{
    return c->path;
}

void rg_checkpoint_close(rg_checkpoint **checkpoint)
{
    rg_checkpoint *c = *checkpoint;

    if (c == NULL) return;
    rg_leaving_remove(c->ctx, &c->leaving);
    if (c->descriptor >= 0) close(c->descriptor);
    rg_store_clear(&c->state);
    rg_free(c->ctx, c->path);
    rg_free(c->ctx, c->fresh);
    rg_free(c->ctx, c->name);
    rg_free(c->ctx, c);
    *checkpoint = NULL;
}
