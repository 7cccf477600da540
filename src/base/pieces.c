/* Lays out the arrays of an object in one block of memory. */
#include "base/pieces.h"

#include <stdalign.h>
#include <stddef.h>
#include <string.h>

/* Bytes up to the next piece, one at least; a count that cannot be is left to rg_alloc(). */
static size_t room(const rg_memory_piece *p)
{
    const size_t unit = alignof(max_align_t), count = p->count < 0 ? SIZE_MAX : (size_t)p->count;

    if (p->size != 0 && count > PTRDIFF_MAX / p->size) return SIZE_MAX;
    return (count * p->size / unit + 1) * unit;
}

rg_status rg_take(rg_context *ctx, void *block, size_t n, const rg_memory_piece *piece)
{
    size_t bytes = 0;

    for (size_t k = 0; k < n; k++)
        bytes = room(&piece[k]) > SIZE_MAX - bytes ? SIZE_MAX : bytes + room(&piece[k]);
    char *at = rg_alloc(ctx, bytes, 1);
    if (at == NULL) return RG_ERR_MEMORY;
    memcpy(block, &at, sizeof at);
    for (size_t k = 0; k < n; k++) {
        memcpy(piece[k].place, &at, sizeof at);
        at += room(&piece[k]);
    }
    return RG_OK;
}
