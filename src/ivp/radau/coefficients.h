/* Radau IIA methods with s = 1, 3, 5, 7 stages, order 2s - 1.
 *
 * c_i: zeros of d^(s-1)/dx^(s-1) (x^(s-1) (x-1)^s); A: collocation, sum_j a_ij
 * c_j^(k-1) = c_i^k / k, k = 1 .. s; b = last row of A.  T^-1 A^-1 T = Lambda: gamma, then blocks
 * [alpha_k -beta_k; beta_k alpha_k] on the diagonal (HW96, section IV.8; HW99, section 2 for more
 * stages).  The numbers are computed to 60 digits by tools/make-radau;
 * tests/unit/ivp/test_coefficients.c checks order conditions and Lambda. */
#ifndef RG_IVP_RADAU_COEFFICIENTS_H
#define RG_IVP_RADAU_COEFFICIENTS_H

enum { RADAU_MOST = 7, RADAU_PAIRS = 3 }; /* stages, complex pairs at most */

typedef struct {
    int s;
    double gamma, alpha[RADAU_PAIRS], beta[RADAU_PAIRS];
    const double *c;
    const double *inverse;       /* A^-1, s x s by rows, as the next ones */
    const double *T, *T_inverse; /* last entries of complex columns of T: 1, 0 */
    const double *P; /* p(0) = 0, p(c_i) = Z_i:  p(x) = sum_k a_k x^k, a_k = sum_i P[k-1][i] Z_i */
} rg_radau_table;

extern const rg_radau_table rg_radau_table_1, rg_radau_table_3, rg_radau_table_5, rg_radau_table_7;
/* NULL: no such method. */
const rg_radau_table *rg_radau_table_for(int stages);

#endif
