/* Fault injection: a context whose n-th allocation fails, and a count of what is still allocated.
 * */
#ifndef RG_TESTS_SUPPORT_FAULT_H
#define RG_TESTS_SUPPORT_FAULT_H

#include "regula.h"

typedef struct {
    int64_t
        fail_at;   /* number of the allocation that fails, from 1; 0: none; the next ones succeed */
    int64_t count; /* allocations asked for so far, resizing included */
    int64_t live;  /* blocks that are allocated now */
    int64_t bytes, peak_bytes; /* of these blocks */
} fault_allocator;

/* For rg_context_create_with(); user: a fault_allocator that starts as {0}. */
void *fault_realloc(void *pointer, size_t size, void *user);

/* The same with all allocations failing once the first ones are used up; user: an int, how many are
 * left. */
void *fault_exhausted(void *pointer, size_t size, void *user);

/* What is tested: creates objects from ctx and destroys all of them, on failure too. */
typedef rg_status fault_action(rg_context *ctx, void *user);

/* Runs the action with allocation n failing, n = 1, 2, ... until it meets no failure any more
 * (beyond 200 only about every 50th n, relative).  Checks with CHECK: nothing leaks; a negative
 * status has message and remedy and is RG_ERR_MEMORY; the last run succeeds.  Returns the number of
 * allocations of that run. */
int64_t fault_run(const char *name, fault_action *action, void *user);

/* An action for models over 0 .. 1; user: the text.  The table at three times goes to a file; no
 * estimate. */
rg_status fault_solve_at(rg_context *ctx, void *text);

#endif
