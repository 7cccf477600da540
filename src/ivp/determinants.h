/* The leading matrix of a model of index 0 or 1 and the determinants of its parts.
 *
 *     K = (F_y' in the columns of differentiated unknowns, F_y in the others)
 *
 * is singular where and only where a block of its block triangular form is.  Blocks whose
 * derivatives have constant factors are left out, so that little is left to compute: x' = v is a
 * block of its own.  Blocks of algebraic unknowns alone are systems of equations for these; one
 * that is not linear in them may have several solutions, and between two that meet in a point the
 * sign of the determinant changes. */
#ifndef RG_IVP_DETERMINANTS_H
#define RG_IVP_DETERMINANTS_H

#include "ivp/method.h"

typedef struct rg_determinants rg_determinants;

typedef enum {
    RG_DETERMINANTS_SLOPES,    /* blocks in which the factor of a derivative varies */
    RG_DETERMINANTS_ALGEBRAIC, /* blocks without derivatives, not linear in their unknowns */
    RG_DETERMINANTS_ALL,       /* all blocks without derivatives */
} rg_determinants_kind;

/* *out is NULL where there is no such block. */
rg_status rg_determinants_create(const rg_integrator *g, rg_determinants_kind kind,
                                 rg_determinants **out);
void rg_determinants_destroy(rg_determinants **determinants);
void rg_determinants_store(rg_determinants *l, rg_store *s);
int rg_determinants_count(const rg_determinants *l);
/* Per block, in units of its first size, at a point; one Jacobian.  NaN: cannot be told. */
rg_status rg_determinants_at(rg_determinants *l, rg_integrator *g, const rg_state *at, double *out);
/* How block k goes on along the solution through a point with the values of all unknowns and the
 * slopes of differentiated ones: per unit of time, its determinant; and its unknowns, in `tangent`
 * (g->n numbers, 0 elsewhere), from
 *
 *     g(t, x, y) = 0:   g_y y' = -(g_t + g_x x').
 *
 * span: the length of time over which differences are taken.  RG_RETRY: cannot be told. */
rg_status rg_determinants_slope(rg_determinants *l, rg_integrator *g, const rg_state *at, int k,
                                double span, double *slope, double *tangent);
/* Block k at a point, by columns, and the numbers of its unknowns; *A is the caller's until the
 * next call.  RG_RETRY: cannot be told. */
rg_status rg_determinants_block(rg_determinants *l, rg_integrator *g, const rg_state *at, int k,
                                int *n, double **A, const int **columns);
/* The unknown of block k that is smallest in units of its tolerance, and one of its rows. */
int rg_determinants_state(const rg_determinants *l, const rg_integrator *g, int k, int *row);

#endif
