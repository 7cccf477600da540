/* Named values of a model (outputs, exact solutions), evaluated at points z = (y, y') of a
 * solution. */
#ifndef RG_SOLUTION_VALUES_H
#define RG_SOLUTION_VALUES_H

#include "linalg/pattern.h"
#include "solution/layout.h"

typedef struct rg_values rg_values;

/* Rows: the iterations of list[0], list[1], ...  The problem and the layout must outlive the
 * result.  RG_ERR_METHOD when a value needs a derivative that the layout does not have. */
rg_status rg_values_create(const rg_problem *p, int n, const rg_value *list,
                           const rg_layout *layout, rg_values **out);
void rg_values_destroy(rg_values **values);
int64_t rg_values_count(const rg_values *values);
/* Entries that cannot be evaluated here are not finite. */
rg_status rg_values_eval(const rg_values *values, double t, const double *z, double *out);
/* dP/dz, compiled at the first call: which entries there are, and their values at a point, valid
 * until the next call; those that cannot be evaluated here are not finite. */
rg_status rg_values_jacobian(rg_values *values, double t, const double *z,
                             const rg_pattern **pattern, const double **J);

#endif
