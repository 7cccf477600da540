/* Newton's method (quasilinearization) for one iterate of sequential regularization over the whole interval. */
#ifndef RG_BVP_SRM_NEWTON_H
#define RG_BVP_SRM_NEWTON_H

#include "bvp/srm/linear.h"

typedef struct {
    rg_srm_linear *linear;
    rg_curve *trial, *D, *Db;
    double *scale;     /* n_z: the largest value of each component, at least `floor` */
    double floor, tol; /* relative size of the last correction */
    int most;          /* iterations with new factors */
    int n_iterations;  /* of all solves */
    double size, size_bar, lambda;
} rg_srm_newton;

rg_status rg_srm_newton_create(rg_srm_field *f, rg_srm_nodes *nodes, const rg_curve *shape,
                               rg_stats *stats, rg_srm_newton **out);
void rg_srm_newton_destroy(rg_srm_newton **newton);
/* Improves z and Z' of `it` in place.  Factors are kept from solve to solve as long as they contract.  RG_RETRY: no solution
 * found; `it` may have moved. */
rg_status rg_srm_newton_solve(rg_srm_newton *n, rg_curve *it, const double *before);

/* RG_ERR_INTERRUPTED where the user asked for it. */
rg_status rg_srm_check_interrupt(rg_context *ctx);

#endif
