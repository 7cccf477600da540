/* Makes and destroys contexts; asks a run to stop. */
#include "base/context.h"

#include "base/crew.h"

#include <string.h>

const char *rg_version(void)
{
    return RG_VERSION;
}

rg_status rg_context_create(rg_context **out)
{
    return rg_context_create_with(rg_default_realloc, NULL, out);
}

/* One that a thread may take again. */
static bool init_lock(pthread_mutex_t *lock)
{
    pthread_mutexattr_t kind;

    if (pthread_mutexattr_init(&kind) != 0) return false;
    bool is_good = pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE) == 0;
    is_good = is_good && pthread_mutex_init(lock, &kind) == 0;
    pthread_mutexattr_destroy(&kind);
    return is_good;
}

rg_status rg_context_create_with(rg_realloc_fn *allocate, void *user, rg_context **out)
{
    if (out == NULL) return RG_ERR_ARGUMENT;
    *out = NULL;
    if (allocate == NULL) return RG_ERR_ARGUMENT;
    rg_context *ctx = allocate(NULL, sizeof *ctx, user);
    if (ctx == NULL) return RG_ERR_MEMORY;
    memset(ctx, 0, sizeof *ctx);
    if (!init_lock(&ctx->leavings_lock)) {
        allocate(ctx, 0, user);
        return RG_ERR_MEMORY;
    }
    atomic_init(&ctx->interrupted, 0);
    ctx->home = ctx;
    ctx->allocate = allocate;
    ctx->allocate_user = user;
    rg_clear_error(ctx);
    *out = ctx;
    return RG_OK;
}

rg_status rg_context_create_beside(rg_context *from, rg_context **out)
{
    RG_TRY(rg_context_create_with(from->allocate, from->allocate_user, out));
    (*out)->home = from->home;
    return RG_OK;
}

void rg_context_interrupt(rg_context *ctx)
{
    if (ctx != NULL) atomic_store(&ctx->interrupted, 1);
}

bool rg_interrupted(const rg_context *ctx)
{
    return atomic_load(&ctx->interrupted) != 0;
}

void rg_context_destroy(rg_context **ctx)
{
    if (ctx == NULL || *ctx == NULL) return;
    rg_crew_end(*ctx);
    pthread_mutex_destroy(&(*ctx)->leavings_lock);
    (*ctx)->allocate(*ctx, 0, (*ctx)->allocate_user);
    *ctx = NULL;
}
