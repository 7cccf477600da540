/* Preconditioned conjugate gradients for the matrices of grids. */
#ifndef RG_PDAE_SOLVE_GRADIENTS_H
#define RG_PDAE_SOLVE_GRADIENTS_H

#include "pdae/solve/elliptic_impl.h"

typedef struct {
    int64_t n; /* numbers of a vector; places without an equation have diagonal 0 */
    void *of;
    void (*multiply)(void *of, double *x, double *out); /* may fill places of x beside the cells */
    void (*precondition)(void *of, double *r, double *z);
    /* One that is symmetric but for rounding, and has z of r where only follow() finds it, without
     * its mean where nothing fixes that.  Returned: z.r.  NULL: by the function above. */
    double (*apply)(void *of, const double *r);
    /* x += step p, p <- z + beta p, q = A p; returned: p.q.  NULL: by the functions above. */
    double (*follow)(void *of, double step, double *x, double beta, double *p, double *q);
    double (*begin)(void *of, const double *b, double *x, double *r); /* r = b - A x, returns b.b;
                                             NULL: by the functions above, and b has n numbers */
    const double *diagonal;
    double *memory, *p, *q, *z, *r;
    int most;           /* iterations; 0: RG_GRID_ITERATIONS      */
    double left;        /* r.r                                     */
    bool has_converged; /* the last solve, by the updated residual */
} rg_gradients;

/* Without apply() in `out` z is kept here. */
rg_status rg_gradients_create(rg_context *ctx, int64_t n, rg_gradients *out);
void rg_gradients_free(rg_context *ctx, rg_gradients *g);
/* To the tolerance of e; x: the guess.  Counts the iterations there. */
rg_status rg_gradients_solve(rg_elliptic *e, rg_gradients *g, const double *b, double *x);

double rg_gradients_dot_of(int64_t n, const double *a, const double *b); /* by the caller alone */
double rg_gradients_dot(rg_context *ctx, int64_t n, const double *a, const double *b);

/* L D L^T of a small matrix with positive couplings c(i, j) and what is on the diagonal beyond
 * them, excess(i); L: n (n + 1) numbers, full of couplings on entry. */
void rg_coarsest_factor(int64_t n, const double *excess, double *L);
void rg_coarsest_solve(int64_t n, const double *L, const double *b, double *x);

#endif
