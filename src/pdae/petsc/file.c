/* Files of all ranks by MPI-IO: everybody writes the rows of its blocks, collectively, so that the
 * library joins them to long writes; nobody has the whole of a field.
 *
 * Open MPI 4.1 tells nobody but the terminal when a disk is full in the middle of a collective
 * write.  So the room is taken before, and everybody reads again what it has written. */
#define _POSIX_C_SOURCE 200809L
#include "pdae/petsc/petsc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    MPI_File file;
    uint64_t at; /* of the store in the file */
    const rg_store *s;
    uint64_t *place; /* [piece]: of the whole array, in the file */
    uint64_t sum;
    int code;   /* MPI_SUCCESS, or the first that was not */
    int again;  /* descriptor, to read what was written */
    bool is_in; /* it is in the file */
} job;

static void note(job *j, int code)
{
    if (j->code == MPI_SUCCESS) j->code = code;
}

static int errno_of(int code)
{
    int kind = MPI_SUCCESS;

    if (code == MPI_SUCCESS) return 0;
    MPI_Error_class(code, &kind);
    switch (kind) {
    case MPI_ERR_NO_SPACE:
        return ENOSPC;
    case MPI_ERR_QUOTA:
        return EDQUOT;
    case MPI_ERR_ACCESS:
        return EACCES;
    case MPI_ERR_READ_ONLY:
        return EROFS;
    case MPI_ERR_NO_SUCH_FILE:
        return ENOENT;
    default:
        return EIO;
    }
}

/* ---- where ----------------------------------------------------------------------------------- */
static uint64_t bytes_of(const rg_store_piece *p, const int64_t n[RG_STORE_AXES])
{
    return (uint64_t)n[0] * (uint64_t)n[1] * (uint64_t)n[2] * p->element;
}

/* MPI counts along axes by int; the whole is the same on all ranks. */
static bool is_countable(const rg_store *s)
{
    for (int64_t k = 0; k < s->n_pieces; k++)
        for (int d = 0; d < RG_STORE_AXES; d++)
            if (s->piece[k].whole[d] > INT_MAX) return false;
    return true;
}

/* As the first rank has them; false: a rank has other pieces, or no memory. */
static bool find_places(job *j)
{
    const rg_store *s = j->s;
    uint64_t at = j->at;
    size_t own = 0;
    int64_t n[2] = {s->n_pieces, -s->n_pieces};

    MPI_Allreduce(MPI_IN_PLACE, n, 2, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    j->place = malloc((size_t)(s->n_pieces + 1) * sizeof *j->place);
    int ok = n[0] == -n[1] && j->place != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!ok) return false;
    for (int64_t k = 0; k < s->n_pieces; k++) {
        const rg_store_piece *p = &s->piece[k];
        j->place[k] = at += p->at - own;
        at += bytes_of(p, p->whole);
        own = p->at + (size_t)bytes_of(p, p->part);
    }
    rg_petsc_tell(j->place, (size_t)s->n_pieces * sizeof *j->place);
    return true;
}

/* ---- writing --------------------------------------------------------------------------------- */
/* The bytes of a part within those of the whole. */
static void make_view(const rg_store_piece *p, MPI_Datatype *view)
{
    int whole[RG_STORE_AXES], part[RG_STORE_AXES], from[RG_STORE_AXES];
    MPI_Datatype one;

    for (int d = 0; d < RG_STORE_AXES; d++) {
        whole[d] = (int)p->whole[d];
        part[d] = (int)p->part[d];
        from[d] = (int)p->from[d];
    }
    MPI_Type_contiguous((int)p->element, MPI_BYTE, &one);
    MPI_Type_create_subarray(RG_STORE_AXES, whole, part, from, MPI_ORDER_FORTRAN, one, view);
    MPI_Type_commit(view);
    MPI_Type_free(&one);
}

/* Is that in the file? */
static void look_again(job *j, uint64_t place, const uint8_t *data, size_t size)
{
    uint8_t found[4096];

    while (size > 0 && j->is_in) {
        const size_t n = size < sizeof found ? size : sizeof found;
        j->is_in =
            pread(j->again, found, n, (off_t)place) == (ssize_t)n && memcmp(found, data, n) == 0;
        place += n;
        data += n;
        size -= n;
    }
}

/* Every row of a part with its place: is_again: is it there, otherwise into the checksum. */
static void each_row(job *j, int64_t k, bool is_again)
{
    const rg_store_piece *p = &j->s->piece[k];
    const uint8_t *from = j->s->bytes + p->at;
    const size_t row = (size_t)p->part[0] * p->element;

    for (int64_t z = 0; z < p->part[2]; z++)
        for (int64_t y = 0; y < p->part[1]; y++, from += row) {
            const int64_t before =
                p->from[0] + p->whole[0] * (p->from[1] + y + p->whole[1] * (p->from[2] + z));
            const uint64_t place = j->place[k] + (uint64_t)before * p->element;
            if (is_again)
                look_again(j, place, from, row);
            else
                j->sum = rg_checksum(j->sum, place, from, row);
        }
}

/* So many bytes in one call, whose count is an int: everybody calls as often as the largest part
 * needs it. */
enum { ONE_WRITE = 1 << 30 };

static size_t bytes_now(uint64_t rest)
{
    return rest < ONE_WRITE ? (size_t)rest : ONE_WRITE;
}

static void write_piece(job *j, int64_t k)
{
    const rg_store_piece *p = &j->s->piece[k];
    const uint64_t size = bytes_of(p, p->part);
    uint64_t most = size, done = 0;
    MPI_Datatype view;

    make_view(p, &view);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    note(j, MPI_File_set_view(j->file, (MPI_Offset)j->place[k], MPI_BYTE, view, "native",
                              MPI_INFO_NULL));
    for (uint64_t call = 0; call < most; call += ONE_WRITE) {
        const size_t n = bytes_now(size - done);
        note(j, MPI_File_write_at_all(j->file, (MPI_Offset)done, j->s->bytes + p->at + done, (int)n,
                                      MPI_BYTE, MPI_STATUS_IGNORE));
        done += n;
    }
    each_row(j, k, false);
    MPI_Type_free(&view);
}

/* What stands between the pieces, by the first rank. */
static void write_common(job *j, size_t from, size_t end, uint64_t place, bool is_again)
{
    if (is_again) {
        look_again(j, place, j->s->bytes + from, end - from);
        return;
    }
    j->sum = rg_checksum(j->sum, place, j->s->bytes + from, end - from);
    while (from < end && j->code == MPI_SUCCESS) {
        const size_t n = bytes_now(end - from);
        note(j, MPI_File_write_at(j->file, (MPI_Offset)place, j->s->bytes + from, (int)n, MPI_BYTE,
                                  MPI_STATUS_IGNORE));
        from += n;
        place += n;
    }
}

static void each_common(job *j, bool is_again)
{
    uint64_t place = j->at;
    size_t from = 0;

    for (int64_t k = 0; k < j->s->n_pieces; k++) {
        const rg_store_piece *p = &j->s->piece[k];
        write_common(j, from, p->at, place, is_again);
        place = j->place[k] + bytes_of(p, p->whole);
        from = p->at + (size_t)bytes_of(p, p->part);
    }
    write_common(j, from, j->s->size, place, is_again);
}

static void write_open(job *j)
{
    for (int64_t k = 0; k < j->s->n_pieces; k++)
        write_piece(j, k);
    note(j, MPI_File_set_view(j->file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    if (rg_ranks->rank == 0) each_common(j, false);
    note(j, MPI_File_sync(j->file));
    note(j, MPI_File_close(&j->file));
}

static void check(job *j, const char *path)
{
    j->again = open(path, O_RDONLY | O_CLOEXEC);
    j->is_in = j->again >= 0;
    for (int64_t k = 0; j->is_in && k < j->s->n_pieces; k++)
        each_row(j, k, true);
    if (j->is_in && rg_ranks->rank == 0) each_common(j, true);
    if (j->again >= 0) close(j->again);
    if (!j->is_in) note(j, MPI_ERR_IO);
}

/* Takes the room for all on the disk, by the first rank: 0, or an errno. */
static int reserve(const job *j, const char *path)
{
    int code = 0;

    if (rg_ranks->rank == 0) {
        const int file = open(path, O_RDWR | O_CLOEXEC);
        code = file < 0 ? errno
                        : posix_fallocate(file, (off_t)j->at, (off_t)rg_store_whole_size(j->s));
        if (file >= 0) close(file);
        if (code != ENOSPC && code != EFBIG && code != EDQUOT) code = 0; /* the write tells */
    }
    rg_petsc_tell(&code, sizeof code);
    return code;
}

/* The path of the first rank. */
static char *share_path(const char *path)
{
    uint64_t length = rg_ranks->rank == 0 ? strlen(path) : 0;

    rg_petsc_tell(&length, sizeof length);
    char *own = calloc((size_t)length + 1, 1);
    int ok = own != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (ok && rg_ranks->rank == 0) memcpy(own, path, (size_t)length);
    if (ok) rg_petsc_tell(own, (size_t)length);
    if (!ok) free(own);
    return ok ? own : NULL;
}

int rg_petsc_write(const char *path, uint64_t at, const rg_store *s, uint64_t *sum)
{
    job j = {.at = at, .s = s, .code = MPI_SUCCESS};
    char *own = share_path(path);
    int code = ENOMEM;

    rg_petsc_tell(&j.at, sizeof j.at);
    if (own != NULL && !is_countable(s)) {
        code = EFBIG;
    } else if (own != NULL && find_places(&j) && (code = reserve(&j, own)) == 0) {
        note(&j, MPI_File_open(MPI_COMM_WORLD, own, MPI_MODE_WRONLY, MPI_INFO_NULL, &j.file));
        int opened = j.code == MPI_SUCCESS;
        MPI_Allreduce(MPI_IN_PLACE, &opened, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        if (opened) write_open(&j);
        if (opened) check(&j, own);
        code = errno_of(j.code);
    }
    MPI_Allreduce(MPI_IN_PLACE, &code, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&j.sum, sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    free(j.place);
    free(own);
    return code;
}
