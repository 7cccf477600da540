/* What sequential regularization and its rivals add to a solution. */
#ifndef RG_API_REGULARIZE_H
#define RG_API_REGULARIZE_H

#include "api/solver.h"
#include "solution/solution.h"

/* Behind the creation of the integrator: --y0 with expressions. */
rg_status rg_regularize_begin(rg_solver *s);
/* Before the run: forces for the CSV file, what was chosen, a warning. */
rg_status rg_regularize_attach(rg_solver *s, rg_solution *solution);
/* Behind it: singular places that were passed. */
rg_status rg_regularize_finish(const rg_solver *s, rg_solution *solution);

#endif
