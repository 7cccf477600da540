/* Newton's method with error-oriented damping, for systems of any kind: the caller keeps the
 * unknowns in objects of its own and gives the operations on them.
 *
 * Deuflhard, Newton Methods for Nonlinear Problems (2004), algorithm NLEQ-ERR: the damping factor
 * follows the size of the simplified Newton correction, which does not depend on how the equations
 * are scaled (natural monotonicity test).
 *
 *     D_k = -J_k^-1 R(z_k),   Db = -J_k^-1 R(z_k + lambda D_k)
 *     theta = |Db|/|D_k|,     mu' = |D_k| lambda^2 / (2 |Db - (1 - lambda) D_k|)
 *     predicted:  mu = |D_{k-1}| |Db_{k-1}| lambda_{k-1} / (|Db_{k-1} - D_k| |D_k|),
 *         lambda = min(1, mu)
 *     accepted when theta < 1 - lambda/4 */
#ifndef RG_NEWTON_NEWTON_H
#define RG_NEWTON_NEWTON_H

#include "base/base.h"

typedef struct { /* z, d, e: objects of the caller, as in rg_newton */
    /* d = -J^-1 R(z), J at z (is_new) or the one at hand.  RG_RETRY: J is singular, or R cannot
     * be evaluated. */
    rg_status (*correct)(void *user, const void *z, bool is_new, void *d);
    void (*add)(const void *z, double factor, const void *d, void *to); /* to = z + factor d */
    void (*rescale)(void *user, const void *z);                         /* sizes are those of z */
    double (*size)(const void *user, const void *d, double factor,
                   const void *e); /* |d - factor e|; e may be NULL */
    /* |d| = size <= tol: is d small enough in every other respect?  NULL: it is. */
    bool (*is_last)(const void *user, const void *d);
    /* to = z, every number off by a unit in its last place.  NULL: cannot be done. */
    void (*perturb)(const void *z, void *to);
    /* d, with a new J at z: does nothing but rounding below tol follow it?  NULL: not known. */
    bool (*is_exact)(void *user, const void *z);
} rg_newton_system;

typedef struct {
    rg_context *ctx;
    const rg_newton_system *system;
    void *user;
    void *z;                  /* the point reached; changes places with `trial` */
    void *trial, *D, *Db;     /* as z: workspace */
    double tol;               /* size of the last correction */
    int most, n_iterations;   /* with new factors: allowed, done */
    bool has_factors;         /* of a matrix that may do: tried first */
    double size, bar, lambda; /* |D|, |Db| */
    double rounding;          /* size of what rounding does to D, if that ended the iteration */
} rg_newton;

/* RG_OK: n->z is the solution.  RG_RETRY: none was found, n->z is a point on the way; factors have
 * been lost where they were not good enough. */
rg_status rg_newton_solve(rg_newton *n);
/* Fails if the run was interrupted. */
rg_status rg_newton_poll(rg_context *ctx);

#endif
