/* The form of a model on half the cells per axis. */
#ifndef RG_SOLVE_GRID_HALF_H
#define RG_SOLVE_GRID_HALF_H

#include "pdae/form/form.h"

typedef struct { /* shares all with the original but grid, data and wells */
    rg_form form;
    rg_well *wells;
    rg_field_data *data;
    double *edges;
    unsigned char *solid;
    double ratio; /* the smallest one of the cell widths over the halved axes */
} rg_grid_half;

/* Axes of odd numbers of cells get one more than half, axes of very few cells keep them.
 * *possible is false where no axis can be halved, or a well would be inside a solid. */
rg_status rg_grid_half_create(const rg_form *form, rg_grid_half *out, bool *possible);
void rg_grid_half_destroy(rg_context *ctx, rg_grid_half *h);

#endif
