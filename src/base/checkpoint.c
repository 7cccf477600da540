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

static const char magic[] = "regula checkpoint 2\n";
enum { MAGIC_WORD = 18 }; /* of these the part that every version begins with */

struct rg_checkpoint {
    rg_context *ctx;
    char *path, *fresh; /* fresh: where the next one is written; the first one: with our number */
    char *name;         /* the lines of the run, the first and the empty one included */
    size_t name_size;
    int descriptor;  /* of the file at `path`: its lock is ours */
    int next;        /* of the one that is being written; -1: none */
    uint64_t length; /* of the state in it */
    rg_store state;  /* as it was found */
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
    if (sum != rg_checksum(0, 0, bytes, size - 8))
        return refuse(c, "is damaged: its checksum is wrong");
    RG_TRY(check_name(c, bytes, at));
    c->state.bytes += (at + 8) - bytes;
    c->state.size = rest;
    return RG_OK;
}

/* The file as it is; what is not touched is not read. */
static rg_status look_at(rg_checkpoint *c)
{
    struct stat info;

    if (fstat(c->descriptor, &info) != 0 || !S_ISREG(info.st_mode))
        return refuse(c, "is no file that could be a checkpoint");
    const size_t size = (size_t)info.st_size;
    if (size == 0) return RG_OK;
    return rg_store_map(&c->state, c->descriptor, size, 0, size) == RG_OK
               ? RG_OK
               : refuse(c, "cannot be read");
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

static void give_up(rg_checkpoint *c)
{
    const int code = errno;

    close(c->next);
    c->next = -1;
    remove(c->fresh);
    errno = code;
}

/* A new file without its state. */
static bool begin_fresh(rg_checkpoint *c, uint64_t length)
{
    struct stat info;

    const bool has_old = c->descriptor >= 0 && fstat(c->descriptor, &info) == 0;
    remove(c->fresh); /* of a process that was killed: nobody else writes while the lock is ours */
    c->next = open(c->fresh, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                   has_old ? info.st_mode & 0777 : 0666);
    if (c->next < 0) return false;
    c->length = length;
    if (put(c->next, c->name, c->name_size) && put(c->next, &length, sizeof length)) return true;
    give_up(c);
    return false;
}

/* Behind its state, of which this is the checksum; its lock is taken. */
static bool end_fresh(rg_checkpoint *c, uint64_t sum)
{
    const uint64_t at = c->name_size;

    sum = rg_checksum(sum, 0, c->name, c->name_size);
    sum = rg_checksum(sum, at, &c->length, sizeof c->length);
    if (lseek(c->next, (off_t)(at + sizeof c->length + c->length), SEEK_SET) >= 0
        && put(c->next, &sum, sizeof sum) && (c->length == 0 || fsync(c->next) == 0)
        && flock(c->next, LOCK_EX | LOCK_NB) == 0)
        return true;
    give_up(c);
    return false;
}

static bool write_fresh(rg_checkpoint *c, const rg_store *state)
{
    const uint64_t length = state != NULL ? state->size : 0;

    if (!begin_fresh(c, length)) return false;
    if (length > 0 && !put(c->next, state->bytes, state->size)) {
        give_up(c);
        return false;
    }
    const uint64_t at = c->name_size + sizeof length;
    return end_fresh(c, length > 0 ? rg_checksum(0, at, state->bytes, state->size) : 0);
}

static rg_status take_place(rg_checkpoint *c)
{
    if (rename(c->fresh, c->path) != 0) {
        give_up(c);
        return fail_write(c);
    }
    if (c->descriptor >= 0) close(c->descriptor);
    c->descriptor = c->next;
    c->next = -1;
    return RG_OK;
}

rg_status rg_checkpoint_write(rg_checkpoint *c, const rg_store *state)
{
    return write_fresh(c, state) ? take_place(c) : fail_write(c);
}

rg_status rg_checkpoint_begin(rg_checkpoint *c, uint64_t length, const char **path, uint64_t *at)
{
    *path = c->fresh;
    *at = c->name_size + sizeof length;
    return begin_fresh(c, length) ? RG_OK : fail_write(c);
}

rg_status rg_checkpoint_end(rg_checkpoint *c, uint64_t sum, int code)
{
    if (code != 0) {
        errno = code;
        give_up(c);
        return fail_write(c);
    }
    return end_fresh(c, sum) ? take_place(c) : fail_write(c);
}

/* The lock is ours from here on. */
static void own(rg_checkpoint *c)
{
    memcpy(c->fresh + strlen(c->path), ".new", sizeof ".new");
}

/* The first file of this name; *is_done false: somebody was faster. */
static rg_status write_first(rg_checkpoint *c, bool *is_done)
{
    if (!write_fresh(c, NULL)) return fail_write(c);
    *is_done = link(c->fresh, c->path) == 0;
    const int code = errno;
    remove(c->fresh);
    if (*is_done) {
        c->descriptor = c->next;
        own(c);
    } else {
        close(c->next);
    }
    c->next = -1;
    errno = code;
    return *is_done || code == EEXIST ? RG_OK : fail_write(c);
}

/* ---- life ------------------------------------------------------------------------------------ */

/* A process that was killed may take a moment to end, and its lock with it: what it had the disk do
 * is done first. */
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
    bool is_old = false;

    if (c->path[0] == '\0') {
        rg_fail(c->ctx, RG_ERR_ARGUMENT, "the name of the checkpoint is empty");
        return rg_remedy(c->ctx, "give a file name");
    }
    if (rg_is_input(c->ctx, c->path))
        return refuse(c, "cannot be the checkpoint: it was read for this very run");
    RG_TRY(take_file(c, &is_old));
    if (!is_old) return RG_OK;
    RG_TRY(look_at(c));
    const char *const bytes = c->state.bytes != NULL ? (const char *)c->state.bytes : "";
    const size_t size = c->state.size;
    if (is_resumed) return take_state(c, bytes, size);
    const bool is_ours = size >= MAGIC_WORD && memcmp(bytes, magic, MAGIC_WORD) == 0;
    RG_TRY(is_ours ? RG_OK : check_foreign(c, bytes, size));
    rg_store_clear(&c->state);
    return rg_checkpoint_write(c, NULL);
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
    c->descriptor = c->next = -1;
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

uint64_t rg_checkpoint_state_at(const rg_checkpoint *c)
{
    return c->state.mapping != NULL ? (uint64_t)(c->state.bytes - (uint8_t *)c->state.mapping) : 0;
}

rg_status rg_checkpoint_look(rg_context *ctx, const char *path, uint64_t at, uint64_t size,
                             rg_store *state)
{
    const int from = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat info;
    rg_status status = RG_ERR_IO;

    if (from >= 0 && fstat(from, &info) == 0 && (uint64_t)info.st_size >= at + size)
        status = rg_store_map(state, from, (size_t)info.st_size, (size_t)at, (size_t)size);
    if (from >= 0) close(from);
    if (status == RG_OK) return RG_OK;
    rg_fail(ctx, RG_ERR_ARGUMENT, "a rank cannot read the checkpoint '%s' that the first one reads",
            path);
    return rg_remedy(ctx, "put it into a folder that all machines see");
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
    if (c->next >= 0) give_up(c);
    if (c->descriptor >= 0) close(c->descriptor);
    rg_store_clear(&c->state);
    rg_free(c->ctx, c->path);
    rg_free(c->ctx, c->fresh);
    rg_free(c->ctx, c->name);
    rg_free(c->ctx, c);
    *checkpoint = NULL;
}
