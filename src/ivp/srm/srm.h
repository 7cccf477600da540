/* Sequential regularization (SRM) of constrained systems of index 2 and 3, with fixed or chosen
 * steps, and its rivals: Baumgarte's stabilization, penalty methods, the augmented Lagrangian
 * method, Park and Chiou's, invariant stabilization, post-stabilization. doc/methods/srm.md has
 * the formulas.
 *
 * Sources: Ascher, Lin, Sequential regularization methods for higher index DAEs with constraint
 * singularities: I. Linear index-2 case (1993): "L"; the same for nonlinear higher index DAEs
 * (1995): "N". */
#ifndef RG_IVP_SRM_SRM_H
#define RG_IVP_SRM_SRM_H

#include "ivp/method.h"
#include "ivp/srm/core.h"

extern const rg_ivp_method rg_srm_method, rg_baumgarte_method, rg_penalty_method,
    rg_invariant_method, rg_post_method, rg_park_chiou_method, rg_augmented_method;

/* Variants of a method, by its name. */
int rg_srm_row_count(const char *method); /* 0: none */
rg_variant_info rg_srm_row_at(const char *method, int k);

/* --y0 with expressions of time, as equations u_k = expression_k, one for all multipliers or one
 * for each; *y0 stays NULL where it is a word.  output.c */
rg_status rg_srm_read_y0(const rg_problem *p, const rg_options *o, rg_problem **y0);
/* Columns of the forces; the core must outlive the writing of the solution. */
rg_status rg_srm_core_attach(rg_srm_core *c, rg_solution *solution);

#endif
