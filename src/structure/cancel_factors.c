/* The factors of a combination, as expressions: see cancel_impl.h. */
#include "structure/cancel_impl.h"

#include <string.h>

/* dF_i/dy_j^(d_j - c_i) */
static rg_node derivative(rg_canceller *k, int32_t i, int64_t j)
{
    const int order = k->d[j] - k->c[i];
    const rg_node F = k->body->outputs[i - k->first_row];
    rg_node sum = rg_graph_const(k->graph, 0.0);

    for (int32_t s = 0; s < k->body->n_slots && order >= 0; s++)
        if (rg_map_at(&k->body->slots[s].map, 0) == j)
            sum = rg_graph_binary(k->graph, RG_OP_ADD, sum,
                                  rg_graph_partial(k->graph, F, rg_graph_var(k->graph, s, order)));
    return sum;
}

static bool is_constant(const rg_canceller *k, rg_node node)
{
    return rg_graph_at(k->graph, node)->op == RG_OP_CONST;
}

static bool is_constant_column(rg_canceller *k, int64_t j)
{
    for (int i = 0; i < k->count; i++)
        if (!is_constant(k, derivative(k, k->rows[i], j))) return false;
    return true;
}

/* What the columns taken leave of column j, in the rows but the last. */
static double rest_of(rg_canceller *k, int64_t j, int taken)
{
    memset(k->basis + taken * k->n, 0, (size_t)k->n * sizeof *k->basis);
    for (int i = 0; i < k->count - 1; i++)
        k->basis[taken * k->n + i] = k->J[k->rows[i] * k->n + j];
    return rg_cancel_reduce(k, taken);
}

/* Columns in which the rows but the last are independent, the largest first, and before them such
 * with constant entries. */
static rg_status find_columns(rg_canceller *k)
{
    const int m = k->count - 1;

    for (int taken = 0; taken < m; taken++) {
        double most = RG_CANCEL_ZERO;
        int64_t best = -1;
        for (int64_t j = 0; j < k->n; j++) {
            double size = rest_of(k, j, taken);
            if (size > RG_CANCEL_CONSTANT && is_constant_column(k, j)) size += 1.0;
            if (size <= most) continue;
            most = size;
            best = j;
        }
        if (best < 0) return (rg_status)RG_RETRY;
        (void)rest_of(k, best, taken);
        k->columns[taken] = (int32_t)best;
    }
    return RG_OK;
}

static rg_status take_entries(rg_canceller *k)
{
    for (int i = 0; i < k->count; i++)
        for (int b = 0; b < k->count - 1; b++)
            k->entry[i][b] = derivative(k, k->rows[i], k->columns[b]);
    return rg_graph_status(k->graph);
}

/* Determinant of the rows in `rows` (bits) and the first columns. */
static rg_node determinant(rg_canceller *k, unsigned rows, int columns)
{
    rg_node sum = rg_graph_const(k->graph, columns == 0 ? 1.0 : 0.0);
    int sign = columns % 2 == 1 ? 1 : -1;

    for (int i = 0; i < k->count && columns > 0; i++) {
        if (!(rows >> i & 1u)) continue;
        const rg_node minor = determinant(k, rows & ~(1u << i), columns - 1);
        const rg_node term = rg_graph_binary(k->graph, RG_OP_MUL, k->entry[i][columns - 1], minor);
        sum = rg_graph_binary(k->graph, sign > 0 ? RG_OP_ADD : RG_OP_SUB, sum, term);
        sign = -sign;
    }
    return sum;
}

/* w_i: minors without row i, with alternating signs; w_l = 1 where it is constant. */
rg_status rg_cancel_find_factors(rg_canceller *k)
{
    const unsigned all = (1u << k->count) - 1u;

    RG_TRY(find_columns(k));
    RG_TRY(rg_cancel_choose(k));
    RG_TRY(take_entries(k));
    for (int i = 0; i < k->count; i++) {
        k->w[i] = determinant(k, all & ~(1u << i), k->count - 1);
        if (i % 2 == 1) k->w[i] = rg_graph_unary(k->graph, RG_OP_NEG, k->w[i]);
    }
    const rg_node last = k->w[k->count - 1];
    RG_TRY(rg_graph_status(k->graph));
    if (!is_constant(k, last)) {
        k->may_vanish = true;
        return RG_OK;
    }
    if (rg_graph_at(k->graph, last)->value == 0.0) return (rg_status)RG_RETRY;
    for (int i = 0; i < k->count; i++)
        k->w[i] = rg_graph_binary(k->graph, RG_OP_DIV, k->w[i], last);
    return rg_graph_status(k->graph);
}
