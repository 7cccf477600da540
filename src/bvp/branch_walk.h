/* Parts of equations along a guess or a solution. */
#ifndef RG_BVP_BRANCH_WALK_H
#define RG_BVP_BRANCH_WALK_H

#include "bvp/collocation/profile.h"
#include "solution/layout.h"

typedef struct {
    rg_bvp_form *f;
    const rg_profile *from;
    rg_layout *layout;
    int64_t n_times;
    double *time; /* to be filled by the caller */
    double *x, *xp, *w, *z;
} rg_walk;

rg_status rg_walk_init(rg_bvp_form *f, const rg_profile *from, int64_t n_times, rg_walk *out);
void rg_walk_clear(rg_walk *w);
/* Largest |value| of a node over iterations and times; infinite where it cannot be evaluated. */
rg_status rg_walk_largest(rg_walk *w, const rg_body *body, rg_node node, double *out);
/* dF/dw, at every time? */
rg_status rg_walk_is_singular(rg_walk *w, bool *out);

#endif
