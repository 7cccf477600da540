/* The parts of sequential regularization for boundary values, put together by hand: one mesh, one
 * rule, iterate by iterate. */
#ifndef RG_TESTS_SUPPORT_SRM_PARTS_H
#define RG_TESTS_SUPPORT_SRM_PARTS_H

#include "bvp/boundary.h"
#include "bvp/srm/srm.h"
#include "curve/mesh.h"
#include "newton/consistent.h"

#include <string.h>

typedef struct {
    rg_boundary *boundary;
    rg_bvp_srm_field *field;
    rg_bvp_srm_nodes *nodes;
    rg_curve *curve;
    rg_bvp_srm_sweep *sweep;
    rg_stats stats;
} srm_parts;

/* start: unknowns of the model at its start, at least nearly; o->eps is used. */
static inline rg_status srm_parts_make(rg_problem *p, const rg_options *o, const double *start,
                                       rg_rule_kind kind, int stages, int64_t N, srm_parts *q)
{
    const rg_analysis *a;
    rg_system *system = NULL;
    rg_rule rule;
    double *t = NULL;
    rg_options options = *o;

    strcpy(options.method, "srm");
    RG_TRY(rg_analysis_get(p, &a));
    RG_TRY(rg_boundary_create(p, p->b, "", &q->boundary));
    RG_TRY(rg_system_create(p, a, RG_VIEW_DIRECT, &system));
    RG_TRY(rg_bvp_srm_field_create(p, &options, &system, start, p->b, &q->field));
    const rg_bvp_conditions *c = q->boundary->conditions;
    RG_TRY(rg_bvp_srm_nodes_create(q->field, q->boundary->conditions, &q->nodes));
    rg_rule_init(kind, stages, &rule);
    RG_TRY(rg_mesh_uniform(p->ctx, c->n_points, c->point, N, 1, &N, &t));
    const rg_status status = rg_curve_create(p->ctx, &rule, q->field->n_c, q->field->n_z, N, t,
                                             c->n_points, c->point, &q->curve);
    rg_free(p->ctx, t);
    RG_TRY(status);
    rg_bvp_srm_field_set(q->field, o->eps, 1.0);
    RG_TRY(rg_bvp_srm_sweep_create(q->field, q->nodes, q->curve, &q->stats, &q->sweep));
    q->sweep->newton.control.floor = 1.0;
    q->sweep->newton.control.tol = 1e-14;
    q->sweep->newton.control.most = 10;
    return RG_OK;
}

static inline rg_status srm_parts_iterate(srm_parts *q, int iterations)
{
    for (int s = 0; s < iterations; s++)
        RG_TRY(rg_bvp_srm_sweep_next(q->sweep));
    return RG_OK;
}

static inline void srm_parts_release(rg_context *ctx, srm_parts *q)
{
    rg_bvp_srm_sweep_destroy(&q->sweep);
    rg_curve_destroy(&q->curve);
    rg_bvp_srm_nodes_destroy(&q->nodes);
    rg_bvp_srm_field_destroy(&q->field);
    rg_boundary_destroy(ctx, &q->boundary);
}

#endif
