/* Writes states as bytes and reads them again, with a check of their length. */
#include "base/store.h"

#include <string.h>

void rg_store_init(rg_context *ctx, rg_store *s)
{
    *s = (rg_store){.ctx = ctx};
}

void rg_store_clear(rg_store *s)
{
    if (s->ctx != NULL) rg_free(s->ctx, s->bytes);
    *s = (rg_store){.ctx = s->ctx};
}

void rg_store_empty(rg_store *s)
{
    s->size = s->at = 0;
    s->is_reading = false;
    s->status = RG_OK;
}

void rg_store_open(rg_store *s)
{
    s->at = 0;
    s->is_reading = true;
}

static rg_status reserve(rg_store *s, size_t size)
{
    if (size <= s->capacity - s->size) return RG_OK;
    const size_t capacity = 2 * s->capacity + size + 64;
    uint8_t *grown = rg_resize(s->ctx, s->bytes, capacity, 1);
    if (grown == NULL) return RG_ERR_MEMORY;
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

void rg_store_inner(rg_store *s, rg_store *inner)
{
    uint64_t size = inner->size;

    if (s->status == RG_OK && !s->is_reading) s->status = inner->status;
    RG_STORE(s, size);
    if (s->is_reading && s->status == RG_OK) {
        rg_store_empty(inner);
        s->status = size <= s->size - s->at ? reserve(inner, (size_t)size) : fail_short(s);
        if (s->status == RG_OK) inner->size = (size_t)size;
    }
    if (s->status == RG_OK) rg_store_bytes(s, inner->bytes, (size_t)size);
    rg_store_open(inner);
}

uint64_t rg_hash(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *byte = data;

    for (size_t k = 0; k < size; k++)
        hash = (hash ^ byte[k]) * 0x100000001b3u;
    return hash;
}
