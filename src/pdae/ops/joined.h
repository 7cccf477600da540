/* Tridiagonal systems along lines that go through the blocks of several ranks. */
#ifndef RG_PDAE_OPS_JOINED_H
#define RG_PDAE_OPS_JOINED_H

#include "pdae/mesh/grid.h"

/* With y the solution of a rank's own equations without the neighbours, and left, right the ones
 * for the columns of the unknown before its first and behind its last one,
 *
 *     x = y + left b_(r-1) + right a_(r+1),     a_r, b_r: the first and the last x of rank r,
 *
 * a system for the 2 P numbers a, b of the P ranks in a row (Schur's complement; periodic axes
 * close it to a ring): the same for all lines, or around solids each its own.  Lines are counted
 * from 0 on, the axis behind d first. */
typedef struct {
    double *left, *right; /* [line n + i], i = first .. end - 1                          */
    double *inverse;      /* [4 P line]: its rows for b_(r-1) and a_(r+1), 2 P numbers each */
    double *memory, *own, *all, *work;
    int n; /* of a line: room */
    bool is_each;
} rg_joined;

/* n: unknowns along the axis at most; is_each: every line has its own columns. */
rg_status rg_joined_create(const rg_grid *g, int d, int n, bool is_each, rg_joined *out);
void rg_joined_free(const rg_grid *g, rg_joined *j);
/* From left and right, which are filled for the unknowns from[d] .. end[d] - 1 of the lines with
 * numbers from[e] .. end[e] - 1 along the other axes. */
void rg_joined_factor(const rg_grid *g, int d, const int *from, const int *end, rg_joined *j);
/* Adds the two columns to all lines along d of v, which hold y: those with numbers from[e] ..
 * end[e] - 1 along the other axes. */
void rg_joined_solve(const rg_grid *g, int d, const int *from, const int *end, rg_joined *j,
                     double *v);

#endif
