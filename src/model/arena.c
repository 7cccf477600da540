/* Memory of a syntax tree: taken in large pieces, released all at once. */
#include "model/arena.h"

enum { CHUNK_FIRST = 4 << 10, CHUNK_LARGEST = 1 << 20, ALIGNMENT = 16 };

struct rg_arena_chunk {
    rg_arena_chunk *older;
    size_t filler; /* keeps what follows aligned */
};

/* A chunk for at least `bytes`; chunks double, so that their number grows with the logarithm. */
static rg_status add_chunk(rg_context *ctx, rg_arena *arena, size_t bytes)
{
    size_t size = arena->size == 0 ? CHUNK_FIRST : 2 * arena->size;

    if (size > CHUNK_LARGEST) size = CHUNK_LARGEST;
    if (size < bytes + sizeof(rg_arena_chunk)) size = bytes + sizeof(rg_arena_chunk);
    rg_arena_chunk *chunk = rg_alloc(ctx, 1, size);
    if (chunk == NULL) return RG_ERR_MEMORY;
    chunk->older = arena->chunks;
    arena->chunks = chunk;
    arena->size = size;
    arena->used = sizeof *chunk;
    return RG_OK;
}

void *rg_arena_take(rg_context *ctx, rg_arena *arena, size_t count, size_t size)
{
    if (size > 0 && count > SIZE_MAX / 4 / size) return rg_alloc(ctx, SIZE_MAX, size); /* fails */
    const size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

    if (arena->size - arena->used < bytes && add_chunk(ctx, arena, bytes) != RG_OK) return NULL;
    void *piece = (char *)arena->chunks + arena->used;
    arena->used += bytes;
    return piece;
}

void rg_arena_clear(rg_context *ctx, rg_arena *arena)
{
    while (arena->chunks != NULL) {
        rg_arena_chunk *chunk = arena->chunks;
        arena->chunks = chunk->older;
        rg_free(ctx, chunk);
    }
    *arena = (rg_arena){0};
}
