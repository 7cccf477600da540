/* The system Jacobian of a reduced view, n x n, out of its matrices dF/dy and dF/dy': the
 * derivatives of the equations F_i^(c_i) by y_j^(d_j).  (views/leading.h has that of any view,
 * without equations that only give a name.) */
#ifndef RG_VIEWS_TOP_H
#define RG_VIEWS_TOP_H

#include "views/system.h"

typedef struct {
    rg_pattern pattern;
    int64_t *place;    /* of its entries, in the pattern of the view */
    uint8_t *is_slope; /* per column: d_j > 0, entries of dF/dy' */
} rg_top;

rg_status rg_top_init(const rg_system *s, rg_top *top);
void rg_top_clear(rg_context *ctx, rg_top *top);
void rg_top_values(const rg_top *top, const double *Jy, const double *Jyp, double *values);

#endif
