/* Units: inputs bound to the columns, programs for the values, units for the sums below. */
#include "problem/assembly_impl.h"

#include <stdlib.h>
#include <string.h>

static const rg_map identity = {0, 1, NULL};

/* ---- inputs ---------------------------------------------------------------------------------- */

static rg_status fail_no_column(rg_builder *b, const rg_slot *slot, int order, int64_t iteration)
{
    char name[128];

    rg_variable_name(b->a->p, rg_map_at(&slot->map, iteration), order, name, sizeof name);
    rg_fail(b->ctx, RG_ERR_ARGUMENT, "'%s' occurs in an equation, but is not part of the system",
            name);
    return rg_remedy(b->ctx, "this is a defect of regula: please report it with the model");
}

/* Map of derivative `order` of the unknowns a slot looks at: iteration -> place in z. */
static rg_status slot_map(rg_builder *b, const rg_unit *u, int32_t s, int order, rg_kept_map *out)
{
    const rg_slot *slot = &u->body->slots[s];
    const bool is_known = order < b->spec->n_orders && b->spec->column[order] != NULL;
    int64_t bad = -1;

    if (!is_known) return fail_no_column(b, slot, order, rg_iteration(u->iterations, 0));
    const rg_map column = {0, 0, (int32_t *)b->spec->column[order]};
    RG_TRY(rg_map_compose(b, u->count, &column, &slot->map, u->iterations, out, &bad));
    if (bad < 0) return RG_OK;
    return fail_no_column(b, slot, order, rg_iteration(u->iterations, bad));
}

static int32_t map_key(const rg_builder *b, const rg_unit *u, rg_tape_input input)
{
    if (input.op == RG_OP_DATA) return u->body->n_slots * b->spec->n_orders + input.slot;
    return input.slot * b->spec->n_orders + input.order;
}

/* The map of a slot or of data, made when it is first asked for. */
static rg_status find_map(rg_builder *b, rg_unit *u, rg_tape_input input, rg_map *out)
{
    if (input.op == RG_OP_VAR && input.order >= b->spec->n_orders)
        return fail_no_column(b, &u->body->slots[input.slot], input.order,
                              rg_iteration(u->iterations, 0));
    const int32_t key = map_key(b, u, input);
    int64_t bad;

    if (u->map_index[key] == 0) {
        rg_kept_map *map = &u->maps[u->n_maps++];
        if (input.op == RG_OP_VAR)
            RG_TRY(slot_map(b, u, input.slot, input.order, map));
        else
            RG_TRY(rg_map_compose(b, u->count, &identity, &u->body->data[input.slot].map,
                                  u->iterations, map, &bad));
        u->map_index[key] = u->n_maps;
    }
    *out = u->maps[u->map_index[key] - 1].map;
    return RG_OK;
}

static void bind_sum(const rg_unit *u, rg_tape_input input, rg_binding *out)
{
    for (int s = 0; s < u->n_sums; s++)
        if (u->sums[s].sum == input.slot && u->sums[s].order == input.order)
            *out = (rg_binding){AT_POOL, u->sums[s].offset, NULL, identity, false};
}

static void bind_seed(const rg_unit *u, int32_t row, rg_binding *out)
{
    const rg_unit_row *r = &u->rows[row];

    if (r->seed == SEED_POOL)
        *out = (rg_binding){AT_POOL, r->offset, NULL, u->outer.map, false};
    else
        *out = (rg_binding){AT_FIXED, 0, r->fixed, u->outer.map, false};
}

rg_status rg_unit_bind(rg_builder *b, rg_unit *u, rg_tape_input input, rg_binding *out)
{
    *out = (rg_binding){.home = AT_Z};
    switch (input.op) {
    case RG_OP_VAR:
        return find_map(b, u, input, &out->map);
    case RG_OP_DATA:
        out->home = AT_FIXED;
        out->values = u->body->data[input.slot].values;
        return find_map(b, u, input, &out->map);
    case RG_OP_SUM:
        bind_sum(u, input, out);
        return RG_OK;
    default:
        bind_seed(u, input.slot, out);
        return RG_OK;
    }
}

/* ---- programs -------------------------------------------------------------------------------- */

rg_status rg_program_create(rg_builder *b, rg_unit *u, int n_outputs, const rg_node *nodes,
                            rg_program *out)
{
    rg_assembly *a = b->a;

    RG_TRY(rg_tape_create(b->ctx, u->graph, n_outputs, nodes, &out->tape));
    const int n_inputs = rg_tape_input_count(out->tape);
    out->inputs = rg_alloc(b->ctx, (size_t)n_inputs + 1, sizeof *out->inputs);
    out->outputs = rg_alloc(b->ctx, (size_t)n_outputs + 1, sizeof *out->outputs);
    if (out->inputs == NULL || out->outputs == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < n_inputs; k++)
        RG_TRY(rg_unit_bind(b, u, rg_tape_input_at(out->tape, k), &out->inputs[k]));
    out->n_inputs = n_inputs;
    out->n_outputs = n_outputs;
    out->number = a->n_programs++;
    out->results = rg_tape_results(out->tape);
    out->first_source = a->n_sources;
    out->first_target = a->n_targets;
    a->n_sources += n_inputs;
    a->n_targets += n_outputs;
    const size_t workspace = rg_tape_workspace_for(out->tape, u->count);
    if (workspace > a->tape_workspace) a->tape_workspace = workspace;
    return RG_OK;
}

/* ---- the unit -------------------------------------------------------------------------------- */

rg_status rg_unit_build(rg_builder *b, rg_unit *u)
{
    const size_t n_maps =
        (size_t)u->body->n_slots * (size_t)b->spec->n_orders + (size_t)u->body->n_data;

    u->maps = rg_alloc(b->ctx, n_maps + 1, sizeof *u->maps);
    u->map_index = rg_alloc(b->ctx, n_maps + 1, sizeof *u->map_index);
    if (u->maps == NULL || u->map_index == NULL) return RG_ERR_MEMORY;
    RG_TRY(rg_unit_add_sums(b, u));
    RG_TRY(rg_program_create(b, u, u->n_values, u->values, &u->value));
    memcpy(u->value.outputs, u->targets, (size_t)u->n_values * sizeof *u->targets);
    return RG_OK;
}

/* ---- single iterations ----------------------------------------------------------------------- */

static rg_single single_of(const rg_binding *b)
{
    return (rg_single){b->offset + rg_map_at(&b->map, 0), b->home, b->accumulate};
}

typedef struct {
    int64_t place;
    int32_t input;
} placed;

static int by_place(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    return x->place != y->place ? (x->place < y->place ? -1 : 1) : x->input - y->input;
}

/* Inputs in the order of their places in z: often one run, which is copied as a whole. */
static void sort_inputs(rg_program *p, placed *order, rg_binding *inputs, int32_t *place)
{
    for (int k = 0; k < p->n_inputs; k++)
        order[k] = (placed){rg_map_at(&p->inputs[k].map, 0), k};
    qsort(order, (size_t)p->n_inputs, sizeof *order, by_place);
    p->is_run = true;
    for (int k = 0; k < p->n_inputs; k++) {
        inputs[k] = p->inputs[order[k].input];
        place[order[k].input] = k;
        if (order[k].place != order[0].place + k) p->is_run = false;
    }
}

static rg_status make_run(rg_context *ctx, rg_program *p)
{
    const size_t n = (size_t)p->n_inputs;
    placed *order = rg_alloc(ctx, n, sizeof *order);
    rg_binding *inputs = rg_alloc(ctx, n, sizeof *inputs);
    int32_t *place = rg_alloc(ctx, n, sizeof *place);
    rg_status status = order && inputs && place ? RG_OK : RG_ERR_MEMORY;

    if (status == RG_OK) {
        sort_inputs(p, order, inputs, place);
        status = rg_tape_permute_inputs(p->tape, place);
    }
    if (status == RG_OK) memcpy(p->inputs, inputs, n * sizeof *inputs);
    rg_free(ctx, order);
    rg_free(ctx, inputs);
    rg_free(ctx, place);
    return status;
}

static rg_status make_single(rg_context *ctx, rg_program *p)
{
    if (p->tape == NULL) return RG_OK;
    p->is_plain = p->n_inputs > 0;
    for (int k = 0; k < p->n_inputs; k++)
        p->is_plain = p->is_plain && p->inputs[k].home == AT_Z;
    if (p->is_plain) RG_TRY(make_run(ctx, p));
    p->single = rg_alloc(ctx, (size_t)p->n_inputs + (size_t)p->n_outputs + 1, sizeof *p->single);
    if (p->single == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < p->n_inputs; k++)
        p->single[k] = single_of(&p->inputs[k]);
    for (int k = 0; k < p->n_outputs; k++)
        p->single[p->n_inputs + k] = single_of(&p->outputs[k]);
    while (p->n_plain < p->n_outputs && p->outputs[p->n_plain].home == AT_F)
        p->n_plain++;
    p->n_stored = p->n_plain;
    while (p->n_stored < p->n_outputs && p->outputs[p->n_stored].home == AT_J
           && !p->outputs[p->n_stored].accumulate)
        p->n_stored++;
    return RG_OK;
}

rg_status rg_unit_finish(rg_context *ctx, rg_unit *u)
{
    if (u->count == 1) {
        RG_TRY(make_single(ctx, &u->value));
        RG_TRY(make_single(ctx, &u->jacobian));
    }
    for (int k = 0; k < u->n_children; k++)
        RG_TRY(rg_unit_finish(ctx, &u->children[k]));
    return RG_OK;
}

/* ---- release --------------------------------------------------------------------------------- */

static void clear_program(rg_context *ctx, rg_program *p)
{
    for (int k = 0; k < p->n_outputs && p->outputs != NULL; k++)
        if (p->outputs[k].home == AT_J) rg_free(ctx, p->outputs[k].map.list);
    rg_free(ctx, p->single);
    rg_free(ctx, p->inputs);
    rg_free(ctx, p->outputs);
    rg_tape_destroy(&p->tape);
}

void rg_unit_trim(rg_context *ctx, rg_unit *u)
{
    for (int k = 0; k < u->n_children; k++)
        rg_unit_trim(ctx, &u->children[k]);
    for (int64_t k = 0; k < u->n_rows; k++)
        rg_kept_map_clear(ctx, &u->rows[k].row);
    rg_free(ctx, u->rows);
    rg_free(ctx, u->iterations);
    rg_free(ctx, u->map_index);
    u->rows = NULL;
    u->n_rows = u->rows_size = 0;
    u->iterations = u->map_index = NULL;
}

void rg_unit_clear(rg_context *ctx, rg_unit *u)
{
    rg_unit_trim(ctx, u);
    for (int k = 0; k < u->n_children; k++)
        rg_unit_clear(ctx, &u->children[k]);
    for (int k = 0; k < u->n_fixed; k++)
        rg_free(ctx, u->fixed[k]);
    for (int32_t k = 0; k < u->n_maps; k++)
        rg_kept_map_clear(ctx, &u->maps[k]);
    for (int k = 0; k < u->n_values && u->target_maps != NULL; k++)
        rg_kept_map_clear(ctx, &u->target_maps[k]);
    rg_kept_map_clear(ctx, &u->outer);
    clear_program(ctx, &u->value);
    clear_program(ctx, &u->jacobian);
    rg_free(ctx, u->values);
    rg_free(ctx, u->orders);
    rg_free(ctx, u->targets);
    rg_free(ctx, u->target_maps);
    rg_free(ctx, u->maps);
    rg_free(ctx, u->sums);
    rg_free(ctx, u->children);
    rg_free(ctx, u->fixed);
    *u = (rg_unit){.sum = -1};
}
