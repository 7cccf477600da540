/* rg_store: the state of a run as bytes, for a checkpoint.  One function of an object, with a store
 * that writes or one that reads, does both: what it names is stored, or put back.
 *
 *     void rg_thing_store(rg_thing *x, rg_store *s) { RG_STORE(s, x->h); rg_store_reals(s, x->y, n); }
 *
 * A failure stays in the store, and everything behind it does nothing. */
#ifndef RG_BASE_STORE_H
#define RG_BASE_STORE_H

#include "base/base.h"

typedef struct {
    rg_context *ctx;
    uint8_t *bytes;
    size_t size, capacity; /* of bytes: used; there is room for */
    size_t at;             /* reading: the next one */
    bool is_reading;
    rg_status status;
} rg_store;

void rg_store_init(rg_context *ctx, rg_store *s); /* empty, writes */
void rg_store_clear(rg_store *s);
void rg_store_empty(rg_store *s); /* writes again, from the beginning */
void rg_store_open(rg_store *s);  /* reads what was written, from the beginning */

void rg_store_bytes(rg_store *s, void *data, size_t size);
#define RG_STORE(store, what) rg_store_bytes(store, &(what), sizeof(what))
void rg_store_reals(rg_store *s, double *values, int64_t count);
/* An array (the address of a T *) that grows by rg_grow(): `count` elements of `size` bytes. */
void rg_store_grown(rg_store *s, void *array, int64_t *count, int64_t *capacity, size_t size);
/* A text by rg_alloc(), or NULL. */
void rg_store_text(rg_store *s, char **text);
/* All bytes of another store, which is ready to be read afterwards. */
void rg_store_inner(rg_store *s, rg_store *inner);

/* FNV-1a, 64 bits, of more bytes; begin with RG_HASH_BEGIN. */
#define RG_HASH_BEGIN 0xcbf29ce484222325u
uint64_t rg_hash(uint64_t hash, const void *data, size_t size);

#endif
