/* Symmetric systems on the cells of a grid:
 *
 *     s x + sum over the faces of a cell of T (x - neighbour) = b
 *
 * T is the transmissibility of a face, its area times a coefficient over the distance of the two
 * centres; s a term on the diagonal; both of them and b are sums over the cell, not densities.
 * On a side that is not periodic, T = 0 is a wall, and T > 0 a face to the value 0 outside.
 * Where nothing fixes the constant (no s, no such side), b must sum to zero up to rounding, and x
 * has mean 0 over the volume. */
#ifndef RG_PDAE_SOLVE_ELLIPTIC_H
#define RG_PDAE_SOLVE_ELLIPTIC_H

#include "pdae/mesh/grid.h"

typedef struct {
    const rg_grid *grid;
    const double *T[RG_AXES]; /* padded; faces 0 .. n of each axis; 0 at the faces of solids */
    const double *s;          /* padded; NULL: none                                          */
} rg_elliptic_matrix;

typedef enum {
    RG_ELLIPTIC_AUTO,
    RG_ELLIPTIC_TRANSFORM,
    RG_ELLIPTIC_MULTIGRID,
    RG_ELLIPTIC_AGGREGATION,
    RG_ELLIPTIC_DIRECT,
    RG_ELLIPTIC_PETSC, /* in a program that has it */
    RG_ELLIPTIC_MIXED  /* fluxes as unknowns */
} rg_elliptic_kind;

typedef struct {
    rg_elliptic_kind kind;
    bool reused;      /* the same matrix will be solved with very often                        */
    double tol;       /* relative residual of the iterative ones                               */
    const char *name; /* the equation, for messages                                            */
} rg_elliptic_options;

typedef struct rg_elliptic rg_elliptic;

/* The matrix is read now and not kept, except by reference to its grid, T and s for the check of
 * the residual: they must live as long as the solver.  A kind that cannot solve this matrix is
 * RG_ERR_ARGUMENT with the reason. */
rg_status rg_elliptic_create(rg_context *ctx, const rg_elliptic_matrix *A,
                             const rg_elliptic_options *options, rg_elliptic **out);
/* Another matrix on the same grid: *done where that was cheaper than making the solver anew.  After
 * a failure, and where it is not done, destroy it. */
rg_status rg_elliptic_renew(rg_elliptic *e, const rg_elliptic_matrix *A, bool *done);
/* Is a solver that is renewed the same as a new one? */
bool rg_elliptic_renews_fully(const rg_elliptic *e);
void rg_elliptic_destroy(rg_elliptic **e);

/* x: padded; on entry the guess of the iterative solvers.  The true residual is checked: more than
 * what rounding explains above the tolerance is RG_ERR_CONVERGENCE. */
rg_status rg_elliptic_solve(rg_elliptic *e, const double *b, double *x);

const char *rg_elliptic_name(const rg_elliptic *e);   /* "transform", "direct", ... */
int64_t rg_elliptic_iterations(const rg_elliptic *e); /* of all solves so far        */
double rg_elliptic_residual(const rg_elliptic *e);    /* true, relative, of the last */
bool rg_elliptic_is_singular(const rg_elliptic *e);   /* only up to a constant       */

#endif
