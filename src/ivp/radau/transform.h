/* Products of small matrices with the stages of a step: vectors x_1 .. x_s of n numbers each. */
#ifndef RG_IVP_RADAU_TRANSFORM_H
#define RG_IVP_RADAU_TRANSFORM_H

#include <stdint.h>

/* y_i = sum_j M_ij x_j; M by rows.  x and y may be the same. */
void rg_stages_transform(int s, const double *M, int64_t n, double *const *x, double *const *y);
/* y = sum_j m_j x_j */
void rg_stages_combine(int s, const double *m, int64_t n, double *const *x, double *y);

#endif
