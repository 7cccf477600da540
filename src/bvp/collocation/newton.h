/* Damped Newton iteration with affine-invariant monitoring for the collocation equations. */
#ifndef RG_BVP_COLLOCATION_NEWTON_H
#define RG_BVP_COLLOCATION_NEWTON_H

#include "bvp/collocation/condensed.h"

typedef struct {
    double floor; /* values below this count as this large in the norm: atol/rtol */
    double tol;   /* of the last correction, relative to the largest value of every state */
    double local; /* the same, relative to floor + |x| at its own mesh point */
    int most;     /* iterations */
} rg_newton_control;

typedef struct {
    int n_iterations;
    double last;         /* relative size of the last correction                             */
    double conditioning; /* see rg_condensed_conditioning */
    double noise;        /* see rg_condensed_noise */
} rg_newton_outcome;

/* Improves it in place.  RG_RETRY: it did not converge; `it` is as before. */
rg_status rg_collocate(rg_bvp_form *f, rg_bvp_conditions *c, const rg_newton_control *control,
                       rg_curve *it, rg_stats *stats, rg_newton_outcome *outcome);

#endif
