/* Digits of algebraic unknowns that the rounding of their equations takes away.
 *
 * Where the factor of y in an algebraic equation passes 0,  x^3 y = (x^3 - 1) s + s,  the equation
 * determines y up to its rounding over that factor.  Both runs of an estimate see the same
 * equations with the same rounding: no comparison of them shows it.  Steps that are as short as
 * such a place, because y changes in it, are looked at: what y has lost at their ends, and what the
 * states that y drives have got of it meanwhile. */
#ifndef RG_SOLVE_LOST_H
#define RG_SOLVE_LOST_H

#include "solution/solution.h"
#include "solve/solver.h"

typedef struct rg_lost rg_lost;

/* *out is NULL where there is no equation without derivatives in which the factors of all unknowns
 * vary. */
rg_status rg_lost_create(const rg_solver *s, rg_lost **out);
void rg_lost_destroy(rg_lost **lost);
void rg_lost_forget(rg_lost *l);
void rg_lost_store(rg_lost *l, rg_store *s); /* for checkpoints */
/* Behind a step from t0 to `now`; has_row: a row is in it. */
rg_status rg_lost_look(rg_lost *l, const rg_solver *s, double t0, const rg_state *now,
                       bool has_row);
/* The estimate of the run includes what was lost; a warning where that is the reason for it. */
rg_status rg_lost_tell(const rg_lost *l, const rg_solver *s, rg_solution *out);

#endif
