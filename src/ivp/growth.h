/* What grows along a solution of index 0 or 1:  small changes x follow
 *
 *     x' = M x,     M = -(K^-1 F_y)   in the differentiated unknowns,                         (1)
 *
 * K having the columns F_y' of the differentiated unknowns and F_y of the others.  Points are taken
 * from the polynomial of the last step. */
#ifndef RG_IVP_GROWTH_H
#define RG_IVP_GROWTH_H

#include "ivp/method.h"

typedef struct rg_growth rg_growth;

rg_status rg_growth_create(const rg_integrator *g, rg_growth **out);
void rg_growth_destroy(rg_growth **growth);
/* M at t, n x n by columns, until the next call; rows of unknowns that are not differentiated are
 * 0.  *state: the unknown whose derivative depends most on the others.  RG_RETRY: there is none. */
rg_status rg_growth_matrix(rg_growth *w, const rg_integrator *g, double t, const double **M,
                           int *state);
/* ... at a point of the caller's. */
rg_status rg_growth_matrix_at(rg_growth *w, const rg_integrator *g, const rg_state *at,
                              const double **M);
/* The largest Re mu of the eigenvalues of M, in the direction of the run; -INFINITY: cannot be
 * told. */
rg_status rg_growth_rate(rg_growth *w, const rg_integrator *g, double t, double *rate);
/* y' of the polynomial, and f, the one of the equations at its y, both with g->n numbers; f is 0
 * in unknowns that are not differentiated.  RG_RETRY: there is none. */
rg_status rg_growth_slopes(rg_growth *w, const rg_integrator *g, double t, const double **yp,
                           const double **f);
/* Per state: what K leaves open, its derivative, or itself where it has none; *count of them.  More
 * than none: the equations have hidden constraints. */
rg_status rg_growth_open(rg_growth *w, const rg_integrator *g, double t, uint8_t *is_open,
                         int64_t *count);
/* An equation and an unknown that lose their derivatives where K is singular. */
rg_status rg_growth_name(rg_growth *w, const rg_integrator *g, double t, int *row, int *state);

#endif
