/* Boundary value problems by collocation on an adaptive mesh.
 *
 * On every mesh the problem is solved with s stages and, from there, with s + 1.  Their difference
 * estimates the error of the first, all over the interval, global propagation included; it decides
 * whether the tolerance holds and where the mesh needs more or fewer points. */
#ifndef RG_BVP_COLLOCATION_COLLOCATION_H
#define RG_BVP_COLLOCATION_COLLOCATION_H

#include "bvp/collocation/dense.h"
#include "bvp/collocation/places.h"
#include "bvp/conditions.h"
#include "bvp/method.h"

/* The method of the table.  method.c */
rg_bvp_solve_fn rg_collocation_solve;

typedef struct {
    double rtol, atol; /* atol 0: not given */
    rg_rule_kind kind;
    int stages; /* 1 .. 7 */
    int64_t max_intervals;
    int max_newton;
    double step;   /* > 0: equal intervals of about this length, no adaption */
    bool is_rough; /* only a guess for another run is wanted: gives up early, proves nothing */
} rg_collocation_control;

typedef struct {
    rg_curve *solution;
    rg_curve *last;   /* iterate of a solve that failed; NULL: none did */
    rg_curve *second; /* the same with a stage more, on the last mesh; NULL: none */
    /* largest error of what is printed, relative to the weight in estimate.c */
    double estimate;
    rg_curve
        *along; /* of a problem that was refused as singular: what is free, at most 1; or NULL */
    double conditioning;  /* how much relative changes of the conditions are amplified */
    double amplification; /* how much changes of the equations are */
    rg_places places;     /* singular ones that were passed */
    int small;            /* state with few digits at an end, nx more for the last one; -1: none */
    double small_error;   /* its error there */
    bool is_thin;         /* the guess lets layers be that are thinner than numbers resolve */
    bool is_unresolved; /* free oscillations too fast for any mesh: the conditioning is not known */
    double error;   /* largest on the last mesh, derivatives included, in units of the tolerance */
    int n_failed;   /* solves that Newton's method did not bring to an end */
    int n_newton;   /* iterations of the first solve on the first mesh that worked */
    rg_stats stats; /* steps: intervals; rejected: meshes that were not the last */
} rg_collocation_result;

/* first: a mesh to begin with, or NULL.  RG_ERR_CONVERGENCE: no solution found, or the tolerance
 * not met; result->solution is then what there is, or NULL. */
rg_status rg_collocation_run(rg_bvp_form *f, rg_bvp_conditions *c,
                             const rg_collocation_control *control, const rg_profile *guess,
                             const rg_curve *first, rg_collocation_result *result);
void rg_collocation_clear(rg_collocation_result *result);

/* Per interval: largest difference of two solutions on one mesh, relative to rtol times the weight
 * in estimate.c, where units and zeros of an unknown do not matter.  size (2 nz): on entry what
 * rg_implicit_natural() gives, on exit the first nz are the largest values; a state that has fallen
 * to rounding beside `past` (nx), its largest value so far, is zero.  In the interval of a singular
 * place algebraic unknowns do not count.  estimate.c */
rg_status rg_collocation_compare(rg_bvp_form *f, const rg_collocation_control *control,
                                 const rg_places *places, const rg_curve *low, const rg_curve *high,
                                 const double *past, double *error, double *size);

/* The weight of an error of component k of z = (x, w) that has this value. */
double rg_collocation_weight(const rg_bvp_form *f, const rg_collocation_control *control,
                             double length, int k, double value, const double *size);

#endif
