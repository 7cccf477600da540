/* Setting up the assembly of a callback problem. */
#include "problem/callback.h"

#include <string.h>

static rg_status copy_numbers(rg_context *ctx, int64_t n, const int32_t *from, int32_t **out)
{
    *out = rg_alloc(ctx, (size_t)n, sizeof **out);
    if (*out == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < n; k++)
        (*out)[k] = from != NULL ? from[k] : -1;
    return RG_OK;
}

static rg_status copy_spec(rg_builder *b, rg_callback *c)
{
    const rg_assembly_spec *spec = b->spec;

    for (int level = 1; level < spec->n_levels; level++) {
        if (spec->row[level] == NULL) continue;
        rg_fail(b->ctx, RG_ERR_ARGUMENT, "equations given as callbacks cannot be differentiated");
        return rg_remedy(b->ctx, "write the model as text, or reduce its index to at most 3");
    }
    RG_TRY(copy_numbers(b->ctx, c->n, spec->row[0], &c->row));
    for (int order = 0; order < 2; order++)
        RG_TRY(copy_numbers(b->ctx, c->n, order < spec->n_orders ? spec->column[order] : NULL,
                            &c->column[order]));
    return RG_OK;
}

/* The callback's Jacobian: its pattern, or all elements, column by column. */
static rg_status make_elements(rg_builder *b, rg_callback *c)
{
    const rg_problem *p = b->a->p;
    const bool is_dense = p->pattern_start == NULL;

    c->n_elements = is_dense ? c->n * c->n : p->pattern_start[c->n];
    c->start = rg_alloc(b->ctx, (size_t)c->n + 1, sizeof *c->start);
    c->element_row = rg_alloc(b->ctx, (size_t)c->n_elements, sizeof *c->element_row);
    if (c->start == NULL || c->element_row == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j <= c->n; j++)
        c->start[j] = is_dense ? j * c->n : p->pattern_start[j];
    for (int64_t e = 0; e < c->n_elements; e++)
        c->element_row[e] = (int32_t)(is_dense ? e % c->n : p->pattern_row[e]);
    return RG_OK;
}

static bool is_mass(const rg_problem *p, int64_t i, int64_t j)
{
    return p->mass == NULL ? i == j : p->mass[j * p->n + i] != 0;
}

static rg_status make_mass(rg_builder *b, rg_callback *c)
{
    const rg_problem *p = b->a->p;
    const int64_t band = p->mass == NULL ? 1 : c->n; /* elements to look at per column */

    for (int pass = 0; pass < 2; pass++) {
        int64_t next = 0;
        for (int64_t k = 0; k < c->n * band; k++) {
            const int64_t j = k / band, i = p->mass == NULL ? j : k % band;
            if (!is_mass(p, i, j)) continue;
            if (pass == 1) {
                c->mass_row[next] = (int32_t)i;
                c->mass_column[next] = (int32_t)j;
                c->mass[next] = p->mass == NULL ? 1.0 : p->mass[j * p->n + i];
            }
            next++;
        }
        if (pass == 1) break;
        c->n_mass = next;
        c->mass_row = rg_alloc(b->ctx, (size_t)next, sizeof *c->mass_row);
        c->mass_column = rg_alloc(b->ctx, (size_t)next, sizeof *c->mass_column);
        c->mass = rg_alloc(b->ctx, (size_t)next, sizeof *c->mass);
        if (!c->mass_row || !c->mass_column || !c->mass) return RG_ERR_MEMORY;
    }
    return RG_OK;
}

static rg_status check_columns(rg_builder *b, const rg_callback *c)
{
    bool is_complete = true;

    for (int64_t j = 0; j < c->n; j++)
        if (c->column[0][j] < 0 || (b->a->p->rhs == NULL && c->column[1][j] < 0))
            is_complete = false;
    for (int64_t k = 0; k < c->n_mass; k++)
        if (c->column[1][c->mass_column[k]] < 0) is_complete = false;
    if (is_complete) return RG_OK;
    rg_fail(b->ctx, RG_ERR_ARGUMENT, "a callback needs all of its unknowns and derivatives");
    return rg_remedy(b->ctx, "this is a defect of regula: please report it");
}

/* ---- entries --------------------------------------------------------------------------------- */

static rg_status new_entry(rg_builder *b, int64_t count, rg_entry **out)
{
    RG_TRY(rg_grow(b->ctx, &b->entries, b->n_entries, &b->entries_size, sizeof *b->entries));
    rg_entry *e = &b->entries[b->n_entries];
    *e = (rg_entry){.count = count};
    e->row.list = rg_alloc(b->ctx, (size_t)count, sizeof *e->row.list);
    e->column.list = rg_alloc(b->ctx, (size_t)count, sizeof *e->column.list);
    if (e->row.list == NULL || e->column.list == NULL) {
        rg_free(b->ctx, e->row.list);
        rg_free(b->ctx, e->column.list);
        return RG_ERR_MEMORY;
    }
    b->n_entries++;
    *out = e;
    return RG_OK;
}

static rg_status list_wanted(rg_builder *b, rg_callback *c)
{
    c->element = rg_alloc(b->ctx, (size_t)c->n_elements, sizeof *c->element);
    if (c->element == NULL) return RG_ERR_MEMORY;
    for (int64_t e = 0; e < c->n_elements; e++)
        if (c->row[c->element_row[e]] >= 0) c->element[c->n_wanted++] = (int32_t)e;
    return RG_OK;
}

static rg_status add_elements(rg_builder *b, rg_callback *c, int order)
{
    rg_entry *entry;
    int64_t k = 0;

    RG_TRY(new_entry(b, c->n_wanted, &entry));
    entry->target = &c->place[order];
    c->place[order].home = AT_J;
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t e = c->start[j]; e < c->start[j + 1]; e++) {
            if (c->row[c->element_row[e]] < 0) continue;
            entry->row.list[k] = c->row[c->element_row[e]];
            entry->column.list[k++] = c->column[order][j];
        }
    return RG_OK;
}

static rg_status add_mass(rg_builder *b, rg_callback *c)
{
    rg_entry *entry;

    RG_TRY(new_entry(b, c->n_mass, &entry));
    entry->array = rg_alloc(b->ctx, (size_t)c->n_mass, sizeof *entry->array);
    if (entry->array == NULL) return RG_ERR_MEMORY;
    int64_t count = 0;
    for (int64_t k = 0; k < c->n_mass; k++) {
        if (c->row[c->mass_row[k]] < 0) continue;
        entry->row.list[count] = c->row[c->mass_row[k]];
        entry->column.list[count] = c->column[1][c->mass_column[k]];
        entry->array[count++] = c->mass[k];
    }
    entry->count = count;
    return RG_OK;
}

static rg_status make_jacobian(rg_builder *b, rg_callback *c)
{
    RG_TRY(make_elements(b, c));
    RG_TRY(list_wanted(b, c));
    RG_TRY(add_elements(b, c, 0));
    RG_TRY(b->a->p->rhs != NULL ? add_mass(b, c) : add_elements(b, c, 1));
    if (b->a->p->jacobian == NULL) RG_TRY(rg_callback_group(b->ctx, c));
    return rg_entries_finish(b);
}

/* ---- interface ------------------------------------------------------------------------------- */

rg_status rg_callback_create(rg_builder *b, bool with_jacobian)
{
    rg_callback *c = rg_alloc(b->ctx, 1, sizeof *c);

    if (c == NULL) return RG_ERR_MEMORY;
    b->a->callback = c;
    c->n = b->a->p->n;
    RG_TRY(copy_spec(b, c));
    if (b->a->p->rhs != NULL) RG_TRY(make_mass(b, c));
    RG_TRY(check_columns(b, c));
    if (!with_jacobian) return RG_OK;
    const rg_status status = make_jacobian(b, c);
    for (int64_t k = 0; k < b->n_entries; k++) { /* here the entries own their maps */
        rg_free(b->ctx, b->entries[k].row.list);
        rg_free(b->ctx, b->entries[k].column.list);
    }
    return status;
}

void rg_callback_destroy(rg_context *ctx, rg_callback **c)
{
    if (*c == NULL) return;
    rg_callback *x = *c;
    void *const arrays[] = {
        x->row,         x->column[0],         x->column[1],         x->start, x->element,
        x->mass_row,    x->place[0].map.list, x->place[1].map.list, x->mass,  x->mass_column,
        x->element_row, x->group_start,       x->group_column};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(ctx, arrays[k]);
    rg_free(ctx, x);
    *c = NULL;
}
