/* The force of the constraints on every x, as columns of a run: -B y of x' = f - B y (x'' of second
 * order), for models in that form (views/semi/semi.h). */
#ifndef RG_IVP_FORCES_H
#define RG_IVP_FORCES_H

#include "ivp/integrator.h"
#include "solution/solution.h"

typedef struct rg_force_columns rg_force_columns;

/* The columns of a run; *out stays NULL where the model has another form.  They end with *out. */
rg_status rg_force_columns_create(rg_integrator *g, const rg_problem *p, rg_forces *forces,
                                  rg_force_columns **out);
/* atol/rtol of column k. */
double rg_force_columns_unit(const rg_force_columns *c, const rg_options *o, int64_t k);
void rg_force_columns_destroy(rg_force_columns **c);

#endif
