/* The journal of a solve with checkpoints has the results of its long computations, in order.  A
 * solve that is resumed makes the same computations in the same order, and takes those that are in
 * the journal from there.
 *
 *     rg_journal *j = ctx->journal;
 *     if (rg_journal_has_next(j)) { store(x, j->store);  ... }
 *     else { compute(x);  if (j != NULL) { rg_journal_begin(j);  store(x, j->store);
 *                                          status = rg_journal_end(j); } } */
#ifndef RG_BASE_JOURNAL_H
#define RG_BASE_JOURNAL_H

#include "base/store.h"

typedef struct rg_journal {
    rg_store *store;
    rg_status (*offer)(void *user); /* there is one more */
    void *user;
} rg_journal;

static inline bool rg_journal_has_next(const rg_journal *j)
{
    return j != NULL && j->store->is_reading && j->store->at < j->store->size;
}

static inline void rg_journal_begin(rg_journal *j)
{
    j->store->is_reading = false; /* behind what it has */
}

static inline rg_status rg_journal_end(rg_journal *j)
{
    RG_TRY(j->store->status);
    const rg_status status = j->offer(j->user);
    j->store->at = j->store->size; /* nothing of it is to be read */
    return status;
}

#endif
