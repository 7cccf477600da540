/* A run of sequential regularization for boundary values: what its files share. */
#ifndef RG_BVP_SRM_RUN_H
#define RG_BVP_SRM_RUN_H

#include "bvp/srm/srm.h"

typedef struct {
    rg_bvp_srm_field *f;
    rg_bvp_srm_nodes *nodes;
    rg_bvp_conditions *c;
    const rg_bvp_srm_control *control;
    const rg_profile *guess;
    rg_bvp_srm_result *result;
    rg_rule low, high;
    double *t, *error, *form; /* mesh; per interval; x, x', w of the guess */
    uint8_t *is_halved;       /* per interval */
    double length, worst_t;
    bool is_check; /* what is solved is compared with a solution that is there */
    bool is_far;   /* the guess was too far for Newton's method: nonlinear */
    int64_t N;
} rg_bvp_srm_run;

/* The part of the interval that the initial layer takes. */
double rg_bvp_srm_run_layer(const rg_bvp_srm_run *r, int iterations);
/* All iterates with `rule` and `eps` on the mesh of the run, from a curve or (NULL) the guess; the
 * mesh is displaced where a collocation point meets a singular place.  RG_RETRY: no solution on
 * this mesh. */
rg_status rg_bvp_srm_run_mesh(rg_bvp_srm_run *r, const rg_rule *rule, double eps,
                              const rg_curve *from, rg_bvp_srm_result *out);
/* Drops what a mesh has given; field and nodes stay. */
void rg_bvp_srm_result_drop(rg_context *ctx, rg_bvp_srm_result *r);
/* failure.c */
rg_status rg_bvp_srm_run_fail_newton(const rg_bvp_srm_run *r);
rg_status rg_bvp_srm_run_fail_mesh(const rg_bvp_srm_run *r, double worst);
rg_status rg_bvp_srm_run_fail_digit(const rg_bvp_srm_run *r);

#endif
