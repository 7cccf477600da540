/* The memory of an object in one block: its arrays one after the other.
 *
 *     RG_TRY(RG_TAKE(ctx, &x->block, RG_PIECE(x->y, n), RG_PIECE(x->kind, m)));
 *     ...
 *     rg_free(ctx, x->block);                                       frees them all */
#ifndef RG_BASE_PIECES_H
#define RG_BASE_PIECES_H

#include "base/base.h"

enum { RG_CACHE_LINE = 64 }; /* bytes */

typedef struct {
    void *place; /* the address of a T * */
    int64_t count;
    size_t size;
} rg_memory_piece;

#define RG_PIECE(pointer, n) ((rg_memory_piece){&(pointer), (int64_t)(n), sizeof *(pointer)})
#define RG_TAKE(ctx, block, ...)                                                                   \
    rg_take(ctx, block, sizeof((rg_memory_piece[]){__VA_ARGS__}) / sizeof(rg_memory_piece),        \
            (rg_memory_piece[]){__VA_ARGS__})

/* Every place gets an array of `count`, zeroed and aligned for any type, a long one at a line of
 * the cache; *block, the address of a T *, is what is to be freed.  After a failure nothing is
 * set. */
rg_status rg_take(rg_context *ctx, void *block, size_t n, const rg_memory_piece *piece);

#endif
