/* Puts in order what a run leaves that does not answer. */
#include "base/leaving.h"

#include "base/context.h"

#include <time.h>

void rg_leaving_hold(rg_context *ctx)
{
    pthread_mutex_lock(&ctx->home->leavings_lock);
}

void rg_leaving_release(rg_context *ctx)
{
    pthread_mutex_unlock(&ctx->home->leavings_lock);
}

static rg_leaving **find(rg_context *home, const rg_leaving *l)
{
    rg_leaving **at = &home->leavings;

    while (*at != NULL && *at != l)
        at = &(*at)->next;
    return at;
}

void rg_leaving_add(rg_context *ctx, rg_leaving *l, rg_leave_fn *leave, void *user)
{
    rg_leaving_hold(ctx);
    if (*find(ctx->home, l) == NULL) {
        *l = (rg_leaving){ctx->home->leavings, leave, user};
        ctx->home->leavings = l;
    }
    rg_leaving_release(ctx);
}

void rg_leaving_remove(rg_context *ctx, rg_leaving *l)
{
    rg_leaving_hold(ctx);
    rg_leaving **at = find(ctx->home, l);
    if (*at != NULL) *at = l->next;
    rg_leaving_release(ctx);
}

/* Whoever holds it writes a file, and is soon done unless the disk is. */
static bool hold_soon(rg_context *home)
{
    enum { TRIES = 50 };

    for (int k = 0; k < TRIES; k++) {
        if (pthread_mutex_trylock(&home->leavings_lock) == 0) return true;
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return false;
}

void rg_context_abandon(rg_context *ctx, char *note, int size)
{
    char unused[1];

    if (note == NULL || size <= 0) {
        note = unused;
        size = 1;
    }
    note[0] = '\0';
    if (ctx == NULL || !hold_soon(ctx->home)) return;
    for (const rg_leaving *l = ctx->home->leavings; l != NULL; l = l->next)
        l->leave(l->user, note, (size_t)size);
}
