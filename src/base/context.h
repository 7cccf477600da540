/* The body of rg_context: allocator, log, errors; one per thread. */
#ifndef RG_BASE_CONTEXT_H
#define RG_BASE_CONTEXT_H

#include "base/base.h"

#include <stdatomic.h>

enum { RG_ERROR_LIMIT = 20 }; /* errors kept per call; further ones are dropped */

struct rg_context {
    rg_realloc_fn *allocate;
    void *allocate_user;
    rg_log_fn *log;
    void *log_user;
    int log_level;
    atomic_int interrupted;
    int n_errors;                        /* kept ones                                        */
    rg_error *latest;                    /* what rg_remedy() and rg_fail_at() complete        */
    rg_error errors[RG_ERROR_LIMIT + 1]; /* the last one takes what is dropped                */
};

void *rg_default_realloc(void *pointer, size_t size, void *user);

#endif
