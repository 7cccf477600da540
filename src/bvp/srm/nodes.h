/* The side conditions of an iterate, n_z of them, as equations in z at the mesh points of
 * conditions: L (2.2) and (2.3b), the user's conditions and the (hidden) constraints at the
 * start; or L (4.5), z given at the end. */
#ifndef RG_BVP_SRM_NODES_H
#define RG_BVP_SRM_NODES_H

#include "bvp/conditions.h"
#include "bvp/srm/field.h"
#include "curve/curve.h"

typedef struct {
    rg_context *ctx;
    rg_bvp_srm_field *field;
    rg_bvp_conditions *conditions; /* not owned */
    int n_nodes;
    const double *time;    /* n_nodes */
    const double *end;     /* n_z values that z has at the last node; NULL: the conditions hold */
    int *slot, *component; /* per place of the conditions' (x, w): which of x, v, x'' (x'), y */
    double *form;          /* n_nodes times (x, w) */
    double *values, *moved, *z; /* all rows; 2 n_z; n_nodes n_z */
    double *before, *J;         /* (x, w); all rows by n_nodes times (x, w) */
    rg_bvp_srm_point at;
} rg_bvp_srm_nodes;

/* RG_ERR_STRUCTURE: not n_z conditions. */
rg_status rg_bvp_srm_nodes_create(rg_bvp_srm_field *f, rg_bvp_conditions *c,
                                  rg_bvp_srm_nodes **out);
void rg_bvp_srm_nodes_destroy(rg_bvp_srm_nodes **nodes);
/* values: n_z; J: column-major n_z x (n_nodes n_z), or NULL; scale: n_z, of differences where
 * conditions ask for x', v' or y, and of constraints with a mass matrix that moves. */
rg_status rg_bvp_srm_nodes_eval(rg_bvp_srm_nodes *n, const rg_curve *it, const double *scale,
                                double *values, double *J);
/* z from (x, w) of the boundary value form, and back (what z does not hold becomes 0). */
void rg_bvp_srm_nodes_take(const rg_bvp_srm_nodes *n, const double *form_x, const double *form_w,
                           double *z);
void rg_bvp_srm_nodes_give(const rg_bvp_srm_nodes *n, const double *z, double *form);

#endif
