/* The columns of a solution: their number, their names, and their values at a point. */
#include "solution/columns.h"

#include "problem/units.h"

#include <math.h>

struct rg_columns {
    const rg_problem *problem;
    const rg_layout *layout;
    int64_t count;
    rg_values *values; /* NULL: plain columns */
};

int64_t rg_plain_column_count(const rg_problem *p)
{
    return p->n + p->n_lower;
}

void rg_plain_column(const rg_problem *p, int64_t column, int64_t *variable, int *order)
{
    *variable = column < p->n ? column : p->lower[column - p->n].variable;
    *order = column < p->n ? 0 : p->lower[column - p->n].order;
}

int64_t rg_column_count(const rg_problem *p)
{
    return p->n_outputs > 0 ? p->n_columns : rg_plain_column_count(p);
}

int rg_column_name(const rg_problem *p, int64_t column, char *buffer, int size)
{
    int64_t variable;
    int order;

    if (p->n_outputs > 0) return rg_output_name(p, column, buffer, size);
    rg_plain_column(p, column, &variable, &order);
    return rg_variable_name(p, variable, order, buffer, size);
}

static const rg_value *output_of(const rg_problem *p, int64_t column)
{
    int low = 0, high = p->n_outputs - 1;

    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (p->outputs[middle].first <= column)
            low = middle;
        else
            high = middle - 1;
    }
    return &p->outputs[low];
}

bool rg_column_unknown(const rg_problem *p, int64_t column, int64_t *variable, int *order)
{
    if (p->n_outputs == 0) {
        rg_plain_column(p, column, variable, order);
        return true;
    }
    const rg_value *v = output_of(p, column);
    if (v->family < 0) return false;
    *variable = rg_map_at(&v->body->slots[0].map, column - v->first);
    *order = v->order;
    return true;
}

/* The nesting of sums is limited by the parser (RG_MODEL_DEPTH), and so is this recursion. */
static double least_unit(const rg_units *u, const rg_body *body, double least)
{
    for (int32_t k = 0; k < body->n_slots; k++)
        for (int64_t i = 0; i < body->count; i++) {
            const double unit = rg_units_at(u, rg_map_at(&body->slots[k].map, i), 0);
            if (unit < least) least = unit;
        }
    for (int32_t k = 0; k < body->n_sums; k++)
        for (int i = 0; i < body->sums[k].n_parts; i++)
            least = least_unit(u, body->sums[k].parts[i], least);
    return least;
}

void rg_column_units(const rg_problem *p, const rg_options *o, double *unit)
{
    const int64_t n = rg_column_count(p);
    const double ratio = o->atol / o->rtol;
    const rg_units *u = o->units;
    const rg_value *output = NULL; /* that `own` is for */
    double own = ratio;
    int64_t variable;
    int order;

    for (int64_t k = 0; k < n; k++) {
        if (u != NULL && rg_column_unknown(p, k, &variable, &order)) {
            own = rg_units_at(u, variable, order);
        } else if (u != NULL && output != output_of(p, k)) {
            output = output_of(p, k);
            own = least_unit(u, output->body, ratio);
        }
        unit[k] = isnan(own) ? ratio : own;
    }
}

static void mark_unknowns(const rg_body *body, uint8_t *is_written)
{
    for (int32_t k = 0; k < body->n_slots; k++)
        for (int64_t i = 0; i < body->count; i++)
            is_written[rg_map_at(&body->slots[k].map, i)] = 1;
    for (int32_t k = 0; k < body->n_sums; k++)
        for (int i = 0; i < body->sums[k].n_parts; i++)
            mark_unknowns(body->sums[k].parts[i], is_written);
}

void rg_written_unknowns(const rg_problem *p, uint8_t *is_written)
{
    for (int64_t j = 0; j < p->n; j++)
        is_written[j] = p->n_outputs == 0;
    for (int k = 0; k < p->n_outputs; k++)
        mark_unknowns(p->outputs[k].body, is_written);
}

/* The unknowns of an equation with switches; of one with sums, or many, those of its body. */
static void mark_switched(const rg_problem *p, const rg_body *body, rg_node node, uint8_t *is_asked)
{
    enum { LEAVES = 256 };
    rg_node leaves[LEAVES];
    const unsigned depends = rg_graph_at(body->graph, node)->depends;

    if (!(depends & RG_DEP_SUM ? rg_body_has_switches(body) : (depends & RG_DEP_KINK) != 0)) return;
    const int32_t n = rg_graph_leaves_once(p->ctx, body->graph, node, LEAVES, leaves);
    if (n > LEAVES || n < 0 || depends & RG_DEP_SUM) {
        mark_unknowns(body, is_asked);
        return;
    }
    for (int32_t k = 0; k < n; k++) {
        const rg_graph_node *leaf = rg_graph_at(body->graph, leaves[k]);
        for (int64_t i = 0; leaf->op == RG_OP_VAR && i < body->count; i++)
            is_asked[rg_map_at(&body->slots[leaf->a].map, i)] = 1;
    }
}

void rg_asked_unknowns(const rg_problem *p, uint8_t *is_asked)
{
    for (int k = 0; k < p->n_events; k++)
        if (p->events[k].body != NULL) mark_unknowns(p->events[k].body, is_asked);
    for (int k = 0; k < p->n_blocks; k++)
        for (int i = 0; i < p->blocks[k].body->n_outputs; i++)
            mark_switched(p, p->blocks[k].body, p->blocks[k].body->outputs[i], is_asked);
}

/* Lower derivatives that the method does not have, the last ones, are left out. */
static int64_t count_columns(const rg_problem *p, const rg_layout *layout)
{
    int64_t count = rg_column_count(p), variable;
    int order = 0;

    for (; p->n_outputs == 0 && count > p->n; count--) {
        rg_plain_column(p, count - 1, &variable, &order);
        if (rg_layout_at(layout, variable, order) >= 0) break;
    }
    return count;
}

int64_t rg_columns_count(const rg_columns *columns)
{
    return columns->count;
}

rg_status rg_columns_create(const rg_problem *p, const rg_layout *layout, rg_columns **out)
{
    rg_columns *c = rg_alloc(p->ctx, 1, sizeof *c);
    rg_status status = RG_OK;

    *out = NULL;
    if (c == NULL) return RG_ERR_MEMORY;
    c->problem = p;
    c->layout = layout;
    c->count = count_columns(p, layout);
    if (p->n_outputs > 0)
        status = rg_values_create(p, p->n_outputs, p->outputs, layout, &c->values);
    if (status != RG_OK) {
        rg_columns_destroy(&c);
        return status;
    }
    *out = c;
    return RG_OK;
}

void rg_columns_destroy(rg_columns **columns)
{
    if (*columns == NULL) return;
    rg_values_destroy(&(*columns)->values);
    rg_free((*columns)->problem->ctx, *columns);
    *columns = NULL;
}

/* The plain columns: entries of z. */
static void copy_plain(const rg_columns *c, const double *z, double *out)
{
    const rg_problem *p = c->problem;

    for (int64_t j = 0; j < p->n; j++)
        out[j] = z[j];
    for (int64_t k = p->n; k < c->count; k++) {
        const rg_derivative *d = &p->lower[k - p->n];
        const int64_t place = rg_layout_at(c->layout, d->variable, d->order);
        out[k] = place >= 0 ? z[place] : NAN;
    }
}

rg_status rg_columns_eval(const rg_columns *columns, double t, const double *z, double *out)
{
    if (columns->values != NULL) return rg_values_eval(columns->values, t, z, out);
    copy_plain(columns, z, out);
    return RG_OK;
}

rg_status rg_columns_jacobian(const rg_columns *columns, double t, const double *z,
                              const rg_pattern **pattern, const double **J)
{
    return rg_values_jacobian(columns->values, t, z, pattern, J);
}
