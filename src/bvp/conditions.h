/* Boundary conditions as equations in the values at points: 0 = c(z_1, ..., z_P), z_k = (x,
 * w)(points[k]).
 *
 * Rows: the boundary lines in their order, then the start values to be kept (var x = 1), as
 * conditions at the start. */
#ifndef RG_BVP_CONDITIONS_H
#define RG_BVP_CONDITIONS_H

#include "bvp/form.h"

typedef struct {
    rg_context *ctx;
    const rg_bvp_form *form;
    int n_points;
    double *point; /* in the direction of the interval; the first is its start, the last its end */
    int n_lines, n_rows;
    rg_problem *auxiliary; /* the lines as a problem whose unknowns are those at all points */
    rg_assembly *lines;
    rg_assembly_work *work;
    int *kept_unknown, *kept_order; /* per row behind the lines */
    double *kept_value;
    uint8_t *is_dropped;  /* per row: follows from the constraints */
    double *z, *J, *full; /* workspace; full: n_rows values */
} rg_bvp_conditions;

rg_status rg_bvp_conditions_create(const rg_bvp_form *f, double a, double b,
                                   rg_bvp_conditions **out);
void rg_bvp_conditions_destroy(rg_bvp_conditions **conditions);
int rg_bvp_conditions_count(const rg_bvp_conditions *c); /* rows that are not dropped */
/* Values of all rows (dropped ones too) at z (n_points times nz), and their Jacobian, row-major
 * n_rows x (n_points nz); J may be NULL. */
rg_status rg_bvp_conditions_eval(rg_bvp_conditions *c, const double *z, double *values, double *J);
/* "line 13" or "x = 1 at the start"; span of its text, for messages. */
int rg_bvp_condition_name(const rg_bvp_conditions *c, int row, char *buffer, int size);
bool rg_bvp_condition_span(const rg_bvp_conditions *c, int row, rg_span *out);

#endif
