/* Hidden constraints that are combinations of equations with constant factors: for models too
 * large for a derivative array. */
#ifndef RG_STRUCTURE_COMBINE_H
#define RG_STRUCTURE_COMBINE_H

#include "structure/analysis.h"
#include "structure/combine_rows.h"

/* Replaces equations by combinations until the system Jacobian is regular.  is_found: then index,
 * dof, c, d and variable_index of a are those of the combined system, with c and d large enough
 * for the written equations. */
rg_status rg_combine(const rg_problem *p, rg_analysis *a, bool *is_found);
/* The combinations themselves, one per equation, and the offsets of the system they make,
 * equivalent to the written one.  NULL, both: none were found.  To be freed with
 * rg_rows_destroy() and rg_transversal_destroy(). */
rg_status rg_combine_find(const rg_problem *p, rg_rows **rows, rg_transversal **t);

#endif
