/* Something that has values at every time, a guess or an earlier solution, and how a curve is
 * filled from it. */
#ifndef RG_BVP_COLLOCATION_PROFILE_H
#define RG_BVP_COLLOCATION_PROFILE_H

#include "bvp/form.h"
#include "curve/curve.h"

typedef struct {
    rg_status (*eval)(void *user, double t, double *x, double *xp, double *w);
    void *user;
} rg_profile;

/* Mesh values, slopes and highest derivatives;  X'_k = X_{k+1}  inside chains. */
rg_status rg_profile_fill(rg_curve *it, const rg_bvp_form *f, const rg_profile *from);
/* A curve as a profile (user). */
rg_status rg_profile_of_curve(void *user, double t, double *x, double *xp, double *w);

#endif
