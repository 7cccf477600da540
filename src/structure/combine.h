/* Hidden constraints that are combinations of equations with constant factors: for models too large for a derivative array. */
#ifndef RG_STRUCTURE_COMBINE_H
#define RG_STRUCTURE_COMBINE_H

#include "structure/analysis.h"

/* Replaces equations by combinations until the system Jacobian is regular.  is_found: then index, dof, c, d and
 * variable_index of a are those of the combined system, with c and d large enough for the written equations. */
rg_status rg_combine(const rg_problem *p, rg_analysis *a, bool *is_found);

#endif
