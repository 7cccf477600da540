/* The force of the constraints on every x, as columns of a run: -B y of x' = f - B y (x'' of second
 * order), for models in that form (views/semi/semi.h). */
#ifndef RG_IVP_FORCES_H
#define RG_IVP_FORCES_H

#include "ivp/integrator.h"
#include "solution/solution.h"

typedef struct rg_force_columns rg_force_columns;

/* Adds the columns to a solution that is written as it is made; *out stays NULL where the model has
 * another form, or says itself what to write, or nothing is written.  The columns end with *out:
 * rg_solution_finish() before. */
rg_status rg_force_columns_create(rg_integrator *g, const rg_problem *p, rg_solution *solution,
                                  rg_force_columns **out);
void rg_force_columns_destroy(rg_force_columns **c);

#endif
