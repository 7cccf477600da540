/* The combination written out, without the unknowns that cancel in it: see cancel_impl.h. */
#include "structure/cancel_impl.h"

#include <math.h>

/* Does a leaf stand for y_j^(r), r >= d_j - c_l, of an unknown with d_j >= least? */
static bool is_leading(const rg_canceller *k, const rg_graph_node *n)
{
    if (n->op != RG_OP_VAR) return false;
    const int64_t j = rg_map_at(&k->body->slots[n->a].map, 0);
    return k->d[j] >= k->least && n->order >= k->d[j] - k->c[k->rows[k->count - 1]];
}

static bool is_allowed(const rg_canceller *k, rg_node factor)
{
    enum { MOST = 1000 };
    rg_node leaf[MOST];
    const int32_t n = rg_graph_leaves_once(k->ctx, k->graph, factor, MOST, leaf);

    for (int32_t i = 0; i < n && i < MOST; i++)
        if (is_leading(k, rg_graph_at(k->graph, leaf[i]))) return false;
    return n <= MOST;
}

static rg_node renew(rg_canceller *k, const rg_node *fresh, const rg_graph_node *n)
{
    const rg_node b = n->b >= 0 ? fresh[n->b] : -1, c = n->c >= 0 ? fresh[n->c] : -1;

    return rg_graph_again(k->graph, n, (rg_node[]){fresh[n->a], b, c});
}

/* The expression with 0 for the leaves on which it does not depend. */
static rg_status drop(rg_canceller *k, const uint8_t *is_absent, rg_node of, rg_node *out)
{
    rg_node *fresh = rg_alloc(k->ctx, (size_t)of + 1, sizeof *fresh);

    if (fresh == NULL) return RG_ERR_MEMORY;
    for (rg_node i = 0; i <= of; i++) {
        const rg_graph_node n = *rg_graph_at(k->graph, i);
        if (is_absent[i])
            fresh[i] = rg_graph_const(k->graph, 0.0);
        else
            fresh[i] = n.op <= RG_OP_SEED ? i : renew(k, fresh, &n);
    }
    *out = fresh[of];
    rg_free(k->ctx, fresh);
    return rg_graph_status(k->graph);
}

static double leaf_value(const void *user, const rg_graph_node *n)
{
    const rg_canceller *k = user;

    if (n->op == RG_OP_TIME) return k->at->t;
    if (n->op == RG_OP_VAR)
        return k->at->z[n->order * k->n + rg_map_at(&k->body->slots[n->a].map, 0)];
    const rg_data *d = &k->body->data[n->a];
    return n->op == RG_OP_DATA ? d->values[rg_map_at(&d->map, 0)] : NAN;
}

/* d/d(leaf) of the terms: is their sum rounding, wherever they are not all 0, as exp(-1000)? */
static rg_status look(rg_canceller *k, rg_node leaf, bool *is_rounding)
{
    rg_node slope[RG_CANCEL_MOST];
    bool is_seen = false;

    *is_rounding = false;
    for (int i = 0; i < k->count; i++)
        slope[i] = rg_graph_partial(k->graph, k->term[i], leaf);
    RG_TRY(rg_graph_status(k->graph));
    for (int draw = 11; draw < 13; draw++) {
        double sum = 0.0, size = 0.0;
        RG_TRY(rg_sampler_visit(k->at, RG_MOVE_ALL, RG_SAMPLE_SIZE, draw));
        for (int i = 0; i < k->count; i++) {
            double value, rounding;
            RG_TRY(rg_graph_weigh(k->graph, slope[i], leaf_value, k, &value, &rounding));
            sum += value;
            size += fabs(value) + rounding;
        }
        if (!isfinite(size) || fabs(sum) > RG_CANCEL_NOISE * size) return RG_OK;
        is_seen = is_seen || size > 0.0;
    }
    *is_rounding = is_seen;
    return RG_OK;
}

/* Marks the leaves that cancel in the combination: leading ones, by its making, and others.
 * Written out they leave rounding, which would be taken for a derivative.  RG_RETRY: a leading one
 * does not cancel. */
static rg_status mark_cancelled(rg_canceller *k, rg_node sum, uint8_t *is_absent)
{
    enum { MOST = 1000 };
    rg_node leaf[MOST];
    const int32_t n = rg_graph_leaves(k->graph, sum, MOST, leaf);

    if (n > MOST) return (rg_status)RG_RETRY;
    for (int32_t i = 0; i < n; i++) {
        bool is_rounding;
        RG_TRY(look(k, leaf[i], &is_rounding));
        is_absent[leaf[i]] = is_rounding;
        if (!is_rounding && is_leading(k, rg_graph_at(k->graph, leaf[i])))
            return (rg_status)RG_RETRY;
    }
    return RG_OK;
}

static bool has_pieces(const rg_graph_node *n)
{
    return n->op > RG_OP_SEED && (rg_op_kink(n->op) != RG_KINK_NONE || rg_op_is_table(n->op));
}

/* Conditions, signs and the like depend on leaves by which their derivatives are 0: these stay. */
static rg_status keep_pieces(rg_canceller *k, rg_node of, uint8_t *is_absent)
{
    enum { REACHED = 1, INSIDE = 2 };
    uint8_t *mark = rg_alloc(k->ctx, (size_t)of + 1, 1);

    if (mark == NULL) return RG_ERR_MEMORY;
    mark[of] = REACHED;
    for (rg_node i = of; i >= 0; i--) {
        const rg_graph_node *n = rg_graph_at(k->graph, i);
        const rg_node below[] = {n->a, n->b, n->c};
        if (mark[i] == 0) continue;
        if (n->op == RG_OP_VAR && (mark[i] & INSIDE) && !is_leading(k, n)) is_absent[i] = 0;
        for (int c = 0; n->op > RG_OP_SEED && c < 3; c++)
            if (below[c] >= 0) mark[below[c]] |= mark[i] | (has_pieces(n) ? INSIDE : 0);
    }
    rg_free(k->ctx, mark);
    return RG_OK;
}

rg_status rg_cancel_replace(rg_canceller *k)
{
    const int32_t l = k->rows[k->count - 1];
    rg_node sum = rg_graph_const(k->graph, 0.0);

    for (int i = 0; i < k->count; i++) {
        rg_node F = k->body->outputs[k->rows[i] - k->first_row];
        if (!is_allowed(k, k->w[i])) return (rg_status)RG_RETRY;
        for (int r = k->c[k->rows[i]]; r > k->c[l]; r--)
            F = rg_graph_total(k->graph, F);
        k->term[i] = rg_graph_binary(k->graph, RG_OP_MUL, k->w[i], F);
        sum = rg_graph_binary(k->graph, RG_OP_ADD, sum, k->term[i]);
    }
    RG_TRY(rg_graph_status(k->graph));
    uint8_t *is_absent = rg_alloc(k->ctx, (size_t)sum + 1, 1);
    rg_status status = is_absent != NULL ? mark_cancelled(k, sum, is_absent) : RG_ERR_MEMORY;
    if (status == RG_OK) status = keep_pieces(k, sum, is_absent);
    if (status == RG_OK) status = drop(k, is_absent, sum, &k->body->outputs[l - k->first_row]);
    rg_free(k->ctx, is_absent);
    if (status == RG_OK)
        rg_log(k->ctx, 2, "analysis: a combination of %d equations in place of row %d", k->count,
               l);
    return status;
}
