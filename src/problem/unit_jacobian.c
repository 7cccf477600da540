/* The Jacobian of a unit's expressions, and through its sums.
 *
 * F_i = f(..., S_i),  S_i = sum of g(j) over the iterations j with outer(j) = i:
 *
 *     dF_i/dz = df/dz + sum_j (df/dS)(i) dg(j)/dz.
 *
 * The unit's tape writes df/dz to J and the seeds df/dS to the pool; the tapes of the parts
 * multiply their own derivatives with the seed and add to J.  For nested sums a part's tape
 * writes seeds in turn.  What depends on numbers of the model alone is computed here, once. */
#include "problem/assembly_impl.h"

#include <string.h>

static const rg_map identity = {0, 1, NULL};

typedef struct { /* an output of the unit's Jacobian tape */
    rg_binding target;
    int64_t entry; /* -1: none */
} output;

typedef struct {
    rg_builder *b;
    rg_unit *u;
    int64_t n, nodes_size, outputs_size;
    rg_node *nodes;
    output *outputs;
    rg_node *leaves, *partials, *below; /* below: leaves of a partial derivative */
    int32_t leaves_size, below_size;
} collector;

rg_status rg_unit_add_row(rg_builder *b, rg_unit *u, const rg_unit_row *row)
{
    RG_TRY(rg_grow(b->ctx, &u->rows, u->n_rows, &u->rows_size, sizeof *u->rows));
    u->rows[u->n_rows++] = *row;
    return RG_OK;
}

static rg_status add_output(collector *c, rg_node node, rg_binding target, int64_t entry)
{
    rg_context *ctx = c->b->ctx;

    RG_TRY(rg_grow(ctx, &c->nodes, c->n, &c->nodes_size, sizeof *c->nodes));
    RG_TRY(rg_grow(ctx, &c->outputs, c->n, &c->outputs_size, sizeof *c->outputs));
    c->nodes[c->n] = node;
    c->outputs[c->n++] = (output){target, entry};
    return RG_OK;
}

/* ---- constants ------------------------------------------------------------------------------- */

/* Numbers of the model, and seeds made of such, only? */
static bool is_constant(const rg_unit *u, const rg_unit_row *row, rg_node node)
{
    const unsigned depends = rg_graph_at(u->graph, node)->depends;

    if (depends & (RG_DEP_VAR | RG_DEP_TIME | RG_DEP_SUM)) return false;
    return !(depends & RG_DEP_SEED) || row->seed == SEED_FIXED;
}

static rg_status run_constant(rg_builder *b, rg_unit *u, const rg_tape *tape, double *values)
{
    const int n = rg_tape_input_count(tape);
    rg_tape_source *sources = rg_alloc(b->ctx, (size_t)n + 1, sizeof *sources);
    double *workspace = rg_alloc(b->ctx, rg_tape_workspace(tape) + 1, sizeof *workspace);
    rg_status status = sources != NULL && workspace != NULL ? RG_OK : RG_ERR_MEMORY;
    rg_binding binding;

    for (int k = 0; k < n && status == RG_OK; k++) {
        status = rg_unit_bind(b, u, rg_tape_input_at(tape, k), &binding);
        if (status == RG_OK) sources[k] = (rg_tape_source){binding.values, binding.map};
    }
    const rg_tape_target target = {values, identity, false};
    if (status == RG_OK) rg_tape_run(tape, 0.0, 0, u->count, NULL, sources, &target, workspace);
    rg_free(b->ctx, sources);
    rg_free(b->ctx, workspace);
    return status;
}

/* The values of a constant expression, one per iteration. */
static rg_status eval_constant(rg_builder *b, rg_unit *u, rg_node node, double **out)
{
    rg_tape *tape = NULL;
    double *values = rg_alloc(b->ctx, (size_t)u->count, sizeof *values);

    *out = NULL;
    rg_status status = values != NULL ? RG_OK : RG_ERR_MEMORY;
    if (status == RG_OK) status = rg_tape_create(b->ctx, u->graph, 1, &node, &tape);
    if (status == RG_OK) status = run_constant(b, u, tape, values);
    rg_tape_destroy(&tape);
    if (status == RG_OK)
        *out = values;
    else
        rg_free(b->ctx, values);
    return status;
}

/* ---- entries and seeds ----------------------------------------------------------------------- */

static bool is_wanted(const rg_builder *b, int64_t count, const rg_map *column)
{
    for (int64_t k = 0; k < count; k++)
        if (b->is_wanted[rg_map_at(column, k)]) return true;
    return false;
}

/* Does an entry of part of the Jacobian depend on what it is a derivative for?  What is below sums
 * is not looked at: perhaps. */
static rg_status note_bend(collector *c, rg_node node)
{
    rg_builder *b = c->b;
    int32_t n = rg_graph_leaves(c->u->graph, node, c->below_size, c->below);

    if (n > c->below_size) {
        rg_free(b->ctx, c->below);
        c->below_size = 0;
        c->below = rg_alloc(b->ctx, (size_t)n, sizeof *c->below);
        if (c->below == NULL) return RG_ERR_MEMORY;
        c->below_size = n;
        n = rg_graph_leaves(c->u->graph, node, c->below_size, c->below);
    }
    for (int32_t k = 0; k < n && !b->a->is_bent; k++) {
        const rg_graph_node leaf = *rg_graph_at(c->u->graph, c->below[k]);
        rg_binding column;
        b->a->is_bent = leaf.op != RG_OP_VAR;
        if (b->a->is_bent) break;
        RG_TRY(rg_unit_bind(b, c->u, (rg_tape_input){RG_OP_VAR, leaf.a, leaf.order}, &column));
        b->a->is_bent = is_wanted(b, c->u->count, &column.map);
    }
    return rg_graph_status(c->u->graph);
}

static rg_status add_entry(collector *c, const rg_unit_row *row, rg_graph_node leaf, rg_node node)
{
    rg_builder *b = c->b;
    rg_entry entry = {.count = c->u->count, .row = row->row.map};
    rg_binding column;
    const rg_graph_node n = *rg_graph_at(c->u->graph, node);
    const rg_tape_input input = {RG_OP_VAR, leaf.a, leaf.order};

    RG_TRY(rg_unit_bind(b, c->u, input, &column));
    entry.column = column.map;
    RG_TRY(rg_grow(b->ctx, &b->entries, b->n_entries, &b->entries_size, sizeof *b->entries));
    if (n.op == RG_OP_CONST)
        entry.number = n.value;
    else if (is_constant(c->u, row, node))
        RG_TRY(eval_constant(b, c->u, node, &entry.array));
    else
        RG_TRY(add_output(c, node, (rg_binding){.home = AT_J}, b->n_entries));
    if (b->is_wanted != NULL && !b->a->is_bent) RG_TRY(note_bend(c, node));
    b->entries[b->n_entries++] = entry;
    return RG_OK;
}

/* Where the seed of the units below is: a number, constant numbers, or an array in the pool. */
static rg_status make_seed(collector *c, const rg_unit_row *row, rg_node node, rg_unit_row *below)
{
    rg_unit *u = c->u;
    rg_context *ctx = c->b->ctx;
    const rg_graph_node n = *rg_graph_at(u->graph, node);

    if (n.op == RG_OP_CONST) {
        below->seed = SEED_NUMBER;
        below->number = n.value;
    } else if (is_constant(u, row, node)) {
        double **fixed = rg_resize(ctx, u->fixed, (size_t)u->n_fixed + 1, sizeof *fixed);
        if (fixed == NULL) return RG_ERR_MEMORY;
        u->fixed = fixed;
        below->seed = SEED_FIXED;
        RG_TRY(eval_constant(c->b, u, node, &below->fixed));
        u->fixed[u->n_fixed++] = below->fixed;
    } else {
        below->seed = SEED_POOL;
        below->offset = c->b->a->pool_size;
        c->b->a->pool_size += u->count;
        const rg_binding target = {AT_POOL, below->offset, NULL, identity, false};
        RG_TRY(add_output(c, node, target, -1));
    }
    return RG_OK;
}

/* Hands the row on to the parts of a sum. */
static rg_status add_rows_below(collector *c, const rg_unit_row *row, rg_graph_node leaf,
                                rg_node node)
{
    rg_unit_row below = {0};
    int64_t bad;

    c->b->a->is_bent = true;
    RG_TRY(make_seed(c, row, node, &below));
    for (int k = 0; k < c->u->n_children; k++) {
        rg_unit *child = &c->u->children[k];
        for (int v = 0; v < child->n_values && child->sum == leaf.a; v++) {
            if (child->orders[v] != leaf.order) continue;
            below.node = child->values[v];
            RG_TRY(rg_map_compose(c->b, child->count, &row->row.map, &child->outer.map, NULL,
                                  &below.row, &bad));
            const rg_status status = rg_unit_add_row(c->b, child, &below);
            if (status != RG_OK) {
                rg_kept_map_clear(c->b->ctx, &below.row);
                return status;
            }
        }
    }
    return RG_OK;
}

/* seed * dp */
static rg_node seeded(rg_unit *u, int64_t r, rg_node partial)
{
    rg_graph *g = u->graph;
    const rg_node seed = u->rows[r].seed == SEED_NUMBER ? rg_graph_const(g, u->rows[r].number)
                                                        : rg_graph_seed(g, (int32_t)r);
    return rg_graph_binary(g, RG_OP_MUL, seed, partial);
}

static rg_status collect_leaves(collector *c, rg_node node, int32_t *n)
{
    rg_graph *g = c->u->graph;

    *n = rg_graph_leaves(g, node, c->leaves_size, c->leaves);
    if (*n > c->leaves_size) {
        rg_free(c->b->ctx, c->leaves);
        rg_free(c->b->ctx, c->partials);
        c->leaves_size = 0;
        c->leaves = rg_alloc(c->b->ctx, (size_t)*n, sizeof *c->leaves);
        c->partials = rg_alloc(c->b->ctx, (size_t)*n, sizeof *c->partials);
        if (c->leaves == NULL || c->partials == NULL) return RG_ERR_MEMORY;
        c->leaves_size = *n;
        *n = rg_graph_leaves(g, node, c->leaves_size, c->leaves);
    }
    return rg_graph_status(g);
}

/* Leaves without a wanted column are left out, before anything is derived for them. */
static rg_status keep_wanted(collector *c, int32_t *n)
{
    int32_t kept = 0;

    if (c->b->is_wanted == NULL) return RG_OK;
    for (int32_t k = 0; k < *n; k++) {
        const rg_graph_node leaf = *rg_graph_at(c->u->graph, c->leaves[k]);
        const rg_tape_input input = {RG_OP_VAR, leaf.a, leaf.order};
        rg_binding column;
        if (leaf.op == RG_OP_VAR) {
            RG_TRY(rg_unit_bind(c->b, c->u, input, &column));
            if (!is_wanted(c->b, c->u->count, &column.map)) continue;
        }
        c->leaves[kept++] = c->leaves[k];
    }
    *n = kept;
    return RG_OK;
}

static bool is_zero(const rg_graph *g, rg_node node)
{
    const rg_graph_node *n = rg_graph_at(g, node);
    return n->op == RG_OP_CONST && n->value == 0;
}

static rg_status collect_row(collector *c, int64_t r)
{
    rg_graph *g = c->u->graph;
    const rg_unit_row row = c->u->rows[r];
    int32_t n;

    RG_TRY(collect_leaves(c, row.node, &n));
    RG_TRY(keep_wanted(c, &n));
    RG_TRY(rg_graph_gradient(g, row.node, n, c->leaves, c->partials));
    for (int32_t k = 0; k < n; k++) {
        const rg_node node = seeded(c->u, r, c->partials[k]);
        if (node < 0) return rg_graph_status(g);
        if (is_zero(g, node)) continue;
        const rg_graph_node leaf = *rg_graph_at(g, c->leaves[k]);
        if (leaf.op == RG_OP_VAR)
            RG_TRY(add_entry(c, &row, leaf, node));
        else
            RG_TRY(add_rows_below(c, &row, leaf, node));
    }
    return RG_OK;
}

/* ---- the tape -------------------------------------------------------------------------------- */

static rg_status collect(collector *c)
{
    rg_unit *u = c->u;
    const bool is_top = u->sum < 0;

    for (int v = 0; v < u->n_values && is_top; v++)
        RG_TRY(add_output(c, u->values[v], u->targets[v], -1));
    const int64_t n_values = c->n;
    for (int64_t r = 0; r < u->n_rows; r++)
        RG_TRY(collect_row(c, r));
    if (c->n == n_values) return RG_OK; /* everything is constant */
    RG_TRY(rg_program_create(c->b, u, (int)c->n, c->nodes, &u->jacobian));
    for (int64_t k = 0; k < c->n; k++) {
        u->jacobian.outputs[k] = c->outputs[k].target;
        if (c->outputs[k].entry >= 0)
            c->b->entries[c->outputs[k].entry].target = &u->jacobian.outputs[k];
    }
    return RG_OK;
}

rg_status rg_unit_build_jacobian(rg_builder *b, rg_unit *u)
{
    collector c = {.b = b, .u = u};
    const rg_status status = collect(&c);

    rg_free(b->ctx, c.nodes);
    rg_free(b->ctx, c.outputs);
    rg_free(b->ctx, c.leaves);
    rg_free(b->ctx, c.partials);
    rg_free(b->ctx, c.below);
    for (int k = 0; k < u->n_children && status == RG_OK; k++)
        RG_TRY(rg_unit_build_jacobian(b, &u->children[k]));
    return status;
}
