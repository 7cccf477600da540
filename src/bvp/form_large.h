/* The form of a large model with sparse Jacobians: its entries, and w from x by sparse factors. */
#ifndef RG_BVP_FORM_LARGE_H
#define RG_BVP_FORM_LARGE_H

#include "bvp/form.h"

/* Decides f->is_large; RG_ERR_METHOD: too large for full matrices, which it would need. */
rg_status rg_form_large_init(rg_bvp_form *f);
/* Singular places are passed with full matrices, as long as there is room for them. */
void rg_form_large_leave(rg_bvp_form *f);
void rg_form_large_clear(rg_bvp_form *f);
/* F or (is_invariant) G at (t, x, w), and the Jacobian in the order of the pattern, whose
 * columns are x, then w. */
rg_status rg_form_large_entries(rg_bvp_form *f, bool is_invariant, double t, const double *x,
                                const double *w, double *F, const double **J);
const rg_pattern *rg_form_large_pattern(const rg_bvp_form *f, bool is_invariant);
/* As rg_bvp_form_solve(). */
rg_status rg_form_large_solve(rg_bvp_form *f, double t, const double *x, double *w);

#endif
