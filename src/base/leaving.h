/* What a run that does not answer leaves behind, and who puts it in order: files that are being
 * written, temporary folders, processes.  See rg_context_abandon() in regula.h. */
#ifndef RG_BASE_LEAVING_H
#define RG_BASE_LEAVING_H

#include "base/base.h"

/* Called by another thread than the one at work, which goes on: touches nothing but what is held
 * (below).  `note`: what the user should know, behind what is there; or nothing. */
typedef void rg_leave_fn(void *user, char *note, size_t size);

typedef struct rg_leaving {
    struct rg_leaving *next;
    rg_leave_fn *leave;
    void *user;
} rg_leaving;

/* Both accept a second call. */
void rg_leaving_add(rg_context *ctx, rg_leaving *l, rg_leave_fn *leave, void *user);
void rg_leaving_remove(rg_context *ctx, rg_leaving *l);
/* Between the two nothing is abandoned: names and states of files change together.  May be nested.
 * After rg_context_abandon() rg_leaving_hold() does not return. */
void rg_leaving_hold(rg_context *ctx);
void rg_leaving_release(rg_context *ctx);

#endif
