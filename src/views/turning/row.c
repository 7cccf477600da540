/* Expressions of one equation of a model: partial derivatives with respect to an unknown, and
 * values at a point. */
#include "views/turning/turning_impl.h"

#include <math.h>

rg_node rg_turning_partial(const rg_turning_row *r, rg_node of, int64_t unknown, int order)
{
    enum { LEAVES = 64 };
    rg_node leaf[LEAVES], sum = rg_graph_const(r->graph, 0.0);
    const int32_t n = rg_graph_leaves(r->graph, of, LEAVES, leaf);

    for (int32_t k = 0; k < n && k < LEAVES; k++) {
        const rg_graph_node *node = rg_graph_at(r->graph, leaf[k]);
        if (node->op != RG_OP_VAR || node->order != order
            || rg_map_at(&r->body->slots[node->a].map, r->iteration) != unknown)
            continue;
        const rg_node partial = rg_graph_partial(r->graph, of, leaf[k]);
        sum = rg_graph_binary(r->graph, RG_OP_ADD, sum, partial);
    }
    return sum;
}

double rg_turning_input(const rg_turning_row *r, rg_tape_input in, const rg_turning_at *at)
{
    if (in.op == RG_OP_DATA) {
        const rg_data *d = &r->body->data[in.slot];
        return d->values[rg_map_at(&d->map, r->iteration)];
    }
    if (in.op != RG_OP_VAR || in.order >= RG_TURNING_ORDERS) return 0.0;
    const int64_t unknown = rg_map_at(&r->body->slots[in.slot].map, r->iteration);
    return unknown < 2 ? at->z[unknown][in.order] : 0.0;
}

bool rg_turning_results(const rg_tape *tape, double x, double *work, int n, double *out)
{
    bool is_finite = true;

    rg_tape_run_one(tape, x, work);
    for (int k = 0; k < n; k++) {
        out[k] = work[rg_tape_results(tape) + k];
        is_finite = is_finite && isfinite(out[k]);
    }
    return is_finite;
}

static bool run(const rg_turning_row *r, const rg_tape *tape, const rg_turning_at *at, double *work,
                int n, double *out)
{
    const int n_inputs = rg_tape_input_count(tape);

    for (int k = 0; k < n_inputs; k++)
        work[k] = rg_turning_input(r, rg_tape_input_at(tape, k), at);
    return rg_turning_results(tape, at->x, work, n, out);
}

rg_status rg_turning_once(rg_context *ctx, const rg_turning_row *r, int n, const rg_node *nodes,
                          int n_points, const rg_turning_at *at, double *out, bool *is_finite)
{
    rg_tape *tape = NULL;
    double *work = NULL;

    *is_finite = true;
    RG_TRY(rg_tape_create(ctx, r->graph, n, nodes, &tape));
    rg_status status = RG_OK;
    if ((work = rg_alloc(ctx, rg_tape_workspace(tape) + 1, sizeof *work)) == NULL)
        status = RG_ERR_MEMORY;
    for (int k = 0; k < n_points && status == RG_OK; k++)
        if (!run(r, tape, &at[k], work, n, out + k * n)) *is_finite = false;
    rg_free(ctx, work);
    rg_tape_destroy(&tape);
    return status;
}
