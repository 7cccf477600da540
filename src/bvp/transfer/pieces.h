/* The solution of a transfer as a piecewise polynomial, for rg_solution_eval(). */
#ifndef RG_BVP_TRANSFER_PIECES_H
#define RG_BVP_TRANSFER_PIECES_H

#include "bvp/transfer/curve.h"
#include "bvp/transfer/transfer.h"

enum { RG_PIECE_DEGREE = RG_TRANSFER_DEGREE };

typedef struct { /* a polynomial between two times */
    rg_context *ctx;
    rg_transfer *transfer;
    int64_t n;            /* states */
    double tol;           /* a piece may be off by this, relative to unit + |y| */
    const double *unit;   /* of the states; NULL: 1 */
    double *value;        /* (degree + 1) n, at the nodes */
    double *coefficients; /* (degree + 1) n, of powers of s = (t - t0)/(t1 - t0) */
    double *y, *at;       /* n each: the solution and the polynomial at a point between */
} rg_pieces;

rg_status rg_pieces_create(rg_context *ctx, rg_transfer *t, int64_t n, double tol,
                           const double *unit, rg_pieces **out);
void rg_pieces_destroy(rg_pieces **pieces);
/* Interpolates between t0 and t1; *is_good tells whether the polynomial is as accurate as the
 * values. */
rg_status rg_pieces_fit(rg_pieces *w, double t0, double t1, bool *is_good);

#endif
