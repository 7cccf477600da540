/* What the study of a problem keeps: its analysis and consistent start values. */
#ifndef RG_API_CACHE_H
#define RG_API_CACHE_H

#include "newton/consistent.h"

/* Computes them once; RG_ERR_METHOD for boundary value problems. */
rg_status rg_start_get(const rg_problem *p, const rg_analysis *a, const rg_consistent **out);
/* Boundary value problems: conditions, with `=` start values among them.  Fewer than degrees of freedom are refused. */
int64_t rg_condition_count(const rg_problem *p);
rg_status rg_check_conditions(rg_problem *p);
/* What is known, without computing anything: NULL where nothing is known. */
const rg_consistent *rg_start_known(const rg_problem *p);
const rg_analysis *rg_analysis_known(const rg_problem *p);

#endif
