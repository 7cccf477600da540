/* Memory through the allocator of a context: checked for overflow, zeroed, with a message. */
#define _DEFAULT_SOURCE /* madvise() */
#include "base/context.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

double rg_machine_memory(void)
{
    const double there = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    struct rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return there;
    return there < (double)limit.rlim_cur ? there : (double)limit.rlim_cur;
}

/* The standard allocator behind the interface of rg_realloc_fn. */
void *rg_default_realloc(void *pointer, size_t size, void *user)
{
    (void)user;
    if (size > 0) return realloc(pointer, size);
    free(pointer);
    return NULL;
}

static void fail_memory(rg_context *ctx, size_t count, size_t size)
{
    rg_fail(ctx, RG_ERR_MEMORY, "out of memory: %.6g bytes are not available",
            (double)count * (double)size);
    rg_remedy(ctx, "make the model smaller, keep fewer output points, or free memory");
}

/* Bytes of an array, at least one; false: more than a size_t, or than a pointer difference,
 * holds. */
static bool array_bytes(size_t count, size_t size, size_t *bytes)
{
    if (size != 0 && count > (size_t)PTRDIFF_MAX / size) return false;
    *bytes = count * size > 0 ? count * size : 1;
    return true;
}

/* Large blocks come zeroed from the system with calloc.  For small ones it is the slow way: malloc
 * of glibc keeps blocks up to this size at hand for each thread, calloc does not ask for them. */
enum { SMALL = 1024 };

/* Blocks that fill more than half of a huge page begin with one where Linux grants it: a fault for
 * 2 MB, not for each 4 kB; the last one may reach beyond the block by less than half of it.
 * Malloc's note of the size would be on the first page, so such a block is aligned; pages that were
 * in use before are given back, and come zeroed when they are needed again. */
enum { HUGE_PAGE = 2 << 20 };

static void *alloc_large(size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), tail = bytes % HUGE_PAGE,
                 room = tail > HUGE_PAGE / 2 ? bytes + (HUGE_PAGE - tail) : bytes,
                 pages = room - room % page;
    void *block = NULL;

    if (posix_memalign(&block, HUGE_PAGE, room) != 0) return NULL;
    (void)madvise(block, pages, MADV_HUGEPAGE);
    const size_t zeroed = madvise(block, pages, MADV_DONTNEED) == 0 ? pages : 0;
    memset((char *)block + zeroed, 0, room - zeroed);
    return block;
#else
    return calloc(1, bytes);
#endif
}

void *rg_alloc(rg_context *ctx, size_t count, size_t size)
{
    size_t bytes;
    void *pointer = NULL;

    if (array_bytes(count, size, &bytes)) {
        if (ctx->allocate == rg_default_realloc && bytes > SMALL) {
            pointer = bytes > HUGE_PAGE / 2 ? alloc_large(bytes) : calloc(1, bytes);
        } else {
            pointer = ctx->allocate(NULL, bytes, ctx->allocate_user);
            if (pointer != NULL) memset(pointer, 0, bytes);
        }
    }
    if (pointer == NULL) fail_memory(ctx, count, size);
    return pointer;
}

void *rg_resize(rg_context *ctx, void *pointer, size_t count, size_t size)
{
    size_t bytes;
    void *moved = NULL;

    if (array_bytes(count, size, &bytes)) moved = ctx->allocate(pointer, bytes, ctx->allocate_user);
    if (moved == NULL) fail_memory(ctx, count, size);
    return moved;
}

void rg_free(rg_context *ctx, void *pointer)
{
    if (pointer != NULL) ctx->allocate(pointer, 0, ctx->allocate_user);
}

char *rg_copy_text(rg_context *ctx, const char *text, size_t length)
{
    if (length == SIZE_MAX) length--; /* refused by rg_alloc */
    char *copy = rg_alloc(ctx, length + 1, 1);
    if (copy != NULL && length > 0) memcpy(copy, text, length);
    return copy;
}

/* `array` is the address of a T *; memcpy reads and writes it without knowing T. */
rg_status rg_grow(rg_context *ctx, void *array, int64_t count, int64_t *capacity, size_t size)
{
    enum { FIRST = 16 };
    void *pointer;

    if (count < *capacity) return RG_OK;
    int64_t wanted = count < FIRST / 2 ? FIRST : 0;
    if (wanted == 0) wanted = count <= INT64_MAX / 2 ? 2 * count : INT64_MAX;
    memcpy(&pointer, array, sizeof pointer);
    void *moved = rg_resize(ctx, pointer, (size_t)wanted, size);
    if (moved == NULL) return RG_ERR_MEMORY;
    memcpy(array, &moved, sizeof moved);
    *capacity = wanted;
    return RG_OK;
}
