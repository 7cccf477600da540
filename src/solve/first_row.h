/* The row at the start of a run: what the equations do not tell there, from the first step. */
#ifndef RG_SOLVE_FIRST_ROW_H
#define RG_SOLVE_FIRST_ROW_H

#include "solution/solution.h"
#include "solve/solver.h"

/* s->y and s->yp hold the start; y' is NaN where nothing is known.  is_row: values of the start are
 * written.  *doubt: how far off one is that was taken from the step, relative to atol/rtol + |y|; a
 * warning says so.  A value that does not exist becomes NaN. */
rg_status rg_first_row_complete(const rg_solver *s, const rg_solution_step *step, bool is_row,
                                double *doubt);

#endif
