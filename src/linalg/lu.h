/* Dense LU factors with row equilibration and partial pivoting, real or complex:  P D A = L U.
 *
 * D = diag(1/sum_j |a_ij|): in a Newton matrix (gamma/h) F_y' + F_y the rows of constraints and of
 * differential equations differ by powers of h, those of circuits by much more, and pivots are
 * compared within a column.  Small ones by the kernels of linalg/quad_lu.h, larger ones by
 * LAPACK. */
#ifndef RG_LINALG_LU_H
#define RG_LINALG_LU_H

#include "base/base.h"

typedef struct rg_lu rg_lu;

/* Nothing is allocated after create. */
rg_status rg_lu_create(rg_context *ctx, int64_t n, bool is_complex, rg_lu **out);
void rg_lu_destroy(rg_lu **lu);
/* Entries of a real matrix, (i, j) at j n + i: fill them, then factor. */
double *rg_lu_values(rg_lu *lu);
/* RG_RETRY, without a message: singular, or an entry is not finite. */
rg_status rg_lu_factor(rg_lu *lu);
/* (re, im) <- A^-1 (re, im); im is not used for real matrices. */
void rg_lu_solve(const rg_lu *lu, double *re, double *im);
/* X <- A^-1 X for a real matrix and `count` columns. */
void rg_lu_solve_all(const rg_lu *lu, int64_t count, double *X);

#endif
