/* The body of rg_context: allocator, log, errors; one per thread. */
#ifndef RG_BASE_CONTEXT_H
#define RG_BASE_CONTEXT_H

#include "base/base.h"

#include <pthread.h>
#include <stdatomic.h>

enum { RG_ERROR_LIMIT = 20 }; /* errors kept per call; further ones are dropped */
enum { RG_INPUT_LIMIT = 16 }; /* files that were read, the last ones */

struct rg_context {
    rg_realloc_fn *allocate;
    void *allocate_user;
    rg_log_fn *log;
    void *log_user;
    int log_level;
    atomic_int interrupted;
    struct rg_context *home; /* whose leavings are its own: itself, or that of the run it serves */
    struct rg_leaving *leavings; /* base/leaving.h */
    pthread_mutex_t leavings_lock;
    struct rg_journal *journal; /* base/journal.h; NULL: none is kept */
    struct rg_crew *crew;       /* base/crew.h; NULL: loops are not shared */
    bool is_worker;   /* of a sweep: other runs have the other cores, so it starts no threads */
    int n_errors;     /* kept ones                                        */
    rg_error *latest; /* what rg_remedy() and rg_fail_at() complete        */
    rg_error errors[RG_ERROR_LIMIT + 1]; /* the last one takes what is dropped                */
    int n_inputs;                        /* of all times; which files: device and number      */
    uint64_t inputs[RG_INPUT_LIMIT][2];
};

/* A file was read, and must not be overwritten; what another context has read. */
void rg_note_input(rg_context *ctx, FILE *file);
void rg_take_inputs(rg_context *ctx, const rg_context *from);
/* Is this (no link is followed: the file under this very name) one of them? */
bool rg_is_input(const rg_context *ctx, const char *path);

/* A context for a thread of the run that `from` belongs to: allocator, leavings. */
rg_status rg_context_create_beside(rg_context *from, rg_context **out);

void *rg_default_realloc(void *pointer, size_t size, void *user);

#endif
