/* The sums that a unit reads: arrays in the pool, and a unit for each part that adds to them. */
#include "problem/assembly_impl.h"

static const rg_map identity = {0, 1, NULL};

static bool has_sum(const rg_unit *u, int32_t sum, int order)
{
    for (int s = 0; s < u->n_sums; s++)
        if (u->sums[s].sum == sum && u->sums[s].order == order) return true;
    return false;
}

static rg_status add_sum(rg_builder *b, rg_unit *u, int32_t sum, int order)
{
    if (has_sum(u, sum, order)) return RG_OK;
    rg_unit_sum *sums = rg_resize(b->ctx, u->sums, (size_t)u->n_sums + 1, sizeof *sums);
    if (sums == NULL) return RG_ERR_MEMORY;
    u->sums = sums;
    u->sums[u->n_sums++] = (rg_unit_sum){sum, order, b->a->pool_size};
    b->a->pool_size += u->count;
    return RG_OK;
}

/* Which sums, and which derivatives of them, the values need. */
static rg_status collect_sums(rg_builder *b, rg_unit *u)
{
    rg_graph *g = u->graph;
    rg_node *leaves = NULL;
    int32_t size = 0;
    rg_status status = RG_OK;

    for (int v = 0; v < u->n_values && status == RG_OK && u->body->n_sums > 0; v++) {
        int32_t n = rg_graph_leaves(g, u->values[v], size, leaves);
        if (n > size) {
            rg_free(b->ctx, leaves);
            leaves = rg_alloc(b->ctx, (size_t)n, sizeof *leaves);
            if (leaves == NULL) return RG_ERR_MEMORY;
            size = n;
            n = rg_graph_leaves(g, u->values[v], size, leaves);
        }
        for (int32_t k = 0; k < n && status == RG_OK; k++) {
            const rg_graph_node leaf = *rg_graph_at(g, leaves[k]);
            if (leaf.op == RG_OP_SUM) status = add_sum(b, u, leaf.a, leaf.order);
        }
        if (status == RG_OK) status = rg_graph_status(g);
    }
    rg_free(b->ctx, leaves);
    return status;
}

/* The iterations of a part that belong to iterations of the unit; outer: which of these. */
static rg_status restrict_part(rg_builder *b, const rg_unit *u, rg_unit *child, int32_t *place)
{
    const rg_body *part = child->body;
    int64_t bad, n = 0;

    for (int64_t k = 0; k < u->body->count; k++)
        place[k] = -1;
    for (int64_t k = 0; k < u->count; k++)
        place[u->iterations[k]] = (int32_t)k;
    for (int64_t i = 0; i < part->count; i++)
        if (place[rg_map_at(&part->outer, i)] >= 0) n++;
    child->iterations = rg_alloc(b->ctx, (size_t)n + 1, sizeof *child->iterations);
    if (child->iterations == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < part->count; i++)
        if (place[rg_map_at(&part->outer, i)] >= 0) child->iterations[child->count++] = (int32_t)i;
    const rg_map places = {0, 0, place};
    return rg_map_compose(b, n, &places, &part->outer, child->iterations, &child->outer, &bad);
}

static rg_status select_iterations(rg_builder *b, const rg_unit *u, rg_unit *child)
{
    int64_t bad;

    if (u->iterations == NULL) {
        child->count = child->body->count;
        return rg_map_compose(b, child->count, &identity, &child->body->outer, NULL, &child->outer,
                              &bad);
    }
    int32_t *place = rg_alloc(b->ctx, (size_t)u->body->count + 1, sizeof *place);
    if (place == NULL) return RG_ERR_MEMORY;
    const rg_status status = restrict_part(b, u, child, place);
    rg_free(b->ctx, place);
    return status;
}

/* Values of a part: the derivatives of its term that the unit above needs, added up in the pool. */
static rg_status part_values(rg_builder *b, const rg_unit *u, rg_unit *child)
{
    const size_t n = (size_t)u->n_sums;
    rg_graph *g = child->graph;

    child->values = rg_alloc(b->ctx, n, sizeof *child->values);
    child->orders = rg_alloc(b->ctx, n, sizeof *child->orders);
    child->targets = rg_alloc(b->ctx, n, sizeof *child->targets);
    if (child->values == NULL || child->orders == NULL || child->targets == NULL)
        return RG_ERR_MEMORY;
    for (int s = 0; s < u->n_sums; s++) {
        if (u->sums[s].sum != child->sum) continue;
        rg_node node = child->body->outputs[0];
        for (int r = 0; r < u->sums[s].order; r++)
            node = rg_graph_total(g, node);
        if (node < 0) return rg_graph_status(g);
        child->orders[child->n_values] = u->sums[s].order;
        child->targets[child->n_values] =
            (rg_binding){AT_POOL, u->sums[s].offset, NULL, child->outer.map, true};
        child->values[child->n_values++] = node;
    }
    return RG_OK;
}

static bool uses_sum(const rg_unit *u, int32_t sum)
{
    for (int s = 0; s < u->n_sums; s++)
        if (u->sums[s].sum == sum) return true;
    return false;
}

static rg_status add_children(rg_builder *b, rg_unit *u)
{
    size_t n = 0;

    for (int32_t s = 0; s < u->body->n_sums; s++)
        n += (size_t)u->body->sums[s].n_parts;
    u->children = rg_alloc(b->ctx, n + 1, sizeof *u->children);
    if (u->children == NULL) return RG_ERR_MEMORY;
    for (int32_t s = 0; s < u->body->n_sums; s++) {
        for (int k = 0; k < u->body->sums[s].n_parts && uses_sum(u, s); k++) {
            rg_unit *child = &u->children[u->n_children++];
            child->body = u->body->sums[s].parts[k];
            child->sum = s;
            RG_TRY(rg_builder_graph(b, child->body, &child->graph));
            RG_TRY(select_iterations(b, u, child));
            if (child->count == 0) {
                rg_unit_clear(b->ctx, child);
                u->n_children--;
                continue;
            }
            RG_TRY(part_values(b, u, child));
            RG_TRY(rg_unit_build(b, child)); /* as deep as sums are nested: bounded by the parser */
        }
    }
    return RG_OK;
}

rg_status rg_unit_add_sums(rg_builder *b, rg_unit *u)
{
    RG_TRY(collect_sums(b, u));
    return u->n_sums > 0 ? add_children(b, u) : RG_OK;
}
