/* Memory of a syntax tree: many small pieces, freed all at once. */
#ifndef RG_MODEL_ARENA_H
#define RG_MODEL_ARENA_H

#include "base/base.h"

typedef struct rg_arena_chunk rg_arena_chunk;
typedef struct {
    rg_arena_chunk *chunks; /* newest first */
    size_t used, size;      /* of the newest chunk */
} rg_arena;

/* Zeroed memory for `count` elements, aligned for every type; NULL, with the error set, when
 * none is left. */
void *rg_arena_take(rg_context *ctx, rg_arena *arena, size_t count, size_t size);
void rg_arena_clear(rg_context *ctx, rg_arena *arena);

#endif
