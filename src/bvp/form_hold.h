/* Redundant equations at a solution; see array_hold.c. */
#ifndef RG_BVP_FORM_HOLD_H
#define RG_BVP_FORM_HOLD_H

#include "bvp/collocation/profile.h"

/* RG_ERR_INCONSISTENT: an equation that seemed to follow from the others contradicts them. */
rg_status rg_bvp_form_hold(const rg_bvp_form *f, const rg_curve *it, const rg_profile *guess,
                           double rtol);

#endif
