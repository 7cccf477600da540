/* The rows of F and G of a boundary value form: written equations, differentiated, or
 * combinations of them. */
#ifndef RG_BVP_FORM_ROWS_H
#define RG_BVP_FORM_ROWS_H

#include "bvp/form.h"

/* G (is_invariant) or F.  *out is zero before; rg_form_rows_clear() also after a failure. */
rg_status rg_form_rows_init(const rg_bvp_form *f, bool is_invariant, rg_form_rows *out);
void rg_form_rows_clear(rg_context *ctx, rg_form_rows *r);
int64_t rg_form_rows_columns(const rg_bvp_form *f); /* of z; those from nz on are 0 */
rg_status rg_form_rows_residual(rg_form_rows *r, double t, const double *z, double *F);
/* The Jacobian stays in r, for rg_form_rows_spread().  RG_ERR_METHOD: a derivative does not
 * cancel here. */
rg_status rg_form_rows_jacobian(const rg_bvp_form *f, rg_form_rows *r, double t, const double *z,
                                double *F);
/* Its columns first .. first+count-1, dense, column-major. */
void rg_form_rows_spread(const rg_form_rows *r, int first, int count, double *out);
/* RG_ERR_METHOD: the index comes from combinations of equations, `what`. */
rg_status rg_form_fail_combined(const rg_problem *p, const rg_analysis *a, const char *what);

#endif
