/* The equations with held branches (switches.h): one body after the other is written anew. */
#ifndef RG_VIEWS_HOLD_H
#define RG_VIEWS_HOLD_H

#include "views/switches.h"

/* Fills n, held, auxiliary, kind, jumps and nodes; to be released in any case. */
rg_status rg_switches_hold(const rg_problem *p, rg_switches *s);
void rg_switches_release(rg_context *ctx, rg_switches *s);

#endif
