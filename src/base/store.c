/* Writes states as bytes and reads them again, with a check of their length. */
#include "base/store.h"

#include <string.h>
#include <sys/mman.h>

void rg_store_init(rg_context *ctx, rg_store *s)
{
    *s = (rg_store){.ctx = ctx};
}

/* Bytes that are not its own are left alone. */
static void let_go(rg_store *s)
{
    if (s->mapping != NULL) munmap(s->mapping, s->mapping_size);
    if (s->ctx != NULL && s->capacity > 0) rg_free(s->ctx, s->bytes);
    s->bytes = NULL;
    s->capacity = 0;
    s->mapping = NULL;
}

void rg_store_clear(rg_store *s)
{
    let_go(s);
    if (s->ctx != NULL) rg_free(s->ctx, s->piece);
    *s = (rg_store){.ctx = s->ctx};
}

void rg_store_empty(rg_store *s)
{
    if (s->capacity == 0) let_go(s);
    s->size = s->at = 0;
    s->n_pieces = 0;
    s->is_reading = s->is_whole = false;
    s->status = RG_OK;
}

void rg_store_open(rg_store *s)
{
    s->at = 0;
    s->is_reading = true;
}

static rg_status reserve(rg_store *s, size_t size)
{
    const bool is_own = s->capacity > 0;

    if (is_own && size <= s->capacity - s->size) return RG_OK;
    const size_t capacity = 2 * s->capacity + (is_own ? 0 : s->size) + size + 64;
    uint8_t *grown = rg_resize(s->ctx, is_own ? s->bytes : NULL, capacity, 1);
    if (grown == NULL) return RG_ERR_MEMORY;
    if (!is_own) {
        if (s->size > 0) memcpy(grown, s->bytes, s->size);
        let_go(s);
    }
    s->bytes = grown;
    s->capacity = capacity;
    return RG_OK;
}

static rg_status fail_short(rg_store *s)
{
    rg_fail(s->ctx, RG_ERR_ARGUMENT, "the state of the run in the checkpoint is not of this model");
    return rg_remedy(s->ctx, "begin anew, without --resume");
}

void rg_store_bytes(rg_store *s, void *data, size_t size)
{
    if (s->status != RG_OK || size == 0) return;
    if (s->is_reading) {
        if (size > s->size - s->at) {
            s->status = fail_short(s);
            return;
        }
        memcpy(data, s->bytes + s->at, size);
        s->at += size;
        return;
    }
    s->status = reserve(s, size);
    if (s->status != RG_OK) return;
    memcpy(s->bytes + s->size, data, size);
    s->size += size;
}

void rg_store_reals(rg_store *s, double *values, int64_t count)
{
    rg_store_bytes(s, values, (size_t)count * sizeof *values);
}

void rg_store_grown(rg_store *s, void *array, int64_t *count, int64_t *capacity, size_t size)
{
    void *place;
    int64_t n = *count;

    RG_STORE(s, n);
    if (s->status != RG_OK) return;
    memcpy(&place, array, sizeof place); /* a T * of some type */
    if (s->is_reading && n > *capacity) {
        if (n < 0 || (uint64_t)n > (s->size - s->at) / (size > 0 ? size : 1)) {
            s->status = fail_short(s);
            return;
        }
        place = rg_resize(s->ctx, place, (size_t)n, size);
        if (place == NULL) {
            s->status = RG_ERR_MEMORY;
            return;
        }
        memcpy(array, &place, sizeof place);
        *capacity = n;
    }
    *count = n;
    rg_store_bytes(s, place, (size_t)n * size);
}

void rg_store_text(rg_store *s, char **text)
{
    int64_t length = *text != NULL ? (int64_t)strlen(*text) : -1;

    RG_STORE(s, length);
    if (s->status != RG_OK) return;
    if (s->is_reading) {
        rg_free(s->ctx, *text);
        *text = NULL;
        if (length < 0) return;
        if ((uint64_t)length > s->size - s->at) {
            s->status = fail_short(s);
            return;
        }
        *text = rg_alloc(s->ctx, (size_t)length + 1, 1);
        if (*text == NULL) s->status = RG_ERR_MEMORY;
    }
    if (length > 0) rg_store_bytes(s, *text, (size_t)length);
}

/* ---- divided arrays -------------------------------------------------------------------------- */

static size_t count_of(const int64_t n[RG_STORE_AXES])
{
    return (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
}

size_t rg_store_whole_size(const rg_store *s)
{
    size_t size = s->size;

    for (int64_t k = 0; k < s->n_pieces; k++)
        size += s->piece[k].element * (count_of(s->piece[k].whole) - count_of(s->piece[k].part));
    return size;
}

/* The rows of the part out of all. */
static void take_rows(const uint8_t *all, const rg_store_piece *p, uint8_t *part)
{
    const size_t row = (size_t)p->part[0] * p->element;

    for (int64_t k = 0; k < p->part[2]; k++)
        for (int64_t j = 0; j < p->part[1]; j++, part += row) {
            const int64_t before =
                p->from[0] + p->whole[0] * (p->from[1] + j + p->whole[1] * (p->from[2] + k));
            memcpy(part, all + (size_t)before * p->element, row);
        }
}

void rg_store_divided(rg_store *s, void *part, const rg_store_piece *shape)
{
    const size_t size = count_of(shape->part) * shape->element,
                 all = count_of(shape->whole) * shape->element;

    if (s->status != RG_OK) return;
    if (s->is_reading && s->is_whole) {
        if (all > s->size - s->at) {
            s->status = fail_short(s);
            return;
        }
        take_rows(s->bytes + s->at, shape, part);
        s->at += all;
        return;
    }
    if (!s->is_reading) {
        s->status = rg_grow(s->ctx, &s->piece, s->n_pieces, &s->piece_capacity, sizeof *s->piece);
        if (s->status != RG_OK) return;
        s->piece[s->n_pieces] = *shape;
        s->piece[s->n_pieces++].at = s->size;
    }
    rg_store_bytes(s, part, size);
}

/* Pieces of a store that goes into another one. */
static void add_pieces(rg_store *s, const rg_store *inner)
{
    for (int64_t k = 0; k < inner->n_pieces && s->status == RG_OK; k++) {
        s->status = rg_grow(s->ctx, &s->piece, s->n_pieces, &s->piece_capacity, sizeof *s->piece);
        if (s->status != RG_OK) return;
        s->piece[s->n_pieces] = inner->piece[k];
        s->piece[s->n_pieces++].at += s->size;
    }
}

void rg_store_inner(rg_store *s, rg_store *inner)
{
    uint64_t size = rg_store_whole_size(inner);

    if (s->status == RG_OK && !s->is_reading) s->status = inner->status;
    RG_STORE(s, size);
    if (!s->is_reading) {
        add_pieces(s, inner);
        if (s->status == RG_OK) rg_store_bytes(s, inner->bytes, inner->size);
        rg_store_open(inner);
        return;
    }
    if (s->status == RG_OK && size > s->size - s->at) s->status = fail_short(s);
    rg_store_empty(inner);
    if (s->status == RG_OK && s->is_whole) {
        let_go(inner);
        inner->bytes = s->bytes + s->at;
        inner->is_whole = true;
        s->at += (size_t)size;
    } else if (s->status == RG_OK) {
        s->status = reserve(inner, (size_t)size);
        if (s->status == RG_OK) rg_store_bytes(s, inner->bytes, (size_t)size);
    }
    if (s->status == RG_OK) inner->size = (size_t)size;
    rg_store_open(inner);
}

rg_status rg_store_map(rg_store *s, int descriptor, size_t file_size, size_t at, size_t size)
{
    rg_store_empty(s);
    let_go(s);
    void *const all = mmap(NULL, file_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (all == MAP_FAILED) return RG_ERR_IO;
    s->mapping = all;
    s->mapping_size = file_size;
    s->bytes = (uint8_t *)all + at;
    s->size = size;
    s->is_whole = true;
    return RG_OK;
}

uint64_t rg_hash(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *byte = data;

    for (size_t k = 0; k < size; k++)
        hash = (hash ^ byte[k]) * 0x100000001b3u;
    return hash;
}

/* The finalizer of splitmix64 (Steele, Lea, Flood 2014) of place and byte. */
uint64_t rg_checksum(uint64_t sum, uint64_t at, const void *data, size_t size)
{
    const unsigned char *byte = data;

    for (size_t k = 0; k < size; k++) {
        uint64_t z = (at + k + 1) * 256 + byte[k];
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        sum += z ^ z >> 31;
    }
    return sum;
}
