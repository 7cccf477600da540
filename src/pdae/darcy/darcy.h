/* Darcy flow on a grid,
 *
 *     r u = -grad p + f,     div u = q,
 *
 * with lumped RT0 elements: on a face r is the mean of the two cells (harmonic mobility a = 1/r).
 * Sequential regularization (thesis, (5.22)) in scalar form, D^T = -grad:
 *
 *     (eps + D A D^T) P_s = eps P_(s-1) + q - D A f,     U_s = A (D^T P_s + f)
 *
 * converges with the factor eps/(eps + lambda_1).  P_0 is the pressure of the last solve. */
#ifndef RG_PDAE_DARCY_DARCY_H
#define RG_PDAE_DARCY_DARCY_H

#include "base/store.h"
#include "pdae/ops/vector.h"
#include "pdae/solve/elliptic.h"

typedef enum {
    RG_DARCY_SRM,
    RG_DARCY_PENALTY, /* the first iteration from P_0 = 0              */
    RG_DARCY_MIXED    /* u and p together in one system, without eps   */
} rg_darcy_method;

typedef struct {
    rg_darcy_method method;
    double eps;     /* 0: 1e-6 of the geometric mean of the mobility over the square of the box */
    int iterations; /* 0: until the balance of every cell holds                                 */
    rg_elliptic_kind solver;
    double solver_tol;
    bool reused; /* the mobility does not change                                             */
    const char *name;
} rg_darcy_options;

typedef struct rg_darcy rg_darcy;

rg_status rg_darcy_create(rg_context *ctx, rg_vector_space *space, const rg_darcy_options *options,
                          rg_darcy **out);
void rg_darcy_destroy(rg_darcy **d);

/* The resistance on the cells along every axis (with a copy in the ghosts); the one entry r[0]
 * counts for all axes whose entry is NULL.  index: of wells whose pressure is given, their term on
 * the diagonal (per volume, NULL: none). */
rg_status rg_darcy_set(rg_darcy *d, double *const *r, const double *index);

/* Solves; q: per volume on the cells, wells included (for wells with a pressure: index times it);
 * f on the faces (NULL: 0); outside: p of open sides in their first ghost cells (NULL: 0).  Given
 * normal components stand in the walls of the space. */
rg_status rg_darcy_solve(rg_darcy *d, const double *q, double *const *f, const double *outside);

double *const *rg_darcy_velocity(const rg_darcy *d); /* with given faces, ghosts filled */
double *rg_darcy_pressure(const rg_darcy *d);
double rg_darcy_defect(const rg_darcy *d); /* largest |div u - q| of the last solve */
/* The largest imbalance of a cell as part of all that flows, but for what was spread evenly. */
double rg_darcy_loss(const rg_darcy *d);
int rg_darcy_iterates(const rg_darcy *d); /* of the last solve */
/* For checkpoints; rg_darcy_set() follows. */
void rg_darcy_store(rg_darcy *d, rg_store *s);
int64_t rg_darcy_solver_iterations(const rg_darcy *d);
const char *rg_darcy_solver_name(const rg_darcy *d);

#endif
