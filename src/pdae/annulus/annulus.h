/* Spurious upwind solutions: a flow around a ring whose streamlines are closed
 * circles,
 *
 *     -eps (u_xx + u_yy) - y/r^2 u_x + x/r^2 u_y = 0,  a < r < b,  u = u_i on r
 * = a, u_o on r = b
 *
 * (Lin's thesis, (6.37), b^2 and a^2 in the conditions).  The solution is a
 * logarithm of r for every eps.  Upwind differences on a Cartesian grid add
 * diffusion across the streamlines: for eps
 * << h they converge to another function, closed form below; in polar
 * coordinates they do not. */
#ifndef RG_PDAE_ANNULUS_ANNULUS_H
#define RG_PDAE_ANNULUS_ANNULUS_H

#include "base/base.h"

typedef struct {
    double eps, a, b, inner, outer; /* radii and boundary values */
} rg_annulus;

typedef struct {
    int64_t n_nodes;
    double error;    /* largest difference to the solution */
    double distance; /* ... to the spurious one */
    double norm;     /* max norm of the inverse: the matrix is an M-matrix, so that of
                  A^-1 1 */
} rg_annulus_errors;

/* u(r) = u_i + (u_o - u_i) ln(r/a)/ln(b/a) */
double rg_annulus_exact(const rg_annulus *p, double r);
/* The limit of upwind differences with spacing h, by averaging (6.38) over
 * circles, k = 2 h/(3 pi): u_i + (u_o - u_i) (eps ln(r/a) + k (1/a - 1/r))/(eps
 * ln(b/a) + k (1/a - 1/b)) */
double rg_annulus_spurious(const rg_annulus *p, double h, double r);
/* Scheme (6.45) on the square grid with n intervals from -b to b, legs cut at
 * the circles.  ray: n/2
 * + 1 numbers, u at (i h, 0), NaN outside of the ring; may be NULL. */
rg_status rg_annulus_cartesian(rg_context *ctx, const rg_annulus *p, int n, rg_annulus_errors *out,
                               double *ray);
/* n radial intervals; the upwind difference in the angle vanishes, the rest is
 * central. */
rg_status rg_annulus_polar(rg_context *ctx, const rg_annulus *p, int n, double *error);

#endif
