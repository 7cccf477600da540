/* Products and combinations of vectors, in the widest registers there are. */
#ifndef RG_LINALG_VECTORS_H
#define RG_LINALG_VECTORS_H

#include <stdint.h>

/* x^T y; four sums side by side, on every machine. */
double rg_dot(int64_t n, const double *x, const double *y);
/* y <- y + a x */
void rg_add_multiple(int64_t n, double a, const double *x, double *y);
/* C = A B for A (m x k), B (k x n) and C (m x n), column-major; C is none of the others. */
void rg_multiply(int64_t m, int64_t k, int64_t n, const double *A, const double *B, double *C);
/* (x, y) <- (c x - s y, s x + c y) */
void rg_rotate(int64_t n, double c, double s, double *x, double *y);

#endif
