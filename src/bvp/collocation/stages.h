/* Stage equations of one interval, condensed to the highest derivatives.
 *
 * The states are chains  x_k, x_{k+1} = x_k', ...;  the derivative of the last one of a chain is V,
 * which comes from dw = K dX + r.  Only V at the stages is unknown.  With l the distance of two
 * states in a chain, d the one to V,
 *
 *     dX_k  = sum_l h^l A^l 1 dx_{k+l} + h^d A^d V
 *     (I - sum_k h^d_k (A^d_k)_ij K_i,k) V = K_i (sum_l h^l A^l 1 dx_{k+l}) + r_i  =>  V = U dx + g
 *     dx_{k,i+1} = sum_l h^l b A^{l-1} 1 dx_{k+l} + h^d b A^{d-1} V + rho          =>  Gamma, gamma
 *
 * the monomial representation of Ascher, Mattheij, Russell (1995), at the values of the Runge-Kutta
 * form: for one equation of order m the matrix has s rows in place of m s.  The iterate must have
 * X'_k = X_{k+1}  inside chains (rg_profile_fill); corrections keep that. */
#ifndef RG_BVP_COLLOCATION_STAGES_H
#define RG_BVP_COLLOCATION_STAGES_H

#include "base/base.h"
#include "linalg/rule.h"

typedef struct {        /* next NULL: w is x', every state is a chain of its own */
    int n, nx;          /* w, states */
    const int *order;   /* per state: of the derivative that it is of its unknown */
    const int *next;    /* per state: the one that is its derivative, or -1: V */
    const int *unknown; /* per state: its unknown, the number of V in w */
} rg_chains;

typedef struct {
    rg_context *ctx;
    rg_rule rule;
    int n, nx, s;
    int n_chains, size; /* size = s n_chains: unknowns V_ic, number i n_chains + c */
    int longest;        /* chain */
    int *first, *last;  /* per chain: its states */
    int *row;           /* per chain: the unknown whose equation gives V */
    int *chain;         /* per state */
    double *power;      /* [p][j][i, c]: (A^p)_ij, p = 0 .. longest, the same for all c */
    double *ones;       /* [p][i, c]: A^p 1 */
    double *ends;       /* [p][j]: b A^p */
    double *whole;      /* [p]: 1, b A^{p-1} 1 */
    double *h_power;    /* [p]: workspace ... */
    double *Kx;         /* [state][i, c]: K in the order of V */
    double *dX;         /* s x nx */
} rg_stages;

rg_status rg_stages_init(rg_context *ctx, const rg_chains *c, const rg_rule *rule, rg_stages *out);
void rg_stages_clear(rg_stages *g);

/* K: s matrices n x nx.  S: size x size, U: size x nx, the right-hand sides; column-major. */
void rg_stages_fill(rg_stages *g, double h, const double *K, double *S, double *U);
/* From the solution U = S^-1 (right-hand sides). */
void rg_stages_gamma(rg_stages *g, double h, const double *U, double *Gamma);
/* x += what V adds at the end of the interval. */
void rg_stages_end(rg_stages *g, double h, const double *V, double *x);
/* dX' (s x nx) from dx and V; g->dX: the states that belong to it. */
void rg_stages_unroll(rg_stages *g, double h, const double *dx, const double *V, double *dXp);

#endif
