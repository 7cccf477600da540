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

typedef struct { /* a row of a variant table, for `regula methods srm` and `... penalty` */
    const char *name, *equations, *text;
    int index;
} rg_srm_row;
int rg_srm_row_count(const char *method); /* 0: none */
rg_srm_row rg_srm_row_at(const char *method, int k);

/* What was chosen for the user ("" where the method is none of these), and what he should be
 * warned of ("": nothing). */
const char *rg_srm_choice(const rg_integrator *g);
const char *rg_srm_warning(const rg_integrator *g);
/* --y0: the iterate 0 as expressions of time, the equations u_k = expression of *y0, one for all
 * multipliers or one for each.  Before the first step; takes *y0.  RG_ERR_METHOD: a wrong
 * number, or a value that is not finite. */
rg_status rg_srm_set_y0(rg_integrator *g, rg_problem **y0);
/* Its core; NULL where the method is none of these. */
rg_srm_core *rg_srm_core_of(const rg_integrator *g);
/* Passages through places where G B lost rank, in the order of the run. */
int64_t rg_srm_passages(const rg_integrator *g, const rg_singular **out);

#endif
