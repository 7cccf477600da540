/* More constraints than unknowns to hold: redundant constraints that structure alone cannot place.
 *
 * A mechanism with f degrees of freedom and more than f redundant constraints has more constraints
 * than coordinates, and as many multipliers too many: no transversal is complete.  Where the
 * surplus equations constrain unknowns whose derivatives occur, and the surplus unknowns are such
 * multipliers, each pair is matched as if the one occurred in the other; whether the equations
 * are redundant in fact is for the derivative array to say. */
#ifndef RG_STRUCTURE_SURPLUS_H
#define RG_STRUCTURE_SURPLUS_H

#include "structure/analysis.h"

/* a->transversal, incomplete, is replaced by a complete one if this may be; *count: pairs
 * without an entry, 0: it was not. */
rg_status rg_surplus_match(const rg_problem *p, rg_analysis *a, int64_t *count);
/* Is the row matched with an unknown that does not occur in it? */
bool rg_surplus_is(const rg_signature *s, const rg_transversal *t, int64_t row);

#endif
