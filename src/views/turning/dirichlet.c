/* Boundary values u(low), u(high) from boundary lines in any arrangement and from start values. */
#include "views/turning/tuning.h"
#include "views/turning/turning_impl.h"

#include <math.h>
#include <stdio.h>

/* Which end a time is: 0 low, 1 high, -1 neither. */
static int end_of(const rg_turning *v, double t)
{
    return t == v->low ? 0 : t == v->high ? 1 : -1;
}

static rg_status refuse(rg_turning *v, rg_span span)
{
    char name[64];

    rg_variable_name(v->p, v->unknown, 0, name, sizeof name);
    return rg_turning_refuse(v, RG_TURNING_NO_CONDITIONS, span,
                             "its conditions are not values of %s at both ends", name);
}

/* The end that a line is about, -1: it has anything else than u at one end in it. */
static int end_of_line(const rg_turning *v, const rg_turning_row *r)
{
    enum { LEAVES = 8 };
    rg_node leaf[LEAVES];
    const int32_t n = rg_graph_leaves(r->graph, r->F, LEAVES, leaf);
    int end = -1;

    for (int32_t k = 0; k < n && k < LEAVES; k++) {
        const rg_graph_node *node = rg_graph_at(r->graph, leaf[k]);
        if (node->op != RG_OP_VAR) return -1;
        const rg_slot *slot = &r->body->slots[node->a];
        if (node->order > 0 || rg_map_at(&slot->map, r->iteration) != v->unknown || slot->point < 0)
            return -1;
        const int now = end_of(v, v->p->points[slot->point]);
        if (now < 0 || (k > 0 && now != end)) return -1;
        end = now;
    }
    return n <= LEAVES ? end : -1;
}

/* R(u) = 0, linear: u = -R(0)/(R(1) - R(0)), seen at three points. */
static rg_status read_line(rg_turning *v, const rg_turning_row *r, rg_span span, int *given)
{
    rg_turning_at at[3] = {0};
    double R[3];
    bool is_finite;
    const int end = end_of_line(v, r);

    RG_TRY(rg_graph_status(r->graph)); /* memory for the leaves */
    if (end < 0) return refuse(v, span);
    for (int k = 0; k < 3; k++)
        at[k].z[v->unknown][0] = k;
    RG_TRY(rg_turning_once(v->ctx, r, 1, &r->F, 3, at, R, &is_finite));
    const double slope = R[1] - R[0];
    if (!is_finite || slope == 0.0
        || fabs(R[2] - R[1] - slope) > RG_TURNING_SAME * (fabs(R[0]) + fabs(R[2])))
        return refuse(v, span);
    v->value[end] = -R[0] / slope;
    given[end]++;
    return RG_OK;
}

static rg_status read_block(rg_turning *v, const rg_block *block, int *given)
{
    rg_turning_row r = {.body = block->body};

    RG_TRY(rg_graph_copy(v->ctx, block->body->graph, &r.graph));
    rg_status status = RG_OK;
    for (int o = 0; o < block->body->n_outputs && status == RG_OK; o++)
        for (r.iteration = 0; r.iteration < block->body->count && status == RG_OK; r.iteration++) {
            r.F = block->body->outputs[o];
            status = read_line(v, &r, block->spans[o], given);
        }
    rg_graph_destroy(&r.graph);
    return status;
}

rg_status rg_turning_conditions(rg_turning *v, double a, double b)
{
    static const rg_span nowhere = {0, 0};
    const rg_problem *p = v->p;
    int given[2] = {0, 0};

    (void)b;
    for (int k = 0; k < p->n_conditions; k++)
        RG_TRY(read_block(v, &p->conditions[k], given));
    for (int r = 0; r < p->start_orders; r++)
        for (int64_t j = 0; p->start[r].kind != NULL && j < p->n; j++) {
            if (p->start[r].kind[j] != RG_START_KEPT) continue;
            const int end = end_of(v, a);
            if (r > 0 || j != v->unknown || end < 0) return refuse(v, nowhere);
            v->value[end] = p->start[r].value[j];
            given[end]++;
        }
    return given[0] == 1 && given[1] == 1 ? RG_OK : refuse(v, nowhere);
}
