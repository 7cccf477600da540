/* From the statements of a text with fields to an rg_form. */
#include "pdae/form/draw.h"
#include "pdae/form/facts.h"
#include "pdae/form/inside.h"
#include "pdae/form/output.h"

#include <stdio.h>
#include <string.h>

/* ---- destroy --------------------------------------------------------------------------------- */
static void clear_values(rg_context *ctx, rg_quantity *value[RG_AXES])
{
    for (int d = 0; d < RG_AXES; d++)
        rg_quantity_destroy(ctx, &value[d]);
}

static void clear_field(rg_context *ctx, rg_field *f)
{
    rg_free(ctx, f->name);
    clear_values(ctx, f->start);
    clear_values(ctx, f->exact);
    for (int k = 0; k < RG_SIDES; k++)
        clear_values(ctx, f->side[k].value);
}

static void clear_equation(rg_context *ctx, rg_form_equation *e)
{
    rg_quantity_destroy(ctx, &e->source);
    clear_values(ctx, e->storage);
    clear_values(ctx, e->diffusion);
    clear_values(ctx, e->resistance);
    clear_values(ctx, e->force);
    for (int k = 0; k < e->n_convections; k++)
        clear_values(ctx, e->convections[k].given);
    rg_quantity_destroy(ctx, &e->dispersion.molecular);
    rg_quantity_destroy(ctx, &e->dispersion.longitudinal);
    rg_quantity_destroy(ctx, &e->dispersion.transverse);
}

static void clear_well(rg_context *ctx, rg_well *w)
{
    rg_free(ctx, w->name);
    rg_quantity_destroy(ctx, &w->rate);
    rg_quantity_destroy(ctx, &w->pressure);
    rg_quantity_destroy(ctx, &w->radius);
    for (int k = 0; k < RG_FORM_FIELDS && w->carries != NULL; k++)
        rg_quantity_destroy(ctx, &w->carries[k]);
    rg_free(ctx, w->carries);
}

static void clear_solid(rg_context *ctx, rg_solid *s)
{
    for (int k = 0; k < RG_FORM_FIELDS && s->condition != NULL; k++)
        clear_values(ctx, s->condition[k].value);
    rg_free(ctx, s->condition);
    rg_free(ctx, s->name);
}

static void destroy_inside(rg_context *ctx, form_inside *in)
{
    if (in == NULL) return;
    rg_free(ctx, in->outputs);
    rg_free(ctx, in->draws);
    rg_compiler_clear(&in->c);
    rg_arena_clear(ctx, &in->arena);
    rg_free(ctx, in);
}

void rg_form_destroy(rg_context *ctx, rg_form **form)
{
    rg_form *f = *form;

    if (f == NULL) return;
    for (int k = 0; k < f->n_fields; k++)
        clear_field(ctx, &f->fields[k]);
    for (int k = 0; k < f->n_data; k++) {
        rg_free(ctx, f->data[k].name);
        rg_free(ctx, f->data[k].file);
        rg_free(ctx, f->data[k].value);
    }
    for (int k = 0; k < f->n_solids; k++)
        clear_solid(ctx, &f->solids[k]);
    for (int k = 0; k < f->n_wells; k++)
        clear_well(ctx, &f->wells[k]);
    for (int k = 0; k < f->n_equations; k++)
        clear_equation(ctx, &f->equations[k]);
    for (int d = 0; d < RG_AXES; d++)
        rg_free(ctx, f->axis_name[d]);
    rg_free(ctx, f->fields);
    rg_free(ctx, f->data);
    rg_free(ctx, f->solids);
    rg_free(ctx, f->wells);
    rg_free(ctx, f->equations);
    rg_free(ctx, f->leaves);
    for (int k = 0; k < f->n_outputs; k++)
        rg_form_output_clear(ctx, &f->outputs[k]);
    rg_free(ctx, f->outputs);
    for (int k = 0; k < f->n_draws; k++)
        rg_form_draw_clear(ctx, &f->draws[k]);
    rg_free(ctx, f->draws);
    rg_free(ctx, f->derived);
    rg_grid_destroy(&f->grid);
    destroy_inside(ctx, f->inside);
    rg_free(ctx, f);
    *form = NULL;
}

/* ---- statements that do not belong here ------------------------------------------------------ */
static rg_status check_statement(recognizer *r, const rg_statement *st)
{
    const char *word = st->kind == RG_STATEMENT_FOR     ? "for"
                       : st->kind == RG_STATEMENT_START ? "start"
                       : st->kind == RG_STATEMENT_VAR   ? "var"
                                                        : NULL;

    if (st->kind == RG_STATEMENT_PARAM && st->mark == '~') word = "param ~";
    if (word == NULL) return RG_OK;
    rg_bad(r->c, st->span, "'%s' cannot stand beside fields", word);
    rg_bad_remedy(r->c, "'regula expand FILE' writes the fields as arrays; add it there");
    return RG_ERR_SYNTAX;
}

static rg_status check_statements(recognizer *r)
{
    for (int k = 0; k < r->c->model->n_statements; k++)
        RG_TRY(check_statement(r, r->c->model->statements[k]));
    return RG_OK;
}

/* ---- names of unknowns ----------------------------------------------------------------------- */
/* One family per scalar and per component, as large as its array: the faces of closed sides belong
 * to it, so that indices tell the place. */
static rg_status add_family(recognizer *r, const char *name, const rg_points *p, rg_span span)
{
    rg_problem *to = r->c->p;
    rg_family *f = &to->families[to->n_families++];

    f->name = rg_copy_text(r->ctx, name, strlen(name));
    if (f->name == NULL) return RG_ERR_MEMORY;
    f->n_dims = r->form->grid->dims;
    f->count = rg_points_size(p);
    f->first = to->n;
    f->span = span;
    f->first_fastest = true;
    for (int d = 0; d < f->n_dims; d++) {
        f->low[d] = 1;
        f->extent[d] = p->count[d];
    }
    to->n += f->count;
    return RG_OK;
}

static rg_status add_families(recognizer *r)
{
    rg_problem *p = r->c->p;

    rg_free(r->ctx, p->families);
    p->n_families = 0;
    p->families = rg_alloc(r->ctx, (size_t)r->form->n_leaves + 1, sizeof *p->families);
    if (p->families == NULL) return RG_ERR_MEMORY;
    for (int l = 0; l < r->form->n_leaves; l++) {
        const rg_leaf *leaf = &r->form->leaves[l];
        if (leaf->field < 0) continue;
        const rg_field *f = &r->form->fields[leaf->field];
        const rg_points at = f->is_vector ? rg_points_faces(r->form->grid, leaf->component)
                                          : rg_points_cells(r->form->grid);
        RG_TRY(add_family(r, r->in->names[r->form->grid->dims + l].name, &at, f->span));
    }
    return RG_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */
/* From here on arrays over the cells are made. */
static rg_status check_memory(recognizer *r)
{
    const double needed = rg_form_memory(r->form), there = rg_machine_memory();

    if (needed <= there) return RG_OK;
    r->c->n_errors++;
    rg_fail(r->ctx, RG_ERR_MEMORY,
            "%.3g cells need about %.2g GB of memory, and this machine has %.2g GB",
            (double)r->form->grid->cells, needed / 1e9, there / 1e9);
    return rg_remedy(r->ctx, "give fewer cells, or use a larger machine");
}

/* ---- all steps ------------------------------------------------------------------------------- */
static rg_status recognize(recognizer *r)
{
    RG_TRY(check_statements(r));
    RG_TRY(rg_form_domain(r));
    RG_TRY(rg_form_fields(r));
    RG_TRY(rg_form_data(r));
    RG_TRY(rg_form_solids(r));
    RG_TRY(rg_form_equations(r));
    RG_TRY(check_memory(r));
    RG_TRY(rg_form_conditions(r));
    RG_TRY(rg_form_wells(r));
    RG_TRY(rg_form_starts(r));
    RG_TRY(rg_form_outputs(r));
    RG_TRY(rg_form_read_outputs(r));
    RG_TRY(rg_form_read_draws(r));
    RG_TRY(rg_form_check(r));
    return add_families(r);
}

static void destroy_form(rg_context *ctx, struct rg_form **form)
{
    rg_form_destroy(ctx, form);
}

/* The symbols stay with the form: `expand` and outputs look names up. */
static void take_symbols(recognizer *r)
{
    r->in->c = *r->c;
    r->c->symbols = NULL;
    r->c->n_symbols = 0;
    r->c->table = NULL;
    r->c->table_size = 0;
}

rg_status rg_form_compile(compiler *c)
{
    rg_context *ctx = c->ctx;
    rg_form *form = rg_alloc(ctx, 1, sizeof *form);

    if (form == NULL) return RG_ERR_MEMORY;
    form->ctx = ctx;
    form->source = c->source;
    form->inside = rg_alloc(ctx, 1, sizeof(form_inside));
    recognizer r = {.c = c, .ctx = ctx, .form = form, .in = form->inside};
    rg_status status = r.in == NULL ? RG_ERR_MEMORY : recognize(&r);
    if (status == RG_OK && c->n_errors > 0) status = RG_ERR_SYNTAX;
    if (rg_last_error(ctx)->code == RG_ERR_MEMORY) status = RG_ERR_MEMORY; /* a tree is not there */
    if (status != RG_OK) {
        if (r.in != NULL) r.in->c.ctx = ctx;
        rg_form_destroy(ctx, &form);
        return status;
    }
    take_symbols(&r);
    c->p->form = form;
    c->p->form_destroy = destroy_form;
    return RG_OK;
}
