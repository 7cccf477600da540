/* Eigenvalues of the matrices of Runge-Kutta methods, for their two kinds of blocks. */
#ifndef RG_LINALG_RULE_IMPL_H
#define RG_LINALG_RULE_IMPL_H

#include "linalg/rule.h"

#include <complex.h>

/* Zeros of  sum_k m[k] x^(s-k)  with imaginary part >= 0, which rises; they are simple, with sizes
 * of s to 2s, and one at most is real. */
void rg_rule_zeros(int s, const long double *m, long double complex *zero);

#endif
