/* Errors that are damped away and grow again.
 *
 * Small errors of a run follow
 *
 *     E u' + J u = 0,     E = F_y',  J = F_y.                                                 (1)
 *
 * In  x' = -a sin(t) (x - c)  they fall to nothing and come back.  So does what x is from c, but
 * steps h with  h mu >> 1,  mu a rate of growth, are damped by methods that are stable at infinity:
 * x stays at c for good, in both runs of an estimate.  Where x is 0 there, its values tell
 * (solve/missed.h); elsewhere only (1) does.  The modes that a step does not follow are the
 * eigenvalues in the left half plane of
 *
 *     S = (E + h J/z)^-1 E,       of (1):  1/(1 - h mu/z),  Re < 0  where  Re h mu > z,       (2)
 *
 * which is as good for constraints of any index.  At some points of the run S is looked at in a
 * Krylov space.  Where it has such modes, errors of the tolerance that are made everywhere are
 * followed along the run by (1), as they are and as the steps see them, and beside them those of
 * the start alone: what is larger than both by far is added to the estimate. */
#ifndef RG_SOLVE_DAMPED_H
#define RG_SOLVE_DAMPED_H

#include "solution/solution.h"
#include "solve/solver.h"

typedef struct {
    int64_t n;      /* states; 0: nothing is kept */
    int64_t count;  /* points that are kept; each ends a window of the run */
    int64_t every;  /* steps of a window, at most */
    int64_t *steps; /* per point: steps of its window, ... */
    double *h;      /* ... the longest one of them, */
    double *t, *y;  /* ... t, and y, y' */
    int64_t open_steps;
    double open_h; /* of the window that is not yet closed */
} rg_damped;

/* is_wanted: else nothing is kept, and nothing found. */
rg_status rg_damped_init(rg_context *ctx, int64_t n, bool is_wanted, rg_damped *out);
void rg_damped_clear(rg_context *ctx, rg_damped *d);
void rg_damped_forget(rg_damped *d);
void rg_damped_store(rg_damped *d, rg_store *s); /* for checkpoints */
/* The start (h = 0), or a step of the length h that has ended. */
void rg_damped_take(rg_damped *d, const rg_integrator *g, double h, const rg_state *now);
/* The estimate of the run includes those errors; a failure where no digit is left at the end. */
rg_status rg_damped_tell(rg_damped *d, const rg_solver *s, rg_solution *out);

#endif
