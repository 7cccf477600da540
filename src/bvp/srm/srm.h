/* Boundary value problems of index 2 and 3 with separate constraints by sequential regularization.
 *
 *     x_s' = f - B y_s,   y_s = y_{s-1} + E g(x_s)/eps
 *         with the conditions of the model and g = 0 at the start
 *
 * L (3.3), (3.4), (3.8), section 4.1: every iterate is a boundary value problem without
 * constraints, solved by collocation at Gauss or Radau points on a mesh; the whole iterate is
 * stored.  Nonlinear models and index 3 with the formulas of N, by quasilinearization.  Places
 * inside the interval where the constraints lose rank are passed: By is carried, and the mesh is
 * moved so that no collocation point meets them.  doc/methods/srm.md */
#ifndef RG_BVP_SRM_SRM_H
#define RG_BVP_SRM_SRM_H

#include "bvp/guess.h"
#include "bvp/method.h"
#include "bvp/srm/sweep.h"

/* The method of the table. */
rg_bvp_solve_fn rg_bvp_srm_boundary_solve;

typedef enum { RG_LAYER_FIT, RG_LAYER_BACK, RG_LAYER_KEEP } rg_bvp_srm_layer;

typedef struct {
    double rtol, atol;
    double eps;     /* 0: chosen */
    int iterations; /* 0: until they no longer change */
    /* else a nonlinear model starts from the multipliers along its first solution */
    bool is_y0_given;
    rg_bvp_srm_layer layer;
    double step; /* > 0: equal intervals of about this length, no adaption */
    int64_t max_intervals;
    int max_newton;
    bool with_estimate; /* also with a given step */
    bool accepts_doubt; /* a result without a certain digit is one */
} rg_bvp_srm_control;

typedef struct rg_bvp_srm_result rg_bvp_srm_result;
struct rg_bvp_srm_result {   /* the result on its mesh, with what output needs */
    rg_bvp_srm_field *field; /* owned */
    rg_bvp_srm_nodes *nodes; /* owned */
    rg_curve *curve;
    double *By;       /* (N + 1) n_x at the mesh points */
    double *stage_By; /* N s n_x in the collocation points */
    double eps;
    int iterations, restarts;
    double conditioning; /* how much relative changes of the conditions are amplified */
    double estimate;     /* NaN: none */
    rg_singular *place;  /* where the constraints lose rank */
    int64_t n_places, place_capacity;
    rg_stats stats; /* steps: intervals; rejected: meshes that were not the last */
    char choice[256], warning[256];
    rg_bvp_srm_result *second; /* that it was compared with, owned; NULL: none */
};

/* f, c: of the model.  RG_ERR_CONVERGENCE: no solution found or the tolerance not met;
 * result->curve is then what there is. */
rg_status rg_bvp_srm_solve_boundary(rg_bvp_srm_field **field, rg_bvp_conditions *c,
                                    const rg_bvp_srm_control *control, const rg_profile *guess,
                                    rg_bvp_srm_result *result);
void rg_bvp_srm_result_clear(rg_bvp_srm_result *result);

/* dense.c: By at mesh and collocation points, and the places where the constraints lose rank. */
rg_status rg_bvp_srm_result_complete(rg_bvp_srm_result *r);
/* z (n_z) and the point (f, By, y) at t in interval i.  out->By is interpolated between
 * collocation and mesh points. */
rg_status rg_bvp_srm_result_eval(const rg_bvp_srm_result *r, int64_t i, double t, double *z,
                                 rg_bvp_srm_point *out);
/* compare.c: per interval the largest difference of two results on one mesh in units of
 * atol + rtol |.|; returns the largest one of all, relative to  atol/rtol + |.|.  Multipliers
 * count where the constraints are regular. */
rg_status rg_bvp_srm_compare(const rg_bvp_srm_control *control, const rg_bvp_srm_result *low,
                             const rg_bvp_srm_result *high, double *error, double *estimate);
/* mesh.c: moves mesh points near the time `hit`, so that no collocation point lies there.
 * False: cannot. */
bool rg_bvp_srm_mesh_displace(int64_t N, double *t, int n_nodes, const double *node, double hit);

/* output.c: hands the result to a solution as points and steps. */
rg_status rg_bvp_srm_boundary_write(rg_problem *p, rg_bvp_srm_result *result, const rg_options *o,
                                    const rg_request *r, rg_solution **out);

#endif
