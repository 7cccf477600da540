/* LU factors of small matrices, column by column, partial pivoting: the kernels behind linalg/lu.h.
 *
 *     P D A = L V U,  L and U with ones on the diagonal, V diagonal;   column j:  x = L^-1 P D a_j;
 *     p = argmax_{i >= j} |x_i|;  swap rows j and p;  v_j = x_j;  u_ij = x_i/v_i (i < j);
 *         l_ij = x_i/v_j (i > j)
 *
 * Columns are padded (base/vector.h), L and U kept apart with zeros in place of what they do not
 * have: so all loops run over whole vectors, and x stays in registers.  Complex matrices have their
 * imaginary parts n columns behind the real ones, vectors rg_padded(n) numbers behind. */
#ifndef RG_LINALG_QUAD_LU_H
#define RG_LINALG_QUAD_LU_H

#include <stdbool.h>

enum { RG_QUAD_ROWS = 20 };

typedef struct {
    int n;
    double *U, *L;
    double *inverse; /* 1/v_j */
    double *scale;   /* row i of P D A: the factor; only for solve */
    int *order;      /* ... is row order[i] of A */
} rg_quad_lu;

/* U: D A with its rows in the order that `order` says, overwritten; order: changed where other
 * pivots are better.  false: a pivot is zero or not finite. */
bool rg_quad_lu_factor(const rg_quad_lu *f);
bool rg_quad_zlu_factor(const rg_quad_lu *f);
/* b <- A^-1 b: D and P are applied before. */
void rg_quad_lu_solve(const rg_quad_lu *f, double *b);
void rg_quad_zlu_solve(const rg_quad_lu *f, double *re, double *im);

#endif
