/* What a run tells beside its values. */
#ifndef RG_SOLVE_RUN_TELL_H
#define RG_SOLVE_RUN_TELL_H

#include "solution/solution.h"
#include "solve/solver.h"

/* Method and formulation: before the run, and once more behind it, where another method has taken
 * over. */
void rg_run_sign(const rg_solver *s, rg_solution *out);
/* Singular places, and warnings of what the run could not decide or see. */
rg_status rg_run_tell(const rg_solver *s, rg_solution *out);
/* Outputs without a finite value at the end. */
rg_status rg_run_tell_undefined(const rg_solver *s, const rg_solution *out);

#endif
