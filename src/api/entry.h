/* The first thing that a public call does. */
#ifndef RG_API_ENTRY_H
#define RG_API_ENTRY_H

#include "problem/problem.h"

/* Clears the error of the context.  RG_ERR_ARGUMENT, naming the function, when not all pointers
 * are there; without a context (NULL) there is no place for a message. */
rg_status rg_enter(rg_context *ctx, bool has_all, const char *function);
/* The same for calls that change a problem: others may be reading one that is shared. */
rg_status rg_enter_change(const rg_problem *p, bool has_all, const char *function);

#endif
