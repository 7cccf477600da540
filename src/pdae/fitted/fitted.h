/* The fitted scheme (6.63) of Lin's thesis for the hyperbolic problem (6.48),
 *
 *     eps (u_tt - u_xx) + a u_t + b u_x + c u = f,   0 < x < l,   u = 0 at both
 * ends,  a > b > 0
 *
 * level by level, on arrays of the caller. */
#ifndef RG_PDAE_FITTED_FITTED_H
#define RG_PDAE_FITTED_FITTED_H

#include "linalg/tridiagonal.h"

typedef enum {
    RG_FITTED,        /* gamma_1 = a k/expm1(a k/eps), gamma_2 = b h/expm1(b h/eps) */
    RG_FITTED_UPWIND, /* gamma_1 = gamma_2 = eps */
    RG_FITTED_CENTRAL /* the same, u_x by central differences */
} rg_fitted_kind;

typedef struct { /* coefficients at the points 0 .. n of the level that is
                    computed */
    const double *a, *b, *c, *f;
} rg_fitted_coefficients;

typedef struct {
    rg_fitted_kind kind;
    int n;            /* intervals in x */
    double eps, h, k; /* steps in x and t */
} rg_fitted_grid;

/* The matrix of a level, factored: n - 1 rows.  False: singular. */
bool rg_fitted_factor(const rg_fitted_grid *g, const rg_fitted_coefficients *at, rg_tridiagonal *t);
/* u (0 .. n) from the two levels before it, with the factors of
 * rg_fitted_factor(). */
void rg_fitted_level(const rg_fitted_grid *g, const rg_fitted_coefficients *at,
                     const rg_tridiagonal *t, const double *before, const double *last, double *u);

#endif
