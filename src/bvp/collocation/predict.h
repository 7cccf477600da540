/* A guess for the next parameter value of a continuation, from two solutions: layers move and
 * become thinner. */
#ifndef RG_BVP_COLLOCATION_PREDICT_H
#define RG_BVP_COLLOCATION_PREDICT_H

#include "bvp/collocation/profile.h"

/* before, now: solutions for q1 and q2, q the parameter or its inverse, whichever goes to 0; the
 * guess is for q.  *out, NULL where nothing can be said: `now` on a mesh that has moved on as it
 * did from `before`. */
rg_status rg_predict(const rg_bvp_form *f, const rg_curve *before, const rg_curve *now,
                     const double q[3], rg_curve **out);

#endif
