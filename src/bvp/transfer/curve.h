/* A curve y(t), m components: on each piece of the interval the polynomial of degree
 * RG_TRANSFER_DEGREE through values at Chebyshev points  s_k = (1 - cos(pi k/d))/2,  s from 0 to
 * 1; pieces share their ends.  What quasilinearization linearizes at. */
#ifndef RG_BVP_TRANSFER_CURVE_H
#define RG_BVP_TRANSFER_CURVE_H

#include "base/base.h"

enum { RG_TRANSFER_DEGREE = 8 };

typedef struct {
    rg_context *ctx;
    int m, n_pieces;
    double *edge;         /* n_pieces + 1, ascending */
    double *point;        /* n_points = RG_TRANSFER_DEGREE n_pieces + 1 */
    double *value;        /* n_points x m, one point after the other */
    double *coefficients; /* per piece: (degree + 1) m, powers of s */
} rg_transfer_curve;

/* s_0 .. s_d */
void rg_transfer_nodes(double *s);
rg_status rg_transfer_curve_create(rg_context *ctx, int m, int n_pieces, const double *edge,
                                   rg_transfer_curve **out);
void rg_transfer_curve_destroy(rg_transfer_curve **curve);
int rg_transfer_curve_points(const rg_transfer_curve *c);
/* After the values have been set. */
void rg_transfer_curve_update(rg_transfer_curve *c);
/* y, y', y'' at t; each may be NULL. */
void rg_transfer_curve_eval(const rg_transfer_curve *c, double t, double *y, double *yp,
                            double *ypp);
/* How far a component may be off between the points of a piece: the last Chebyshev coefficient. */
double rg_transfer_curve_tail(const rg_transfer_curve *c, int piece, int component);

#endif
