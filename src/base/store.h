/* A store holds the state of a run as bytes, for a checkpoint.  One function of an object, with a
 * store that writes or one that reads, does both: what it names is stored, or put back.
 *
 *     void rg_thing_store(rg_thing *x, rg_store *s) { RG_STORE(s, x->h); rg_store_reals(s, x->y, n); }
 *
 * A failure stays in the store, and everything behind it does nothing. */
#ifndef RG_BASE_STORE_H
#define RG_BASE_STORE_H

#include "base/base.h"

enum { RG_STORE_AXES = 3 };

/* An array of which every rank of a run has a part: numbers along the axes, the first one fastest,
 * of the whole, of the part, and before the part. */
typedef struct {
    int64_t whole[RG_STORE_AXES], part[RG_STORE_AXES], from[RG_STORE_AXES];
    size_t element; /* bytes of one of them */
    size_t at;      /* of the part, in the bytes of a store */
} rg_store_piece;

typedef struct {
    rg_context *ctx;
    uint8_t *bytes;
    size_t size, capacity; /* of bytes: used; there is room for (0: they are somebody else's) */
    size_t at;             /* reading: the next one */
    bool is_reading;
    bool is_whole; /* of divided arrays the bytes hold all, not the part of this rank */
    rg_status status;
    rg_store_piece *piece;
    int64_t n_pieces, piece_capacity;
    void *mapping; /* of a file, in which the bytes lie; NULL: none */
    size_t mapping_size;
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
/* The part of a divided array; a store that is_whole has all of it, and gives the part. */
void rg_store_divided(rg_store *s, void *part, const rg_store_piece *shape);
/* All bytes of another store, which is ready to be read afterwards; read from a store that
 * is_whole it has no bytes of its own, and must not outlive that. */
void rg_store_inner(rg_store *s, rg_store *inner);
/* With all of the divided arrays: how many bytes, and where a byte of this store is then. */
size_t rg_store_whole_size(const rg_store *s);
/* Reads the bytes from `at` on of an open file, as they are there; RG_ERR_IO: errno tells. */
rg_status rg_store_map(rg_store *s, int descriptor, size_t file_size, size_t at, size_t size);

/* FNV-1a, 64 bits, of more bytes; begin with RG_HASH_BEGIN. */
#define RG_HASH_BEGIN 0xcbf29ce484222325u
uint64_t rg_hash(uint64_t hash, const void *data, size_t size);
/* A sum of a hash of every byte with its place, `at` on: parts may be added in any order. */
uint64_t rg_checksum(uint64_t sum, uint64_t at, const void *data, size_t size);

#endif
