/* The first thing that a public call does. */
#ifndef RG_API_ENTRY_H
#define RG_API_ENTRY_H

#include "base/base.h"

/* Clears the error of the context.  RG_ERR_ARGUMENT, naming the function, when not all pointers are there; without a
 * context (NULL) there is no place for a message. */
rg_status rg_enter(rg_context *ctx, bool has_all, const char *function);

#endif
