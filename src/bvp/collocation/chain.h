/* The almost block diagonal system of a boundary value problem, by structured orthogonal
 * elimination.
 *
 *     -Gamma_i u_i + u_{i+1} = gamma_i,  i = 0 .. N-1;     sum_k B_k u_{node k} = beta
 *
 * Wright, SIAM J. Sci. Stat. Comput. 13 (1992), "Stable parallel algorithms for two-point boundary
 * value problems", the sequential case: mesh points between nodes are eliminated one after the
 * other by Householder reflections, which keep growing and decaying modes apart; the nodes remain,
 * in one small dense system.  O(N) operations and memory; separated, non-separated and
 * multi-point conditions alike. */
#ifndef RG_BVP_COLLOCATION_CHAIN_H
#define RG_BVP_COLLOCATION_CHAIN_H

#include "linalg/lu.h"

typedef struct {
    rg_context *ctx;
    int m, n_nodes;
    int64_t N;
    const int64_t *node; /* not owned */
    double *Gamma;       /* N m m, column-major, filled by the caller; kept */
    double *B;           /* m rows: column-major m x (n_nodes m), filled by the caller */
    double *scale;       /* m: units of u, powers of 2; 1 unless the caller knows better */
    double *V, *tau;     /* per mesh point: reflectors (2m x m) with R, and their factors */
    double *G, *H;       /* per mesh point: R u_q + G u_left + H u_right = f */
    double *stack;       /* 2m rows of 3m, and one more: workspace */
    double *f;           /* (N + 1) m: right-hand sides, then the solution */
    rg_lu *last;         /* the nodes */
    double *b;           /* its right-hand side */
} rg_chain;

rg_status rg_chain_create(rg_context *ctx, int m, int64_t N, int n_nodes, const int64_t *node,
                          rg_chain **out);
void rg_chain_destroy(rg_chain **chain);
/* RG_RETRY: singular. */
rg_status rg_chain_factor(rg_chain *c);
/* gamma: N m, or NULL: zero; beta: m; u: (N + 1) m. */
void rg_chain_solve(rg_chain *c, const double *gamma, const double *beta, double *u);

/* The direction in which the system hardly answers: the smallest singular value of the equations
 * of the nodes, rows of conditions taken to length 1.  u: (N + 1) m, the vector; left (m): by how
 * much each condition takes part in the equation that is missing, *rest: everything else.  Gamma
 * and B are filled; factors are not needed, and those at hand are lost. */
rg_status rg_chain_weakest(rg_chain *c, double *sigma, double *u, double *left, double *rest);

#endif
