/* Errors of fields against their exact solutions, and the residual of the constraints. */
#ifndef RG_PDAE_FORM_MEASURE_H
#define RG_PDAE_FORM_MEASURE_H

#include "pdae/form/form.h"
#include "solution/grid.h"

/* Arrays of all fields, the first axis fastest: leaf[l] of a scalar has the cells, of a component
 * all faces across its axis (rg_points_packed of cells or faces). */
typedef struct rg_measure rg_measure;

rg_status rg_measure_create(const rg_form *form, rg_measure **out);
void rg_measure_destroy(rg_measure **m);
/* Puts the values that sides give at time t on the faces there. */
rg_status rg_measure_sides(rg_measure *m, double t, double *const *leaf);
/* Compares at time t; the largest errors so far go to `out`, and so does |div u - q|. */
rg_status rg_measure_take(rg_measure *m, double t, const double *const *leaf, rg_grid_facts *out);

#endif
