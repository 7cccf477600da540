/* Iterates of sequential regularization on one mesh, the whole of each stored (L section 4.1), and
 * the removal of the initial layer that they have where y_0 differs from y at the start (L
 * Theorem 3.1). */
#ifndef RG_BVP_SRM_SWEEP_H
#define RG_BVP_SRM_SWEEP_H

#include "bvp/collocation/condensed.h"
#include "bvp/newton.h"
#include "bvp/srm/nodes.h"

typedef struct {       /* a linear field in the collocation points: z' = F + M (z - X) */
    double *X, *F, *M; /* N s n, N s n, N s n n */
} rg_bvp_srm_model;

typedef struct {
    rg_bvp_srm_field *field;
    rg_bvp_srm_nodes *nodes;
    rg_condensed *linear;
    const rg_bvp_srm_model *model; /* NULL: the field itself; not owned */
    int *order;                    /* per component of z: 0 for x, 1 for v */
    rg_bvp_newton newton;
    const double *before; /* what the iterate before carries, while this one is computed */
    rg_curve *it;         /* not owned: z and Z' of the last iterate; c: what it carries */
    bool has_c;           /* it->w holds values; else y_0 of the options */
    bool is_seeded;       /* y_0 came from the constraints: there is no layer */
    bool is_due;          /* what the last iterate carries has still to be found */
    double near_enough;   /* an error of z, relative, that y may have, too */
    double *past;         /* z of the iterate before at the mesh points */
    double *carried;      /* n_c */
    double *records;      /* a linear model: its values in all collocation points; NULL: others */
    uint8_t *is_recorded; /* per point */
    size_t record_size;
    int n_iterations;
} rg_bvp_srm_sweep;

rg_status rg_bvp_srm_sweep_create(rg_bvp_srm_field *f, rg_bvp_srm_nodes *nodes, rg_curve *it,
                                  rg_stats *stats, rg_bvp_srm_sweep **out);
void rg_bvp_srm_sweep_destroy(rg_bvp_srm_sweep **sweep);
/* y_0: the multipliers that the constraints give along s->it; near singular places interpolated. */
rg_status rg_bvp_srm_sweep_seed(rg_bvp_srm_sweep *s);
/* x of the iterate by Newton's method (quasilinearization); what it carries stays.  Factors are
 * kept from solve to solve as long as they contract.  RG_RETRY: no solution found; s->it may
 * have moved. */
rg_status rg_bvp_srm_sweep_solve(rg_bvp_srm_sweep *s);
/* One more iterate.  RG_RETRY: it cannot be computed on this mesh. */
rg_status rg_bvp_srm_sweep_next(rg_bvp_srm_sweep *s);
/* The largest change from the iterate before, relative to the largest value of its component, at
 * mesh points `from` or farther from the start. */
double rg_bvp_srm_sweep_change(const rg_bvp_srm_sweep *s, double from);

/* layer.c: width of the layer after n iterates: about (25 + 2.5 n) eps, by experiment with L
 * Example 1. */
double rg_bvp_srm_layer_width(const rg_bvp_srm_field *f, int n_iterations);
/* The start of what is carried (By or y) over a length `width` is replaced by a polynomial that
 * takes the value that the constraints give at the start and continues what was computed behind
 * the layer. */
rg_status rg_bvp_srm_layer_fit(rg_bvp_srm_sweep *s, double width);
/* L (4.5): m iterates of the terminal value problem from z at the end, with the sign of BEC
 * changed; what they carry replaces what is carried here in the first half of the interval.
 * is_first: from y_0 constant, else from what is carried.  stays: the iterates of the terminal
 * value problem are the result, with z at the end moved onto the constraints (L Table 5.2). */
rg_status rg_bvp_srm_layer_back(rg_bvp_srm_sweep *s, int m, bool is_first, bool stays);

#endif
