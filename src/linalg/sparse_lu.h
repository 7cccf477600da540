/* Sparse factors with the pivots that KLU or UMFPACK has found:
 *
 *     L U + F = R^-1 A(P, Q),   F the blocks above the diagonal blocks of L U, R the scale of rows.
 *
 * KLU chooses order and pivots once for all matrices of one pattern unless they turn out bad; new
 * values with the same pivots, and solutions, are found here.  UMFPACK works on dense blocks and
 * makes all factors anew; solutions with them are found here, too.  Nearly all of this work is
 * x -= a c, c a column: of two numbers side by side where they are complex, and of four right-hand
 * sides side by side. */
#ifndef RG_LINALG_SPARSE_LU_H
#define RG_LINALG_SPARSE_LU_H

#include "base/base.h"

#include <klu.h>
#include <math.h>
#include <stdatomic.h>

typedef struct { /* columns; im: of complex entries */
    int *start, *row;
    double *re, *im;
} rg_columns;

/* Order, pivots and the pattern of the factors; never changed, shared. */
typedef struct {
    rg_context *ctx;
    atomic_int users; /* matrices are factored side by side */
    int n, n_blocks;
    rg_columns L, U, F; /* without values */
    int *P, *Q, *R;     /* block k is R[k] .. R[k+1] - 1 */
    int *place;         /* inverse of P */
    int *memory;        /* of all of these */
    double multiplications;
} rg_pivots;

typedef struct {
    rg_context *ctx;
    rg_pivots *pivots; /* NULL: none */
    bool is_there;     /* there are factors */
    bool is_complex;
    int n, n_blocks;
    rg_columns L, U, F; /* L: its diagonal of ones comes first; U: its diagonal comes last */
    const int *P, *Q, *R, *place;
    double *scale; /* R in the order of the pivots */
    double *x;     /* workspace: four numbers per unknown, eight where they are complex */
    double *memory;
    size_t room;
} rg_sparse_lu;

rg_pivots *rg_pivots_use(rg_pivots *p);
void rg_pivots_release(rg_pivots **p);

void rg_sparse_lu_clear(rg_sparse_lu *f);
/* No factors and no pivots; the memory stays. */
void rg_sparse_lu_forget(rg_sparse_lu *f);
/* The pivots of another matrix with the same pattern; no factors yet. */
rg_status rg_sparse_lu_share(rg_pivots *p, bool is_complex, rg_sparse_lu *f);
/* Room for factors with so many entries in L, U and F; their pivots and numbers are to be
 * filled in. */
rg_status rg_sparse_lu_lay(rg_context *ctx, int n, int l, int u, int above, bool is_complex,
                           rg_sparse_lu *f);
/* Takes the factors that KLU has made. */
rg_status rg_sparse_lu_take(rg_context *ctx, klu_symbolic *order, klu_numeric *factors,
                            bool is_complex, klu_common *common, rg_sparse_lu *f);
/* Factors of other values with the same pattern and pivots; A in columns, parts of a complex
 * number side by side.  False: a pivot is zero, or there are none, and there are no factors. */
bool rg_sparse_lu_renew(rg_sparse_lu *f, const int *start, const int *row, const double *A);
/* x = A^-1 x, parts of a complex number side by side; x = A^-T x, real factors only. */
void rg_sparse_lu_solve(rg_sparse_lu *f, double *x);
void rg_sparse_lu_solve_transposed(rg_sparse_lu *f, double *x);

/* ---- what solutions with one and with four right-hand sides share ---------------------------- */

/* (a + i b)/(re + i im) = (a c + b s)/size + i (b c - a s)/size without the square of a part, which
 * might overflow (Smith 1962). */
typedef struct {
    double c, s, size;
} rg_divisor;

static inline rg_divisor rg_divisor_of(double re, double im)
{
    const bool is_steep = fabs(re) < fabs(im);
    const double ratio = is_steep ? re / im : im / re;

    if (is_steep) return (rg_divisor){ratio, 1.0, ratio * re + im};
    return (rg_divisor){1.0, ratio, re + ratio * im};
}

#endif
