/* Functions of time in a body, and their values at many times at once; see pulses.c. */
#include "views/pulses_impl.h"

#include <math.h>

enum { NOT_TIME = RG_DEP_VAR | RG_DEP_SUM | RG_DEP_SEED };

static bool is_term(const rg_graph_node *n)
{
    return n->op == RG_OP_ADD || n->op == RG_OP_SUB || n->op == RG_OP_MUL || n->op == RG_OP_NEG
           || rg_op_kink((rg_op)n->op) != RG_KINK_NONE || n->op == RG_OP_INTERVAL;
}

/* Functions of time and of unknowns together that may be large at one time, 0 at others. */
static bool is_joint(const rg_graph *g, const rg_graph_node *n)
{
    return (n->depends & RG_DEP_TIME) && (n->depends & NOT_TIME) && rg_driven_peaks(g, n);
}

static void need(uint8_t *used, rg_node k, uint8_t how)
{
    if (k >= 0) used[k] |= how;
}

/* Nodes that the outputs need and that are functions of time; false: memory. */
static bool collect(const rg_pulse_finder *w, rg_pulse_sampler *s)
{
    const rg_graph *graph = s->body->graph;
    const int32_t size = rg_graph_size(graph);
    uint8_t *used = rg_alloc(w->ctx, (size_t)size + 1, 1); /* 1, and 2: inside */
    bool has_data = false;

    if (used == NULL) return false;
    for (int k = 0; k < s->body->n_outputs; k++)
        used[s->body->outputs[k]] |=
            rg_driven_is_inside(w->driven, s->block, s->is_part ? -1 : k) ? 3 : 1;
    for (rg_node k = size - 1; k >= 0; k--) {
        const rg_graph_node *n = rg_graph_at(graph, k);
        if (!used[k] || n->op < RG_OP_ADD) continue;
        const uint8_t how = is_joint(graph, n) ? 3 : used[k];
        need(used, n->a, how);
        need(used, n->b, how);
        need(used, n->c, how);
        if (!(n->depends & RG_DEP_TIME) || (n->depends & NOT_TIME) || is_term(n)) continue;
        if (s->n_nodes == RG_PULSE_FUNCTIONS) continue;
        s->has_kinks[s->n_nodes] = (n->depends & RG_DEP_KINK) != 0;
        s->is_inside[s->n_nodes] = used[k] > 1;
        s->node[s->n_nodes++] = k;
        has_data = has_data || (n->depends & RG_DEP_DATA);
    }
    rg_free(w->ctx, used);
    const int64_t most = s->n_nodes > 0 ? RG_PULSE_FUNCTIONS / s->n_nodes : 0;
    const int64_t count = has_data ? s->body->count : 1;
    s->n_iterations = (int)(count < most ? count : most);
    for (int k = 0; k < s->n_iterations; k++)
        s->iteration[k] = (int32_t)(count * k / s->n_iterations);
    return true;
}

/* The functions with the time as data, the last of its slots, so that one run takes all times. */
static rg_status take_time(const rg_pulse_finder *w, rg_pulse_sampler *s, rg_graph **out)
{
    const rg_graph *from = s->body->graph;
    const int32_t size = s->node[0] + 1; /* the first is the last in the graph */
    rg_node *new = rg_alloc(w->ctx, (size_t)size, sizeof *new);

    if (new == NULL) return RG_ERR_MEMORY;
    rg_status status = rg_graph_create(w->ctx, out);
    for (rg_node k = 0; k < size && status == RG_OK; k++) {
        const rg_graph_node *n = rg_graph_at(from, k);
        const rg_node arguments[3] = {n->a >= 0 ? new[n->a] : -1, n->b >= 0 ? new[n->b] : -1,
                                      n->c >= 0 ? new[n->c] : -1};
        new[k] = (n->depends & NOT_TIME) ? rg_graph_const(*out, 0.0) /* not used */
                 : n->op == RG_OP_CONST  ? rg_graph_const(*out, n->value)
                 : n->op == RG_OP_TIME   ? rg_graph_data(*out, s->body->n_data)
                 : n->op == RG_OP_DATA   ? rg_graph_data(*out, n->a)
                                         : rg_graph_again(*out, n, arguments);
        status = rg_graph_status(*out);
    }
    for (int k = 0; k < s->n_nodes; k++)
        s->node[k] = new[s->node[k]];
    rg_free(w->ctx, new);
    return status;
}

static rg_status make_tape(const rg_pulse_finder *w, rg_pulse_sampler *s)
{
    const size_t points = RG_PULSE_CELLS + 1;
    const size_t functions = (size_t)(s->n_nodes * s->n_iterations);
    rg_graph *graph = NULL;

    rg_status status = take_time(w, s, &graph);
    if (status == RG_OK) status = rg_tape_create(w->ctx, graph, s->n_nodes, s->node, &s->tape);
    rg_graph_destroy(&graph);
    RG_TRY(status);
    s->inputs = rg_alloc(w->ctx, (size_t)rg_tape_input_count(s->tape) + 1, sizeof *s->inputs);
    s->outputs = rg_alloc(w->ctx, (size_t)s->n_nodes, sizeof *s->outputs);
    s->workspace = rg_alloc(w->ctx, rg_tape_workspace(s->tape) + 1, sizeof *s->workspace);
    s->time = rg_alloc(w->ctx, points, sizeof *s->time);
    s->f = rg_alloc(w->ctx, 2 * functions * points + functions, sizeof *s->f);
    if (s->inputs == NULL || s->outputs == NULL || s->workspace == NULL || s->time == NULL
        || s->f == NULL)
        return RG_ERR_MEMORY;
    s->fine = s->f + functions * points;
    s->range = s->fine + functions * points;
    return RG_OK;
}

/* What the tape reads in one iteration: the times, and data that do not change with them. */
static void set_inputs(rg_pulse_sampler *s, int32_t iteration)
{
    for (int k = 0; k < rg_tape_input_count(s->tape); k++) {
        const int32_t slot = rg_tape_input_at(s->tape, k).slot;
        if (slot == s->body->n_data) {
            s->inputs[k] = (rg_tape_source){
                s->time, {0, 1, NULL}
            };
            continue;
        }
        const rg_data *data = &s->body->data[slot];
        s->inputs[k] = (rg_tape_source){
            data->values, {rg_map_at(&data->map, iteration), 0, NULL}
        };
    }
}

void rg_pulse_sample(rg_pulse_sampler *s, double a, double b, int cells, double *f)
{
    for (int k = 0; k <= cells; k++)
        s->time[k] = cells > 0 ? a + (b - a) * k / cells : a;
    for (int i = 0; i < s->n_iterations; i++) {
        set_inputs(s, s->iteration[i]);
        for (int o = 0; o < s->n_nodes; o++)
            s->outputs[o] = (rg_tape_target){
                .values = f,
                .map = {(int64_t)(o * s->n_iterations + i) * (RG_PULSE_CELLS + 1), 1, NULL}
            };
        if (rg_tape_run(s->tape, a, 0, cells + 1, NULL, s->inputs, s->outputs, s->workspace))
            continue;
        for (int o = 0; o < s->n_nodes; o++) {
            double *value = f + s->outputs[o].map.base;
            for (int k = 0; k <= cells; k++)
                if (!isfinite(value[k])) value[k] = k > 0 ? value[k - 1] : 0.0;
        }
    }
}

rg_status rg_pulse_functions(const rg_pulse_finder *w, rg_pulse_sampler *s)
{
    if (!collect(w, s)) return RG_ERR_MEMORY;
    return s->n_nodes > 0 && s->n_iterations > 0 ? make_tape(w, s) : RG_OK;
}

void rg_pulse_sampler_clear(rg_context *ctx, rg_pulse_sampler *s)
{
    rg_tape_destroy(&s->tape);
    rg_free(ctx, s->inputs);
    rg_free(ctx, s->outputs);
    rg_free(ctx, s->workspace);
    rg_free(ctx, s->time);
    rg_free(ctx, s->f);
}
