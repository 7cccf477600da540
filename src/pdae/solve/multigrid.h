/* The levels of geometric multigrid on a box without solids.
 *
 * A level joins pairs of neighbouring cells of the finer one along one axis; of an odd number the
 * last cell stays alone.  Where several axes are joined before the next smoothing, the levels
 * between have no smoothing.  Paths from centre to centre give the conductances of a coarse level:
 * resistances in series along the axis, conductances side by side add up.
 *
 * Cycles only precondition, so their numbers are single: half the memory, and twice as many of them
 * in a vector.  Matrix and residual are scaled so that they fit.  Solution, residual and directions
 * of the conjugate gradients, and the finest matrix there, are double (multigrid_outer.c). */
#ifndef RG_PDAE_SOLVE_MULTIGRID_H
#define RG_PDAE_SOLVE_MULTIGRID_H

#include "pdae/solve/gradients.h"

enum { RG_MULTIGRID_LEVELS = 96 };

typedef struct {
    rg_context *ctx;
    int n[RG_AXES];
    int64_t stride[RG_AXES], origin, size; /* of padded arrays                                   */
    bool periodic[RG_AXES];
    float *T[RG_AXES]; /* of the faces; NULL: the axis is one cell that is its own neighbour     */
    float *s;          /* NULL: none                                                            */
    float *memory;     /* of all arrays                                                         */
    float *inverse;    /* 1/diagonal                                                            */
    float *x, *b, *r;
    float *weight; /* of a cell in the interpolation: that of the coarse cell beyond its own    */
    int axis;      /* along which the next level joins cells                                    */
    bool smooths;
} rg_multigrid_level;

typedef struct {
    int n_levels;
    rg_multigrid_level level[RG_MULTIGRID_LEVELS];
    double *diagonal; /* of the finest level; NULL: needless */
    double *factor;   /* of the coarsest one; NULL: none  */
    double *packed;   /* numbers of the coarsest cells    */
    float *pattern;   /* 1, 0, 1, 0, ...                  */
    float *row;       /* work: a row of every thread      */
    int64_t longest;  /* numbers of it                    */
    rg_elliptic *e;
    double mean; /* to be taken from x of the finest level */
    rg_gradients outer;
} rg_multigrid;

/* The axis along which cells are joined next, or -1; axes with weak couplings wait. */
void rg_multigrid_axes(const rg_multigrid_level *fine, bool join[RG_AXES]);
/* Sizes of the level that joins the cells of `fine` along its axis. */
void rg_multigrid_shape(const rg_multigrid_level *fine, rg_multigrid_level *coarse);
/* Conductances of `coarse` and the weights of `fine`. */
void rg_multigrid_coarsen(rg_multigrid_level *fine, rg_multigrid_level *coarse);
void rg_multigrid_diagonal(rg_multigrid_level *at, double *diagonal); /* NULL: inverse only */

/* One cycle: x of the finest level from b = by r, places beside the ends of periodic axes filled;
 * m->mean is that of x where nothing fixes it, otherwise 0.  Returned: (x - mean).b. */
double rg_multigrid_cycle(rg_multigrid *m, const double *r, double by);

/* By one thread and without copies beyond the ends, what a sweep does with a row may follow what
 * the sweep before it has done with the rows around: the numbers of a row are then at hand. */
bool rg_multigrid_is_one_pass(const rg_multigrid_level *l);
/* Rows from one to the one behind it across the last axis: all its neighbours lie between. */
int64_t rg_multigrid_lag(const rg_multigrid_level *l);

/* The matrix as single numbers on the finest level. */
void rg_multigrid_fill(rg_multigrid *m);
/* Conjugate gradients around the cycle. */
rg_status rg_multigrid_outer(rg_multigrid *m);

static inline int64_t rg_multigrid_at(const rg_multigrid_level *l, int i, int j, int k)
{
    return l->origin + i + j * l->stride[1] + k * l->stride[2];
}

#endif
