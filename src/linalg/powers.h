/* Polynomials in powers of s, n of them at once:  y_i(s) = sum_k a[k n + i] s^k,  k = 0 ..
 * degree. */
#ifndef RG_LINALG_POWERS_H
#define RG_LINALG_POWERS_H

#include <stdint.h>

enum { RG_POWERS_MOST = 16 }; /* points of an interpolation */

/* y and  dy/dt = (dy/ds)/h  at s; either may be NULL. */
void rg_powers_eval(int degree, int64_t n, const double *a, double s, double h, double *y,
                    double *yp);
/* The polynomials of degree points - 1 through value[k n + i] at s_k, different from one another.
 * a_0 is the value at s_0 exactly where s_0 = 0. */
void rg_powers_fit(int points, const double *s, int64_t n, const double *value, double *a);
/* a[0 .. points - 1]: coefficients of the Lagrange polynomial l_j on the points s. */
void rg_powers_lagrange(int points, const double *s, int j, double *a);

#endif
