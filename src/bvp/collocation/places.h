/* Isolated points inside the interval where dF/dw is singular: the constraints lose rank there.
 *
 * x stays smooth through such a point t*, while an algebraic unknown may not exist there.
 * Collocation passes it when no collocation point is close, and when it lies well in its
 * interval: with a pivot that vanishes like t - t*, the constraint's error z has  ((t - t*)
 * z)' = 0  at the collocation points, a polynomial that vanishes at t* and at the left end
 * unless  int_0^v prod (u - c_j) du = 0,  v: the place of t* in the interval. */
#ifndef RG_BVP_COLLOCATION_PLACES_H
#define RG_BVP_COLLOCATION_PLACES_H

#include "bvp/collocation/profile.h"

enum { RG_PLACES_MOST = 32 };

typedef struct {
    int n;
    rg_singular place[RG_PLACES_MOST]; /* along the interval */
    double h[RG_PLACES_MOST];          /* lengths of the intervals around them */
    bool is_everywhere;                /* dF/dw is singular wherever one looks */
} rg_places;

/* Looks at det dF/dw along a profile; points that are known already (to a tenth of their interval)
 * keep their h, others have that of the mesh. */
rg_status rg_places_find(rg_bvp_form *f, const rg_profile *from, int64_t N, const double *t,
                         rg_places *places);
/* The same for every form.  Places of an ODE are none that constraints make, and not passed. */
rg_status rg_places_scan(rg_bvp_form *f, const rg_profile *from, int64_t N, const double *t,
                         rg_places *places);
/* Does dF/dw lose rank on the way?  A look at the mesh points only. */
rg_status rg_places_glance(rg_bvp_form *f, const rg_profile *from, int64_t N, const double *t,
                           bool *is_any);
/* Do the mesh intervals made for `made` serve the places of `now`? */
bool rg_places_agree(const rg_places *made, const rg_places *now);
/* Number of the place inside the interval from a to b; -1: none. */
int rg_places_inside(const rg_places *places, double a, double b);
/* The best place v in (0, 1) for both rules. */
double rg_places_offset(const rg_rule *low, const rg_rule *high);
/* Gives every place an interval from t* - v h to t* + (1 - v) h.  Nodes stay mesh points: h may
 * shrink for them. */
rg_status rg_places_move_mesh(rg_context *ctx, rg_places *places, double v, int n_nodes,
                              const double *node, int64_t *N, double **t);

#endif
