/* Factors of products, read from the expression graph. */
#include "problem/products.h"

#include <string.h>

static bool is_zero(const rg_graph *g, rg_node node)
{
    const rg_graph_node *n = rg_graph_at(g, node);
    return n->op == RG_OP_CONST && n->value == 0.0;
}

static rg_node skip_signs(const rg_graph *g, rg_node at)
{
    for (;;) {
        const rg_graph_node *n = rg_graph_at(g, at);
        if (n->op == RG_OP_NEG || n->op == RG_OP_DIV)
            at = n->a;
        else if (n->op == RG_OP_SUB && is_zero(g, n->a))
            at = n->b;
        else if (n->op == RG_OP_SUB && is_zero(g, n->b))
            at = n->a;
        else
            return at;
    }
}

static void list_factors(rg_product *p, rg_node of)
{
    const rg_graph *g = p->body->graph;
    rg_node stack[RG_MOST_FACTORS] = {of};
    int depth = 1;

    while (depth > 0) {
        const rg_node at = skip_signs(g, stack[--depth]);
        const rg_graph_node *n = rg_graph_at(g, at);
        if (!(n->depends & (RG_DEP_VAR | RG_DEP_SUM))) continue;
        const bool is_power = n->op == RG_OP_POW && rg_graph_at(g, n->b)->op == RG_OP_CONST
                              && rg_graph_at(g, n->b)->value > 0.0;
        p->has_power = p->has_power || is_power;
        if (n->op == RG_OP_MUL && depth + 2 <= RG_MOST_FACTORS) {
            stack[depth++] = n->b;
            stack[depth++] = n->a;
        } else if (is_power) {
            stack[depth++] = n->a;
        } else if (p->n < RG_MOST_FACTORS) {
            p->node[p->n++] = at;
        }
    }
}

bool rg_product_read(const rg_problem *p, int k, int o, rg_product *out)
{
    const rg_block *block = &p->blocks[k];

    *out = (rg_product){.body = block->body,
                        .first_row = block->first_row + o * block->body->count,
                        .block = k,
                        .output = o};
    if (block->body->count == 0) return false;
    list_factors(out, block->body->outputs[o]);
    return out->n > 1 || out->has_power;
}

bool rg_problem_has_products(const rg_problem *p)
{
    rg_product found;

    for (int k = 0; k < p->n_blocks; k++)
        for (int o = 0; o < p->blocks[k].body->n_outputs; o++)
            if (rg_product_read(p, k, o, &found)) return true;
    return false;
}

/* A handle with a list of blocks of its own; the bodies are those of the problem as written. */
static rg_status create(const rg_problem *p, rg_problem **out)
{
    const size_t count = (size_t)p->n_blocks;
    rg_block *blocks = rg_alloc(p->ctx, count, sizeof *blocks);

    if (blocks == NULL) return RG_ERR_MEMORY;
    memcpy(blocks, p->blocks, count * sizeof *blocks);
    const rg_status status = rg_problem_handle(p->ctx, p, NULL, out);
    if (status != RG_OK) {
        rg_free(p->ctx, blocks);
        return status;
    }
    (*out)->blocks = blocks;
    (*out)->written = p;
    return RG_OK;
}

/* The body of a block, with outputs of its own; made when first asked for. */
static rg_status own_body(rg_problem *p, int block, rg_body **out)
{
    const rg_body *written = p->written->blocks[block].body;

    *out = p->blocks[block].body;
    if (*out != written) return RG_OK;
    const size_t count = (size_t)written->n_outputs;
    rg_node *outputs = rg_alloc(p->ctx, count, sizeof *outputs);
    rg_body *copy = rg_alloc(p->ctx, 1, sizeof *copy);
    if (outputs == NULL || copy == NULL) {
        rg_free(p->ctx, outputs);
        rg_free(p->ctx, copy);
        return RG_ERR_MEMORY;
    }
    memcpy(outputs, written->outputs, count * sizeof *outputs);
    *copy = *written;
    copy->outputs = outputs;
    *out = p->blocks[block].body = copy;
    return RG_OK;
}

rg_status rg_problem_own_body(const rg_problem *p, int block, rg_problem **out, rg_graph **graph)
{
    rg_body *body;

    RG_TRY(create(p, out));
    rg_status status = own_body(*out, block, &body);
    if (status == RG_OK) status = rg_graph_copy(p->ctx, body->graph, graph);
    if (status == RG_OK)
        body->graph = *graph;
    else
        rg_problem_destroy(out);
    return status;
}

rg_status rg_problem_take_factor(const rg_problem *p, const rg_product *product, int which,
                                 rg_problem **out)
{
    if (*out == NULL) RG_TRY(create(p, out));
    rg_body *body;
    RG_TRY(own_body(*out, product->block, &body));
    body->outputs[product->output] = product->node[which];
    return RG_OK;
}
