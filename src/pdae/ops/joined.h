/* Tridiagonal systems along lines that go through the blocks of several ranks. */
#ifndef RG_PDAE_OPS_JOINED_H
#define RG_PDAE_OPS_JOINED_H

#include "pdae/mesh/grid.h"

/* With y the solution of a rank's own equations without the neighbours, and left, right the ones
 * for the columns of the unknown before its first and behind its last one,
 *
 *     x = y + left b_(r-1) + right a_(r+1),     a_r, b_r: the first and the last x of rank r,
 *
 * a system for the 2 P numbers a, b of the P ranks in a row, the same for all lines (Schur's
 * complement; periodic axes close it to a ring). */
typedef struct {
    double *left, *right; /* [first .. end - 1]                                          */
    double *inverse[2];   /* rows of the inverse for b_(r-1) and a_(r+1); 2 P numbers each */
    double *memory, *own, *all;
    int64_t room; /* of own: lines */
} rg_joined;

/* n: unknowns along the axis at most. */
rg_status rg_joined_create(const rg_grid *g, int d, int n, rg_joined *out);
void rg_joined_free(const rg_grid *g, rg_joined *j);
/* From left and right, which are filled for the unknowns first .. end - 1. */
void rg_joined_factor(const rg_grid *g, int d, int first, int end, rg_joined *j);
/* Adds the two columns to all lines along d of v, which hold y: those with numbers from[e] ..
 * end[e] - 1 along the other axes. */
void rg_joined_solve(const rg_grid *g, int d, const int *from, const int *end, rg_joined *j,
                     double *v);

#endif
