/* Three-stage Radau IIA method, order 5.
 *
 * c_i: zeros of d^2/dx^2 (x^2 (x-1)^3); A: collocation, sum_j a_ij c_j^(k-1) = c_i^k / k, k = 1, 2, 3; b = last row of A.
 * T^-1 A^-1 T = Lambda = [gamma 0 0; 0 alpha -beta; 0 beta alpha]: HW96, section IV.8.
 * Each number was computed to 40 digits; tests/unit/ivp/test_coefficients.c checks order conditions and Lambda. */
#ifndef RG_IVP_RADAU_COEFFICIENTS_H
#define RG_IVP_RADAU_COEFFICIENTS_H

enum { RADAU_STAGES = 3 };

extern const double rg_radau_c[RADAU_STAGES];
extern const double rg_radau_inverse[RADAU_STAGES][RADAU_STAGES]; /* A^-1 */
extern const double rg_radau_T[RADAU_STAGES][RADAU_STAGES];
extern const double rg_radau_T_inverse[RADAU_STAGES][RADAU_STAGES];
/* The polynomial with p(0) = 0, p(c_i) = Z_i is sum_k a_k s^k, a_k = sum_i P[k-1][i] Z_i. */
extern const double rg_radau_P[RADAU_STAGES][RADAU_STAGES];

#define RADAU_GAMMA 3.637834252744495732208418
#define RADAU_ALPHA 2.681082873627752133895791
#define RADAU_BETA  3.050430199247410569426378

#endif
