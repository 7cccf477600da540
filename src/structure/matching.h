/* Working parts of the highest-value transversal: matching on tight entries, bucket search. */
#ifndef RG_STRUCTURE_MATCHING_H
#define RG_STRUCTURE_MATCHING_H

#include "structure/signature.h"

enum { RG_UNMATCHED = -1 };

/* Borrowed from the transversal under construction: s, the matching, the offsets.  The rest is
 * workspace. */
typedef struct {
    rg_context *ctx;
    const rg_signature *s;
    int32_t *column_of_row, *row_of_column;
    int32_t *c, *d; /* d_j - c_i >= sigma_ij throughout */
    int64_t n_matched;
    int32_t *layer, *queue;         /* matching: breadth-first layers of rows        */
    int64_t *next;                  /* matching: next entry of a row to be looked at */
    int32_t *distance;              /* search: per row                               */
    int32_t *head, *after, *before; /* search: rows of a bucket as linked lists      */
    int64_t n_buckets;
} rg_matcher;

rg_status rg_matcher_init(rg_matcher *m);
void rg_matcher_clear(rg_matcher *m);

/* Makes the matching as large as it can be on the tight entries (d_j - c_i = sigma_ij), or on
 * all entries. */
void rg_matcher_augment(rg_matcher *m, bool all_entries);

enum { RG_FAR = INT32_MAX };
/* m->distance: on entry the distance at which each row starts (RG_FAR: it does not), on exit the
 * shortest distance.  With stop: ends at the nearest unmatched column, and returns its distance;
 * RG_FAR if none. */
rg_status rg_matcher_search(rg_matcher *m, bool stop, int32_t *nearest);

/* Block triangular form of the tight entries, and the index of every unknown. */
rg_status rg_transversal_blocks(rg_context *ctx, const rg_signature *s, rg_transversal *t);

#endif
