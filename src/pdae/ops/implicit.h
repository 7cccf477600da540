/* The implicit viscous operator by alternating directions: tridiagonal systems along the lines of
 * every axis,
 *
 *     -l_i v_(i-1) + (1 + l_i + u_i) v_i - u_i v_(i+1) = b_i,     l, u = a times those of L,
 *
 * eliminated once for all lines, pivot_i = 1/(diagonal_i - l_i pivot_(i-1) u_(i-1)):
 *
 *     v_i <- pivot_i v_i + down_i v_(i-1),     down = l pivot
 *     v_i <- v_i + up_i v_(i+1),               up = u pivot
 *
 * Around solids every line has its own pivots, 0 on given faces: there v stays 0 and the line is
 * broken.  On periodic axes the corner entries are a change of rank one (Sherman, Morrison).  Lines
 * through several ranks: joined.h. */
#ifndef RG_PDAE_OPS_IMPLICIT_H
#define RG_PDAE_OPS_IMPLICIT_H

#include "pdae/ops/joined.h"
#include "pdae/ops/vector.h"

typedef struct {
    int first, end;
    bool cyclic, is_trivial;
    double *lower, *diagonal, *upper; /* of the matrix                              */
    double *pivot, *down, *up;        /* of its factors                             */
    double *corner;                   /* cyclic: solution for the column of corners */
    double ratio, below;
    double *pivots, *corners; /* padded: around solids; NULL: none */
    bool is_joined;           /* goes on in other ranks            */
    rg_joined joined;
} rg_viscous_lines;

/* Factors of 1 - a L along axis d for component c. */
void rg_viscous_factor(const rg_vector_space *s, int c, int d, double a, rg_viscous_lines *t);
/* Down and up a line with pivots of its own, s from a number to the next one. */
void rg_viscous_sweep_places(const rg_viscous_lines *t, const double *pivot, double *v, int64_t s);

#endif
