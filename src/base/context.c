/* Makes and destroys contexts; asks a run to stop. */
#include "base/context.h"

#include <string.h>

const char *rg_version(void)
{
    return RG_VERSION;
}

rg_status rg_context_create(rg_context **out)
{
    return rg_context_create_with(rg_default_realloc, NULL, out);
}

rg_status rg_context_create_with(rg_realloc_fn *allocate, void *user, rg_context **out)
{
    if (out == NULL) return RG_ERR_ARGUMENT;
    *out = NULL;
    if (allocate == NULL) return RG_ERR_ARGUMENT;
    rg_context *ctx = allocate(NULL, sizeof *ctx, user);
    if (ctx == NULL) return RG_ERR_MEMORY;
    memset(ctx, 0, sizeof *ctx);
    atomic_init(&ctx->interrupted, 0);
    ctx->allocate = allocate;
    ctx->allocate_user = user;
    rg_clear_error(ctx);
    *out = ctx;
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
    (*ctx)->allocate(*ctx, 0, (*ctx)->allocate_user);
    *ctx = NULL;
}
