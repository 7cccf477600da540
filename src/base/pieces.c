/* Lays out the arrays of an object in one block of memory. */
#include "base/pieces.h"

#include <stdalign.h>
#include <stddef.h>
#include <string.h>

enum { LONG = 64 * RG_CACHE_LINE };

/* Bytes of a piece, one at least; a count that cannot be is left to rg_alloc(). */
static size_t bytes_of(const rg_memory_piece *p)
{
    const size_t count = p->count < 0 ? SIZE_MAX : (size_t)p->count;

    if (p->size != 0 && count > PTRDIFF_MAX / p->size) return SIZE_MAX;
    return count * p->size > 0 ? count * p->size : 1;
}

static size_t unit_of(const rg_memory_piece *p)
{
    return bytes_of(p) < LONG ? alignof(max_align_t) : RG_CACHE_LINE;
}

static size_t sum(size_t a, size_t b)
{
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

rg_status rg_take(rg_context *ctx, void *block, size_t n, const rg_memory_piece *piece)
{
    size_t bytes = 0;

    for (size_t k = 0; k < n; k++)
        bytes = sum(bytes, sum(bytes_of(&piece[k]), unit_of(&piece[k])));
    char *at = rg_alloc(ctx, bytes, 1);
    if (at == NULL) return RG_ERR_MEMORY;
    memcpy(block, &at, sizeof at);
    for (size_t k = 0; k < n; k++) {
        const size_t unit = unit_of(&piece[k]);
        at += (unit - (uintptr_t)at % unit) % unit;
        memcpy(piece[k].place, &at, sizeof at);
        at += bytes_of(&piece[k]);
    }
    return RG_OK;
}
