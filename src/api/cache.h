/* Conditions of boundary value problems, as the analysis counts and checks them. */
#ifndef RG_API_CACHE_H
#define RG_API_CACHE_H

#include "newton/consistent.h"

/* Conditions, with `=` start values among them. */
int64_t rg_condition_count(const rg_problem *p);
/* Fewer than degrees of freedom are refused. */
rg_status rg_check_conditions(rg_problem *p);

#endif
