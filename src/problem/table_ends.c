/* Looks at the arguments of tables, one iteration of a body after the other. */
#include "problem/table_ends.h"
#include "problem/tuning.h"

#include <math.h>

typedef struct {
    const rg_problem *p;
    double t;
    rg_unknown_fn *value;
    void *user;
    double distance; /* beyond an end, in lengths of the table; negative inside */
    rg_table_end *out;
} finder;

static double distance(const rg_table *table, double x)
{
    const rg_table_data *d = &table->data;

    return fmax(d->low - x, x - d->high) / (d->high - d->low);
}

/* The inputs of a tape for iteration k; false: a sum is among them. */
static bool load(const finder *f, const rg_body *body, const rg_tape *tape, int64_t k, double *to)
{
    for (int i = 0; i < rg_tape_input_count(tape); i++) {
        const rg_tape_input input = rg_tape_input_at(tape, i);
        if (input.op == RG_OP_VAR) {
            const int64_t unknown = rg_map_at(&body->slots[input.slot].map, k);
            to[i] = f->value(f->user, unknown, input.order);
        } else if (input.op == RG_OP_DATA) {
            const rg_data *d = &body->data[input.slot];
            to[i] = d->values[rg_map_at(&d->map, k)];
        } else {
            return false;
        }
    }
    return true;
}

static rg_status look_at(finder *f, const rg_block *block, rg_graph *graph, rg_node node)
{
    rg_context *ctx = f->p->ctx;
    const rg_graph_node n = *rg_graph_at(graph, node);
    rg_tape *tape = NULL;
    rg_status status = rg_tape_create(ctx, graph, 1, &n.a, &tape);
    double *work = NULL;

    if (status == RG_OK) work = rg_alloc(ctx, rg_tape_workspace(tape), sizeof *work);
    if (status == RG_OK && work == NULL) status = RG_ERR_MEMORY;
    for (int64_t k = 0; status == RG_OK && k < block->body->count; k++) {
        if (!load(f, block->body, tape, k, work)) break;
        rg_tape_run_one(tape, f->t, work);
        const double x = work[rg_tape_results(tape)], beyond = distance(n.table, x);
        if (!(beyond > f->distance)) continue;
        f->distance = beyond;
        *f->out = (rg_table_end){n.table, x, block->first_row + k};
    }
    rg_free(ctx, work);
    rg_tape_destroy(&tape);
    return status;
}

rg_status rg_problem_table_end(const rg_problem *p, double t, rg_unknown_fn *value, void *user,
                               rg_table_end *out)
{
    finder f = {p, t, value, user, -RG_TABLE_NEAR_END, out};
    rg_status status = RG_OK;

    *out = (rg_table_end){.row = -1};
    for (int b = 0; b < p->n_blocks && status == RG_OK; b++) {
        rg_graph *graph = NULL;
        if (p->blocks[b].body == NULL || p->blocks[b].body->graph == NULL) continue;
        status = rg_graph_copy(p->ctx, p->blocks[b].body->graph, &graph);
        const int32_t size = status == RG_OK ? rg_graph_size(graph) : 0;
        for (rg_node k = 0; k < size && status == RG_OK; k++) {
            const rg_graph_node n = *rg_graph_at(graph, k);
            if (n.op == RG_OP_PIECE && n.table->beyond == RG_BEYOND_ERROR)
                status = look_at(&f, &p->blocks[b], graph, k);
        }
        rg_graph_destroy(&graph);
    }
    return status;
}
