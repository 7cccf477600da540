/* The boundary conditions of a linear model as rows:  sum_i C_i y(t_i) + D_i y'(t_i) = g. */
#ifndef RG_BVP_TRANSFER_ROWS_H
#define RG_BVP_TRANSFER_ROWS_H

#include "bvp/transfer/curve.h"
#include "bvp/transfer/field.h"
#include "views/linear/linear.h"

typedef struct {
    rg_context *ctx;
    int n_points, n_rows, m;
    double *point;
    double
        *row;  /* row i: (C_1 D_1 C_2 D_2 ...), 2 m n_points numbers from row + i (2 m n_points) */
    double *g; /* n_rows */
    rg_span *span; /* text of each row; start = end: a start value */
} rg_transfer_rows;

/* `boundary` lines and, at the start of the interval, values that are to be kept.  Conditions b = 0
 * that are not linear: C = db/dy at the curve `frozen`, g = C y - b(y) at the curve `now`; NULL:
 * linear, at 0. */
rg_status rg_transfer_rows_create(const rg_problem *p, const rg_states *states,
                                  const rg_transfer_curve *frozen, const rg_transfer_curve *now,
                                  rg_transfer_rows **out);
void rg_transfer_rows_destroy(rg_transfer_rows **c);
/* Unknown j in units of its own. */
void rg_transfer_rows_scale(rg_transfer_rows *c, const double *unit);
/* D_i y' = D_i A^+ (f - B y) wherever D_i P = D_i: rows on values alone.  Refuses other
 * derivatives.  A' is not asked for. */
rg_status rg_transfer_rows_resolve(rg_transfer_rows *c, const rg_problem *p,
                                   rg_coefficients_fn *coefficients, void *user);

#endif
