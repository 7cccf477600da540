/* A body under construction: slots, data, values of index expressions. */
#include "model/compiler.h"

#include <math.h>
#include <string.h>

rg_status rg_builder_init(builder *b, compiler *c, builder *parent, space *s)
{
    rg_context *ctx = c->ctx;

    memset(b, 0, sizeof *b);
    b->c = c;
    b->parent = parent;
    b->split = RG_BAD;
    if ((b->body = rg_alloc(ctx, 1, sizeof *b->body)) == NULL) return RG_ERR_MEMORY;
    b->body->count = s->count;
    RG_TRY(rg_graph_create(ctx, &b->graph));
    b->body->graph = b->graph;
    b->data_capacity = s->n_loops + 4;
    b->body->data = rg_alloc(ctx, (size_t)b->data_capacity, sizeof *b->body->data);
    if (b->body->data == NULL) return RG_ERR_MEMORY;
    b->body->n_loops = b->body->n_data = s->n_loops;
    for (int k = 0; k < s->n_loops; k++) {
        b->body->data[k] = (rg_data){
            s->value[k], {0, 1, NULL}
        };
        s->value[k] = NULL;
    }
    if (parent != NULL && s->parent != NULL) {
        b->body->outer = (rg_map){0, 0, s->parent};
        s->parent = NULL;
    }
    return RG_OK;
}

void rg_builder_clear(builder *b)
{
    rg_context *ctx = b->c->ctx;

    rg_body_destroy(ctx, &b->body);
    rg_free(ctx, b->slots);
    rg_free(ctx, b->memo);
    rg_free(ctx, b->carried);
    b->slots = NULL;
    b->memo = NULL;
    b->carried = NULL;
}

rg_body *rg_builder_take(builder *b)
{
    rg_body *body = b->body;

    b->body = NULL;
    return body;
}

/* Runs the expression over the space; its only inputs are data. */
static rg_status run_over_space(builder *b, rg_tape *tape, double *out)
{
    rg_context *ctx = b->c->ctx;
    const int n = rg_tape_input_count(tape);
    rg_tape_source *inputs = rg_alloc(ctx, (size_t)n + 1, sizeof *inputs);
    double *work = rg_alloc(ctx, rg_tape_workspace(tape) + 1, sizeof *work);
    const rg_tape_target target = {
        out, {0, 1, NULL},
         false
    };

    if (inputs != NULL && work != NULL) {
        for (int k = 0; k < n; k++) {
            const rg_data *d = &b->body->data[rg_tape_input_at(tape, k).slot];
            inputs[k] = (rg_tape_source){d->values, d->map};
        }
        rg_tape_run(tape, 0.0, 0, b->body->count, NULL, inputs, &target, work);
    }
    const rg_status status = inputs != NULL && work != NULL ? RG_OK : RG_ERR_MEMORY;
    rg_free(ctx, inputs);
    rg_free(ctx, work);
    return status;
}

rg_status rg_builder_values(builder *b, rg_node node, double **out)
{
    rg_context *ctx = b->c->ctx;
    const int64_t count = b->body->count;
    const rg_graph_node *n = rg_graph_at(b->graph, node);
    double *values = rg_alloc(ctx, (size_t)(count > 0 ? count : 1), sizeof *values);
    rg_status status = values == NULL ? RG_ERR_MEMORY : RG_OK;

    *out = NULL;
    if (status == RG_OK && n->op == RG_OP_CONST) {
        for (int64_t k = 0; k < count; k++)
            values[k] = n->value;
    } else if (status == RG_OK && n->op == RG_OP_DATA) {
        const rg_data *d = &b->body->data[n->a];
        for (int64_t k = 0; k < count; k++)
            values[k] = d->values[rg_map_at(&d->map, k)];
    } else if (status == RG_OK && count > 0) {
        rg_tape *tape = NULL;
        status = rg_tape_create(ctx, b->graph, 1, &node, &tape);
        if (status == RG_OK) status = run_over_space(b, tape, values);
        rg_tape_destroy(&tape);
    }
    if (status == RG_OK)
        *out = values;
    else
        rg_free(ctx, values);
    return status;
}

/* "i=3, j=2": where in the space, for messages. */
static void describe_iteration(const rg_body *body, int64_t k, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (int loop = 0; loop < body->n_loops && used < size; loop++) {
        const double value = body->data[loop].values[rg_map_at(&body->data[loop].map, k)];
        const int more = snprintf(text + used, size - used, "%s%.0f", loop > 0 ? ", " : "", value);
        if (more > 0) used += (size_t)more;
    }
}

typedef struct { /* a declared array: family of unknowns or array parameter */
    const char *name;
    int n_dims;
    const int64_t *low, *extent;
} extents;

/* Adds dimension `dim` of the subscript to the flat numbers; every value must be inside the
 * bounds. */
static rg_status add_dimension(builder *b, const extents *e, int dim, rg_node index,
                               const rg_ast *where, double *flat)
{
    double *values;
    char where_text[128];

    RG_TRY(rg_builder_values(b, index, &values));
    for (int64_t k = 0; k < b->body->count; k++) {
        const double i = values[k], low = (double)e->low[dim], n = (double)e->extent[dim];
        if (floor(i) == i && i >= low && i < low + n) {
            flat[k] = flat[k] * n + (i - low);
            continue;
        }
        rg_free(b->c->ctx, values);
        describe_iteration(b->body, k, where_text, sizeof where_text);
        const rg_span span = where->n_args > dim ? where->args[dim]->span : where->span;
        if (floor(i) != i)
            rg_bad(b->c, span, "the index %g of '%s' is not a whole number", i, e->name);
        else
            rg_bad(b->c, span,
                   "'%s' has no element %.0f here: this index runs from %.0f to %.0f%s%s%s",
                   e->name, i, low, low + n - 1.0, where_text[0] ? " (loop at " : "", where_text,
                   where_text[0] ? ")" : "");
        rg_bad_remedy(b->c,
                      b->body->n_loops > 0
                          ? "shorten the range, or take the edge apart with if(CONDITION, a, b)"
                          : "use an index inside the declared range");
        return RG_ERR_SYNTAX;
    }
    rg_free(b->c->ctx, values);
    return RG_OK;
}

/* Flat numbers inside the array for every iteration. */
static rg_status flat_numbers(builder *b, const extents *e, const rg_node *index,
                              const rg_ast *where, double **out)
{
    const int64_t count = b->body->count;
    double *flat = rg_alloc(b->c->ctx, (size_t)(count > 0 ? count : 1), sizeof *flat);

    *out = NULL;
    if (flat == NULL) return RG_ERR_MEMORY;
    for (int dim = 0; dim < e->n_dims; dim++) {
        const rg_status status = add_dimension(b, e, dim, index[dim], where, flat);
        if (status != RG_OK) {
            rg_free(b->c->ctx, flat);
            return status;
        }
    }
    *out = flat;
    return RG_OK;
}

static uint64_t hash_slot(int32_t family, int32_t point, const rg_node *index)
{
    uint64_t h = (uint64_t)(uint32_t)family * 0x9e3779b97f4a7c15u + (uint32_t)point;

    for (int k = 0; k < RG_MAX_DIMS; k++)
        h = (h ^ (uint32_t)index[k]) * 0xff51afd7ed558ccdu;
    return h ^ (h >> 29);
}

static slot_entry *slot_place(slot_entry *table, int64_t size, const slot_entry *key)
{
    uint64_t at = hash_slot(key->family, key->point, key->index) % (uint64_t)size;

    while (table[at].slot >= 0
           && (table[at].family != key->family || table[at].point != key->point
               || memcmp(table[at].index, key->index, sizeof key->index) != 0))
        at = (at + 1) % (uint64_t)size;
    return &table[at];
}

static rg_status slot_table_room(builder *b)
{
    if (2 * (b->slots_used + 1) < b->slots_size) return RG_OK;
    const int64_t size = b->slots_size > 0 ? 2 * b->slots_size : 32;
    slot_entry *table = rg_alloc(b->c->ctx, (size_t)size, sizeof *table);
    if (table == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < size; k++)
        table[k].slot = -1;
    for (int64_t k = 0; k < b->slots_size; k++)
        if (b->slots[k].slot >= 0) *slot_place(table, size, &b->slots[k]) = b->slots[k];
    rg_free(b->c->ctx, b->slots);
    b->slots = table;
    b->slots_size = size;
    return RG_OK;
}

static rg_status new_slot(builder *b, int32_t family, int point, const rg_map *map, int32_t *out)
{
    RG_TRY(rg_grow(b->c->ctx, &b->body->slots, b->body->n_slots, &b->slot_capacity,
                   sizeof *b->body->slots));
    b->body->slots[b->body->n_slots] = (rg_slot){family, *map, point};
    *out = b->body->n_slots++;
    return RG_OK;
}

static rg_status make_slot(builder *b, int32_t family, int point, const rg_node *index,
                           const rg_ast *where, int32_t *out)
{
    const rg_family *f = &b->c->p->families[family];
    const extents e = {f->name, f->n_dims, f->low, f->extent};
    rg_map map = {f->first, 0, NULL};

    if (f->n_dims > 0) {
        double *flat;
        RG_TRY(flat_numbers(b, &e, index, where, &flat));
        for (int64_t k = 0; k < b->body->count; k++)
            flat[k] += (double)f->first;
        const rg_status status = rg_make_map(b->c->ctx, b->body->count, flat, &map);
        rg_free(b->c->ctx, flat);
        if (status != RG_OK) return status;
    }
    const rg_status status = new_slot(b, family, point, &map, out);
    if (status != RG_OK) rg_free(b->c->ctx, map.list);
    return status;
}

rg_node rg_builder_var(builder *b, int32_t family, int order, int point, const rg_node *index,
                       const rg_ast *where)
{
    slot_entry key = {
        family, point, {RG_BAD, RG_BAD, RG_BAD},
          -1
    };

    if (order > RG_MODEL_PRIMES) {
        rg_bad(b->c, where->span, "a derivative of order %d is too high", order);
        return rg_bad_remedy(b->c, "at most %d primes are accepted", RG_MODEL_PRIMES);
    }
    for (int k = 0; k < b->c->p->families[family].n_dims; k++)
        key.index[k] = index[k];
    if (slot_table_room(b) != RG_OK) return RG_BAD;
    slot_entry *entry = slot_place(b->slots, b->slots_size, &key);
    if (entry->slot < 0) {
        if (make_slot(b, family, point, index, where, &key.slot) != RG_OK) return RG_BAD;
        *entry = key;
        b->slots_used++;
    }
    return rg_graph_var(b->graph, entry->slot, order);
}

rg_node rg_builder_data(builder *b, double *values)
{
    if (rg_grow(b->c->ctx, &b->body->data, b->body->n_data, &b->data_capacity,
                sizeof *b->body->data)
        != RG_OK) {
        rg_free(b->c->ctx, values);
        return RG_BAD;
    }
    b->body->data[b->body->n_data] = (rg_data){
        values, {0, 1, NULL}
    };
    return rg_graph_data(b->graph, b->body->n_data++);
}

rg_node rg_builder_array(builder *b, const symbol *array, const rg_node *index, const rg_ast *where)
{
    const extents e = {array->name, array->n_dims, array->low, array->extent};
    const rg_node *known = rg_memo_find(b, array, array->n_dims, index);
    double *flat;
    bool is_constant = true;

    if (known != NULL) return *known;
    if (flat_numbers(b, &e, index, where, &flat) != RG_OK) return RG_BAD;
    for (int64_t k = 0; k < b->body->count; k++) {
        flat[k] = array->values[(int64_t)flat[k]];
        is_constant = is_constant && flat[k] == flat[0];
    }
    rg_node node;
    if (is_constant) {
        node = rg_graph_const(b->graph, b->body->count > 0 ? flat[0] : 0.0);
        rg_free(b->c->ctx, flat);
    } else {
        node = rg_builder_data(b, flat);
    }
    if (node >= 0 && rg_memo_add(b, array, array->n_dims, index, node) != RG_OK) return RG_BAD;
    return node;
}
