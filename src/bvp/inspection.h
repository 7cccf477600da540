/* The rows that hold at one point of the conditions: constraints G(t_k, x) and the conditions that
 * read values at t_k alone, linearized in the states x;  w = w(x) is eliminated by  dw = K dx,
 * K = -Fw^-1 Fx. */
#ifndef RG_BVP_INSPECTION_H
#define RG_BVP_INSPECTION_H

#include "bvp/collocation/profile.h"
#include "bvp/conditions.h"

typedef struct {
    rg_problem *p;
    rg_bvp_form *f;
    rg_bvp_conditions *c;
    int k; /* the point */
    double t;
    double *x, *w, *z;  /* at this point; z: all points */
    double *first;      /* nx: x where the inspection of the point began */
    double *values, *J; /* conditions */
    double *G, *Gx;     /* constraints */
    double *F, *Fx, *Fw, *work;
    int *pivot;
    int n_rows;          /* of this point: */
    double *rows, *miss; /* gradients row by row (nx each); their values */
    double *terms;       /* what their entries are sums of, in absolute values */
    double *scaled;      /* gradients again, columns and rows of about the same size */
    double *basis;       /* orthonormal rows */
    int *row;            /* number of the condition; -1 - q: constraint q */
    bool *has_w;         /* reads a highest derivative or an algebraic unknown */
    bool *is_dependent;  /* on those before it */
    bool *is_here;       /* per condition: reads values at this point alone */
    bool is_fresh;       /* not known yet which ones do */
} rg_inspection;

rg_status rg_inspection_init(rg_problem *p, rg_bvp_form *f, rg_bvp_conditions *c,
                             rg_inspection *out);
void rg_inspection_clear(rg_inspection *s); /* also after a failure */
/* x, w: the guess at point k, entry j moved by factor (1 + |z_j|) times a number in [-1, 1] of
 * series number `seed`, so that accidental zeros do not count.  A guess that cannot be
 * evaluated: RG_RETRY. */
rg_status rg_inspection_start(rg_inspection *s, const rg_profile *guess, int k, double factor,
                              int seed);
/* All rows of this point at (x, w).  RG_RETRY: cannot be evaluated, or w is not determined. */
rg_status rg_inspection_gather(rg_inspection *s);
/* Row i is zero, as far as values of this size can be. */
bool rg_inspection_holds(const rg_inspection *s, int i);
/* scaled <- rows, by powers of 2, so that units do not matter. */
void rg_inspection_scale(rg_inspection *s);

/* "the first derivative of line 7", "the condition in line 13". */
void rg_inspection_name(const rg_inspection *s, int i, char *buffer, int size);
/* The rows before `i` that its gradient is made of, as "line 4 and the condition in line 9"; ""
 * for one that reads no unknown. */
rg_status rg_inspection_explain(rg_inspection *s, int i, char *buffer, int size);

#endif
