/* Products and combinations of vectors, in the widest registers there are. */
#ifndef RG_LINALG_VECTORS_H
#define RG_LINALG_VECTORS_H

#include <stdint.h>

/* x^T y; four sums side by side, on every machine. */
double rg_dot(int64_t n, const double *x, const double *y);
/* y <- y + a x */
void rg_add_multiple(int64_t n, double a, const double *x, double *y);
/* (x, y) <- (c x - s y, s x + c y) */
void rg_rotate(int64_t n, double c, double s, double *x, double *y);

#endif
