/* The collocation equations on one mesh, solved by Newton's method. */
#ifndef RG_BVP_COLLOCATION_NEWTON_H
#define RG_BVP_COLLOCATION_NEWTON_H

#include "bvp/collocation/implicit.h"
#include "bvp/newton.h"

typedef struct {
    int n_iterations;
    double rounding;     /* what rounding makes of the solution, if Newton's method ended there */
    int rounded;         /* ... most of all of this component: of x, then of w */
    double conditioning; /* see rg_condensed_conditioning */
    double noise;        /* see rg_condensed_noise: RG_ROUNDING_EQUATIONS, ... */
    double doubt;        /* ... and RG_ROUNDING_FACTORS */
    double slopes;       /* see rg_condensed_slopes, */
    int64_t slopes_at;   /* and where it is largest, of (N + 1) nx */
    double *natural;     /* 2 (nx + n), or NULL: see rg_implicit_natural */
} rg_newton_outcome;

/* Improves `it` in place.  RG_RETRY: it did not converge; `it` may have moved.  outcome->natural is
 * set by the caller; without it noise and doubt are not asked for, and stay 0. */
rg_status rg_collocate(rg_bvp_form *f, rg_bvp_conditions *c, const rg_newton_control *control,
                       rg_curve *it, rg_stats *stats, rg_newton_outcome *outcome);
/* One correction, of an `it` that is nearly a solution; without a look at anything else. */
rg_status rg_collocate_once(rg_bvp_form *f, rg_bvp_conditions *c, rg_curve *it, rg_stats *stats);
/* Noise and doubt at `it`, which need not be a solution: infinity where the matrix is singular, NaN
 * where it cannot be evaluated. */
rg_status rg_collocate_noise(rg_bvp_form *f, rg_bvp_conditions *c, const rg_newton_control *control,
                             const rg_curve *it, rg_stats *stats, rg_newton_outcome *outcome);

#endif
