/* Sizes of unknowns and their derivatives from the values given and the equations alone, so that
 * the units of unknowns, equations and time do not matter.
 *
 * With J and F at the given values g the size of a row and of a column is
 *
 *     S_i = max(|F_i|, max_j |J_ij| u_j),                                                     (1)
 *     u_j = |g_j|,  or at least u / |b - a|^r of an unknown of size u for derivative r;       (2)
 *
 * a value that is rounding in every row (|J_ij g_j| far below S_i: cos(pi/2) beside 1) is no size,
 * and a column without a size has that of the smallest term it can be:
 *
 *     u_j = min_i S_i / |J_ij|;                                                              (3)
 *
 * one that no row tells of, as q in p^2 + q^2 = 1 where q = 0, is not above that of its derivative
 * times |b - a|, which is taken where it is below 1.                                      (4) */
#ifndef RG_STRUCTURE_MAGNITUDES_H
#define RG_STRUCTURE_MAGNITUDES_H

#include "problem/assembly.h"

typedef struct {
    const rg_problem *p;
    int64_t n_rows, n_columns;
    int n_orders;
    const int32_t *const *column; /* of y_j^(r): column[r][j], or -1 */
    const rg_pattern *pattern;
    const double *F, *J; /* at the values given; what is not finite counts as 0 */
} rg_magnitudes;

/* F and J at the values g.  What is far below what it is beside them is rounding, T_1 + T_2 where
 * one is minus the other, and tells no size: left out of J.  Callbacks are asked at g alone. */
rg_status rg_magnitudes_linearize(const rg_problem *p, const rg_assembly *a, rg_assembly_work *w,
                                  double t, const double *g, double *F, double *J);
/* u: |g|, becomes the sizes; 0: no row tells.  row: n_rows, workspace. */
void rg_magnitudes_find(const rg_magnitudes *m, double *row, double *u);
/* rg_equilibrate() of A (m x n), whose columns are unknowns with these units: large and small ones
 * are taken off before rows and columns are scaled in turn, which alone need not find them. */
void rg_magnitudes_equilibrate(int64_t m, int64_t n, const double *unit, double *A, double *row,
                               double *column);
/* A value of everyday size changes by about 1, others in proportion to their size. */
double rg_magnitude_unit(double size);

#endif
