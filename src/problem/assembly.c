/* Which expressions are wanted in which iterations: the units on top, one per block and set of
 * iterations. */
#include "problem/assembly_impl.h"

#include <assert.h>
#include <string.h>

static const rg_map identity = {0, 1, NULL};

typedef struct { /* a block being divided into units */
    rg_builder *b;
    const rg_block *block;
    rg_graph *graph; /* a copy of its body's */
    int first_unit;
    int64_t *wanted; /* [level][output]: how many iterations */
    rg_node *nodes;  /* [output]: the derivative of the current level */
} division;

static const int32_t *rows_of(const division *d, int level, int output)
{
    const int32_t *row = d->b->spec->row[level];
    const int64_t first = d->block->first_row + (int64_t)output * d->block->body->count;
    return row != NULL ? row + first : NULL;
}

static rg_status count_wanted(division *d)
{
    const rg_body *body = d->block->body;
    const int n_levels = d->b->spec->n_levels;

    d->wanted =
        rg_alloc(d->b->ctx, (size_t)n_levels * (size_t)body->n_outputs + 1, sizeof *d->wanted);
    if (d->wanted == NULL) return RG_ERR_MEMORY;
    for (int level = 0; level < n_levels; level++)
        for (int o = 0; o < body->n_outputs; o++) {
            const int32_t *row = rows_of(d, level, o);
            int64_t *n = &d->wanted[level * body->n_outputs + o];
            for (int64_t k = 0; k < body->count && row != NULL; k++)
                if (row[k] >= 0) (*n)++;
        }
    return RG_OK;
}

/* ---- units ----------------------------------------------------------------------------------- */

static bool is_same_set(const rg_unit *u, int64_t count, const int32_t *iterations)
{
    if (u->count != count || (u->iterations == NULL) != (iterations == NULL)) return false;
    return iterations == NULL
           || memcmp(u->iterations, iterations, (size_t)count * sizeof *iterations) == 0;
}

/* A new unit of the block; takes the list. */
static rg_status add_unit(division *d, int64_t count, int32_t **iterations)
{
    rg_assembly *a = d->b->a;
    const size_t most = (size_t)d->b->spec->n_levels * (size_t)d->block->body->n_outputs;
    rg_unit *units = rg_resize(a->ctx, a->units, (size_t)a->n_units + 1, sizeof *units);

    if (units == NULL) return RG_ERR_MEMORY;
    a->units = units;
    rg_unit *u = &a->units[a->n_units++];
    *u = (rg_unit){.body = d->block->body,
                   .graph = d->graph,
                   .count = count,
                   .iterations = *iterations,
                   .sum = -1};
    *iterations = NULL;
    u->values = rg_alloc(a->ctx, most, sizeof *u->values);
    u->targets = rg_alloc(a->ctx, most, sizeof *u->targets);
    u->target_maps = rg_alloc(a->ctx, most, sizeof *u->target_maps);
    return u->values && u->targets && u->target_maps ? RG_OK : RG_ERR_MEMORY;
}

/* The iterations with a row; *list stays NULL if that is all of them. */
static rg_status list_iterations(const division *d, int level, int output, int32_t **list)
{
    const rg_body *body = d->block->body;
    const int32_t *row = rows_of(d, level, output);
    const int64_t n = d->wanted[level * body->n_outputs + output];
    int64_t next = 0;

    if (n == body->count) return RG_OK;
    *list = rg_alloc(d->b->ctx, (size_t)n, sizeof **list);
    if (*list == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < body->count; k++)
        if (row[k] >= 0) (*list)[next++] = (int32_t)k;
    return RG_OK;
}

static rg_status find_unit(division *d, int level, int output, int *unit)
{
    rg_assembly *a = d->b->a;
    const int64_t n = d->wanted[level * d->block->body->n_outputs + output];
    int32_t *list = NULL;

    RG_TRY(list_iterations(d, level, output, &list));
    rg_status status = RG_OK;
    for (*unit = d->first_unit; *unit < a->n_units; (*unit)++)
        if (is_same_set(&a->units[*unit], n, list)) break;
    if (*unit == a->n_units) status = add_unit(d, n, &list);
    rg_free(a->ctx, list);
    return status;
}

static rg_status add_value(division *d, int level, int output)
{
    int k;
    int64_t bad;

    RG_TRY(find_unit(d, level, output, &k));
    rg_unit *u = &d->b->a->units[k];
    const rg_map rows = {0, 0, (int32_t *)rows_of(d, level, output)};
    const int v = u->n_values++;
    RG_TRY(
        rg_map_compose(d->b, u->count, &rows, &identity, u->iterations, &u->target_maps[v], &bad));
    u->values[v] = d->nodes[output];
    u->targets[v] = (rg_binding){AT_F, 0, NULL, u->target_maps[v].map, false};
    return RG_OK;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static bool is_wanted_from(const division *d, int level, int output)
{
    for (int l = level; l < d->b->spec->n_levels; l++)
        if (d->wanted[l * d->block->body->n_outputs + output] > 0) return true;
    return false;
}

rg_status rg_builder_graph(rg_builder *b, const rg_body *body, rg_graph **out)
{
    for (int64_t k = b->n_copies; k-- > 0;)
        if (b->copies[k].body == body) {
            *out = b->copies[k].graph;
            return RG_OK;
        }
    RG_TRY(rg_grow(b->ctx, &b->copies, b->n_copies, &b->copies_size, sizeof *b->copies));
    RG_TRY(rg_graph_copy(b->ctx, body->graph, out));
    b->copies[b->n_copies++] = (rg_body_copy){body, *out};
    return RG_OK;
}

static rg_status divide_levels(division *d)
{
    const rg_body *body = d->block->body;

    d->nodes = rg_alloc(d->b->ctx, (size_t)body->n_outputs + 1, sizeof *d->nodes);
    if (d->nodes == NULL) return RG_ERR_MEMORY;
    for (int level = 0; level < d->b->spec->n_levels; level++)
        for (int o = 0; o < body->n_outputs; o++) {
            if (!is_wanted_from(d, level, o)) continue;
            d->nodes[o] = level == 0 ? body->outputs[o] : rg_graph_total(d->graph, d->nodes[o]);
            if (d->nodes[o] < 0) return rg_graph_status(d->graph);
            if (d->wanted[level * body->n_outputs + o] > 0) RG_TRY(add_value(d, level, o));
        }
    return RG_OK;
}

static rg_status divide_block(rg_builder *b, const rg_block *block)
{
    division d = {.b = b, .block = block, .first_unit = b->a->n_units};

    if (block->body->count == 0) return RG_OK;
    rg_status status = count_wanted(&d);
    if (status == RG_OK) status = rg_builder_graph(b, block->body, &d.graph);
    if (status == RG_OK) status = divide_levels(&d);
    rg_free(b->ctx, d.wanted);
    rg_free(b->ctx, d.nodes);
    return status;
}

/* On top every value is a row of its own, with factor 1; its map is the unit's. */
static rg_status add_rows(rg_builder *b, rg_unit *u)
{
    for (int v = 0; v < u->n_values; v++) {
        const rg_unit_row row = {
            .node = u->values[v],
            .row = {u->target_maps[v].map, false},
            .seed = SEED_NUMBER,
            .number = 1.0
        };
        RG_TRY(rg_unit_add_row(b, u, &row));
    }
    return RG_OK;
}

static rg_status build_units(rg_builder *b, bool with_jacobian)
{
    rg_assembly *a = b->a;
    int64_t written = 0;

    for (int k = 0; k < a->p->n_blocks; k++)
        RG_TRY(divide_block(b, &a->p->blocks[k]));
    for (int k = 0; k < a->n_units; k++) {
        written += a->units[k].count * a->units[k].n_values;
        RG_TRY(rg_unit_build(b, &a->units[k]));
        if (!with_jacobian) continue;
        RG_TRY(add_rows(b, &a->units[k]));
        RG_TRY(rg_unit_build_jacobian(b, &a->units[k]));
    }
    a->is_covered = a->is_flat = written == a->n_rows;
    if (with_jacobian) RG_TRY(rg_entries_finish(b));
    for (int k = 0; k < a->n_units; k++) {
        rg_unit_trim(b->ctx, &a->units[k]);
        RG_TRY(rg_unit_finish(b->ctx, &a->units[k]));
        if (a->units[k].n_sums > 0) a->is_flat = false;
    }
    return RG_OK;
}

/* ---- interface ------------------------------------------------------------------------------- */

static rg_status create(const rg_problem *p, const rg_assembly_spec *spec, bool with_jacobian,
                        const uint8_t *is_wanted, rg_assembly **out)
{
    rg_builder b = {.ctx = p->ctx, .spec = spec, .is_wanted = is_wanted};
    rg_status status = RG_ERR_MEMORY;

    *out = NULL;
    b.a = rg_alloc(p->ctx, 1, sizeof *b.a);
    if (b.a == NULL) return status;
    b.a->ctx = p->ctx;
    b.a->p = p;
    b.a->n_rows = spec->n_rows;
    b.a->n_columns = spec->n_columns;
    b.a->has_jacobian = with_jacobian;
    b.a->known = rg_alloc(p->ctx, 1, sizeof *b.a->known);
    if (b.a->known == NULL)
        ;
    else if (p->residual != NULL || p->rhs != NULL)
        status = rg_callback_create(&b, with_jacobian);
    else
        status = build_units(&b, with_jacobian);
    for (int64_t k = 0; k < b.n_entries; k++)
        rg_free(p->ctx, b.entries[k].array);
    for (int64_t k = 0; k < b.n_copies; k++)
        rg_graph_destroy(&b.copies[k].graph);
    rg_free(p->ctx, b.copies);
    rg_free(p->ctx, b.entries);
    rg_free(p->ctx, b.scratch);
    if (status != RG_OK) rg_assembly_destroy(&b.a);
    *out = b.a;
    return status;
}

rg_status rg_assembly_create(const rg_problem *p, const rg_assembly_spec *spec, bool with_jacobian,
                             rg_assembly **out)
{
    return create(p, spec, with_jacobian, NULL, out);
}

rg_status rg_assembly_create_part(const rg_problem *p, const rg_assembly_spec *spec,
                                  const uint8_t *is_wanted, rg_assembly **out)
{
    return create(p, spec, true, is_wanted, out);
}

rg_status rg_assembly_share(const rg_assembly *from, const rg_problem *p, rg_assembly **out)
{
    assert(from->callback == NULL);
    rg_assembly *a = *out = rg_alloc(p->ctx, 1, sizeof *a);
    if (a == NULL) return RG_ERR_MEMORY;
    *a = *from;
    a->ctx = p->ctx;
    a->p = p;
    a->is_shared = true;
    return RG_OK;
}

static void clear(rg_assembly *a)
{
    for (int k = 0; k < a->n_units; k++)
        rg_unit_clear(a->ctx, &a->units[k]);
    rg_free(a->ctx, a->units);
    rg_free(a->ctx, a->pattern.start);
    rg_free(a->ctx, a->pattern.row);
    rg_free(a->ctx, a->constant);
    rg_free(a->ctx, a->added);
    rg_free(a->ctx, a->known);
    rg_callback_destroy(a->ctx, &a->callback);
}

void rg_assembly_destroy(rg_assembly **a)
{
    if (*a == NULL) return;
    if (!(*a)->is_shared) clear(*a);
    rg_free((*a)->ctx, *a);
    *a = NULL;
}

const rg_pattern *rg_assembly_pattern(const rg_assembly *a)
{
    return a->has_jacobian ? &a->pattern : NULL;
}

bool rg_assembly_is_linear(const rg_assembly *a)
{
    return a->callback == NULL && a->has_jacobian && a->is_constant;
}

bool rg_assembly_is_linear_there(const rg_assembly *a)
{
    return a->callback == NULL && a->has_jacobian && !a->is_bent;
}

bool rg_assembly_is_linear_from(const rg_assembly *a, int64_t column)
{
    return a->callback == NULL && a->has_jacobian && a->last_varying < column;
}
