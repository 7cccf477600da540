/* The levels of geometric multigrid on a box without solids.
 *
 * A level joins pairs of neighbouring cells of the finer one along one axis; of an odd number the
 * last cell stays alone.  Where several axes are joined before the next smoothing, the levels
 * between have no smoothing.  Paths from centre to centre give the conductances of a coarse level:
 * resistances in series along the axis, conductances side by side add up. */
#ifndef RG_PDAE_SOLVE_MULTIGRID_H
#define RG_PDAE_SOLVE_MULTIGRID_H

#include "pdae/solve/gradients.h"

enum { RG_MULTIGRID_LEVELS = 96 };

typedef struct {
    rg_context *ctx;
    int n[RG_AXES];
    int64_t stride[RG_AXES], origin, size; /* of padded arrays                                   */
    bool periodic[RG_AXES];
    const double
        *T[RG_AXES]; /* of the faces; NULL: the axis is one cell that is its own neighbour */
    const double *s;
    double *own[RG_AXES], *own_s; /* the same where they are not those of the matrix              */
    double *inverse;              /* 1/diagonal; 0 beside the cells                               */
    double *x, *b, *r;
    double
        *weight; /* of a cell in the interpolation: that of the coarse cell beyond its own      */
    int axis;    /* along which the next level joins cells                                     */
    bool smooths;
} rg_multigrid_level;

typedef struct {
    int n_levels;
    rg_multigrid_level level[RG_MULTIGRID_LEVELS];
    double *diagonal; /* of the finest level; NULL: needless */
    double *factor;   /* of the coarsest one; NULL: none  */
    double *packed;   /* numbers of the coarsest cells    */
    double *pattern;  /* 1, 0, 1, 0, ...                  */
    double *row;      /* work: a row of every thread      */
    int64_t longest;  /* numbers of it                    */
    rg_gradients outer;
} rg_multigrid;

/* The axis along which cells are joined next, or -1; axes with weak couplings wait. */
void rg_multigrid_axes(const rg_multigrid_level *fine, bool join[RG_AXES]);
/* Sizes of the level that joins the cells of `fine` along its axis. */
void rg_multigrid_shape(const rg_multigrid_level *fine, rg_multigrid_level *coarse);
/* Conductances of `coarse` and the weights of `fine`. */
void rg_multigrid_coarsen(rg_multigrid_level *fine, rg_multigrid_level *coarse);
void rg_multigrid_diagonal(rg_multigrid_level *at, double *diagonal); /* NULL: inverse only */

/* Copies the cells beside the ends of periodic axes. */
void rg_multigrid_wrap(const rg_multigrid_level *at, double *x);
/* out = b - A x; b NULL: A x. */
void rg_multigrid_residual(const rg_multigrid_level *at, const double *b, double *x, double *out);
/* One cycle on level l: x from b, whose places beside the ends of periodic axes may be filled. */
void rg_multigrid_cycle(rg_multigrid *m, int l, double *b, double *x);

static inline int64_t rg_multigrid_at(const rg_multigrid_level *l, int i, int j, int k)
{
    return l->origin + i + j * l->stride[1] + k * l->stride[2];
}

#endif
