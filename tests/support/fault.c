/* Allocations that fail on demand, and a count of what is still allocated. */
#include "support/fault.h"

#include "support/test.h"

#include <stdlib.h>
#include <string.h>

/* The size of a block stands in front of it, in a place as wide as the strictest alignment. */
typedef union {
    size_t size;
    max_align_t align;
} header;

static void release(fault_allocator *a, header *block)
{
    if (block == NULL) return;
    a->live--;
    a->bytes -= (int64_t)block->size;
    free(block);
}

/* Always moves, so that stale pointers into a resized array show up. */
void *fault_realloc(void *pointer, size_t size, void *user)
{
    fault_allocator *a = user;
    header *old = pointer != NULL ? (header *)pointer - 1 : NULL;

    if (size == 0) {
        release(a, old);
        return NULL;
    }
    if (++a->count == a->fail_at) return NULL;
    header *block = malloc(sizeof *block + size);
    if (block == NULL) return NULL;
    block->size = size;
    memset(block + 1, 0xA5, size); /* nobody may count on zeros that were not promised */
    if (old != NULL) memcpy(block + 1, pointer, old->size < size ? old->size : size);
    release(a, old);
    a->live++;
    a->bytes += (int64_t)size;
    if (a->bytes > a->peak_bytes) a->peak_bytes = a->bytes;
    return block + 1;
}

void *fault_exhausted(void *pointer, size_t size, void *user)
{
    int *left = user;

    if (size == 0) {
        free(pointer);
        return NULL;
    }
    if (*left == 0) return NULL;
    (*left)--;
    return realloc(pointer, size);
}

static bool check_failure(const rg_context *ctx, rg_status status, const char *name)
{
    bool holds = test_check(status == RG_ERR_MEMORY, name, 0, "status is RG_ERR_MEMORY");
    holds &= test_check(rg_last_error(ctx)->message[0] != '\0', name, 0, "a message is set");
    holds &= test_check(rg_last_error(ctx)->remedy[0] != '\0', name, 0, "a remedy is set");
    return holds;
}

/* One run; *hit: the failure took place.  Returns whether all checks held. */
static bool run_once(const char *name, fault_action *action, void *user, fault_allocator *a,
                     bool *hit)
{
    rg_context *ctx = NULL;
    rg_status status = rg_context_create_with(fault_realloc, a, &ctx);
    bool holds = true;

    if (ctx != NULL) {
        status = action(ctx, user);
        *hit = a->fail_at > 0 && a->count >= a->fail_at;
        if (status < 0 && *hit) holds = check_failure(ctx, status, name);
        if (!*hit) holds = test_check(status >= 0, name, 0, "succeeds without a fault");
        rg_context_destroy(&ctx);
    } else {
        *hit = true;
        holds = test_check(status == RG_ERR_MEMORY, name, 0, "no context: RG_ERR_MEMORY");
    }
    return holds && test_check(a->live == 0, name, 0, "nothing leaks");
}

int64_t fault_run(const char *name, fault_action *action, void *user)
{
    enum { ALL_UP_TO = 200, RELATIVE = 50 };
    const int share = test_share();

    for (int64_t n = 1;; n += share * (n < ALL_UP_TO ? 1 : n / RELATIVE)) {
        fault_allocator a = {.fail_at = n};
        bool hit = false;
        if (!run_once(name, action, user, &a, &hit)) {
            test_int(n, 0, name, 0, "failing allocation");
            return a.count;
        }
        if (!hit) return a.count;
    }
}
