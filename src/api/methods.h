/* The method table: one row per method serves dispatch, `regula methods` and the messages. */
#ifndef RG_API_METHODS_H
#define RG_API_METHODS_H

#include "ivp/method.h"

typedef struct {
    const char *name, *solves, *options, *source;
    int max_direct_index;       /* higher: the reduced view */
    int min_stages, max_stages; /* what --stages may ask for; 0: nothing */
    const rg_ivp_method *ivp;   /* how it steps; NULL: a method for boundary values */
} rg_method;

const rg_method *rg_method_find(const char *name); /* NULL: no such method */
/* "auto": the method for this problem. */
const rg_method *rg_method_choose(const rg_problem *p);
/* RG_ERR_ARGUMENT, suggesting the nearest one, unless the name is in the table or "auto". */
rg_status rg_method_check(rg_context *ctx, const char *name);

#endif
