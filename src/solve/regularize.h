/* What sequential regularization and its rivals add to a solution. */
#ifndef RG_SOLVE_REGULARIZE_H
#define RG_SOLVE_REGULARIZE_H

#include "ivp/srm/srm.h"
#include "solution/solution.h"
#include "solve/solver.h"

/* --y0 with expressions of time, as equations u_k = expression_k; *y0 stays NULL where it is a
 * word. */
rg_status rg_regularize_read_y0(rg_problem *p, const rg_options *o, rg_problem **y0);
/* Behind the creation of the integrator: the same for it. */
rg_status rg_regularize_begin(rg_solver *s);
/* Forces for the CSV file; the core must outlive the writing of the solution. */
rg_status rg_regularize_forces(rg_srm_core *c, rg_solution *solution);
/* Before the run: forces for the CSV file, what was chosen, a warning. */
rg_status rg_regularize_attach(rg_solver *s, rg_solution *solution);
/* Behind it: singular places that were passed. */
rg_status rg_regularize_finish(const rg_solver *s, rg_solution *solution);

#endif
