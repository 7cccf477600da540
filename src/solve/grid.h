/* A run of a model with fields, behind rg_solve(). */
#ifndef RG_SOLVE_GRID_H
#define RG_SOLVE_GRID_H

#include "solution/solution.h"

/* Does this method work on the grid itself (and not on the expanded equations)? */
bool rg_grid_has_method(const char *method);
/* The name of the one that is asked for; "auto" stands for srm. */
const char *rg_grid_method(const rg_options *o);
/* Like rg_run_solve(). */
rg_status rg_grid_solve(const rg_problem *p, double t_end, const rg_options *o, const rg_request *r,
                        rg_solution **out);

/* The solvers of the linear systems and the time per step, from a few steps on a small copy of the
 * grid; what cannot be had is left as it is. */
void rg_grid_plan(const rg_problem *p, rg_grid_facts *out);

/* A problem with unknowns of these names, so that rows, columns and files are the usual ones. */
rg_status rg_grid_stand_in(const rg_problem *p, int n, const char *const *names, rg_problem **out);
/* That of the outputs of a model with fields. */
rg_status rg_grid_outputs(const rg_problem *p, rg_problem **out);
/* Observed orders in time: rg_order_measure() for a model with fields. */
rg_status rg_grid_order(const rg_problem *p, double t_end, const rg_options *o, int n_steps,
                        const double *steps, rg_orders **out);
/* Observed orders in space: rg_order_intervals() for a model with fields. */
rg_status rg_grid_order_cells(const rg_problem *p, const rg_options *o, int count, const int *cells,
                              rg_orders **out);

#endif
