/* Values of expressions beside their rounding, in units of eps: that of a sum is the one of its
 * terms and its own, |y|; leaves and numbers have none, so that (t - 1.6e9) is exact. */
#include "expr/graph_impl.h"
#include "expr/tuning.h"

#include <math.h>

typedef struct {
    double value, rounding;
} weight;

/* The rounding of argument k, carried through an operation. */
static double carried(const rg_graph_node *n, const double v[3], const weight *w, int k, double y)
{
    double moved[3] = {v[0], v[1], v[2]};
    const double step = RG_WEIGH_STEP * w->rounding;

    if (!(step > 0.0)) return 0.0;
    moved[k] += step;
    return fabs(rg_op_value((rg_op)n->op, moved[0], moved[1], moved[2]) - y) / RG_WEIGH_STEP;
}

static weight weigh_operation(const rg_graph_node *n, const weight *all)
{
    const int32_t argument[3] = {n->a, n->b, n->c};
    const int arity = rg_op_arity((rg_op)n->op);
    weight w[3] = {{0}};
    double v[3] = {0};

    for (int k = 0; k < arity; k++) {
        w[k] = all[argument[k]];
        v[k] = w[k].value;
    }
    if (rg_op_is_table(n->op)) {
        const double y = rg_op_table_value((rg_op)n->op, n->table, n->order, v[0], v[1]);
        return (weight){y, fabs(y)};
    }
    const double y = rg_op_value((rg_op)n->op, v[0], v[1], v[2]);
    double rounding = n->op == RG_OP_NEG ? 0.0 : fabs(y);
    for (int k = 0; k < arity; k++)
        rounding += carried(n, v, &w[k], k, y);
    return (weight){y, rounding};
}

rg_status rg_graph_weigh(rg_graph *g, rg_node of, rg_leaf_value_fn *leaf, const void *user,
                         double *value, double *rounding)
{
    weight *all = rg_alloc(g->ctx, (size_t)of + 1, sizeof *all);
    const int32_t count = all != NULL ? rg_graph_walk(g, 1, &of, 0) : -1;

    for (int32_t k = 0; k < count; k++) {
        const rg_node i = g->order[k];
        const rg_graph_node *n = &g->nodes[i];
        if (n->op > RG_OP_SEED) {
            all[i] = weigh_operation(n, all);
            continue;
        }
        all[i] = (weight){n->op == RG_OP_CONST ? n->value : leaf(user, n), 0.0};
    }
    if (count >= 0) {
        *value = all[of].value;
        *rounding = all[of].rounding;
    }
    rg_free(g->ctx, all);
    return count >= 0 ? RG_OK : rg_graph_status(g) != RG_OK ? rg_graph_status(g) : RG_ERR_MEMORY;
}
