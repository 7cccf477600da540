/* The form of a model on half the cells per axis. */
#ifndef RG_SOLVE_GRID_HALF_H
#define RG_SOLVE_GRID_HALF_H

#include "pdae/form/form.h"

typedef struct { /* shares all with the original but grid, data and wells */
    rg_form form;
    rg_well *wells;
    rg_field_data *data;
    double *edges;
} rg_grid_half;

/* *possible is false where an axis has an odd number of cells, or solids are in the way. */
rg_status rg_grid_half_create(const rg_form *form, rg_grid_half *out, bool *possible);
void rg_grid_half_destroy(rg_context *ctx, rg_grid_half *h);

#endif
